"""What a cheating or careless player might try, and what must not come of it."""

from __future__ import annotations

import pytest

from core.dice import cards
from events.types import CardDealt, OppositionResolved, RollMade, WoundsChanged
from tests.core.systems.savage.tables import bennies, fight, table
from tests.story import all_of, one_of, refused, savage, told

ANN, BLU = "ann: /char new Ann wild stealth=d8", "blu: /char new Blu wild notice=d6"
START = "gm: /session start"


def test_SW_25_quick_ends_when_every_card_above_5_is_in_a_hand() -> None:
    names = [f"C{n}" for n in range(45)]
    story = savage(*(line for name in names for line in (f"p: /char new {name}", f"p: /init join {name} quick")))
    held = [event.card for event in all_of(story.when("gm: /init deal"), CardDealt)]
    assert len(fight(story).cards) == 45
    assert sum(not cards.rank(card) < cards.rank("6C") for card in fight(story).cards.values()) == 38
    assert len(held) >= 45


@pytest.mark.parametrize("line", ["/damage 2d6 1", "/damage 1 2d6", "/damage 2d6 8", "。伤害 2d6 3"])
def test_SW_27_two_words_are_never_read_as_one_die(line: str) -> None:
    assert refused(table(ANN).when(f"ann: {line}")) == "bad_argument"


@pytest.mark.parametrize(
    "line",
    [
        "/trait d8+1d6", "/trait d8x3", "/trait d8!", "/trait d8kh1", "/trait d8++2", "/s8x3", "/s8hard", "/d8wild",
        "/d1w2", "。特性 潜行-2(夜里)x2", "。特性 潜行困难", "。特性潜行骰",
        "。特性 潜行了", "。特性 潛行", "/trait stealht",
    ],
)  # fmt: skip
def test_SW_14_what_is_not_understood_is_no_unskilled_attempt(line: str) -> None:
    assert refused(table(ANN).when(f"ann: {line}")) in ("bad_argument", "unknown_command")


@pytest.mark.parametrize("line", ["。潜行", "/stealth", "。潜行+1", "。潜行 困难"])
def test_SW_03_the_name_of_a_trait_is_its_roll(line: str) -> None:
    assert one_of(table(ANN).when(f"ann: {line} dice=5,2"), RollMade).label == "stealth"


def test_SW_22_a_person_called_like_another_players_character_has_no_part_in_its_bennies() -> None:
    story = table("ann: /char new bob", START)
    assert refused(story.when("bob: /join")) == "bad_argument"
    assert refused(story.when("bob: /trait d8 secret=me")) == "bad_argument"
    assert refused(story.when("bob: /benny spend story")) == "bad_argument"
    assert bennies(story, "ann") == 3


def test_SW_20_nobody_is_called_pool() -> None:
    story = table(ANN, START)
    assert refused(story.when("pool: /join")) == "bad_argument"
    assert refused(story.when("pool: /benny spend story")) == "bad_argument"


def test_SW_17_joining_again_mints_no_bennies() -> None:
    story = table("ann: /join", "ann: /char new Ann", START)
    assert refused(story.when("ann: /undo 3")) == "not_allowed"
    assert bennies(story, "ann") == 3


def test_SW_20_a_gm_who_handed_over_the_chair_has_no_hold_on_its_characters() -> None:
    story = table("ann: /join", "gm: /char new Guard wild", "gm: /char use Guard", START, "gm: /gm ann")
    assert refused(story.when("gm: /trait d8 as=Guard")) == "not_yours"
    assert refused(story.when("gm: /wound 1 as=Guard")) == "not_yours"
    assert refused(story.when("gm: /char retire Guard")) == "not_yours"
    assert refused(story.when("gm: /benny spend story from=pool")) == "not_allowed"
    assert one_of(story.when("gm: /trait d8 dice=5,2"), RollMade).character == "gm"
    story.given("ann: /trait d8 as=Guard dice=5,2")


def test_SW_10_the_defender_of_a_secret_roll_does_not_tell_of_it() -> None:
    story = table(ANN, BLU, "ann: /oppose stealth dice=8,7,2 secret=gm")
    answer = story.when("blu: /resist notice dice=5,2")
    assert one_of(answer, OppositionResolved).winner == "Ann"
    assert "15" not in told(answer)
    assert [letter.to for letter in answer.letters] == ["table", "gm"]


def test_SW_11_a_blind_roll_is_not_known_from_the_refusal_of_a_reroll() -> None:
    sentences = set()
    for faces in ("1,1", "5,2", "8,8,8,3,2"):
        story = table(ANN, START, f"ann: /trait stealth dice={faces} secret=gm")
        answer = story.when("ann: /reroll dice=5,2")
        assert refused(answer) == "not_allowed"
        sentences.add(answer.error)
    assert len(sentences) == 1


def test_SW_27_damage_against_a_character_is_not_secret() -> None:
    story = table(ANN, "gm: /char new Boss wild toughness=6")
    assert refused(story.when("gm: /damage 3d6 vs=Boss secret as=Boss")) == "not_allowed"
    assert all_of(story.when("gm: /damage 3d6 vs=6 secret as=Boss dice=5,5,5"), WoundsChanged) == []


def test_SW_27_a_stranger_wounds_nobody() -> None:
    story = table("ann: /char new Ann toughness=5")
    assert refused(story.when("stranger: /damage 20d6 vs=Ann")) == "not_allowed"


def test_SW_23_the_damage_of_an_earlier_session_is_over() -> None:
    story = table(ANN, "gm: /char new Boss wild toughness=6", START, "ann: /damage 2d6 vs=Boss dice=3,4")
    story.given("gm: /session end", START)
    assert refused(story.when("ann: /benny spend damage dice=6,6,6,6,1,1")) == "not_found"


def test_SW_25_a_card_choice_is_over_for_whoever_left_the_fight() -> None:
    story = table(ANN, START, "gm: /init deal", "ann: /benny spend card", "ann: /init leave Ann")
    assert refused(story.when("ann: /choose 1")) == "not_found"


def test_SW_25_a_player_passes_the_turn_to_the_next_and_to_nobody_else() -> None:
    story = table(ANN, BLU, "cyd: /char new Cyd", "gm: /init deal")
    order = sorted(fight(story).cards, key=lambda name: cards.rank(fight(story).cards[name]), reverse=True)
    story.given("gm: /init next")
    player = order[0].lower()
    if not cards.is_joker(fight(story).cards[order[2]]):
        assert refused(story.when(f"{player}: /init next {order[2]}")) == "not_allowed"
    story.given(f"{player}: /init next {order[1]}")

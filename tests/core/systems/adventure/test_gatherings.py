"""What several do together: comfort, camp, journeys, rituals, the end of a session, and the limits of them."""

from __future__ import annotations

import pytest

from core.systems.adventure import rules
from events.types import (
    CampMade,
    ComfortGiven,
    DepthChanged,
    HpChanged,
    JourneySet,
    RequirementMet,
    RequirementSet,
    RitualCompleted,
    RitualStarted,
    RollMade,
    SessionReviewed,
    XpMarked,
)
from tests.core.systems.adventure.tables import (
    LOCK_FIVE,
    MARK_FOUR,
    changes,
    conditions,
    hp,
    kinds,
    offered,
    open_choices,
    party,
    sentence,
    state,
    table,
    xp,
)
from tests.story import all_of, one_of, refused, told

PICKS = ("clear_own", "deepen", "clear_other")


# ---- Comfort or Support


def test_AD_06_each_yes_is_a_pick_of_the_comforted_player() -> None:
    answer = party().when("ann: /comfort Bo yes=1,3")
    assert one_of(answer, ComfortGiven) == ComfortGiven(comforter="Ash", comforted="Bo", yes=(1, 3), choices=(1, 2))
    assert offered(answer) == [(1, "bob", "comfort", PICKS), (2, "bob", "comfort", PICKS)]


def test_AD_06_the_picks_clear_deepen_and_clear_the_comforters() -> None:
    story = party("bob: /mark angry", "ann: /mark insecure", "ann: /comfort Bo yes=1,2,3")
    assert changes(story.when("bob: /choose 1 1")) == [("cleared", "Bo", "angry")]
    deeper = one_of(story.when("bob: /choose 2 2"), DepthChanged)
    assert (deeper.character, deeper.other, deeper.depth) == ("Bo", "Ash", 1)
    assert changes(story.when("bob: /choose 3 3")) == [("cleared", "Ash", "insecure")]
    assert open_choices(story) == []


def test_AD_06_the_same_pick_may_be_repeated() -> None:
    story = party("ann: /comfort Bo yes=1,2,3", *(f"bob: /choose {n} 2" for n in (1, 2, 3)))
    assert state(story).depth == {"Bo": {"Ash": 3}}


def test_AD_06_of_several_marked_conditions_their_player_says_which() -> None:
    story = party("ann: /mark angry", "ann: /mark insecure", "gm: /lock frightened as=Ash", "ann: /comfort Bo yes=2")
    assert offered(story.when("bob: /choose 1 3")) == [(2, "ann", "clear", ("angry", "insecure"))]
    assert changes(story.when("ann: /choose 2 2")) == [("cleared", "Ash", "insecure")]
    assert conditions(story) == {"frightened": "locked", "angry": "marked"}


@pytest.mark.parametrize("option", [1, 3])
def test_AD_06_where_nothing_is_marked_another_option_must_be_picked(option: int) -> None:
    story = party("gm: /lock angry as=Ash", "gm: /lock angry as=Bo", "ann: /comfort Bo yes=2")
    assert refused(story.when(f"bob: /choose 1 {option}")) == "already_done"
    story.given("bob: /choose 1 2")


def test_AD_06_a_relationship_may_be_made_here_and_the_first_answer_is_yes_then() -> None:
    story = party("bob: /bond Ash +2")
    answer = story.when("ann: /comfort Bo yes=2 new")
    assert one_of(answer, ComfortGiven).yes == (1, 2)
    made = one_of(answer, DepthChanged)
    assert (made.character, made.other, made.depth) == ("Ash", "Bo", 0)
    assert len(offered(answer)) == 2
    assert refused(story.given("gm: /session end", "gm: /session start").when("ann: /comfort Bo new")) == "already_done"


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("/comfort Bo yes=1,3", "。安慰 Bo yes=1,3"),
        ("/comfort Bo yes=3,1", "。安慰 Bo 是＝１，３"),
        ("/comfort Bo yes=2 new", "。安慰Bo 是=2 新关系"),
        ("/comfort Bo", "。安慰 Bo"),
    ],
)
def test_AD_06_comfort_in_chinese_is_the_same_comfort(english: str, chinese: str) -> None:
    first, second = party().when(f"ann: {english}"), party().when(f"ann: {chinese}")
    assert first.error is None
    assert [event.data for event in first.events] == [event.data for event in second.events]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("ann: /comfort Ash yes=1", "not_allowed"),
        ("ann: /comfort Wolf yes=1", "not_allowed"),
        ("ann: /comfort Nobody yes=1", "not_found"),
        ("ann: /comfort Bo yes=4", "bad_argument"),
        ("ann: /comfort Bo yes=1,1", "bad_argument"),
        ("ann: /comfort Bo yes=x", "bad_argument"),
        ("ann: /comfort", "bad_argument"),
        ("gm: /comfort Bo yes=1 as=Wolf", "not_allowed"),
        ("gm: /comfort Bo yes=1", "not_found"),
        ("bob: /comfort Cat yes=1 as=Ash", "not_yours"),
    ],
)
def test_AD_06_comfort_that_cannot_be_is_refused(line: str, code: str) -> None:
    story = party("gm: /char new Wolf")
    assert refused(story.when(line)) == code
    assert state(story).used == frozenset()


def test_AD_21_comfort_is_given_once_a_session_by_each_and_received_from_many() -> None:
    story = party("ann: /comfort Bo yes=1", "cat: /comfort Bo yes=1")
    answer = story.when("ann: /comfort Cat yes=1")
    assert refused(answer) == "already_done"
    assert "Ash" in sentence(answer)
    story.given("bob: /comfort Ash yes=1", "gm: /scene", "gm: /session end")
    assert refused(story.when("ann: /comfort Cat yes=1")) == "already_done"
    story.given("gm: /session start", "ann: /comfort Cat yes=1")


# ---- Camp


def test_AD_17_camp_gives_full_hp_and_clears_a_condition_of_each() -> None:
    story = party("ann: /hp -3", "bob: /hp -1", "ann: /mark angry", "gm: /lock insecure as=Cat")
    answer = story.when("bob: /camp")
    assert one_of(answer, CampMade).by == "bob"
    assert [(one.character, one.hp) for one in all_of(answer, HpChanged)] == [("Ash", 7), ("Bo", 6)]
    assert changes(answer) == [("cleared", "Ash", "angry")]
    assert conditions(story, "Cat") == {"insecure": "locked"}


def test_AD_17_with_several_marked_each_player_says_which() -> None:
    story = party("ann: /mark angry", "ann: /mark insecure", "bob: /mark angry", "bob: /mark exhausted")
    answer = story.when("gm: 。扎营")
    assert offered(answer) == [
        (1, "ann", "clear", ("angry", "insecure")),
        (2, "bob", "clear", ("angry", "exhausted")),
    ]
    story.given("ann: /choose 2", "bob: /choose 1")
    assert (conditions(story), conditions(story, "Bo")) == ({"angry": "marked"}, {"exhausted": "marked"})


def test_AD_17_who_was_incapacitated_stands_again_with_a_condition_locked() -> None:
    story = party("ann: /hp -7")
    assert [kind for _, _, kind, _ in offered(story.when("ann: /camp"))] == ["lock"]
    assert (hp(story), state(story).down) == ((7, 7), frozenset())


@pytest.mark.parametrize(("speech", "words"), [("zh", "世界中的事态也在恶化"), ("en", "world's troubles move on")])
def test_AD_17_the_gm_is_reminded_that_the_worlds_troubles_move_on(speech: str, words: str) -> None:
    assert words in told(party(speech=speech).when("gm: /camp"))


def test_AD_21_camp_is_made_once_a_session() -> None:
    story = party("ann: /camp")
    assert refused(story.when("bob: /camp")) == "already_done"
    story.given("gm: /scene")
    assert refused(story.when("gm: /camp")) == "already_done"
    story.given("gm: /session end", "gm: /session start", "gm: /camp")


def test_AD_17_only_people_of_the_table_make_camp() -> None:
    assert refused(party().when("dan: /camp")) == "not_allowed"
    assert refused(party().when("ann: /camp here")) == "bad_argument"


# ---- End of Session


def test_AD_14_each_yes_marks_one_xp_for_everyone() -> None:
    story = party("bob: /xp 4", "gm: /char new Wolf")
    answer = story.when("gm: /endsession yes=2")
    assert one_of(answer, SessionReviewed).yes == 2
    assert [one.character for one in all_of(answer, XpMarked)] == ["Ash", "Ash", "Bo", "Bo", "Cat", "Cat"]
    assert (xp(story), xp(story, "Bo"), xp(story, "Cat")) == ((2, 1), (1, 2), (2, 1))


def test_AD_14_no_yes_is_no_xp() -> None:
    assert kinds(party().when("gm: 。结束场次 是=0")) == ["SessionReviewed"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("ann: /endsession yes=1", "not_allowed"),
        ("gm: /endsession", "bad_argument"),
        ("gm: /endsession yes=4", "too_large"),
        ("gm: /endsession yes=-1", "bad_argument"),
        ("gm: /endsession yes=x", "bad_argument"),
    ],
)
def test_AD_14_a_review_that_cannot_be_is_refused(line: str, code: str) -> None:
    assert refused(party().when(line)) == code


def test_AD_21_a_session_is_reviewed_once() -> None:
    story = party("gm: /endsession yes=1")
    assert refused(story.when("gm: /endsession yes=1")) == "already_done"
    story.given("gm: /session end", "gm: /session start", "gm: /endsession yes=1")


@pytest.mark.parametrize("deed", ["ann: /camp", "ann: /comfort Bo yes=1", "gm: /endsession yes=1"])
def test_AD_21_limits_hold_before_the_first_session_too(deed: str) -> None:
    story = table(*(f"{who}: /char new {name}" for who, name in (("ann", "Ash"), ("bob", "Bo"))), deed)
    assert refused(story.when(deed)) == "already_done"
    story.given("gm: /session start", deed)


# ---- Journey


@pytest.mark.parametrize(
    ("pace", "step", "marking"),
    [("fast", -1, ["ann", "bob", "cat"]), ("normal", 1, ["bob"]), ("careful", 2, [])],
)
def test_AD_20_the_pace_is_a_step_and_has_its_price(pace: str, step: int, marking: list[str]) -> None:
    story = party()
    answer = story.when(f"bob: /journey The White Peaks leader=Bo {pace} dice=5,6")
    assert one_of(answer, JourneySet).place == "The White Peaks"
    roll = one_of(answer, RollMade)
    assert (roll.character, roll.total, roll.outcome) == ("Bo", 11 + step, "strong_hit")
    assert [(one.name, one.value) for one in roll.modifiers] == [("pace", step)]
    assert [(owner, kind) for _, owner, kind, _ in offered(answer)] == [(one, "condition") for one in marking]


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("/journey Peaks leader=Ash fast dice=6,5", "。旅途 Peaks 领队＝Ash 全速 dice=6,5"),
        ("/journey Peaks leader=ash normal dice=6,5", "。旅途 Peaks 正常 领队=Ash dice=6,5"),
        ("/journey careful Peaks leader=Ash dice=6,5", "。旅途Peaks leader=Ash 谨慎 dice=6,5"),
    ],
)
def test_AD_20_a_journey_in_chinese_is_the_same_journey(english: str, chinese: str) -> None:
    first, second = party().when(f"ann: {english}"), party().when(f"gm: {chinese}")
    assert first.error is None
    assert [event.data for event in first.events] == [event.data for event in second.events]


def test_AD_20_on_a_weak_hit_the_leader_picks() -> None:
    story = party()
    answer = story.when("ann: /journey Peaks leader=Ash careful dice=4,3")
    assert offered(answer) == [(1, "ann", "move.journey", ("followed", "unpleasant", "upper_hand"))]
    assert offered(story.when("ann: /choose 1")) == [(2, "ann", "followed", ("let_follow", "shake_off"))]
    answer = story.when("ann: /choose 2 2")
    assert [owner for _, owner, kind, _ in offered(answer) if kind == "condition"] == ["ann", "bob", "cat"]


def test_AD_20_who_lets_them_follow_marks_nothing() -> None:
    story = party("ann: /journey Peaks leader=Ash careful dice=4,3", "ann: /choose 1")
    assert kinds(story.when("ann: /choose 1")) == ["ChoiceMade"]


def test_AD_20_the_price_of_shaking_them_off_is_each_ones_own_to_pick() -> None:
    story = party("ann: /journey Peaks leader=Ash careful dice=4,3", "ann: /choose 1")
    assert refused(story.when("ann: /choose 2 mark=angry")) == "bad_argument"


def test_AD_20_a_miss_marks_one_xp_for_everyone() -> None:
    answer = party().when("ann: /journey Peaks leader=Ash careful dice=1,2")
    assert [(one.character, one.xp) for one in all_of(answer, XpMarked)] == [("Ash", 1), ("Bo", 1), ("Cat", 1)]


def test_AD_20_a_mark_for_the_pace_can_be_a_breaking_point() -> None:
    answer = party(*MARK_FOUR).when("gm: /journey Peaks leader=Ash fast dice=6,5")
    assert ("marked", "Ash", "insecure") in changes(answer)
    assert [kind for _, owner, kind, _ in offered(answer) if owner == "ann"] == ["outburst"]


@pytest.mark.parametrize("pace", ["fast", "normal"])
def test_AD_20_who_has_no_condition_left_travels_all_the_same_and_the_gm_is_told(pace: str) -> None:
    answer = party(*LOCK_FIVE).when(f"ann: /journey Peaks leader=Ash {pace} dice=6,5")
    assert "All five conditions of Ash are locked" in told(answer)
    assert "ann" not in [owner for _, owner, _, _ in offered(answer)]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("ann: /journey Peaks careful", "bad_argument"),
        ("ann: /journey Peaks leader=Ash", "bad_argument"),
        ("ann: /journey leader=Ash careful", "bad_argument"),
        ("ann: /journey Peaks leader=Nobody careful", "not_found"),
        ("ann: /journey Peaks leader=Bo careful", "not_yours"),
        ("ann: /journey " + "x" * 201 + " leader=Ash careful", "too_large"),
        ("ann: /journey Peaks leader=Ash careful dice=1", "dice_mismatch"),
    ],
)
def test_AD_20_a_journey_that_cannot_be_is_refused(line: str, code: str) -> None:
    assert refused(party().when(line)) == code


@pytest.mark.parametrize(("speech", "words"), [("zh", ("雪山", "全速", "好处")), ("en", ("雪山", "early", "boon"))])
def test_AD_20_the_way_and_its_end_are_told(speech: str, words: tuple[str, ...]) -> None:
    shown = told(party(speech=speech).when("ann: /journey 雪山 leader=Ash fast dice=6,6"))
    assert all(word in shown for word in words)


def test_AD_04_aid_helps_on_a_journey_too() -> None:
    story = party("bob: /aid Ash expose")
    assert one_of(story.when("ann: /journey Peaks leader=Ash careful dice=1,4,4"), RollMade).total == 10


# ---- Ritual


def test_AD_18_the_gm_sets_requirements_and_the_last_one_ticked_completes_it() -> None:
    story = party()
    started = one_of(story.when('ann: /ritual new "Seal the gate" mag=2'), RitualStarted)
    assert started == RitualStarted(ritual="Seal the gate", mag=2, by="Ash")
    for number, text in ((1, "moonlight (full)"), (2, "a drop of blood")):
        made = one_of(story.when(f'gm: /ritual need "seal the gate" {text}'), RequirementSet)
        assert made == RequirementSet(ritual="Seal the gate", number=number, text=text)
    assert kinds(story.when('gm: /ritual done "Seal the gate" 2')) == ["RequirementMet"]
    answer = story.when('gm: /ritual done "Seal the gate" 1')
    assert one_of(answer, RequirementMet).number == 1
    assert one_of(answer, RitualCompleted).ritual == "Seal the gate"


@pytest.mark.parametrize(
    ("lines", "chinese"),
    [
        (
            ("ann: /ritual new Seal mag=3", "gm: /ritual need Seal moon", "gm: /ritual done Seal 1"),
            ("ann: 。仪式 新建 Seal ＭＡＧ＝３", "gm: 。仪式 要求 Seal moon", "gm: 。仪式 完成 Seal １"),
        )
    ],
)
def test_AD_18_a_ritual_in_chinese_is_the_same_ritual(lines: tuple[str, ...], chinese: tuple[str, ...]) -> None:
    one, other = party(), party()
    for line, said in zip(lines, chinese, strict=True):
        assert [event.data for event in one.when(line).events] == [event.data for event in other.when(said).events]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("ann: /ritual new Seal mag=2", "already_done"),
        ("ann: /ritual new seal mag=2", "already_done"),
        ("ann: /ritual new Door", "bad_argument"),
        ("ann: /ritual new mag=2", "bad_argument"),
        ("ann: /ritual new Door mag=x", "bad_argument"),
        ("dan: /ritual new Door mag=1", "not_allowed"),
        ("ann: /ritual need Seal more", "not_allowed"),
        ("ann: /ritual done Seal 1", "not_allowed"),
        ("gm: /ritual need Seal a third", "limit_reached"),
        ("gm: /ritual need Seal", "bad_argument"),
        ("gm: /ritual need Door moon", "not_found"),
        ("gm: /ritual done Seal 1", "already_done"),
        ("gm: /ritual done Seal 3", "bad_argument"),
        ("gm: /ritual done Seal 0", "bad_argument"),
        ("gm: /ritual done Seal", "bad_argument"),
        ("gm: /ritual done Empty 1", "not_found"),
        ("gm: /ritual done Over 1", "already_done"),
        ("gm: /ritual break Seal", "bad_argument"),
    ],
)
def test_AD_18_a_ritual_that_cannot_be_is_refused(line: str, code: str) -> None:
    story = party(
        "ann: /ritual new Seal mag=2", "gm: /ritual need Seal moon", "gm: /ritual need Seal blood",
        "gm: /ritual done Seal 1", "bob: /ritual new Empty mag=1", "bob: /ritual new Over mag=0",
        "gm: /ritual need Over a word", "gm: /ritual done Over 1",
    )  # fmt: skip
    assert refused(story.when(line)) == code


def test_AD_18_an_effect_of_no_magnitude_still_has_one_requirement() -> None:
    story = party("ann: /ritual new Spark mag=0", "gm: /ritual need Spark flint")
    assert refused(story.when("gm: /ritual need Spark tinder")) == "limit_reached"


@pytest.mark.parametrize("ask", ["/ritual", "/ritual list", "。仪式 列表"])
def test_AD_18_the_checklist_is_shown(ask: str) -> None:
    story = party("ann: /ritual new Seal mag=2", "gm: /ritual need Seal moon", "gm: /ritual need Seal blood")
    story.given("gm: /ritual done Seal 2")
    shown = told(story.when(f"bob: {ask}"))
    assert "□1. moon" in shown
    assert "✔2. blood" in shown
    assert "Seal" in shown


def test_AD_18_there_is_room_for_fifty_rituals_that_are_not_complete() -> None:
    story = party(*(f"ann: /ritual new R{n} mag=1" for n in range(50)))
    assert refused(story.when("ann: /ritual new More mag=1")) == "limit_reached"
    story.given("gm: /ritual need R1 salt", "gm: /ritual done R1 1", "ann: /ritual new More mag=1")


def test_AD_20_the_paces_prices_are_of_the_five_conditions() -> None:
    (choice,) = offered(party().when("ann: /journey Peaks leader=Ash normal dice=6,5"))
    assert choice[3] == rules.CONDITIONS

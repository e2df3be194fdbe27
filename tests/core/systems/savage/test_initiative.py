"""Action cards: dealing, Edges, Jokers, turns, and new cards for Bennies."""

from __future__ import annotations

from itertools import pairwise

import pytest

from core.dice import cards
from core.messages import Answer
from core.systems.savage.rules import order
from events.types import (
    BennyAwarded,
    BennySpent,
    CardDealt,
    CardKept,
    ChoiceMade,
    ChoiceOffered,
    ChoiceWithdrawn,
    CombatantJoined,
    CombatantLeft,
    DeckShuffled,
    InitiativeEnded,
    Modifier,
    RollMade,
    RoundStarted,
    TurnStarted,
)
from tests.core.systems.savage.tables import (
    BOB,
    BOSS,
    GUARD,
    RED,
    START,
    bennies,
    cards_of,
    fight,
    luck_with,
    state,
    table,
)
from tests.story import Story, all_of, one_of, refused, restarted, told

FIGHT = (RED, BOB, BOSS, GUARD, START, "gm: /init join Boss", "gm: /init join Guard")
DEAL = "gm: /init deal"
ALLY = "gm: /char new Friend wild ally"


def has_joker(story: Story, name: str) -> bool:
    return cards.is_joker(fight(story).cards[name])


def jokers(answer: Answer) -> list[str]:
    """Who was dealt a Joker."""
    return [dealt.character for dealt in cards_of(answer) if cards.is_joker(dealt.card)]


def gains(answer: Answer) -> dict[str, int]:
    """Bennies awarded for a Joker, by name."""
    awards = all_of(answer, BennyAwarded)
    assert {award.reason for award in awards} <= {"joker"}
    return {award.to: award.count for award in awards}


# ---- dealing and turns


@pytest.mark.parametrize("line", [DEAL, "gm: 。先攻 发牌", "gm: /initiative deal", "gm: 。先攻 发"])
def test_SW_25_everybody_in_the_fight_gets_one_card(line: str) -> None:
    story = table(*FIGHT)
    answer = story.when(line)
    dealt = cards_of(answer)
    assert sorted(card.character for card in dealt) == ["Bob", "Boss", "Guard", "Red"]
    assert len({card.card for card in dealt}) == 4
    assert {card.reason for card in dealt} == {"deal"}
    assert one_of(answer, RoundStarted).number == 1


def test_SW_25_players_are_in_a_fight_without_asking() -> None:
    joined = all_of(table(RED, BOB, "red: /char new Twin").when(DEAL), CombatantJoined)
    assert [one.character for one in joined] == ["Red", "Bob"]


def test_SW_25_the_highest_card_acts_first_and_each_once() -> None:
    story = table(*FIGHT, DEAL)
    wanted = order(dict(fight(story).cards))
    acted = [one_of(story.when("gm: /init next"), TurnStarted).character for _ in wanted]
    assert acted == wanted
    ranks = [cards.rank(fight(story).cards[name]) for name in acted]
    assert all(high > low for high, low in pairwise(ranks))
    assert refused(story.when("gm: 。先攻 下一个")) == "limit_reached"


def test_SW_25_a_card_is_not_dealt_twice_before_the_deck_is_shuffled() -> None:
    story = table(*FIGHT)
    seen: list[str] = []
    for _ in range(13):
        answer = story.when(DEAL)
        story.given("gm: /init next")
        if all_of(answer, DeckShuffled):
            seen.clear()
        seen += [dealt.card for dealt in cards_of(answer)]
        assert len(seen) == len(set(seen))


def test_SW_25_rounds_count_up_and_the_fight_ends() -> None:
    story = table(*FIGHT, DEAL, "gm: /init next")
    assert one_of(story.when(DEAL), RoundStarted).number == 2
    assert one_of(story.when("gm: 。先攻 结束"), InitiativeEnded).rounds == 2
    assert state(story).fight is None
    assert one_of(story.when(DEAL), RoundStarted).number == 1


def test_SW_25_whoever_is_down_or_gone_gets_no_card() -> None:
    story = table(*FIGHT, "gm: /wound 1 as=Guard", "bob: /char retire Bob")
    answer = story.when(DEAL)
    assert sorted(card.character for card in cards_of(answer)) == ["Boss", "Red"]
    assert [one.character for one in all_of(answer, CombatantJoined)] == ["Red"]


def test_SW_25_one_who_retires_in_the_fight_gets_no_more_cards() -> None:
    story = table(*FIGHT, DEAL, "bob: /char retire Bob")
    acted = [one_of(story.when("gm: /init next"), TurnStarted).character for _ in range(3)]
    assert sorted(acted) == ["Boss", "Guard", "Red"]
    assert refused(story.when("gm: /init next")) == "limit_reached"
    assert sorted(card.character for card in cards_of(story.when(DEAL))) == ["Boss", "Guard", "Red"]


def test_SW_25_one_taken_down_before_the_turn_is_passed_over() -> None:
    story = table(*FIGHT, DEAL)
    first, second, *_ = order(dict(fight(story).cards))
    story.given("gm: /wound 4 as=" + first)
    assert one_of(story.when("gm: /init next"), TurnStarted).character == second


def test_SW_25_newcomers_before_the_first_turn_are_dealt_in() -> None:
    story = table(*FIGHT, DEAL)
    assert refused(story.when(DEAL)) == "already_done"
    held = dict(fight(story).cards)
    answer = story.given("gm: /char new Late extra", "gm: /init join Late").when(DEAL)
    assert [card.character for card in cards_of(answer)] == ["Late"]
    assert all_of(answer, RoundStarted) == []
    assert {name: card for name, card in fight(story).cards.items() if name != "Late"} == held


def test_SW_25_after_the_first_turn_a_deal_begins_the_next_round() -> None:
    story = table(*FIGHT, DEAL, "gm: /init next")
    answer = story.when(DEAL)
    assert one_of(answer, RoundStarted).number == 2
    assert len(cards_of(answer)) == 4


@pytest.mark.parametrize("line", ["gm: /init leave Guard", "gm: 。先攻 离开 Guard"])
def test_SW_25_who_leaves_gets_no_card(line: str) -> None:
    story = table(*FIGHT)
    assert one_of(story.when(line), CombatantLeft).character == "Guard"
    assert "Guard" not in [card.character for card in cards_of(story.when(DEAL))]


def test_SW_25_the_list_shows_the_order_and_whose_turn_it_is() -> None:
    story = table(*FIGHT, DEAL, "gm: /init next")
    for line in ("red: /init list", "red: /init", "red: 。先攻 列表"):
        answer = story.when(line)
        rows = told(answer).splitlines()[1:]
        assert answer.events == ()
        assert [next(name for name in ("Red", "Bob", "Boss", "Guard") if name in row) for row in rows] == order(
            dict(fight(story).cards)
        )
        assert ["▶" in row for row in rows] == [True, False, False, False]


def test_SW_25_a_player_moves_on_from_the_own_turn_alone() -> None:
    story, _ = luck_with(FIGHT, DEAL, lambda story, _: order(dict(fight(story).cards))[:2] == ["Red", "Bob"])
    assert refused(story.when("red: /init next")) == "not_allowed"
    story.given("gm: /init next")
    assert refused(story.when("bob: /init next")) == "not_allowed"
    assert one_of(story.when("red: /init next"), TurnStarted).character == "Bob"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("red: /init deal", "not_allowed"),
        ("red: /init end", "not_allowed"),
        ("gm: /init end", "not_found"),
        ("gm: /init next", "not_found"),
        ("gm: /init leave Boss", "not_found"),
        ("gm: /init join Ghost", "not_found"),
        ("gm: /init join", "not_found"),
        ("red: /init join Boss", "not_yours"),
        ("gm: /init join Boss level-headed hesitant", "bad_argument"),
        ("gm: /init join Boss slow", "bad_argument"),
        ("gm: /init shuffle", "bad_argument"),
        ("gm: /init deal dice=5", "bad_argument"),
        ("red: /init keep 1", "not_found"),
        ("red: /init keep", "bad_argument"),
        ("red: /init keep 0", "bad_argument"),
        ("red: /init keep 55", "too_large"),
    ],
)
def test_SW_25_what_does_not_fit_is_refused(line: str, code: str) -> None:
    assert refused(table(RED, BOSS, START).when(line)) == code


def test_SW_25_nobody_to_deal_to() -> None:
    assert refused(table().when(DEAL)) == "not_found"


def test_SW_25_nobody_joins_twice_and_nobody_acts_twice() -> None:
    story = table(*FIGHT)
    assert refused(story.when("gm: /init join Boss")) == "already_done"
    story.given(DEAL, "gm: /init next Boss", "gm: /init next Red")
    assert refused(story.when("gm: /init next Boss")) == "not_allowed"
    assert refused(story.when("gm: /init next Red")) == "not_allowed"


# ---- Edges


@pytest.mark.parametrize(
    ("words", "edges"),
    [
        ("quick", ("quick",)), ("迅捷", ("quick",)), ("level-headed", ("level-headed",)),
        ("身先士卒", ("level-headed",)), ("hesitant", ("hesitant",)), ("犹豫不决", ("hesitant",)),
        ("quick level-headed", ("quick", "level-headed")), ("", ()),
    ],
)  # fmt: skip
def test_SW_25_edges_are_named_on_joining(words: str, edges: tuple[str, ...]) -> None:
    assert one_of(table(BOSS).when(f"gm: /init join Boss {words}"), CombatantJoined).edges == edges


def test_SW_25_edges_stand_on_the_sheet_too() -> None:
    joined = one_of(table("red: 。角色 新建 小红 专长=迅捷、犹豫不决").when(DEAL), CombatantJoined)
    assert joined.edges == ("quick", "hesitant")


def drawn(answer: Answer, name: str) -> list[tuple[str, str]]:
    return [(card.reason, card.card) for card in cards_of(answer) if card.character == name]


def test_SW_25_quick_draws_again_until_more_than_a_5() -> None:
    lines = (BOSS, START, "gm: /init join Boss quick")
    story, answer = luck_with(lines, DEAL, lambda _, answer: len(cards_of(answer)) >= 3)
    taken = drawn(answer, "Boss")
    assert [reason for reason, _ in taken] == ["deal", *["quick"] * (len(taken) - 1)]
    assert all(cards.rank(card) < cards.rank("6C") for _, card in taken[:-1])
    assert cards.rank(taken[-1][1]) >= cards.rank("6C")
    assert fight(story).cards["Boss"] == taken[-1][1]


def test_SW_25_without_quick_a_low_card_stays() -> None:
    story, answer = luck_with(
        (BOSS, START, "gm: /init join Boss"), DEAL, lambda _, answer: cards.rank(cards_of(answer)[0].card) < 16
    )
    assert fight(story).cards["Boss"] == cards_of(answer)[0].card


@pytest.mark.parametrize(("edge", "pick"), [("level-headed", max), ("hesitant", min)])
@pytest.mark.parametrize("first_is_higher", [True, False])
def test_SW_25_two_cards_of_which_the_better_or_the_worse_is_kept(
    edge: str, pick: type[max], first_is_higher: bool
) -> None:
    def wanted(story: Story, answer: Answer) -> bool:
        one, two = (card.card for card in cards_of(answer))
        return not jokers(answer) and (cards.rank(one) > cards.rank(two)) is first_is_higher

    story, answer = luck_with((BOSS, START, f"gm: /init join Boss {edge}"), DEAL, wanted)
    taken = drawn(answer, "Boss")
    assert [reason for reason, _ in taken] == ["deal", edge]
    kept = pick((card for _, card in taken), key=cards.rank)
    assert one_of(answer, CardKept).card == fight(story).cards["Boss"] == kept


def test_SW_25_hesitant_keeps_a_joker() -> None:
    lines = (BOSS, START, "gm: /init join Boss hesitant")
    story, _ = luck_with(lines, DEAL, lambda _, answer: jokers(answer) == ["Boss"])
    assert has_joker(story, "Boss")


def test_SW_25_quick_looks_at_what_level_headed_kept() -> None:
    lines = (BOSS, START, "gm: /init join Boss quick level-headed")
    story, answer = luck_with(lines, DEAL, lambda _, answer: len(cards_of(answer)) >= 3)
    taken = drawn(answer, "Boss")
    assert [reason for reason, _ in taken[:3]] == ["deal", "level-headed", "quick"]
    assert all(cards.rank(card) < cards.rank("6C") for _, card in taken[:2])
    assert fight(story).cards["Boss"] == taken[-1][1]


# ---- Jokers


def test_SW_19_a_joker_of_a_player_gives_every_player_one() -> None:
    story, answer = luck_with(FIGHT, DEAL, lambda _, answer: jokers(answer) == ["Red"])
    assert gains(answer) == {"Red": 1, "Bob": 1}
    assert [bennies(story, name) for name in ("red", "bob", "pool", "Boss")] == [4, 4, 2, 2]


def test_SW_21_a_joker_of_the_gms_gives_the_pool_and_each_hostile_wild_card_one() -> None:
    lines = (*FIGHT, "gm: /char new Queen wild", ALLY)
    story, answer = luck_with(lines, DEAL, lambda _, answer: jokers(answer) == ["Guard"])
    assert gains(answer) == {"pool": 1, "Boss": 1, "Queen": 1}
    assert [bennies(story, name) for name in ("red", "pool", "Boss", "Queen", "Friend")] == [3, 3, 3, 3, 2]


def test_SW_21_an_ally_of_the_gms_who_draws_it_is_no_hostile_wild_card() -> None:
    lines = (*FIGHT, ALLY, "gm: /init join Friend")
    _, answer = luck_with(lines, DEAL, lambda _, answer: jokers(answer) == ["Friend"])
    assert gains(answer) == {"pool": 1, "Boss": 1}


def test_SW_19_two_jokers_count_twice() -> None:
    players = tuple(f"{name}: /char new {name.title()}" for name in ("ann", "bob", "cat", "dan", "eve", "fay"))
    story, answer = luck_with((*players, START), DEAL, lambda _, answer: len(jokers(answer)) == 2)
    assert len(all_of(answer, BennyAwarded)) == 12
    assert [bennies(story, name) for name in ("ann", "fay", "pool")] == [5, 5, 6]


def test_SW_19_without_a_session_a_joker_gives_none() -> None:
    lines = tuple(line for line in FIGHT if line != START)
    _, answer = luck_with(lines, DEAL, lambda _, answer: jokers(answer) == ["Red"])
    assert gains(answer) == {}


def test_SW_25_a_joker_is_plus_2_on_trait_and_damage_rolls_of_its_owner_alone() -> None:
    story, _ = luck_with(FIGHT, DEAL, lambda _, answer: jokers(answer) == ["Red"])
    joker = (Modifier("joker", 2),)
    for line in ("/trait stealth dice=3,2", "/oppose stealth dice=3,2", "/damage 2d6 dice=1,2"):
        roll = one_of(story.when(f"red: {line}"), RollMade)
        assert (roll.modifiers, roll.total) == (joker, 5), line
    assert one_of(story.when("bob: /trait agility dice=3,2"), RollMade).modifiers == ()
    assert one_of(story.when("gm: /damage 2d6 as=Boss dice=1,2"), RollMade).modifiers == ()
    assert one_of(story.when("red: /roll 2d6 dice=1,2"), RollMade).total == 3


def test_SW_25_a_joker_is_plus_2_on_a_soak_and_its_reroll() -> None:
    story, _ = luck_with(FIGHT, DEAL, lambda _, answer: jokers(answer) == ["Red"])
    story.given("red: /wound 1")
    assert one_of(story.when("red: /benny spend soak dice=1,2"), RollMade).total == 4


def test_SW_25_the_bonus_ends_with_the_round() -> None:
    story, _ = luck_with(FIGHT, DEAL, lambda _, answer: jokers(answer) == ["Red"])
    while has_joker(story, "Red"):
        story.given("gm: /init next", DEAL)
    assert one_of(story.when("red: /trait stealth dice=3,2"), RollMade).modifiers == ()


def test_SW_25_the_bonus_ends_with_the_fight() -> None:
    story, _ = luck_with(FIGHT, DEAL, lambda _, answer: jokers(answer) == ["Red"])
    story.given("gm: /init end")
    assert one_of(story.when("red: /trait stealth dice=3,2"), RollMade).modifiers == ()


def test_SW_25_the_deck_is_shuffled_after_a_round_with_a_joker_and_only_then() -> None:
    story, _ = luck_with(FIGHT, DEAL, lambda _, answer: jokers(answer) == ["Red"])
    answer = story.given("gm: /init next").when(DEAL)
    assert one_of(answer, DeckShuffled) == DeckShuffled(reason="joker", held=())
    assert set(state(story).out) == {card.card for card in cards_of(answer)}
    plain, _ = luck_with(FIGHT, DEAL, lambda _, answer: jokers(answer) == [])
    assert all_of(plain.given("gm: /init next").when(DEAL), DeckShuffled) == []


def test_SW_25_the_shuffle_waits_for_the_next_fight() -> None:
    story, _ = luck_with(FIGHT, DEAL, lambda _, answer: jokers(answer) == ["Red"])
    assert one_of(story.given("gm: /init end").when(DEAL), DeckShuffled).reason == "joker"


def test_SW_25_a_late_deal_in_the_jokers_round_does_not_shuffle() -> None:
    story, _ = luck_with(FIGHT, DEAL, lambda _, answer: jokers(answer) == ["Red"])
    answer = story.given("gm: /char new Late extra", "gm: /init join Late").when(DEAL)
    assert all_of(answer, DeckShuffled) == []
    assert has_joker(story, "Red")


def test_SW_25_a_joker_acts_whenever_it_likes() -> None:
    story, _ = luck_with(FIGHT, DEAL, lambda _, answer: jokers(answer) == ["Red"])
    story.given("gm: /init next Boss")
    assert refused(story.when("bob: /init next Bob")) == "not_allowed"
    assert refused(story.when("bob: /init next Red")) == "not_allowed"
    assert one_of(story.when("red: 。先攻 下一个 Red"), TurnStarted).character == "Red"


# ---- an empty deck


def crowd(count: int) -> tuple[str, ...]:
    """So many Extras of the GM's, all in the fight."""
    return tuple(line for n in range(count) for line in (f"gm: /char new N{n} extra", f"gm: /init join N{n}"))


def test_SW_25_an_empty_deck_is_shuffled_without_the_cards_in_hand() -> None:
    story = table(*crowd(30), DEAL, "gm: /init next")
    held = set(fight(story).cards.values())
    story, answer = luck_with(
        (*crowd(30), DEAL, "gm: /init next"), DEAL, lambda _, answer: reasons(answer) == ["empty"]
    )
    shuffled = one_of(answer, DeckShuffled)
    events = [envelope.data for envelope in answer.events]
    before = {event.card for event in events[: events.index(shuffled)] if isinstance(event, CardDealt)}
    assert held
    assert set(shuffled.held) == before
    assert len(before) == 24
    assert len(set(fight(story).cards.values())) == 30


def reasons(answer: Answer) -> list[str]:
    return [shuffled.reason for shuffled in all_of(answer, DeckShuffled)]


def test_SW_25_a_joker_dealt_before_the_deck_ran_out_still_leads_to_a_shuffle() -> None:
    def wanted(story: Story, answer: Answer) -> bool:
        before = [envelope.data for envelope in answer.events]
        at = next((n for n, event in enumerate(before) if isinstance(event, DeckShuffled)), 0)
        early = [event.card for event in before[:at] if isinstance(event, CardDealt)]
        late = [event.card for event in before[at:] if isinstance(event, CardDealt)]
        return reasons(answer) == ["empty"] and any(map(cards.is_joker, early)) and not any(map(cards.is_joker, late))

    story, _ = luck_with((*crowd(30), DEAL, "gm: /init next"), DEAL, wanted)
    assert reasons(story.given("gm: /init next").when(DEAL)) == ["joker"]


def test_SW_26_when_all_cards_are_in_hands_none_can_be_bought() -> None:
    story = table(RED, START, "gm: /benny give Red 60", DEAL)
    bought = 0
    while (answer := story.when("red: /benny spend card")).error is None:
        bought += 1
        assert all_of(answer, DeckShuffled) == []
    assert refused(answer) == "limit_reached"
    assert bought == 53
    assert len(set(fight(story).drawn["Red"])) == 54


# ---- new cards for Bennies


@pytest.mark.parametrize("line", ["/benny spend card", "。助力 花 换牌", "。助力 花 动作卡"])
def test_SW_26_one_benny_one_card_and_the_best_is_kept_until_said_otherwise(line: str) -> None:
    story = table(*FIGHT, DEAL)
    old = fight(story).cards["Red"]
    answer = story.when(f"red: {line}")
    assert one_of(answer, BennySpent).purpose == "card"
    new = one_of(answer, CardDealt)
    assert (new.character, new.reason) == ("Red", "benny")
    assert one_of(answer, ChoiceOffered).options == (old, new.card)
    assert fight(story).cards["Red"] == max(old, new.card, key=cards.rank)


def test_SW_26_any_number_and_one_of_them_all_is_kept() -> None:
    story = table(*FIGHT, DEAL, "red: /benny spend card", "red: /benny spend card")
    answer = story.when("red: /benny spend card")
    options = one_of(answer, ChoiceOffered).options
    assert len(set(options)) == 4
    assert len(all_of(answer, ChoiceWithdrawn)) == 1
    assert bennies(story, "red") == 0 + sum(cards.is_joker(card) for card in options)
    for number, card in enumerate(options, 1):
        story.given(f"red: /init keep {number}")
        assert fight(story).cards["Red"] == card


@pytest.mark.parametrize("line", ["/init keep 1", "。先攻 保留 1", "/choose 1", "。选择 1", "。选择 1 1"])
def test_SW_26_the_old_card_may_be_kept_by_either_command(line: str) -> None:
    story = table(*FIGHT, DEAL)
    old = fight(story).cards["Red"]
    answer = story.given("red: /benny spend card").when(f"red: {line}")
    assert one_of(answer, CardKept).card == old == fight(story).cards["Red"]
    assert one_of(answer, ChoiceMade).option == 1


def test_SW_26_the_choice_is_on_buttons() -> None:
    answer = table(*FIGHT, DEAL).when("red: /benny spend card")
    (letter,) = answer.letters
    assert [number for number, _ in letter.choices] == [1, 2]


def test_SW_26_only_ones_own_options_can_be_kept() -> None:
    story = table(*FIGHT, DEAL, "red: /benny spend card")
    assert refused(story.when("red: /init keep 3")) == "bad_argument"
    assert refused(story.when("red: /choose 3")) == "bad_argument"
    assert refused(story.when("bob: /choose 1 1")) == "not_yours"
    assert refused(story.when("bob: /init keep 1")) == "not_found"
    assert refused(story.when("gm: /init keep 1 as=Red")) == "not_yours"


def test_SW_26_no_new_cards_before_the_deal_and_none_after_the_first_turn() -> None:
    story = table(*FIGHT)
    assert refused(story.when("red: /benny spend card")) == "not_found"
    story.given(DEAL, "red: /benny spend card", "bob: /benny spend card", "gm: /init next")
    assert refused(story.when("red: /benny spend card")) == "not_allowed"
    assert refused(story.when("red: /init keep 1")) == "not_allowed"
    assert refused(story.when("bob: /choose 1")) == "not_found"


def test_SW_26_the_first_turn_withdraws_the_open_choices() -> None:
    story = table(*FIGHT, DEAL, "red: /benny spend card", "bob: /benny spend card")
    assert len(all_of(story.when("gm: /init next"), ChoiceWithdrawn)) == 2


def test_SW_26_after_a_first_turn_taken_by_one_who_left_it_is_too_late_too() -> None:
    story = table(*FIGHT, DEAL, "gm: /init next Guard", "gm: /init leave Guard")
    assert refused(story.when("red: /benny spend card")) == "not_allowed"


def test_SW_26_in_the_next_round_there_are_new_cards_again() -> None:
    story = table(*FIGHT, DEAL, "red: /benny spend card", "gm: /init next", DEAL)
    assert refused(story.when("red: /init keep 1")) == "not_found"
    assert len(one_of(story.when("red: /benny spend card"), ChoiceOffered).options) == 2


def test_SW_26_edges_do_not_apply_to_these_cards() -> None:
    def low_card_bought(story: Story, answer: Answer) -> bool:
        return cards.rank(one_of(answer, CardDealt).card) < cards.rank("6C")

    lines = ("red: /char new Red wild edges=quick,level-headed", START, DEAL)
    _, answer = luck_with(lines, "red: /benny spend card", low_card_bought)
    assert len(cards_of(answer)) == 1


def test_SW_26_the_hesitant_keep_the_best_of_what_they_bought() -> None:
    lines = ("red: /char new Red wild edges=hesitant", START, DEAL)
    story, answer = luck_with(
        lines, "red: /benny spend card", lambda _, answer: cards.rank(cards_of(answer)[0].card) > cards.rank("QS")
    )
    offered = one_of(answer, ChoiceOffered).options
    assert fight(story).cards["Red"] == max(offered, key=cards.rank)


def test_SW_26_a_joker_bought_counts_as_one_dealt() -> None:
    story, answer = luck_with((*FIGHT, DEAL), "red: /benny spend card", lambda _, answer: jokers(answer) == ["Red"])
    assert gains(answer) == {"Red": 1, "Bob": 1}
    assert one_of(story.when("red: /trait stealth dice=3,2"), RollMade).modifier == 2
    story.given("red: /init keep 1")
    assert one_of(story.when("red: /trait stealth dice=3,2"), RollMade).modifier == 0
    assert reasons(story.given("gm: /init next").when(DEAL)) == ["joker"]


def test_SW_26_cards_are_not_given_by_hand() -> None:
    story = table(*FIGHT, DEAL)
    assert refused(story.when("red: /benny spend card dice=5")) == "not_allowed"
    assert bennies(story, "red") == 3


def test_SW_26_the_gm_buys_cards_for_the_gms_own() -> None:
    story = table(*FIGHT, DEAL)
    assert one_of(story.when("gm: /benny spend card as=Boss"), BennySpent).source == "own"
    assert one_of(story.when("gm: /benny spend card as=Guard"), BennySpent).source == "pool"


# ---- a restart in the middle of a round


def test_SW_25_a_restart_in_the_middle_of_a_round_changes_nothing() -> None:
    story, _ = luck_with(FIGHT, DEAL, lambda _, answer: jokers(answer) == ["Red"])
    story.given("bob: /benny spend card", "gm: /init next")
    before = story.table
    again = restarted(story)
    assert again.table == before
    lines = (
        "gm: /init next",
        "red: /trait stealth",
        "gm: /init next",
        "gm: /init next",
        "bob: /reroll edge=Elan",
        DEAL,
    )
    for line in lines:
        again.hear(line)
    assert again.table == restarted(again).table
    assert reasons_of(again)[-1] == "joker"


def reasons_of(story: Story) -> list[str]:
    """Why the deck was shuffled, over the whole record."""
    acts = story.table.acts
    return [event.reason for act in acts for event in act.events if isinstance(event, DeckShuffled)]

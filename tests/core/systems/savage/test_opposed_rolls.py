"""Opposed rolls (SW-10): the active side first, then the defender; who wins, by how much, and when rerolls end."""

from __future__ import annotations

import pytest

from events.types import BennySpent, OppositionResolved, RollMade
from tests.core.systems.savage.tables import BOB, BOSS, GUARD, RED, START, bennies, table
from tests.story import Story, one_of, refused


def settled(story: Story, oppose: str, resist: str) -> OppositionResolved:
    """Red opposes with Stealth d8, Guard, an Extra, resists with Notice d6."""
    story.given(f"red: /oppose stealth dice={oppose}")
    return one_of(story.when(f"gm: /resist notice as=Guard dice={resist}"), OppositionResolved)


@pytest.mark.parametrize(
    ("oppose", "resist", "winner", "raises"),
    [
        ("5,2", "5", "Guard", 0),  # a tie
        ("5,2", "4", "Red", 0),
        ("8,3,2", "3", "Red", 2),  # 11 against 3
        ("8,3,2", "6,5", "Guard", 0),  # 11 against 11
        ("4,2", "6,6,1", "Guard", 2),  # 4 against 13
        ("3,2", "1", "Guard", 0),  # the active side has no 4
        ("3,2", "6,1", "Guard", 1),  # 3 against 7
        ("4,2", "1", "Red", 0),
    ],
)
def test_SW_10_who_wins_and_the_raises_against_the_losers_result(
    oppose: str, resist: str, winner: str, raises: int
) -> None:
    found = settled(table(RED, GUARD), oppose, resist)
    loser = "Guard" if winner == "Red" else "Red"
    assert (found.winner, found.loser, found.raises, found.outcome) == (winner, loser, raises, "success")


def test_SW_10_a_tie_is_the_defenders() -> None:
    assert settled(table(RED, GUARD), "5,2", "5").winner == "Guard"


def test_SW_10_a_critical_failure_of_the_active_side_fails_whatever_its_total() -> None:
    story = table(RED, GUARD).given("red: /oppose stealth +8 dice=1,1")
    assert one_of(story.when("gm: /resist notice as=Guard dice=1"), OppositionResolved).winner == "Guard"


def test_SW_10_a_critical_failure_of_the_defender_loses_whatever_its_total() -> None:
    story = table(RED, BOSS).given("red: /oppose stealth dice=4,2")
    assert one_of(story.when("gm: /resist notice +8 as=Boss dice=1,1"), OppositionResolved).winner == "Red"


def test_SW_10_the_event_names_both_rolls() -> None:
    story = table(RED, GUARD)
    active = one_of(story.when("red: /oppose stealth dice=5,2"), RollMade)
    answer = story.when("gm: /resist notice as=Guard dice=5")
    found = one_of(answer, OppositionResolved)
    assert (found.active, found.defending) == (active.roll, one_of(answer, RollMade).roll)


def test_SW_10_in_chinese() -> None:
    story = table(RED, GUARD).given("red: 。对抗 潜行 －1（夜里） dice=5，2")
    assert one_of(story.when("gm: 。抵抗 察觉 as=Guard dice=4"), OppositionResolved).winner == "Guard"


def test_SW_10_dice_without_sheets_oppose_too() -> None:
    story = table().given("red: /oppose d8 dice=5,2")
    assert one_of(story.when("bob: /resist d6 dice=4,1"), OppositionResolved).winner == "red"


def test_SW_10_nothing_waits_to_be_resisted() -> None:
    story = table(RED, GUARD)
    assert refused(story.when("gm: /resist notice as=Guard")) == "not_found"
    settled(story, "5,2", "4")
    assert refused(story.when("gm: /resist notice as=Guard")) == "not_found"


def test_SW_10_nobody_resists_an_own_roll() -> None:
    story = table(RED).given("red: /oppose stealth dice=5,2")
    assert refused(story.when("red: /resist stealth")) == "not_allowed"


def test_SW_10_the_defender_says_whose_roll_is_meant() -> None:
    story = table(RED, BOB, GUARD).given("red: /oppose stealth dice=7,2", "bob: /oppose agility dice=4,2")
    assert one_of(story.when("gm: /resist notice vs=Red as=Guard dice=5"), OppositionResolved).winner == "Red"
    assert one_of(story.when("gm: 。抵抗 察觉 对=Bob as=Guard dice=5"), OppositionResolved).winner == "Guard"


def test_SW_10_without_a_name_the_latest_open_roll_is_meant() -> None:
    story = table(RED, BOB, GUARD).given("red: /oppose stealth dice=7,2", "bob: /oppose agility dice=4,2")
    assert one_of(story.when("gm: /resist notice as=Guard dice=2"), OppositionResolved).winner == "Bob"


@pytest.mark.parametrize(
    ("line", "code"), [("vs=Nobody", "not_found"), ("vs=Bob", "not_found"), ("tn=8", "bad_argument")]
)
def test_SW_10_a_resist_that_does_not_fit_is_refused(line: str, code: str) -> None:
    story = table(RED, BOB, GUARD).given("red: /oppose stealth dice=7,2")
    assert refused(story.when(f"gm: /resist notice as=Guard {line}")) == code


def test_SW_10_the_active_side_needs_4_and_sets_no_other_target() -> None:
    assert refused(table(RED, GUARD).when("red: /oppose stealth tn=2")) == "bad_argument"


# ---- rerolls


def test_SW_10_the_active_side_rerolls_before_the_resist() -> None:
    story = table(RED, GUARD, START).given("red: /oppose stealth dice=3,2", "red: /reroll dice=6,2")
    assert one_of(story.when("gm: /resist notice as=Guard dice=5"), OppositionResolved).winner == "Red"


def test_SW_10_the_active_side_does_not_reroll_after_the_resist() -> None:
    story = table(RED, GUARD, START)
    settled(story, "3,2", "5")
    assert refused(story.when("red: /reroll dice=8,8,1,2")) == "already_done"
    assert refused(story.when("red: /reroll edge=Lucky dice=8,8,1,2")) == "already_done"
    assert bennies(story, "red") == 3


def test_SW_10_the_defender_rerolls_and_the_outcome_is_settled_again() -> None:
    story = table(RED, BOSS, START).given("red: /oppose stealth dice=5,2")
    assert one_of(story.when("gm: /resist notice as=Boss dice=3,2"), OppositionResolved).winner == "Red"
    answer = story.when("gm: /reroll as=Boss dice=8,1,3")
    assert one_of(answer, BennySpent).left == 1
    found = one_of(answer, OppositionResolved)
    assert (found.winner, found.raises) == ("Boss", 1)


def test_SW_10_a_worse_reroll_of_the_defender_changes_nothing() -> None:
    story = table(RED, BOSS, START).given("red: /oppose stealth dice=5,2", "gm: /resist notice as=Boss dice=5,2")
    assert one_of(story.when("gm: /reroll as=Boss dice=3,2"), OppositionResolved).winner == "Boss"


def test_SW_10_a_critical_failure_on_the_defenders_reroll_loses() -> None:
    story = table(RED, BOSS, START).given("red: /oppose stealth dice=5,2", "gm: /resist notice as=Boss dice=7,2")
    assert one_of(story.when("gm: /reroll as=Boss dice=1,1"), OppositionResolved).winner == "Red"


def test_SW_10_another_opposed_roll_later_can_be_rerolled_again() -> None:
    story = table(RED, GUARD, START)
    settled(story, "3,2", "5")
    story.given("red: /oppose stealth dice=3,2")
    assert one_of(story.when("red: /reroll dice=6,2"), RollMade).total == 6


def test_SW_10_an_opposed_roll_of_an_own_later_kind_does_not_reopen_the_old_one() -> None:
    story = table(RED, GUARD, START)
    settled(story, "3,2", "5")
    story.given("red: /trait agility dice=2,3")
    assert one_of(story.when("red: /reroll dice=4,1"), RollMade).kind == "trait"

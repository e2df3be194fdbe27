"""Rerolls (SW-15): all the dice again, the better result stands, and what ends it."""

from __future__ import annotations

import pytest

from events.types import BennySpent, RollMade
from tests.core.systems.savage.tables import BOSS, GUARD, RED, START, bennies, table
from tests.story import all_of, one_of, refused, told


def test_SW_15_a_benny_rerolls_all_the_dice_and_the_better_stands() -> None:
    story = table(RED, START)
    first = one_of(story.when("red: /trait agility dice=2,3"), RollMade)
    answer = story.when("red: /reroll dice=4,1")
    again = one_of(answer, RollMade)
    assert one_of(answer, BennySpent) == BennySpent(character="Red", purpose="reroll", source="own", left=2)
    assert (again.total, again.rolled_total, again.outcome) == (4, 4, "success")
    assert (again.reroll_of, again.by, again.roll) == (first.roll, "benny", first.roll + 1)
    assert [die.faces for die in again.dice] == [(4,), (1,)]


def test_SW_15_a_worse_reroll_leaves_the_old_result() -> None:
    story = table(RED, START, "red: /trait stealth dice=8,4,2")
    again = one_of(story.when("red: /reroll dice=3,2"), RollMade)
    assert (again.rolled_total, again.total, again.outcome, again.raises) == (3, 12, "success", 2)


def test_SW_15_several_bennies_stack_until_none_is_left() -> None:
    story = table(RED, START, "red: /trait agility dice=2,3")
    left = [one_of(story.when(f"red: /reroll dice={dice}"), BennySpent).left for dice in ("2,2", "3,2", "3,3")]
    assert left == [2, 1, 0]
    assert refused(story.when("red: /reroll dice=5,3")) == "nothing_to_spend"


def test_SW_15_the_best_of_all_stands_and_not_only_of_the_last_two() -> None:
    story = table(RED, START, "red: /trait stealth dice=7,2", "red: /reroll dice=2,3")
    assert one_of(story.when("red: /reroll dice=5,2"), RollMade).total == 7


def test_SW_15_all_rerolls_name_the_first_roll() -> None:
    story = table(RED, START)
    first = one_of(story.when("red: /trait stealth dice=2,3"), RollMade)
    again = [one_of(story.when(f"red: /reroll dice={dice}"), RollMade) for dice in ("2,2", "3,2")]
    assert [roll.reroll_of for roll in again] == [first.roll, first.roll]


@pytest.mark.parametrize("words", ["edge=Elan", "专长=Elan", 'edge="Elan"', "edge=“Elan”"])
def test_SW_15_an_edge_rerolls_without_a_benny(words: str) -> None:
    story = table(RED, START, "red: /trait agility dice=2,3")
    answer = story.when(f"red: /reroll {words} dice=4,1")
    assert all_of(answer, BennySpent) == []
    assert one_of(answer, RollMade).by == "Elan"
    assert bennies(story, "red") == 3


def test_SW_15_an_edge_needs_no_session() -> None:
    story = table(RED, "red: /trait agility dice=2,3")
    assert one_of(story.when("red: /reroll edge=Elan dice=4,1"), RollMade).total == 4
    assert refused(story.when("red: /reroll dice=5,1")) == "nothing_to_spend"


def test_SW_15_edges_and_bennies_stack() -> None:
    story = table(
        RED, START, "red: /trait agility dice=2,3", "red: /reroll edge=Elan dice=3,1", "red: /reroll dice=2,2"
    )
    again = one_of(story.when("red: /reroll edge=“Level Head” dice=5,1"), RollMade)
    assert (again.total, again.by, again.reroll_of) == (5, "Level Head", 1)
    assert bennies(story, "red") == 2


def test_SW_15_never_after_a_critical_failure_by_any_means() -> None:
    story = table(RED, START, "red: /trait agility +4 dice=1,1")
    assert refused(story.when("red: /reroll dice=6,2,5")) == "critical_failure"
    assert refused(story.when("red: /reroll edge=Elan dice=6,2,5")) == "critical_failure"
    assert refused(story.when("red: /benny spend reroll")) == "critical_failure"
    assert bennies(story, "red") == 3


def test_SW_11_no_reroll_is_offered_after_a_critical_failure() -> None:
    answer = table(RED, START).when("red: /trait agility dice=1,1")
    assert all(letter.choices == () for letter in answer.letters)
    assert "/reroll" not in told(answer)


def test_SW_15_a_critical_failure_on_a_reroll_is_the_result_and_ends_it() -> None:
    story = table(RED, START, "red: /trait stealth dice=7,2")
    again = one_of(story.when("red: /reroll dice=1,1"), RollMade)
    assert (again.outcome, again.total, again.raises) == ("critical_failure", 1, 0)
    assert refused(story.when("red: /reroll dice=7,7")) == "critical_failure"
    assert bennies(story, "red") == 2


def test_SW_15_several_dice_are_compared_as_a_whole_and_stand_together() -> None:
    story = table("gabe: /char new Gabe shooting=d6", START, "gabe: /trait shooting x3 dice=5,2,1,3")
    better = one_of(story.when("gabe: /reroll dice=4,4,2,4"), RollMade)
    assert (better.results, better.total) == ((4, 4, 4), 4)
    worse = one_of(story.when("gabe: /reroll dice=5,2,2,1"), RollMade)
    assert (worse.results, worse.rolled_total, worse.total) == ((4, 4, 4), 5, 4)


def test_SW_15_modifiers_target_and_dice_are_those_of_the_first_throw() -> None:
    story = table(RED, START, "red: /trait stealth -2(dark) tn=6 wild=d8 dice=5,2", "red: /wound 1")
    again = one_of(story.when("red: /reroll dice=7,7"), RollMade)
    assert ([die.sides for die in again.dice], again.modifier, again.target, again.total) == ([8, 8], -2, 6, 5)


def test_SW_15_an_extras_reroll_has_its_check_again() -> None:
    story = table(RED, GUARD, START, "gm: /trait notice crit as=Guard dice=2")
    again = one_of(story.when("gm: /reroll as=Guard dice=1,1"), RollMade)
    assert again.outcome == "critical_failure"


def test_SW_15_a_secret_roll_is_rerolled_in_secret() -> None:
    story = table(RED, START, "red: /trait stealth secret dice=2,3")
    answer = story.when("red: /reroll dice=7,3")
    assert one_of(answer, RollMade).secret == "both"
    assert "7" not in told(answer)
    assert "7" in told(answer, "gm")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("red: /reroll", "not_found"),
        ("red: /reroll from=pool", "not_found"),
        ("red: /reroll from=bank", "bad_argument"),
        ("red: /reroll d8", "bad_argument"),
        ("red: /reroll as=Boss", "not_yours"),
        ("red: /reroll edge=" + "x" * 65, "too_large"),
    ],
)
def test_SW_15_a_reroll_that_does_not_fit_is_refused(line: str, code: str) -> None:
    assert refused(table(RED, BOSS, START).when(line)) == code


def test_SW_15_wrong_faces_cost_no_benny() -> None:
    story = table(RED, START, "red: /trait agility dice=2,3")
    assert refused(story.when("red: /reroll dice=7,3")) == "dice_mismatch"
    assert refused(story.when("red: /reroll dice=3")) == "dice_mismatch"
    assert bennies(story, "red") == 3


@pytest.mark.parametrize("line", ["/reroll", "/rr", "。重骰", "/benny spend reroll", "。助力 花 重骰"])
def test_SW_15_a_reroll_has_many_names(line: str) -> None:
    story = table(RED, START, "red: /trait agility dice=2,3")
    assert one_of(story.when(f"red: {line} dice=4,1"), RollMade).reroll_of == 1


def test_SW_15_plain_dice_are_no_trait_roll() -> None:
    story = table(RED, START, "red: /roll 2d6")
    assert refused(story.when("red: /reroll")) == "not_found"

"""Figures: what is counted and what is not, and a chi-square test that agrees with the printed tables."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.record import people
from core.stats import Faces, Figures, chi_square_tail, figures
from events import codec
from events.chain import seal
from events.envelope import Head
from events.log import MemoryLog
from events.types import AccountLinked, RollMade
from tests.story import Story, savage

# The 5 % and 1 % points as every textbook prints them: degrees of freedom, value, chance.
PRINTED = (
    (1, 3.841, 0.05), (2, 5.991, 0.05), (3, 7.815, 0.05), (5, 11.070, 0.05), (7, 14.067, 0.05), (9, 16.919, 0.05),
    (11, 19.675, 0.05), (19, 30.144, 0.05), (1, 6.635, 0.01), (5, 15.086, 0.01), (9, 21.666, 0.01), (99, 134.642, 0.01),
)  # fmt: skip


def counted(story: Story, session: int | None = None, only: tuple[str, ...] = ()) -> Figures:
    return figures(lambda: map(codec.decode, story.log.read(story.table.id)), session, only)


def of(found: Figures) -> dict[str, int]:
    return {one.who: one.rolls for one in found.by if one.rolls}


@pytest.mark.parametrize(("freedom", "value", "chance"), PRINTED)
def test_chi_square_is_that_of_the_printed_tables(freedom: int, value: float, chance: float) -> None:
    assert chi_square_tail(value, freedom) == pytest.approx(chance, rel=0.005)


@given(st.integers(1, 99), st.floats(0, 5000), st.floats(0, 100))
def test_dice_that_stray_further_are_less_likely(freedom: int, value: float, more: float) -> None:
    assert 0 <= chi_square_tail(value + more, freedom) <= chi_square_tail(value, freedom) + 1e-12 <= 1 + 1e-12


def test_even_dice_do_not_stray_and_a_loaded_one_is_told() -> None:
    assert Faces(6, (10,) * 6).chance == 1.0
    assert Faces(6, (10, 10, 10, 10, 10, 60)).chance < 1e-9
    assert Faces(6, (29,) + (0,) * 5).telling is False


def test_every_face_that_the_bot_threw_is_counted_and_none_thrown_by_hand() -> None:
    story = savage("ann: /char new Ann agility=d8").given("ann: /trait agility dice=5,2", "ann: /roll d20 dice=7")
    story.given(*["ann: /trait agility", "ann: /roll 4d6kh3", "gm: /roll 2d%"] * 5)
    rolls = (one.data for one in map(codec.decode, story.log.read(story.table.id)) if isinstance(one.data, RollMade))
    dice = [die for roll in rolls if roll.source == "fair" for die in roll.dice]
    expected = Counter((die.sides, face) for die in dice for face in die.faces)
    found = counted(story)
    assert {(d.sides, n): c for d in found.total.faces for n, c in enumerate(d.counts, 1) if c} == expected
    assert of(found) == {"Ann": 12, "gm": 5}
    assert 20 not in {one.sides for one in found.total.faces}


def test_what_was_taken_back_counts_for_the_dice_alone() -> None:
    story = savage("ann: /char new Ann agility=d8", "ann: /trait agility")
    before = counted(story).total
    story.given("gm: /undo")
    after = counted(story).total
    assert (before.rolls, after.rolls) == (1, 0)
    assert before.decided == 1
    assert after.decided == 0
    assert after.faces == before.faces


def test_a_roll_towards_a_secret_target_is_no_secret_roll() -> None:
    story = Story().given("gm: /table new storytelling", "gm: /extended new Car target=97 secret 5", "ann: /join")
    story.given("ann: /extended roll Car")
    assert (counted(story).total.rolls, counted(story).hidden) == (1, 0)


def test_a_secret_roll_counts_once_it_is_revealed() -> None:
    story = savage("ann: /join").given("ann: /roll d4", "gm: /roll 3d12 secret", "ann: /roll 2d12 secret=me")
    hidden = counted(story)
    assert (hidden.total.rolls, hidden.hidden) == (1, 2)
    assert [one.sides for one in hidden.total.faces] == [4]
    assert counted(story, only=("ann",)).hidden == 1
    story.given("gm: /reveal")
    assert (counted(story).total.rolls, counted(story).hidden) == (3, 0)
    assert {one.sides: one.thrown for one in counted(story).total.faces} == {4: 1, 12: 5}


def test_a_roll_and_its_rerolls_have_one_outcome_that_which_stands() -> None:
    story = savage("ann: /char new Ann agility=d8", "gm: /session start")
    story.given("ann: /trait agility dice=2,3", "ann: /reroll dice=5,2")
    (ann,) = (one for one in counted(story).by if one.who == "Ann")
    assert (ann.rolls, ann.outcomes, ann.awarded, ann.spent) == (2, {"success": 1}, 3, 1)
    story.given("ann: /trait agility dice=1,1")
    (ann,) = (one for one in counted(story).by if one.who == "Ann")
    assert (ann.decided, ann.successes, ann.critical) == (2, 1, 1)


def test_figures_are_of_one_session_or_of_some_people_if_asked() -> None:
    story = savage("ann: /char new Ann", "bob: /char new Bob").given("ann: /roll d6", "gm: /session start")
    story.given("ann: /roll d6", "bob: /roll d6", "bob: /roll d6", "gm: /session end", "gm: /session start")
    assert of(counted(story, 1)) == {"Bob": 2, "Ann": 1}
    assert of(counted(story, only=("Ann",))) == {"Ann": 2}
    assert counted(story, 2).total.rolls == 0


def test_a_die_of_a_million_sides_takes_no_room() -> None:
    story = savage("ann: /join", "ann: /roll d1000000")
    assert counted(story).total.faces == ()
    assert counted(story).total.rolls == 1


def test_one_person_with_two_accounts_is_counted_as_one() -> None:
    story = savage("ann: /join", "ann: /roll d6", "eve: /join", "eve: /roll d6", "eve: /roll d6")
    log, table = story.log, story.table
    linked = AccountLinked(person="ann", was="eve")
    log.append(table.id, table.ledger.seq, seal(log.head(table.id), table.id, "", "eve", "test:join", None, [linked]))
    assert of(counted(story)) == {"ann": 3}


def test_joined_accounts_lead_to_the_person_of_now() -> None:
    log, head = MemoryLog(), Head()
    links = [AccountLinked(person=now, was=was) for was, now in (("a", "b"), ("b", "c"), ("c", "a"))]
    log.append("t", 0, seal(head, "t", "", "x", "y", None, links))
    assert people(map(codec.decode, log.read("t"))) == {"b": "a", "c": "a"}

"""Undo, kind by kind: who may take back what, what comes back, and what stands because something is built on it."""

from __future__ import annotations

import pytest

from tests.core.systems.kept import gms_act_is_taken_back, own_act_is_taken_back, roll_stands, stands_below
from tests.core.systems.storytelling.tables import CHAINSAW, GHOUL, KAREN, MARCUS, progress, state, table
from tests.story import first_of, refused

PEOPLE = (MARCUS, KAREN, GHOUL)
OPEN = "gm: /contest open Race"
CHASE = "gm: /contest open Chase target=6"
LOCK = "gm: /extended new Lock target=9 limit=1"
FAILED = (LOCK, "marcus: /extended roll Lock 1 dice=2")
STORED = "karen: /store Wall 2 dice=8,2"


# Each row: what has happened, and the act.
OWN = [
    ((), "marcus: /set str=5"),
    ((), "marcus: /contest open Race"),
    (("gm: /house players-extended on",), "marcus: /extended new A target=5"),
]
ROLLS = [
    ((CHAINSAW,), "marcus: /extended roll 2 dice=8,2"),
    ((CHAINSAW, "gm: /extended mod -1"), "marcus: /extended roll 2 dice=8"),
    ((CHAINSAW, "marcus: /extended roll 2 dice=8,8"), "marcus: /extended roll 0 dice=1"),
    ((LOCK,), "marcus: /extended roll 1 dice=2"),
    ((OPEN,), "marcus: /contest roll Race 1 dice=8"),
    ((OPEN, "karen: /contest roll Race 1 dice=2"), "marcus: /contest roll Race 1 dice=8"),
    ((CHASE, "karen: /contest roll Chase 1 dice=2"), "marcus: /contest roll Chase 1 dice=8"),
    ((), "marcus: /store Trap 1 dice=8"),
]
GMS = [
    ((), CHAINSAW),
    ((CHAINSAW,), "gm: /extended mod -4(fire)"),
    ((CHAINSAW,), "gm: /extended end Chainsaw"),
    (FAILED, "gm: /extended retry Lock"),
    ((), OPEN),
    ((OPEN,), "gm: /contest void Race"),
    ((OPEN, "marcus: /contest roll Race 1 dice=2", "karen: /contest roll Race 1 dice=2"), "gm: /contest again Race"),
    ((STORED,), "gm: /store drop Wall"),
    ((), "gm: /house retry scene"),
]


@pytest.mark.parametrize(("before", "act"), OWN)
def test_ST_05_a_player_takes_back_an_own_act_that_is_no_roll(before: tuple[str, ...], act: str) -> None:
    own_act_is_taken_back(table(*PEOPLE, *before), act, "marcus")


@pytest.mark.parametrize(("before", "act"), ROLLS)
def test_ST_05_a_roll_stands_for_players_and_the_st_alone_takes_it_back(before: tuple[str, ...], act: str) -> None:
    roll_stands(table(*PEOPLE, *before), act, "marcus")


@pytest.mark.parametrize(("before", "act"), GMS)
def test_ST_17_the_st_takes_back_and_players_do_not(before: tuple[str, ...], act: str) -> None:
    gms_act_is_taken_back(table(*PEOPLE, *before), act, "marcus")


# Each row: what has happened, the act, and what is built on it.
BUILT = [
    ((), CHAINSAW, "marcus: /extended roll Chainsaw 1 dice=8"),
    ((CHAINSAW,), "marcus: /extended roll 1 dice=8", "marcus: /extended roll 1 dice=8"),
    ((CHAINSAW,), "gm: /extended mod -1", "marcus: /extended roll 2 dice=8"),
    ((LOCK,), "marcus: /extended roll 1 dice=2", "gm: /extended retry Lock"),
    (FAILED, "gm: /extended retry Lock", "marcus: /extended roll 2 dice=2"),
    ((CHAINSAW,), "marcus: /set str=5", "marcus: /extended roll str+athletics again=no"),
    ((), "gm: /house players-extended on", "marcus: /extended new A target=5"),
    (
        ("gm: /house retry scene", "gm: /scene One", *FAILED),
        "gm: /scene Two",
        "gm: /extended retry Lock",
    ),
    ((), OPEN, "marcus: /contest roll Race 1 dice=8"),
    ((OPEN,), "karen: /contest roll Race 1 dice=8", "marcus: /contest roll Race 1 dice=2"),
    ((), "gm: /char new Wolf", "gm: /contest open Hunt sides=Wolf,Marcus"),
    (
        (OPEN, "karen: /contest roll Race 1 dice=8"),
        "gm: /house contested-exceptional margin",
        "marcus: /contest roll Race 1 dice=2",
    ),
    ((OPEN, "karen: /contest roll Race 1 dice=2"), "marcus: /contest roll Race 1 dice=2", "gm: /contest again Race"),
    ((), STORED, "marcus: /challenge Wall 2 dice=8,8"),
    ((), STORED, "gm: /store drop Wall"),
    ((STORED,), "gm: /store drop Wall", "marcus: /store Wall 1 dice=8"),
]


@pytest.mark.parametrize(("before", "act", "later"), BUILT)
def test_ST_15_an_act_stands_while_another_is_built_on_it(before: tuple[str, ...], act: str, later: str) -> None:
    stands_below(table(*PEOPLE, *before), act, later)


def test_ST_05_an_act_that_nothing_touches_goes_from_under_later_ones() -> None:
    story = table(*PEOPLE, CHAINSAW, "gm: /extended new Research target=5")
    roll = first_of(story, "marcus: /extended roll Chainsaw 2 dice=8,8")
    story.given("marcus: /extended roll Research 2 dice=8,2", "karen: /store Wall 1 dice=8")
    story.given(f"gm: /undo {roll}")
    assert {title: one.total for title, one in state(story).extended.items()} == {"Chainsaw": 0, "Research": 1}


def test_ST_06_successes_lost_to_a_dramatic_failure_come_back_with_its_undo() -> None:
    story = table(*PEOPLE, CHAINSAW, "marcus: /extended roll 3 dice=8,8,2", "marcus: /extended roll 0 dice=1")
    story.given("gm: /undo")
    assert progress(story.when("marcus: /extended roll 1 dice=8")).total == 3


def test_ST_17_a_modifier_waits_again_after_its_roll_was_taken_back() -> None:
    story = table(*PEOPLE, CHAINSAW, "gm: /extended mod -1(fire)", "marcus: /extended roll 2 dice=8", "gm: /undo")
    assert progress(story.when("marcus: /extended roll 2 dice=8")).successes == 1
    assert refused(story.when("marcus: /extended roll 2 dice=8")) == "dice_mismatch"

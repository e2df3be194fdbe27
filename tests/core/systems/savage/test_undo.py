"""Undo, kind by kind: who may take back what, what comes back, and what stands because something is built on it."""

from __future__ import annotations

import pytest

from tests.core.systems.kept import gms_act_is_taken_back, own_act_is_taken_back, roll_stands, stands_below
from tests.core.systems.savage.tables import BOB, BOSS, GUARD, RED, START, bennies, fight, state, table
from tests.story import first_of, refused

DEAL = "gm: /init deal"
PEOPLE = (RED, BOB, BOSS, GUARD, START)
FIGHT = (*PEOPLE, "gm: /init join Boss", "gm: /init join Guard")


# Each row: what has happened, the act, and who did it.
OWN = [
    ((), "red: /benny spend story"),
    (("red: /shaken on",), "red: /benny spend unshake"),
    (("red: /set pp=1 max_pp=10",), "red: /benny spend power"),
    ((), "red: /wound 2"),
    (("red: /wound 2",), "red: /wound -1"),
    ((), "red: /shaken on"),
    (("red: /shaken on",), "red: /shaken off"),
    ((), "red: /set stealth=d12"),
    ((), "red: /init join Red quick"),
]
ROLLS = [
    ((), "red: /trait stealth dice=5,2"),
    ((), "red: /group d6 dice=5,2"),
    ((), "red: /oppose stealth dice=5,2"),
    (("gm: /oppose notice as=Guard dice=4",), "red: /resist stealth dice=5,2"),
    (("red: /trait stealth dice=3,2",), "red: /reroll dice=5,2"),
    (("red: /trait stealth dice=3,2",), "red: /reroll edge=Elan dice=5,2"),
    ((), "red: /damage 2d6 vs=Boss dice=6,1,5"),
    (("red: /damage 2d6 vs=Boss dice=6,1,5",), "red: /benny spend damage dice=6,6,1,2"),
    (("red: /wound 2",), "red: /benny spend soak dice=5,2"),
    (("red: /shaken on",), "red: /unshake dice=5,2"),
    ((DEAL,), "red: /benny spend card"),
]
GMS = [
    ((), "gm: /benny give Red 2"),
    ((), "gm: /wound 1 as=Boss"),
    ((), DEAL),
    ((DEAL,), "gm: /init next"),
    ((DEAL,), "gm: /init end"),
    ((DEAL,), "gm: /init leave Red"),
    ((), "gm: /house wild-mark ☠"),
]


@pytest.mark.parametrize(("before", "act"), OWN)
def test_SW_23_a_player_takes_back_an_own_act_that_is_no_roll(before: tuple[str, ...], act: str) -> None:
    own_act_is_taken_back(table(*PEOPLE, *before), act, "red")


@pytest.mark.parametrize(("before", "act"), ROLLS)
def test_SW_15_a_roll_stands_for_players_and_the_gm_alone_takes_it_back(before: tuple[str, ...], act: str) -> None:
    roll_stands(table(*PEOPLE, *before), act, "red")


@pytest.mark.parametrize(("before", "act"), GMS)
def test_SW_18_the_gm_takes_back_and_players_do_not(before: tuple[str, ...], act: str) -> None:
    gms_act_is_taken_back(table(*FIGHT, *before), act, "red")


# Each row: what has happened, the act, and what is built on it.
BUILT = [
    ((), "red: /trait stealth dice=3,2", "red: /reroll dice=5,2"),
    ((), "red: /oppose stealth dice=5,2", "gm: /resist notice as=Guard dice=4"),
    (("red: /oppose stealth dice=5,2",), "gm: /resist notice as=Boss dice=4,2", "gm: /reroll as=Boss dice=7,2"),
    (("red: /oppose stealth dice=3,2",), "red: /reroll dice=5,2", "gm: /resist notice as=Guard dice=4"),
    ((), "gm: /damage 2d6 vs=Red as=Boss dice=4,5", "red: /benny spend soak dice=5,2"),
    ((), "gm: /damage 2d6 vs=Red as=Boss dice=4,5", "gm: /benny spend damage as=Boss dice=6,2,5"),
    ((), "gm: /damage 2d6 vs=Red as=Boss dice=3,3", "red: /benny spend unshake"),
    (("red: /wound 2",), "red: /benny spend soak dice=5,2", "red: /reroll dice=8,2,2"),
    ((), "red: /wound 1", "red: /wound 1"),
    ((), "red: /wound 1", "red: /trait stealth dice=5,2"),
    ((), "gm: /set Boss toughness=9", "red: /damage 2d6 vs=Boss dice=6,1,5"),
    ((), "red: /set stealth=d12", "red: /trait stealth dice=5,2"),
    ((), "gm: /benny give Red 1", "red: /benny spend story"),
    ((), "red: /benny spend story", "red: /benny spend story"),
    ((), "zoe: /char new Zoe", "gm: /benny give Zoe"),
    ((), "gm: /char new Rat extra", "gm: /shaken on as=Rat"),
    ((), "gm: /char new Rat extra toughness=9", "red: /damage 2d6 vs=Rat dice=1,2"),
    ((), DEAL, "red: /benny spend card"),
    ((), DEAL, "gm: /init next"),
    ((DEAL,), "red: /benny spend card", "red: /init keep 1"),
    ((DEAL,), "red: /benny spend card", "gm: /init next"),
]


@pytest.mark.parametrize(("before", "act", "later"), BUILT)
def test_SW_15_an_act_stands_while_another_is_built_on_it(before: tuple[str, ...], act: str, later: str) -> None:
    stands_below(table(*FIGHT, *before), act, later)


def test_SW_22_a_benny_of_one_character_spent_for_another_is_built_on_the_award() -> None:
    story = table(RED, "red: /char new Twin", START, *["red: /benny spend story"] * 3)
    award = first_of(story, "gm: /benny give Red 1")
    story.given("red: /benny spend story as=Twin")
    assert refused(story.when(f"gm: /undo {award}")) == "not_allowed"
    assert bennies(story, "red") == 0


def test_SW_15_an_act_that_nothing_touches_goes_from_under_later_ones() -> None:
    story = table(*FIGHT)
    wound = first_of(story, "red: /wound 1")
    story.given("bob: /trait agility dice=5,2", "gm: /benny give Bob 1", "gm: /shaken on as=Boss")
    story.given(f"gm: /undo {wound}")
    assert state(story).wounds.get("Red", 0) == 0
    assert (bennies(story, "bob"), "Boss" in state(story).shaken) == (4, True)


def test_SW_25_cards_taken_back_lie_in_the_deck_again_and_the_next_draw_is_a_new_one() -> None:
    story = table(*FIGHT)
    next_die = story.table.ledger.next_die
    number = first_of(story, DEAL)
    first = dict(fight(story).cards)
    story.given(f"gm: /undo {number}")
    assert state(story).out == ()
    assert story.table.ledger.next_die > next_die
    story.given(DEAL)
    assert dict(fight(story).cards) != first


def test_SW_15_after_a_roll_is_taken_back_the_one_before_is_rerolled() -> None:
    story = table(*PEOPLE, "red: /trait stealth dice=3,2", "red: /trait agility dice=2,2", "gm: /undo")
    again = story.when("red: /reroll dice=7,2")
    assert again.error is None
    assert "stealth" in again.letters[0].text


@pytest.mark.parametrize("line", ["gm: /undo 1", "gm: /undo 9999", "gm: /undo 0", "red: /undo"])
def test_SW_17_what_cannot_be_taken_back(line: str) -> None:
    story = table(START)
    assert refused(story.when(line)) in ("not_allowed", "not_found", "bad_argument")


def test_SW_17_sessions_and_undos_are_never_taken_back() -> None:
    story = table(RED)
    session = first_of(story, START)
    story.given("red: /wound 1")
    undo = first_of(story, "red: /undo")
    assert refused(story.when(f"gm: /undo {session}")) == "not_allowed"
    assert refused(story.when(f"gm: /undo {undo}")) == "not_allowed"

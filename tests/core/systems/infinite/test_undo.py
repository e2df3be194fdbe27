"""Undo, kind by kind: what comes back, and what stands because something is built on it."""

from __future__ import annotations

import pytest

from tests.core.systems.infinite.tables import GUARD, OGRE, ZHANG, left, numbers, table
from tests.story import first_of, refused

PEOPLE = (ZHANG, GUARD, OGRE)
OWN = [
    ((), "d: /defend 5"),
    (("d: /defend 5",), "d: /defend off"),
    ((), "d: /set 防御附加=9"),
]
ROLLS = [
    ((), "a: /check 力量+运动"),
    (("a: /defend 0",), "a: /check 力量 reflexive"),
    (("d: /defend 5",), "d: /check 3"),
    ((), "a: /oppose 敏捷+潜行"),
    (("a: /oppose 3",), "d: /resist 3"),
    (("a: /oppose 3", "d: /resist 3"), "gm: /resist 3 vs=张三 as=巨魔"),
    (("d: /defend 5",), "a: /attack 3 extra=4 target=守"),
    (("d: /defend 3,2",), "a: /attack 3 extra=4 target=守,守,巨魔 split=2,2 gain=1"),
    ((), "a: /attack 3"),
]


@pytest.mark.parametrize(("before", "act"), OWN)
def test_IT_12_a_player_takes_back_an_own_act_that_is_no_roll(before: tuple[str, ...], act: str) -> None:
    story = table(*PEOPLE, *before)
    play = story.table.play
    first_of(story, act)
    assert story.table.play != play
    story.given("d: /undo")
    assert story.table.play == play


@pytest.mark.parametrize(("before", "act"), ROLLS)
def test_IT_08_a_roll_stands_for_players_and_the_gm_takes_it_back(before: tuple[str, ...], act: str) -> None:
    story = table(*PEOPLE, *before)
    play = story.table.play
    number = first_of(story, act)
    if act.startswith(("a:", "d:")):
        assert refused(story.when(f"{act[0]}: /undo")) == "not_allowed"
    story.given(f"gm: /undo {number}")
    assert story.table.play == play


def test_IT_12_a_late_defence_taken_back_leaves_the_hit() -> None:
    story = table(*PEOPLE, "gm: /house late-defence on", "a: /attack 3 target=守 dice=8,8,8")
    play = story.table.play
    story.given("d: /defend 2", "d: /undo")
    assert story.table.play == play
    assert left(story, "守") == 7


DEPENDING = [
    (("d: /defend 5",), "a: /attack 3 target=守"),
    (("d: /defend 5",), "d: /check 1"),
    (("d: /defend 5",), "d: /defend 1"),
    (("a: /oppose 3",), "d: /resist 3"),
    (("a: /attack 3 target=守",), "d: /defend 2"),
    (("d: /set 防御附加=9",), "d: /defend 9"),
    (("d: /set 防御附加=9",), "a: /attack 1 target=守"),
    (("a: /set 力量=16",), "a: /check 力量"),
    (("d: /check 1",), "d: /defend 1"),
    (("gm: /scene",), "d: /defend 1"),
    (("gm: /house opposed-tie challenger", "a: /oppose 3"), "d: /resist 3"),
    (("gm: /house late-defence on", "a: /attack 1 target=守 dice=8"), "d: /defend 1"),
    (("d: /char new 新人 防御附加=3",), "d: /defend 1 as=新人"),
]


@pytest.mark.parametrize(("first", "then"), DEPENDING)
def test_IT_12_what_something_is_built_on_is_not_taken_back_before_it(first: tuple[str, ...], then: str) -> None:
    story = table(*PEOPLE)
    number = first_of(story, first[0])
    story.given(*first[1:])
    later = first_of(story, then)
    assert refused(story.when(f"gm: /undo {number}")) == "not_allowed"
    story.given(f"gm: /undo {later}")
    for line in first[1:]:
        if not line.startswith("gm: /house"):
            story.given("gm: /undo")
    story.given(f"gm: /undo {number}")


def test_IT_12_what_has_nothing_to_do_with_it_does_not_stand_in_the_way() -> None:
    story = table(*PEOPLE)
    number = first_of(story, "d: /defend 5")
    story.given("a: /check 3", "a: /attack 2 target=巨魔", "gm: /check 2 as=巨魔", f"gm: /undo {number}")
    assert left(story, "守") == 7
    assert numbers(story.when("a: /attack 1 target=守 dice=8")) == [(1, 0, 0, 1)]

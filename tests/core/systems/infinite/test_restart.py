"""The program may end at any moment: what it kept is all that it needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.evolve import Table, replay
from core.verify import verify
from events import codec
from events.sqlite import SqliteLog
from events.types import AttackResolved, OppositionResolved
from tests.core.systems.infinite.tables import GUARD, KNIGHT, OGRE, ZHANG, left, table
from tests.core.systems.kept import goes_on
from tests.story import one_of, restarted

EVENING = (
    ZHANG,
    GUARD,
    OGRE,
    KNIGHT,
    "gm: /session start",
    "gm: /house late-defence on",
    "a: /oppose 敏捷+潜行 dice=8,9,2,2,2,2,2,2",
    "d: /defend 3,2 as=守",
    "a: /attack 3 extra=4 target=守 dice=8,8,2",
    "gm: /attack 3 as=巨魔 target=骑士 dice=8,8,8",
    "d: /check 2 as=骑士 secret reflexive",
)
REST = (
    "gm: /resist 3 vs=张三 as=巨魔 dice=8,8,8",
    "a: /attack 3 extra=4 target=守 dice=8,8,8",
    "d: /defend 2 as=骑士",
    "gm: /undo",
    "d: /check 2 as=守",
    "gm: /session end",
)


@pytest.mark.parametrize("cut", [4, 7, 8, 9, 10, 11])
def test_IT_12_a_table_on_the_same_log_goes_on_as_if_nothing_had_been(cut: int) -> None:
    goes_on(table, EVENING, REST, cut)


def test_IT_12_a_file_closed_and_opened_again_holds_what_was_put_up_and_who_hides(tmp_path: Path) -> None:
    file = tmp_path / "evening.db"
    log = SqliteLog(file)
    story = table(*EVENING, log=log)
    before = story.table
    log.close()
    reopened = SqliteLog(file)
    again = restarted(story, reopened)
    assert again.table == before
    assert one_of(again.when("a: /attack 3 target=守 dice=8,8,8"), AttackResolved).declared == 2
    assert one_of(again.when("d: /defend 1 as=骑士"), AttackResolved).late
    assert one_of(again.when("d: /resist 3 as=守 dice=8,8,2"), OppositionResolved).winner == "张三"
    assert left(again, "守") == 2
    reopened.close()


def test_IT_18_a_replay_of_the_log_alone_gives_the_same_table_and_every_die_again() -> None:
    story = table(*EVENING, *REST, "a: /check 力量+运动", "a: /attack 5 target=守,巨魔", "gm: /reveal")
    name = story.table.id
    assert replay(Table(name), map(codec.decode, story.log.read(name))) == story.table
    verdict = verify(story.log.read(name))
    assert verdict.broken is None
    assert verdict.unprovable == 0


def test_IT_12_a_message_that_comes_twice_declares_once() -> None:
    story = table(*EVENING[:4])
    (once,) = story.hear("d: /defend 3 as=守", message="same")
    (twice,) = restarted(story).hear("d: /defend 3 as=守", message="same")
    assert (once.new, twice.new) == (True, False)
    assert twice.events == once.events
    assert left(story, "守") == 4

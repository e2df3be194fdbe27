"""The program may end at any moment: what it kept is all that it needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.evolve import Table, replay
from events import codec
from events.sqlite import SqliteLog
from events.types import RollMade
from tests.core.systems.kept import goes_on
from tests.core.systems.savage.tables import BOB, BOSS, GUARD, RED, START, table
from tests.story import one_of, refused, restarted

EVENING = (
    RED, BOB, BOSS, GUARD, START,
    "gm: /init join Boss level-headed", "gm: /init join Guard quick", "gm: /init deal",
    "red: /benny spend card", "gm: /init next", "red: /oppose stealth dice=5,2",
    "gm: /resist notice as=Guard dice=6,1", "gm: /damage 2d6 vs=Red as=Boss dice=4,5",
    "red: /benny spend soak dice=3,2", "gm: /benny give Bob 1 # laughter", "bob: /trait notice secret",
)  # fmt: skip
REST = (
    "red: /reroll dice=5,2",
    "bob: /trait notice",
    "gm: /init next",
    "gm: /undo",
    "gm: /init deal",
    "gm: /session end",
)


@pytest.mark.parametrize("cut", [4, 6, 8, 9, 11, 14, 16])
def test_SW_25_a_table_on_the_same_log_goes_on_as_if_nothing_had_been(cut: int) -> None:
    goes_on(table, EVENING, REST, cut)


def test_SW_25_a_file_closed_and_opened_again_holds_the_round(tmp_path: Path) -> None:
    file = tmp_path / "evening.db"
    log = SqliteLog(file)
    story = table(*EVENING, log=log)
    before = story.table
    log.close()
    reopened = SqliteLog(file)
    again = restarted(story, reopened)
    assert again.table == before
    assert one_of(again.when("red: /reroll dice=5,2"), RollMade).kind == "soak"
    again.given("gm: /init next", "gm: /session end")
    assert refused(again.when("red: /benny spend story")) == "nothing_to_spend"
    reopened.close()


def test_SW_25_a_replay_of_the_log_alone_gives_the_same_table() -> None:
    story = table(*EVENING, *REST)
    name = story.table.id
    assert replay(Table(name), map(codec.decode, story.log.read(name))) == story.table


def test_SW_23_a_message_that_comes_twice_spends_one_benny() -> None:
    story = table(RED, START, "red: /trait agility dice=2,3")
    (once,) = story.hear("red: /reroll dice=4,1", message="same")
    (twice,) = restarted(story).hear("red: /reroll dice=4,1", message="same")
    assert (once.new, twice.new) == (True, False)
    assert twice.events == once.events
    assert story.table.play.rules.bennies["red"] == 2

"""The program may end at any moment, and the next evening is a week later: what it kept is all that it needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.evolve import Table, replay
from events import codec
from events.sqlite import SqliteLog
from tests.core.systems.kept import goes_on
from tests.core.systems.storytelling.tables import KAREN, MARCUS, progress, resolved, table
from tests.story import refused, restarted, told

EVENING = (
    MARCUS, KAREN, "gm: /session start",
    "gm: /extended new Chainsaw target=10 every=15m limit=traits wits+crafts +3(parts)",
    "gm: /extended new Curse target=5 every=1d limit=1 secret",
    "gm: /contest open Chase target=6 every=turn",
    "marcus: /extended roll Chainsaw dice=8,8,8,2,2,2,2,2,2,2",
    "gm: /extended mod Chainsaw -1(dark)",
    "karen: /extended roll Curse 2 dice=8,2",
    "marcus: /contest roll Chase 3 dice=8,8,2",
    "karen: /contest roll Chase 0 dice=10,2",
    "karen: /contest roll Chase 3 dice=8,8,2",
    "marcus: /store Wall 2 dice=8,8",
    "gm: /session end",
)  # fmt: skip
NEXT_WEEK = (
    "gm: /session start",
    "marcus: /extended roll Chainsaw dice=8,8,8,8,2,2,2,2,2",
    "gm: /extended retry Curse",
    "karen: /extended roll Curse 3 dice=8,2",
    "marcus: /contest roll Chase 4 dice=8,8,8,8",
    "karen: /challenge Wall 3 dice=8,8,8",
    "gm: /undo",
    "gm: /session end",
)


@pytest.mark.parametrize("cut", range(2, len(EVENING) + 1))
def test_ST_05_a_table_on_the_same_log_goes_on_as_if_nothing_had_been(cut: int) -> None:
    goes_on(table, EVENING, NEXT_WEEK, cut)


def test_ST_05_an_action_in_a_file_is_resumed_in_a_later_session(tmp_path: Path) -> None:
    file = tmp_path / "chronicle.db"
    log = SqliteLog(file)
    story = table(*EVENING, log=log)
    before = story.table
    log.close()
    reopened = SqliteLog(file)
    again = restarted(story, reopened)
    assert again.table == before
    again.given("gm: /session start", "gm: /lang en")
    assert "Chainsaw ▓▓▓░░░░░░░ 3/10 · rolls: 1/7 · 15 min" in told(again.when("marcus: /extended"))
    after = progress(again.when("marcus: /extended roll Chainsaw dice=8,8,8,8,2,2,2,2,2"))
    assert (after.total, after.rolls, after.elapsed_s, after.limit) == (7, 2, 1800, 7)
    reopened.close()


def test_ST_16_a_contest_still_knows_its_sides_and_its_totals() -> None:
    again = restarted(table(*EVENING))
    assert refused(again.when("bob: /contest roll Chase 3")) == "not_allowed"
    assert refused(again.when("karen: /contest roll Chase 3")) == "already_done"
    over = resolved(again.when("marcus: /contest roll Chase 4 dice=8,8,8,8"))
    assert (over.winner, over.totals) == ("Marcus", {"Marcus": 6, "卡伦": 3})


def test_ST_09_a_retry_is_still_at_minus_one_after_a_restart() -> None:
    again = restarted(restarted(table(*EVENING, "gm: /extended retry Curse")))
    assert progress(again.when("karen: /extended roll Curse 3 dice=8,2")).attempt == 2


def test_ST_05_a_replay_of_the_log_alone_gives_the_same_table() -> None:
    story = table(*EVENING, *NEXT_WEEK)
    name = story.table.id
    assert replay(Table(name), map(codec.decode, story.log.read(name))) == story.table


def test_ST_05_a_message_that_comes_twice_is_one_roll() -> None:
    story = table(MARCUS, "gm: /extended new Chainsaw target=10")
    (once,) = story.hear("marcus: /extended roll 3 dice=8,8,2", message="same")
    (twice,) = restarted(story).hear("marcus: /extended roll 3 dice=8,8,2", message="same")
    assert (once.new, twice.new) == (True, False)
    assert twice.events == once.events
    assert story.table.play.rules.extended["Chainsaw"].rolls == 1

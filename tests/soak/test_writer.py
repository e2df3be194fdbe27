"""One append that cannot be done takes no other with it, and nobody waits for a writer that is gone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.beside import Beside, Letter, MessageKey, Receipt
from events.envelope import Head, Stored
from events.log import LogUnusable
from events.sqlite import SqliteLog
from tests.events.records import spoken

WAIT_S = 60.0


@pytest.fixture
def log(tmp_path: Path) -> Iterator[SqliteLog]:
    log = SqliteLog(tmp_path / "rollbook.db")
    for table in ("green", "red", "blue"):
        log.append(table, 0, spoken(1, table=table))
    yield log
    log.close()


def next_of(log: SqliteLog, *tables: str) -> list[tuple[str, int, tuple[Stored, ...]]]:
    return [(table, 1, spoken(1, log.head(table), table)) for table in tables]


def answer(text: str) -> Beside:
    return Beside(key=MessageKey("terminal", "chat", "1"), receipt=Receipt("", 1, 0, None, (Letter("table", text),)))


def test_a_damaged_table_does_not_keep_its_neighbours_in_a_group_from_being_written(log: SqliteLog) -> None:
    asked = next_of(log, "red", "blue")
    with sqlite3.connect(log.path) as raw:
        raw.execute("UPDATE events SET hash = CAST(x'ff61' AS TEXT) WHERE table_id = 1")
    raw.close()
    with log._writer.lock:
        done = [log.submit(*one) for one in [asked[0], ("green", 1, spoken(1, Head(1))), asked[1]]]
    raised = [one.exception(WAIT_S) for one in done]
    assert (raised[0], raised[2]) == (None, None)
    assert isinstance(raised[1], LogUnusable)
    assert raised[1].reason == "damaged"
    assert [log.head(table).seq for table in ("red", "blue")] == [2, 2]


def test_a_text_that_no_file_can_hold_is_refused_alone(log: SqliteLog) -> None:
    first, last = next_of(log, "green", "red")
    with log._writer.lock:
        done = [log.submit(*first), log.submit("", 0, (), answer("half a sign: \ud800")), log.submit(*last)]
    assert [type(one.exception(WAIT_S)) for one in done] == [type(None), UnicodeEncodeError, type(None)]
    assert [log.head(table).seq for table in ("green", "red")] == [2, 2]


def test_what_is_submitted_to_a_closed_log_is_refused_and_waits_for_nobody(log: SqliteLog) -> None:
    (asked,) = next_of(log, "green")
    log.submit(*asked).result(WAIT_S)
    log.close()
    with pytest.raises(LogUnusable, match="closed"):
        log.submit("green", 2, spoken(1, Head(2))).result(WAIT_S)
    log.close()


def test_what_was_submitted_before_a_log_is_closed_is_written(log: SqliteLog, tmp_path: Path) -> None:
    done = [log.submit(*asked) for asked in next_of(log, "green", "red", "blue")]
    log.close()
    assert [one.exception(WAIT_S) for one in done] == [None] * 3
    again = SqliteLog(tmp_path / "rollbook.db")
    assert [again.head(table).seq for table in again.tables()] == [2, 2, 2]
    again.close()

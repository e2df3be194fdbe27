"""That the check behind every kill finds what it is there to find."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from adapters import wiring
from core.messages import Incoming
from events.beside import MessageKey
from events.sqlite import SqliteLog
from tests.soak.player import LINES, OPENING, PLATFORM, Told, told_of
from tests.soak.record import check


@pytest.fixture
def played(path: Path) -> list[Told]:
    log = SqliteLog(path)
    app = wiring.build(log, "en")
    found = []
    for number, line in enumerate((*OPENING, *LINES)):
        key = MessageKey(PLATFORM, "-1", f"a{number}")
        found += [told_of(one) for one in app.hear(Incoming(key=key, person="p1", name="Gm", text=line))]
    log.close()
    return found


def test_a_log_to_which_nothing_was_done_is_whole(path: Path, played: list[Told]) -> None:
    check(path, played)


@pytest.mark.parametrize(
    "harm",
    [
        "DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)",
        "DELETE FROM events WHERE seq = 5",
        "DELETE FROM events",
        "DELETE FROM inbox WHERE message = 'a3'",
        "DELETE FROM inbox WHERE message = 'a8'",
        "UPDATE inbox SET last = last - 1 WHERE message = 'a0'",
        "UPDATE inbox SET first = first - 1, last = last - 1 WHERE message = 'a5'",
        "DELETE FROM outbox WHERE inbox_id = (SELECT id FROM inbox WHERE message = 'a3')",
        "DELETE FROM outbox WHERE inbox_id = (SELECT id FROM inbox WHERE error_code IS NOT NULL)",
        "UPDATE outbox SET text = 'another' WHERE inbox_id = (SELECT id FROM inbox WHERE message = 'a3')",
        "UPDATE outbox SET ordinal = ordinal + 7",
        "DELETE FROM seeds",
        "UPDATE seeds SET seed = zeroblob(32)",
        "DELETE FROM texts",
    ],
)
def test_what_is_lost_or_altered_is_found(path: Path, played: list[Told], harm: str) -> None:
    with sqlite3.connect(path) as raw:
        assert raw.execute(harm).rowcount > 0
    raw.close()
    with pytest.raises(AssertionError):
        check(path, played)


def test_what_was_told_and_is_not_there_is_found(path: Path, played: list[Told]) -> None:
    with pytest.raises(AssertionError, match="acknowledged, and not there"):
        check(path, [*played, Told("-1", "a99", 1, 0, "", ("lost",))])

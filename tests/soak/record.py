"""Whether a log is whole, and holds what was acknowledged, once."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from core.evolve import Table, replay
from core.verify import verify
from events import codec
from events.beside import MessageKey
from events.envelope import Envelope
from events.log import EventLog
from events.sqlite import SqliteLog
from events.talk import Texts
from events.types import LineSpoken
from tests.soak.player import PLATFORM, Told

_INBOX = """SELECT platform || ':' || chat || ':' || message, name, first, last FROM inbox
    LEFT JOIN tables ON tables.id = table_id"""
_ORDINALS = """SELECT inbox.id FROM inbox JOIN outbox ON inbox_id = inbox.id GROUP BY inbox.id
    HAVING min(ordinal) <> 0 OR max(ordinal) + 1 <> count(*)"""
_UNANSWERED = "SELECT id FROM inbox WHERE error_code IS NOT NULL AND id NOT IN (SELECT inbox_id FROM outbox)"


def check(path: Path, told: Iterable[Told]) -> None:
    """AssertionError: something was lost, doubled or left half."""
    _check_file(path)
    log = SqliteLog(path)
    try:
        causes = {table: _check_table(log, table) for table in log.tables()}
        _check_inbox(path, causes)
        lost = [one for one in told if not _is_kept(log, one)]
        assert lost == [], "acknowledged, and not there"
    finally:
        log.close()


def _check_file(path: Path) -> None:
    """SQLite finds nothing wrong, and neither rows of the outbox nor of the inbox are half there."""
    raw = sqlite3.connect(path)
    try:
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        for nothing in ("PRAGMA foreign_key_check", _ORDINALS, _UNANSWERED):
            assert raw.execute(nothing).fetchall() == []
    finally:
        raw.close()


def _check_table(log: EventLog, table: str) -> dict[str, list[int]]:
    """The chain and every die hold, seed and talk are at hand. The seqs of each cause."""
    verdict = verify(log.read(table), texts=Texts(log, table))
    assert (verdict.broken, verdict.head, verdict.lost) == (None, log.head(table), ())
    events = list(map(codec.decode, log.read(table)))
    ledger = replay(Table(table), events).ledger
    seed = log.seed(table, ledger.period)
    assert seed is not None
    assert sha256(seed).hexdigest() == ledger.commitment
    assert [*log.texts(table)] == [event.seq for event in events if isinstance(event.data, LineSpoken)]
    return _seqs(events)


def _seqs(events: Iterable[Envelope]) -> dict[str, list[int]]:
    found = defaultdict(list)
    for event in events:
        found[event.cause].append(event.seq)
    return found


def _check_inbox(path: Path, causes: dict[str, dict[str, list[int]]]) -> None:
    """Each message's events are those of its receipt, and no others; no event is there without its message."""
    raw = sqlite3.connect(path)
    rows = raw.execute(_INBOX).fetchall()
    raw.close()
    receipts = {(table, cause): list(range(first, last + 1)) for cause, table, first, last in rows if last >= first}
    events = {(table, cause): seqs for table, found in causes.items() for cause, seqs in found.items()}
    doubled = [key for key, seqs in events.items() if seqs != receipts.get(key)]
    assert doubled == [], "events that are no message's, or a message's twice"
    assert receipts.keys() == events.keys()
    assert [cause for cause, count in Counter(row[0] for row in rows).items() if count > 1] == []


def _is_kept(log: SqliteLog, told: Told) -> bool:
    receipt = log.receipt(MessageKey(PLATFORM, told.chat, told.message))
    if receipt is None or (receipt.first, receipt.last) != (told.first, told.last):
        return False
    said = (receipt.error[1],) if receipt.error else tuple(letter.text for letter in receipt.letters)
    hashes = [event.hash for event in log.read(receipt.table, told.last - 1, told.last)] if told.hash else [""]
    return (said, hashes) == (told.said, [told.hash])

"""Many appends of the usual kind at once: all their rows in three statements.

The usual kind puts events behind a head that is known and has an answer, and nothing else. What goes wrong in a group
goes wrong for all of it: the writer then takes its entries one by one (`entry.py`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from operator import attrgetter

from events.beside import Beside
from events.log import Entry
from events.sqlite.entry import Heads
from events.sqlite.rows import EVENTS, INBOX, OUTBOX, inbox_row, outbox_rows

_unusual = attrgetter(
    "names", "chat", "seed", "reveal", "leave", "invite", "accept", "join", "texts", "drop_texts", "forget",
)  # fmt: skip
_NOTHING = _unusual(Beside())


def usual(heads: Heads, entry: Entry) -> bool:
    """Whether it may go into a group; `heads` are moved on then."""
    table, beside = entry.table, entry.beside
    if _unusual(beside) != _NOTHING:
        return False
    if beside.receipt is not None and beside.receipt.table not in ("", table):
        return False
    if table not in heads:
        return not table
    table_id, seq = heads[table]
    if entry.events and seq != entry.expected:
        return False
    heads[table] = (table_id, seq + len(entry.events))
    return True


def write(conn: sqlite3.Connection, heads: Heads, entries: Sequence[Entry]) -> None:
    """Write entries that are `usual`. sqlite3.IntegrityError: one of them has a message that was taken up before."""
    EVENTS.into(conn, [
        (heads[entry.table][0], event.seq, event.body, event.hash) for entry in entries for event in entry.events
    ])  # fmt: skip
    answers = [(entry.beside, entry.beside.key, entry.beside.receipt) for entry in entries]
    inbox = [
        inbox_row(key, receipt, heads[receipt.table][0] if receipt.table else None)
        for _, key, receipt in answers if key is not None and receipt is not None
    ]  # fmt: skip
    inbox_id = INBOX.into(conn, inbox) - len(inbox)
    outbox: list[tuple[object, ...]] = []
    for beside, key, receipt in answers:
        if key is not None and receipt is not None:
            inbox_id += 1
            outbox += outbox_rows(inbox_id, key, receipt, beside.also)
    OUTBOX.into(conn, outbox)

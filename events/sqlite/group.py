"""Many appends of the usual kind at once: all their rows in three statements.

The usual kind puts events behind a head that is known and has an answer, and nothing else. What goes wrong in a group
goes wrong for all of it: the writer then takes its entries one by one (`entry.py`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from itertools import chain
from operator import attrgetter

from events.beside import Beside
from events.log import Entry
from events.sqlite.entry import Heads, inbox_row, outbox_rows

_CHUNKS = (256, 64, 16, 4, 1)  # rows of one statement: few different statements, so that SQLite need not read them anew
_unusual = attrgetter(
    "names", "chat", "seed", "reveal", "leave", "invite", "accept", "join", "texts", "drop_texts", "forget",
)  # fmt: skip
_NOTHING = _unusual(Beside())


class Inserts:
    """`INSERT INTO into (columns)` for any number of rows, a statement of many rows at a time.

    Not `executemany`: that lets go of the interpreter for each row and has to wait for it again each time.
    """

    def __init__(self, into: str, *columns: str) -> None:
        row = f"({', '.join('?' * len(columns))})"
        start = f"INSERT INTO {into} ({', '.join(columns)}) VALUES "  # noqa: S608  names of ours
        self._statements = [(size, start + ", ".join([row] * size)) for size in _CHUNKS]

    def into(self, conn: sqlite3.Connection, rows: Sequence[tuple[object, ...]]) -> int:
        """Insert them in order; the id that the last of them was given."""
        done, last = 0, 0
        for size, statement in self._statements:
            while len(rows) - done >= size:
                last = conn.execute(statement, tuple(chain.from_iterable(rows[done : done + size]))).lastrowid or 0
                done += size
        return last


_EVENTS = Inserts("events", "table_id", "seq", "body", "hash")
_INBOX = Inserts("inbox", "platform", "chat", "message", "table_id", "first", "last", "error_code", "error_text")
_OUTBOX = Inserts(
    "outbox", "inbox_id", "ordinal", "platform", "chat", "copy",
    "recipient", "text", "choices", "offers", "attached", "via",
)  # fmt: skip


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
    _EVENTS.into(conn, [
        (heads[entry.table][0], event.seq, event.body, event.hash) for entry in entries for event in entry.events
    ])  # fmt: skip
    answers = [(entry.beside, entry.beside.key, entry.beside.receipt) for entry in entries]
    inbox = [
        inbox_row(key, receipt, heads[receipt.table][0] if receipt.table else None)
        for _, key, receipt in answers if key is not None and receipt is not None
    ]  # fmt: skip
    inbox_id = _INBOX.into(conn, inbox) - len(inbox)
    outbox: list[tuple[object, ...]] = []
    for beside, key, receipt in answers:
        if key is not None and receipt is not None:
            inbox_id += 1
            outbox += outbox_rows(inbox_id, key, receipt, beside.also)
    _OUTBOX.into(conn, outbox)

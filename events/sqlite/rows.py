"""Events, inbox and outbox as rows of the file: how they are put there, and what is read of an answer.

Here: the columns, in the order in which they are written. Never: whether something may be written (`entry.py`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from itertools import chain

from events.beside import MessageKey, Parcel, Receipt
from events.log import parcels
from events.rows import LETTER, as_row, letter_of

_CHUNKS = (256, 64, 16, 4, 1)  # rows of one statement: few different statements, so that SQLite need not read them anew
_LETTERS = f"SELECT {LETTER} FROM outbox WHERE inbox_id = ? AND copy = 0 ORDER BY ordinal"  # noqa: S608  constants
_RECEIPT = """SELECT inbox.id, coalesce(tables.name, ''), first, last, error_code, error_text
    FROM inbox LEFT JOIN tables ON tables.id = inbox.table_id WHERE platform = ? AND chat = ? AND message = ?"""


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


EVENTS = Inserts("events", "table_id", "seq", "body", "hash")
INBOX = Inserts("inbox", "platform", "chat", "message", "table_id", "first", "last", "error_code", "error_text")
OUTBOX = Inserts("outbox", "inbox_id", "ordinal", "platform", "chat", "copy", *LETTER.split(", "))


def inbox_row(key: MessageKey, receipt: Receipt, table_id: int | None) -> tuple[object, ...]:
    error = receipt.error or (None, None)
    return (key.platform, key.chat, key.message, table_id, receipt.first, receipt.last, *error)


def outbox_rows(inbox_id: int, key: MessageKey, receipt: Receipt, also: Sequence[Parcel]) -> list[tuple[object, ...]]:
    return [
        (inbox_id, ordinal, one.platform, one.chat, is_copy, *as_row(one.letter))
        for ordinal, (one, is_copy) in enumerate(parcels(key, receipt, also))
    ]


def receipt(conn: sqlite3.Connection, key: MessageKey) -> Receipt | None:
    """What this message led to."""
    row = conn.execute(_RECEIPT, (key.platform, key.chat, key.message)).fetchone()
    if row is None:
        return None
    inbox_id, table, first, last, code, text = row
    letters = conn.execute(_LETTERS, (inbox_id,)).fetchall()
    error = None if code is None else (code, text)
    return Receipt(table, first, last, error, tuple(map(letter_of, letters)))

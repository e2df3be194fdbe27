"""What the inbox has of a message, with the letters of its answer."""

from __future__ import annotations

import sqlite3

from events.beside import MessageKey, Receipt
from events.rows import LETTER, letter_of

_LETTERS = f"SELECT {LETTER} FROM outbox WHERE inbox_id = ? AND copy = 0 ORDER BY ordinal"  # noqa: S608  constants
_RECEIPT = """SELECT inbox.id, coalesce(tables.name, ''), first, last, error_code, error_text
    FROM inbox LEFT JOIN tables ON tables.id = inbox.table_id WHERE platform = ? AND chat = ? AND message = ?"""
POSTED = f"""SELECT outbox.id, inbox.platform, inbox.chat, message, outbox.platform, outbox.chat, {LETTER}
    FROM outbox JOIN inbox ON inbox.id = inbox_id"""  # noqa: S608


def receipt(conn: sqlite3.Connection, key: MessageKey) -> Receipt | None:
    """What this message led to."""
    row = conn.execute(_RECEIPT, (key.platform, key.chat, key.message)).fetchone()
    if row is None:
        return None
    inbox_id, table, first, last, code, text = row
    letters = conn.execute(_LETTERS, (inbox_id,)).fetchall()
    error = None if code is None else (code, text)
    return Receipt(table, first, last, error, tuple(map(letter_of, letters)))

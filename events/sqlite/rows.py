"""Letters as rows of the outbox, and back."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from msgspec.json import Decoder, Encoder

from events.beside import Attached, Letter, MessageKey, Offer, Pending, Receipt

_LETTER = "recipient, text, choices, offers, attached, via"
_LETTERS = f"SELECT {_LETTER} FROM outbox WHERE inbox_id = ? AND copy = 0 ORDER BY ordinal"  # noqa: S608  constants
_RECEIPT = """SELECT inbox.id, coalesce(tables.name, ''), first, last, error_code, error_text
    FROM inbox LEFT JOIN tables ON tables.id = inbox.table_id WHERE platform = ? AND chat = ? AND message = ?"""
POSTED = f"""SELECT outbox.id, inbox.platform, inbox.chat, message, outbox.platform, outbox.chat, {_LETTER}
    FROM outbox JOIN inbox ON inbox.id = inbox_id"""  # noqa: S608
_write = Encoder().encode
_read_choices = Decoder(tuple[tuple[int, str], ...]).decode
_read_offers = Decoder(tuple[Offer, ...]).decode
_read_attached = Decoder(Attached | None).decode


def as_row(letter: Letter) -> tuple[str, ...]:
    """A letter as the outbox keeps it, in the order of its columns; `letter_of` reads it back."""
    return (
        letter.to, letter.text,
        _write(letter.choices).decode() if letter.choices else "[]",
        _write(letter.offers).decode() if letter.offers else "[]",
        _write(letter.attached).decode() if letter.attached else "null",
        letter.via,
    )  # fmt: skip


def letter_of(row: Sequence[str]) -> Letter:
    to, text, choices, offers, attached, via = row
    return Letter(to, text, _read_choices(choices), _read_offers(offers), _read_attached(attached), via)


def pending_of(row: Sequence[Any]) -> Pending:
    id, platform, chat, message, *where, to, text, choices, offers, attached, via = row
    letter = letter_of((to, text, choices, offers, attached, via))
    return Pending(id, MessageKey(platform, chat, message), letter, *where)


def receipt(conn: sqlite3.Connection, key: MessageKey) -> Receipt | None:
    """What this message led to."""
    row = conn.execute(_RECEIPT, (key.platform, key.chat, key.message)).fetchone()
    if row is None:
        return None
    inbox_id, table, first, last, code, text = row
    letters = conn.execute(_LETTERS, (inbox_id,)).fetchall()
    error = None if code is None else (code, text)
    return Receipt(table, first, last, error, tuple(map(letter_of, letters)))

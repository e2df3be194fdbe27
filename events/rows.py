"""Letters as the rows of an outbox: the same columns in every database.

`LETTER` names the columns in order, `POSTED` asks for whole letters. Choices, offers and what is attached are JSON in
a text column each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.json import Decoder, Encoder

from events.beside import Attached, Letter, MessageKey, Offer, Pending

LETTER = "recipient, text, choices, offers, attached, via"
POSTED = f"""SELECT outbox.id, inbox.platform, inbox.chat, message, outbox.platform, outbox.chat, {LETTER}
    FROM outbox JOIN inbox ON inbox.id = inbox_id"""  # noqa: S608  constants; read by `pending_of`

_write = Encoder().encode
_read_choices = Decoder(tuple[tuple[int, str], ...]).decode
_read_offers = Decoder(tuple[Offer, ...]).decode
_read_attached = Decoder(Attached | None).decode


def as_row(letter: Letter) -> tuple[str, ...]:
    """A letter as the outbox keeps it; `letter_of` reads it back."""
    return (
        letter.to, letter.text,
        _write(letter.choices).decode() if letter.choices else "[]",
        _write(letter.offers).decode() if letter.offers else "[]",
        _write(letter.attached).decode() if letter.attached else "null",
        letter.via,
    )  # fmt: skip


def letter_of(row: Sequence[str]) -> Letter:
    """The letter in these columns. msgspec.DecodeError: what stands there is damaged."""
    to, text, choices, offers, attached, via = row
    return Letter(to, text, _read_choices(choices), _read_offers(offers), _read_attached(attached), via)


def pending_of(row: Sequence[Any]) -> Pending:
    """A letter with its id, the message that it answers, and where it goes: a row of POSTED.

    msgspec.DecodeError: what stands there is damaged.
    """
    id, platform, chat, message, to_platform, to_chat, *kept = row
    return Pending(id, MessageKey(platform, chat, message), letter_of(kept), to_platform, to_chat)


def quoted(word: str) -> str:
    """A string as it stands in those columns that are JSON."""
    return _write(word).decode()

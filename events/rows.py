"""Letters as the rows of an outbox: the same columns in every database.

`LETTER` names the columns in order. Choices, offers and what is attached are JSON in a text column each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.json import Decoder, Encoder

from events.beside import Attached, Letter, MessageKey, Offer, Pending

LETTER = "recipient, text, choices, offers, attached, via"

_write = Encoder().encode
_read_choices = Decoder(tuple[tuple[int, str], ...]).decode
_read_offers = Decoder(tuple[Offer, ...]).decode
_read_attached = Decoder(Attached | None).decode


def row(letter: Letter) -> tuple[str, ...]:
    """A letter as the outbox keeps it; `letter` reads it back."""
    kept = (letter.choices, letter.offers, letter.attached)
    return (letter.to, letter.text, *(_write(one).decode() for one in kept), letter.via)


def letter(row: Sequence[str]) -> Letter:
    """The letter in these columns. msgspec.DecodeError: what stands there is damaged."""
    to, text, choices, offers, attached, via = row
    return Letter(to, text, _read_choices(choices), _read_offers(offers), _read_attached(attached), via)


def pending(row: Sequence[Any]) -> Pending:
    """A letter with its id, the message that it answers, and where it goes: (id, key's three, platform, chat, LETTER).

    msgspec.DecodeError: what stands there is damaged.
    """
    id, platform, chat, message, to_platform, to_chat, *kept = row
    return Pending(id, MessageKey(platform, chat, message), letter(kept), to_platform, to_chat)


def quoted(word: str) -> str:
    """A string as it stands in those columns that are JSON."""
    return _write(word).decode()

"""A table as JSON Lines: the stored bytes, an envelope a line, nothing lost. Talk has its text and salt with it.

Here: which lines. Never: a change to what is stored, or writing a file (whole.py).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.json import Encoder

from adapters.export.extract import Extract
from core.secrecy import Withheld
from events import talk
from events.codec import decode, line_of
from events.envelope import Stored
from events.log import EventLog
from events.types import PeriodOpened


class SealedLine(Struct, frozen=True, forbid_unknown_fields=True):
    """What stands in an export for an event that is still secret: its link in the chain and nothing else."""

    seq: int
    table: str
    sealed: bool
    prev: str
    hash: str


_write = Encoder().encode


def lines(log: EventLog, extract: Extract) -> Iterator[bytes]:
    """The export line by line, without line ends; somebody may be playing on meanwhile.

    The hash of a line of talk is that of its envelope without `text` and `salt`, of which `digest` is the digest.
    """
    return _lines(log, extract, talk.to_carry(log, extract.table, extract.to, history=extract.undone))


def bare(log: EventLog, extract: Extract) -> Iterator[bytes]:
    """The same without what was said: the bytes that are hashed."""
    return _lines(log, extract, log.read(extract.table, to=extract.to))


def _lines(log: EventLog, extract: Extract, found: Iterator[Stored]) -> Iterator[bytes]:
    secret = extract.secrets(log)
    for stored in found:
        if secret == Withheld() and extract.session is None:
            yield line_of(stored)
        else:
            yield from _shown(stored, secret, extract.session)


def _shown(stored: Stored, secret: Withheld, session: int | None) -> Iterator[bytes]:
    envelope = decode(stored)
    if session not in (None, envelope.session):
        return
    if secret.hides(envelope) and not isinstance(envelope.data, PeriodOpened):  # it tells a promise, and no secret
        yield _write(SealedLine(stored.seq, envelope.table, True, envelope.prev, stored.hash))
    else:
        yield line_of(stored)

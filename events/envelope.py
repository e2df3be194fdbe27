"""The envelope round an event, and the form in which it is stored."""

from __future__ import annotations

from msgspec import Struct

from events.types import Event


class Head(Struct, frozen=True, gc=False):
    """The end of a table's chain: the last seq (0: nothing yet) and the last hash (hex; 64 zeros: nothing yet)."""

    seq: int = 0
    hash: str = "0" * 64


class Stored(Struct, frozen=True, gc=False):
    """One event as bytes: `body` is the canonical JSON of the envelope without its hash, `hash` its SHA-256 in hex."""

    seq: int
    body: bytes
    hash: str


class Envelope(Struct, frozen=True, gc=False):
    """One event with what surrounds it. `at` is UTC, RFC 3339, milliseconds, Z; `session` is null outside one."""

    seq: int
    table: str
    type: str
    v: int
    at: str
    actor: str
    cause: str
    session: int | None
    data: Event
    prev: str
    hash: str

"""A table as it stood, so that a replay need not begin at the beginning. A cache: nothing hangs on it.

Here: a table into bytes and back. Never: where they are kept, and no trust in them: what was made by another version
of the program, or of another record, or is not what was written, is passed over. A bit turned over in the number of the
next die would put throws into the record that no verifier can prove.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from hashlib import sha256
from typing import Any

from msgspec import DecodeError, Raw, Struct, ValidationError, convert
from msgspec.json import Decoder, Encoder
from msgspec.structs import replace

from core.evolve import Act, Ledger, Table, replay
from core.registry import SYSTEMS, room
from core.table.state import Play
from events.envelope import Envelope, Stored
from events.types import EVENT_TYPES, Event


class Kept(Struct, frozen=True, gc=False):
    """An act, without the play before it: each event as its type and JSON."""

    first: int
    actor: str
    cause: str
    at: str
    events: tuple[tuple[str, Raw], ...]


class Snapshot(Struct, frozen=True, gc=False):
    """The acts that an undo can reach, the `play` before the first of them, the ledger as it stood at its own seq.

    The plays between are made again: they share most of what they are. Neither an event's hash nor any talk is needed
    for that. `schema` names the program that made it.
    """

    schema: str
    ledger: Ledger
    play: Play
    acts: tuple[Kept, ...]


_DIGEST = 32
_encode = Encoder().encode
_decode = Decoder(Snapshot).decode


def taken(table: Table, schema: str) -> bytes:
    """The table as bytes, behind the SHA-256 of them."""
    play = table.acts[0].before if table.acts else table.play
    body = _encode(Snapshot(schema, table.ledger, play, tuple(map(_kept, table.acts))))
    return sha256(body).digest() + body


def _kept(act: Act) -> Kept:
    events = tuple([(type(event).__name__, Raw(_encode(event))) for event in act.events])
    return Kept(act.first, act.actor, act.cause, act.at, events)


def _read(kept: bytes) -> Snapshot | None:
    digest, body = kept[:_DIGEST], kept[_DIGEST:]
    return _decode(body) if sha256(body).digest() == digest else None


def restored(kept: bytes, schema: str, id: str, read: Callable[[int, int], Iterable[Stored]]) -> Table | None:
    """The table that was taken; None: it cannot be used. `read(after, to)` gives the table's events."""
    try:
        snapshot = _read(kept)
        if snapshot is None or snapshot.schema != schema:
            return None
        play, ledger = _with_rules(snapshot.play), snapshot.ledger
        stored = list(read(ledger.seq - 1, ledger.seq))
        if [(one.seq, one.hash) for one in stored] != [(ledger.seq, ledger.head)]:
            return None
        table = replay(Table(id, ledger, play), _envelopes(id, snapshot.acts))
    except (DecodeError, ValidationError, KeyError):
        return None
    return replace(table, ledger=ledger)


def _envelopes(id: str, acts: Iterable[Kept]) -> Iterator[Envelope]:
    """With what makes an act of them; the ledger knows the rest."""
    for act in acts:
        for seq, (name, event) in enumerate(act.events, act.first):
            yield Envelope(seq, id, name, 0, act.at, act.actor, act.cause, None, _event(name)(event), "", "")


@cache
def _event(name: str) -> Callable[[Raw], Event]:
    return Decoder(EVENT_TYPES[name]).decode


def _with_rules(play: Play) -> Play:
    """With its system's part as what it was: only that system knows its shape."""
    rules: Any = play.rules
    if rules is None or play.system not in SYSTEMS:
        return play
    return replace(play, rules=convert(rules, room(play.system, "state").STATE, str_keys=True))

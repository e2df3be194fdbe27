"""A table as it stood, so that a replay need not begin at the beginning. A cache: nothing hangs on it.

Here: a table into bytes and back. Never: where they are kept, and no trust in them: what was made by another version
of the program, or of another record, or is not what was written, is passed over. A bit turned over in the number of the
next die would put throws into the record that no verifier can prove.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any

from msgspec import DecodeError, Struct, ValidationError, convert
from msgspec.json import Decoder, Encoder
from msgspec.structs import replace

from core.evolve import Ledger, Table, replay
from core.registry import SYSTEMS, room
from core.table.state import Play
from events.codec import UnreadableEvent, decode
from events.envelope import Stored


class Snapshot(Struct, frozen=True):
    """The `play` before event `first`, the oldest that an undo can reach, and the ledger as it stood at its own seq.

    The acts from `first` on are read in the log again: each of them holds a play of its own, and they share most of it.
    `schema` names the program that made it.
    """

    schema: str
    first: int
    ledger: Ledger
    play: Play


_DIGEST = 32
_encode = Encoder().encode
_decode = Decoder(Snapshot).decode


def taken(table: Table, schema: str) -> bytes:
    """The table as bytes, behind the SHA-256 of them."""
    first, play = (table.acts[0].first, table.acts[0].before) if table.acts else (table.ledger.seq + 1, table.play)
    body = _encode(Snapshot(schema, first, table.ledger, play))
    return sha256(body).digest() + body


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
        stored = list(read(min(snapshot.first, ledger.seq) - 1, ledger.seq))
        if not stored or (stored[-1].seq, stored[-1].hash) != (ledger.seq, ledger.head):
            return None
        table = replay(Table(id, ledger, play), (decode(one) for one in stored if one.seq >= snapshot.first))
    except (DecodeError, ValidationError, UnreadableEvent):
        return None
    return replace(table, ledger=ledger)


def _with_rules(play: Play) -> Play:
    """With its system's part as what it was: only that system knows its shape."""
    rules: Any = play.rules
    if rules is None or play.system not in SYSTEMS:
        return play
    return replace(play, rules=convert(rules, room(play.system, "state").STATE, str_keys=True))

"""An export taken back in: read, checked, replayed, and only then appended.

Here: the way from a file's lines to a table of the log. Never: half of it, or anything that does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import DecodeError, Struct
from msgspec.json import Decoder

from adapters.export.to_jsonl import SealedLine
from core.evolve import Table, evolve
from core.verify import Sealed
from events.chain import first_break, head_of
from events.codec import UnreadableEvent, UnreadableLine, decode, link, split_line
from events.envelope import Head, Stored
from events.log import Conflict, EventLog

_sealed_line = Decoder(SealedLine).decode
BEGINS = b'{"seq":'  # of every line of an export


class NotImported(Exception):
    """The file cannot be taken in; str() says why in one sentence."""


class Imported(Struct, frozen=True):
    """`table` has `events` events now, `added` of which are new."""

    table: str
    events: int
    added: int


def read(path: Path) -> Iterator[Stored | Sealed]:
    """The lines of an export. One that cannot be read comes as an event whose hash does not hold, in its place.

    UnreadableLine: the file is no export at all.
    """
    due = 1
    with path.open("rb") as file:
        for line in file:
            if not line.strip():
                continue
            if due == 1 and not line.startswith(BEGINS):
                raise UnreadableLine("it does not begin like an export")
            one = read_line(line, due)
            due = one.seq + 1
            yield one


def read_line(line: bytes, due: int) -> Stored | Sealed:
    """One line; `due` is the seq it should have."""
    if b'"sealed":true' in line:
        try:
            sealed = _sealed_line(line)
            return Sealed(sealed.seq, sealed.table, sealed.prev, sealed.hash)
        except DecodeError:
            pass
    try:
        return split_line(line)
    except UnreadableLine:
        return Stored(due, line.rstrip(b"\r\n"), "")


def before(first: Stored | Sealed) -> Head:
    """The end of the chain that a file continues whose first event is `first`."""
    prev = first.prev if isinstance(first, Sealed) else link(first.body).prev
    return Head(first.seq - 1, prev)


def import_into(log: EventLog, path: Path) -> Imported:
    """Append what the log does not have yet of this file. NotImported: nothing was written."""
    events = list(_whole(path))
    table = _replayed(events)
    known = log.head(table).seq
    for ours, theirs in zip(log.read(table), events, strict=False):
        if ours != theirs:
            raise NotImported(f"The log has this table with another event {ours.seq}; nothing was imported.")
    new = events[known:]
    try:
        log.append(table, known, new)
    except Conflict as other:
        raise NotImported("Somebody is playing at this table just now; nothing was imported.") from other
    return Imported(table, max(known, len(events)), len(new))


def _whole(path: Path) -> Iterator[Stored]:
    """The events from the first on, each linked to the one before."""
    head = Head()
    for one in read(path):
        if isinstance(one, Sealed):
            raise NotImported("This is a player's export, with events withheld; ask for one made with --as audit.")
        if flaw := first_break((one,), head):
            raise NotImported(f"Event {flaw.seq} does not hold ({flaw.flaw}); nothing was imported.")
        head = head_of((one,), head)
        yield one


def _replayed(events: list[Stored]) -> str:
    """The id of the table, all of whose events can be replayed."""
    if not events:
        raise NotImported("There is no event in this file.")
    table = Table(_table_of(events[0]))
    if not table.id:
        raise NotImported("Its table has no id; nothing was imported.")
    for stored in events:
        try:
            envelope = decode(stored)
            if envelope.table != table.id:
                raise NotImported(f"Event {stored.seq} is of another table; nothing was imported.")
            table = evolve(table, envelope)
        except (UnreadableEvent, LookupError, TypeError, ValueError, AttributeError) as flaw:
            raise NotImported(f"Event {stored.seq} cannot be replayed; nothing was imported.") from flaw
    return table.id


def _table_of(stored: Stored) -> str:
    try:
        return decode(stored).table
    except UnreadableEvent as flaw:
        raise NotImported(f"{flaw} Nothing was imported.") from flaw

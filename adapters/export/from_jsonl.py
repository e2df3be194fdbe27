"""An export taken back in: read, checked, replayed, and only then appended.

Here: the way from a file's lines to a table of the log. Never: half of it, or anything that does not hold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from msgspec import DecodeError, Struct
from msgspec.json import Decoder
from msgspec.structs import replace

from adapters.export.to_jsonl import SealedLine
from adapters.export.vetting import Unacceptable, Vetting
from adapters.export.words import WHY
from core.language import say
from core.record import people
from core.verify import Sealed, verify
from events import talk
from events.beside import Beside, Said
from events.chain import first_break, head_of
from events.codec import UnreadableLine, decode, link, split_line
from events.envelope import Envelope, Head, Stored
from events.log import Conflict, EventLog
from events.types import (
    AccountLinked,
    LineEdited,
    LineSpoken,
    PeriodOpened,
    PersonForgotten,
    SessionStarted,
    TableOpened,
)

_sealed_line = Decoder(SealedLine).decode
BEGINS = b'{"seq":'  # of every line of an export
MOST_LINE = 2**20  # bytes; a thousand dice take a twentieth of it


class NotImported(Exception):
    """The file cannot be taken in; str() says why in one sentence."""


class Record(Struct, frozen=True):
    """A table's events from the first on, and what was said in them."""

    table: str
    events: Sequence[Stored]
    texts: Sequence[Said]


class Imported(Struct, frozen=True):
    """`table` has `events` events now, `added` of which are new."""

    table: str
    events: int
    added: int


def read(path: Path, moved: Callable[[int], object] | None = None) -> Iterator[Stored | Sealed]:
    """The lines of an export as they stand there, those of talk with what was said (`talk.taken_off`).

    One that cannot be read comes as an event whose hash does not hold, in its place. `moved` hears how many bytes more
    were read.

    UnreadableLine: the file is no export at all.
    """
    due = 1
    with path.open("rb") as file:
        for line in bounded(file):
            if moved is not None:
                moved(len(line))
            if not line.strip():
                continue
            if due == 1 and not line.startswith(BEGINS):
                raise UnreadableLine("it does not begin like an export")
            one = read_line(line, due)
            due = one.seq + 1
            yield one


def bounded(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, each with its end. UnreadableLine: one is longer than any of ours, and is not read on."""
    while line := file.readline(MOST_LINE + 1):
        if len(line) > MOST_LINE:
            raise UnreadableLine("it is longer than 1 MiB")
        yield line


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


def vetted(path: Path, names: Mapping[str, str], moved: Callable[[int], object] | None = None) -> Record:
    """The file's events, all of which hold and could be played on; `names` are what people are called in the log that
    is to have them, `moved` is as for `read`. NotImported: that is not so."""
    events: list[Stored] = []
    texts: list[Said] = []
    vetting = Vetting(names)
    try:
        _prove(_taken(path, vetting, events, texts, moved))
        vetting.end()
    except Unacceptable as flaw:
        raise NotImported(f"Event {flaw.seq} cannot be taken in: {flaw.why}; nothing was imported.") from flaw
    if not events:
        raise NotImported("There is no event in this file.")
    return Record(vetting.table.id, events, texts)


def _prove(lines: Iterator[Stored]) -> None:
    if broken := verify(lines).broken:
        raise _not_held(broken.seq, broken.why)


def _not_held(seq: int, why: str) -> NotImported:
    whole = " A record is imported as a whole, not a session of it." if (seq, why) == (1, "seq_missing") else ""
    return NotImported(f"Event {seq} does not hold: {say(WHY[why], 'en', {})} ({why}); nothing was imported.{whole}")


def _taken(
    path: Path, vetting: Vetting, events: list[Stored], texts: list[Said], moved: Callable[[int], object] | None
) -> Iterator[Stored]:
    """The lines from the first on, each linked to the one before and acceptable; the events are gathered in `events`,
    and what was said in `texts`."""
    head = Head()
    for line in read(path, moved):
        if isinstance(line, Sealed):
            raise NotImported("Secret events are sealed in this copy; ask for `rollbook export --as audit`.")
        one, said = talk.taken_off(line)
        if flaw := first_break((one,), head):
            raise _not_held(flaw.seq, flaw.flaw)
        head = head_of((one,), head)
        vetting.take(one)
        events.append(one)
        if said is not None:
            texts.append(vetting.heard(said))
        yield line


def append(log: EventLog, record: Record) -> Imported:
    """Append what the log does not have of it yet. NotImported: nothing was written.

    What was said comes with the new events alone: what is forgotten here does not come back. What is forgotten there
    goes here too.
    """
    table, events, texts = record.table, record.events, record.texts
    known = log.head(table).seq
    for ours, theirs in zip(log.read(table), events, strict=False):
        if ours != theirs:
            raise NotImported(f"The log has this table with another event {ours.seq}; nothing was imported.")
    new = events[known:]
    if new and known and log.seed(table, _period(events[:known])) is not None:
        raise NotImported("This table is being played here; events of another copy cannot go behind its own.")
    now, gone = people(map(decode, events)), _forgotten(map(decode, events))
    said = [one for one in texts if new and one.seq > known and one.seq not in gone]
    kept = tuple(replace(one, person=now.get(one.person, one.person)) for one in said)
    try:
        log.append(table, known, new, Beside(texts=kept, drop_texts=tuple(sorted(gone))))
    except Conflict as other:
        raise NotImported("Somebody is playing at this table just now; nothing was imported.") from other
    return Imported(table, max(known, len(events)), len(new))


def _forgotten(envelopes: Iterable[Envelope]) -> set[int]:
    """The events at this table with words of people who were forgotten after they said them.

    No more than these: a file that claims that somebody was forgotten reaches no name and no other table.
    """
    said: defaultdict[str, list[int]] = defaultdict(list)
    gone: set[int] = set()
    for one in envelopes:
        match one.data:
            case LineSpoken() | LineEdited():
                said[one.actor].append(one.seq)
            case AccountLinked(was=was, person=person):
                said[person] = said.pop(was, []) + said[person]
            case PersonForgotten(person=person):
                gone.update(said.pop(person, ()))
    return gone


def _period(events: Sequence[Stored]) -> int:
    """The seed period that is open behind these events."""
    opened = (decode(one).data for one in reversed(events))
    return next(one.period for one in opened if isinstance(one, TableOpened | SessionStarted | PeriodOpened))

"""The table's talk as people read it: texts lie beside the log, and are laid over the events that hold their digests.

Here: digests, and the two ways to read a record with talk in it. Never: who may say or change what, a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import islice
from typing import TypeVar

from msgspec import UNSET, DecodeError, Struct, UnsetType
from msgspec.json import Decoder, Encoder
from msgspec.structs import replace

from events.beside import Said
from events.codec import decode, encode
from events.envelope import Envelope, Stored
from events.log import EventLog
from events.types import Event, LineDeleted, LineEdited, LineSpoken

PAGE = 500  # events whose texts are fetched at once
WITH_TEXT = (LineSpoken, LineEdited)
CHANGED = tuple(f'"type":"{kind.__name__}"'.encode() for kind in (LineEdited, LineDeleted))
DIGESTED = {"LineSpoken": 2, "LineEdited": 1}  # type -> the first version whose text is not in what is hashed
AT_END = slice(-78, -76)  # of an event's bytes: the last two of its data
T = TypeVar("T", bound=Event)


class _Words(Struct, frozen=True):
    line: int = 0
    digest: str = ""
    text: str | UnsetType = UNSET
    salt: str | UnsetType = UNSET


class _Spoken(Struct, frozen=True):
    """What must be known of an event to take its text off; also of one that is none of ours."""

    type: str
    v: int
    actor: str
    data: _Words
    prev: str


_spoken = Decoder(_Spoken).decode
_write = Encoder().encode


def digest(salt: str, text: str) -> str:
    """The SHA-256 (hex) of a salt (hex) and a text."""
    return sha256(bytes.fromhex(salt) + text.encode()).hexdigest()


def bare(event: T) -> T:
    """An event as it is stored: without a text that its digest stands for."""
    if isinstance(event, WITH_TEXT) and event.digest:
        return replace(event, text=UNSET, salt=UNSET)
    return event


def said_of(event: Event, seq: int, person: str) -> Said | None:
    """What is kept beside the log of an event that came with its text; None: it came without, or needs none."""
    if not isinstance(event, WITH_TEXT) or not event.digest or not isinstance(event.text, str):
        return None
    salt = event.salt if isinstance(event.salt, str) else ""
    return Said(seq, event.line if isinstance(event, LineEdited) else seq, person, salt, event.text)


def with_texts(envelopes: Iterable[Envelope], texts: Mapping[int, Said]) -> Iterator[Envelope]:
    """Each envelope with its own text, where there is one."""
    for one in envelopes:
        said = texts.get(one.seq)
        spoken = said is not None and isinstance(one.data, WITH_TEXT)
        yield replace(one, data=replace(one.data, text=said.text)) if spoken and said else one


def recorded(log: EventLog, table: str, after: int = 0, to: int | None = None) -> Iterator[Envelope]:
    """The record with what was said, every line as it was first, and every change of one."""
    envelopes = map(decode, log.read(table, after, to))
    while page := list(islice(envelopes, PAGE)):
        yield from with_texts(page, log.texts(table, page[0].seq - 1, page[-1].seq))


def latest(log: EventLog, table: str, to: int | None = None) -> Iterator[Envelope]:
    """The record with every line as it reads now: changes are carried out, deleted lines are left out."""
    now = changes(log, table, to)
    for one in recorded(log, table, to=to):
        if isinstance(one.data, LineEdited | LineDeleted):
            continue
        if one.seq not in now:
            yield one
        elif (edit := now[one.seq]) is not None and isinstance(one.data, LineSpoken):
            text = log.texts(table, edit.seq - 1, edit.seq).get(edit.seq)
            ooc = edit.data.ooc if isinstance(edit.data, LineEdited) else one.data.ooc
            yield replace(one, data=replace(one.data, ooc=ooc, text=text.text if text else UNSET))


def changes(log: EventLog, table: str, to: int | None = None) -> dict[int, Envelope | None]:
    """Seq of a line -> its last edit, or None where it was deleted. A look at the bytes saves reading all others."""
    found: dict[int, Envelope | None] = {}
    for one in log.read(table, to=to):
        if any(mark in one.body for mark in CHANGED):
            change = decode(one)
            if isinstance(change.data, LineDeleted):
                found[change.data.line] = None
            elif isinstance(change.data, LineEdited) and found.get(change.data.line, one) is not None:
                found[change.data.line] = change
    return found


def to_carry(log: EventLog, table: str, to: int | None = None, *, history: bool) -> Iterator[Stored]:
    """The stored events, those of talk with text and salt in their data: what a file needs to give talk back.

    Without `history` only what can be read now has them. `taken_off` undoes it.
    """
    now = {} if history else changes(log, table, to)
    stored = log.read(table, to=to)
    while page := list(islice(stored, PAGE)):
        texts = log.texts(table, page[0].seq - 1, page[-1].seq)
        yield from (_laden(one, texts.get(one.seq), now) if one.seq in texts else one for one in page)


def _laden(stored: Stored, said: Said | None, now: Mapping[int, Envelope | None]) -> Stored:
    envelope = decode(stored)
    edit = now.get(said.line) if said else None
    if said is None or (said.line in now and (edit is None or edit.seq != said.seq)):
        return stored
    if not isinstance(envelope.data, WITH_TEXT):
        return stored
    return Stored(stored.seq, _body(envelope, replace(envelope.data, text=said.text, salt=said.salt)), stored.hash)


def taken_off(stored: Stored) -> tuple[Stored, Said | None]:
    """An event as it is stored, and the text that came with it; `stands_for` says whether it is the one of its digest.

    Only what stands in the very bytes that `to_carry` writes is taken off. An event with anything else in it comes back
    as it is, and its hash will not hold.
    """
    last = stored.body[AT_END]
    if last[1:] != b'"' or last == b'""':  # no salt, as at the end of nearly all: quicker seen than read
        return stored, None
    try:
        one = _spoken(stored.body)
    except (DecodeError, RecursionError):  # the second: brackets nested thousands deep
        return stored, None
    text, salt = one.data.text, one.data.salt
    if not isinstance(text, str) or not isinstance(salt, str) or not _is_digested(one):
        return stored, None
    behind = b'},"prev":' + _write(one.prev) + b"}"
    before = stored.body.removesuffix(b',"text":' + _write(text) + b',"salt":' + _write(salt) + behind)
    if before == stored.body:
        return stored, None
    said = Said(stored.seq, one.data.line or stored.seq, one.actor, salt, text)
    return Stored(stored.seq, before + behind, stored.hash), said


def _is_digested(one: _Spoken) -> bool:
    first = DIGESTED.get(one.type)
    return first is not None and one.v >= first and one.data.digest != ""


def _body(one: Envelope, event: Event) -> bytes:
    return encode(
        seq=one.seq, table=one.table, at=one.at, actor=one.actor, cause=one.cause, session=one.session, event=event,
        prev=one.prev,
    )  # fmt: skip


class Texts:
    """What a table's talk says, for whoever reads its record from front to back: fetched a page at a time."""

    def __init__(self, log: EventLog, table: str) -> None:
        self._log, self._table = log, table
        self._page: Mapping[int, Said] = {}
        self._last = 0  # of the page

    def get(self, seq: int) -> Said | None:
        """The text of this event, where one is kept; never of one before the last that was asked for."""
        if seq > self._last:
            self._last = seq + PAGE - 1
            self._page = self._log.texts(self._table, seq - 1, self._last)
        return self._page.get(seq)


def stands_for(event: Event, said: Said) -> bool:
    """Whether a text that is kept of an event is the one of its digest."""
    if not isinstance(event, WITH_TEXT):
        return False
    try:
        salt = bytes.fromhex(said.salt).hex()
        return salt == said.salt and event.digest == digest(salt, said.text)
    except ValueError:  # a salt that is no hex, or half a surrogate pair
        return False

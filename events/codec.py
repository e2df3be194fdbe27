"""Event <-> bytes: the canonical JSON that is hashed and kept, and the line of an export.

Canonical: compact, UTF-8, the envelope's fields in the order of the contract, an event's fields in the order
of its class, keys of mappings sorted. Kept bytes are never written anew: an old event stays as it was
written and is upcast each time it is read.
"""

from __future__ import annotations

import re
from typing import Any, Literal, Union, get_type_hints

from msgspec import DecodeError, Raw, Struct, convert, defstruct
from msgspec.json import Decoder, Encoder
from msgspec.json import decode as decode_json
from msgspec.structs import replace

from events.envelope import Envelope, Stored
from events.types import EVENT_TYPES, Event
from events.upcasts import upcast


class UnreadableEvent(Exception):
    """What is stored under `seq` is no event that this version of the program can read; `reason` says why."""

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(f"Event {seq} cannot be read: {reason}.")
        self.seq = seq
        self.reason = reason


class UnreadableLine(Exception):
    """A line of an export is not an envelope with its hash at the end; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The line cannot be read: {reason}.")
        self.reason = reason


class _Body(Struct, frozen=True, gc=False):
    """The envelope without its hash, in the order in which it is written; `data` as it stands in the bytes."""

    seq: int
    table: str
    type: str
    v: int
    at: str
    actor: str
    cause: str
    session: int | None
    data: Event | Raw
    prev: str


class _Parts(_Body, frozen=True):
    data: Raw


def _body_with(kind: type[Event]) -> type[Struct]:
    """A body that holds an event of this kind and of today's version, as its `type` and `v` say."""
    fields = {**get_type_hints(_Body), "v": Literal[kind.version], "data": kind}
    del fields["type"]
    return defstruct(kind.__name__, fields.items(), frozen=True, gc=False, tag_field="type", tag=kind.__name__)


class Link(Struct, frozen=True, gc=False):
    """What the chain looks at: an event's place and the hash before it."""

    seq: int
    prev: str


_FLAWS = (DecodeError, RecursionError)  # the second: brackets nested thousands deep
_BEFORE_HASH, _AFTER_HASH = b',"hash":"', b'"}'
_TAIL = re.compile(rb',"hash":"([0-9a-f]{64})"}\Z')
_TAIL_LENGTH = len(_BEFORE_HASH) + 64 + len(_AFTER_HASH)

_write = Encoder(order="deterministic").encode
_parts = Decoder(_Parts).decode
_link = Decoder(Link).decode
_whole = Decoder(Union[tuple(map(_body_with, EVENT_TYPES.values()))]).decode  # noqa: UP007  made of what there is


def encode(
    *, seq: int, table: str, at: str, actor: str, cause: str, session: int | None, event: Event, prev: str
) -> bytes:
    """The canonical bytes of an envelope without its hash. UnicodeEncodeError: a text holds half a surrogate pair."""
    kind = type(event)
    return _write(_Body(seq, table, kind.__name__, kind.version, at, actor, cause, session, event, prev))


def decode(stored: Stored) -> Envelope:
    """The envelope with its event as the class of today. UnreadableEvent: see there. The hash is not checked here."""
    try:
        body = _whole(stored.body)
    except _FLAWS:
        body = _older(stored)
    if body.seq != stored.seq:
        raise UnreadableEvent(stored.seq, f"its body says {body.seq}")
    return Envelope(
        body.seq, body.table, type(body.data).__name__, body.v, body.at, body.actor, body.cause, body.session,
        body.data, body.prev, stored.hash,
    )  # fmt: skip


def link(body: bytes) -> Link:
    """The seq and prev in a body. ValueError: these are not there."""
    try:
        return _link(body)
    except _FLAWS as flaw:
        raise ValueError(_said(flaw)) from flaw


def line_of(stored: Stored) -> bytes:
    """One line of an export, without a line end: the contract's envelope, `hash` last."""
    return stored.body[:-1] + _BEFORE_HASH + stored.hash.encode() + _AFTER_HASH


def split_line(line: bytes) -> Stored:
    """The exact inverse of `line_of`; a line end is taken off. UnreadableLine: see there. The hash is not checked."""
    line = line.rstrip(b"\r\n")
    tail = _TAIL.search(line, max(0, len(line) - _TAIL_LENGTH))
    if tail is None:
        raise UnreadableLine("it does not end with a hash of 64 hex digits")
    body = line[: tail.start()] + b"}"
    try:
        return Stored(link(body).seq, body, tail[1].decode())
    except ValueError as flaw:
        raise UnreadableLine(str(flaw)) from flaw


def _older(stored: Stored) -> _Body:
    """What is no event of today: of an earlier version, which is brought to today's, or none that can be read."""
    try:
        parts = _parts(stored.body)
        return replace(parts, data=_upcast(stored.seq, parts))
    except _FLAWS as flaw:
        raise UnreadableEvent(stored.seq, _said(flaw)) from flaw


def _upcast(seq: int, parts: _Parts) -> Event:
    """Step by step."""
    kind = EVENT_TYPES.get(parts.type)
    if kind is None:
        raise UnreadableEvent(seq, f"its type {parts.type!r} is not known here")
    if not 1 <= parts.v <= kind.version:
        raise UnreadableEvent(seq, f"{parts.type} version {parts.v} is not known here, only up to {kind.version}")
    fields: Any = decode_json(parts.data)
    if not isinstance(fields, dict):
        raise UnreadableEvent(seq, "its data is not an object")
    return convert(upcast(parts.type, parts.v, kind.version, fields), kind)


def _said(flaw: Exception) -> str:
    return str(flaw) or type(flaw).__name__

"""The hash chain of a table: sealing events onto its end, and finding the first that does not hold.

An event's hash is the SHA-256 of its stored bytes, which hold the hash before it (`prev`). The chain shows
what was changed, removed, put in or moved. It cannot show that the end was cut off, or that all of it was
written anew: for that, hand `first_break` a head that somebody noted outside the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from events.codec import UnreadableEvent, decode, encode, link
from events.envelope import Envelope, Head, Stored
from events.types import Event

Flaw: TypeAlias = Literal[
    "hash_differs", "prev_differs", "seq_missing", "seq_out_of_order", "unreadable", "cut_off", "head_differs"
]


class End(Protocol):
    """Whatever a next event can follow: a Head, or the event before it."""

    @property
    def seq(self) -> int: ...

    @property
    def hash(self) -> str: ...


class Break(Struct, frozen=True):
    """The first place in the chain that does not hold, and why; `detail` is English, for the curious.

    hash_differs: the bytes do not give the hash. prev_differs: it does not follow the event before it.
    seq_missing: a later event stands in its place. seq_out_of_order: an earlier one does.
    unreadable: no envelope. cut_off: the log ends before it, though a later head was noted.
    head_differs: it has another hash than the one that was noted.
    """

    seq: int
    flaw: Flaw
    detail: str = ""


def seal(
    head: Head, table: str, at: str, actor: str, cause: str, session: int | None, events: Sequence[Event]
) -> tuple[Stored, ...]:
    """`events` as stored events that follow `head`, in order. `at` is UTC, RFC 3339, milliseconds, Z."""
    return tuple(_sealed(head, table, at, actor, cause, session, events))


def head_of(sealed: Sequence[Stored], head: Head) -> Head:
    """The head after `sealed` was put behind `head`."""
    return Head(sealed[-1].seq, sealed[-1].hash) if sealed else head


def first_break(stored: Iterable[Stored], head: Head = Head(), expect: Head | None = None) -> Break | None:
    """The first of `stored` that does not hold, None if all do. They follow `head`; each is read once.

    `expect` is a head noted outside the log; its hash may be cut to its first digits. ValueError: `expect`
    lies before `head`, so that nothing here could show whether it holds.
    """
    if expect is not None and expect.seq < head.seq:
        raise ValueError(f"The head to expect, {expect.seq}, lies before the start, {head.seq}.")
    if expect is not None and expect.seq == head.seq and not _noted(head, expect):
        return Break(head.seq, "head_differs")
    for event in stored:
        flaw = _flaw(event, head)
        if flaw is not None:
            return flaw
        head = Head(event.seq, event.hash)
        if expect is not None and expect.seq == head.seq and not _noted(head, expect):
            return Break(head.seq, "head_differs")
    return Break(head.seq + 1, "cut_off") if expect is not None and expect.seq > head.seq else None


def follower(event: Stored, head: End) -> Envelope | Break:
    """`event` decoded, which must follow `head`, or the flaw for which it does not.

    For whoever wants both: to decode is nearly all that a look at the chain takes. UnreadableEvent: it follows, but
    is none that this version of the program can read.
    """
    if event.seq != head.seq + 1 or sha256(event.body).hexdigest() != event.hash:
        return _misplaced(event, head)
    try:
        envelope = decode(event)
    except UnreadableEvent:
        if flaw := _unlinked(event, head):
            return flaw
        raise
    return envelope if envelope.prev == head.hash else Break(event.seq, "prev_differs")


def _sealed(
    head: Head, table: str, at: str, actor: str, cause: str, session: int | None, events: Sequence[Event]
) -> Iterator[Stored]:
    prev = head.hash
    for seq, event in enumerate(events, head.seq + 1):
        body = encode(
            seq=seq, table=table, at=at, actor=actor, cause=cause, session=session, event=event, prev=prev
        )  # fmt: skip
        prev = sha256(body).hexdigest()
        yield Stored(seq, body, prev)


def _flaw(event: Stored, head: End) -> Break | None:
    if event.seq != head.seq + 1 or sha256(event.body).hexdigest() != event.hash:
        return _misplaced(event, head)
    return _unlinked(event, head)


def _misplaced(event: Stored, head: End) -> Break:
    due = head.seq + 1
    if event.seq == due:
        return Break(due, "hash_differs")
    return Break(due, "seq_missing" if event.seq > due else "seq_out_of_order", f"{event.seq} stands there")


def _unlinked(event: Stored, head: End) -> Break | None:
    try:
        says = link(event.body)
    except ValueError as flaw:
        return Break(event.seq, "unreadable", str(flaw))
    if says.seq != event.seq:
        return Break(event.seq, "seq_out_of_order", f"its body says {says.seq}")
    return None if says.prev == head.hash else Break(event.seq, "prev_differs")


def _noted(head: Head, expect: Head) -> bool:
    return head.hash.startswith(expect.hash.lower())

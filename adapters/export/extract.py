"""Which part of a table's record goes into a file, and for whose eyes.

Here: the envelopes of it, in order, a few at a time. Never: how they are written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from core.record import Act, acts
from core.secrecy import LOOKED_AT, Role, Withheld, withheld
from core.zones import UTC, Zone
from events import talk
from events.codec import decode
from events.envelope import Envelope
from events.log import EventLog
from events.types import LineDeleted, LineEdited, LogEnded, LogOpened, LogPaused, LogResumed, SessionStarted

_LOOKED_AT = tuple(f'"type":"{kind.__name__}"'.encode() for kind in LOOKED_AT)
_SESSIONS = b'"type":"SessionStarted"'
_LOGS = tuple(f'"type":"{one.__name__}"'.encode() for one in (LogOpened, LogPaused, LogResumed, LogEnded))


class Extract(Struct, frozen=True):
    """The events of `table` up to `to`, or those of one session of it, or of one log of its talk.

    `eyes`: what is still secret from them is left out. `undone`: what was taken back is shown, and marked as such.
    `zone`: by whose clock times are written; but for jsonl, which has them as they are recorded.
    """

    table: str
    to: int
    eyes: Role = "player"
    session: int | None = None
    undone: bool = False
    log: int | None = None
    zone: Zone = UTC

    def envelopes(self, log: EventLog) -> Iterator[Envelope]:
        """All events of the table up to `to`, of whatever session: what one is may hang on those before it.

        Talk reads as it does now, or in an extract that shows what was undone as it did then, with all changes.
        """
        return talk.recorded(log, self.table, to=self.to) if self.undone else talk.latest(log, self.table, self.to)

    def acts(self, log: EventLog) -> Iterator[Act]:
        """All acts of the table up to `to`."""
        return acts(lambda: self.envelopes(log), self.eyes)

    def secrets(self, log: EventLog) -> Withheld:
        """What these eyes may not see. A look at the bytes saves reading all other events."""
        stored = log.read(self.table, to=self.to)
        return withheld(map(decode, (one for one in stored if any(mark in one.body for mark in _LOOKED_AT))), self.eyes)

    def sessions(self, log: EventLog) -> dict[int, str]:
        """The sessions that began in it: number -> title."""
        stored = (one for one in log.read(self.table, to=self.to) if _SESSIONS in one.body)
        found = (decode(one).data for one in stored)
        return {one.number: one.title for one in found if isinstance(one, SessionStarted)}

    def logs(self, log: EventLog) -> dict[int, str]:
        """The logs of talk that were opened in it: number -> name."""
        opened = (one.data for one in self._turns(log))
        return {one.number: one.name for one in opened if isinstance(one, LogOpened)}

    def part(self, log: EventLog) -> Callable[[Envelope], bool]:
        """What tells which envelopes are those that were asked for."""
        spans = self._spans(log) if self.log is not None else []

        def asked_for(one: Envelope) -> bool:
            if self.session not in (None, one.session):
                return False
            return self.log is None or any(_said_at(one) in span for span in spans)

        return asked_for

    def _spans(self, log: EventLog) -> list[range]:
        """Where the log was running: from its opening, and from each time it went on, to its pause or its end."""
        spans, began = [], 0
        for one in self._turns(log):
            if getattr(one.data, "number", None) != self.log:
                continue
            if isinstance(one.data, LogOpened | LogResumed):
                began = one.seq
            elif began:
                spans.append(range(began, one.seq + 1))
                began = 0
        return [*spans, range(began, self.to + 1)] if began else spans

    def _turns(self, log: EventLog) -> Iterator[Envelope]:
        """Where one of the logs began, went on, paused or ended."""
        stored = log.read(self.table, to=self.to)
        return (decode(one) for one in stored if any(mark in one.body for mark in _LOGS))


def _said_at(one: Envelope) -> int:
    """The place of an envelope; of a change of a line, that of the line, whenever it was changed."""
    return one.data.line if isinstance(one.data, LineEdited | LineDeleted) else one.seq

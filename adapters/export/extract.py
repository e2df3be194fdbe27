"""Which part of a table's record goes into a file, and for whose eyes.

Here: the envelopes of it, in order, a few at a time. Never: how they are written.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from core.record import Act, acts
from core.secrecy import LOOKED_AT, Role, Withheld, withheld
from events import talk
from events.codec import decode
from events.envelope import Envelope
from events.log import EventLog
from events.types import SessionStarted

_LOOKED_AT = tuple(f'"type":"{kind.__name__}"'.encode() for kind in LOOKED_AT)
_SESSIONS = b'"type":"SessionStarted"'


class Extract(Struct, frozen=True):
    """The events of `table` up to `to`, or those of one session of it.

    `eyes`: what is still secret from them is left out. `undone`: what was taken back is shown, and marked as such.
    """

    table: str
    to: int
    eyes: Role = "player"
    session: int | None = None
    undone: bool = False

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

"""Messages that cannot be read: their key may come after them, and if it does not, whoever wrote them is told.

Told once for each key, and nobody twice before something of theirs could be read again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from msgspec import Struct
from nio import EncryptionError, Event, MegolmEvent  # type: ignore[import-untyped]

from adapters.matrix.device import Client

GRACE_S = 10.0  # how long after a message its key may come without a word about it
MOST = 1000
logger = logging.getLogger(__name__)


class Unread(Struct):
    """A message whose key is missing, since when, and whether it was told."""

    room: str
    event: Any  # nio's Event
    since: float
    told: bool = False

    @property
    def about(self) -> tuple[str, str]:
        """Where, and who wrote it."""
        return self.room, self.event.source["sender"]


class Sealed:
    """The messages that wait for their key; `clock` gives seconds."""

    def __init__(self, client: Client, clock: Callable[[], float]) -> None:
        self.client, self.clock = client, clock
        self._waiting: dict[str, Unread] = {}
        self._told: set[tuple[str, str]] = set()

    def open(self, room_id: str, event: Event) -> Event | None:
        """The message in it, if it can be read by now; otherwise it waits for its key."""
        id: str = event.source["event_id"]
        event.room_id = room_id
        if found := self._decrypted(event):
            return found
        if id not in self._waiting:
            logger.warning("A message cannot be read: its key is missing")
            self._waiting[id] = Unread(room_id, event, self.clock())
        while len(self._waiting) > MOST:
            del self._waiting[next(iter(self._waiting))]
        return None

    def read(self, room_id: str, sender: str) -> None:
        """Something encrypted of this person could be read."""
        self._told.discard((room_id, sender))

    def opened(self) -> list[tuple[str, Event]]:
        """Those whose key has come by now; they wait no more."""
        found = [(one.room, event) for one in self._waiting.values() if (event := self._decrypted(one.event))]
        for _, event in found:
            del self._waiting[event.event_id]
        return found

    def overdue(self) -> list[Unread]:
        """Those about which something must be said now. They may still be read later."""
        found = []
        for one in self._waiting.values():
            if not one.told and self.clock() - one.since >= GRACE_S:
                one.told = True
                if one.about not in self._told:
                    self._told.add(one.about)
                    found.append(one)
        return found

    @property
    def fresh(self) -> bool:
        """Whether a key may be on its way: until then the place in the timeline is not moved on for good."""
        return any(not one.told and one.about not in self._told for one in self._waiting.values())

    def _decrypted(self, event: Event) -> Event | None:
        if not isinstance(event, MegolmEvent) or self.client.olm is None:
            return None
        try:
            found = self.client.decrypt_event(event)
        except EncryptionError:
            return None
        return found if isinstance(found, Event) else None

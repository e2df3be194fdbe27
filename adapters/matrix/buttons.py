"""Reactions as buttons: which letter of ours somebody has reacted to, and how little is said of a refusal.

A message of ours says itself which letter it is, so that old buttons work after a restart.
"""

from __future__ import annotations

import logging

from nio import EncryptionError, MegolmEvent, RoomGetEventResponse  # type: ignore[import-untyped]

from adapters.matrix import wire
from adapters.matrix.device import Client
from adapters.matrix.post import Post
from adapters.matrix.wire import PLATFORM, Reaction, Self
from core.app import App
from core.messages import Answer
from events.beside import Pending

OVER = ("already_done", "not_found")  # the button's moment has passed: that is to be seen, and need not be said
logger = logging.getLogger(__name__)


class Buttons:
    """The letters behind our messages, the latest of them at hand, others fetched."""

    def __init__(self, app: App, client: Client, post: Post) -> None:
        self.app, self.client, self.post = app, client, post
        self._told: set[str] = set()

    async def letter(self, room_id: str, press: Reaction, me: Self) -> tuple[Pending, str | None] | None:
        """The letter that was reacted to and the thread in which it stands; None: it is none of ours."""
        known = self.post.letters
        if press.target not in known:
            self.post.remember(press.target, *await self._fetched(room_id, press.target, me))
        number, thread = known[press.target]
        one = self.app.log.letter(number) if number is not None else None
        return None if one is None or one.platform != PLATFORM else (one, thread)

    def settle(self, press: Reaction, answers: list[Answer]) -> None:
        """A refusal is said once under each message, and not at all where the button's moment has passed."""
        refused = {one.key for one in answers if one.error}
        over = all(one.error and one.error[0] in OVER for one in answers)
        if refused and not over and press.target not in self._told:
            self._told.add(press.target)
            return
        for letter in [one.id for one in self.app.log.pending(PLATFORM) if one.key in refused]:
            self.app.log.sent(letter)

    async def _fetched(self, room_id: str, event_id: str, me: Self) -> tuple[int | None, str | None]:
        answer = await self.client.room_get_event(room_id, event_id)
        if not isinstance(answer, RoomGetEventResponse):
            return None, None
        event = answer.event
        if isinstance(event, MegolmEvent) and self.client.olm is not None:
            event.room_id = room_id
            try:
                event = self.client.decrypt_event(event)
            except EncryptionError:
                logger.info("A message of ours can no longer be read")
        return wire.letter_of(event.source, me), wire.thread_of(wire.content_of(event.source))

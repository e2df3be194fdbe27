"""How a letter is sent to Matrix: what passes is waited out, what may not be sent is held, what cannot be is said.

Each sending bears a name made of its letter, so that the server takes it once, however often it comes: an answer sent
just before a crash is not said twice. A secret goes into a room where its reader and the bot are alone, or nowhere.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from aiohttp import ClientError
from nio import RoomSendResponse  # type: ignore[import-untyped]

from adapters.matrix import wire, words
from adapters.matrix.device import NO_LONGER_KNOWN, Client
from adapters.matrix.direct import Direct, Way
from adapters.matrix.wire import PLATFORM, Json
from adapters.outbox import Held
from core.app import App
from core.language import Phrase, language, say
from events.beside import Pending

ABSENT = ("M_FORBIDDEN", "M_NOT_FOUND", "M_GUEST_ACCESS_FORBIDDEN", *NO_LONGER_KNOWN)  # we may not write there now
UNFIT = ("M_TOO_LARGE", "M_BAD_JSON", "M_NOT_JSON", "M_INVALID_PARAM", "M_UNKNOWN")  # it is never taken as it is
BUTTONS_S = 2.0  # how long the answers behind it wait for a letter's buttons
WHY: dict[Way, Phrase] = {"invited": words.INVITED, "refused": words.NOT_INVITED}
logger = logging.getLogger(__name__)


class Refused(Exception):
    """The server does not take it: str() is its code."""


class Post:
    """Carries letters for the Outbox. `letters` are the events that our latest letters have become."""

    def __init__(self, app: App, client: Client, direct: Direct) -> None:
        self.app, self.client, self.direct = app, client, direct
        self.letters: dict[str, tuple[int | None, str | None]] = {}  # event id -> letter (none: it is none), thread
        self._decorating: set[asyncio.Task[None]] = set()

    async def carry(self, one: Pending) -> Held | None:
        """None: the server has it. Held: we may not write there now."""
        room_id, held = await self._room(one)
        if held is not None:
            return held
        if room_id not in self.client.rooms or (self.client.deaf and self.client.rooms[room_id].encrypted):
            return Held()
        try:
            event_id = await self._send(room_id, one)
        except Refused as refused:
            if str(refused) in ABSENT:
                return Held()
            if str(refused) not in UNFIT:
                raise
            logger.exception("The homeserver will not take an answer")
            return None
        await self._decorate(room_id, event_id, one)
        return None

    async def stop(self) -> None:
        """The letters that have no buttons yet do without."""
        for task in self._decorating:
            task.cancel()
        await asyncio.gather(*self._decorating, return_exceptions=True)

    async def _put(self, room_id: str, content: Json, name: str) -> str:
        """Send, and wait out what passes: the event's id. Refused: the server's code."""
        try:
            answer = await self.client.room_send(
                room_id, "m.room.message", content, name, ignore_unverified_devices=True
            )
        except BaseException:
            self.client.sharing_session.pop(room_id, None)  # or nio would wait for the end of that for ever
            raise
        if isinstance(answer, RoomSendResponse):
            return str(answer.event_id)
        raise Refused(answer.status_code or answer.message)

    # ---- where to

    async def _room(self, one: Pending) -> tuple[str, Held | None]:
        """A room's id, or a person's direct room; Held where there is none to write into."""
        if one.chat.startswith("!"):
            return one.chat, None
        account = self._account(one.chat)
        if account is None:
            return "", Held(self._told(one, words.NOT_INVITED))
        way, room_id = await self.direct.reach(account)
        return room_id, None if way == "open" else Held(self._told(one, WHY[way]))

    def _account(self, person: str) -> str | None:
        return next((one.id for one in self.app.log.accounts(person) if one.platform == PLATFORM), None)

    def _told(self, one: Pending, why: Phrase) -> str:
        table = self.app.table_at(one.key)
        speech = language(table.play.language) if table else self.app.language
        return say(why, speech, {}).format(name=self.app.name(one.letter.to))

    # ---- what

    async def _send(self, room_id: str, one: Pending) -> str:
        """All parts in order; the id of the last, which bears the buttons."""
        event_id = ""
        for number, content in enumerate(wire.contents(one)):
            event_id = await self._fit(room_id, one, number, content)
        self.letters[event_id] = (one.id, wire.answered(one.key.message)[1])
        return event_id

    async def _fit(self, room_id: str, one: Pending, number: int, content: Json) -> str:
        """As it is, or without what it refers to: that may be gone, or its thread closed."""
        name = wire.transaction(one, number)
        try:
            return await self._put(room_id, content, name)
        except Refused as refused:
            if str(refused) not in UNFIT:
                raise
            logger.warning("The homeserver refuses an answer as it is: %s", refused)
        plain: dict[str, Any] = {key: content[key] for key in content if key != "m.relates_to"}
        return await self._put(room_id, plain, f"{name}-plain")

    async def _decorate(self, room_id: str, event_id: str, one: Pending) -> None:
        """Buttons are several messages more: where the server makes us wait, the next answers go before them."""
        if signs := list(wire.signs(one.letter)):
            task = asyncio.create_task(self._react(room_id, event_id, one, signs))
            self._decorating.add(task)
            task.add_done_callback(self._decorating.discard)
            await asyncio.wait([task], timeout=BUTTONS_S)

    async def _react(self, room_id: str, event_id: str, one: Pending, signs: list[str]) -> None:
        """They are never encrypted. Where one does not get there, the letter's text still says what to write."""
        try:
            for number, sign in enumerate(signs):
                name = wire.transaction(one, f"b{number}")
                await self.client.put_clear(room_id, "m.reaction", wire.reacting(event_id, sign), name)
        except (ClientError, TimeoutError) as error:
            logger.info("A button could not be put: %s", error)

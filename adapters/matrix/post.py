"""How a letter is sent to Matrix: what may not be sent is held, what cannot be is said.

Each sending bears a name made of its letter, so that the server takes it once, however often it comes: an answer sent
just before a crash is not said twice. A secret goes into a room where its reader and the bot are alone, or nowhere.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence

from aiohttp import ClientError

from adapters.files import Maker
from adapters.matrix import wire, words
from adapters.matrix.device import Client
from adapters.matrix.direct import Direct, Way
from adapters.matrix.sending import Refused, put, upload
from adapters.matrix.wire import PLATFORM, Json
from adapters.notices import Notices
from adapters.outbox import Held
from core.app import App
from core.language import Phrase
from events.beside import Attached, MessageKey, Pending
from events.log import LogUnusable

MOST = 1000  # of our latest events are at hand
PLAIN_S = 60.0  # how long there are no buttons but choices once the server has limited us
BUTTONS_S = 2.0  # how long the answers behind it wait for a letter's buttons
WHY: dict[Way, Phrase] = {"invited": words.INVITED, "refused": words.NOT_INVITED}
logger = logging.getLogger(__name__)


class Post:
    """Carries letters for the Outbox. `letters` are the events that our latest letters have become."""

    def __init__(self, app: App, client: Client, direct: Direct, make: Maker) -> None:
        self.app, self.client, self.direct, self.make = app, client, direct, make
        self.notices = Notices(app)
        self.letters: dict[str, tuple[int | None, str | None]] = {}  # event id -> letter (none: it is none), thread
        self._decorating: set[asyncio.Task[None]] = set()
        self._plain_until = 0.0

    async def carry(self, one: Pending) -> Held | None:
        """None: the server has it, or never will. Held: we may not write there now."""
        room_id, held = await self._room(one)
        if held is not None:
            return held
        room = self.client.rooms.get(room_id)
        if room is None or (self.client.deaf and room.encrypted):
            return Held()
        try:
            await self._send(room_id, one)
        except Refused as refused:
            if refused.absent:
                return Held()
            if not refused.unfit:
                raise
            logger.exception("The homeserver will not take letter %s", one.id)
        return None

    def remember(self, event_id: str, letter: int | None, thread: str | None) -> None:
        """Which letter this event is (none: it is none of ours), and in which thread."""
        self.letters[event_id] = (letter, thread)
        if len(self.letters) > MOST:
            del self.letters[next(iter(self.letters))]

    async def stop(self) -> None:
        """The letters that have no buttons yet do without."""
        for task in self._decorating:
            task.cancel()
        await asyncio.gather(*self._decorating, return_exceptions=True)

    # ---- where to

    async def _room(self, one: Pending) -> tuple[str, Held | None]:
        """A room's id, or a person's direct room; Held where there is none to write into."""
        if one.chat.startswith("!"):
            return one.chat, None
        accounts = self.app.accounts(one.chat, PLATFORM)
        if not accounts:
            return "", Held(self._told(one, words.NOT_INVITED))
        if (room := self._open(one.chat, accounts)) is not None:
            return room, None
        way, room_id = await self.direct.reach(accounts[0])
        # The person may have come while we were asking: then nothing would call what is held now.
        if (room := self._open(one.chat, accounts)) is not None:
            return room, None
        return room_id, Held(self._told(one, WHY[way]))

    def _open(self, person: str, accounts: Sequence[str]) -> str | None:
        """The direct room in which this person wrote last; if that does not serve any more, another."""
        last = self.app.log.bookmark(wire.private(person)) or ""
        if self.direct.present(last) in accounts:
            return last
        return next(filter(None, map(self.direct.room_of, accounts)), None)

    def _told(self, one: Pending, why: Phrase) -> str:
        return self.notices.worded(why, one.key, name=self.app.name(one.letter.to))

    # ---- what

    async def _send(self, room_id: str, one: Pending) -> None:
        """All parts in order, the buttons below the last, and the file behind it."""
        event_id = ""
        for number, content in enumerate(wire.contents(one)):
            event_id = await self._put(room_id, content, wire.transaction(one, number))
        self.remember(event_id, one.id, wire.answered(one.key.message)[1])
        await self._decorate(room_id, event_id, one)
        if one.letter.attached:
            await self._attach(room_id, one, one.letter.attached)

    async def _put(self, room_id: str, content: Json, name: str) -> str:
        """As it is, or without what it refers to: that may be gone, or its thread closed."""
        try:
            return await put(self.client, room_id, content, name)
        except Refused as refused:
            if not refused.unfit or "m.relates_to" not in content:
                raise
            logger.warning("The homeserver refuses an answer as it is: %s", refused)
        plain = {key: content[key] for key in content if key != "m.relates_to"}
        return await put(self.client, room_id, plain, f"{name}-plain")

    async def _attach(self, room_id: str, one: Pending, attached: Attached) -> None:
        """Where there is no file that could be sent, the chat is told."""
        try:
            file = await asyncio.to_thread(self.make, attached)
            address, keys = await upload(self.client, room_id, file)
            await self._put(room_id, wire.file_of(one, file, address, keys), wire.transaction(one, "file"))
        except (LogUnusable, ClientError, TimeoutError):
            raise
        except Exception:
            logger.exception("The file of letter %s cannot be sent", one.id)
            self._instead(one)

    def _instead(self, one: Pending) -> None:
        """Say so in the place of a file, once."""
        self.notices.post(words.UNSENT, MessageKey(PLATFORM, one.chat, f"{one.key.message}-instead-{one.id}"))

    # ---- buttons

    async def _decorate(self, room_id: str, event_id: str, one: Pending) -> None:
        """Buttons are several messages more: where the server makes us wait, the next answers go before them."""
        if signs := wire.signs(one.letter):
            task = asyncio.create_task(self._react(room_id, event_id, one, signs))
            self._decorating.add(task)
            task.add_done_callback(self._decorating.discard)
            await asyncio.wait([task], timeout=BUTTONS_S)

    async def _react(self, room_id: str, event_id: str, one: Pending, signs: Mapping[str, int | str]) -> None:
        """They are never encrypted. Where one does not get there, the letter's text still says what to write."""
        try:
            for number, (sign, meant) in enumerate(signs.items()):
                reaction = wire.reacting(event_id, sign), wire.transaction(one, f"b{number}")
                await (self._choosable if isinstance(meant, int) else self._offered)(room_id, *reaction)
        except (ClientError, TimeoutError) as error:
            logger.info("A button could not be put: %s", error)

    async def _choosable(self, room_id: str, content: Json, name: str) -> None:
        await self.client.put_clear(room_id, "m.reaction", content, name)

    async def _offered(self, room_id: str, content: Json, name: str) -> None:
        """A convenience: where the server limits us, we keep what it lets us send for answers."""
        now = asyncio.get_running_loop().time()
        if now >= self._plain_until and not await self.client.put_if_free(room_id, "m.reaction", content, name):
            self._plain_until = now + PLAIN_S

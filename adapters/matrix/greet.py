"""What the bot says unasked: hello in a new room, that it cannot read a message, that its keys are lost."""

from __future__ import annotations

import logging

from adapters.matrix import wire, words
from adapters.matrix.device import Client
from adapters.matrix.rooms import Rooms
from adapters.matrix.sealed import Unread
from adapters.matrix.wire import PLATFORM, Place, Self
from adapters.notices import Notices
from core.app import App
from core.language import Phrase
from events.beside import MessageKey

DEAF = (
    "The keys of the bot's Matrix device are lost: it can read nothing that is encrypted. "
    "Log it in anew and set matrix.access_token, or set matrix.password in its place"
)
logger = logging.getLogger(__name__)


class Greetings:
    """Each is a letter under a key of its own, so it is said once, whatever comes again."""

    def __init__(self, app: App, client: Client, rooms: Rooms, me: Self) -> None:
        self.app, self.client, self.rooms, self.me = app, client, rooms, me
        self.notices = Notices(app)
        self.mark = f"{PLATFORM}:device:{client.user_id}"
        self._deaf = False

    def hello(self, room_id: str) -> None:
        """The bot is new here."""
        self._post(self.rooms.chat(room_id), "hello", words.HELLO, bot=self.me.name or "Rollbook")

    def unreadable(self, place: Place, one: Unread) -> None:
        """The key of somebody's message has not come."""
        session = getattr(one.event, "session_id", None) or one.event.event_id
        self._post(place.chat, f"unreadable-{session}", words.UNREADABLE, name=place.name)

    def renewed(self) -> None:
        """If this is another device than the one this log last saw: say so in the log and in every encrypted room."""
        if self.client.deaf:
            return
        before, device = self.app.log.bookmark(self.mark), self.client.device_id
        if before not in (None, device):
            logger.error("The bot has a new Matrix device: what was encrypted for the one before cannot be read")
            for room_id in self.rooms.encrypted():
                self._post(self.rooms.chat(room_id), f"renewed-{before}-{device}", words.RENEWED)
        self.app.log.set_bookmark(self.mark, device)

    async def deaf(self) -> None:
        """Our keys are lost. Said in the clear: nobody could read what is encrypted with keys that the server lacks."""
        if self._deaf:
            return
        self._deaf = True
        logger.error(DEAF)
        device = self.client.device_id
        if self.app.log.bookmark(f"{self.mark}:deaf") == device:
            return
        for room_id in self.rooms.encrypted():
            said = self.notices.worded(words.DEAF, MessageKey(PLATFORM, self.rooms.chat(room_id), ""))
            await self.client.put_clear(room_id, "m.room.message", wire.notice(said), f"rollbook-deaf-{device}")
        self.app.log.set_bookmark(f"{self.mark}:deaf", device)

    def _post(self, chat: str, message: str, phrase: Phrase, **facts: str) -> None:
        self.notices.post(phrase, MessageKey(PLATFORM, chat, message), **facts)

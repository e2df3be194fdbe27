"""How a letter is sent to Telegram: what passes is waited out, what may not be sent is held, what cannot be is said."""

from __future__ import annotations

import asyncio
import logging
from html import unescape

from telegram import Bot
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter

from adapters.files import File, Maker
from adapters.outbox import Held
from adapters.telegram import wire, words
from adapters.telegram.admission import Admission
from adapters.telegram.notices import Notices
from adapters.telegram.part import MOST_FILE, Part, put
from adapters.telegram.patience import Patience
from adapters.telegram.wire import MOST_CAPTION, PLATFORM, Place
from core.app import App
from core.language import Phrase
from events.beside import Attached, MessageKey, Pending
from events.log import LogUnusable

NOBODY_THERE = ("chat not found", "peer_id_invalid", "not enough rights", "chat_write_forbidden")
INSTEAD = "-instead-"  # in the key of what is said in place of something that cannot be sent
MB = 1_000_000
logger = logging.getLogger(__name__)


class Post:
    """Carries letters for the Outbox. A letter in parts goes on after the part that was sent last."""

    def __init__(self, app: App, bot: Bot, notices: Notices, admission: Admission, make: Maker) -> None:
        self.app, self.bot, self.notices, self.admission, self.make = app, bot, notices, admission, make
        self._sent: dict[tuple[int, int], int] = {}  # letter and chat -> parts that are there

    async def carry(self, one: Pending) -> Held | None:
        """None: Telegram has it, or never will. Held: we may not write there until somebody writes to us."""
        for where in wire.places(one, self._accounts):
            try:
                await self._send(one, where)
            except Forbidden:
                continue
            except BadRequest as refused:
                if _nobody_there(refused):
                    continue
                self._refused(one, refused)
            self._sent.pop((one.id, where.chat), None)
            return None
        return self._held(one)

    async def _send(self, one: Pending, where: Place) -> None:
        parts = await self._parts(one)
        for number in range(self._sent.get((one.id, where.chat), 0), len(parts)):
            await self._until_sent(where, parts[number])
            self._sent[one.id, where.chat] = number + 1

    async def _parts(self, one: Pending) -> list[Part]:
        """The buttons are below the last text; a file comes with the text if that is short, else after it."""
        *head, last = wire.texts(one.letter)
        buttons = wire.buttons(one)
        texts = [*map(Part, head), Part(last, buttons)]
        file = await self._file(one, one.letter.attached) if one.letter.attached else None
        if file is None:
            return texts
        if head or wire.units(unescape(last)) > MOST_CAPTION:
            return [*texts, Part("", file=file)]
        return [Part(last, buttons, file)]

    async def _file(self, one: Pending, attached: Attached) -> File | None:
        """None: there is none that could be sent, and the chat is told why."""
        try:
            file = await asyncio.to_thread(self.make, attached)
        except LogUnusable:
            raise
        except Exception:
            logger.exception("The file of letter %s could not be made", one.id)
            self._instead(one, words.UNSENT)
            return None
        if len(file.content) <= MOST_FILE:
            return file
        size = str(-(-len(file.content) // MB))
        self._instead(one, words.TOO_LARGE, size=size, most=str(MOST_FILE // MB))
        return None

    async def _until_sent(self, where: Place, part: Part) -> None:
        """Wait out what passes. BadRequest: Telegram will not take it, not even without buttons and topic."""
        patience = Patience()
        while True:
            try:
                return await put(self.bot, part, where)
            except ChatMigrated as moved:
                old, new = str(where.chat), str(moved.new_chat_id)
                self.admission.moved(old, new)  # first: whoever is heard there in between would be a stranger
                self.app.log.move(PLATFORM, old, new)
                where = Place(moved.new_chat_id)
            except BadRequest as refused:
                if part.plain or _nobody_there(refused):
                    raise
                logger.warning("Telegram refuses an answer as it is: %s", refused.message)
                where, part = Place(where.chat), part.made_plain()  # its topic was closed, or the like
            except (NetworkError, RetryAfter) as failed:
                await patience.after(failed)

    def _held(self, one: Pending) -> Held:
        reader = one.letter.to
        phrase = words.ANONYMOUS_READER if self.notices.is_anonymous(reader) else words.HELD
        return Held(self.notices.worded(phrase, one.key, name=self.app.name(reader), bot=self.bot.username))

    def _refused(self, one: Pending, refused: BadRequest) -> None:
        """It is let be; its chat is told so."""
        logger.error("Telegram will not take letter %s: %s", one.id, refused.message)
        self._instead(one, words.UNSENT if one.letter.attached else words.UNSHOWN)

    def _instead(self, one: Pending, phrase: Phrase, **facts: str) -> None:
        """Say this in place of what cannot be sent, once, and nothing in place of that."""
        if INSTEAD not in one.key.message:
            self.notices.post(phrase, MessageKey(PLATFORM, one.chat, f"{one.key.message}{INSTEAD}{one.id}"), **facts)

    def _accounts(self, person: str) -> list[str]:
        """The accounts of somebody, the one that wrote to us in private last before the others."""
        accounts = self.app.accounts(person, PLATFORM)
        last = self.app.log.bookmark(wire.private(person)) if accounts[1:] else None
        return sorted(accounts, key=lambda one: one != last)


def _nobody_there(refused: BadRequest) -> bool:
    return any(why in refused.message.lower() for why in NOBODY_THERE)

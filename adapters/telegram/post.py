"""The outbox's way to Telegram: in order in each chat, until it is there, and what cannot get there held.

A letter is marked as sent when Telegram has said so. If the connection breaks before that, it is sent again: an answer
that comes twice is better than none.
"""

from __future__ import annotations

import asyncio
import logging

from telegram import Bot, InlineKeyboardMarkup, LinkPreviewOptions, ReplyParameters
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter

from adapters.telegram import wire, words
from adapters.telegram.wire import PLATFORM, Place
from core.app import App
from core.language import language, say
from core.render.letters import TABLE
from events.beside import Beside, Letter, MessageKey, Pending, Receipt
from events.log import LogUnusable, SeenBefore

FIRST_WAIT_S, LONGEST_WAIT_S = 0.2, 30.0
NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
logger = logging.getLogger(__name__)


class Post:
    """Sends what is pending. A lane is a chat, or a person's own: its letters go one after the other."""

    def __init__(self, app: App, bot: Bot) -> None:
        self.app, self.bot = app, bot
        self._lanes: dict[str, asyncio.Task[None]] = {}
        self._held: set[str] = set()
        self._parts: dict[int, int] = {}

    def wake(self) -> None:
        """Something new is pending."""
        waiting = {_lane(one) for one in self.app.log.pending(PLATFORM)}
        for lane in waiting - self._held - self._lanes.keys():
            self._lanes[lane] = asyncio.create_task(self._run(lane))

    def reachable(self, lane: str) -> None:
        """Somebody wrote in this chat: what was held for it may go out."""
        self._held.discard(lane)

    async def drained(self) -> None:
        """When nothing more can be sent."""
        while self._lanes:
            await asyncio.wait(self._lanes.values())

    async def stop(self) -> None:
        """What is not yet sent stays pending."""
        lanes = list(self._lanes.values())
        for lane in lanes:
            lane.cancel()
        await asyncio.gather(*lanes, return_exceptions=True)

    async def _run(self, lane: str) -> None:
        try:
            while lane not in self._held and (letters := self._in(lane)):
                await self._deliver(letters[0], lane)
        finally:
            del self._lanes[lane]

    def _in(self, lane: str) -> list[Pending]:
        return [one for one in self.app.log.pending(PLATFORM) if _lane(one) == lane]

    async def _deliver(self, one: Pending, lane: str) -> None:
        where = wire.place(one.key, one.letter, self._account)
        if where is not None and await self._sent(one, where):
            await self._mark(one.id)
        else:
            self._hold(one, lane)

    async def _sent(self, one: Pending, where: Place) -> bool:
        """False: we may not write there."""
        try:
            await self._send(one, where)
        except Forbidden:
            return False
        return True

    async def _mark(self, letter: int) -> None:
        """Sent, whatever the disk says now: or else the same answer would come again and again."""
        while True:
            try:
                self.app.log.sent(letter)
            except LogUnusable:
                logger.exception("The log cannot be written; trying again")
                await asyncio.sleep(1)
            else:
                self._parts.pop(letter, None)
                return

    async def _send(self, one: Pending, where: Place) -> None:
        texts = wire.texts(one.letter)
        # A button pressed in private would be a command to the private chat, where the table is not.
        offered = self.app.choice_of(one.key) if one.letter.choices and one.letter.to == TABLE else None
        choices = wire.buttons(one.letter, offered)
        for number in range(self._parts.get(one.id, 0), len(texts)):
            await self._until_sent(where, texts[number], choices if number == len(texts) - 1 else None)
            self._parts[one.id] = number + 1

    async def _until_sent(self, where: Place, text: str, choices: InlineKeyboardMarkup | None) -> None:
        """Wait out what passes; Forbidden is raised; what Telegram will never take is said in the log and let be."""
        wait, plain = FIRST_WAIT_S, False
        while True:
            try:
                return await self._put(where, text, None if plain else choices)
            except RetryAfter as refused:
                await asyncio.sleep(wire.seconds(refused.retry_after))
            except ChatMigrated as moved:
                self.app.log.move(PLATFORM, str(where.chat), str(moved.new_chat_id))
                where = Place(moved.new_chat_id)
            except BadRequest as refused:
                if plain:
                    logger.exception("Telegram will not take an answer")
                    return None
                logger.warning("Telegram refuses an answer as it is: %s", refused.message)
                where, plain = Place(where.chat), True  # its topic was closed, or the like
            except NetworkError:
                await asyncio.sleep(wait)
                wait = min(2 * wait, LONGEST_WAIT_S)

    async def _put(self, where: Place, text: str, choices: InlineKeyboardMarkup | None) -> None:
        reply = ReplyParameters(where.reply_to, allow_sending_without_reply=True) if where.reply_to else None
        await self.bot.send_message(
            where.chat, text, parse_mode="HTML", message_thread_id=where.thread, reply_parameters=reply,
            reply_markup=choices, link_preview_options=NO_PREVIEW,
        )  # fmt: skip

    def _hold(self, one: Pending, lane: str) -> None:
        """It stays pending until the person writes to us; the table is told, once for each message."""
        self._held.add(lane)
        if one.letter.to == TABLE:
            return
        table = self.app.table_at(one.key)
        speech = language(table.play.language) if table else self.app.language
        facts = {"name": self.app.name(one.letter.to), "bot": self.bot.username}
        told = Letter(TABLE, say(words.HELD, speech, {}).format(**facts))
        key = MessageKey(PLATFORM, one.key.chat, f"{one.key.message}-held-{one.letter.to}")
        try:
            self.app.log.append("", 0, (), Beside(key=key, receipt=Receipt("", 1, 0, None, (told,))))
        except SeenBefore:
            return
        self.wake()

    def _account(self, person: str) -> str | None:
        return next((one.id for one in self.app.log.accounts(person) if one.platform == PLATFORM), None)


def _lane(one: Pending) -> str:
    return one.key.chat if one.letter.to == TABLE else one.letter.to

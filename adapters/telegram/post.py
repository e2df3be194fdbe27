"""How a letter is sent to Telegram: what passes is waited out, what may not be sent is held, what cannot be is said."""

from __future__ import annotations

import asyncio
import logging

from telegram import Bot, InlineKeyboardMarkup, LinkPreviewOptions, ReplyParameters
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter

from adapters.outbox import Held
from adapters.telegram import wire, words
from adapters.telegram.wire import PLATFORM, Place
from core.app import App
from core.language import language, say
from events.beside import TABLE, Pending

FIRST_WAIT_S, LONGEST_WAIT_S = 0.2, 30.0
NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
logger = logging.getLogger(__name__)


class Post:
    """Carries letters for the Outbox. A letter in parts goes on after the part that was sent last."""

    def __init__(self, app: App, bot: Bot) -> None:
        self.app, self.bot = app, bot
        self._parts: dict[int, int] = {}

    async def carry(self, one: Pending) -> Held | None:
        """None: Telegram has it. Held: we may not write there until somebody writes to us."""
        where = wire.place(one, self._account)
        if where is None:
            return self._held(one)
        try:
            await self._send(one, where)
        except Forbidden:
            return self._held(one)
        self._parts.pop(one.id, None)
        return None

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

    def _held(self, one: Pending) -> Held:
        table = self.app.table_at(one.key)
        speech = language(table.play.language) if table else self.app.language
        facts = {"name": self.app.name(one.letter.to), "bot": self.bot.username}
        return Held(say(words.HELD, speech, {}).format(**facts))

    def _account(self, person: str) -> str | None:
        return next((one.id for one in self.app.log.accounts(person) if one.platform == PLATFORM), None)

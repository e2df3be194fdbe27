"""How a letter is sent to Telegram: what passes is waited out, what may not be sent is held, what cannot be is said."""

from __future__ import annotations

import asyncio
import logging

from telegram import Bot, InlineKeyboardMarkup, LinkPreviewOptions, ReplyParameters
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter

from adapters.outbox import Held
from adapters.telegram import wire, words
from adapters.telegram.notices import Notices
from adapters.telegram.wire import PLATFORM, Place
from core.app import App
from events.beside import TABLE, MessageKey, Pending

FIRST_WAIT_S, LONGEST_WAIT_S = 0.2, 30.0
NOBODY_THERE = ("chat not found", "peer_id_invalid", "not enough rights", "chat_write_forbidden")
UNSHOWN = "-unshown-"  # in the key of what is said in place of an answer
NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
logger = logging.getLogger(__name__)


class Post:
    """Carries letters for the Outbox. A letter in parts goes on after the part that was sent last."""

    def __init__(self, app: App, bot: Bot, notices: Notices) -> None:
        self.app, self.bot, self.notices = app, bot, notices
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
        except BadRequest as refused:
            if any(why in refused.message.lower() for why in NOBODY_THERE):
                return self._held(one)
            self._unshown(one, refused)
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
        """Wait out what passes. BadRequest: Telegram will not take it, not even without buttons and topic."""
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
                if plain or any(why in refused.message.lower() for why in NOBODY_THERE):
                    raise
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
        reader = one.letter.to
        phrase = words.ANONYMOUS_READER if self.notices.is_anonymous(reader) else words.HELD
        return Held(self.notices.worded(phrase, one.key, name=self.app.name(reader), bot=self.bot.username))

    def _unshown(self, one: Pending, refused: BadRequest) -> None:
        """It is let be; its chat is told so, unless it was just that which could not be told."""
        logger.error("Telegram will not take letter %s: %s", one.id, refused.message)
        if UNSHOWN not in one.key.message:
            key = MessageKey(PLATFORM, one.chat, f"{one.key.message}{UNSHOWN}{one.id}")
            self.notices.post(words.UNSHOWN, key)

    def _account(self, person: str) -> str | None:
        return next((one.id for one in self.app.log.accounts(person) if one.platform == PLATFORM), None)

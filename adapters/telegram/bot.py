"""The bot on Telegram: asks for updates, hands each to the core, confirms it when what it led to is in the log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from telegram import Bot, CallbackQuery, ChatMember, ChatMemberUpdated, Update
from telegram.error import Conflict, InvalidToken, RetryAfter, TelegramError

from adapters.telegram import menu, wire
from adapters.telegram.post import FIRST_WAIT_S, LONGEST_WAIT_S, Post
from adapters.telegram.wire import PLATFORM
from core.app import App
from core.messages import Answer, Incoming
from events.log import LogUnusable

KINDS = ["message", "callback_query", "my_chat_member"]
POLL_S = 50
MOST_NOTICE = 200  # characters of what is shown to whoever pressed a button
ABSENT = (ChatMember.LEFT, ChatMember.BANNED)
logger = logging.getLogger(__name__)


class TelegramBot:
    """`clock` gives seconds since 1970; commands that waited longer than `patience_s` are told so and not run."""

    def __init__(self, app: App, bot: Bot, clock: Callable[[], float], patience_s: float = 900.0) -> None:
        self.app, self.bot, self.clock, self.patience_s = app, bot, clock, patience_s
        self.post = Post(app, bot)
        self._offset = 0
        self._joined: dict[int, float] = {}
        self._told_late: set[str] = set()

    async def run(self, stop: asyncio.Event, drain_s: float = 10.0) -> None:
        """Until `stop` is set; then `drain_s` to empty the outbox. InvalidToken: Telegram does not know the token."""
        listening = asyncio.create_task(self._listen())
        stopping = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait([listening, stopping], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (listening, stopping):
                task.cancel()
            await asyncio.gather(stopping, return_exceptions=True)
            await self._end(drain_s)
        if not listening.cancelled() and listening.done() and (failed := listening.exception()):
            raise failed

    async def _start(self) -> None:
        while True:
            try:
                await self.bot.initialize()
                await self.bot.get_me()  # a second `initialize` does not ask again
                await menu.show(self.bot)
                return self.post.wake()
            except InvalidToken:
                raise
            except TelegramError as error:
                logger.warning("Telegram cannot be reached: %s", error.message)
                await asyncio.sleep(1)

    async def _end(self, drain_s: float) -> None:
        try:
            await asyncio.wait_for(self.post.drained(), drain_s)
        except TimeoutError:
            logger.warning("Not everything could be sent; the rest goes out at the next start")
        await self.post.stop()
        await self.bot.shutdown()

    async def _listen(self) -> None:
        await self._start()
        wait = FIRST_WAIT_S
        while True:
            try:
                updates = await self.bot.get_updates(self._offset, timeout=POLL_S, allowed_updates=KINDS)
            except InvalidToken:
                raise
            except TelegramError as error:
                if isinstance(error, Conflict):
                    logger.warning("Another program asks for this bot's updates")
                await asyncio.sleep(wire.seconds(error.retry_after) if isinstance(error, RetryAfter) else wait)
                wait = min(2 * wait, LONGEST_WAIT_S)
                continue
            wait = FIRST_WAIT_S
            for update in updates:
                await self._take(update)
                self._offset = update.update_id + 1

    async def _take(self, update: Update) -> None:
        """An update until it is in the log. One that breaks us is left behind, or nothing would ever come after it."""
        while True:
            try:
                return await self._read(update)
            except LogUnusable:
                logger.exception("The log cannot be written; trying again")
                await asyncio.sleep(1)
            except Exception:
                logger.exception("Update %s was not understood", update.update_id)
                return None

    async def _read(self, update: Update) -> None:
        if update.my_chat_member:
            self._came(update.my_chat_member)
        if update.message and update.message.migrate_to_chat_id:
            self.app.log.move(PLATFORM, str(update.message.chat.id), str(update.message.migrate_to_chat_id))
        too_old = self.clock() - self.patience_s
        incoming = wire.incoming(update, self.bot.username, self._person, too_old)
        if incoming is None or self._before_us(update):
            return
        self.post.reachable(incoming.key.chat)
        answers = self._heard(incoming)
        if update.callback_query:
            await self._answer(update.callback_query, answers)
        self.post.wake()

    def _heard(self, incoming: Incoming) -> list[Answer]:
        """Each chat is told once that something came too late."""
        if incoming.late and incoming.key.chat in self._told_late:
            return []
        answers = self.app.hear(incoming)
        if incoming.late and answers:
            self._told_late.add(incoming.key.chat)
        return answers

    def _person(self, account: str) -> str:
        return self.app.person(PLATFORM, account)

    def _came(self, change: ChatMemberUpdated) -> None:
        if change.old_chat_member.status in ABSENT and change.new_chat_member.status not in ABSENT:
            self._joined[change.chat.id] = change.date.timestamp()

    def _before_us(self, update: Update) -> bool:
        message = update.message
        return message is not None and message.date.timestamp() < self._joined.get(message.chat.id, 0.0)

    async def _answer(self, query: CallbackQuery, answers: list[Answer]) -> None:
        """Whoever pressed is told a refusal alone; after a choice that was made its buttons go."""
        error = next((one.error[1] for one in answers if one.error), None)
        refused = {one.key for one in answers if one.error}
        for letter in [one.id for one in self.app.log.pending(PLATFORM) if one.key in refused]:
            self.app.log.sent(letter)
        try:
            await query.answer(error and error[:MOST_NOTICE], show_alert=error is not None)
            if error is None:
                await query.edit_message_reply_markup(None)
        except TelegramError as failed:
            logger.info("A button was not answered: %s", failed.message)

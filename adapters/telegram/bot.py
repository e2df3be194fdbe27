"""The bot on Telegram: hands each update to the core; it is taken when what it led to is in the log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from telegram import Bot, Chat, ChatMember, ChatMemberUpdated, Message, Update
from telegram.error import InvalidToken, TelegramError

from adapters.config import Telegram
from adapters.inbox import Inbox
from adapters.outbox import Outbox
from adapters.telegram import menu, wire
from adapters.telegram.buttons import Presses
from adapters.telegram.errands import Errands
from adapters.telegram.menu import Menus
from adapters.telegram.notices import Notices
from adapters.telegram.polling import Polling
from adapters.telegram.post import Post
from adapters.telegram.webhook import Webhook
from adapters.telegram.wire import PLATFORM, Json, Take
from core.app import App
from events.log import LogUnusable

ABSENT = (ChatMember.LEFT, ChatMember.BANNED)
logger = logging.getLogger(__name__)


class Updates(Protocol):
    """A way for updates to come in: `polling.Polling` or `webhook.Webhook`."""

    async def open(self, bot: Bot, take: Take) -> None:
        """Everything that `listen` needs. TelegramError: try again; twice does no harm."""

    async def listen(self) -> None:
        """Hand each update to `take`, until cancelled."""

    async def close(self) -> None:
        """When what was accepted is taken."""


class TelegramBot:
    """`clock` gives seconds since 1970; commands that waited longer than `patience_s` are told so and not run."""

    def __init__(
        self, app: App, bot: Bot, clock: Callable[[], float], patience_s: float = 900.0, updates: Updates | None = None
    ) -> None:
        self.app, self.bot = app, bot
        self.updates = updates or Polling()
        self.inbox = Inbox(app, PLATFORM, clock, patience_s)
        self.notices, self.errands = Notices(app), Errands()
        self.outbox = Outbox(app, PLATFORM, Post(app, bot, self.notices).carry)
        self.presses, self.menus = Presses(app, self.errands), Menus(app, bot, self.errands)

    @classmethod
    def of(cls, config: Telegram, app: App, clock: Callable[[], float], patience_s: float) -> TelegramBot:
        """The bot that is configured: by webhook, where it has an address for one."""
        url, listen, secret = config.webhook_url, config.webhook_listen, config.webhook_secret
        bot = Bot(config.token, config.base_url, config.base_file_url)
        return cls(app, bot, clock, patience_s, Webhook(url, listen, secret) if url else Polling())

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
                await self.updates.open(self.bot, self._take)
                return self.outbox.open()
            except InvalidToken:
                raise
            except TelegramError as error:
                logger.warning("Telegram cannot be reached: %s", error.message)
                await asyncio.sleep(1)

    async def _end(self, drain_s: float) -> None:
        await self.updates.close()
        try:
            async with asyncio.timeout(drain_s):
                await asyncio.gather(self.outbox.drained(), self.errands.done())
        except TimeoutError:
            logger.warning("Not everything could be sent; the rest goes out at the next start")
        await asyncio.gather(self.outbox.stop(), self.errands.stop())
        await self.bot.shutdown()

    async def _listen(self) -> None:
        await self._start()
        await self.updates.listen()

    def _take(self, raw: Json) -> None:
        """An update into the log. LogUnusable: it must come again. What breaks us is left behind: others wait."""
        try:
            update = Update.de_json(raw, self.bot)
        except Exception as error:  # a library that meets what it does not expect raises whatever comes of it
            return logger.warning("Update %s cannot be read: %s", raw["update_id"], type(error).__name__)
        try:
            self._read(update)
        except LogUnusable:
            raise
        except Exception:
            logger.exception("Update %s was not understood", update.update_id)

    def _read(self, update: Update) -> None:
        if update.my_chat_member:
            self._came(update.my_chat_member)
        if update.message and update.message.migrate_to_chat_id:
            self.app.log.move(PLATFORM, str(update.message.chat.id), str(update.message.migrate_to_chat_id))
        incoming = wire.incoming(update, self.bot.username, self.inbox.person, self.inbox.late_before)
        if incoming is None or (update.message and self._before_us(update.message)):
            return
        self.outbox.reachable(incoming.key.chat)
        answers = self.inbox.hear(incoming)
        if update.callback_query:
            self.presses.answer(update.callback_query, answers)
        if answers and update.effective_chat:
            self.menus.look(incoming.key, update.effective_chat.id)
        if any(one.events for one in answers):
            self.notices.look_for_anonymous_gm(incoming.key.chat)

    def _came(self, change: ChatMemberUpdated) -> None:
        if change.old_chat_member.status in ABSENT and change.new_chat_member.status not in ABSENT:
            self.app.log.set_bookmark(self._joined(change.chat), str(change.date.timestamp()))

    def _before_us(self, message: Message) -> bool:
        return message.date.timestamp() < float(self.app.log.bookmark(self._joined(message.chat)) or 0)

    def _joined(self, chat: Chat) -> str:
        """The bookmark of when we came to a chat; what was written there before is not ours to answer."""
        return f"{PLATFORM}:joined:{wire.chat_named(chat, self.inbox.person)}"

"""The bot on Telegram from its start to its end: updates come in and are heard, letters go out."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from telegram import Bot
from telegram.error import InvalidToken, TelegramError

from adapters import logs
from adapters.config import NotConfigured, Telegram
from adapters.files import Maker, maker
from adapters.inbox import Inbox, until
from adapters.limits import Limits
from adapters.outbox import Outbox
from adapters.sharing import Sharing
from adapters.telegram import menu
from adapters.telegram.admission import Admission
from adapters.telegram.errands import Errands
from adapters.telegram.hearing import Hearing
from adapters.telegram.notices import Notices
from adapters.telegram.patience import Patience
from adapters.telegram.polling import Polling
from adapters.telegram.post import Post
from adapters.telegram.webhook import Webhook, secret_of
from adapters.telegram.wire import PLATFORM, Lane, Take
from core.app import App

logger = logging.getLogger(__name__)


class Updates(Protocol):
    """A way for updates to come in: `polling.Polling` or `webhook.Webhook`."""

    async def open(self, bot: Bot, take: Take, lane: Lane) -> None:
        """Everything that `listen` needs. TelegramError: try again; twice does no harm."""

    async def listen(self) -> None:
        """Hand each update to `take`, until cancelled."""

    async def close(self) -> None:
        """When what was accepted is taken."""


class TelegramBot:
    """`clock` gives seconds since 1970; commands that waited longer than `patience_s` are told so and not run."""

    def __init__(
        self, app: App, bot: Bot, clock: Callable[[], float], patience_s: float = 900.0, updates: Updates | None = None,
        make: Maker | None = None, limits: Limits | None = None, allow: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self.bot, self.updates = bot, updates or Polling()
        self.errands, notices = Errands(), Notices(app)
        admission = Admission(app, bot, self.errands, allow)
        self.outbox = Outbox(app, PLATFORM, Post(app, bot, notices, admission, make or maker(app.log, app.zones)).carry)
        inbox, sharing = Inbox(app, PLATFORM, clock, patience_s, limits), Sharing(app, PLATFORM, self.outbox)
        self.hearing = Hearing(bot, inbox, sharing, notices, self.errands, admission)

    @classmethod
    def of(
        cls, config: Telegram, app: App, clock: Callable[[], float], patience_s: float, limits: Limits | None = None
    ) -> TelegramBot:
        """The bot that is configured: by webhook, where it has an address for one."""
        bot = Bot(config.token, config.base_url, config.base_file_url)
        updates: Updates = Polling()
        if url := config.webhook_url:
            secret = config.webhook_secret or secret_of(config.token, url)
            logs.hide(secret)
            updates = Webhook(url, config.webhook_listen, secret, partial(app.log.sole, f"webhook-{PLATFORM}"))
        return cls(app, bot, clock, patience_s, updates, limits=limits, allow=config.allow)

    async def run(self, stop: asyncio.Event, drain_s: float = 10.0) -> None:
        """Until `stop` is set; then `drain_s` to empty the outbox. NotConfigured: Telegram will not have us so."""
        try:
            await until(stop, self._listen())
        finally:
            await self._end(drain_s)

    async def _start(self) -> None:
        patience = Patience()
        while True:
            try:
                await self.bot.initialize()
                await self.bot.get_me()  # a second `initialize` does not ask again
                await menu.show(self.bot)
                await self.updates.open(self.bot, self.hearing.take, self.hearing.lane)
                return self.outbox.open()
            except InvalidToken:
                raise
            except TelegramError as error:
                logger.warning("Telegram cannot be reached: %s", error.message)
                await patience.after(error)

    async def _end(self, drain_s: float) -> None:
        await self.updates.close()
        await self.outbox.close(drain_s, self.errands.done())
        await self.errands.stop()
        await self.bot.shutdown()

    async def _listen(self) -> None:
        try:
            await self._start()
            await self.updates.listen()
        except InvalidToken:
            raise NotConfigured("Telegram does not know telegram.token; @BotFather tells the right one.") from None

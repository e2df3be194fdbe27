"""A bot on the fake Telegram, in a thread of its own: started, stopped, started again on the same log."""

from __future__ import annotations

import asyncio
import secrets
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from telegram import Bot
from telegram.request import HTTPXRequest

from adapters import wiring
from adapters.files import Maker
from adapters.limits import Limits
from adapters.telegram.bot import TelegramBot, Updates
from adapters.telegram.polling import Polling
from adapters.telegram.webhook import Webhook
from adapters.wiring import Place, now
from core.app import App
from tests.servers.telegram import FakeTelegram, Seen
from tests.servers.telegram_emulator import TelegramEmulator

Json = dict[str, Any]


def client(server: FakeTelegram | TelegramEmulator) -> Bot:
    """python-telegram-bot's Bot at the server."""
    request = [HTTPXRequest(httpx_kwargs={"trust_env": False}) for _ in range(2)]
    return Bot(server.token, server.base_url, server.base_file_url, request[0], request[1])


def webhook() -> Webhook:
    """A webhook at a port of this machine that nobody else has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        at = f"127.0.0.1:{probe.getsockname()[1]}"
    return Webhook(f"http://{at}/hook", at, "s3cret")


class Running:
    """The bot while it runs, by polling unless `updates` says otherwise."""

    def __init__(
        self,
        server: FakeTelegram | TelegramEmulator,
        path: Place,
        clock: Callable[[], float] = time.time,
        updates: Callable[[], Updates] = Polling,
        make: Maker | None = None,
        limits: Limits | None = None,
        allow: Sequence[str] = (),
    ) -> None:
        self.server, self.path, self.clock, self.updates, self.make = server, path, clock, updates, make
        self.limits, self.allow = limits, allow

    def __enter__(self) -> Running:
        self._open()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(20)
        self.log.close()
        assert not self._thread.is_alive()

    def run_here(self) -> None:
        """Without a thread of its own, for a bot that cannot start: what it raises is raised."""
        self._open()
        try:
            asyncio.run(self._run())
        finally:
            self.log.close()

    def _open(self) -> None:
        self.log = wiring.opened(self.path)
        self.app = App(self.log, now, secrets.token_bytes)
        self._ready = threading.Event()

    async def _run(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._ready.set()
        bot = TelegramBot(
            self.app, client(self.server), self.clock, updates=self.updates(), make=self.make, limits=self.limits,
            allow=self.allow,
        )  # fmt: skip
        await bot.run(self._stop, drain_s=2)


def ask(server: FakeTelegram, chat: int, by: Json, text: str, thread: int | None = None, **more: Any) -> Seen:
    """A command, and the first thing that the bot says to it."""
    before = {one.id for one in server.of_bot(chat)}
    server.text(chat, by, text, thread=thread, **more)
    return server.wait_for(lambda: [one for one in server.of_bot(chat) if one.id not in before])[0]

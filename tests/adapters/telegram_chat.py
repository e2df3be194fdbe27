"""A bot on the fake Telegram, in a thread of its own: started, stopped, started again on the same log."""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path

from telegram import Bot
from telegram.request import HTTPXRequest

from adapters.telegram.bot import TelegramBot
from adapters.wiring import now
from core.app import App
from events.sqlite import SqliteLog
from tests.servers.telegram import FakeTelegram


def client(server: FakeTelegram) -> Bot:
    """python-telegram-bot's Bot at the server."""
    request = [HTTPXRequest(httpx_kwargs={"trust_env": False}) for _ in range(2)]
    return Bot(server.token, server.base_url, server.base_file_url, request[0], request[1])


class Running:
    """The bot while it runs."""

    def __init__(self, server: FakeTelegram, path: Path, clock: Callable[[], float] = time.time) -> None:
        self.server, self.path, self.clock = server, path, clock

    def __enter__(self) -> Running:
        self.log = SqliteLog(self.path)
        self.app = App(self.log, now, secrets.token_bytes)
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(20)
        self.log.close()
        assert not self._thread.is_alive()

    async def _run(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._ready.set()
        await TelegramBot(self.app, client(self.server), self.clock).run(self._stop, drain_s=2)

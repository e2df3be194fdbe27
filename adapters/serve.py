"""`rollbook serve`: the chats that are configured, on one log, until SIGTERM.

A further chat is a folder beside the others, a section of the configuration, and a line in `CHATS`.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Protocol

from adapters import logs, wiring
from adapters.config import Config, NotConfigured, secrets_in, zones
from adapters.limits import Limits
from adapters.outbox import Outbox
from adapters.wiring import Log
from core.app import App

NOTHING = (
    "No chat is configured: `rollbook setup` asks for what one needs and writes it down "
    "(telegram.token or ROLLBOOK_TELEGRAM_TOKEN, or matrix.homeserver)."
)
logger = logging.getLogger(__name__)


class Chat(Protocol):
    """A platform's bot."""

    outbox: Outbox

    async def run(self, stop: asyncio.Event) -> None:
        """Until `stop` is set and what was accepted is answered. NotConfigured: it cannot go on as configured."""


def run(config: Config) -> None:
    """Until SIGTERM or SIGINT; what was accepted by then is answered, or stays in the log to be.

    NotConfigured: no chat is configured, or a platform does not know who we are.
    """
    if config.telegram is None and config.matrix is None:
        raise NotConfigured(NOTHING)
    logs.configure(config.log_format, secrets_in(config))
    at = wiring.log_of(config)
    log = wiring.opened(at)
    try:
        asyncio.run(_serve(config, log, wiring.shown(at)))
    finally:
        log.close()


async def _serve(config: Config, log: Log, place: str) -> None:
    asyncio.get_running_loop().set_exception_handler(logs.of_loop)
    stop = asyncio.Event()
    _stop_when_asked(stop)
    app = wiring.build(log, config.language or wiring.user_language(), zones(config.time_zone, "the configuration"))
    chats = {name: begin(config, app) for name, begin in CHATS.items() if getattr(config, name)}
    _spare_the_collector()
    logger.info("Serving %s from %s", " and ".join(chats), place)
    running: list[asyncio.Task[None]] = []
    async with _monitored(config, log, chats.values(), running):
        running += [asyncio.create_task(chat.run(stop), name=name) for name, chat in chats.items()]
        await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        stop.set()  # where one cannot go on, the others end in order
        for ended in await asyncio.gather(*running, return_exceptions=True):
            if isinstance(ended, BaseException):
                raise ended
    logger.info("Ended")


def _monitored(
    config: Config, log: Log, chats: Iterable[Chat], running: Sequence[asyncio.Task[None]]
) -> AbstractAsyncContextManager[None]:
    if config.metrics is None:
        return nullcontext()
    from adapters.monitoring import Monitoring

    outboxes = [chat.outbox for chat in chats]
    return Monitoring(log, outboxes, lambda: not any(task.done() for task in running)).at(config.metrics.listen)


def _spare_the_collector() -> None:
    """What was loaded so far stays to the end: looking through it again and again only holds everybody up."""
    gc.collect()
    gc.freeze()


def _stop_when_asked(stop: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # on Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))


def _telegram(config: Config, app: App) -> Chat:
    from adapters.telegram.bot import TelegramBot

    if config.telegram is None:
        raise NotConfigured(NOTHING)
    return TelegramBot.of(config.telegram, app, time.time, config.patience_minutes * 60, Limits(config.limits))


def _matrix(config: Config, app: App) -> Chat:
    from adapters.matrix.bot import MatrixBot

    if config.matrix is None:
        raise NotConfigured(NOTHING)
    return MatrixBot(app, config.matrix, time.time, config.patience_minutes * 60, Limits(config.limits))


CHATS: Mapping[str, Callable[[Config, App], Chat]] = {"telegram": _telegram, "matrix": _matrix}

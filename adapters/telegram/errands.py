"""What is asked of Telegram beside the way of a message, and nobody waits for: notices, menus. It may fail."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from telegram.error import BadRequest, NetworkError, RetryAfter, TelegramError

from adapters.telegram.patience import Patience
from events.log import LogUnusable

TRIES = 6
logger = logging.getLogger(__name__)

Errand: TypeAlias = Callable[[], Awaitable[object]]  # doing it twice does no harm


class Errands:
    """Each runs by itself, and again after what passes; `what` names it in the log if it fails for good."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def run(self, errand: Errand, what: str) -> None:
        task = asyncio.create_task(_tried(errand, what))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def done(self) -> None:
        """When there is none left."""
        while self._running:
            await asyncio.wait(self._running)

    async def stop(self) -> None:
        """What is not yet done is left undone."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


async def _tried(errand: Errand, what: str) -> None:
    patience = Patience()
    for _ in range(TRIES):
        try:
            await errand()
        except BadRequest as refused:  # to python-telegram-bot one of the NetworkErrors
            return logger.info("%s: %s", what, refused.message)
        except (NetworkError, RetryAfter) as failed:
            await patience.after(failed)
        except (TelegramError, LogUnusable) as failed:
            return logger.info("%s: %s", what, failed)
        else:
            return None
    return logger.info("%s: tried %s times", what, TRIES)

"""How long to wait before Telegram is asked again, or the log."""

from __future__ import annotations

import asyncio

from telegram.error import RetryAfter, TelegramError

from adapters import metrics
from adapters.telegram import wire
from adapters.telegram.wire import PLATFORM
from events.log import LogUnusable

FIRST_S, LONGEST_S = 0.2, 30.0


class Patience:
    """For failures in a row: as long as Telegram says, else twice as long each time. A success begins a new one."""

    def __init__(self) -> None:
        self._wait_s = FIRST_S

    async def after(self, failed: TelegramError | LogUnusable) -> None:
        """Until it may be tried again."""
        if isinstance(failed, RetryAfter):
            metrics.retried(PLATFORM, "rate_limit")
            await asyncio.sleep(wire.seconds(failed.retry_after))
            return
        metrics.retried(PLATFORM, "log" if isinstance(failed, LogUnusable) else "platform")
        await asyncio.sleep(self._wait_s)
        self._wait_s = min(2 * self._wait_s, LONGEST_S)

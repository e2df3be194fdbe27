"""What programs owe each other that share a log: turns at a table, and word of what is new.

Here: what every chat shares, for logs that offer it (`Shared`, a database); on all others it does nothing: there the
head that every append looks at is enough. Never: how that is done (the log's own business).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from typing import Protocol, runtime_checkable

from adapters.outbox import Outbox
from core.app import App

LONGEST_WAIT_S = 10.0  # for a turn: longer than a program that is gone keeps it
REACHABLE, NAMES = "reachable", "names"  # words; any other is a reason to look at the outbox


@runtime_checkable
class Shared(Protocol):
    """What a log offers that programs on several machines may use."""

    def lease(self, table: str) -> Future[bool]:
        """Done when no other program has its turn at the table. Cancelled, it is not wanted any more."""

    def release(self, table: str) -> None:
        """Once for each lease that was granted."""

    def tell(self, word: str) -> None:
        """To all programs that listen: soon, and perhaps."""

    def listen(self, hear: Callable[[str], None]) -> None:
        """Call this with each word, in another thread."""


class Sharing:
    """For one platform, whose letters `outbox` sends if this program is the one to do so."""

    def __init__(self, app: App, platform: str, outbox: Outbox) -> None:
        self._app, self._platform, self._outbox = app, platform, outbox
        self._log = app.log if isinstance(app.log, Shared) else None
        self._renamed = False
        if self._log:
            self._log.listen(self._hear)

    @asynccontextmanager
    async def turn(self, chat: str) -> AsyncIterator[None]:
        """While this lasts no other program that takes turns decides at the table that is open in this chat.

        LogUnusable: it cannot be asked for.
        """
        table = self._app.log.table_of(self._platform, chat) if self._log else None
        if self._log is None or table is None:
            yield
            return
        granted = self._log.lease(table)
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.wrap_future(granted), LONGEST_WAIT_S)
            self._meet()
            yield
        finally:
            if not granted.cancel() and granted.exception() is None:
                self._log.release(table)

    def reachable(self, chat: str) -> None:
        """Somebody wrote in this chat: what was held for it may go out, whichever program sends."""
        self._outbox.reachable(chat)
        if self._log:
            self._log.tell(f"{REACHABLE} {self._platform} {chat}")

    def _meet(self) -> None:
        if self._renamed:
            self._renamed = False
            self._app.tables.meet()

    def _hear(self, word: str) -> None:
        """In another thread; the loop may be over."""
        what, _, of = word.partition(" ")
        with suppress(RuntimeError):
            if what == REACHABLE:
                platform, _, chat = of.partition(" ")
                if platform == self._platform:
                    self._outbox.reachable(chat)
                return
            self._renamed |= what in (NAMES, "")
            self._outbox.wake()

"""The outbox's way to a platform: in order in each chat, until it is there, and what cannot get there held.

Here: what every chat shares. Never: how something is sent (each adapter's `post.py`). A letter is marked as sent when
the platform has said so; where the program dies between the two it is sent again: an answer that comes twice is better
than none. Of several programs on one log one alone sends, so that no answer comes twice because there are two of them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeAlias

from msgspec import Struct

from adapters import metrics
from core.app import App
from events.beside import TABLE, Beside, Letter, MessageKey, Parcel, Pending, Receipt
from events.log import LogUnusable, SeenBefore

LOOK_S = 1.0  # how long the letters of another program on this log may lie before they are seen
RETRY_S = 1.0
logger = logging.getLogger(__name__)


class Held(Struct, frozen=True):
    """We may not write there now. `told` is what the table hears of it, once for each message; empty: nothing."""

    told: str = ""


Carry: TypeAlias = Callable[[Pending], Awaitable[Held | None]]  # None: it is there


class Outbox:
    """Sends what is pending on one platform. A lane is a chat, or a person's own: its letters go in order."""

    def __init__(self, app: App, platform: str, carry: Carry) -> None:
        self.app, self.platform, self._carry = app, platform, carry
        self.sends = False  # whether we are the one to send
        self.held: set[str] = set()  # lanes that wait until somebody writes there
        self._lanes: dict[str, asyncio.Task[None]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._woken = False
        app.on_post(self.wake)

    def open(self) -> None:
        """Begin to send, now and whenever something new is pending."""
        self._loop = asyncio.get_running_loop()
        self._looking = asyncio.create_task(self._look())

    def wake(self) -> None:
        """Something new may be pending: looked for once, when all that is heard at this moment has been."""
        if self._looking is not None and not self._woken:
            self._woken = True
            self._loop.call_soon_threadsafe(self._look_round)

    def reachable(self, lane: str) -> None:
        """Somebody wrote in this chat: what was held for it may go out."""
        self.held.discard(lane)
        self.wake()

    async def close(self, drain_s: float, *others: Awaitable[None]) -> None:
        """When nothing more can be sent and `others` are done, but after `drain_s` at the latest."""
        try:
            async with asyncio.timeout(drain_s):
                await asyncio.gather(self.drained(), *others)
        except TimeoutError:
            logger.warning("Not everything could be sent; the rest goes out at the next start")
        await self.stop()

    async def drained(self) -> None:
        """When nothing more can be sent."""
        self._look_round()
        while self._lanes:
            await asyncio.wait(self._lanes.values())

    async def stop(self) -> None:
        """What is not yet sent stays pending."""
        looking, self._looking = self._looking, None
        tasks = [*self._lanes.values(), *([looking] if looking else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _look_round(self) -> None:
        self._woken = False
        if self._looking is None:
            return
        try:
            waiting = self._waiting()
        except LogUnusable as error:
            logger.warning("The outbox cannot be read; trying again: %s", error)
            return
        for lane in waiting - self.held - self._lanes.keys():
            self._lanes[lane] = asyncio.create_task(self._run(lane))

    def _waiting(self) -> set[str]:
        """The chats with something pending, if we are the one to send it."""
        return set(self.app.log.waiting(self.platform)) if self._alone() else set()

    def _alone(self) -> bool:
        self.sends = self.app.log.sole(f"post-{self.platform}")
        return self.sends

    async def _look(self) -> None:
        while True:
            self.wake()
            await asyncio.sleep(LOOK_S)

    async def _run(self, lane: str) -> None:
        try:
            while lane not in self.held and self._alone() and (letters := self.app.log.pending(self.platform, lane)):
                for one in letters:
                    if lane not in self.held and self._alone():  # a program that stood still may not be it any more
                        await self._deliver(one)
        except LogUnusable as error:
            logger.warning("The outbox cannot be read; trying again: %s", error)  # `_look` comes by again
        except Exception:
            logger.exception("A letter could not be sent; trying again")
            await asyncio.sleep(RETRY_S)
        finally:
            del self._lanes[lane]

    async def _deliver(self, one: Pending) -> None:
        held = await self._carry(one)
        if held is None:
            metrics.sent(self.platform, one.key)
            await self._mark(one.id)
        else:
            self._hold(one, held)

    async def _mark(self, letter: int) -> None:
        """Sent, whatever the disk says now: or else the same answer would come again and again."""
        while True:
            try:
                return self.app.log.sent(letter)
            except LogUnusable as error:
                logger.warning("The log cannot be written; trying again: %s", error)
                metrics.retried(self.platform, "log")
                await asyncio.sleep(RETRY_S)

    def _hold(self, one: Pending, held: Held) -> None:
        """It stays pending until the person writes to us; the table is told, once for each message."""
        self.held.add(one.chat)
        if not held.told or one.letter.to == TABLE:
            return
        key = MessageKey(one.key.platform, one.key.chat, f"{one.key.message}-held-{one.letter.to}")
        told = Letter(TABLE, held.told)
        receipt = Receipt("", 1, 0, None, (told,))
        with suppress(SeenBefore):
            self.app.post(Beside(key=key, receipt=receipt, also=self._where_they_are(one, told)))

    def _where_they_are(self, one: Pending, told: Letter) -> tuple[Parcel, ...]:
        """Whom we cannot reach on this platform reads along in the table's chats here, not where the command was."""
        table = self.app.table_at(one.key) if one.key.platform != self.platform else None
        chats = self.app.log.chats(table.id) if table else []
        return tuple(Parcel(platform, chat, told) for platform, chat in chats if platform == self.platform)

"""The way of a platform's messages into the log: until they are there; a chat is told once that one came too late."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from typing import TypeVar
from weakref import WeakKeyDictionary, ref

from core.app import App, Steps, is_talk
from core.messages import Answer, Incoming
from events.log import EventLog, LogUnusable

Given = TypeVar("Given")

RETRY_S = 1.0
logger = logging.getLogger(__name__)


def said(answer: Answer) -> bool:
    """Whether anything is said to anybody: talk that is kept has no answer."""
    return bool(answer.letters or answer.error)


class _Arrivals:
    """Appends that are there, told to one loop: a group of them wakes it once."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = ref(loop)
        self._arrived: deque[tuple[Future[None], asyncio.Future[None]]] = deque()

    def of(self, appended: Future[None]) -> asyncio.Future[None]:
        """Done when it is there; raises what it raises."""
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        appended.add_done_callback(lambda appended: self._arrive(appended, waiting))
        return waiting

    def _arrive(self, appended: Future[None], waiting: asyncio.Future[None]) -> None:
        """In the thread that appends, for one after another: the first of a group wakes the loop."""
        self._arrived.append((appended, waiting))
        if len(self._arrived) == 1 and (loop := self._loop()):
            with suppress(RuntimeError):  # it is closed: nobody waits any more
                loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        while self._arrived:
            appended, waiting = self._arrived.popleft()
            if waiting.done():
                continue
            if (error := appended.exception()) is None:
                waiting.set_result(None)
            else:
                waiting.set_exception(error)


_of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, _Arrivals] = WeakKeyDictionary()


def _arrivals(loop: asyncio.AbstractEventLoop) -> _Arrivals:
    return _of_loops.get(loop) or _of_loops.setdefault(loop, _Arrivals(loop))


async def carried_out(steps: Steps[Given], log: EventLog) -> Given:
    """What `App.now` does, while others go on: what many append at once is synced once.

    Cancelled, it may have been appended all the same.
    """
    arrivals = _arrivals(asyncio.get_running_loop())
    try:
        entry = next(steps)
        while True:
            try:
                await arrivals.of(log.submit(entry.table, entry.expected, entry.events, entry.beside))
            except Exception as error:
                entry = steps.throw(error)
            else:
                entry = next(steps)
    except StopIteration as done:
        given: Given = done.value
        return given


async def until(stop: asyncio.Event, work: Coroutine[None, None, None]) -> None:
    """Listen until `stop` is set, or it ends by itself; what it raises then is raised."""
    tasks = working, _ = asyncio.create_task(work), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if not working.cancelled() and (failed := working.exception()):
        raise failed


class Inbox:
    """`clock` gives seconds since 1970; commands that waited longer than `patience_s` are told so and not run."""

    def __init__(self, app: App, platform: str, clock: Callable[[], float], patience_s: float) -> None:
        self.app, self.platform, self.clock, self.patience_s = app, platform, clock, patience_s
        self._told_late: set[str] = set()

    @property
    def late_before(self) -> float:
        """What was written before this, in seconds since 1970, comes too late."""
        return self.clock() - self.patience_s

    def person(self, account: str) -> str:
        return self.app.person(self.platform, account)

    def hear(self, incoming: Incoming) -> list[Answer]:
        """What the core answers; LogUnusable: nothing was taken up."""
        return self.app.now(self._steps(incoming))

    async def hearing(self, incoming: Incoming) -> list[Answer]:
        """The same, while others go on; what is of one chat has to be taken up one after another."""
        return await carried_out(self._steps(incoming), self.app.log)

    def _steps(self, incoming: Incoming) -> Steps[list[Answer]]:
        if not incoming.late:
            self._told_late.discard(incoming.key.chat)
        elif not is_talk(incoming):
            return self._late(incoming)
        return self.app.hearing(incoming)

    def _late(self, incoming: Incoming) -> Steps[list[Answer]]:
        """What came too late is told so, once in a chat."""
        if incoming.key.chat in self._told_late:
            return []
        answers = yield from self.app.hearing(incoming)
        if answers:
            logger.warning("Something written long ago comes in only now; if that is not so, the clock here is wrong")
            self._told_late.add(incoming.key.chat)
        return answers

    async def until_kept(self, take: Callable[[], None], what: str) -> None:
        """Do this, again and again while the log cannot be written.

        Whatever else goes wrong is logged under the name `what` and let be, or nothing would ever come after it.
        """
        while True:
            try:
                return take()
            except LogUnusable as error:
                logger.warning("The log cannot be written; trying again: %s", error)
                await asyncio.sleep(RETRY_S)
            except Exception:
                logger.exception("%s was not understood", what)
                return None

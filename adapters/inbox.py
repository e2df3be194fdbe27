"""The way of a platform's messages into the log: until they are there; a chat is told once that one came too late."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from math import ceil, inf
from time import perf_counter
from typing import TypeVar, cast
from weakref import WeakKeyDictionary

from msgspec.structs import replace

from adapters import metrics
from adapters.limits import TALK, Bucket, Limits, Whose
from adapters.notices import Notices
from adapters.words import FLOODED
from core.app import App, Steps, Work, is_talk
from core.grammar.text import plain_name
from core.messages import Answer, Edited, Incoming
from core.restoring import RESTORED_AT
from events.log import Entry, EventLog, LogUnusable, check

Given = TypeVar("Given")

RETRY_S = 1.0
SLOW_S, EACH_S = 0.02, 0.000_5  # a group, and each append in it, that takes longer holds up what else the loop does
SLOW_FOR_S = 10.0
logger = logging.getLogger(__name__)


def said(answer: Answer) -> bool:
    """Whether anything is said to anybody: talk that is kept has no answer."""
    return bool(answer.letters or answer.error)


class _Appends:
    """What is appended for one loop: gathered while the loop goes round once, and synced once.

    By the loop itself, since to a thread and back takes longer than a quick disk. Where that held the loop up, a thread
    does it for a while.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, log: EventLog) -> None:
        self.loop, self._log = loop, log
        self._gathered: list[tuple[Entry, asyncio.Future[None]]] = []
        self._arrived: deque[tuple[asyncio.Future[None], Exception | None]] = deque()
        self._slow_until = 0.0 if log.local else inf

    def of(self, entry: Entry) -> asyncio.Future[None]:
        """Done when it is there; raises what `append` raises."""
        waiting: asyncio.Future[None] = self.loop.create_future()
        if self.loop.time() < self._slow_until:
            appended = self._log.submit(entry.table, entry.expected, entry.events, entry.beside)
            appended.add_done_callback(lambda appended: self._arrive(appended, waiting))
            return waiting
        check(entry)  # at once, so that it fails alone
        if not self._gathered:
            self.loop.call_soon(self._append)
        self._gathered.append((entry, waiting))
        return waiting

    def _append(self) -> None:
        gathered, self._gathered = self._gathered, []
        began = self.loop.time()
        try:
            outcomes = self._log.append_many([entry for entry, _ in gathered])
        except Exception as error:  # or else all of them would wait for ever
            outcomes = [error] * len(gathered)
        now = self.loop.time()
        if now - began > SLOW_S + len(gathered) * EACH_S:
            self._slow_until = now + SLOW_FOR_S
        for (_, waiting), outcome in zip(gathered, outcomes, strict=True):
            _tell(waiting, outcome)

    def _arrive(self, appended: Future[None], waiting: asyncio.Future[None]) -> None:
        """In the thread that appends, for one after another: the first of a group wakes the loop."""
        self._arrived.append((waiting, cast(Exception | None, appended.exception())))
        if len(self._arrived) == 1:
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                self.loop.call_soon_threadsafe(self._tell_all)

    def _tell_all(self) -> None:
        while self._arrived:
            _tell(*self._arrived.popleft())


def _tell(waiting: asyncio.Future[None], error: Exception | None) -> None:
    if waiting.done():  # cancelled
        return
    if error is None:
        waiting.set_result(None)
    else:
        waiting.set_exception(error)


_of_logs: WeakKeyDictionary[EventLog, _Appends] = WeakKeyDictionary()


def _appends(log: EventLog) -> _Appends:
    loop = asyncio.get_running_loop()
    found = _of_logs.get(log)
    if found is None or found.loop is not loop:
        found = _of_logs[log] = _Appends(loop, log)
    return found


async def carried_out(steps: Steps[Given], log: EventLog) -> Given:
    """What `App.now` does, while others go on: what many append at once is synced once.

    Cancelled, it may have been appended all the same.
    """
    appends = _appends(log)
    try:
        step = next(steps)
        while True:
            try:
                done = await (asyncio.to_thread(step.do) if isinstance(step, Work) else appends.of(step))
            except Exception as error:
                step = steps.throw(error)
            else:
                step = steps.send(done)
    except StopIteration as ended:
        given: Given = ended.value
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
    """`clock` gives seconds since 1970; commands that waited longer than `patience_s` are told so and not run, but
    for those that are good however late (`App.takes_late`).

    What goes beyond `limits` is told so once, and left out until it calms down; none: everything is taken up.
    """

    def __init__(
        self, app: App, platform: str, clock: Callable[[], float], patience_s: float, limits: Limits | None = None
    ) -> None:
        self.app, self.platform, self.clock, self.patience_s = app, platform, clock, patience_s
        self._limits, self._notices = limits, Notices(app)
        self._told_late: set[str] = set()
        self._restored_at = float(app.log.bookmark(RESTORED_AT) or 0)

    @property
    def late_before(self) -> float:
        """What was written before this, in seconds since 1970, comes too late.

        So does what was written before the log was restored: it may have been answered, and the record does not know.
        """
        return max(self.clock() - self.patience_s, self._restored_at)

    def person(self, account: str) -> str:
        return self.app.person(self.platform, account)

    def hear(self, incoming: Incoming) -> list[Answer]:
        """What the core answers; LogUnusable: nothing was taken up."""
        began = perf_counter()
        answers = self.app.now(self._steps(incoming))
        metrics.heard(self.platform, answers, began)
        return answers

    async def hearing(self, incoming: Incoming) -> list[Answer]:
        """The same, while others go on; what is of one chat has to be taken up one after another."""
        began = perf_counter()
        answers = await carried_out(self._steps(incoming), self.app.log)
        metrics.heard(self.platform, answers, began)
        return answers

    def edited(self, edited: Edited) -> None:
        """A message reads otherwise now. LogUnusable: nothing was taken up."""
        limits, chat, now = self._limits, edited.key.chat, self.clock()
        if limits and limits.used_up(chat, edited.person, None, now):
            return
        answer = self.app.edited(edited)
        if limits and answer and answer.new:
            limits.spend(chat, edited.person, None, now, TALK)

    def _steps(self, incoming: Incoming) -> Steps[list[Answer]]:
        now = self.clock()
        found = self._limits and self._limits.used_up(incoming.key.chat, incoming.person, incoming.sent_at, now)
        if found and self.app.log.receipt(incoming.key) is None:  # what only comes again is never too much
            metrics.left_out(self.platform, found[0])
            self._left_out(incoming, *found)
            return []
        answers = yield from self._within_limits(incoming)
        if self._limits:
            self._limits.took(incoming, answers, now)
        return answers

    def _left_out(self, incoming: Incoming, whose: Whose, bucket: Bucket) -> None:
        """What is too much is told so once, where anybody could miss it, until it has calmed down."""
        if bucket.closed or (is_talk(incoming) and not self.app.talk.keeps(incoming)):
            return
        key = replace(incoming.key, message=f"{incoming.key.message}-flood-{whose}")
        self._notices.post(FLOODED[whose], key, name=plain_name(incoming.name), seconds=str(ceil(bucket.opens_in_s)))
        bucket.closed = True
        logger.warning("More comes in than limits.%s_per_minute; the rest is left out until it calms down", whose)

    def _within_limits(self, incoming: Incoming) -> Steps[list[Answer]]:
        if not incoming.late:
            self._told_late.discard(incoming.key.chat)
        elif not is_talk(incoming) and not self.app.takes_late(incoming):
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

    async def until_kept(self, take: Callable[[], Awaitable[None] | None], what: str) -> None:
        """Do this, again and again while the log cannot be written.

        Whatever else goes wrong is logged under the name `what` and let be, or nothing would ever come after it.
        """
        while True:
            try:
                if (taking := take()) is not None:
                    await taking
            except LogUnusable as error:
                logger.warning("The log cannot be written; trying again: %s", error)
                metrics.retried(self.platform, "log")
                await asyncio.sleep(RETRY_S)
            except Exception:
                logger.exception("%s was not understood", what)
                return
            else:
                return

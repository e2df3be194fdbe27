"""`[metrics]`: what Prometheus asks for at /metrics, and whether the program lives at /healthz.

Here: what is looked up when it is asked for, and the log's check in the background. What is counted as it happens
stands in `metrics.py`. Never: anything that would hold up a chat; the log is read in threads.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from http import HTTPStatus

from aiohttp import web
from prometheus_client.aiohttp import make_aiohttp_handler

from adapters import metrics
from adapters.config import NotConfigured
from adapters.doctor import end_break
from adapters.outbox import Outbox
from adapters.wiring import Log
from events.chain import Break
from events.log import LogUnusable

CHECK_S = 300.0  # from one check of the log to the next
PAUSE_S = 0.02  # between two tables of it
ALIVE_S = 5.0  # that long a log may take to be read
FINISH_S = 1.0  # for requests under way at the end
logger = logging.getLogger(__name__)


class Monitoring:
    """`outboxes` are those of the chats that are served; `alive` says whether all of these run."""

    def __init__(self, log: Log, outboxes: Iterable[Outbox], alive: Callable[[], bool]) -> None:
        self._log, self._outboxes, self._alive = log, tuple(outboxes), alive
        self._expose = make_aiohttp_handler()
        self._asked = asyncio.Lock()
        self._since: dict[str, dict[int, float]] = {}  # platform -> letters that wait -> since when we know of them
        metrics.begin([one.platform for one in self._outboxes])

    @asynccontextmanager
    async def at(self, listen: str) -> AsyncIterator[None]:
        """While this lasts, host:port `listen` answers. NotConfigured: nobody can listen there."""
        app = web.Application()
        app.router.add_get("/metrics", self._metrics)
        app.router.add_get("/healthz", self._healthz)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=FINISH_S)
        await runner.setup()
        checking = asyncio.create_task(self._check_again_and_again())
        try:
            await _listening(runner, listen)
            yield
        finally:
            checking.cancel()
            await runner.cleanup()

    # ---- asked for

    async def _metrics(self, request: web.Request) -> web.StreamResponse:
        async with self._asked:
            await asyncio.to_thread(self._look)
            return await self._expose(request)

    async def _healthz(self, _request: web.Request) -> web.Response:
        """200: the chats are served, and the log can be read. That a platform is away is no reason to start anew."""
        why = "" if self._alive() else "a chat is not served any more"
        try:
            async with asyncio.timeout(ALIVE_S):
                await asyncio.to_thread(self._log.bookmark, "healthz")
        except (LogUnusable, TimeoutError):
            why = "the log cannot be read"
        return web.Response(text=why or "ok", status=HTTPStatus.SERVICE_UNAVAILABLE if why else HTTPStatus.OK)

    def _look(self) -> None:
        metrics.LETTERS.clear()
        metrics.OLDEST.clear()
        try:
            metrics.BYTES.set(self._log.size())
            for outbox in self._outboxes:
                if outbox.sends:  # of several programs one tells of the letters
                    self._look_at(outbox)
        except LogUnusable:
            metrics.READABLE.set(0)
        else:
            metrics.READABLE.set(1)

    def _look_at(self, outbox: Outbox) -> None:
        pending = self._log.pending(outbox.platform)
        waiting = [one.id for one in pending if one.chat not in outbox.held]
        metrics.LETTERS.labels(outbox.platform, "waiting").set(len(waiting))
        metrics.LETTERS.labels(outbox.platform, "held").set(len(pending) - len(waiting))
        metrics.OLDEST.labels(outbox.platform).set(self._oldest(outbox.platform, waiting))

    def _oldest(self, platform: str, waiting: Iterable[int]) -> float:
        now, before = time.monotonic(), self._since.get(platform, {})
        since = self._since[platform] = {letter: before.get(letter, now) for letter in waiting}
        return now - min(since.values(), default=now)

    # ---- the check of the log

    async def _check_again_and_again(self) -> None:
        while True:
            try:
                await self._check()
            except LogUnusable as error:
                logger.warning("The log cannot be checked: %s", error)
            await asyncio.sleep(CHECK_S)

    async def _check(self) -> None:
        """The end of each table's chain, as `rollbook doctor` looks at it."""
        tables = await asyncio.to_thread(self._log.tables)
        broken = events = 0
        for table in tables:
            flaw, length = await asyncio.to_thread(_end, self._log, table)
            events += length
            if flaw:
                broken += 1
                logger.error("Event %s of table %s does not hold; rollbook verify tells more", flaw.seq, table)
            await asyncio.sleep(PAUSE_S)
        metrics.TABLES.set(len(tables))
        metrics.EVENTS.set(events)
        metrics.BROKEN.set(broken)
        metrics.CHECKED.set_to_current_time()


def _end(log: Log, table: str) -> tuple[Break | None, int]:
    return end_break(log, table), log.head(table).seq


async def _listening(runner: web.AppRunner, listen: str) -> None:
    host, _, port = listen.rpartition(":")
    try:
        await web.TCPSite(runner, host.strip("[]"), int(port)).start()
    except (OSError, UnicodeError) as error:  # a host whose name cannot be one is a UnicodeError
        why = getattr(error, "strerror", None) or "there is no such host"
        raise NotConfigured(f"metrics.listen: nobody can listen at {listen}: {why}") from None

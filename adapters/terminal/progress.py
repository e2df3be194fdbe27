"""How far a long task has got, at a terminal: a bar that comes after a second and leaves nothing behind.

Here: the bar, and a log that moves it as it is read. Never: anything in a pipe or on standard output, and nothing about
what the task is.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar, cast

from events.envelope import Stored
from events.log import EventLog

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE_S = 1.0
STEP = 500  # events between two looks at the clock
Moved: TypeAlias = Callable[[int], object] | None  # hears how much more is done; null where nobody looks
T = TypeVar("T")


@contextmanager
def bar(total: int) -> Iterator[Moved]:
    """A bar on stderr while this lasts, moved by calls of what it gives, up to `total` (0: unknown)."""
    if not sys.stderr.isatty():
        yield None
        return
    drawn = _Bar(total)
    try:
        yield drawn.move
    finally:
        drawn.take_away()


class Examined(EventLog, Protocol):
    """A log that can be looked at whole."""

    def examine(self) -> None:
        """LogUnusable("damaged"): something in it does not fit together."""


class WatchedLog(Examined, Protocol):
    """And that can show how much of it is read: `on_read` hears of every few events."""

    on_read: Moved

    def shown(self, total: int) -> AbstractContextManager[None]:
        """A bar while this lasts, in which so many events are read, those that are read again counted again."""


def watched(log: Examined) -> WatchedLog:
    return cast(WatchedLog, _Watched(log))  # what it has not of its own it has of the log


class _Watched:
    def __init__(self, log: EventLog) -> None:
        self._log = log
        self.on_read: Moved = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    def read(self, table: str, after: int = 0, to: int | None = None) -> Iterator[Stored]:
        found = self._log.read(table, after, to)
        return found if self.on_read is None else counted(found, self.on_read)

    @contextmanager
    def shown(self, total: int) -> Iterator[None]:
        try:
            with bar(total) as self.on_read:
                yield
        finally:
            self.on_read = None


def counted(found: Iterable[T], moved: Callable[[int], object]) -> Iterator[T]:
    """The same; `moved` hears of every STEP of them."""
    for count, one in enumerate(found, 1):
        if not count % STEP:
            moved(STEP)
        yield one


class _Bar:
    """Its library is slow to load, so it is when the bar is first drawn."""

    def __init__(self, total: int) -> None:
        self._total, self._done = total, 0
        self._due = time.monotonic() + PATIENCE_S
        self._drawn: Progress | None = None

    def move(self, more: int) -> None:
        self._done += more
        if self._drawn is None and time.monotonic() >= self._due:
            self._drawn = _drawn(self._total)
        if self._drawn is not None:
            self._drawn.update(self._drawn.task_ids[0], completed=self._done)

    def take_away(self) -> None:
        if self._drawn is not None:
            self._drawn.stop()


def _drawn(total: int) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    progress = Progress(
        *columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False,
        disable=console.is_dumb_terminal,
    )  # fmt: skip
    progress.add_task("", total=total or None)
    progress.start()
    return progress

"""The log without the bot: events of the usual length appended to one table, and to many tables at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue

from core.app import App
from core.messages import Incoming
from events import chain
from events.beside import MessageKey
from events.envelope import Head, Stored
from events.log import Entry, MemoryLog
from events.sqlite import SqliteLog
from events.types import RollMade
from tests.bench.figures import Size, rate
from tests.bench.raw_sqlite import BODY
from tests.bench.rounds import Round
from tests.story import Clock, Seeds

BENCHMARK = "the log alone"
HASH = "0" * 64
AT = "2026-11-30T05:00:00.000Z"


class Chain:
    """The next event of a table, as ready bytes."""

    def __init__(self, table: str) -> None:
        self.table, self.seq = table, 0

    def next(self) -> Sequence[Stored]:
        self.seq += 1
        return (Stored(self.seq, BODY, HASH),)


class Sealed(Chain):
    """The same, written as JSON and put into its chain."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self._head, self._roll = Head(), a_roll()

    def next(self) -> Sequence[Stored]:
        sealed = chain.seal(self._head, self.table, AT, "p1", "telegram:-100123:456", 1, [self._roll])
        self._head = chain.head_of(sealed, self._head)
        self.seq += 1
        return sealed


def a_roll() -> RollMade:
    """What `/trait d8` leads to."""
    app = App(MemoryLog(), Clock(), Seeds())
    for number, text in enumerate(("/table new savage Glacier", "/trait d8")):
        incoming = Incoming(key=MessageKey("bench", "1", str(number)), person="p1", name="Gm", text=text)
        (answer,) = app.hear(incoming)
    roll = answer.events[0].data
    assert isinstance(roll, RollMade)
    return roll


def one_table(size: Size, folder: Path) -> Iterator[Round]:
    with closing(SqliteLog(folder / "rollbook.db")) as log:
        table = Chain("table")
        while True:
            began = time.perf_counter()
            for _ in range(size.rows):
                log.append(table.table, table.seq, table.next())
            yield [rate(BENCHMARK, "1 table", size.rows, time.perf_counter() - began, "events")]


def many_tables(size: Size, folder: Path) -> Iterator[Round]:
    yield from _in_flight(size, folder, f"{size.tables} tables in flight", Chain)


def many_tables_sealed(size: Size, folder: Path) -> Iterator[Round]:
    yield from _in_flight(size, folder, f"{size.tables} tables in flight, sealed", Sealed)


def together(size: Size, folder: Path) -> Iterator[Round]:
    """What a loop with so many chats does: all that is there at a moment in one call."""
    with closing(SqliteLog(folder / "rollbook.db")) as log:
        tables = [Chain(f"table{number}") for number in range(size.tables)]
        count = -(-size.in_flight // len(tables))
        while True:
            began = time.perf_counter()
            for _ in range(count):
                outcomes = log.append_many([Entry(one.table, one.seq, one.next()) for one in tables])
                assert not any(outcomes)
            took = time.perf_counter() - began
            yield [rate(BENCHMARK, f"{size.tables} tables, in one call", count * len(tables), took, "events")]


def _in_flight(size: Size, folder: Path, name: str, of: Callable[[str], Chain]) -> Iterator[Round]:
    """Each table submits its next event when its last one is on the disk."""
    with closing(SqliteLog(folder / "rollbook.db")) as log:
        tables = [of(f"table{number}") for number in range(size.tables)]
        while True:
            began = time.perf_counter()
            _submitted(log, tables, size.in_flight)
            yield [rate(BENCHMARK, name, size.in_flight, time.perf_counter() - began, "events")]


def _submitted(log: SqliteLog, tables: Sequence[Chain], count: int) -> None:
    stored = SimpleQueue[tuple[Chain, Future[None]]]()

    def submit(table: Chain) -> None:
        future = log.submit(table.table, table.seq, table.next())
        future.add_done_callback(lambda done: stored.put((table, done)))

    for table in tables:
        submit(table)
    for number in range(len(tables), len(tables) + count):
        table, done = stored.get()
        done.result()
        if number < count:
            submit(table)

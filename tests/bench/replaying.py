"""A long record read again: what its table is, event by event, and what each part of the way takes.

In processor time: the log lies in the system's cache, so that nothing is waited for.
"""

from __future__ import annotations

import gc
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from adapters import wiring
from core.app import App
from core.evolve import Table, replay
from core.registry import SYSTEMS
from events import codec
from events.sqlite import SqliteLog
from tests.bench import long_log
from tests.bench.figures import Figure, Size
from tests.bench.rounds import Round

BENCHMARK = "replay"
UNIT = "µs an event"


def replayed(size: Size, folder: Path) -> Iterator[Round]:
    """A table of each system: what `App.table` does for one that is not in memory, and its parts by themselves."""
    path = folder / "rollbook.db"
    long_log.write(path, size.replayed * len(SYSTEMS))
    with closing(SqliteLog(path)) as log:
        tables = log.tables()
        while True:
            whole = {table: _took(partial(_app(log).table, table)) for table in tables}
            parts = [_parts(log, table) for table in tables]
            yield [
                _figure("read, decode, evolve", sum(whole.values()), size.replayed * len(tables)),
                *(_figure(f"the same, {_system(log, table)}", took, size.replayed) for table, took in whole.items()),
                *(_figure(part, sum(one[part] for one in parts), size.replayed * len(tables)) for part in parts[0]),
            ]


def _app(log: SqliteLog) -> App:
    """One that knows no snapshots: all of a record is read."""
    return App(log, wiring.now, secrets.token_bytes)


def _system(log: SqliteLog, table: str) -> str:
    return _app(log).table(table).play.system


def _parts(log: SqliteLog, table: str) -> dict[str, float]:
    stored = list(log.read(table))
    envelopes = list(map(codec.decode, stored))
    return {
        "read alone": _took(lambda: _run_through(log.read(table))),
        "decode alone": _took(lambda: _run_through(map(codec.decode, stored))),
        "evolve alone": _took(lambda: replay(Table(table), envelopes)),
    }


def _run_through(things: Iterable[object]) -> None:
    deque(things, maxlen=0)


def _took(do: Callable[[], object]) -> float:
    gc.collect()
    began = time.process_time()
    do()
    return time.process_time() - began


def _figure(name: str, took_s: float, events: int) -> Figure:
    return Figure(BENCHMARK, name, 1e6 * took_s / events, UNIT)

"""One table of a large log: opened by a program that runs, and by one that is started for it."""

from __future__ import annotations

import secrets
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median

from adapters import wiring
from adapters.terminal.wire import PLATFORM
from core.app import App
from core.registry import SYSTEMS
from events.beside import TABLE, Beside, Letter, MessageKey, Receipt
from events.envelope import Stored
from events.sqlite import SqliteLog
from tests.adapters.terminal import ENVIRONMENT, PROGRAM
from tests.bench import long_log
from tests.bench.figures import Figure, Size
from tests.bench.rounds import Round

BENCHMARK = "large logs"
CHAT = "bench"
OTHERS = 5_000  # events of each of the other tables
OPENINGS = 5
ANSWER = Letter(TABLE, "🎲 Ann: athletics d8 [5] + Wild Die [3] = 5, a success.")


def opened(size: Size, folder: Path) -> Iterator[Round]:
    """A table of `size.opened` events beside so many others that the log has as many as each of `size.logs`."""
    paths = _logs(size, folder)
    with closing(SqliteLog(paths[-1])) as log:
        table = log.table_of(PLATFORM, CHAT)
        assert table is not None
        snapshotless = partial(App, log, wiring.now, secrets.token_bytes)
        with_snapshot = partial(wiring.build, log, "en")
        _opened_s(with_snapshot, table)
        assert log.snapshot(table)
        name = f"a table of {size.opened:,} opened from {size.logs[-1]:,}"
        while True:
            whole, restored = (
                median(_opened_s(made, table) for _ in range(OPENINGS)) for made in (snapshotless, with_snapshot)
            )
            starts = [_figure(f"start to first answer, {events:,} events", _started_s(path))
                      for events, path in zip(size.logs, paths, strict=True)]  # fmt: skip
            yield [_figure(name, whole), _figure(f"{name}, with a snapshot", restored), *starts]


def _figure(name: str, took_s: float) -> Figure:
    return Figure(BENCHMARK, name, 1e3 * took_s, "ms")


def _opened_s(made: Callable[[], App], table: str) -> float:
    """By a program that has not yet looked at it."""
    app = made()
    began = time.perf_counter()
    assert app.table(table).opened
    return time.perf_counter() - began


def _started_s(path: Path) -> float:
    """From the start of the program to the first line that it answers with."""
    began = time.perf_counter()
    arguments = (*PROGRAM, "play", "--db", str(path), "--table", CHAT, "--as", "ann")
    with subprocess.Popen(arguments, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write(b"/trait d8\n")
        program.stdin.flush()
        assert program.stdout.readline()
        took = time.perf_counter() - began
        program.stdin.close()
    assert program.returncode == 0
    return took


def _logs(size: Size, folder: Path) -> Sequence[Path]:
    """The smallest log, a copy of it that has grown, a copy of that …"""
    paths, others = [folder / f"{events}.db" for events in size.logs], _other_events(size, folder)
    long_log.write(paths[0], size.opened, ("savage",))
    with closing(SqliteLog(paths[0])) as log:
        log.append(log.tables()[0], 0, (), Beside(chat=(PLATFORM, CHAT), former=None))
    _grown(paths[0], size.opened, size.logs[0], others)
    for (smaller, before), (larger, after) in pairwise(zip(paths, size.logs, strict=True)):
        shutil.copy(smaller, larger)
        _grown(larger, before, after, others)
    return paths


def _other_events(size: Size, folder: Path) -> list[list[Stored]]:
    """What is told at other tables: one of each system."""
    path = folder / "others.db"
    each = min(OTHERS, size.logs[-1])
    long_log.write(path, each * len(SYSTEMS))
    with closing(SqliteLog(path)) as log:
        return [list(log.read(table)) for table in log.tables()]


def _grown(path: Path, before: int, after: int, others: Sequence[Sequence[Stored]]) -> None:
    """Other tables at which the same was told again, each event with its message and its answer, which was sent."""
    with closing(SqliteLog(path)) as log:
        while before < after:
            number = len(log.tables())
            record = others[number % len(others)][: after - before]
            for done in [_kept(log, f"other{number}", event) for event in record]:
                done.result()
            before += len(record)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE outbox SET sent = 1")


def _kept(log: SqliteLog, table: str, event: Stored) -> Future[None]:
    key = MessageKey("telegram", table, str(event.seq))
    receipt = Receipt(table, event.seq, event.seq, None, (ANSWER,))
    return log.submit(table, event.seq - 1, (event,), Beside(key=key, receipt=receipt))

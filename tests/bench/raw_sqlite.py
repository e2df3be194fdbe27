"""SQLite alone, as durable as our log: what the disk gives to whoever writes one row at a time, or 100 of them."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from tests.bench.figures import Figure, Size, percentile, rate
from tests.bench.rounds import Round

BENCHMARK = "raw SQLite, durable"
BODY = bytes(405)  # as long as an event usually is
GROUP = 100
_INSERT = "INSERT INTO events (body) VALUES (?)"


def single_rows(size: Size, folder: Path) -> Iterator[Round]:
    with closing(_opened(folder)) as db:
        while True:
            times = [_timed_s(db) for _ in range(size.rows)]
            yield [
                rate(BENCHMARK, "single rows", size.rows, sum(times), "rows"),
                Figure(BENCHMARK, "single rows, p99", 1e3 * percentile(times, 0.99), "ms"),
            ]


def groups(size: Size, folder: Path) -> Iterator[Round]:
    with closing(_opened(folder)) as db:
        count = max(1, size.in_flight // GROUP)
        while True:
            began = time.perf_counter()
            for _ in range(count):
                db.execute("BEGIN")
                db.executemany(_INSERT, [(BODY,)] * GROUP)
                db.execute("COMMIT")
            yield [rate(BENCHMARK, f"groups of {GROUP}", count * GROUP, time.perf_counter() - began, "rows")]


def _opened(folder: Path) -> sqlite3.Connection:
    db = sqlite3.connect(folder / "raw.db", isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE events (position INTEGER PRIMARY KEY, body BLOB NOT NULL)")
    return db


def _timed_s(db: sqlite3.Connection) -> float:
    began = time.perf_counter()
    db.execute(_INSERT, (BODY,))
    return time.perf_counter() - began

"""SQLite alone, as durable as our log: what the disk gives to whoever writes one row at a time."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

from tests.bench.figures import Figure, Size

BENCHMARK = "raw SQLite, durable"
BODY = bytes(405)  # as long as an event usually is


def single_rows(size: Size, folder: Path) -> list[Figure]:
    db = sqlite3.connect(folder / "raw.db", isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE events (position INTEGER PRIMARY KEY, body BLOB NOT NULL)")
    began = time.perf_counter()
    for _ in range(size.in_process):
        db.execute("INSERT INTO events (body) VALUES (?)", (BODY,))
    took = time.perf_counter() - began
    db.close()
    return [Figure(BENCHMARK, "single rows", size.in_process / took, "rows/s")]

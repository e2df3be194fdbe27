"""How much memory it takes to make a table of its whole record, beyond what the table takes itself.

Each in a program of its own: `python -m tests.bench.memory FILE` prints one round as JSON.
"""

from __future__ import annotations

import gc
import secrets
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from adapters import wiring
from core.app import App
from events.sqlite import SqliteLog
from tests.adapters.terminal import ENVIRONMENT
from tests.bench import long_log
from tests.bench.figures import Figure, Size
from tests.bench.rounds import Round

BENCHMARK = "memory"
WARM = 50  # events of a table that is made first, so that everything is loaded


def rebuilt(size: Size, folder: Path) -> Iterator[Round]:
    path, warm = folder / "rollbook.db", folder / "warm.db"
    long_log.write(path, size.rebuilt, ("savage",))
    long_log.write(warm, WARM, ("savage",))
    while True:
        command = (sys.executable, "-m", "tests.bench.memory", str(path), str(warm))
        done = subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True)
        yield msgspec.json.decode(done.stdout, type=list[Figure])


def _measured(path: Path, warm: Path) -> Round:
    """What Python took for it at most, and what is left when only the table is held."""
    with closing(SqliteLog(warm)) as log:
        _app(log).table(log.tables()[0])
    with closing(SqliteLog(path)) as log:
        app, name = _app(log), log.tables()[0]
        gc.collect()
        tracemalloc.start()
        table = app.table(name)
        gc.collect()
        state, peak = tracemalloc.get_traced_memory()
    events = f"{table.ledger.seq:,} events"
    return [
        Figure(BENCHMARK, f"the table after {events}", state / 1e6, "MB"),
        Figure(BENCHMARK, f"beyond it while made of {events}", (peak - state) / 1e6, "MB"),
    ]


def _app(log: SqliteLog) -> App:
    """One that knows no snapshots: all of the record is read."""
    return App(log, wiring.now, secrets.token_bytes)


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(_measured(*map(Path, sys.argv[1:]))))

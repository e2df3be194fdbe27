"""The machine that the figures are of: what it is, how fast its disk is, how busy it is. No names, no paths."""

from __future__ import annotations

import os
import platform
import sqlite3
import time
from importlib.metadata import version
from pathlib import Path
from statistics import median
from subprocess import Popen
from tempfile import TemporaryFile
from typing import Any

from msgspec import Struct

from tests.servers import synapse

LIBRARIES = ("aiohttp", "d20", "eventsourcing", "matrix-nio", "msgspec", "python-telegram-bot", "sqlite-utils")
SYNCS = 200


class Machine(Struct, frozen=True):
    """`fsync_ms`: 4 KiB written and synced to the disk, the median."""

    system: str
    processor: str
    cores: int
    memory_gb: float
    fsync_ms: float
    python: str
    sqlite: str
    libraries: dict[str, str]


def machine(folder: Path) -> Machine:
    """This one; `folder` lies on the disk that the benchmarks write to."""
    return Machine(
        platform.system(), platform.machine(), os.cpu_count() or 0, _memory_gb(), round(1e3 * fsync_s(folder), 3),
        platform.python_version(), sqlite3.sqlite_version,
        {name: version(name) for name in LIBRARIES} | {"matrix-synapse": synapse.VERSION},
    )  # fmt: skip


def fsync_s(folder: Path) -> float:
    with TemporaryFile(dir=folder) as file:
        return median(_synced_s(file) for _ in range(SYNCS))


def _synced_s(file: Any) -> float:
    began = time.perf_counter()
    file.write(bytes(4096))
    file.flush()
    os.fsync(file.fileno())
    return time.perf_counter() - began


def load() -> float:
    """Processes that wanted a core in the last minute, on average."""
    return round(os.getloadavg()[0], 2)


def processor_s(process: Popen[Any]) -> float | None:
    """The processor time that a program has used up; None where the system does not tell."""
    try:
        of_program = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(of_program[11]) + int(of_program[12])) / os.sysconf("SC_CLK_TCK")


def _memory_gb() -> float:
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)

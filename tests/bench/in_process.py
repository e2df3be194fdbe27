"""Commands straight into the core, on a log whose every append is on the disk: no chat, no network, nobody else."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import core.app
import core.tables
from adapters import wiring
from core.app import App
from core.messages import Incoming
from core.render import letters
from core.tables import Tables
from events.beside import MessageKey
from events.sqlite import SqliteLog
from tests.bench.figures import Figure, Size, rate
from tests.bench.serving import COMMAND

BENCHMARK = "in the process"
STAGES: Sequence[tuple[str, Any, str]] = (
    ("look up what came before", SqliteLog, "receipt"),
    ("load", Tables, "at"),
    ("parse", core.app, "parse"),
    ("decide", core.tables, "decide"),
    ("seal and evolve", Tables, "_sealed"),
    ("render", letters, "of_events"),
    ("append", SqliteLog, "append"),
)


def one_table(size: Size, folder: Path) -> list[Figure]:
    return _measured(size.in_process, 1, folder)


def many_tables(size: Size, folder: Path) -> list[Figure]:
    return _measured(size.in_process, size.tables, folder)


def _measured(count: int, tables: int, folder: Path) -> list[Figure]:
    """Twice: for the rate as it is, for the shares with a clock around each stage."""
    where = f"{tables} table{'s' if tables > 1 else ''}"
    log = SqliteLog(folder / "rollbook.db")
    app = wiring.build(log, "en")
    for chat in range(tables):
        _ask(app, chat, "/table new savage Glacier")
    figure = rate(BENCHMARK, where, count, _asked_s(app, tables, count))
    with _clocked() as spent:
        took = _asked_s(app, tables, count)
    log.close()
    spent["the rest"] = took - sum(spent.values())
    shares = [Figure(BENCHMARK, f"{where}, {stage}", 1e6 * time_s / count, "µs") for stage, time_s in spent.items()]
    return [figure, *shares]


def _asked_s(app: App, tables: int, count: int) -> float:
    began = time.perf_counter()
    for number in range(count):
        _ask(app, number % tables, f"/{COMMAND}")
    return time.perf_counter() - began


def _ask(app: App, chat: int, text: str) -> None:
    key = MessageKey("telegram", f"-{chat}", secrets.token_hex(8))
    (answer,) = app.hear(Incoming(key=key, person="p1", name="Gm", text=text))
    assert answer.events


@contextmanager
def _clocked() -> Iterator[dict[str, float]]:
    """Seconds spent in each stage meanwhile."""
    spent = {stage: 0.0 for stage, _, _ in STAGES}
    plain = [(owner, name, getattr(owner, name)) for _, owner, name in STAGES]
    for stage, owner, name in STAGES:
        setattr(owner, name, _with_clock(getattr(owner, name), stage, spent))
    try:
        yield spent
    finally:
        for owner, name, function in plain:
            setattr(owner, name, function)


def _with_clock(function: Callable[..., Any], stage: str, spent: dict[str, float]) -> Callable[..., Any]:
    @wraps(function)
    def clocked(*given: Any, **named: Any) -> Any:
        began = time.perf_counter()
        try:
            return function(*given, **named)
        finally:
            spent[stage] += time.perf_counter() - began

    return clocked

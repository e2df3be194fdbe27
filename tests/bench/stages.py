"""Where the time of a command goes: `trait d8` at one table, with a clock around each stage.

The clocks take part of what they measure: the rate without them is in `in_process.py`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import core.app
import core.tables
from core.render import letters
from core.tables import Tables
from events.sqlite import SqliteLog
from tests.bench.figures import Figure, Size
from tests.bench.in_process import Same, chats
from tests.bench.rounds import Round
from tests.bench.serving import COMMAND

BENCHMARK = f"stages of {COMMAND}"
STAGES: Sequence[tuple[str, Any, str]] = (
    ("look up what came before", SqliteLog, "standing"),
    ("load", Tables, "open_at"),
    ("parse", core.app, "parse"),
    ("decide", core.tables, "decide"),
    ("seal and evolve", Tables, "_sealed"),
    ("render", letters, "of_events"),
    ("append", SqliteLog, "append"),
)


def of_a_command(size: Size, folder: Path) -> Iterator[Round]:
    with chats(folder, 1, Same) as (chat,):
        while True:
            chat.prepare(size.commands)
            with _clocked() as spent:
                began = time.perf_counter()
                for _ in range(size.commands):
                    chat.hear()
                took = time.perf_counter() - began
            spent["the rest"] = took - sum(spent.values())
            yield [Figure(BENCHMARK, stage, 1e6 * time_s / size.commands, "µs") for stage, time_s in spent.items()]


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

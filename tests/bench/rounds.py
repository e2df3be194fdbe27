"""Benchmarks in rounds: those of a group take turns, so that a busy moment spoils a round of all of them, not one.

A `Benchmark` is a generator: up to its first `yield` nothing is measured but all is made ready, and each `yield` gives
the figures of one round. It is closed when there were enough.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from msgspec import Struct

from tests.bench.figures import Figure, Size

Round: TypeAlias = list[Figure]
Benchmark: TypeAlias = Callable[[Size, Path], Iterator[Round]]


class Group(Struct, frozen=True):
    """Benchmarks that are compared with each other, so many rounds of them."""

    rounds: int
    benchmarks: Mapping[str, Benchmark]


def anew(once: Callable[[Size, Path], Round]) -> Benchmark:
    """A benchmark that is made ready again for each round."""

    @wraps(once)
    def rounds(size: Size, folder: Path) -> Iterator[Round]:
        while True:
            with TemporaryDirectory(dir=folder) as own:
                yield once(size, Path(own))

    return rounds


def played(group: Group, size: Size, folder: Path, told: Callable[[str], None]) -> Iterator[Sequence[Figure]]:
    """The figures of each round, all benchmarks in turn; `told` hears what is going on."""
    with ExitStack() as stack:
        running = {}
        for name, benchmark in group.benchmarks.items():
            own = stack.enter_context(TemporaryDirectory(dir=folder))
            running[name] = stack.enter_context(closing(benchmark(size, Path(own))))  # type: ignore[type-var]
        for number in range(1, group.rounds + 1):
            told(f"round {number} of {group.rounds}: {', '.join(running)}")
            yield [figure for one in running.values() for figure in _next(one)]


def _next(running: Iterator[Round]) -> Round:
    gc.collect()  # what one benchmark leaves behind is not cleared away at the cost of the next
    return next(running)

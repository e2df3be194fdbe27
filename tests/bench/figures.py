"""What a benchmark gives: figures, made of times; and what several runs of it come to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import median

from msgspec import Struct


class Size(Struct, frozen=True):
    """How much of everything is done in one run. What goes through Synapse takes 100 times as long, so less of it."""

    one_by_one: int = 200
    at_once: int = 960
    one_by_one_matrix: int = 100
    at_once_matrix: int = 96
    chats: int = 32
    in_process: int = 2_000
    tables: int = 64


MOMENT = Size(
    one_by_one=4, at_once=4, one_by_one_matrix=2, at_once_matrix=4, chats=2, in_process=8, tables=2
)  # fmt: skip


class Figure(Struct, frozen=True):
    """One number of one run, as `benchmark: name` in `unit`."""

    benchmark: str
    name: str
    value: float
    unit: str

    @property
    def key(self) -> str:
        return f"{self.benchmark}: {self.name}"


class Result(Struct, frozen=True):
    """A figure over all runs: the median of them, and each."""

    benchmark: str
    name: str
    value: float
    unit: str
    runs: tuple[float, ...]


class Ratio(Struct, frozen=True):
    """One figure as a part of another of the same run, over all runs: in a busy run both change."""

    name: str
    value: float
    runs: tuple[float, ...]


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of the values that at least this share of them do not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def round_trips(benchmark: str, times_s: Sequence[float]) -> list[Figure]:
    """Median, p95 and p99 of the times from a command to its answer."""
    named = {"median": median(times_s), "p95": percentile(times_s, 0.95), "p99": percentile(times_s, 0.99)}
    return [Figure(benchmark, f"command to answer, {name}", 1e3 * value, "ms") for name, value in named.items()]


def rate(benchmark: str, name: str, count: int, within_s: float) -> Figure:
    return Figure(benchmark, name, count / within_s, "commands/s")


def over_runs(figures: Iterable[Figure]) -> list[Result]:
    """Each figure once, in the order in which they first came."""
    runs: dict[str, list[Figure]] = {}
    for one in figures:
        runs.setdefault(one.key, []).append(one)
    return [_result([one.value for one in same], same[0]) for same in runs.values()]


def _result(values: Sequence[float], one: Figure) -> Result:
    return Result(one.benchmark, one.name, _rounded(median(values)), one.unit, tuple(map(_rounded, values)))


def ratios(results: Sequence[Result], wanted: Iterable[tuple[str, str, str]]) -> list[Ratio]:
    """Of each `(name, this, of that)` the ratio, where both were measured."""
    runs = {f"{one.benchmark}: {one.name}": one.runs for one in results}
    return [_ratio(name, runs[this], runs[that]) for name, this, that in wanted if this in runs and that in runs]


def _ratio(name: str, these: Sequence[float], those: Sequence[float]) -> Ratio:
    each = [this / that for this, that in zip(these, those, strict=True)]
    return Ratio(name, _rounded(median(each)), tuple(map(_rounded, each)))


def _rounded(value: float) -> float:
    """Three digits: more would be noise."""
    return float(f"{value:.3g}")

"""What a benchmark gives: figures, made of times; what its rounds come to; and what that is held against."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Literal

from msgspec import Struct

FIGURES_SHOWN = 3  # digits: more would be noise


class Size(Struct, frozen=True):
    """How much of everything is done in one round. What goes through Synapse takes 100 times as long, so less of it."""

    one_by_one: int = 200
    at_once: int = 960
    one_by_one_matrix: int = 100
    at_once_matrix: int = 96
    chats: int = 32
    rows: int = 500
    commands: int = 250
    in_flight: int = 1_600
    tables: int = 64
    replayed: int = 4_000
    rolls: int = 2_000
    opened: int = 1_000
    logs: tuple[int, ...] = (1_000, 100_000, 1_000_000)
    rebuilt: int = 100_000


MOMENT = Size(
    one_by_one=4, at_once=4, one_by_one_matrix=2, at_once_matrix=4, chats=2, rows=8, commands=8, in_flight=16, tables=4,
    replayed=40, rolls=8, opened=600, logs=(600, 640), rebuilt=200,
)  # fmt: skip


class Figure(Struct, frozen=True):
    """One number of one round, as `benchmark: name` in `unit`."""

    benchmark: str
    name: str
    value: float
    unit: str

    @property
    def key(self) -> str:
        return f"{self.benchmark}: {self.name}"


class Result(Struct, frozen=True):
    """A figure over all rounds: the median of them, and each."""

    benchmark: str
    name: str
    value: float
    unit: str
    rounds: tuple[float, ...]


class Comparison(Struct, frozen=True):
    """What is taken from each round: `this` to `that` (as their ratio), `this` beyond `that`, or `this` by itself.

    `target` is the bound that the issue or the project has set, if it has set one, and on which side of it is well.
    """

    name: str
    this: str
    how: Literal["to", "beyond", "itself"] = "itself"
    that: str = ""
    target: tuple[Literal["at least", "at most"], float] | None = None


class Compared(Struct, frozen=True):
    """A comparison over all rounds. In a busy round both its figures change, so it says more than they do.

    `reached` is null where there is no target.
    """

    name: str
    value: float
    unit: str
    rounds: tuple[float, ...]
    target: tuple[Literal["at least", "at most"], float] | None
    reached: bool | None


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of the values that at least this share of them do not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def round_trips(benchmark: str, times_s: Sequence[float]) -> list[Figure]:
    """Median, p95 and p99 of the times from a command to its answer."""
    named = {"median": median(times_s), "p95": percentile(times_s, 0.95), "p99": percentile(times_s, 0.99)}
    return [Figure(benchmark, f"command to answer, {name}", 1e3 * value, "ms") for name, value in named.items()]


def taken(benchmark: str, name: str, times_s: Sequence[float]) -> list[Figure]:
    """Median and p99 of what each of many took."""
    named = {"median": median(times_s), "p99": percentile(times_s, 0.99)}
    return [Figure(benchmark, f"{name}, {which}", 1e3 * value, "ms") for which, value in named.items()]


def rate(benchmark: str, name: str, count: int, within_s: float, what: str = "commands") -> Figure:
    return Figure(benchmark, name, count / within_s, f"{what}/s")


def over_rounds(figures: Iterable[Figure]) -> list[Result]:
    """Each figure once, in the order in which they first came."""
    rounds: dict[str, list[Figure]] = {}
    for one in figures:
        rounds.setdefault(one.key, []).append(one)
    return [_result([one.value for one in same], same[0]) for same in rounds.values()]


def _result(values: Sequence[float], one: Figure) -> Result:
    return Result(one.benchmark, one.name, rounded(median(values)), one.unit, tuple(map(rounded, values)))


def compared(results: Sequence[Result], wanted: Iterable[Comparison]) -> list[Compared]:
    """Each comparison of which all figures were measured."""
    found = {f"{one.benchmark}: {one.name}": one for one in results}
    return [_compared(one, found) for one in wanted if one.this in found and (not one.that or one.that in found)]


def _compared(one: Comparison, found: dict[str, Result]) -> Compared:
    these = found[one.this]
    each = list(these.rounds)
    if one.how != "itself":
        those = found[one.that].rounds
        pairs = zip(each, those, strict=True)
        each = [this / that for this, that in pairs] if one.how == "to" else [this - that for this, that in pairs]
    value = rounded(median(each))
    unit = "" if one.how == "to" else these.unit
    return Compared(one.name, value, unit, tuple(map(rounded, each)), one.target, _reached(value, one.target))


def _reached(value: float, target: tuple[str, float] | None) -> bool | None:
    if target is None:
        return None
    side, bound = target
    return value >= bound if side == "at least" else value <= bound


def rounded(value: float) -> float:
    return float(f"{value:.{FIGURES_SHOWN}g}")

"""What was measured, for people as a table and for programs as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table

from tests.bench.figures import Ratio, Result, Size
from tests.bench.machine import Machine


class Report(Struct, frozen=True):
    """`load` is the machine's before each run and after the last: what is above 0 is others' or our own last run's."""

    date: str
    machine: Machine
    load: tuple[float, ...]
    size: Size
    results: tuple[Result, ...]
    ratios: tuple[Ratio, ...]


def written(report: Report, path: Path) -> None:
    path.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")


def shown(report: Report, console: Console) -> None:
    console.print(_of_machine(report))
    console.print(_of_results(report.results))
    console.print(_of_ratios(report.ratios))


def _of_machine(report: Report) -> str:
    one = report.machine
    libraries = ", ".join(f"{name} {version}" for name, version in one.libraries.items())
    loads = ", ".join(map(str, report.load))
    return (
        f"{report.date}: {one.cores} cores ({one.processor}), {one.memory_gb} GB, {one.system}, "
        f"fsync {one.fsync_ms} ms, Python {one.python}, SQLite {one.sqlite}, {libraries}; load {loads}"
    )


def _of_results(results: Sequence[Result]) -> Table:
    table = Table("benchmark", "figure", "median of the runs", "lowest … highest")
    for one in results:
        table.add_row(
            one.benchmark, one.name, f"{_number(one.value)} {one.unit}",
            f"{_number(min(one.runs))} … {_number(max(one.runs))}",
        )  # fmt: skip
    return table


def _of_ratios(ratios: Sequence[Ratio]) -> Table:
    table = Table("ratio", "")
    for one in ratios:
        table.add_row(one.name, f"{one.value:g}")
    return table


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"

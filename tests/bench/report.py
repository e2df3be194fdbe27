"""What was measured: as a table in the terminal and in README.md, for programs in figures.json."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table

from tests.bench.figures import Ratio, Result, Size
from tests.bench.machine import Machine

BEGIN, END = "<!-- written by `make bench` -->\n", "<!-- end -->"
HEADS = ("benchmark", "figure", "median of the runs", "lowest … highest")


class Report(Struct, frozen=True):
    """`load` is the machine's before each run and after the last, what the benchmarks themselves made of it too."""

    date: str
    machine: Machine
    load: tuple[float, ...]
    size: Size
    results: tuple[Result, ...]
    ratios: tuple[Ratio, ...]


def kept(report: Report, folder: Path) -> None:
    """In figures.json, and in README.md between its two marks."""
    (folder / "figures.json").write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
    readme = folder / "README.md"
    before, _, rest = readme.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    readme.write_text(f"{before}{BEGIN}{in_markdown(report)}{END}{after}", encoding="utf-8")


def read(folder: Path) -> Report:
    return msgspec.json.decode((folder / "figures.json").read_bytes(), type=Report)


def shown(report: Report, console: Console) -> None:
    table = Table(*HEADS)
    for row in _rows(report.results):
        table.add_row(*row)
    console.print(_about(report), table)
    for one in report.ratios:
        console.print(_ratio(one))


def in_markdown(report: Report) -> str:
    rows = [HEADS, ["---"] * len(HEADS), *_rows(report.results)]
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    return f"{_about(report)}\n\n{table}\n" + "".join(f"- {_ratio(one)}\n" for one in report.ratios)


def _about(report: Report) -> str:
    one = report.machine
    libraries = ", ".join(f"{name} {version}" for name, version in one.libraries.items())
    loads = ", ".join(map(str, report.load))
    return (
        f"{report.date}: {one.cores} cores ({one.processor}), {one.memory_gb} GB, {one.system}, "
        f"fsync {one.fsync_ms} ms; Python {one.python}, SQLite {one.sqlite}, {libraries}. "
        f"Load before each run and after the last: {loads}."
    )


def _rows(results: Sequence[Result]) -> Iterator[tuple[str, str, str, str]]:
    for one in results:
        spread = f"{_number(min(one.runs))} … {_number(max(one.runs))}"
        yield one.benchmark, one.name, f"{_number(one.value)} {one.unit}", spread


def _ratio(one: Ratio) -> str:
    return f"{one.name}: {one.value:.2f} ({min(one.runs):.2f} … {max(one.runs):.2f})"


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"

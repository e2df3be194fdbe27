"""What was measured: as a table in the terminal and in README.md, for programs in figures.json, and as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table

from tests.bench import plot
from tests.bench.figures import Compared, Result, Size
from tests.bench.machine import Machine

BEGIN, END = "<!-- written by `make bench` -->\n", "<!-- end -->"
HEADS = ("benchmark", "figure", "median of the rounds", "lowest … highest")
TARGET_HEADS = ("compared", "median of the rounds", "lowest … highest", "target", "reached")
BUSY = (
    "**The machine was busy with other work.** A slow disk flatters each ratio to a raw row, since a command's own "
    "part then counts for little, and all times are too long: measure again when it is quiet."
)
SAID = {True: "yes", False: "no", None: ""}


class Report(Struct, frozen=True):
    """`load` is the machine's before each group and after the last, what the benchmarks themselves made of it too."""

    date: str
    machine: Machine
    load: tuple[float, ...]
    size: Size
    results: tuple[Result, ...]
    compared: tuple[Compared, ...]


def kept(report: Report, folder: Path) -> None:
    """In figures.json and figures.png, and in README.md between its two marks."""
    (folder / "figures.json").write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
    plot.written(report.compared, report.results, folder / "figures.png")
    readme = folder / "README.md"
    before, _, rest = readme.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    readme.write_text(f"{before}{BEGIN}{in_markdown(report)}{END}{after}", encoding="utf-8")


def read(folder: Path) -> Report:
    return msgspec.json.decode((folder / "figures.json").read_bytes(), type=Report)


def shown(report: Report, console: Console) -> None:
    console.print(_about(report))
    for heads, rows in ((HEADS, _rows(report.results)), (TARGET_HEADS, _target_rows(report.compared))):
        table = Table(*heads)
        for row in rows:
            table.add_row(*row)
        console.print(table)


def in_markdown(report: Report) -> str:
    compared = _markdown(TARGET_HEADS, _target_rows(report.compared))
    return f"{_about(report)}\n\n{compared}\n{_markdown(HEADS, _rows(report.results))}"


def _markdown(heads: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in (heads, ["---"] * len(heads), *rows))


def _about(report: Report) -> str:
    one = report.machine
    libraries = ", ".join(f"{name} {version}" for name, version in one.libraries.items())
    loads = ", ".join(map(str, report.load))
    busy = f" {BUSY}" if max(report.load) > one.cores + 1 else ""  # the benchmarks alone keep one or two cores busy
    return (
        f"{report.date}: {one.cores} cores ({one.processor}), {one.memory_gb} GB, {one.system}, "
        f"fsync {one.fsync_ms} ms; Python {one.python}, SQLite {one.sqlite}, {libraries}. "
        f"Load before each group of benchmarks and after the last: {loads}.{busy}"
    )


def _rows(results: Sequence[Result]) -> Iterator[Sequence[str]]:
    for one in results:
        yield one.benchmark, one.name, f"{_number(one.value)} {one.unit}", _spread(one.rounds)


def _target_rows(compared: Sequence[Compared]) -> Iterator[Sequence[str]]:
    for one in compared:
        target = f"{one.target[0]} {one.target[1]:g} {one.unit}".strip() if one.target else ""
        yield one.name, f"{_number(one.value)} {one.unit}".strip(), _spread(one.rounds), target, SAID[one.reached]


def _spread(values: Sequence[float]) -> str:
    return f"{_number(min(values))} … {_number(max(values))}"


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"

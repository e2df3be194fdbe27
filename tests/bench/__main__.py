"""`python -m tests.bench`: every benchmark, several times, each in a folder of its own.

A further one is a function `(Size, Path) -> list[Figure]` and a line in `BENCHMARKS`; what is to be compared, a line
in `RATIOS`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

import click
from rich.console import Console

from tests.bench import in_matrix, in_process, in_telegram, raw_sqlite
from tests.bench.figures import MOMENT, Figure, Size, over_runs, ratios
from tests.bench.machine import Machine, load, machine
from tests.bench.report import Report, kept, shown

BENCHMARKS: Mapping[str, Callable[[Size, Path], list[Figure]]] = {
    "raw-sqlite": raw_sqlite.single_rows,
    "one-table": in_process.one_table,
    "many-tables": in_process.many_tables,
    "telegram-polling": in_telegram.polling,
    "telegram-webhook": in_telegram.by_webhook,
    "matrix-echo": in_matrix.echo,
    "matrix-plain": in_matrix.plain,
    "matrix-encrypted": in_matrix.encrypted,
}
RATIOS = (
    ("a whole command, 1 table, to a raw row", "in the process: 1 table", "raw SQLite, durable: single rows"),
    ("a whole command, 64 tables, to a raw row", "in the process: 64 tables", "raw SQLite, durable: single rows"),
    (
        "Synapse's own part of a round trip in a plain room",
        "Synapse alone, an echo: command to answer, median", "Matrix, plain room: command to answer, median",
    ),
)  # fmt: skip
HERE = Path(__file__).parent
console = Console(width=None if sys.stdout.isatty() else 120)


@click.command()
@click.option("--runs", default=3, show_default=True, help="How often; the median is what counts.")
@click.option("--only", default="", help="Those whose name this pattern finds.")
@click.option("--moment", is_flag=True, help="A few commands of each, to see whether they run.")
@click.option("--folder", default=gettempdir(), type=click.Path(exists=True, path_type=Path), help="On which disk.")
@click.option("--keep", is_flag=True, help="Write the figures to figures.json and README.md.")
def main(runs: int, only: str, moment: bool, folder: Path, keep: bool) -> None:
    """Measure Rollbook and print what it came to."""
    size = MOMENT if moment else Size()
    chosen = {name: run for name, run in BENCHMARKS.items() if re.search(only, name)}
    report = measured(chosen, runs, size, folder)
    shown(report, console)
    if keep:
        kept(report, HERE)


def measured(
    benchmarks: Mapping[str, Callable[[Size, Path], list[Figure]]], runs: int, size: Size, folder: Path
) -> Report:
    """Every benchmark once, then all of them again: a busy minute spoils one run of each, not all of one."""
    loads, figures, about = [load()], list[Figure](), machine(folder)
    for number in range(1, runs + 1):
        for name, run in benchmarks.items():
            console.print(f"run {number}: {name}", style="dim")
            with TemporaryDirectory(dir=folder) as own:
                figures += run(size, Path(own))
        loads.append(load())
    return _report(about, loads, size, figures)


def _report(about: Machine, loads: Sequence[float], size: Size, figures: Sequence[Figure]) -> Report:
    results = over_runs(figures)
    today = datetime.now(UTC).date().isoformat()
    return Report(today, about, tuple(loads), size, tuple(results), tuple(ratios(results, RATIOS)))


if __name__ == "__main__":
    main()

"""`python -m tests.bench`: everything measured side by side, in rounds, and held against its targets.

A further benchmark is a generator (`rounds.py`) and a line in `GROUPS`; what is to be compared, a line in `targets.py`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import gettempdir

import click
from msgspec.structs import replace
from rich.console import Console

from tests.bench import (
    dice,
    in_eventsourcing,
    in_matrix,
    in_process,
    in_telegram,
    large_logs,
    log_alone,
    memory,
    raw_sqlite,
    replaying,
    stages,
)
from tests.bench.figures import MOMENT, Figure, Size, compared, over_rounds
from tests.bench.machine import Machine, load, machine
from tests.bench.report import Report, kept, shown
from tests.bench.rounds import Benchmark, Group, anew, played
from tests.bench.targets import COMPARISONS

GROUPS: Sequence[Group] = (
    Group(21, {
        "raw-rows": raw_sqlite.single_rows,
        "raw-groups": raw_sqlite.groups,
        "log-one-table": log_alone.one_table,
        "log-many-tables": log_alone.many_tables,
        "log-many-tables-sealed": log_alone.many_tables_sealed,
        "log-together": log_alone.together,
        "eventsourcing-held": in_eventsourcing.held,
        "eventsourcing-loaded": in_eventsourcing.loaded,
        "one-table": in_process.one_table,
        "one-evening": in_process.one_evening,
        "many-tables": in_process.many_tables,
        "many-evenings": in_process.many_evenings,
    }),
    Group(5, {"stages": stages.of_a_command}),
    Group(7, {
        "replay": replaying.replayed,
        "eventsourcing-replay": in_eventsourcing.replay,
        "eventsourcing-replay-tuned": in_eventsourcing.tuned_replay,
    }),
    Group(15, {"dice": dice.fair, "dice-d20": dice.by_d20, "dice-d20-total": dice.by_d20_silently}),
    Group(9, {"large-logs": large_logs.opened}),
    Group(1, {"memory": memory.rebuilt}),
    Group(3, {
        "telegram-polling": anew(in_telegram.polling),
        "telegram-webhook": anew(in_telegram.by_webhook),
    }),
    Group(3, {
        "matrix-echo": anew(in_matrix.echo),
        "matrix-plain": anew(in_matrix.plain),
        "matrix-encrypted": anew(in_matrix.encrypted),
    }),
)  # fmt: skip
HERE = Path(__file__).parent
console = Console(width=None if sys.stdout.isatty() else 120)


@click.command()
@click.option("--rounds", type=click.IntRange(1), help="At most so many of each.")
@click.option("--only", default="", help="Those whose name this pattern finds.")
@click.option("--moment", is_flag=True, help="A little of each, to see whether they run.")
@click.option("--folder", default=gettempdir(), type=click.Path(exists=True, path_type=Path), help="On which disk.")
@click.option("--keep", is_flag=True, help="Write the figures to figures.json, figures.png and README.md.")
def main(rounds: int | None, only: str, moment: bool, folder: Path, keep: bool) -> None:
    """Measure Rollbook and print what it came to."""
    report = measured(chosen(only, rounds), MOMENT if moment else Size(), folder)
    shown(report, console)
    if keep:
        kept(report, HERE)


def chosen(only: str, rounds: int | None = None) -> list[Group]:
    """The groups with those benchmarks whose name the pattern `only` finds."""
    found = [
        replace(one, benchmarks=_found(one, only), rounds=min(rounds or one.rounds, one.rounds)) for one in GROUPS
    ]
    return [one for one in found if one.benchmarks]


def _found(group: Group, only: str) -> Mapping[str, Benchmark]:
    return {name: one for name, one in group.benchmarks.items() if re.search(only, name)}


def measured(groups: Sequence[Group], size: Size, folder: Path) -> Report:
    about, loads, figures = machine(folder), [load()], list[Figure]()
    for group in groups:
        for one in played(group, size, folder, lambda now: console.print(now, style="dim")):
            figures += one
        loads.append(load())
    return _report(about, loads, size, figures)


def _report(about: Machine, loads: Sequence[float], size: Size, figures: Sequence[Figure]) -> Report:
    results = over_rounds(figures)
    today = datetime.now(UTC).date().isoformat()
    return Report(today, about, tuple(loads), size, tuple(results), tuple(compared(results, COMPARISONS)))


if __name__ == "__main__":
    main()

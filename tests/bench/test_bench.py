"""That each benchmark runs and gives figures. How fast anything is is never asserted here: see README.md."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import pytest

from tests.bench.__main__ import BENCHMARKS, RATIOS, measured
from tests.bench.figures import MOMENT, Figure, Ratio, over_runs, percentile, ratios, round_trips
from tests.bench.report import BEGIN, END, in_markdown, kept, read

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_gives_figures(name: str, tmp_path: Path) -> None:
    figures = BENCHMARKS[name](MOMENT, tmp_path)
    assert figures
    assert [one.key for one in figures if one.value < 0 or (one.value == 0 and one.unit != "ms")] == []
    assert len({one.key for one in figures}) == len(figures)


def test_a_percentile_is_the_smallest_value_that_so_many_do_not_exceed() -> None:
    hundred = list(range(100, 0, -1))
    assert [percentile(hundred, share) for share in (0.5, 0.95, 0.99, 1.0)] == [50, 95, 99, 100]
    assert percentile([7.0], 0.99) == 7.0
    assert [one.value for one in round_trips("x", [0.001, 0.002, 0.003])] == [2.0, 3.0, 3.0]


def test_what_counts_is_the_median_of_the_runs_and_each_is_kept() -> None:
    runs = [Figure("x", "y", value, "ms") for value in (9.0, 1.0, 2.34567)]
    (result,) = over_runs(runs)
    assert (result.value, result.runs) == (2.35, (9.0, 1.0, 2.35))


def test_a_ratio_is_taken_in_each_run_and_left_out_where_one_of_its_figures_was_not_measured() -> None:
    runs = [Figure("x", name, value, "ms") for name, value in (("y", 3.0), ("z", 2.0), ("y", 8.0), ("z", 4.0))]
    wanted = [("a", "x: y", "x: z"), ("b", "x: y", "w: z")]
    assert ratios(over_runs(runs), wanted) == [Ratio("a", 1.75, (1.5, 2.0))]


def test_the_report_names_the_machine_by_what_it_is_and_nothing_by_name(tmp_path: Path) -> None:
    some = {name: BENCHMARKS[name] for name in ("raw-sqlite", "one-table")}
    report = measured(some, runs=2, size=MOMENT, folder=tmp_path)
    (tmp_path / "README.md").write_text(f"before\n{BEGIN}old figures\n{END}\nafter\n")
    kept(report, tmp_path)
    again, readme = read(tmp_path), (tmp_path / "README.md").read_text()
    assert again == report
    assert (again.machine.cores, again.machine.fsync_ms > 0, len(again.load)) == (os.cpu_count(), True, 3)
    assert {len(one.runs) for one in again.results} == {2}
    assert [one.name for one in again.ratios] == [RATIOS[0][0]]
    assert readme == f"before\n{BEGIN}{in_markdown(report)}{END}\nafter\n"
    text = readme + (tmp_path / "figures.json").read_text()
    assert [name for name in (platform.node(), str(tmp_path), str(Path.home())) if name in text] == []


def test_the_figures_in_the_readme_are_those_that_are_kept_and_all_ratios_are_among_them() -> None:
    report = read(HERE)
    assert in_markdown(report) in (HERE / "README.md").read_text(encoding="utf-8")
    assert [one.name for one in report.ratios] == [name for name, *_ in RATIOS]

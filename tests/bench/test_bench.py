"""That each benchmark runs and gives figures. How fast anything is is never asserted here: see README.md."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from tests.bench.__main__ import GROUPS, chosen, measured
from tests.bench.evenings import EVENING, Evenings, again_share
from tests.bench.figures import (
    MOMENT,
    Compared,
    Comparison,
    Figure,
    Size,
    compared,
    over_rounds,
    percentile,
    round_trips,
)
from tests.bench.report import BEGIN, END, in_markdown, kept, read
from tests.bench.rounds import Group, Round, anew, played
from tests.bench.targets import COMPARISONS

HERE = Path(__file__).parent
BENCHMARKS = {name: one for group in GROUPS for name, one in group.benchmarks.items()}
MAY_BE_NOTHING = ("ms", "%")  # Synapse counts whole milliseconds


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_gives_the_same_figures_in_each_round(name: str, tmp_path: Path) -> None:
    with closing(BENCHMARKS[name](MOMENT, tmp_path)) as running:  # type: ignore[type-var]
        first, second = islice(running, 2)
    assert first
    assert [one.key for one in first if one.value < 0 or (one.value == 0 and one.unit not in MAY_BE_NOTHING)] == []
    assert len({one.key for one in first}) == len(first)
    assert [one.key for one in second] == [one.key for one in first]


def test_benchmarks_of_a_group_take_turns_and_are_closed_in_the_end(tmp_path: Path) -> None:
    happened = []

    def benchmark(name: str) -> Iterator[Round]:
        try:
            for number in (1, 2, 3):
                happened.append(f"{name}{number}")
                yield [Figure("x", name, number, "ms")]
        finally:
            happened.append(f"{name} closed")

    group = Group(2, {"a": lambda size, folder: benchmark("a"), "b": lambda size, folder: benchmark("b")})
    rounds = list(played(group, MOMENT, tmp_path, lambda now: None))
    assert [[one.value for one in each] for each in rounds] == [[1, 1], [2, 2]]
    assert happened == ["a1", "b1", "a2", "b2", "b closed", "a closed"]
    assert list(tmp_path.iterdir()) == []


def test_what_is_measured_anew_has_a_fresh_folder_each_time(tmp_path: Path) -> None:
    def once(size: Size, folder: Path) -> Round:
        (folder / "log").touch(exist_ok=False)
        return [Figure("x", folder.name, 1.0, "ms")]

    with closing(anew(once)(MOMENT, tmp_path)) as running:  # type: ignore[type-var]
        assert len({figure.name for each in islice(running, 3) for figure in each}) == 3


def test_a_percentile_is_the_smallest_value_that_so_many_do_not_exceed() -> None:
    hundred = list(range(100, 0, -1))
    assert [percentile(hundred, share) for share in (0.5, 0.95, 0.99, 1.0)] == [50, 95, 99, 100]
    assert percentile([7.0], 0.99) == 7.0
    assert [one.value for one in round_trips("x", [0.001, 0.002, 0.003])] == [2.0, 3.0, 3.0]


def test_what_counts_is_the_median_of_the_rounds_and_each_is_kept() -> None:
    rounds = [Figure("x", "y", value, "ms") for value in (9.0, 1.0, 2.34567)]
    (result,) = over_rounds(rounds)
    assert (result.value, result.rounds) == (2.35, (9.0, 1.0, 2.35))


def test_figures_are_compared_round_by_round_and_not_where_one_of_them_was_not_measured() -> None:
    rounds = [Figure("x", name, value, "ms") for name, value in (("y", 3.0), ("z", 2.0), ("y", 8.0), ("z", 4.0))]
    wanted = [
        Comparison("a", "x: y", "to", "x: z", ("at least", 1.75)),
        Comparison("b", "x: y", "to", "w: z"),
        Comparison("c", "x: y", "beyond", "x: z", ("at most", 2)),
        Comparison("d", "x: y"),
    ]
    assert compared(over_rounds(rounds), wanted) == [
        Compared("a", 1.75, "", (1.5, 2.0), ("at least", 1.75), True),
        Compared("c", 2.5, "ms", (1.0, 4.0), ("at most", 2), False),
        Compared("d", 5.5, "ms", (3.0, 8.0), None, None),
    ]


def test_an_evening_is_the_same_each_time_and_differs_from_table_to_table() -> None:
    def typed(number: int) -> list[str]:
        return [line.text for line in Evenings(number).typed(2 * EVENING)]

    assert typed(3) == typed(3)
    assert not set(typed(0)) <= set(typed(4))
    assert [text for text in typed(1) if text.startswith("/session")] == [
        "/session end", "/session start Evening 2", "/session end",
    ]  # fmt: skip


def test_lines_typed_before_are_counted_letter_by_letter() -> None:
    assert again_share(["/roll d6", "/roll d8", "/roll d6", "/Roll d6"]) == 0.25


def test_the_report_names_the_machine_by_what_it_is_and_nothing_by_name(tmp_path: Path) -> None:
    report = measured(chosen("^(raw-rows|one-table)$", rounds=2), MOMENT, tmp_path)
    (tmp_path / "README.md").write_text(f"before\n{BEGIN}old figures\n{END}\nafter\n")
    kept(report, tmp_path)
    again, readme = read(tmp_path), (tmp_path / "README.md").read_text()
    assert again == report
    assert (again.machine.cores, again.machine.fsync_ms > 0, len(again.load)) == (os.cpu_count(), True, 2)
    assert {len(one.rounds) for one in again.results} == {2}
    assert [one.name for one in again.compared] == [COMPARISONS[0].name]
    assert readme == f"before\n{BEGIN}{in_markdown(report)}{END}\nafter\n"
    assert (tmp_path / "figures.png").read_bytes().startswith(b"\x89PNG")
    text = readme + (tmp_path / "figures.json").read_text()
    assert [name for name in (platform.node(), str(tmp_path), str(Path.home())) if name in text] == []


def test_the_figures_in_the_readme_are_those_that_are_kept_and_all_comparisons_are_among_them() -> None:
    report = read(HERE)
    assert in_markdown(report) in (HERE / "README.md").read_text(encoding="utf-8")
    assert [one.name for one in report.compared] == [one.name for one in COMPARISONS]

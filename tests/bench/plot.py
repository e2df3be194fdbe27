"""The figures as a picture: how far each target is reached, and what is done in a second."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Picture

from tests.bench.figures import Compared, Result

REACHED, MISSED, RATE, EDGE = "#2a7f62", "#b5452c", "#3f6fa3", "#444444"
ROW_IN = 0.3
RATES = ("rows/s", "events/s", "commands/s")


def written(compared: Sequence[Compared], results: Sequence[Result], path: Path) -> None:
    """As a PNG; what was not measured is not in it."""
    targets = [one for one in compared if one.target]
    rates = [one for one in results if one.unit in RATES]
    rows = [len(targets), len(rates)]
    picture = Picture(figsize=(10, 1.6 + ROW_IN * sum(rows)), layout="constrained", dpi=110)
    above, below = picture.subplots(2, height_ratios=[max(1, count) for count in rows])
    _targets(above, targets)
    _rates(below, rates)
    picture.savefig(path)


def _targets(axes: Axes, targets: Sequence[Compared]) -> None:
    """1 is the target, and further to the right is better, whichever side of it is well."""
    axes.set_title("How far the targets are reached (1: just reached)", loc="left")
    shares = [_share(one) for one in targets]
    colours = [REACHED if one.reached else MISSED for one in targets]
    _bars(axes, [one.name for one in targets], shares, [_said(one) for one in targets], colours)
    axes.axvline(1, color=EDGE, linewidth=1)


def _rates(axes: Axes, rates: Sequence[Result]) -> None:
    axes.set_title("In a second, median of the rounds", loc="left")
    names = [f"{one.benchmark}: {one.name}" for one in rates]
    said = [f"{one.value:,.0f} {one.unit}" for one in rates]
    _bars(axes, names, [one.value for one in rates], said, [RATE] * len(rates))


def _bars(
    axes: Axes, names: Sequence[str], values: Sequence[float], said: Sequence[str], colours: Sequence[str]
) -> None:
    if not names:
        axes.set_axis_off()
        return
    bars = axes.barh(range(len(names)), values, color=colours)
    axes.set_yticks(range(len(names)), names, fontsize=8)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.bar_label(bars, said, padding=3, fontsize=8)
    axes.margins(x=0.25)
    axes.spines[["top", "right"]].set_visible(False)


def _share(one: Compared) -> float:
    assert one.target is not None
    side, bound = one.target
    share = one.value / bound if side == "at least" else bound / one.value if one.value > 0 else 1e3
    return min(max(share, 1e-3), 1e3)


def _said(one: Compared) -> str:
    assert one.target is not None
    return f"{one.value:g} ({one.target[0]} {one.target[1]:g}) {one.unit}".strip()

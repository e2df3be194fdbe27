"""Figures as a picture for a phone: how the dice fell against how they should, and how everybody's rolls came out.

Here: matplotlib, on its object interface alone, one picture at a time. Never: the counting (core/stats.py).

The font is WenQuanYi Micro Hei, which shows Chinese and Latin; it comes with the bot's own libraries (PyPI
`paperang-p2-fonts-cjk`, Debian `fonts-wqy-microhei`). Without it another Chinese font of the system does, and without
any the names that cannot be shown are numbered: no picture has boxes in the place of signs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, fontManager
from matplotlib.ft2font import FT2Font
from matplotlib.ticker import MaxNLocator
from msgspec import Struct

from adapters.export.words import PICTURE
from core.language import Language, line, say
from core.stats import Faces, Figures, Tally

FONT_PACKAGE, FONT_FILE = "paperang_p2_fonts_cjk", "fonts/wqy-microhei.ttc"
CHINESE = (
    "WenQuanYi Micro Hei", "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Zen Hei",
    "Droid Sans Fallback", "PingFang SC", "Microsoft YaHei", "SimHei", "Noto Sans CJK JP",
)  # fmt: skip
WIDTH_IN, DPI = 6.0, 130  # 780 pixels: as wide as a phone shows without zooming
TITLE_IN, DICE_IN, PERSON_IN, LEGEND_IN = 0.6, 2.1, 0.34, 1.1
MOST_DICE, MOST_PEOPLE, MOST_NAME = 4, 12, 16
HEADROOM = 1.3  # above the highest bar, for the legend
WHITE, INK, BAR, EXPECTED = "#ffffff", "#1d2733", "#7aa6d1", "#b3433f"
OUTCOMES = {"succeeded": "#2f7d5b", "failed": "#c3c9d1", "critical": "#b3433f", "undecided": "#e8ebef"}
_drawing = Lock()  # matplotlib is not made for threads


class Pen(Struct, frozen=True):
    """The font that a picture is written in, and the signs that it has."""

    path: str
    signs: frozenset[int]
    speech: Language

    def font(self, size: float) -> FontProperties:
        return FontProperties(fname=self.path, size=size)

    def say(self, key: str, **facts: object) -> str:
        """A sentence in the table's language, in English where the font has no Chinese."""
        text = say(line(key, **facts), self.speech, PICTURE)
        return text if self.has(text) else self.shown(say(line(key, **facts), "en", PICTURE))

    def has(self, text: str) -> bool:
        return all(ord(sign) in self.signs for sign in text)

    def shown(self, text: str) -> str:
        """A text without the signs that the font lacks; `$` would begin a formula."""
        return "".join(sign for sign in text if ord(sign) in self.signs).replace("$", "\\$").strip()


def drawn(figures: Figures, title: str, names: Mapping[str, str], speech: Language) -> bytes:
    """A PNG, 780 pixels wide."""
    with _drawing:
        path = font_path()
        pen = Pen(path, _signs(path), speech)
        picture = _picture(figures, title, names, pen)
        out = BytesIO()
        FigureCanvasAgg(picture)
        picture.savefig(out, format="png", metadata={"Software": None})
        return out.getvalue()


@cache
def font_path() -> str:
    """The file of the font: that of the bot's own, else one of the system's that has Chinese, else matplotlib's."""
    found = find_spec(FONT_PACKAGE)
    if found and found.origin and (own := Path(found.origin).with_name("fonts") / Path(FONT_FILE).name).is_file():
        return str(own)
    here = {one.name: one.fname for one in fontManager.ttflist}
    return next((here[name] for name in CHINESE if name in here), str(findfont(FontProperties())))


def shows(text: str) -> bool:
    """Whether pictures can show this text as it stands."""
    path = font_path()
    return Pen(path, _signs(path), "zh").has(text)


@cache
def _signs(path: str) -> frozenset[int]:
    return frozenset(FT2Font(path).get_charmap())


def _picture(figures: Figures, title: str, names: Mapping[str, str], pen: Pen) -> Figure:
    dice = [one for one in figures.total.faces if one.sides > 1][:MOST_DICE]
    people = [one for one in figures.by if one.rolls][:MOST_PEOPLE]
    heights = [DICE_IN] * len(dice) + ([LEGEND_IN + PERSON_IN * len(people)] if people else [])
    figure = Figure(figsize=(WIDTH_IN, TITLE_IN + sum(heights)), dpi=DPI, facecolor=WHITE, layout="constrained")
    head = pen.say("title", title=pen.shown(title)[: MOST_NAME * 2], rolls=figures.total.rolls)
    figure.suptitle(head, fontproperties=pen.font(14), color=INK)
    if heights:
        panels = figure.subplots(len(heights), 1, squeeze=False, height_ratios=heights)[:, 0]
        for panel, one in zip(panels, dice, strict=False):
            _dice(panel, one, pen)
        if people:
            _people(panels[-1], people, names, pen)
    return figure


def _dice(panel: Any, faces: Faces, pen: Pen) -> None:
    """A bar for each face, and a line where all of them should end."""
    panel.bar(range(1, faces.sides + 1), faces.counts, color=BAR, width=0.8)
    panel.axhline(faces.expected, color=EXPECTED, linewidth=1.5, label=pen.say("expected"))
    panel.set_title(_verdict(faces, pen), fontproperties=pen.font(11), color=INK, loc="left")
    panel.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=20))
    panel.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=4))
    panel.set_ylim(0, max(*faces.counts, faces.expected) * HEADROOM)
    panel.legend(prop=pen.font(9), loc="upper right", frameon=False)
    _clean(panel)


def _verdict(faces: Faces, pen: Pen) -> str:
    if not faces.telling:
        return pen.say("few", sides=faces.sides, count=faces.thrown)
    chance = f"{faces.chance * 100:.1f}%"
    return pen.say(
        "dice", sides=faces.sides, count=faces.thrown, chi_square=f"{faces.chi_square:.1f}", chance=chance
    )


def _people(panel: Any, people: Sequence[Tally], names: Mapping[str, str], pen: Pen) -> None:
    """A bar for each, in parts: how the rolls came out. Rolls against nothing, and rerolls, are the last part."""
    places = range(len(people))
    left = [0] * len(people)
    for outcome, colour in OUTCOMES.items():
        widths = [dict(_parts(one))[outcome] for one in people]
        panel.barh(places, widths, left=left, color=colour, label=pen.say(outcome))
        left = [before + width for before, width in zip(left, widths, strict=True)]
    panel.set_yticks(places, [_called(one.who, n, names, pen) for n, one in enumerate(people, 1)])
    for label in panel.get_yticklabels():
        label.set_fontproperties(pen.font(10))
    panel.invert_yaxis()
    panel.xaxis.set_major_locator(MaxNLocator(integer=True))
    panel.set_title(pen.say("people"), fontproperties=pen.font(11), color=INK, loc="left")
    panel.legend(prop=pen.font(9), ncols=len(OUTCOMES), loc="upper center", bbox_to_anchor=(0.45, -0.12), frameon=False)
    _clean(panel)


def _parts(tally: Tally) -> Iterator[tuple[str, int]]:
    yield "succeeded", tally.successes
    yield "failed", tally.decided - tally.successes - tally.critical
    yield "critical", tally.critical
    yield "undecided", max(0, tally.rolls - tally.decided)


def _called(who: str, number: int, names: Mapping[str, str], pen: Pen) -> str:
    """What somebody is called, as far as the font has it; a number where it has nothing of it."""
    if who == "pool":
        return pen.say("pool")
    shown = pen.shown(names.get(who, who))
    cut = shown if len(shown) <= MOST_NAME else f"{shown[: MOST_NAME - 1]}…"
    return cut or pen.say("somebody", number=number)


def _clean(panel: Any) -> None:
    panel.set_facecolor(WHITE)
    panel.tick_params(colors=INK, length=0)
    for side in ("top", "right", "left"):
        panel.spines[side].set_visible(False)

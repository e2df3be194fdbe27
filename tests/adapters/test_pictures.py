"""A picture of figures: right in size and colour, in Chinese without boxes, by many threads at once."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import matplotlib as mpl
import pytest
from PIL import Image

from adapters import pictures
from adapters.export.words import PICTURE
from core.language import Language
from core.stats import Figures, figures
from core.table.words import PHRASES
from events import codec
from tests.adapters.terminal import ENVIRONMENT
from tests.story import savage

MOST_BYTES = 300_000


def some_figures(people: int = 3) -> Figures:
    story = savage(*(f"p{n}: /char new 角色{n} 敏捷=d8" for n in range(people)), "gm: /session start")
    story.given(*(f"p{n}: /trait 敏捷" for n in range(people)), *["gm: /roll 5d6+2d20+3d10+2d4+4dF"] * 8)
    return figures(lambda: map(codec.decode, story.log.read(story.table.id)))


def image(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content))


@pytest.mark.parametrize("speech", ["zh", "en"])
def test_a_picture_is_a_light_png_as_wide_as_a_phone(speech: Language) -> None:
    content = pictures.drawn(some_figures(), "冰川", {}, speech)
    shown = image(content)
    assert shown.format == "PNG"
    assert shown.width == 780
    assert shown.height < 4 * shown.width
    assert shown.convert("RGB").getpixel((1, 1)) == (255, 255, 255)
    assert len(content) < MOST_BYTES


def test_a_picture_of_thirty_people_keeps_its_limits() -> None:
    content = pictures.drawn(some_figures(30), "长" * 200, {}, "zh")
    assert image(content).width == 780
    assert len(content) < MOST_BYTES


def test_a_table_without_rolls_still_has_a_picture() -> None:
    assert image(pictures.drawn(figures(tuple), "空", {}, "zh")).width == 780


def test_no_sign_is_missing_whatever_people_are_called() -> None:
    """Matplotlib warns of each sign that it draws as a box, and a warning is an error here."""
    found = some_figures(4)
    names = {one.who: name for one, name in zip(found.by, ("🎲🎲", "$x^2$ _a_", "木落\u200d", "ก\u0e31"), strict=False)}
    content = pictures.drawn(found, "💥 $冰$ \\frac 川", names, "zh")
    assert image(content).width == 780


def test_the_bots_own_font_has_all_that_the_bot_says() -> None:
    pen = pictures.Pen(pictures.font_path(), pictures._signs(pictures.font_path()), "zh")
    assert Path(pen.path).name == "wqy-microhei.ttc"
    for phrase in PICTURE.values():
        assert pen.has(re.sub(r"\{.*?\}", "", phrase.zh + phrase.en))
    chinese = {sign for phrase in PHRASES.values() for sign in phrase.zh if "\u4e00" <= sign <= "\u9fff"}
    assert all(map(pen.has, chinese))


def test_a_font_without_chinese_leaves_no_boxes_and_says_it_in_english() -> None:
    latin = str(Path(mpl.get_data_path()) / "fonts/ttf/DejaVuSans.ttf")
    pen = pictures.Pen(latin, pictures._signs(latin), "zh")
    assert pen.say("people") == "How rolls came out"
    assert pictures._called("小红", 2, {}, pen) == "no. 2"
    assert pictures._called("Ann 小红", 1, {}, pen) == "Ann"
    picture = pictures._picture(some_figures(), "冰川 Glacier", {}, pen)
    picture.savefig(io.BytesIO(), format="png")


def test_many_may_ask_at_once_and_each_gets_the_same_picture() -> None:
    found = some_figures()
    alone = pictures.drawn(found, "冰川", {}, "zh")
    with ThreadPoolExecutor(4) as threads:
        drawn = [threads.submit(pictures.drawn, found, "冰川", {}, "zh") for _ in range(6)]
        assert {one.result() for one in drawn} == {alone}


def test_nothing_of_matplotlibs_settings_is_changed() -> None:
    before = dict(mpl.rcParams)
    pictures.drawn(some_figures(), "冰川", {}, "zh")
    assert dict(mpl.rcParams) == before


def test_whoever_draws_nothing_does_not_wait_for_the_drawing() -> None:
    loaded = "import adapters.cli, adapters.files, sys; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", loaded], check=False, env=ENVIRONMENT).returncode == 0

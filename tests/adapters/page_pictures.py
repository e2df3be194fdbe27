"""The pictures in docs/: an evening as a page, in real Chromium, and its figures as `rollbook stats -o` has them.

`python -m tests.adapters.page_pictures` writes them to docs/. Fonts for Chinese and emoji must be installed.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from adapters import files
from adapters.export import to_html
from adapters.export.extract import Extract
from core.language import Language
from tests.servers.browser import WHOLE, Visit, chromium
from tests.story import Clock, Seeds, Story

DOCS = Path(__file__).parents[2] / "docs"
HALF_PAST_SEVEN = 19 * 3600 + 30 * 60
LONGEST_PAUSE = 140  # seconds between two messages
EVENINGS: dict[Language, tuple[str, ...]] = {
    "en": (
        "gm: /table new savage Under the Glacier", "ann: /char new Lise athletics=d8 vigor=d6 toughness=5",
        "bob: /char new Bo shooting=d8 spirit=d6 toughness=6", "gm: /char new Yeti wild fighting=d8 toughness=7",
        "gm: /log on", "gm: /session start The first night", "ann: /luck no ones tonight", "gm: /scene The crevasse",
        "gm: The ice groans. On the other side, something moves.", "bob: (one minute, the pizza is here)",
        "ann: I take three steps back, and run.", "ann: /trait athletics -2(ice) # over the edge",
        "gm: /benny give Lise # for the leap", "bob: Lise! Behind you!", "gm: /init deal",
        "bob: /trait shooting +1(aim)", "bob: /damage 2d6+1 vs=Yeti", "gm: /init next",
        "gm: /trait fighting as=Yeti", "gm: /damage 2d8 vs=Lise as=Yeti", "ann: /benny spend soak", "gm: /init next",
        *("ann: /trait athletics", "bob: /trait shooting +1(aim)") * 9, "gm: /session end",
    ),
    "zh": (
        "主持: 。开团 savage 冰川之下", "小安: 。角色 新建 丽丝 运动=d8 活力=d6 坚韧=5",
        "阿波: 。角色 新建 铁木 射击=d8 心志=d6 坚韧=6", "老陈: 。角色 新建 陈博士 学识=d10 观察=d6 坚韧=4",
        "鱼鱼: 。角色 新建 小鱼 潜行=d10 战斗=d6 坚韧=5", "主持: 。角色 新建 雪怪 wild 战斗=d8 坚韧=7",
        "主持: 。场次 开始 第一夜", "小安: 。手气 今晚没有一", "主持: 。日志 on", "主持: 。场景 冰裂隙",
        "主持: 冰面在呻吟。裂隙对面，有什么东西在动。", "老陈: （等我一下，外卖到了）", "小安: 我退后三步，起跑。",
        "小安: 。特性 运动 -2(冰面) # 跃过裂隙", "主持: 。助力 给 丽丝 # 漂亮的一跃", "阿波: 丽丝！身后！",
        "主持: 。先攻 发牌", "阿波: 。特性 射击 +1(瞄准)", "阿波: 。伤害 2d6+1 vs=雪怪", "主持: 。先攻 下一个",
        "主持: 。特性 战斗 as=雪怪", "主持: 。伤害 2d8 vs=小鱼 as=雪怪",
        *("小安: 。特性 运动", "阿波: 。特性 射击", "老陈: 。特性 观察", "鱼鱼: 。特性 潜行") * 12,
        *("鱼鱼: 。特性 战斗 -2(黑暗)", "老陈: 。特性 学识", "阿波: 。伤害 2d6+1 vs=雪怪") * 12,
        "小安: 。特性 运动 +1(绳子)", "主持: 。场次 结束",
    ),
}  # fmt: skip


def main() -> None:
    DOCS.mkdir(exist_ok=True)
    evenings = {speech: played(lines) for speech, lines in EVENINGS.items()}
    (DOCS / "stats.png").write_bytes(figures_of(evenings["zh"]))
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        desk = visited(browser, Path(folder), evenings, "en", viewport={"width": 1180, "height": 800})
        look_at(desk, "over the edge")
        desk.page.screenshot(path=DOCS / "page-desk.png")
        dark = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
        phone = visited(browser, Path(folder), evenings, "zh", **dark)
        phone.page.click("#badge")
        phone.page.wait_for_selector(".verdict")
        phone.page.screenshot(path=DOCS / "page-phone.png")


def played(lines: tuple[str, ...]) -> Story:
    """An evening with the pauses that people make."""
    story, clock = Story(seeds=Seeds()), Clock()
    story.app.tables.clock, clock.seconds = clock, HALF_PAST_SEVEN
    for number, line in enumerate(lines):
        story.given(line)
        clock.seconds += 5 + 47 * number % LONGEST_PAUSE
    return story


def figures_of(story: Story) -> bytes:
    table = story.table
    return files.picture(story.log, Extract(table.id, table.ledger.seq), story.log.names(), table.play.language)


def visited(browser: Browser, folder: Path, evenings: dict[Language, Story], speech: Language, **options: Any) -> Visit:
    story = evenings[speech]
    table = story.table
    extract = Extract(table.id, table.ledger.seq)
    found = to_html.lines(story.log, extract, story.log.names(), speech, title=table.play.title)
    file = folder / f"{speech}.html"
    file.write_bytes(b"\n".join(found))
    visit = Visit(browser.new_context(**{"color_scheme": "light", **options}), file)
    visit.page.wait_for_selector(WHOLE, state="attached")
    return visit


def look_at(visit: Visit, text: str) -> None:
    """At the act in which this was heard, a few lines of what was said before it above it."""
    act = visit.page.locator("article", has_text=text)
    act.locator(".seq").click()
    act.locator("summary").click()
    act.locator("dl").wait_for()
    act.evaluate("node => scrollTo(0, node.offsetTop - 190)")


if __name__ == "__main__":
    main()

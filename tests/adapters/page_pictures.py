"""The pictures of a page in the README, taken in real Chromium.

`python -m tests.adapters.page_pictures` writes them to docs/. Fonts for Chinese and emoji must be installed.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from adapters.export import to_html
from adapters.export.extract import Extract
from core.language import Language
from tests.servers.browser import WHOLE, Visit, chromium
from tests.story import Seeds, Story

DOCS = Path(__file__).parents[2] / "docs"
STORIES: dict[Language, tuple[str, ...]] = {
    "en": (
        "gm: /table new savage Under the Glacier", "ann: /char new Lise athletics=d8 vigor=d6 toughness=5",
        "bob: /char new Bo shooting=d8 spirit=d6 toughness=6", "gm: /char new Yeti wild fighting=d8 toughness=7",
        "gm: /session start The first night", "ann: /luck no ones tonight", "gm: /scene The crevasse",
        "ann: /trait athletics -2(ice) # over the edge", "gm: /benny give Lise # for the leap", "gm: /init deal",
        "bob: /trait shooting +1(aim)", "bob: /damage 2d6+1 vs=Yeti", "gm: /init next",
        "gm: /trait fighting as=Yeti", "gm: /damage 2d8 vs=Lise as=Yeti", "ann: /benny spend soak", "gm: /init next",
        *("ann: /trait athletics", "bob: /trait shooting +1(aim)") * 9, "gm: /session end",
    ),
    "zh": (
        "主持: 。开团 savage 冰川之下",
        "小安: 。角色 新建 丽丝 运动=d8 活力=d6 坚韧=5",
        "阿波: 。角色 新建 阿波 射击=d8 心志=d6 坚韧=6",
        "主持: 。角色 新建 雪怪 wild 战斗=d8 坚韧=7",
        "主持: 。场次 开始 第一夜",
        "小安: 。手气 今晚没有一",
        "主持: 。场景 冰裂隙",
        "小安: 。特性 运动 -2(冰面) # 跃过裂隙",
        "主持: 。助力 给 丽丝 # 漂亮的一跃",
        "主持: 。先攻 发牌",
        "阿波: 。特性 射击 +1(瞄准)",
        "阿波: 。伤害 2d6+1 vs=雪怪",
        "主持: 。先攻 下一个",
        "小安: 。特性 运动",
        "主持: 。场次 结束",
    ),
}  # fmt: skip


def main() -> None:
    DOCS.mkdir(exist_ok=True)
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        desk = _visit(browser, Path(folder), "en", viewport={"width": 1180, "height": 800}, color_scheme="light")
        _look_at(desk, "over the edge")
        desk.page.screenshot(path=DOCS / "page-desk.png")
        desk.page.click("#tab-figures")
        desk.page.screenshot(path=DOCS / "page-figures.png")
        phone = _visit(browser, Path(folder), "zh", viewport={"width": 390, "height": 780}, color_scheme="dark")
        phone.page.click("#badge")
        phone.page.wait_for_selector(".verdict")
        phone.page.screenshot(path=DOCS / "page-phone.png")


def _visit(browser: Browser, folder: Path, speech: Language, **options: Any) -> Visit:
    story = Story(seeds=Seeds(2)).given(*STORIES[speech])
    table = story.table
    extract = Extract(table.id, table.ledger.seq)
    found = to_html.lines(story.log, extract, story.log.names(), speech, title=table.play.title)
    file = folder / f"{speech}.html"
    file.write_bytes(b"\n".join(found))
    visit = Visit(browser.new_context(**options), file)
    visit.page.wait_for_selector(WHOLE, state="attached")
    return visit


def _look_at(visit: Visit, text: str) -> None:
    act = visit.page.locator("article", has_text=text)
    act.locator(".seq").click()
    act.locator("summary").click()
    act.locator("dl").wait_for()
    visit.page.click("#later")
    visit.page.click("#later")
    act.evaluate("node => scrollTo(0, node.offsetTop - 60)")


if __name__ == "__main__":
    main()

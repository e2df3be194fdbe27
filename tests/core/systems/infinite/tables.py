"""Tables of 无限恐怖 to play at: the usual people, and what the system keeps of them."""

from __future__ import annotations

from core.messages import Answer
from core.systems.infinite.state import Infinite
from events.log import EventLog
from events.types import AttackResolved, RollMade
from tests.story import Story, all_of

ZHANG = "a: /char new 张三 力量=11 敏捷=6 运动=3 潜行=2 格斗=3"
GUARD = "d: /char new 守 感知=4 调查=2 防御附加=7"
KNIGHT = "d: /char new 骑士 敏捷=4 防御附加=2 传奇敏捷=3 传奇感知=1 基础防御=3"
OGRE = "gm: /char new 巨魔 力量=5 感知=3 防御附加=2"
ZOMBIE = "gm: /char new 丧尸 力量=4"


def table(*lines: str, log: EventLog | None = None, language: str = "en") -> Story:
    """A table of `gm` with physical dice allowed."""
    opening = ("gm: /table new infinite", "gm: /house physical-dice on", f"gm: /lang {language}")
    return Story(log=log).given(*opening, *lines)


def state(story: Story) -> Infinite:
    """What 无限恐怖 keeps of the table."""
    rules = story.table.play.rules
    assert isinstance(rules, Infinite)
    return rules


def rolls(answer: Answer) -> list[RollMade]:
    return all_of(answer, RollMade)


def attacks(answer: Answer) -> list[AttackResolved]:
    return all_of(answer, AttackResolved)


def numbers(answer: Answer) -> list[tuple[int, int, int, int]]:
    """Of each attack of an action: rolled, cancelled, extra, total."""
    return [(one.rolled, one.cancelled, one.extra, one.total) for one in attacks(answer)]


def left(story: Story, name: str) -> int:
    """How many defence extras somebody can still put up, as the sheet says."""
    text = story.when(f"gm: /sheet {name}").letters[0].text
    return int(text.rsplit("defence extras ", 1)[1].split("/")[0])

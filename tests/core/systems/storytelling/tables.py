"""Tables to play at: the usual people, and short ways to look at what happened."""

from __future__ import annotations

from core.messages import Answer
from core.systems.storytelling.state import Storytelling
from events.log import EventLog
from events.types import ContestResolved, ExtendedProgress, RollMade
from tests.story import Seeds, Story, one_of

MARCUS = "marcus: /char new Marcus int=4 crafts=2 wits=5 str=3 athletics=1"
KAREN = "karen: /char new 卡伦 耐力=2 运动=4"
GHOUL = "gm: /char new Ghoul str=4 brawl=3"
CHAINSAW = "gm: /extended new Chainsaw target=10 every=15m"


def table(*lines: str, seeds: int = 0, log: EventLog | None = None) -> Story:
    """A Storytelling table of `gm` with physical dice allowed, on entropy that begins at `seeds`."""
    story = Story(log=log, seeds=Seeds(seeds))
    return story.given("gm: /table new storytelling Chronicle", "gm: /house physical-dice on", *lines)


def state(story: Story) -> Storytelling:
    """What Storytelling keeps of the table."""
    rules = story.table.play.rules
    assert isinstance(rules, Storytelling)
    return rules


def rolled(answer: Answer) -> RollMade:
    return one_of(answer, RollMade)


def progress(answer: Answer) -> ExtendedProgress:
    return one_of(answer, ExtendedProgress)


def resolved(answer: Answer) -> ContestResolved:
    return one_of(answer, ContestResolved)


def faces(roll: RollMade) -> list[tuple[str, tuple[int, ...]]]:
    """Each entry of the record's dice as role and faces."""
    return [(die.role, die.faces) for die in roll.dice]


def succeeding(count: int, size: int) -> str:
    """Faces of a pool of `size` with so many successes and nothing that goes again."""
    return ",".join(["8"] * count + ["2"] * (size - count))

"""Tables to play at: the usual people, and what their sheets and picks stand at."""

from __future__ import annotations

from core.messages import Answer
from core.systems.adventure.state import Adventure
from events.log import EventLog
from events.types import ChoiceOffered, ConditionCleared, ConditionLocked, ConditionMarked
from tests.story import Seeds, Story, all_of

ASH = "ann: /char new Ash STR=1 DEX=0 INT=2 WIS=0 CHA=-1 damage=d8 hp=7 max_hp=7"
BO = "bob: /char new Bo STR=0 DEX=2 INT=0 WIS=1 CHA=1 damage=d6 hp=6 max_hp=6"
CAT = "cat: /char new Cat STR=2 DEX=1 INT=-1 WIS=2 CHA=0 damage=d10 hp=8 max_hp=8"
OGRE = "gm: /char new Ogre damage=d6 hp=9 max_hp=9"
PARTY = (ASH, BO, CAT)
START = "gm: /session start"
MARK_FOUR = ("ann: /mark angry", "ann: /mark distracted", "ann: /mark exhausted", "ann: /mark frightened")
LOCK_FIVE = tuple(f"gm: /lock {one} as=Ash" for one in ("angry", "distracted", "exhausted", "frightened", "insecure"))


def table(*lines: str, log: EventLog | None = None, seeds: int = 0, speech: str = "en") -> Story:
    """A table of adventure moves of `gm` with physical dice allowed, and what has happened there."""
    story = Story(log=log, seeds=Seeds(seeds))
    return story.given("gm: /table new adventure Peaks", f"gm: /lang {speech}", "gm: /house physical-dice on", *lines)


def party(*lines: str, log: EventLog | None = None, speech: str = "en") -> Story:
    """Three players, a session running."""
    return table(*PARTY, START, *lines, log=log, speech=speech)


def state(story: Story) -> Adventure:
    """What this system keeps of the table."""
    rules = story.table.play.rules
    assert isinstance(rules, Adventure)
    return rules


def hp(story: Story, name: str = "Ash") -> tuple[int, int]:
    now = state(story).hp[name]
    return now.hp, now.max_hp


def conditions(story: Story, name: str = "Ash") -> dict[str, str]:
    return dict(state(story).conditions.get(name, {}))


def xp(story: Story, name: str = "Ash") -> tuple[int, int]:
    """XP and level."""
    grown = state(story).growth.get(name)
    return (grown.xp, grown.level) if grown else (0, 1)


def held(story: Story, name: str = "Ash") -> list[tuple[str, str]]:
    """What somebody holds: adv or dis, and why."""
    return [(one.kind, one.why) for one in state(story).held.get(name, ())]


def offered(answer: Answer) -> list[tuple[int, str, str, tuple[str, ...]]]:
    """The choices that a command offered: number, owner, kind, options."""
    return [(one.choice, one.owner, one.kind, one.options) for one in all_of(answer, ChoiceOffered)]


def open_choices(story: Story) -> list[int]:
    return [one.number for one in story.table.play.choices.values() if one.open]


def changes(answer: Answer) -> list[tuple[str, str, str]]:
    """What a command did to conditions, in order: marked, cleared or locked; whose; which."""
    kinds = {ConditionMarked: "marked", ConditionCleared: "cleared", ConditionLocked: "locked"}
    return [
        (kinds[type(one.data)], one.data.character, one.data.condition)
        for one in answer.events
        if isinstance(one.data, ConditionMarked | ConditionCleared | ConditionLocked)
    ]


def kinds(answer: Answer) -> list[str]:
    """The types of the facts that a command led to."""
    assert answer.error is None, answer.error
    return [envelope.type for envelope in answer.events]


def sentence(answer: Answer) -> str:
    """The one sentence of a refusal."""
    assert answer.error is not None
    return answer.error[1]

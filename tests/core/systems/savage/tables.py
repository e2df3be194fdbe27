"""Tables to play at: the usual people, and a search for the cards that a test needs."""

from __future__ import annotations

from collections.abc import Callable

from core.messages import Answer
from core.systems.savage.state import Fight, Savage
from events.log import EventLog
from events.types import CardDealt
from tests.story import Seeds, Story

RED = "red: /char new Red wild agility=d6 vigor=d8 spirit=d6 stealth=d8 fighting=d8 toughness=5"
BOB = "bob: /char new Bob wild agility=d6 vigor=d6 notice=d6"
GUARD = "gm: /char new Guard extra notice=d6 vigor=d6 spirit=d6 toughness=6"
BOSS = "gm: /char new Boss wild fighting=d10 vigor=d10 notice=d8 spirit=d8 toughness=7"
START = "gm: /session start"


def table(*lines: str, seeds: int = 0, log: EventLog | None = None) -> Story:
    """A Savage Worlds table of `gm` with physical dice allowed, on entropy that begins at `seeds`."""
    story = Story(log=log, seeds=Seeds(seeds))
    return story.given("gm: /table new savage Glacier", "gm: /house physical-dice on", *lines)


def state(story: Story) -> Savage:
    """What Savage Worlds keeps of the table."""
    rules = story.table.play.rules
    assert isinstance(rules, Savage)
    return rules


def fight(story: Story) -> Fight:
    """The fight that is going on."""
    found = state(story).fight
    assert found is not None
    return found


def bennies(story: Story, holder: str) -> int:
    """How many Bennies somebody has: a person, a GM character, or `pool`."""
    return state(story).bennies.get(holder, 0)


def cards_of(answer: Answer) -> list[CardDealt]:
    """Every card that a command dealt, in order."""
    return [envelope.data for envelope in answer.events if isinstance(envelope.data, CardDealt)]


def luck_with(lines: tuple[str, ...], last: str, wanted: Callable[[Story, Answer], bool]) -> tuple[Story, Answer]:
    """The first entropy, counted up from 0, with which the cards fall as wanted: the same one in every run."""
    for seeds in range(3_000):
        story = table(*lines, seeds=seeds)
        answer = story.when(last)
        assert answer.error is None, answer.error
        if wanted(story, answer):
            return story, answer
    raise AssertionError("no entropy deals the cards that were wanted")

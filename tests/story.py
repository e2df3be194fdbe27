"""Given / when / then: a table told as lines of chat, `name: text`, and what each line led to."""

from __future__ import annotations

import hashlib
import re
from typing import TypeVar

from core.app import App
from core.evolve import Table
from core.messages import Answer, Incoming
from core.zones import UTC_ALONE, Zones
from events.beside import MessageKey
from events.log import EventLog, MemoryLog
from events.types import Event

T = TypeVar("T", bound=Event)


class Seeds:
    """Entropy that is the same in every run: the n-th draw is a hash of n."""

    def __init__(self, start: int = 0) -> None:
        self.drawn = start

    def __call__(self, size: int) -> bytes:
        self.drawn += 1
        return hashlib.sha256(f"seed {self.drawn}".encode()).digest()[:size]


class Clock:
    """A second goes by with each look."""

    def __init__(self) -> None:
        self.seconds = 0

    def __call__(self) -> str:
        self.seconds += 1
        hours, rest = divmod(self.seconds, 3600)
        return f"2026-11-30T{hours % 24:02}:{rest // 60:02}:{rest % 60:02}.000Z"


class Story:
    """One chat at a real App on a real log (MemoryLog unless given)."""

    def __init__(
        self, log: EventLog | None = None, chat: str = "test", seeds: Seeds | None = None, zones: Zones = UTC_ALONE
    ) -> None:
        self.log = MemoryLog() if log is None else log
        self.app = App(self.log, Clock(), seeds or Seeds(), zones=zones)
        self.chat = chat
        self.said = 0

    def hear(self, line: str, message: str = "") -> list[Answer]:
        """One message; `message` repeats an id that was used before."""
        self.said += 1
        name, _, text = line.partition(": ")
        key = MessageKey("test", self.chat, message or str(self.said))
        return self.app.hear(Incoming(key=key, person=name, name=name, text=text))

    def given(self, *lines: str) -> Story:
        """What has happened; none of it may be refused."""
        for line in lines:
            for answer in self.hear(line):
                assert answer.error is None, f"{line}: {answer.error}"
        return self

    def when(self, line: str) -> Answer:
        """The one command that the test is about."""
        (answer,) = self.hear(line)
        return answer

    @property
    def table(self) -> Table:
        table = self.app.table_at(MessageKey("test", self.chat, ""))
        assert table is not None, "no table was opened"
        return table


def savage(*lines: str, physical: bool = True) -> Story:
    """A Savage Worlds table of `gm`, physical dice allowed unless said otherwise, and what has happened there."""
    dice = ("gm: /house physical-dice on",) if physical else ()
    return Story().given("gm: /table new savage Glacier", *dice, *lines)


def restarted(story: Story, log: EventLog | None = None) -> Story:
    """The program ended and was started again: a new App on the same log, or on its file opened anew."""
    seeds, clock = story.app.tables.entropy, story.app.tables.clock
    assert isinstance(seeds, Seeds)
    assert isinstance(clock, Clock)
    again = Story(story.log if log is None else log, story.chat, Seeds(seeds.drawn))
    again.app.tables.clock, again.said = clock, story.said
    return again


def first_of(story: Story, line: str) -> int:
    """The number by which an act is taken back: that of its first event."""
    answer = story.when(line)
    assert answer.error is None, answer.error
    return answer.events[0].seq


def all_of(answer: Answer, kind: type[T]) -> list[T]:
    assert answer.error is None, answer.error
    return [envelope.data for envelope in answer.events if isinstance(envelope.data, kind)]


def one_of(answer: Answer, kind: type[T]) -> T:
    """The only event of this type that the command led to."""
    found = all_of(answer, kind)
    assert len(found) == 1, [type(envelope.data).__name__ for envelope in answer.events]
    return found[0]


def refused(answer: Answer) -> str:
    """The code of a refusal, which must have appended nothing and say one sentence."""
    assert answer.error is not None, [type(envelope.data).__name__ for envelope in answer.events]
    code, sentence = answer.error
    assert answer.events == ()
    assert sentence
    assert "\n" not in sentence
    return code


def code_in(text: str) -> str:
    """The code that a letter holds, as it is shown."""
    found = re.search(r"\b[0-9A-Z]{4}-[0-9A-Z]{4}\b", text)
    assert found, text
    return found[0]


def told(answer: Answer, to: str = "table") -> str:
    """What somebody hears of it."""
    return "\n".join(letter.text for letter in answer.letters if letter.to == to)

"""What `rollbook doctor` and `rollbook setup` find, and what each of the checks needs to come to it.

Here: a Finding and how it is told, a server's clock, whether a place can be written. Never: a sentence (`words.py`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from core.language import Language, Phrase, PhraseBook, say

Level: TypeAlias = Literal["ok", "warning", "fault"]
MARKS: Mapping[Level, str] = {"ok": "✓", "warning": "!", "fault": "✗"}
MISSHAPEN = (ValueError, LookupError, TypeError, AttributeError)  # what reading an answer of another server may raise
HALF_SECOND = 0.5  # a Date header has whole seconds, so on average this much has gone by since


class Finding(Struct, frozen=True):
    """`says` what is so and `do` what to do about it; `facts` fill the blanks of both, and may be Phrases or lists."""

    level: Level
    says: Phrase
    do: Phrase | None
    facts: Mapping[str, object]

    def told(self, speech: Language) -> str:
        """One line, mark first."""
        facts = {name: say(fact, speech, {}) for name, fact in self.facts.items()}
        parts = [say(part, speech, {}).format(**facts) for part in (self.says, self.do) if part]
        return " ".join(f"{MARKS[self.level]} {' → '.join(parts)}".split())


class Findings:
    """Makes Findings from the sentences of one book: under `key` what is so, under `key.do` what to do about it."""

    def __init__(self, book: PhraseBook) -> None:
        self._book = book

    def ok(self, key: str, **facts: object) -> Finding:
        return Finding("ok", self._book[key], None, facts)

    def warning(self, key: str, **facts: object) -> Finding:
        """It works, but not all of it, or not for long."""
        return Finding("warning", self._book[key], self._book[f"{key}.do"], facts)

    def fault(self, key: str, **facts: object) -> Finding:
        """`rollbook serve` cannot work so."""
        return Finding("fault", self._book[key], self._book[f"{key}.do"], facts)


class Checkup(Struct, frozen=True):
    """What was found at a server, and how far our clock is ahead of its own; None: it has not said."""

    findings: list[Finding]
    ahead_s: float | None


class Checked(Struct, frozen=True):
    """What a server says to a login. `name`: whose it is, as the server writes it, where it is taken."""

    answer: Literal["taken", "refused", "unreached"]
    findings: list[Finding]
    name: str = ""


class ServerClock:
    """How far our clock is ahead of a server's, by the Date header of its last answer. `clock`: seconds since 1970."""

    ahead_s: float | None = None  # None: the server has not said

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._asked_at = 0.0

    def asked(self) -> None:
        self._asked_at = self._clock()

    def answered(self, date: str | None) -> None:
        try:
            told = parsedate_to_datetime(date or "").timestamp()
        except ValueError:
            return
        self.ahead_s = (self._asked_at + self._clock()) / 2 - (told + HALF_SECOND)


def nearest(path: Path) -> Path:
    """The path itself, or the innermost folder round it that there is."""
    return next((one for one in (path, *path.absolute().parents) if os.access(one, os.F_OK)), path)


def writable(path: Path) -> bool:
    """Whether this can be written, or made where it is not there yet."""
    place = nearest(path)
    if place != path and not place.is_dir():
        return False
    return os.access(place, os.W_OK, effective_ids=os.access in os.supports_effective_ids)

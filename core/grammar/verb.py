"""The verb: one row of the one table that feeds parser, help, completion, menus and the pages in docs/.

Here: the shape of a row and of a command. Never: a certain verb (they stand in `verbs.py` of each room).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from core.grammar.arguments import Arguments
from core.grammar.text import fold
from core.language import Language, Phrase

Secret: TypeAlias = Literal["both", "gm", "me"]


class Command(Struct, frozen=True, kw_only=True, gc=False):
    """What somebody wants done. `as_` is the character named by `as=`, `given` the faces behind `dice=`."""

    as_: str | None = None
    given: tuple[int, ...] | None = None
    secret: Secret | None = None
    note: str = ""


class Question(Command, frozen=True, kw_only=True):
    """What somebody wants to know. It records nothing."""


class Verb(Struct, frozen=True, kw_only=True, gc=False):
    """One row. `takes` names the common options it allows: as, dice, secret. `words` are for completion and help."""

    name: str
    zh: tuple[str, ...]
    also: tuple[str, ...] = ()
    read: Callable[[Arguments], Command]
    usage: Phrase
    says: Phrase
    example: Phrase
    takes: frozenset[str] = frozenset()
    words: tuple[Phrase, ...] = ()

    def called(self, speech: Language) -> str:
        return self.zh[0] if speech == "zh" else self.name

    def names(self) -> tuple[str, ...]:
        return (self.name, *self.zh, *self.also)


class VerbTable:
    """All verbs of a table, found by any of their names."""

    def __init__(self, verbs: tuple[Verb, ...], bare: Callable[[str], str | None] = lambda word: None) -> None:
        self.verbs = verbs
        self.bare = bare
        self.by_name: Mapping[str, Verb] = {fold(name): verb for verb in verbs for name in verb.names()}
        if len(self.by_name) != sum(len(verb.names()) for verb in verbs):
            raise ValueError("two verbs share a name")

    def find(self, word: str) -> Verb | None:
        return self.by_name.get(fold(word))

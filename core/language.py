"""Languages, and the two values of which everything told is made: Phrase and Line.

Here: what a sentence is before it is text. Never: a sentence itself (they stand in `words.py` of each room)
and never any joining of text outside `say`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from string import Formatter
from typing import Literal, NamedTuple, TypeAlias, cast

from msgspec import Struct

Language: TypeAlias = Literal["zh", "en"]


class Phrase(NamedTuple):
    """One sentence in both languages; `{fact}` is filled in by `say`."""

    zh: str
    en: str


class Line(Struct, frozen=True, gc=False):
    """Something to be told: the key of its phrase and the facts that fill it. Facts may be Lines themselves."""

    key: str
    facts: Mapping[str, object] = {}


class Signs(NamedTuple):
    """What stands before the verbs that sentences name, so that they can be typed as they are read."""

    zh: str = "。"
    en: str = "/"


SIGNS = Signs()

PhraseBook: TypeAlias = Mapping[str, Phrase]


def line(key: str, /, **facts: object) -> Line:
    return Line(key, facts)


def language(value: str) -> Language:
    """The language a stored event names; an unknown one reads as English."""
    return cast(Language, value) if value in ("zh", "en") else "en"


def language_of(text: str) -> Language:
    """Chinese if any Han character is in `text`: used only where no table has said otherwise."""
    return "zh" if any("\u4e00" <= char <= "\u9fff" for char in text) else "en"


def say(what: object, speech: Language, book: PhraseBook, sign: Signs = SIGNS) -> str:
    """Text of a fact: Lines by their phrases, sequences as lists, anything else as it stands.

    `sign` begins a command where this is read.
    """
    if type(what) is str:  # most of what is told
        return what
    if type(what) is int:
        return str(what)
    if isinstance(what, Line):
        return _filled(what, speech, book, sign)
    if isinstance(what, Phrase):
        return what.zh if speech == "zh" else what.en
    if isinstance(what, Sequence) and not isinstance(what, str):
        return ("、" if speech == "zh" else ", ").join(say(part, speech, book, sign) for part in what)
    return "" if what is None else str(what)


def _filled(told: Line, speech: Language, book: PhraseBook, sign: Signs) -> str:
    facts = told.facts
    if told.key not in book and "name" in facts:
        return say(facts["name"], speech, book, sign)  # that a person made up: its own word in every language
    phrase = book[told.key]
    template, blanks = _template(phrase.zh if speech == "zh" else phrase.en)
    if not blanks:
        return template
    given = {"p": sign.zh if speech == "zh" else sign.en, **facts} if "p" in blanks else facts
    return template % tuple([
        fact if type(fact := given[name]) is str else say(fact, speech, book, sign) for name in blanks
    ])


@cache
def _template(sentence: str) -> tuple[str, tuple[str, ...]]:
    """The sentence with `%s` for each of its blanks, and their names in order; without any, as it is told."""
    parsed = list(Formatter().parse(sentence))
    blanks = tuple(name for _, name, _, _ in parsed if name is not None)
    if not blanks:
        return "".join(text for text, *_ in parsed), ()
    return "".join(text.replace("%", "%%") + ("" if name is None else "%s") for text, name, *_ in parsed), blanks

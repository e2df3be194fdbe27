"""Every fact and every refusal has its sentence, every sentence is said somewhere, and is given what it names."""

from __future__ import annotations

import string
from fnmatch import fnmatchcase

import pytest

from core.language import Phrase
from core.refusal import CODES
from core.registry import SYSTEMS, rooms
from core.render.letters import TERMS
from core.vocabulary import phrase_book
from events.types import EVENT_TYPES
from tests.house import source

BOOK = {key: phrase for system in SYSTEMS for key, phrase in phrase_book(system).items()}
ALWAYS = {"p", "example"}  # what every sentence, and every refusal's, is given

# Facts that tell nothing, each with its reason.
SILENT = {
    "ChoiceMade": "what the pick does is told instead",
    "ChoiceWithdrawn": "its moment is over, and that is told by what ended it",
}


def named(phrase: Phrase) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(phrase.en) if name}


REFUSALS = source.refusals()
LINES = [use for use in source.lines() if "{}" not in use.key]
# `{}.{}` is a refusal's term: TERMS has their families.
FAMILIES = {use.key: use for use in source.lines() if "{}" in use.key and not use.key.startswith("{}")}


@pytest.mark.parametrize("use", REFUSALS, ids=lambda use: f"{use.key}@{use.place}")
def test_every_refusal_has_a_sentence_and_the_facts_that_it_names(use: source.Use) -> None:
    assert use.key.split(".")[0] in CODES
    assert use.key in BOOK
    assert use.open or named(BOOK[use.key]) - ALWAYS <= use.facts


def test_no_refusal_is_left_unread() -> None:
    assert source.unread_refusals() == []
    assert len(REFUSALS) > 100


@pytest.mark.parametrize("use", LINES, ids=lambda use: f"{use.key}@{use.place}")
def test_every_line_has_a_sentence_and_the_facts_that_it_names(use: source.Use) -> None:
    assert use.key in BOOK
    assert use.open or named(BOOK[use.key]) - {"p"} <= use.facts


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_every_family_of_lines_has_members(family: str) -> None:
    """A family without sentences of its own has the fact `name`, which is then said as it stands."""
    members = [key for key in BOOK if fnmatchcase(key, family.replace("{}", "*"))]
    assert members or "name" in FAMILIES[family].facts


def test_every_sentence_is_said_by_something() -> None:
    literal = {use.key for use in (*REFUSALS, *LINES)}
    families = [*(key.replace("{}", "*") for key in FAMILIES), *(f"{term}.*" for term in TERMS)]
    assert [key for key in BOOK if key not in literal and not any(fnmatchcase(key, one) for one in families)] == []


def test_what_a_refusal_says_is_missing_has_a_name() -> None:
    missing = set()
    for call, scope, path in source.calls("Refusal"):
        for keyword in call.keywords:
            if keyword.arg == "what" and isinstance(keyword.value, source.ast.Constant):
                missing |= set(source.values(keyword.value, scope, path))
    assert missing
    assert {f"what.{one}" for one in missing} <= BOOK.keys()


@pytest.mark.parametrize("name", sorted(source.events_made()))
def test_every_fact_that_is_decided_is_told_or_silent_on_purpose(name: str) -> None:
    kind = EVENT_TYPES[name]
    for system in SYSTEMS:
        if any(path == "core/table/decide.py" or f"/{system}/" in path for path in source.events_made()[name]):
            assert any(kind in room.TELL for room in rooms(system, "tell"))


@pytest.mark.parametrize("name", sorted(SILENT))
def test_a_silent_fact_is_one_that_exists(name: str) -> None:
    assert EVENT_TYPES[name] in rooms("", "tell")[0].TELL


def test_a_refusal_is_one_sentence_on_one_line() -> None:
    for key, phrase in BOOK.items():
        if key.split(".")[0] in CODES:
            assert "\n" not in phrase.zh + phrase.en

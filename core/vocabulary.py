"""All verbs and all sentences of all rooms, each in one table.

Here: gathering what the rooms hold. Never: a verb or a sentence of its own.
"""

from __future__ import annotations

from functools import cache

from core.grammar.verb import VerbTable
from core.language import PhraseBook
from core.registry import SYSTEMS, rooms


@cache
def verb_table(system: str) -> VerbTable:
    """All verbs at a table of this system; the empty system has the table's alone."""
    found = rooms(system, "verbs")
    return VerbTable(tuple(verb for room in found for verb in room.VERBS), found[-1].bare)


@cache
def phrase_book() -> PhraseBook:
    """Every sentence of every room by its key."""
    words = (*rooms("", "words"), *(rooms(system, "words")[1] for system in SYSTEMS))
    return {key: phrase for room in words for key, phrase in room.PHRASES.items()}

"""All verbs and all sentences of all rooms, each in one table.

Here: gathering what the rooms hold. Never: a verb or a sentence of its own.
"""

from __future__ import annotations

from functools import cache

from core.grammar.verb import VerbTable
from core.language import PhraseBook
from core.registry import rooms


@cache
def verb_table(system: str) -> VerbTable:
    """All verbs at a table of this system; the empty system has the table's alone."""
    found = rooms(system, "verbs")
    return VerbTable(tuple(verb for room in found for verb in room.VERBS), found[-1].bare)


@cache
def phrase_book(system: str) -> PhraseBook:
    """Every sentence at a table of this system by its key. Two systems may word the same key each in its own way."""
    return {key: phrase for room in rooms(system, "words") for key, phrase in room.PHRASES.items()}

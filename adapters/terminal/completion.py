"""What may come next in a line: people, verbs, their words, characters, traits.

Here: text before the cursor -> the words that fit. Never: a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from adapters.terminal import wire
from core.evolve import Table
from core.grammar.text import fold
from core.grammar.verb import Verb
from core.vocabulary import phrase_book, verb_table


class Offer(Struct, frozen=True):
    """A word that may stand in place of the `length` characters before the cursor, and what it is."""

    text: str
    length: int
    says: str = ""


def offers(before: str, table: Table, speaker: str, name: Callable[[str], str]) -> Iterator[Offer]:
    """Everything that fits the text before the cursor, the closest kind first."""
    said = wire.spoken(before, speaker)
    if not said.text.startswith(tuple(wire.PREFIXES)):
        yield from _people(before, table, name)
        return
    words = said.text[1:].split() + [""] * before.endswith(" ")
    words = words or [""]
    if len(words) == 1:
        yield from _verbs(words[0], table)
    elif verb := verb_table(table.play.system).find(words[0]):
        found = dict.fromkeys((*_words(verb), *_characters(table), *_traits(table, said.person)))
        yield from (Offer(one, len(words[-1])) for one in found if fold(one).startswith(fold(words[-1])))


def _people(before: str, table: Table, name: Callable[[str], str]) -> Iterator[Offer]:
    if wire.NAMED.fullmatch(before.strip()):
        return
    people = dict.fromkeys(one for one in (table.play.gm, *table.play.players) if one)
    for one in map(name, people):
        if fold(one).startswith(fold(before)):
            yield Offer(f"{one}: ", len(before))


def _verbs(typed: str, table: Table) -> Iterator[Offer]:
    """Verbs in both languages; each is told once where nothing is typed yet."""
    for verb in verb_table(table.play.system).verbs:
        names = verb.names() if typed else (verb.called("zh" if table.play.language == "zh" else "en"),)
        for one in names:
            if fold(one).startswith(fold(typed)):
                says = verb.says.zh if table.play.language == "zh" else verb.says.en
                yield Offer(one, len(typed), says)


def _words(verb: Verb) -> Iterator[str]:
    for phrase in verb.words:
        yield from phrase


def _characters(table: Table) -> Iterator[str]:
    for one in table.play.characters.values():
        if not one.retired:
            yield f'"{one.name}"' if " " in one.name else one.name


def _traits(table: Table, person: str) -> Iterator[str]:
    """What stands on the sheet of the speaker's active character, by its name in both languages."""
    sheet = table.play.characters.get(table.play.active.get(person, ""))
    for trait in sheet.traits if sheet else ():
        phrase = phrase_book(table.play.system).get(f"trait.{trait}")
        yield from phrase or (trait,)

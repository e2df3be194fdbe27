"""What may come next in a line: people, verbs, their words, characters, traits, house rules.

Here: text before the cursor -> the words that fit. Never: a terminal, and no list of verbs or words of its own:
what may follow a verb is read off its row and its usage.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from adapters.terminal import wire
from core.evolve import Table
from core.grammar.text import fold
from core.grammar.verb import Verb
from core.house import Option
from core.language import Language, Phrase, language
from core.table.decide import options
from core.vocabulary import phrase_book, verb_table

# The word that is being typed: what stands behind the last space that is not in quotes.
LAST = re.compile(r"""(?:[^\s"“「『]|["“「『][^"”」』]*(?:["”」』]|$))*$""")
WITH_NAMES = re.compile(r"(as|扮演|用角色|vs|对|对抗|leader|领队)=(.*)", re.IGNORECASE | re.DOTALL)
OF_TRAITS = re.compile(r"\b(?:TRAITS?|POOL|STAT|KEY=VALUE)\b")


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
    last = LAST.search(before)
    typed = last[0] if last else ""
    head, *words = said.text[1:].split() or [""]
    if not words and not before.endswith((" ", "\u3000")):
        yield from _verbs(head, table)
    elif verb := verb_table(table.play.system).find(head):
        done = words[:-1] if typed and words else words
        speech = "zh" if not head.isascii() else language(table.play.language)
        found = dict.fromkeys(_behind(verb, done, typed, table, said.person, speech))
        yield from (Offer(one, len(typed)) for one in found)


def _behind(verb: Verb, done: list[str], typed: str, table: Table, person: str, speech: Language) -> Iterator[str]:
    """What may stand behind a verb and the words `done` in place of `typed`."""
    if named := WITH_NAMES.fullmatch(typed):
        yield from (f"{named[1]}={one}" for one in _characters(table, named[2]))
    elif verb.name == "help":
        rows = verb_table(table.play.system).verbs
        yield from _fitting((Phrase(one.called("zh"), one.called("en")) for one in rows if not done), typed, speech)
    elif verb.name == "house":
        yield from _fitting(_house(options(table.play.system), done), typed, speech)
    else:
        yield from _fitting(_words(verb, [fold(one) for one in done]), typed, speech)
        if OF_TRAITS.search(verb.usage.en):
            yield from _fitting(_traits(table, person), typed, speech)
        if "NAME" in verb.usage.en or "as" in verb.takes:
            yield from _characters(table, typed)


def _fitting(phrases: Iterator[Phrase], typed: str, speech: Language) -> Iterator[str]:
    """Each phrase in the table's language, or in the other one if that is being typed."""
    for phrase in phrases:
        ours = (phrase.zh, phrase.en) if speech == "zh" else (phrase.en, phrase.zh)
        fits = [one for one in ours if fold(one).startswith(fold(typed))] if typed else ours
        yield from fits[:1]


def _people(before: str, table: Table, name: Callable[[str], str]) -> Iterator[Offer]:
    if wire.NAMED.fullmatch(before.strip()):
        return
    people = dict.fromkeys(one for one in (table.play.gm, *table.play.players) if one)
    for one in map(name, people):
        if fold(one).startswith(fold(before)):
            yield Offer(f"{one}: ", len(before))


def _verbs(typed: str, table: Table) -> Iterator[Offer]:
    """Each verb that fits once: in the table's language, or else by the name that is being typed."""
    speech = language(table.play.language)
    for verb in verb_table(table.play.system).verbs:
        names = (verb.called(speech), *verb.names()) if typed else (verb.called(speech),)
        for one in [one for one in names if fold(one).startswith(fold(typed))][:1]:
            yield Offer(one, len(typed), verb.says.zh if speech == "zh" else verb.says.en)


def _words(verb: Verb, done: list[str]) -> Iterator[Phrase]:
    """The verb's own words: a sub-verb first, behind it what its part of the usage names, and none twice."""
    parts = [re.findall(r"[a-z-]+", part) for part in verb.usage.en.removeprefix(verb.name).split(" | ")]
    heads = [part[0] for part in parts if part]
    typed = {word.en for word in verb.words if {fold(word.zh), fold(word.en)} & set(done)}
    for word in verb.words:
        if word.en in typed:
            continue
        if len(parts) == 1:
            fits = not typed
        elif any(word.en in part for part in parts):
            chosen = next((part for part in parts if part and part[0] in typed), None)
            fits = word.en in chosen if chosen else word.en in heads and not done
        else:  # such as a rule system, which the usage has no room to list
            fits = typed <= set(heads[:1])
        if fits:
            yield word


def _house(known: tuple[Option, ...], done: list[str]) -> Iterator[Phrase]:
    """The options, or the values of the one that is named."""
    if not done:
        yield from (Phrase(option.zh, option.key) for option in known)
    named = next((option for option in known if done[:1] and fold(done[0]) in (option.key, fold(option.zh))), None)
    if named and len(done) == 1:
        told = phrase_book("")
        yield from (told.get(f"value.{one}", Phrase(one, one)) for one in named.values)


def _characters(table: Table, typed: str) -> Iterator[str]:
    """Characters still there, in quotes where the name has spaces; quotes that are typed already do no harm."""
    begun = fold(typed.lstrip('"“「『'))
    for one in table.play.characters.values():
        if not one.retired and fold(one.name).startswith(begun):
            yield f'"{one.name}"' if " " in one.name else one.name


def _traits(table: Table, person: str) -> Iterator[Phrase]:
    """What stands on the sheet of the speaker's active character."""
    sheet = table.play.characters.get(table.play.active.get(person, ""))
    for trait in sheet.traits if sheet else ():
        yield phrase_book(table.play.system).get(f"trait.{trait}") or Phrase(trait, trait)

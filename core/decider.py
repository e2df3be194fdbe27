"""What every decision is given: the Turn, and the questions about people that all rooms ask.

Here: who acts for whom, who may what, whose name is meant, which dice fall. Never: a rule of a system.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from core.dice.source import FairDice, GivenFaces
from core.evolve import Table, evolve_play
from core.grammar.text import fold
from core.grammar.verb import Command
from core.record import Record
from core.refusal import Refusal
from core.registry import rooms
from core.table.state import Character, Play
from core.zones import UTC_ALONE, Zone, Zones, zone_set
from events.types import Die, Event, Modifier, RollMade

Dice: TypeAlias = FairDice | GivenFaces
POOL = "pool"  # the GM's Bennies; no character may have this name
MOST_SEALED = 500  # secret rolls of a table that are not opened yet
ON, OFF = "on", "off"


class Turn(Struct, frozen=True, kw_only=True, gc=False):
    """One command's surroundings. `names` maps person ids to names, `seed` is the open period's (null: not at hand),
    `fresh` 32 bytes of entropy for the next one. `record` reads the table's envelopes, for questions about the past.
    `zones` are the clocks by which times can be told."""

    table: Table
    actor: str
    names: Mapping[str, str]
    seed: bytes | None
    fresh: bytes
    language: str = "en"
    record: Record = tuple
    zones: Zones = UTC_ALONE

    @property
    def play(self) -> Play:
        return self.table.play

    @property
    def zone(self) -> Zone:
        """By whose clock this table is told times."""
        return zone_set(self.zones, self.play.house)

    def after(self, events: Iterable[Event]) -> Turn:
        """The same turn on the table as these events will have left it."""
        play = self.play
        for event in events:
            play = evolve_play(play, event)
        return replace(self, table=replace(self.table, play=play))

    @property
    def is_gm(self) -> bool:
        return self.actor == self.play.gm

    def require_gm(self) -> None:
        if not self.is_gm:
            raise Refusal("not_allowed", "gm_only", gm=self.names.get(self.play.gm, self.play.gm))

    def require_player(self) -> None:
        """Only people of this table: its GM and those who joined."""
        if not self.is_gm and self.actor not in self.play.players:
            raise Refusal("not_allowed", "players_only")

    def rule(self, key: str) -> str:
        """The house rule in force, its default where nothing was set."""
        return rule(self.play, key)

    def dice(self, command: Command) -> Dice:
        """Fair dice, or the faces the command gives, which a house rule must allow."""
        if command.given is not None:
            if self.rule("physical-dice") != ON:
                raise Refusal("not_allowed", "physical_dice")
            return GivenFaces(command.given)
        ledger = self.table.ledger
        if self.seed is None:
            raise Refusal("not_found", "seed")
        return FairDice(self.seed, ledger.luck, self.table.id, ledger.period, ledger.next_die)


class Who(Struct, frozen=True, gc=False):
    """Who acts: a character, or a person without one. `name` is what events call it, `person` who speaks for it."""

    name: str
    person: str
    character: Character | None = None

    @property
    def wild(self) -> bool:
        """Whether a Wild Die goes with it; somebody without a character has one (SW-28)."""
        return self.character is None or self.character.kind == "wild"

    @property
    def gm(self) -> bool:
        return self.character is not None and self.character.gm


def rule(play: Play, key: str) -> str:
    set_here = play.house.get(key)
    return _defaults(play.system)[key] if set_here is None else set_here


@cache
def _defaults(system: str) -> Mapping[str, str]:
    """What each house rule of a system is where nothing was set."""
    return {option.key: str(option.default) for room in reversed(rooms(system, "verbs")) for option in room.HOUSE}


def who(turn: Turn, command: Command) -> Who:
    """For whom the command is: `as=NAME`, else the active character, else the person."""
    if command.as_:
        return _acting_as(turn, command.as_)
    active = turn.play.characters.get(turn.play.active.get(turn.actor, ""))
    if active and not active.retired and plays(turn, active):
        return Who(active.name, turn.actor, active)
    check_person(turn)
    return Who(turn.actor, turn.actor)


def plays(turn: Turn, character: Character) -> bool:
    """Whether the character is this person's: the GM's are whoever is the GM now."""
    return turn.is_gm if character.gm else character.owner == turn.actor


def check_person(turn: Turn) -> None:
    """The record calls somebody without a character by the id, which no other's character, nor the pool, may have."""
    called = {fold(turn.actor), fold(turn.names.get(turn.actor, turn.actor))}
    others = {fold(one.name) for one in turn.play.characters.values() if one.gm or one.owner != turn.actor}
    if called & {POOL, *others}:
        raise Refusal("bad_argument", "person_clash", name=turn.names.get(turn.actor, turn.actor))


def _acting_as(turn: Turn, name: str) -> Who:
    character = character_named(turn.play, name)
    if not plays(turn, character):
        raise Refusal("not_yours", "character", name=character.name)
    return Who(character.name, turn.actor, character)


def own_or_gm(turn: Turn, command: Command) -> Who:
    """Like `who`, but the GM may name anybody's character, and somebody without a character is refused."""
    if command.as_ and turn.is_gm:
        character = character_named(turn.play, command.as_)
        return Who(character.name, character.owner, character)
    found = who(turn, command)
    if found.character is None:
        raise Refusal("not_found", "no_character")
    return found


def character_named(play: Play, name: str) -> Character:
    """The character of that name, in any case and width; none: not_found with the nearest."""
    known = {fold(one.name): one for one in play.characters.values() if not one.retired}
    if found := known.get(fold(name)):
        return found
    _check_spaced(name, [one.name for one in known.values()])
    raise Refusal("not_found", "character", name=name, nearest=near(name, known, [c.name for c in known.values()]))


def person_named(turn: Turn, name: str) -> str:
    """The id of a person of this table called so; none: not_found."""
    here = dict.fromkeys((*turn.play.players, turn.play.gm))
    people = {fold(turn.names.get(one, one)): one for one in here}
    meant = [one for one in here if fold(turn.names.get(one, one)) == fold(name)]
    if len(meant) > 1:
        raise Refusal("bad_argument", "two_people", name=name)
    if meant:
        return meant[0]
    if any(fold(known) == fold(name) for known in turn.names.values()):
        raise Refusal("not_found", "person_not_here", name=name)
    raise Refusal(
        "not_found",
        "person",
        name=name,
        nearest=near(name, people, [turn.names.get(one, one) for one in people.values()]),
    )


def someone_named(turn: Turn, name: str) -> str:
    """A character's name or, where none is called so, a player's id; a player with a character is its character."""
    known = {fold(one.name): one.name for one in turn.play.characters.values() if not one.retired}
    if found := known.get(fold(name)):
        return found
    try:
        person = person_named(turn, name)
    except Refusal as refusal:
        shown = [*known.values(), *(turn.names.get(one, one) for one in turn.play.players)]
        _check_spaced(name, shown)
        raise Refusal("not_found", "someone", name=name, nearest=near(name, map(fold, shown), shown)) from refusal
    active = turn.play.characters.get(turn.play.active.get(person, ""))
    return active.name if active and not active.retired else person


def _check_spaced(name: str, known: Iterable[str]) -> None:
    """The first word of a name with a space in it: its quotes were forgotten."""
    for one in known:
        if " " in one and fold(one.split()[0]) == fold(name):
            raise Refusal("not_found", "spaced", meant=one)


def near(name: str, folded: Iterable[str], shown: list[str]) -> tuple[str, ...]:
    by_fold = dict(zip(folded, shown, strict=False))
    close = difflib.get_close_matches(fold(name), by_fold, n=3, cutoff=0.5)
    return tuple(by_fold[one] for one in close) or tuple(shown[:6])


def roll_made(
    turn: Turn, command: Command, dice: Dice, thrown: tuple[Die, ...],
    *, kind: str, label: str, character: str, results: tuple[int, ...],
    modifiers: tuple[Modifier, ...] = (), nth: int = 1, **facts: Any,
) -> RollMade:  # fmt: skip
    """A first throw as a fact. `nth` counts the throws of one command from 1; `facts` are what its kind has besides.

    Refuses one that is secret where too many are still so: limit_reached.sealed (limit).
    """
    if command.secret and len(turn.table.ledger.sealed) + nth > MOST_SEALED:
        raise Refusal("limit_reached", "sealed", limit=MOST_SEALED)
    plain = {"target": None, "outcome": None, "raises": None, "reroll_of": None}
    return RollMade(
        roll=turn.table.ledger.roll + nth, system=turn.play.system, kind=kind, label=label, character=character,
        dice=thrown, modifiers=modifiers, modifier=sum(step.value for step in modifiers), results=results,
        total=results[0], rolled_total=results[0], source=dice.kind, secret=command.secret, period=dice.period,
        first=dice.first, next=dice.next, **{**plain, **facts},
    )  # fmt: skip

"""What every table has, as its events left it: people, characters, sessions, choices.

Here: the state and the plain consequence of each fact. Never: a decision, a rule, dice, a refusal. What an
undo gives back stands in Play; what it never touches (dice, seeds, the chain) in Ledger (core/evolve.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from core.people import renamed
from events import types as e


class Footprint(Struct, frozen=True, gc=False):
    """What a fact wrote and what it was built on, as names such as `wounds:Ann`."""

    writes: frozenset[str] = frozenset()
    reads: frozenset[str] = frozenset()

    @classmethod
    def of(cls, *names: str, sets: bool = False, needs: tuple[str, ...] = ()) -> Footprint:
        """`sets`: the fact puts a value in place of the one before, so it is built on that too."""
        return cls(frozenset(names), frozenset((*names, *needs) if sets else needs))


class Character(Struct, frozen=True, gc=False):
    """`traits` is the sheet: canonical trait name to value. A retired one stays in the record."""

    name: str
    kind: Literal["wild", "extra"]
    owner: str
    gm: bool
    ally: bool
    retired: bool = False
    traits: dict[str, e.Value] = {}


class Session(Struct, frozen=True, gc=False):
    number: int
    title: str


class Scene(Struct, frozen=True, gc=False):
    number: int
    title: str


class Choice(Struct, frozen=True, gc=False):
    """`made` is the option picked, from 1; `withdrawn`: its moment is over."""

    number: int
    owner: str
    kind: str
    about: str
    options: tuple[str, ...]
    made: int | None = None
    withdrawn: bool = False

    @property
    def open(self) -> bool:
        return self.made is None and not self.withdrawn


class Play(Struct, frozen=True, gc=False):
    """The table as play has left it. `rules` is the part of its rule system, `active` maps a person to a character."""

    system: str = ""
    title: str = ""
    gm: str = ""
    language: str = "en"
    players: tuple[str, ...] = ()
    house: dict[str, str] = {}
    session: Session | None = None
    scene: Scene | None = None
    characters: dict[str, Character] = {}
    active: dict[str, str] = {}
    choices: dict[int, Choice] = {}
    rules: Any = None

    def owner_of(self, name: str) -> str:
        """The person behind a character's name; a person's id is its own."""
        character = self.characters.get(name)
        return character.owner if character else name


def _with(play: Play, name: str, **changes: Any) -> Play:
    character = replace(play.characters[name], **changes)
    return replace(play, characters={**play.characters, name: character})


def _choice(play: Play, number: int, **changes: Any) -> Play:
    return replace(play, choices={**play.choices, number: replace(play.choices[number], **changes)})


def _opened(play: Play, event: e.TableOpened) -> Play:
    return Play(system=event.system, title=event.title, gm=event.gm, language=event.language, rules=play.rules)


def _joined(play: Play, event: e.PlayerJoined) -> Play:
    return replace(play, players=(*play.players, event.player))


def _forgotten(play: Play, event: e.PersonForgotten) -> Play:
    """No longer a player; the characters stay, and so does who played them, though nobody knows who that was."""
    active = {person: name for person, name in play.active.items() if person != event.person}
    return replace(play, players=tuple(one for one in play.players if one != event.person), active=active)


def _gm_named(play: Play, event: e.GmNamed) -> Play:
    """The open choices about the GM's characters, and those that are the GM's to make, go with the chair."""
    choices = {
        number: replace(choice, owner=event.gm) if choice.open and choice.owner == event.was else choice
        for number, choice in play.choices.items()
    }
    return replace(play, gm=event.gm, choices=choices)


def _added(play: Play, event: e.CharacterAdded) -> Play:
    character = Character(event.character, event.kind, event.owner, event.gm, event.ally)
    return replace(play, characters={**play.characters, event.character: character})


def _activated(play: Play, event: e.CharacterActivated) -> Play:
    return replace(play, active={**play.active, event.player: event.character})


def _trait_set(play: Play, event: e.TraitSet) -> Play:
    traits = {**play.characters[event.character].traits, event.trait: event.value}
    return _with(play, event.character, traits=traits)


def _offered(play: Play, event: e.ChoiceOffered) -> Play:
    choice = Choice(event.choice, event.owner, event.kind, event.about, event.options)
    return replace(play, choices={**play.choices, event.choice: choice})


EVOLVE: dict[type[e.Event], Callable[[Play, Any], Play]] = {
    e.TableOpened: _opened,
    e.PlayerJoined: _joined,
    e.GmNamed: _gm_named,
    e.PersonForgotten: _forgotten,
    e.AccountLinked: lambda play, event: renamed(play, event.was, event.person),
    e.LanguageSet: lambda play, event: replace(play, language=event.language),
    e.HouseRuleSet: lambda play, event: replace(play, house={**play.house, event.key: event.value}),
    e.SessionStarted: lambda play, event: replace(play, session=Session(event.number, event.title)),
    e.SessionEnded: lambda play, event: replace(play, session=None),
    e.SceneStarted: lambda play, event: replace(play, scene=Scene(event.number, event.title)),
    e.CharacterAdded: _added,
    e.CharacterActivated: _activated,
    e.CharacterRetired: lambda play, event: _with(play, event.character, retired=True),
    e.TraitSet: _trait_set,
    e.ChoiceOffered: _offered,
    e.ChoiceMade: lambda play, event: _choice(play, event.choice, made=event.option),
    e.ChoiceWithdrawn: lambda play, event: _choice(play, event.choice, withdrawn=True),
}


def evolve(play: Play, event: e.Event) -> Play:
    """The table after one fact; facts of a rule system alone leave it as it is."""
    step = EVOLVE.get(type(event))
    return step(play, event) if step else play


def footprint(event: e.Event, play: Play) -> Footprint:
    """What a fact says something new about, and on what it was built: does a later act depend on an earlier one?"""
    match event:
        case e.PlayerJoined():
            return Footprint.of(f"person:{event.player}", sets=True)
        case e.CharacterAdded():
            return Footprint.of(f"character:{event.character}", sets=True, needs=(f"person:{event.owner}",))
        case e.CharacterRetired():
            return Footprint.of(f"character:{event.character}", sets=True)
        case e.CharacterActivated():
            return Footprint.of(f"active:{event.player}", sets=True, needs=(f"character:{event.character}",))
        case e.TraitSet():
            trait = f"trait:{event.character}:{event.trait}"
            return Footprint.of(trait, f"sheet:{event.character}", needs=(trait, f"character:{event.character}"))
        case e.ChoiceOffered() | e.ChoiceMade() | e.ChoiceWithdrawn():
            return Footprint.of(f"choice:{event.choice}", sets=True)
        case e.HouseRuleSet():
            return Footprint.of(f"house:{event.key}", sets=True)
        case e.GmNamed() | e.SceneStarted() | e.LanguageSet():
            return Footprint.of(type(event).__name__, sets=True)
    return Footprint()

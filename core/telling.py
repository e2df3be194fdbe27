"""From facts to Lines: the View in which facts are told, and the names of people and things in it.

Here: what every `tell.py` needs to know of the table, and the way to the right one. Never: a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from core.evolve import Act, Ledger, Table, evolve_play
from core.language import Language, Line, line, say
from core.registry import rooms
from core.table.state import Play
from core.vocabulary import phrase_book
from events.beside import FORGOTTEN, Attached
from events.types import (
    ChoiceMade,
    ChoiceOffered,
    CombatantJoined,
    Die,
    Event,
    Modifier,
    PlayerJoined,
    RollMade,
    SeedRevealed,
)

MINOR = (PlayerJoined, SeedRevealed, CombatantJoined)  # what an act is not named after


class View(Struct, frozen=True, gc=False):
    """The table as it stands when a fact is told: `play` right after it, `ledger` after the whole append."""

    play: Play
    ledger: Ledger
    names: Mapping[str, str]
    acts: tuple[Act, ...] = ()

    def name(self, who: str) -> object:
        """A character with its mark, or what a person is called."""
        character = self.play.characters.get(who)
        if character is None:
            return self.person(who)
        rules = rooms(self.play.system, "tell")[-1]
        return rules.character_name(character, self.play)

    def person(self, who: str) -> str:
        """What a person is called, who may have a character of the same name."""
        return self.names.get(who, who)


def called(names: Mapping[str, str], speech: Language) -> dict[str, str]:
    """The names that a log knows, and a word for those whom it has forgotten."""
    somebody = say(line("somebody"), speech, phrase_book(""))
    return {person: somebody if name == FORGOTTEN else name for person, name in names.items()}


class Button(Struct, frozen=True, gc=False):
    """What may be pressed under a result: its sign, what it is called, and the command that a press is."""

    sign: str
    label: Line
    command: str


class Reply(Struct, frozen=True, gc=False):
    """What somebody who asks is told, and the file with it; `private`: the table hears only that there is one."""

    lines: tuple[Line, ...]
    attached: Attached | None = None
    private: bool = False


def view_of(table: Table, names: Mapping[str, str]) -> View:
    return View(table.play, table.ledger, names, table.acts)


def tell(events: Iterable[Event], before: Play, view: View) -> list[Line]:
    """Each fact in words, in order, on the play that it left; facts that nobody needs to hear tell nothing."""
    lines: list[Line] = []
    play = before
    for event in events:
        play = evolve_play(play, event)
        for room in reversed(rooms(play.system, "tell")):
            if told := room.TELL.get(type(event)):
                lines += _marked(told(event, replace(view, play=play)), event)
                break
    return lines


def _marked(told: list[Line], event: Event) -> list[Line]:
    """The first line with what its author wrote behind #, and with a mark where people threw the dice themselves."""
    if told and isinstance(event, RollMade) and event.source == "physical":
        told = [line("physical", told=told[0]), *told[1:]]
    if told and isinstance(event.comment, str):
        told = [line("commented", told=told[0], comment=event.comment), *told[1:]]
    return told


def secret_of(events: Sequence[Event]) -> RollMade | None:
    """The secret roll among these facts, if any: then all of them are told in private."""
    return next((event for event in events if isinstance(event, RollMade) and event.secret), None)


def is_sealed(act: Act, ledger: Ledger) -> bool:
    """Whether the act holds a secret roll that nobody has revealed yet."""
    secret = secret_of(act.events)
    return secret is not None and any(one.roll == secret.roll for one in ledger.sealed)


def hidden_roll(events: Sequence[Event], acts: Iterable[Act], ledger: Ledger) -> RollMade | None:
    """The secret roll among these facts, or the one, still sealed, whose choice is made here: a pick tells of it.

    So does a pick of what an earlier pick has offered.
    """
    made = {event.choice for event in events if isinstance(event, ChoiceMade)}
    before: list[Act] = []
    for act in acts if made and ledger.sealed else ():
        offered = {event.choice for event in act.events if isinstance(event, ChoiceOffered)}
        found = hidden_roll(act.events, before, ledger) if offered & made else None
        if found and any(one.roll == found.roll for one in ledger.sealed):
            return found
        before.append(act)
    return secret_of(events)


def summary(act: Act, view: View) -> list[Line]:
    """An act as its table heard it: a secret roll that is still sealed stays one."""
    secret = hidden_roll(act.events, view.acts, view.ledger)
    if secret and any(one.roll == secret.roll for one in view.ledger.sealed):
        return [line("secret.rolled", name=view.name(secret.character))]
    told = tell(act.events, act.before, view)
    minor = tell([event for event in act.events if isinstance(event, MINOR)], act.before, view)
    return [one for one in told if one not in minor] or told


# ---- notation that is the same in every language


def faces(die: Die) -> str:
    """`8→4` for an Ace and what came after it."""
    return "→".join(map(str, die.faces))


def die_text(die: Die) -> str:
    """`d8 [8→4] = 12`; one face alone needs no sum."""
    shown = f"d{die.sides} [{faces(die)}]"
    return f"{shown} = {sum(die.faces)}" if len(die.faces) > 1 else shown


def signed(value: int) -> str:
    return f"{value:+d}"


def step(modifier: Modifier) -> object:
    """`+2 cover`; our own steps by their name in the table's language, a nameless one by its number alone."""
    if not modifier.name:
        return signed(modifier.value)
    return line("modifier", value=signed(modifier.value), name=line(f"step.{modifier.name}", name=modifier.name))


def percent(chance: Fraction) -> str:
    """A chance as per cent, two places; what is possible is never shown as 0 or 100."""
    shown = f"{float(chance) * 100:.2f}%"
    if shown == "0.00%" and chance > 0:
        return "<0.01%"
    return ">99.99%" if shown == "100.00%" and chance < 1 else shown

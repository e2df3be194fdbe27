"""无限恐怖: which sentence each of its facts gets.

Here: fact -> Lines. Never: the sentences themselves (words.py), a rule, a decision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.language import Line, line
from core.pools import throw_told
from core.table.state import Character, Play
from core.table.tell import roll_made
from core.telling import View
from events import types as e

ROLLED = ("check", "oppose", "resist", "attack")


def character_name(character: Character, play: Play) -> object:
    return character.name


def option_label(kind: str, option: str) -> object:
    """What an option of a choice is called on a button or in a list."""
    return option


def _roll(event: e.RollMade, view: View) -> list[Line]:
    if event.kind not in ROLLED:
        return roll_made(event, view)
    told = [throw_told(event, view, line("check.rolled", rolled=event.successes))]
    if event.lost:
        left = max(0, (event.successes or 0) - event.lost)
        told.append(line("check.lost", lost=event.lost, left=left))
    if event.kind == "attack":
        return told  # what became of it is told by AttackResolved
    told += [*_extras(event), _total(event)]
    return [*told, line("opposed.waiting", total=event.total)] if event.kind == "oppose" else told


def _extras(event: e.RollMade) -> list[Line]:
    """Where the extra successes come from, and why they do not count where they do not (IT-03, IT-07)."""
    if not event.extras:
        return []
    why = [line("check.part", name=_source(one.name), value=one.value) for one in event.extras]
    if event.extra:
        return [line("check.extra", extra=event.extra, why=why)]
    chance = event.dice[0].role == "chance" and event.total
    return [line("check.no_extra_chance" if chance else "check.no_extra", why=why)]


def _source(name: str) -> Line:
    return line("step.extra") if name == "extra" else line(f"trait.{name}", name=name)


def _total(event: e.RollMade) -> Line:
    outcome = line(f"outcome.{event.outcome}")
    if event.target is None:
        return line("check.total", total=event.total, outcome=outcome)
    margin = event.total - event.target
    return line("check.total_dc", total=event.total, target=event.target, outcome=outcome, margin=margin)


def _opposed(event: e.OppositionResolved, view: View) -> list[Line]:
    return [line("opposed.settled", winner=view.name(event.winner), loser=view.name(event.loser))]


def _declared(event: e.DefenceDeclared, view: View) -> list[Line]:
    return [line("defence.declared", name=view.name(event.character), attacks=event.attacks, left=event.left)]


def _attacked(event: e.AttackResolved, view: View) -> list[Line]:
    told = line(
        "attack.hit" if event.hit else "attack.missed", attacker=view.name(event.attacker),
        target=view.name(event.target) if event.target else "—",
        weapon=line("attack.weapon", weapon=event.weapon) if event.weapon else "", rolled=event.rolled,
        cancelled=event.cancelled, extra=event.extra, total=event.total,
    )  # fmt: skip
    return [line("attack.late", told=told) if event.late else told]


TELL: dict[type[e.Event], Callable[[Any, View], list[Line]]] = {
    e.RollMade: _roll,
    e.OppositionResolved: _opposed,
    e.DefenceDeclared: _declared,
    e.DefenceRestored: lambda event, view: [line("defence.restored", name=view.name(event.character), left=event.left)],
    e.AttackResolved: _attacked,
}

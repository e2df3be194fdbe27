"""无限恐怖: which sentence each of its facts gets.

Here: fact -> Lines. Never: the sentences themselves (words.py), a rule, a decision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.language import Line, line
from core.pools import throw_told
from core.table.state import Character, Play
from core.table.tell import again, roll_made
from core.telling import Button, View
from events import types as e

ROLLED = ("check", "oppose", "resist", "attack")


def character_name(character: Character, play: Play) -> object:
    return character.name


BUTTONS: dict[str, Callable[[e.RollMade, Play, str], list[Button]]] = {"check": again}


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
        return [*told, *_attack_roll(event)]
    told += [*_extras(event), _total(event)]
    return [*told, line("opposed.waiting", total=event.total)] if event.kind == "oppose" else told


def _attack_roll(event: e.RollMade) -> list[Line]:
    """What became of the attack is told by AttackResolved; this is what it does not know."""
    if event.outcome == "dramatic_failure":
        return [line("attack.dramatic", outcome=line("outcome.dramatic_failure"))]
    return _extras(event) if event.extra or event.dice[0].role == "chance" else []


def _extras(event: e.RollMade) -> list[Line]:
    """Where the extra successes come from, and why they do not count where they do not (IT-03, IT-07)."""
    if not event.extras:
        return []
    why = [_part(one) for one in event.extras]
    if event.extra:
        return [line("check.extra", extra=event.extra, why=why)]
    chance = event.dice[0].role == "chance" and event.total
    return [line("check.no_extra_chance" if chance else "check.no_extra", why=why)]


def _part(extra: e.Extra) -> Line:
    """`力量 11 得 2`, or `攻击附加 3`."""
    if extra.name in ("extra", "split", "gain"):
        return line("check.part", name=line(f"source.{extra.name}"), value=extra.value)
    name = line(f"trait.{extra.name}", name=extra.name)
    if extra.of is None:
        return line("check.part", name=name, value=extra.value)
    return line("check.part_of", name=name, of=extra.of, value=extra.value)


def _total(event: e.RollMade) -> Line:
    outcome = line(f"outcome.{event.outcome}")
    if event.target is None:
        return line("check.total", total=event.total, outcome=outcome)
    margin = event.total - event.target
    if margin < 0:
        return line("check.short", total=event.total, target=event.target, outcome=outcome, short=-margin)
    return line("check.total_dc", total=event.total, target=event.target, outcome=outcome, margin=margin)


def _opposed(event: e.OppositionResolved, view: View) -> list[Line]:
    return [line("opposed.settled", winner=view.name(event.winner), loser=view.name(event.loser))]


def _declared(event: e.DefenceDeclared, view: View) -> list[Line]:
    return [line("defence.declared", name=view.name(event.character), attacks=event.attacks, left=event.left)]


def _attacked(event: e.AttackResolved, view: View) -> list[Line]:
    notes = _notes(event)
    told = line(
        "attack.hit" if event.hit else "attack.missed", attacker=view.name(event.attacker),
        target=line("attack.at", target=view.name(event.target)) if event.target else "",
        weapon=line("attack.weapon", weapon=event.weapon) if event.weapon else "", rolled=event.rolled,
        cancelled=event.cancelled, notes=line("attack.notes", notes=notes) if notes else "", extra=event.extra,
        total=event.total,
    )  # fmt: skip
    return [line("attack.late", told=told) if event.late else told]


def _notes(event: e.AttackResolved) -> list[Line]:
    """What was put up and what came of it: more than there was to cancel is wasted (IT-12)."""
    wasted = min(event.declared, max(0, event.lost + event.declared - event.rolled))
    return [
        *([line("attack.declared", declared=event.declared)] if event.declared else []),
        *([line("attack.wasted", wasted=wasted)] if wasted else []),
        *([line("attack.void", void=event.void)] if event.void else []),
        *([line("attack.lost", lost=event.lost)] if event.lost else []),
    ]


TELL: dict[type[e.Event], Callable[[Any, View], list[Line]]] = {
    e.RollMade: _roll,
    e.OppositionResolved: _opposed,
    e.DefenceDeclared: _declared,
    e.DefenceRestored: lambda event, view: [line("defence.restored", name=view.name(event.character), left=event.left)],
    e.AttackResolved: _attacked,
}

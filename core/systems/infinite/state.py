"""无限恐怖: what its facts leave behind at a table.

Here: opposed rolls, defence extras used and declared, the last attacks on somebody, and the plain
consequence of each fact. Never: a decision, a rule, dice, a refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from core.table.state import Footprint, Play
from events import types as e


class Defence(Struct, frozen=True, gc=False):
    """`used`: extras gone until the character acts again; `queue`: what is put up against the next attacks."""

    used: int = 0
    queue: tuple[int, ...] = ()


class Infinite(Struct, frozen=True, gc=False):
    """`opposed`: the last opposed roll of each, `met` who has resisted it. `struck`: attacks on each that a late
    defence can still meet, those of one action."""

    opposed: dict[str, e.RollMade] = {}
    met: dict[str, tuple[str, ...]] = {}
    defence: dict[str, Defence] = {}
    struck: dict[str, tuple[e.AttackResolved, ...]] = {}


def _without(mapping: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in mapping.items() if name not in names}


def _acts(event: e.RollMade) -> bool:
    """Whether somebody's action came with this roll: then defence extras are back (IT-12)."""
    return event.kind in ("check", "oppose", "attack") and not event.reflexive


def _rolled(state: Infinite, event: e.RollMade, play: Play) -> Infinite:
    if _acts(event):
        state = _acted(state, event.character)
    if event.kind != "oppose":
        return state
    opposed = {**_without(state.opposed, event.character), event.character: event}
    return replace(state, opposed=opposed, met=_without(state.met, event.character))


def _acted(state: Infinite, name: str) -> Infinite:
    return replace(state, defence=_without(state.defence, name), struck=_without(state.struck, name))


def _resolved(state: Infinite, event: e.OppositionResolved, play: Play) -> Infinite:
    first = next((name for name, roll in state.opposed.items() if roll.roll == event.active), None)
    if first is None:
        return state
    other = event.loser if event.winner == first else event.winner
    return replace(state, met={**state.met, first: (*state.met.get(first, ()), other)})


def _declared(state: Infinite, event: e.DefenceDeclared, play: Play) -> Infinite:
    now = state.defence.get(event.character, Defence())
    after = Defence(now.used + event.declared, (*now.queue, *event.attacks))
    return replace(state, defence={**state.defence, event.character: after})


def _attacked(state: Infinite, event: e.AttackResolved, play: Play) -> Infinite:
    """The attack takes the first of what was put up, whether it was needed or not (IT-12)."""
    name = event.target
    if not name:
        return state
    struck = tuple(one for one in state.struck.get(name, ()) if _same_action(one, event) and one.roll != event.roll)
    struck = struck if event.late else (*struck, event)
    state = replace(state, struck={**state.struck, name: struck})
    now = state.defence.get(name)
    return replace(state, defence={**state.defence, name: replace(now, queue=now.queue[1:])}) if now else state


def _same_action(one: e.AttackResolved, other: e.AttackResolved) -> bool:
    return one.roll - one.nth == other.roll - other.nth


EVOLVE: dict[type[e.Event], Callable[[Infinite, Any, Play], Infinite]] = {
    e.RollMade: _rolled,
    e.OppositionResolved: _resolved,
    e.DefenceDeclared: _declared,
    e.DefenceRestored: lambda state, event, play: _acted(state, event.character),
    e.AttackResolved: _attacked,
    e.SceneStarted: lambda state, event, play: replace(state, defence={}, struck={}),
}


STATE = Infinite  # what `evolve` gives


def evolve(state: Infinite | None, event: e.Event, play: Play) -> Infinite:
    """This system's part of the table after one fact; `play` is the table after it."""
    state = state or Infinite()
    step = EVOLVE.get(type(event))
    return step(state, event, play) if step else state


def footprint(event: e.Event, play: Play) -> Footprint:
    """What a fact of this system wrote and what it was built on (for undo)."""
    match event:
        case e.DefenceDeclared():
            name = event.character
            needs = (f"character:{name}", f"sheet:{name}", f"acts:{name}", "SceneStarted", "house:late-defence")
            return Footprint.of(f"defence:{name}", sets=True, needs=needs)
        case e.DefenceRestored():
            return Footprint.of(f"defence:{event.character}", f"acts:{event.character}", sets=True)
        case e.AttackResolved() if event.target:
            name = event.target
            needs = (f"character:{name}", f"sheet:{name}", f"defence:{name}", f"roll:{event.roll}", "SceneStarted")
            return Footprint.of(f"defence:{name}", needs=needs)
        case e.OppositionResolved():
            rolls = (f"roll:{event.active}", f"roll:{event.defending}")
            return Footprint.of("opposed", sets=True, needs=(*rolls, "house:opposed-tie"))
        case e.RollMade():
            return _roll_footprint(event)
    return Footprint()


def _roll_footprint(event: e.RollMade) -> Footprint:
    needs = (f"character:{event.character}", f"sheet:{event.character}")
    acts = (f"acts:{event.character}",) if _acts(event) else ()
    return Footprint.of(f"roll:{event.roll}", *acts, needs=needs)

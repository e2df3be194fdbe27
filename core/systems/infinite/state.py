"""无限恐怖: what its facts leave behind at a table.

Here: open opposed rolls, defence extras used and declared, the last attack on somebody, and the plain
consequence of each fact. Never: a decision, a rule, dice, a refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from core.table.state import Footprint, Play
from events import types as e


class Defence(Struct, frozen=True):
    """`used`: extras gone until the character acts again; `queue`: what is put up against the next attacks."""

    used: int = 0
    queue: tuple[int, ...] = ()


class Infinite(Struct, frozen=True):
    """`waiting`: opposed rolls nobody has resisted, by who made them. `struck`: the last attack on each character."""

    waiting: dict[str, e.RollMade] = {}
    defence: dict[str, Defence] = {}
    struck: dict[str, e.AttackResolved] = {}


def _without(mapping: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in mapping.items() if name not in names}


def _rolled(state: Infinite, event: e.RollMade, play: Play) -> Infinite:
    if event.kind != "oppose":
        return state
    return replace(state, waiting={**_without(state.waiting, event.character), event.character: event})


def _resolved(state: Infinite, event: e.OppositionResolved, play: Play) -> Infinite:
    settled = [name for name, roll in state.waiting.items() if roll.roll == event.active]
    return replace(state, waiting=_without(state.waiting, *settled))


def _defence(state: Infinite, name: str, **changes: Any) -> Infinite:
    return replace(state, defence={**state.defence, name: replace(state.defence.get(name, Defence()), **changes)})


def _declared(state: Infinite, event: e.DefenceDeclared, play: Play) -> Infinite:
    now = state.defence.get(event.character, Defence())
    return _defence(state, event.character, used=now.used + event.declared, queue=(*now.queue, *event.attacks))


def _attacked(state: Infinite, event: e.AttackResolved, play: Play) -> Infinite:
    """The attack takes the first of what was put up, whether it was needed or not (IT-12)."""
    queue = state.defence.get(event.target, Defence()).queue
    state = replace(state, struck={**state.struck, event.target: event})
    return _defence(state, event.target, queue=() if event.late else queue[1:])


EVOLVE: dict[type[e.Event], Callable[[Infinite, Any, Play], Infinite]] = {
    e.RollMade: _rolled,
    e.OppositionResolved: _resolved,
    e.DefenceDeclared: _declared,
    e.DefenceRestored: lambda state, event, play: replace(state, defence=_without(state.defence, event.character)),
    e.AttackResolved: _attacked,
    e.SceneStarted: lambda state, event, play: replace(state, defence={}, struck={}),
}


def evolve(state: Infinite | None, event: e.Event, play: Play) -> Infinite:
    """This system's part of the table after one fact; `play` is the table after it."""
    state = state or Infinite()
    step = EVOLVE.get(type(event))
    return step(state, event, play) if step else state


def footprint(event: e.Event, play: Play) -> Footprint:
    """What a fact of this system wrote and what it was built on (for undo)."""
    match event:
        case e.DefenceDeclared() | e.DefenceRestored():
            return Footprint.of(f"defence:{event.character}", sets=True)
        case e.AttackResolved():
            needs = (f"defence:{event.target}", f"roll:{event.roll}")
            return Footprint.of(f"defence:{event.target}", needs=needs)
        case e.OppositionResolved():
            return Footprint.of(needs=(f"roll:{event.active}", f"roll:{event.defending}"))
        case e.RollMade():
            needs = (f"character:{event.character}", f"sheet:{event.character}")
            return Footprint.of(f"roll:{event.roll}", needs=needs)
    return Footprint()

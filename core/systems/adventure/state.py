"""Adventure moves: what its facts leave behind at a table.

Here: conditions, XP, HP, relationships, held ADV and DIS, questions, rituals, limits, and the plain consequence of
each fact. Never: a decision, a rule, dice, a refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from core.table.state import Footprint, Play
from events import types as e


class Hp(Struct, frozen=True):
    hp: int
    max_hp: int


class Growth(Struct, frozen=True):
    """`from_levels`: HP gained by levels; `advances`: still to be picked."""

    xp: int = 0
    level: int = 1
    from_levels: int = 0
    advances: int = 0


class Held(Struct, frozen=True):
    """ADV or DIS in hand; `move` empty: the next move whatever it is."""

    kind: str
    move: str
    why: str


class Questions(Struct, frozen=True):
    about: str
    left: int


class Ritual(Struct, frozen=True):
    title: str
    mag: int
    by: str
    needs: tuple[str, ...] = ()
    met: frozenset[int] = frozenset()
    complete: bool = False


class Clash(Struct, frozen=True):
    """A clash whose pick is open: the dice that fall after it, in sides; 0 where there is none."""

    against: str
    dealt: int
    taken: int


class Adventure(Struct, frozen=True):
    """`conditions`: by character, each `marked` or `locked`. `depth[a][b]`: a's relationship with b."""

    conditions: dict[str, dict[str, str]] = {}
    hp: dict[str, Hp] = {}
    growth: dict[str, Growth] = {}
    held: dict[str, tuple[Held, ...]] = {}
    depth: dict[str, dict[str, int]] = {}
    questions: dict[str, Questions] = {}
    rituals: dict[str, Ritual] = {}
    clashes: dict[str, Clash] = {}
    comforts: dict[int, str] = {}
    down: frozenset[str] = frozenset()
    dying: frozenset[str] = frozenset()
    dead: frozenset[str] = frozenset()
    used: frozenset[str] = frozenset()


def _put(state: Adventure, field: str, name: Any, value: Any) -> Adventure:
    return replace(state, **{field: {**getattr(state, field), name: value}})


def _condition(state: Adventure, name: str, condition: str, value: str | None) -> Adventure:
    taken = {one: how for one, how in state.conditions.get(name, {}).items() if one != condition}
    return _put(state, "conditions", name, {**taken, condition: value} if value else taken)


def _trait(state: Adventure, event: e.TraitSet, play: Play) -> Adventure:
    """HP on the sheet are HP in play; the maximum is the first of the two that is told."""
    if event.trait not in ("hp", "max_hp") or not isinstance(event.value, int):
        return state
    now = state.hp.get(event.character, Hp(event.value, event.value))
    return _put(state, "hp", event.character, replace(now, **{event.trait: event.value}))


def _hp(state: Adventure, event: e.HpChanged, play: Play) -> Adventure:
    state = _put(state, "hp", event.character, Hp(event.hp, event.max_hp))
    down = state.down | {event.character} if event.incapacitated else state.down - {event.character}
    return replace(state, down=down, dying=state.dying - {event.character} if event.hp else state.dying)


def _xp(state: Adventure, event: e.XpMarked, play: Play) -> Adventure:
    now = state.growth.get(event.character, Growth())
    return _put(state, "growth", event.character, replace(now, xp=event.xp))


def _level(state: Adventure, event: e.LevelGained, play: Play) -> Adventure:
    now = state.growth.get(event.character, Growth())
    grown = replace(
        now, xp=0, level=event.level, from_levels=now.from_levels + event.hp_gained, advances=now.advances + 1
    )
    return _put(state, "growth", event.character, grown)


def _advance(state: Adventure, event: e.AdvanceTaken, play: Play) -> Adventure:
    now = state.growth.get(event.character, Growth())
    return _put(state, "growth", event.character, replace(now, advances=now.advances - 1))


def _hold(state: Adventure, event: e.AdvantageHeld, play: Play) -> Adventure:
    held = state.held.get(event.character, ())
    return _put(state, "held", event.character, (*held, Held(event.kind, event.move, event.why)))


def _use(state: Adventure, event: e.AdvantageUsed, play: Play) -> Adventure:
    held = list(state.held.get(event.character, ()))
    used = Held(event.kind, event.move, event.why)
    if used in held:
        held.remove(used)
    return _put(state, "held", event.character, tuple(held))


def _depth(state: Adventure, event: e.DepthChanged, play: Play) -> Adventure:
    return _put(state, "depth", event.character, {**state.depth.get(event.character, {}), event.other: event.depth})


def _ritual(state: Adventure, title: str, **changes: Any) -> Adventure:
    return _put(state, "rituals", title, replace(state.rituals[title], **changes))


def _made(state: Adventure, event: e.RollMade, play: Play) -> Adventure:
    dead_by_now = event.kind == "move" and event.label == "death" and event.outcome == "miss"
    return replace(state, dying=state.dying | {event.character}) if dead_by_now else state


def _comfort(state: Adventure, event: e.ComfortGiven, play: Play) -> Adventure:
    comforts = {**state.comforts, **dict.fromkeys(event.choices, event.comforter)}
    return replace(state, comforts=comforts, used=state.used | {f"comfort:{event.comforter}"})


def _died(state: Adventure, event: e.CharacterDied, play: Play) -> Adventure:
    name = event.character
    return replace(state, dead=state.dead | {name}, dying=state.dying - {name}, down=state.down - {name})


def _scene(state: Adventure, event: e.SceneStarted, play: Play) -> Adventure:
    """Incapacitated ends with the scene (AD-15), and so does suspicion (AD-10)."""
    held = {name: tuple(one for one in all_ if one.why != "suspicion") for name, all_ in state.held.items()}
    return replace(state, down=frozenset(), held=held)


EVOLVE: dict[type[e.Event], Callable[[Adventure, Any, Play], Adventure]] = {
    e.TraitSet: _trait,
    e.RollMade: _made,
    e.ConditionMarked: lambda state, event, play: _condition(state, event.character, event.condition, "marked"),
    e.ConditionCleared: lambda state, event, play: _condition(state, event.character, event.condition, None),
    e.ConditionLocked: lambda state, event, play: _condition(state, event.character, event.condition, "locked"),
    e.ConditionUnlocked: lambda state, event, play: _condition(state, event.character, event.condition, None),
    e.HpChanged: _hp,
    e.XpMarked: _xp,
    e.LevelGained: _level,
    e.AdvanceTaken: _advance,
    e.AdvantageHeld: _hold,
    e.AdvantageUsed: _use,
    e.AdvantagesDropped: lambda state, event, play: _put(state, "held", event.character, ()),
    e.DepthChanged: _depth,
    e.QuestionsHeld: lambda state, event, play: _put(
        state, "questions", event.character, Questions(event.about, event.left)
    ),
    e.ClashOpened: lambda state, event, play: _put(
        state, "clashes", event.character, Clash(event.against, event.dealt, event.taken)
    ),
    e.ComfortGiven: _comfort,
    e.CampMade: lambda state, event, play: replace(state, used=state.used | {"camp"}),
    e.SessionReviewed: lambda state, event, play: replace(state, used=state.used | {"review"}),
    e.RitualStarted: lambda state, event, play: _put(
        state, "rituals", event.ritual, Ritual(event.ritual, event.mag, event.by)
    ),
    e.RequirementSet: lambda state, event, play: _ritual(
        state, event.ritual, needs=(*state.rituals[event.ritual].needs, event.text)
    ),
    e.RequirementMet: lambda state, event, play: _ritual(
        state, event.ritual, met=state.rituals[event.ritual].met | {event.number}
    ),
    e.RitualCompleted: lambda state, event, play: _ritual(state, event.ritual, complete=True),
    e.CharacterDied: _died,
    e.SceneStarted: _scene,
    e.SessionStarted: lambda state, event, play: replace(state, used=frozenset()),
}


def evolve(state: Adventure | None, event: e.Event, play: Play) -> Adventure:
    """This system's part of the table after one fact; `play` is the table after it."""
    state = state or Adventure()
    step = EVOLVE.get(type(event))
    return step(state, event, play) if step else state


def footprint(event: e.Event, play: Play) -> Footprint:
    """What a fact of this system wrote and what it was built on (for undo)."""
    match event:
        case e.ConditionMarked() | e.ConditionCleared() | e.ConditionLocked() | e.ConditionUnlocked():
            return Footprint.of(f"conditions:{event.character}", sets=True, needs=(f"character:{event.character}",))
        case e.HpChanged() | e.CharacterDied():
            return Footprint.of(f"hp:{event.character}", sets=True, needs=(f"character:{event.character}",))
        case e.XpMarked() | e.LevelGained() | e.AdvanceTaken():
            return Footprint.of(f"xp:{event.character}", sets=True)
        case e.AdvantageHeld() | e.AdvantageUsed() | e.AdvantagesDropped():
            return Footprint.of(f"held:{event.character}", sets=True)
        case e.DepthChanged():
            return Footprint.of(f"depth:{event.character}:{event.other}", sets=True)
        case e.QuestionsHeld():
            return Footprint.of(f"questions:{event.character}", sets=True)
        case e.RitualStarted() | e.RequirementSet() | e.RequirementMet() | e.RitualCompleted():
            return Footprint.of(f"ritual:{event.ritual}", sets=True)
        case e.ComfortGiven() | e.CampMade() | e.SessionReviewed():
            return Footprint.of(type(event).__name__, sets=True)
        case e.RollMade():
            needs = tuple(f"{what}:{event.character}" for what in ("character", "sheet", "held"))
            return Footprint.of(f"roll:{event.roll}", needs=needs)
    return Footprint()

"""Savage Worlds: what its facts leave behind at a table.

Here: Bennies, wounds, Shaken, the last rolls, open opposed rolls, the fight and its cards, and the plain
consequence of each fact. Never: a decision, a rule, dice, a refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from core.table.state import Footprint, Play
from events import types as e

POOL = "pool"


class Hit(Struct, frozen=True, gc=False):
    """Wounds just taken and not yet settled: what was there before, how many came, and the soak roll made, if any."""

    before: int
    taken: int
    damage: int | None = None
    soak: int | None = None
    soaked: int = 0


class Opposed(Struct, frozen=True, gc=False):
    """The active side's roll, and the defender's once it is made."""

    active: e.RollMade
    defending: e.RollMade | None = None


class Fight(Struct, frozen=True, gc=False):
    """Who is in the initiative with which Edges, and the round: cards held, cards to choose from, turns had.

    `turn` is whose turn it is, empty before the round's first.
    """

    combatants: dict[str, tuple[str, ...]] = {}
    round: int = 0
    cards: dict[str, str] = {}
    drawn: dict[str, tuple[str, ...]] = {}
    turn: str = ""
    acted: tuple[str, ...] = ()


class Savage(Struct, frozen=True, gc=False):
    """`bennies` are by holder: a person, a GM Wild Card's name, or `pool`. `out` are the cards not in the deck.

    `joker`: one came in this round. `wounding` are the damage rolls that led to wounds, as long as they can be
    rolled again.
    """

    bennies: dict[str, int] = {}
    wounds: dict[str, int] = {}
    shaken: frozenset[str] = frozenset()
    down: frozenset[str] = frozenset()
    rolls: dict[str, e.RollMade] = {}
    damage: dict[str, e.RollMade] = {}
    hits: dict[str, Hit] = {}
    opposed: tuple[Opposed, ...] = ()
    fight: Fight | None = None
    out: tuple[str, ...] = ()
    joker: bool = False
    wounding: frozenset[int] = frozenset()


MAX_OPPOSED = 8  # opposed rolls remembered


def holder(play: Play, name: str) -> str:
    """Whose Bennies somebody's are: a GM character has its own, a player's character has the player's."""
    character = play.characters.get(name)
    return name if character is None or character.gm else character.owner


def _add(state: Savage, name: str, count: int) -> Savage:
    return replace(state, bennies={**state.bennies, name: state.bennies.get(name, 0) + count})


def _spent(state: Savage, event: e.BennySpent, play: Play) -> Savage:
    return _add(state, POOL if event.source == POOL else holder(play, event.character), -1)


def _wounds(state: Savage, event: e.WoundsChanged, play: Play) -> Savage:
    name = event.character
    state = replace(
        state, wounds={**state.wounds, name: event.wounds}, down=_toggled(state.down, name, event.incapacitated)
    )
    hit = state.hits.get(name)
    if event.cause == "reroll" and hit:
        return _hit(state, name, replace(hit, taken=hit.taken + event.change))
    if event.cause == "soak" and hit:
        return _hit(state, name, replace(hit, soaked=hit.soaked - event.change))
    if event.change > 0:
        state = replace(state, wounding=_wounding(state, event.roll))
        return _hit(state, name, Hit(event.wounds - event.change, event.change, event.roll))
    return replace(state, hits={one: hit for one, hit in state.hits.items() if one != name})


def _wounding(state: Savage, roll: int | None) -> frozenset[int]:
    last = {one.reroll_of or one.roll for one in state.damage.values()}
    return frozenset({*(state.wounding & last), *([roll] if roll else [])})


def _hit(state: Savage, name: str, hit: Hit) -> Savage:
    return replace(state, hits={**state.hits, name: hit})


def _toggled(names: frozenset[str], name: str, there: bool) -> frozenset[str]:
    return names | {name} if there else names - {name}


def _rolled(state: Savage, event: e.RollMade, play: Play) -> Savage:
    name = event.character
    if event.kind == "damage":
        return replace(state, damage={**state.damage, name: event})
    if event.kind == "roll":
        return state
    state = replace(state, rolls={**state.rolls, name: event})
    if event.kind == "soak" and name in state.hits:
        state = _hit(state, name, replace(state.hits[name], soak=event.reroll_of or event.roll))
    if event.kind == "oppose":
        return _opposed(state, event)
    return _defended(state, event) if event.kind == "resist" else state


def _opposed(state: Savage, event: e.RollMade) -> Savage:
    """The active roll, in place of the same character's one that nobody has answered yet."""
    others = tuple(one for one in state.opposed if one.defending or one.active.character != event.character)
    return replace(state, opposed=(*others, Opposed(event))[-MAX_OPPOSED:])


def _defended(state: Savage, event: e.RollMade) -> Savage:
    """The defender's roll, kept until the OppositionResolved of the same append says to which side it belongs."""
    kept = tuple(
        replace(one, defending=event) if one.defending and one.defending.roll == event.reroll_of else one
        for one in state.opposed
    )
    return replace(state, opposed=kept)


def _resolved(state: Savage, event: e.OppositionResolved, play: Play) -> Savage:
    defending = next((one for one in state.rolls.values() if event.defending in (one.roll, one.reroll_of)), None)
    kept = tuple(
        replace(one, defending=defending) if event.active in (one.active.roll, one.active.reroll_of) else one
        for one in state.opposed
    )
    return replace(state, opposed=kept)


# ---- the fight


def _fight(state: Savage, **changes: Any) -> Savage:
    return replace(state, fight=replace(state.fight or Fight(), **changes))


def _combatant(state: Savage, event: e.CombatantJoined, play: Play) -> Savage:
    known = state.fight.combatants if state.fight else {}
    return _fight(state, combatants={**known, event.character: event.edges})


def _left(state: Savage, event: e.CombatantLeft, play: Play) -> Savage:
    fight = state.fight or Fight()
    gone = event.character
    return _fight(
        state,
        combatants={name: edges for name, edges in fight.combatants.items() if name != gone},
        cards={name: card for name, card in fight.cards.items() if name != gone},
        turn="" if fight.turn == gone else fight.turn,
        acted=(*fight.acted, gone) if fight.turn == gone else fight.acted,
    )


def _round(state: Savage, event: e.RoundStarted, play: Play) -> Savage:
    state = replace(state, joker=False, hits={}, damage={})
    return _fight(state, round=event.number, cards={}, drawn={}, turn="", acted=())


def _dealt(state: Savage, event: e.CardDealt, play: Play) -> Savage:
    fight, name = state.fight or Fight(), event.character
    state = replace(state, out=(*state.out, event.card), joker=state.joker or event.card.endswith("joker"))
    if event.reason in ("deal", "quick"):
        return _fight(state, cards={**fight.cards, name: event.card})
    if event.reason == "benny":
        held = fight.drawn.get(name) or (fight.cards[name],)
        return _fight(state, drawn={**fight.drawn, name: (*held, event.card)})
    return state


def _kept(state: Savage, event: e.CardKept, play: Play) -> Savage:
    fight = state.fight or Fight()
    return _fight(state, cards={**fight.cards, event.character: event.card})


def _turn(state: Savage, event: e.TurnStarted, play: Play) -> Savage:
    fight = state.fight or Fight()
    acted = (*fight.acted, fight.turn) if fight.turn else fight.acted
    return _fight(state, turn=event.character, acted=acted)


EVOLVE: dict[type[e.Event], Callable[[Savage, Any, Play], Savage]] = {
    e.TableOpened: lambda state, event, play: Savage(),
    e.SessionStarted: lambda state, event, play: replace(state, bennies={}, hits={}, damage={}, rolls={}),
    e.SceneStarted: lambda state, event, play: replace(state, hits={}, damage={}),
    e.BennyAwarded: lambda state, event, play: _add(state, holder(play, event.to), event.count),
    e.BennySpent: _spent,
    e.BenniesDiscarded: lambda state, event, play: replace(state, bennies={}),
    e.WoundsChanged: _wounds,
    e.ShakenChanged: lambda state, event, play: replace(
        state, shaken=_toggled(state.shaken, event.character, event.shaken)
    ),
    e.RollMade: _rolled,
    e.OppositionResolved: _resolved,
    e.CombatantJoined: _combatant,
    e.CombatantLeft: _left,
    e.RoundStarted: _round,
    e.CardDealt: _dealt,
    e.CardKept: _kept,
    e.TurnStarted: _turn,
    e.DeckShuffled: lambda state, event, play: replace(
        state, out=event.held, joker=state.joker and event.reason == "empty"
    ),
    e.InitiativeEnded: lambda state, event, play: replace(state, fight=None),
}


STATE = Savage  # what `evolve` gives


def evolve(state: Savage | None, event: e.Event, play: Play) -> Savage:
    """Savage Worlds' part of the table after one fact; `play` is the table after it."""
    state = state or Savage()
    step = EVOLVE.get(type(event))
    return step(state, event, play) if step else state


def footprint(event: e.Event, play: Play) -> Footprint:
    """What a fact of this system wrote and what it was built on (for undo)."""
    match event:
        case e.BennyAwarded():
            purse = holder(play, event.to)
            return Footprint.of(f"bennies:{purse}", needs=(f"character:{event.to}", f"person:{purse}"))
        case e.BennySpent():
            purse = POOL if event.source == POOL else holder(play, event.character)
            return Footprint.of(f"bennies:{purse}", needs=(f"bennies:{purse}",))
        case e.WoundsChanged():
            return Footprint.of(f"wounds:{event.character}", sets=True, needs=(f"character:{event.character}",))
        case e.ShakenChanged():
            return Footprint.of(f"shaken:{event.character}", sets=True, needs=(f"character:{event.character}",))
        case e.RollMade():
            return _roll_footprint(event)
        case e.OppositionResolved():
            return Footprint.of(f"opposed:{event.active}", needs=(f"roll:{event.active}", f"roll:{event.defending}"))
        case e.CombatantJoined() | e.CombatantLeft():
            combatant = f"combatant:{event.character}"
            return Footprint.of("fight", combatant, needs=(combatant, f"character:{event.character}"))
        case e.RoundStarted() | e.CardDealt() | e.CardKept() | e.TurnStarted() | e.DeckShuffled() | e.InitiativeEnded():
            return Footprint.of("fight", sets=True)
    return Footprint()


def _roll_footprint(event: e.RollMade) -> Footprint:
    name = event.character
    needs = [f"{what}:{name}" for what in ("character", "sheet", "wounds")]
    if any(modifier.name == "joker" for modifier in event.modifiers):
        needs.append("fight")
    if event.reroll_of:
        needs.append(f"roll:{event.reroll_of}")
    if event.against:
        needs += [f"{what}:{event.against}" for what in ("character", "sheet", "shaken", "wounds")]
    return Footprint.of(f"roll:{event.reroll_of or event.roll}", needs=tuple(needs))

"""Savage Worlds: which sentence each of its facts gets.

Here: fact -> Lines. Never: the sentences themselves (words.py), a rule, a decision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.language import Line, line
from core.systems.savage.rules import lone_one, trait_results
from core.systems.savage.state import POOL, Savage, holder
from core.table.state import Character, Play
from core.table.tell import again, roll_made
from core.telling import Button, View, die_text, step
from events import types as e

SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
ROLLED = ("trait", "group", "oppose", "resist", "soak", "unshake", "damage")


def _state(view: View) -> Savage:
    return view.play.rules or Savage()


def character_name(character: Character, play: Play) -> object:
    """A Wild Card's name has the table's mark before it (SW-01)."""
    if character.kind != "wild":
        return character.name
    return line("character.wild", mark=play.house.get("wild-mark", "★"), name=character.name)


def card_name(card: str) -> Line:
    if card.endswith("joker"):
        return line(f"card.{card}")
    return line("card.shown", rank=card[:-1], suit=SUITS[card[-1]])


def _reroll(roll: e.RollMade, play: Play, command: str) -> list[Button]:
    """A Benny for this roll, while its holder has one and the roll is none that no Benny buys (SW-11, SW-15)."""
    if roll.outcome == "critical_failure" or not play.rules.bennies.get(holder(play, roll.character)):
        return []
    name = f' as="{roll.character}"' if roll.character in play.characters else ""
    return [Button("🎟", line("button.reroll"), f"reroll roll={roll.roll}{name}")]


def _again_or_reroll(roll: e.RollMade, play: Play, command: str) -> list[Button]:
    once_more = [] if roll.reroll_of else again(roll, play, command)
    return [*once_more, *_reroll(roll, play, command)]


BUTTONS: dict[str, Callable[[e.RollMade, Play, str], list[Button]]] = {
    "trait": _again_or_reroll, "group": _again_or_reroll, "oppose": _reroll, "resist": _reroll, "damage": again,
}  # fmt: skip


def option_label(kind: str, option: str) -> object:
    return card_name(option) if kind == "card" else option


# ---- rolls


def _roll(event: e.RollMade, view: View) -> list[Line]:
    if event.kind not in ROLLED:
        return roll_made(event, view)
    told = [_reroll_head(event, view), _body(event, view)]
    if len(event.results) > 1:
        told.append(line("roll.results", results=trait_results(event.dice, event.modifier)))
    if event.reroll_of and event.outcome != "critical_failure":
        stands = event.results if len(event.results) > 1 else event.total
        told.append(line("roll.again", rolled=event.rolled_total, total=stands, outcome=outcome(event)))
    if event.outcome == "critical_failure":
        told.append(line("roll.no_reroll"))
    if event.kind == "oppose" and event.outcome != "critical_failure":
        told.append(line("roll.waiting" if event.outcome == "success" else "roll.fails_outright"))
    return [one for one in told if one]


def _reroll_head(event: e.RollMade, view: View) -> Line | None:
    """Which Edge gave the reroll; a Benny has told of itself."""
    if not event.by or event.by == "benny":
        return None
    return line("roll.edge", name=view.name(event.character), edge=event.by)


def _body(event: e.RollMade, view: View) -> Line:
    label = line(f"trait.{event.label}", name=event.label)
    facts = {
        "head": line(f"roll.{event.kind}", name=view.name(event.character), label=label),
        "dice": [line(f"die.{die.role}", die=die_text(die)) for die in event.dice],
        "steps": line("roll.steps", steps=[step(one) for one in event.modifiers]) if event.modifiers else "",
        "total": event.rolled_total,
    }
    if event.target is None:
        return Line("roll.bare", facts)
    shown = _thrown_outcome(event)
    return Line("roll.body", {**facts, "target": event.target, "outcome": shown})


def _thrown_outcome(event: e.RollMade) -> Line:
    """What this throw alone came to; on a reroll what stands is told behind it."""
    if event.kind == "damage":
        hit = event.rolled_total >= (event.target or 0)
        return _damage_outcome("success" if hit else "failure", _raises(event))
    if event.reroll_of and event.outcome != "critical_failure":
        hit = event.rolled_total >= (event.target or 0) and not lone_one(event.dice)
        return _outcome("success" if hit else "failure", _raises(event) if hit else 0)
    return outcome(event)


def _raises(event: e.RollMade) -> int:
    return max(0, (event.rolled_total - (event.target or 0)) // 4)


def outcome(event: e.RollMade) -> Line:
    told = _damage_outcome if event.kind == "damage" else _outcome
    return told(event.outcome, event.raises or 0)


def _outcome(result: str | None, raises: int) -> Line:
    if result != "success" or not raises:
        return line(f"outcome.{result or 'settled'}")
    return line("outcome.one_raise") if raises == 1 else line("outcome.raises", raises=raises)


def _damage_outcome(result: str | None, raises: int) -> Line:
    if result != "success":
        return line("damage.missed")
    return line("damage.wounds", raises=raises) if raises else line("damage.shaken")


def _opposed(event: e.OppositionResolved, view: View) -> list[Line]:
    active = next(
        (one.active for one in _state(view).opposed if event.active in (one.active.roll, one.active.reroll_of)), None
    )
    if active and active.character == event.loser and active.outcome != "success":
        return [line("opposed.failed", winner=view.name(event.winner), loser=view.name(event.loser))]
    key = "opposed.settled" if not event.raises else "opposed.one_raise" if event.raises == 1 else "opposed.raises"
    return [line(key, winner=view.name(event.winner), loser=view.name(event.loser), raises=event.raises)]


# ---- Bennies, wounds


def _holder_name(to: str, view: View) -> object:
    return line("pool") if to == POOL else view.name(to)


def _awarded(event: e.BennyAwarded, view: View) -> list[Line]:
    left = _state(view).bennies.get(event.to if event.to == POOL else holder(view.play, event.to), 0)
    reason = line(f"reason.{event.reason}", name=event.reason)
    key = "benny.because" if event.reason else "benny.awarded"
    return [line(key, name=_holder_name(event.to, view), count=event.count, left=left, reason=reason)]


def _spent(event: e.BennySpent, view: View) -> list[Line]:
    key = "benny.spent" if event.source == "own" else "benny.spent_pool"
    return [line(key, name=view.name(event.character), purpose=line(f"purpose.{event.purpose}"), left=event.left)]


def _wounds(event: e.WoundsChanged, view: View) -> list[Line]:
    key = "wounds.soaked" if event.cause == "soak" else "wounds.healed"
    if event.change > 0:
        key = "wounds.down" if event.incapacitated else "wounds.taken"
    return [line(key, name=view.name(event.character), count=abs(event.change), wounds=event.wounds)]


def _shaken(event: e.ShakenChanged, view: View) -> list[Line]:
    return [line("shaken.on" if event.shaken else "shaken.off", name=view.name(event.character))]


# ---- action cards


def _joined(event: e.CombatantJoined, view: View) -> list[Line]:
    edges = line("combat.edges", edges=[line(f"edge.{edge}") for edge in event.edges]) if event.edges else ""
    return [line("combat.joined", name=view.name(event.character), edges=edges)]


def _dealt(event: e.CardDealt, view: View) -> list[Line]:
    name, card = view.name(event.character), card_name(event.card)
    if event.reason == "deal":
        return [line("card.dealt", name=name, card=card)]
    return [line("card.dealt_for", name=name, card=card, why=line(f"why.{event.reason}"))]


def _turn(event: e.TurnStarted, view: View) -> list[Line]:
    state = _state(view)
    card = state.fight.cards.get(event.character) if state.fight else None
    shown = card_name(card) if card else line("init.no_card")
    shaken = line("turn.shaken") if event.character in state.shaken else ""
    return [line("turn.started", name=view.name(event.character), card=shown, shaken=shaken)]


TELL: dict[type[e.Event], Callable[[Any, View], list[Line]]] = {
    e.RollMade: _roll,
    e.OppositionResolved: _opposed,
    e.BennyAwarded: _awarded,
    e.BennySpent: _spent,
    e.BenniesDiscarded: lambda event, view: [line("benny.discarded", count=event.count)],
    e.WoundsChanged: _wounds,
    e.ShakenChanged: _shaken,
    e.CombatantJoined: _joined,
    e.CombatantLeft: lambda event, view: [line("combat.left", name=view.name(event.character))],
    e.RoundStarted: lambda event, view: [line("round.started", number=event.number)],
    e.CardDealt: _dealt,
    e.CardKept: lambda event, view: [line("card.kept", name=view.name(event.character), card=card_name(event.card))],
    e.TurnStarted: _turn,
    e.DeckShuffled: lambda event, view: [line(f"deck.{event.reason}")],
    e.InitiativeEnded: lambda event, view: [line("combat.ended", rounds=event.rounds)],
}

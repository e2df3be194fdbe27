"""Savage Worlds: what its commands make true.

Here: command + table + dice -> facts, or a refusal. Never: arithmetic of the rules (rules.py), a sentence.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from core.decider import OFF, POOL, Dice, Turn, Who, character_named, own_or_gm, roll_made, someone_named, who
from core.dice import cards
from core.dice.throws import ace, plain
from core.grammar.verb import Command
from core.refusal import Refusal
from core.systems.savage import rules
from core.systems.savage import verbs as v
from core.systems.savage.state import Fight, Hit, Opposed, Savage, holder
from core.systems.savage.words import TRAIT_NAMES
from core.table.state import Character, Choice, Play
from events import types as e
from events.types import Die, Modifier, RollMade

EDGE_TRAITS = {"quick", "level-headed", "hesitant"}


def savage(turn: Turn) -> Savage:
    """This system's part of the table."""
    return turn.play.rules or Savage()


# ---- trait rolls


class Plan(Struct, frozen=True):
    """A trait roll before its dice fall: so many dice of `sides`, the Wild Die's sides or 0, steps, target."""

    kind: str
    label: str
    sides: int
    count: int
    wild: int
    modifiers: tuple[Modifier, ...]
    target: int
    crit: bool = False

    @property
    def modifier(self) -> int:
        return sum(step.value for step in self.modifiers)


def _plan(command: v.TraitCommand, turn: Turn, actor: Who, kind: str) -> Plan:
    """Die and steps of a trait roll: sheet or plain die, unskilled (SW-14), wounds (SW-02), Joker (SW-25)."""
    sides, steps = _die(command, turn, actor)
    wild = command.wild or (rules.WILD_DIE if actor.wild and not command.extra else 0)
    modifiers = (*command.modifiers, *steps, *_standing_steps(turn, actor))
    return Plan(kind, command.trait, sides, command.count, wild, modifiers, command.target, command.crit)


def plan_of(command: v.RollTrait, turn: Turn) -> Plan:
    """The plan of a trait roll that is not thrown: for its odds."""
    return _plan(command, turn, who(turn, command), "trait")


def _standing_steps(turn: Turn, actor: Who, wounds: int | None = None) -> Iterator[Modifier]:
    """What the state of a character adds to its trait rolls."""
    state = savage(turn)
    penalty = rules.wound_penalty(state.wounds.get(actor.name, 0) if wounds is None else wounds)
    if penalty:
        yield penalty
    if _has_joker(state, actor.name):
        yield rules.JOKER


def _has_joker(state: Savage, name: str) -> bool:
    return state.fight is not None and cards.is_joker(state.fight.cards.get(name, ""))


def _die(command: v.TraitCommand, turn: Turn, actor: Who) -> tuple[int, tuple[Modifier, ...]]:
    """Sides of the trait die and the steps that come with it."""
    if found := rules.die_of(command.trait):
        sides, steps = rules.die_sides(found[0]), ()
        return (rules.UNSKILLED_DIE, (rules.UNSKILLED,)) if command.unskilled else (sides, steps)
    if command.unskilled:
        return _unskilled(turn)
    value = actor.character.traits.get(command.trait) if actor.character else None
    if value is None:
        return _untrained(command.trait, turn, actor)
    die = rules.die_of(value)
    if die is None:
        raise Refusal("bad_argument", "not_a_die", trait=command.trait, value=value)
    return die[0], (Modifier("die", die[1]),) if die[1] else ()


def _untrained(trait: str, turn: Turn, actor: Who) -> tuple[int, tuple[Modifier, ...]]:
    """Nothing on the sheet: an attribute is a d4 at least, anything else an unskilled attempt (SW-14)."""
    if actor.character is None:
        raise Refusal("not_found", "trait_without_sheet", trait=trait)
    if trait in rules.ATTRIBUTES:
        return rules.UNSKILLED_DIE, ()
    if trait not in TRAIT_NAMES and (meant := _misspelt(trait, actor.character.traits)):
        raise Refusal("bad_argument", "trait_typo", got=trait, nearest=meant)
    return _unskilled(turn)


def _misspelt(trait: str, sheet: Iterable[str]) -> str | None:
    """A trait that was meant, it seems: one on the sheet that looks alike, or a Chinese name with more glued to it."""
    names = [name for one in sheet for name in (one, *TRAIT_NAMES.get(one, ()))]
    known = [name for one, others in TRAIT_NAMES.items() for name in others if not name.isascii() and name in trait]
    if known and not trait.isascii():
        return max(known, key=len)
    if trait.isascii():
        return next(iter(difflib.get_close_matches(trait, names, n=1, cutoff=0.75)), None)
    alike = (name for name in names if len(name) == len(trait) and 2 * len(set(name) & set(trait)) >= len(trait))
    return next(alike, None)


def _unskilled(turn: Turn) -> tuple[int, tuple[Modifier, ...]]:
    if turn.rule("unskilled") == OFF:
        raise Refusal("not_allowed", "unskilled")
    return rules.UNSKILLED_DIE, (rules.UNSKILLED,)


def _throw(plan: Plan, dice: Dice, natural: bool) -> tuple[Die, ...]:
    """Trait dice, then the Wild Die, each with its Aces; then the d6 that an Extra's natural 1 may ask for."""
    thrown = tuple(ace(dice, plan.sides, "trait") for _ in range(plan.count))
    if plan.wild:
        thrown = (*thrown, ace(dice, plan.wild, "wild"))
    if not natural and rules.needs_check(thrown, bool(plan.wild), plan.crit):
        thrown = (*thrown, plain(dice, rules.WILD_DIE, "check"))
    return thrown


def _made(plan: Plan, turn: Turn, command: Command, actor: Who, dice: Dice) -> RollMade:
    """The throw of a plan as a fact."""
    house_natural = turn.rule("extra-crit") == "natural"
    thrown = _throw(plan, dice, house_natural)
    dice.finish()
    natural = house_natural and rules.needs_check(thrown, bool(plan.wild), plan.crit)
    result = rules.read_trait(thrown, plan.modifier, plan.target, natural)
    return roll_made(
        turn, command, dice, thrown, kind=plan.kind, label=plan.label, character=actor.name, results=result.results,
        modifiers=plan.modifiers, target=plan.target, outcome=result.outcome, raises=result.raises, crit=plan.crit,
    )  # fmt: skip


def roll_trait(command: v.RollTrait, turn: Turn) -> list[e.Event]:
    actor = who(turn, command)
    return [_made(_plan(command, turn, actor, "trait"), turn, command, actor, turn.dice(command))]


def roll_group(command: v.RollGroup, turn: Turn) -> list[e.Event]:
    """One trait die and one Wild Die for a band of Extras (SW-16)."""
    actor = who(turn, command)
    plan = replace(_plan(command, turn, actor, "group"), wild=command.wild or rules.WILD_DIE, count=1)
    return [_made(plan, turn, command, actor, turn.dice(command))]


def unshake(command: v.Unshake, turn: Turn) -> list[e.Event]:
    """A Spirit roll; a success ends Shaken."""
    actor = who(turn, command)
    if actor.name not in savage(turn).shaken:
        raise Refusal("already_done", "not_shaken", name=actor.name)
    roll = _made(_plan(command, turn, actor, "unshake"), turn, command, actor, turn.dice(command))
    return [roll, *_after_roll(roll, turn)]


# ---- opposed rolls


def oppose(command: v.Oppose, turn: Turn) -> list[e.Event]:
    """The active side's roll, which waits for a `resist` (SW-10)."""
    actor = who(turn, command)
    return [_made(_plan(command, turn, actor, "oppose"), turn, command, actor, turn.dice(command))]


def resist(command: v.Resist, turn: Turn) -> list[e.Event]:
    """The defender's roll against the latest open active roll, or the named one, and who won (SW-10)."""
    actor = who(turn, command)
    active = _open_opposition(command.against, turn, actor).active
    secret = "gm" if active.secret else command.secret  # the defender's result would tell the active side's
    command = replace(command, target=max(active.total, 1), secret=secret)
    plan = _plan(command, turn, actor, "resist")
    roll = _made(plan, turn, command, actor, turn.dice(command))
    return [roll, _resolved(active, roll)]


def _open_opposition(against: str, turn: Turn, actor: Who) -> Opposed:
    waiting = [one for one in savage(turn).opposed if one.defending is None]
    if against:
        name = someone_named(turn, against)
        waiting = [one for one in waiting if one.active.character == name]
    others = [one for one in waiting if one.active.character != actor.name]
    if not waiting:
        raise Refusal("not_found", "opposition")
    if not others:
        raise Refusal("not_allowed", "resist_oneself")
    return others[-1]


def _resolved(active: RollMade, defending: RollMade) -> e.OppositionResolved:
    opposition = rules.oppose(rules.standing(active), rules.standing(defending))
    names = (active.character, defending.character)
    winner, loser = names if opposition.active_wins else reversed(names)
    return e.OppositionResolved(
        winner=winner, loser=loser, outcome="success", raises=opposition.raises,
        active=number(active), defending=number(defending),
    )  # fmt: skip


def number(roll: RollMade) -> int:
    """The number of the first roll in a row of rerolls."""
    return roll.reroll_of or roll.roll


# ---- rerolls


def reroll(command: v.Reroll, turn: Turn) -> list[e.Event]:
    """All the dice of the last trait roll again, paid by a Benny or an Edge, in one act (SW-15, SW-23)."""
    actor = who(turn, command)
    before = savage(turn).rolls.get(actor.name)
    if before is None:
        raise Refusal("not_found", "no_roll", name=actor.name)
    if command.roll not in (None, before.roll):
        raise Refusal("already_done", "rolled_since", name=actor.name)
    _check_sight(before, turn)
    _check_reroll(before, turn)
    paid: list[e.Event] = [] if command.edge else [_pay(turn, actor, "reroll", command.source)]
    again = _again(before, command, turn, actor)
    return [*paid, again, *_after_roll(again, turn)]


def _check_sight(roll: RollMade, turn: Turn) -> None:
    """A roll that is still secret is rerolled by those alone who know what it was: a refusal would tell of it."""
    if roll.secret is None or not any(one.roll == roll.roll for one in turn.table.ledger.sealed):
        return
    if roll.secret == "gm" and not turn.is_gm:
        raise Refusal("not_allowed", "secret_reroll")


def _check_reroll(before: RollMade, turn: Turn) -> None:
    """What no Benny can buy: a critical failure (SW-11), and a roll whose moment is over (SW-10, SW-24)."""
    if before.outcome == "critical_failure":
        raise Refusal("critical_failure", "reroll")
    state = savage(turn)
    settled = [one for one in state.opposed if number(one.active) == number(before) and one.defending]
    if before.kind == "oppose" and settled:
        raise Refusal("already_done", "opposition", name=settled[0].defending.character if settled[0].defending else "")
    hit = state.hits.get(before.character)
    if before.kind == "soak" and (hit is None or hit.soak != number(before)):
        raise Refusal("already_done", "soak_over")
    if before.kind == "soak" and hit and hit.soaked == hit.taken:
        raise Refusal("already_done", "soaked_all")


def _again(before: RollMade, command: v.Reroll, turn: Turn, actor: Who) -> RollMade:
    """The reroll as a fact: what it gave, and what stands of it and of all before."""
    roll = _made(_plan_again(before), turn, replace(command, secret=before.secret), actor, turn.dice(command))
    stands = rules.better(rules.standing(roll), rules.standing(before), before.target or rules.TARGET)
    return replace(
        roll, results=stands.results, total=stands.total, outcome=stands.outcome, raises=stands.raises,
        reroll_of=number(before), by=command.edge or "benny",
    )  # fmt: skip


def _plan_again(roll: RollMade) -> Plan:
    trait = [die for die in roll.dice if die.role == "trait"]
    wild = next((die.sides for die in roll.dice if die.role == "wild"), 0)
    target = roll.target or rules.TARGET
    return Plan(roll.kind, roll.label, trait[0].sides, len(trait), wild, roll.modifiers, target, roll.crit)


def _after_roll(roll: RollMade, turn: Turn) -> list[e.Event]:
    """What a roll of its kind brings with it, first throw or reroll."""
    if roll.kind == "soak":
        return _soaked(roll, turn)
    if roll.kind == "unshake" and roll.outcome == "success" and roll.character in savage(turn).shaken:
        return [e.ShakenChanged(character=roll.character, shaken=False)]
    if roll.kind == "resist" and roll.reroll_of:
        answered = [one for one in savage(turn).opposed if one.defending and number(one.defending) == roll.reroll_of]
        return [_resolved(one.active, roll) for one in answered]
    return []


# ---- Bennies


def _purse(turn: Turn, actor: Who, source: str) -> Literal["own", "pool"]:
    """Own Bennies first; the pool pays for the GM's characters and for nobody else (SW-20, SW-22)."""
    for_gm = actor.gm or (actor.character is None and turn.is_gm)
    if source == POOL and not for_gm:
        raise Refusal("not_allowed", "pool")
    if not for_gm or source == "own":
        return "own"
    own = actor.gm and savage(turn).bennies.get(actor.name, 0) > 0
    return "own" if own and source != POOL else "pool"


def _pay(turn: Turn, actor: Who, purpose: str, source: str) -> e.BennySpent:
    """One Benny for one's own character; none left: nothing_to_spend (SW-22, SW-23)."""
    purse = _purse(turn, actor, source)
    name = POOL if purse == "pool" else holder(turn.play, actor.name)
    left = savage(turn).bennies.get(name, 0)
    if turn.play.session is None:
        raise Refusal("nothing_to_spend", "no_session")
    if left < 1:
        raise Refusal("nothing_to_spend", purse, name=actor.name)
    return e.BennySpent(character=actor.name, purpose=purpose, source=purse, left=left - 1)


def give_benny(command: v.GiveBenny, turn: Turn) -> list[e.Event]:
    """The GM awards Bennies to players; never to the GM's own side (SW-18, SW-20)."""
    turn.require_gm()
    if turn.play.session is None:
        raise Refusal("no_session", "bennies")
    name = someone_named(turn, command.to)
    character = turn.play.characters.get(name)
    if (character and character.gm) or turn.play.owner_of(name) == turn.play.gm:
        raise Refusal("not_allowed", "award_gm")
    return [e.BennyAwarded(to=name, count=command.count, reason=command.note)]


def spend_benny(command: v.SpendBenny, turn: Turn) -> list[e.Event]:
    """One Benny for what SW-23 lists; the purchase and what it brings are one act."""
    return SPEND[command.purpose](command, turn, who(turn, command))


def _spend_unshake(command: v.SpendBenny, turn: Turn, actor: Who) -> list[e.Event]:
    if actor.name not in savage(turn).shaken:
        raise Refusal("already_done", "not_shaken", name=actor.name)
    return [_pay(turn, actor, "unshake", command.source), e.ShakenChanged(character=actor.name, shaken=False)]


def _spend_story(command: v.SpendBenny, turn: Turn, actor: Who) -> list[e.Event]:
    return [_pay(turn, actor, "story", command.source)]


def _spend_power(command: v.SpendBenny, turn: Turn, actor: Who) -> list[e.Event]:
    """5 Power Points back, for a character that has any, not above its maximum (SW-23)."""
    traits = actor.character.traits if actor.character else {}
    most = traits.get("max_pp")
    now = traits.get("pp", most)
    if not isinstance(most, int) or not isinstance(now, int):
        raise Refusal("not_found", "power_points", name=actor.name)
    if now >= most:
        raise Refusal("limit_reached", "power_points", most=most)
    after = min(most, now + rules.POWER_POINTS)
    return [
        _pay(turn, actor, "power", command.source),
        e.TraitSet(character=actor.name, trait="pp", value=after, was=traits.get("pp")),
    ]


def _spend_soak(command: v.SpendBenny, turn: Turn, actor: Who) -> list[e.Event]:
    """A Vigor roll, the new wounds' penalty not counted; success and each raise cancel one (SW-24)."""
    hit = savage(turn).hits.get(actor.name)
    if hit is None:
        raise Refusal("not_found", "no_fresh_wounds", name=actor.name)
    if hit.soak is not None:
        raise Refusal("already_done", "soaked")
    paid = _pay(turn, actor, "soak", command.source)
    sides, steps = _die(v.RollTrait(trait="vigor"), turn, actor)
    modifiers = (*command.modifiers, *steps, *_standing_steps(turn, actor, hit.before))
    plan = Plan("soak", "vigor", sides, 1, rules.WILD_DIE if actor.wild else 0, modifiers, rules.TARGET)
    roll = _made(plan, turn, command, actor, turn.dice(command))
    return [paid, roll, *_soaked(roll, turn)]


def _soaked(roll: RollMade, turn: Turn) -> list[e.Event]:
    """The wounds that this roll cancels beyond those already cancelled; none left: Shaken goes too (SW-24).

    A critical failure on a reroll is the result, so what was cancelled before it comes back (SW-15).
    """
    state, name = savage(turn), roll.character
    hit = state.hits[name]
    more = rules.cancelled(rules.standing(roll), hit.taken) - hit.soaked
    if not more:
        return []
    events: list[e.Event] = [_wounds(turn, name, -more, "soak", number(roll))]
    if hit.soaked + more == hit.taken and name in state.shaken:
        events.append(e.ShakenChanged(character=name, shaken=False))
    return events


def _spend_damage(command: v.SpendBenny, turn: Turn, actor: Who) -> list[e.Event]:
    """The last damage roll again, the raise's die included; the better one stands (SW-23)."""
    before = savage(turn).damage.get(actor.name)
    if before is None:
        raise Refusal("not_found", "no_damage", name=actor.name)
    hit = _hit_by(before, turn)
    if hit and hit.soak is not None:
        raise Refusal("already_done", "damage_soaked", name=before.against)
    if hit is None and number(before) in savage(turn).wounding:
        raise Refusal("already_done", "damage_over", name=before.against)
    paid = _pay(turn, actor, "damage", command.source)
    dice = turn.dice(command)
    thrown = tuple(ace(dice, die.sides, "damage") for die in before.dice)
    dice.finish()
    new = rules.read_damage(thrown, before.modifier, before.target)
    stands = new if new.total > before.total else rules.standing(before)
    roll = replace(
        before, roll=turn.table.ledger.roll + 1, dice=thrown, results=stands.results, total=stands.total,
        rolled_total=new.total, outcome=stands.outcome, raises=stands.raises, reroll_of=number(before), by="benny",
        source=dice.kind, period=dice.period, first=dice.first, next=dice.next,
    )  # fmt: skip
    return [paid, roll, *_hit_harder(before, roll, turn, hit)]


SPEND: dict[str, Callable[[v.SpendBenny, Turn, Who], list[e.Event]]] = {
    "unshake": _spend_unshake, "story": _spend_story, "power": _spend_power, "soak": _spend_soak,
    "damage": _spend_damage,
}  # fmt: skip


# ---- damage and wounds


def roll_damage(command: v.RollDamage, turn: Turn) -> list[e.Event]:
    """Damage dice, all of which Ace, with a d6 more for a raise; against a character its effect too (SW-27)."""
    actor = who(turn, command)
    target, toughness = _toughness(command.against, turn)
    if target:
        turn.require_player()
    if target and command.secret:
        raise Refusal("not_allowed", "secret_damage")
    dice = turn.dice(command)
    sides, modifiers = _damage_dice(command, turn, actor)
    thrown = tuple(ace(dice, one, "damage") for one in sides)
    dice.finish()
    modifier = sum(step.value for step in modifiers)
    result = rules.read_damage(thrown, modifier, toughness)
    roll = roll_made(
        turn, command, dice, thrown, kind="damage", label=command.label, character=actor.name, results=result.results,
        modifiers=modifiers, target=toughness, outcome=result.outcome, raises=result.raises,
        against=target.name if target else "",
    )  # fmt: skip
    return [roll, *(_effect(target, roll, turn) if target else [])]


def _toughness(against: str, turn: Turn) -> tuple[Character | None, int | None]:
    """A number as it is, a character's Toughness from its sheet; none on it: not_found."""
    if not against:
        return None, None
    if against.isascii() and against.isdecimal():
        return None, int(against)
    target = character_named(turn.play, against)
    toughness = target.traits.get("toughness")
    if not isinstance(toughness, int):
        raise Refusal("not_found", "toughness", name=target.name)
    return target, toughness


def _damage_dice(command: v.RollDamage, turn: Turn, actor: Who) -> tuple[list[int], tuple[Modifier, ...]]:
    """The sides of each die and the steps: `2d6+str+1` in order, the raise's die last."""
    sides: list[int] = []
    steps: list[Modifier] = []
    for term in command.terms:
        if term.sides:
            sides += [term.sides] * term.count
        elif term.trait:
            die, bonus = _damage_trait(term.trait, actor)
            sides.append(die)
            steps += [Modifier("die", bonus)] if bonus else []
        else:
            steps.append(Modifier(term.name, term.sign * term.number))
    if command.raised:
        sides.append(rules.RAISE_DAMAGE)
    return sides, (*steps, *([rules.JOKER] if _has_joker(savage(turn), actor.name) else []))


def _damage_trait(trait: str, actor: Who) -> tuple[int, int]:
    value = actor.character.traits.get(trait) if actor.character else None
    found = rules.die_of(value) if value is not None else None
    if found is None:
        raise Refusal("not_found", "damage_trait", trait=trait)
    return found


def _wounds(turn: Turn, name: str, change: int, cause: str, roll: int | None = None) -> e.WoundsChanged:
    """So many wounds more or fewer, and whether that means Incapacitated (SW-02)."""
    wounds = savage(turn).wounds.get(name, 0) + change
    down = rules.incapacitated(wounds, turn.play.characters[name].kind == "wild")
    return e.WoundsChanged(character=name, wounds=wounds, change=change, incapacitated=down, cause=cause, roll=roll)


def _effect(target: Character, roll: RollMade, turn: Turn) -> list[e.Event]:
    """Shaken and wounds of a hit (SW-27); an Extra that is down already takes no more (SW-02)."""
    if target.kind == "extra" and target.name in savage(turn).down:
        return []
    shaken = target.name in savage(turn).shaken
    wounds = rules.wounds_of(rules.standing(roll), shaken)
    events: list[e.Event] = [_wounds(turn, target.name, wounds, "damage", number(roll))] if wounds else []
    if roll.outcome == "success" and not shaken:
        events.append(e.ShakenChanged(character=target.name, shaken=True))
    return events


def _hit_by(damage: RollMade, turn: Turn) -> Hit | None:
    """The wounds that this damage roll caused, while they are fresh."""
    hit = savage(turn).hits.get(damage.against)
    return hit if hit and hit.damage == number(damage) else None


def _hit_harder(before: RollMade, roll: RollMade, turn: Turn, hit: Hit | None) -> list[e.Event]:
    """What a better damage roll adds to the hit it replaces."""
    target = turn.play.characters.get(roll.against)
    if target is None:
        return []
    if before.outcome != "success":
        return _effect(target, roll, turn)
    more = (roll.raises or 0) - (hit.taken if hit else 0)
    cause = "reroll" if hit else "damage"
    return [_wounds(turn, target.name, more, cause, number(roll))] if more > 0 else []


def wound(command: v.Wound, turn: Turn) -> list[e.Event]:
    """Wounds marked or healed by hand: by the player for an own character, by the GM for any."""
    actor = own_or_gm(turn, command)
    now = savage(turn).wounds.get(actor.name, 0)
    if now + command.count < 0:
        raise Refusal("limit_reached", "wounds", name=actor.name, wounds=now)
    return [_wounds(turn, actor.name, command.count, "marked" if command.count > 0 else "healed")]


def set_shaken(command: v.SetShaken, turn: Turn) -> list[e.Event]:
    actor = own_or_gm(turn, command)
    if (actor.name in savage(turn).shaken) == command.shaken:
        raise Refusal("already_done", "shaken" if command.shaken else "not_shaken", name=actor.name)
    return [e.ShakenChanged(character=actor.name, shaken=command.shaken)]


# ---- action cards


class _Dealer:
    """Draws cards one after the other; what is out, what is in hands and what follows from a Joker goes along."""

    def __init__(self, turn: Turn, command: Command, out: tuple[str, ...], hands: Iterable[str]) -> None:
        self.turn, self.out, self.hands = turn, out, list(hands)
        self.dice = turn.dice(command)
        self.events: list[e.Event] = []

    def deal(self, name: str, reason: str) -> str:
        """One card to somebody; an empty deck is shuffled first, without the cards in hand."""
        if not cards.remaining(self.out):
            self.out = tuple(self.hands)
            self.events.append(e.DeckShuffled(reason="empty", held=self.out))
        self.dice.begin()
        card = cards.draw(self.dice, self.out)
        self.out = (*self.out, card)
        self.hands.append(card)
        self.events.append(
            e.CardDealt(
                character=name,
                card=card,
                reason=reason,
                period=self.dice.period,
                first=self.dice.first,
                next=self.dice.next,
            )
        )
        if cards.is_joker(card):
            self.events += _joker_bennies(self.turn, name)
        return card

    def first_card(self, name: str, edges: tuple[str, ...]) -> None:
        """The round's card, with what Level Headed, Hesitant and Quick make of it (SW-25)."""
        card = self.deal(name, "deal")
        if two := [edge for edge in ("level-headed", "hesitant") if edge in edges]:
            pair = (card, self.deal(name, two[0]))
            card = rules.kept(pair, edges)
            self.hands.remove(pair[1] if card == pair[0] else pair[0])
            self.events.append(e.CardKept(character=name, card=card))
        while "quick" in edges and rules.wants_quick(card) and self._better_left():
            self.hands.remove(card)
            card = self.deal(name, "quick")

    def _better_left(self) -> bool:
        """Whether any card above 5 is not in somebody's hand: Quick would draw for ever otherwise."""
        return any(not rules.wants_quick(card) for card in cards.remaining(self.hands))


def _joker_bennies(turn: Turn, name: str) -> list[e.Event]:
    """A Joker for a player: every player gets 1; for the GM: the pool and each hostile Wild Card (SW-19, SW-21)."""
    play = turn.play
    if play.session is None:
        return []
    if not play.characters[name].gm:
        return [_award(speaker(play, player), 1, "joker") for player in _players(play)]
    hostile = [one.name for one in _gm_wild_cards(play) if not one.ally]
    return [_award(one, 1, "joker") for one in (POOL, *hostile)]


def deal_cards(command: v.DealCards, turn: Turn) -> list[e.Event]:
    """A round's cards: the deck shuffled first if a Joker came in the last one (SW-25).

    Dealt again before anybody acted, only those without a card get one.
    """
    turn.require_gm()
    state = savage(turn)
    late = state.fight is not None and bool(state.fight.cards) and not state.fight.turn and not state.fight.acted
    joined = _newcomers(turn)
    names = {**(state.fight.combatants if state.fight else {}), **{one.character: one.edges for one in joined}}
    up = {name: edges for name, edges in names.items() if name not in _absent(turn)}
    if not up:
        raise Refusal("not_found", "no_combatants")
    opening: list[e.Event] = list(joined)
    held = state.fight.cards if state.fight and late else {}
    if not late:
        shuffled = [e.DeckShuffled(reason="joker", held=())] if state.joker else []
        opening += [*shuffled, e.RoundStarted(number=(state.fight.round if state.fight else 0) + 1)]
    elif not set(up) - set(held):
        raise Refusal("already_done", "dealt")
    hands = _in_hands(state.fight) if state.fight and late else ()
    dealer = _Dealer(turn, command, () if state.joker and not late else state.out, hands)
    for name in [one for one in up if one not in held]:
        dealer.first_card(name, up[name])
    return [*opening, *dealer.events]


def _absent(turn: Turn) -> set[str]:
    """Who takes no part in a round: the Incapacitated (SW-02) and those who left the stage."""
    return {*savage(turn).down, *(one.name for one in turn.play.characters.values() if one.retired)}


def _newcomers(turn: Turn) -> list[e.CombatantJoined]:
    """Every player's active character is in a fight without asking."""
    state = savage(turn)
    known = state.fight.combatants if state.fight else {}
    active = [turn.play.characters.get(turn.play.active.get(player, "")) for player in turn.play.players]
    return [
        e.CombatantJoined(character=one.name, edges=_sheet_edges(one))
        for one in active
        if one and not one.retired and one.name not in known
    ]


def _sheet_edges(character: Character) -> tuple[str, ...]:
    words = str(character.traits.get("edges", "")).replace("、", ",").split(",")
    found = (v.EDGES.get(word.strip().casefold(), "") for word in words)
    return tuple(edge for edge in dict.fromkeys(found) if edge in EDGE_TRAITS)


def join_initiative(command: v.JoinInitiative, turn: Turn) -> list[e.Event]:
    """A character into the fight, or its Edges changed; the GM anybody, a player the own one."""
    actor = own_or_gm(turn, replace(command, as_=command.name or command.as_))
    fight = savage(turn).fight
    edges = command.edges or (_sheet_edges(actor.character) if actor.character else ())
    if fight and fight.combatants.get(actor.name) == edges:
        raise Refusal("already_done", "in_fight", name=actor.name)
    return [e.CombatantJoined(character=actor.name, edges=edges)]


def leave_initiative(command: v.LeaveInitiative, turn: Turn) -> list[e.Event]:
    actor = own_or_gm(turn, replace(command, as_=command.name))
    if actor.name not in _fight(turn).combatants:
        raise Refusal("not_found", "not_in_fight", name=actor.name)
    return [*_withdrawn(turn.play, actor.name), e.CombatantLeft(character=actor.name)]


def _fight(turn: Turn) -> Fight:
    fight = savage(turn).fight
    if fight is None:
        raise Refusal("not_found", "no_fight")
    return fight


def next_turn(command: v.NextTurn, turn: Turn) -> list[e.Event]:
    """The next by card, or the named one: a Joker acts whenever it likes (SW-25). Card choices end here (SW-26)."""
    fight = _fight(turn)
    if not turn.is_gm and turn.play.owner_of(fight.turn) != turn.actor and not _own_joker(command.name, turn):
        raise Refusal("not_allowed", "not_your_turn")
    gone = {*fight.acted, fight.turn, *_absent(turn)}
    waiting = [name for name in rules.order(fight.cards) if name not in gone]
    if not waiting:
        raise Refusal("limit_reached", "round_over", round=fight.round)
    name = character_named(turn.play, command.name).name if command.name else waiting[0]
    if name not in waiting:
        raise Refusal("not_allowed", "has_acted", name=name)
    if not turn.is_gm and name != waiting[0] and not _has_joker(savage(turn), name):
        raise Refusal("not_allowed", "not_your_turn")
    return [*_withdrawn(turn.play), e.TurnStarted(character=name)]


def _own_joker(name: str, turn: Turn) -> bool:
    """Whether this is an own character that holds a Joker."""
    character = character_named(turn.play, name) if name else None
    return character is not None and character.owner == turn.actor and _has_joker(savage(turn), character.name)


def end_initiative(command: v.EndInitiative, turn: Turn) -> list[e.Event]:
    turn.require_gm()
    return [*_withdrawn(turn.play), e.InitiativeEnded(rounds=_fight(turn).round)]


def _withdrawn(play: Play, about: str = "") -> list[e.Event]:
    """The card choices that nobody may make any more."""
    open_ones = [one for one in play.choices.values() if one.open and one.kind == "card" and about in ("", one.about)]
    return [e.ChoiceWithdrawn(choice=one.number) for one in open_ones]


def _before_first_turn(turn: Turn, name: str) -> Fight:
    """The fight, if cards are dealt and nobody has acted yet (SW-26)."""
    fight = _fight(turn)
    if fight.turn or fight.acted:
        raise Refusal("not_allowed", "round_began")
    if name not in fight.cards:
        raise Refusal("not_found", "no_card", name=name)
    return fight


def _spend_card(command: v.SpendBenny, turn: Turn, actor: Who) -> list[e.Event]:
    """One more card to choose from; the best is kept until the player says otherwise (SW-26)."""
    fight = _before_first_turn(turn, actor.name)
    paid = _pay(turn, actor, "card", command.source)
    dealer = _Dealer(turn, command, savage(turn).out, _in_hands(fight))
    new = dealer.deal(actor.name, "benny")
    held = (*(fight.drawn.get(actor.name) or (fight.cards[actor.name],)), new)
    best = rules.kept(held, ())
    kept = [e.CardKept(character=actor.name, card=best)] if best != fight.cards[actor.name] else []
    offered = e.ChoiceOffered(
        choice=turn.table.ledger.choice + 1, owner=actor.person, kind="card", about=actor.name, options=held
    )
    return [paid, *dealer.events, *_withdrawn(turn.play, actor.name), *kept, offered]


def _in_hands(fight: Fight) -> tuple[str, ...]:
    """The cards that are held or may still be kept, each once."""
    return tuple(dict.fromkeys((*fight.cards.values(), *(card for drawn in fight.drawn.values() for card in drawn))))


SPEND["card"] = _spend_card


def keep_card(command: v.KeepCard, turn: Turn) -> list[e.Event]:
    """Which of the cards drawn for Bennies, or the old one, counts (SW-26)."""
    actor = who(turn, command)
    drawn = _before_first_turn(turn, actor.name).drawn.get(actor.name, ())
    if not drawn:
        raise Refusal("not_found", "no_cards_drawn", name=actor.name)
    if command.option > len(drawn):
        raise Refusal("bad_argument", "option", got=command.option, most=len(drawn))
    waiting = [one for one in turn.play.choices.values() if one.open and one.kind == "card" and one.about == actor.name]
    made = [e.ChoiceMade(choice=one.number, option=command.option) for one in waiting]
    return [*made, e.CardKept(character=actor.name, card=drawn[command.option - 1])]


def chosen(choice: Choice, command: Any, turn: Turn) -> list[e.Event]:
    """What picking an option does: the card picked is the one that counts."""
    return [e.CardKept(character=choice.about, card=choice.options[command.option - 1])]


# ---- what follows from facts of the table


def _award(to: str, count: int, reason: str) -> e.BennyAwarded:
    return e.BennyAwarded(to=to, count=count, reason=reason)


def _players(play: Play) -> list[str]:
    return [player for player in play.players if player != play.gm]


def _gm_wild_cards(play: Play) -> list[Character]:
    return [one for one in play.characters.values() if one.gm and one.kind == "wild" and not one.retired]


def speaker(play: Play, player: str) -> str:
    """What a player is called in the record: the active character, else the person's id."""
    active = play.characters.get(play.active.get(player, ""))
    return active.name if active and not active.retired else player


def _luck(play: Play, name: str) -> int:
    character = play.characters.get(name)
    luck = character.traits.get("luck", 0) if character else 0
    return luck if isinstance(luck, int) else 0


def session_bennies(event: e.SessionStarted, turn: Turn) -> list[e.Event]:
    """3 for each player, one a player for the pool, 2 for each GM Wild Card; Luck adds its own (SW-17, SW-20)."""
    play, start = turn.play, int(turn.rule("bennies"))
    players = [speaker(play, player) for player in _players(play)]
    awards = [(name, start + _luck(play, name)) for name in players]
    awards.append((POOL, len(players)))
    awards += [(one.name, rules.POOL_BENNIES_OF_A_WILD_CARD + _luck(play, one.name)) for one in _gm_wild_cards(play)]
    return [_award(name, count, "session") for name, count in awards if count]


def end_of_session(event: e.SessionEnded, turn: Turn) -> list[e.Event]:
    """What is left at the end of a session is gone (SW-17), and a fight is over."""
    left = sum(savage(turn).bennies.values())
    gone: list[e.Event] = [e.BenniesDiscarded(count=left)] if left else []
    fight = savage(turn).fight
    return [*gone, *([*_withdrawn(turn.play), e.InitiativeEnded(rounds=fight.round)] if fight else [])]


def bennies_on_joining(event: e.PlayerJoined, turn: Turn) -> list[e.Event]:
    """Whoever comes late has the same start (SW-17)."""
    if turn.play.session is None:
        return []
    name = speaker(turn.play, event.player)
    count = int(turn.rule("bennies")) + _luck(turn.play, name)
    return [_award(name, count, "session")] if count else []


def bennies_on_entering(event: e.CharacterAdded, turn: Turn) -> list[e.Event]:
    """A GM Wild Card enters the session with 2 of its own (SW-20)."""
    if turn.play.session is None or not event.gm or event.kind != "wild":
        return []
    luck = _luck(turn.play, event.character)
    return [_award(event.character, rules.POOL_BENNIES_OF_A_WILD_CARD + luck, "session")]


FOLLOWS: dict[type[e.Event], Callable[[Any, Turn], list[e.Event]]] = {
    e.SessionStarted: session_bennies,
    e.SessionEnded: end_of_session,
    e.PlayerJoined: bennies_on_joining,
    e.CharacterAdded: bennies_on_entering,
}

DECIDE: dict[type, Callable[[Any, Turn], list[e.Event]]] = {
    v.RollTrait: roll_trait, v.RollGroup: roll_group, v.Reroll: reroll, v.Oppose: oppose, v.Resist: resist,
    v.Unshake: unshake, v.RollDamage: roll_damage, v.GiveBenny: give_benny, v.SpendBenny: spend_benny,
    v.Wound: wound, v.SetShaken: set_shaken, v.DealCards: deal_cards, v.JoinInitiative: join_initiative,
    v.LeaveInitiative: leave_initiative, v.NextTurn: next_turn, v.EndInitiative: end_initiative, v.KeepCard: keep_card,
}  # fmt: skip

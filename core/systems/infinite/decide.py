"""无限恐怖: what its commands make true.

Here: command + table + dice -> facts, or a refusal. Never: arithmetic of the rules (rules.py), a sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from core.decider import ON, Dice, Turn, Who, character_named, own_or_gm, roll_made, someone_named, who
from core.dice import pool as d10
from core.grammar.verb import Command
from core.pools import Pool, pool_of
from core.refusal import Refusal
from core.systems.infinite import rules
from core.systems.infinite import verbs as v
from core.systems.infinite.state import Defence, Infinite
from core.table.state import Choice
from events import types as e
from events.types import Extra, RollMade


def infinite(turn: Turn) -> Infinite:
    """This system's part of the table."""
    return turn.play.rules or Infinite()


class Attempt(Struct, frozen=True):
    """A pool with the extra successes that its traits bring by themselves (IT-04), and those given."""

    pool: Pool
    extras: tuple[Extra, ...]


def _sum(extras: Iterable[Extra]) -> int:
    return sum(one.value for one in extras)


def _traits(actor: Who) -> Mapping[str, e.Value]:
    return actor.character.traits if actor.character else {}


def _attempt(command: v.PoolCommand, actor: Who, apart: Collection[str] = ()) -> Attempt:
    """Attribute + skill + steps, or numbers (IT-01). What `apart` names brings its extras some other way (IT-11)."""
    pool = pool_of(command.pool, actor, rules.trait_name)
    named = [(trait, value) for trait, value in pool.named if trait not in apart]
    given = (Extra("extra", command.extra),) if command.extra else ()
    return Attempt(pool, (*rules.extras_of(named, _traits(actor)), *given))


def extras_of_check(text: str, actor: Who, extra: int) -> int:
    """The extra successes that a check with this pool would have (IT-04)."""
    return _sum(_attempt(v.Check(pool=text, extra=extra), actor).extras)


def _thrown(
    kind: str, command: v.PoolCommand, attempt: Attempt, turn: Turn, actor: Who, dice: Dice,
    *, nth: int = 1, dc: int | None = None,
) -> RollMade:  # fmt: skip
    """One throw of the pool, as a fact; `nth` where a command makes several."""
    dice.begin()
    again = command.again or d10.SIDES
    thrown = d10.throw_pool(dice, attempt.pool.size, again, command.rote)
    result = rules.check(thrown, command.lose, _sum(attempt.extras), dc)
    return roll_made(
        turn, command, dice, thrown, kind=kind, label=command.pool, character=actor.name, results=(result.total,),
        modifiers=attempt.pool.steps, nth=nth, target=dc, outcome=result.outcome, successes=result.rolled,
        extra=result.extra, extras=attempt.extras, lost=command.lose, again=again, rote=command.rote,
        reflexive=command.reflexive,
    )  # fmt: skip


def check(command: v.Check, turn: Turn) -> list[e.Event]:
    """A check, against a DC or for its total (IT-01 to IT-05, IT-07). It is an action: defence comes back (IT-12)."""
    return _rolled("check", command, turn, command.dc)


def oppose(command: v.Oppose, turn: Turn) -> list[e.Event]:
    """The first side: its total is the other's DC (IT-06). An action too."""
    return _rolled("oppose", command, turn, None)


def _rolled(kind: str, command: v.PoolCommand, turn: Turn, dc: int | None) -> list[e.Event]:
    actor = who(turn, command)
    attempt, dice = _attempt(command, actor), turn.dice(command)
    roll = _thrown(kind, command, attempt, turn, actor, dice, dc=dc)
    dice.finish()
    return [roll] if command.reflexive else [*_restored(turn, actor), roll]


def resist(command: v.Resist, turn: Turn) -> list[e.Event]:
    """The other side, and who won (IT-06): a reaction, and no action."""
    actor = who(turn, command)
    first = _waiting(command.against, turn, actor)
    attempt, dice = _attempt(command, actor), turn.dice(command)
    roll = _thrown("resist", command, attempt, turn, actor, dice)
    dice.finish()
    won = rules.beats(roll.total, first.total, turn.rule("opposed-tie") == "challenger")
    outcome = roll.outcome if roll.outcome == "dramatic_failure" else "success" if won else "failure"
    winner, loser = (actor.name, first.character) if won else (first.character, actor.name)
    resolved = e.OppositionResolved(
        winner=winner, loser=loser, outcome="success", raises=0, active=first.roll, defending=roll.roll
    )
    return [replace(roll, outcome=outcome, against=first.character), resolved]


def _waiting(against: str, turn: Turn, actor: Who) -> RollMade:
    """The latest opposed roll of somebody else that nobody has resisted; by name, one that others have too (IT-06)."""
    state = infinite(turn)
    if against:
        name = someone_named(turn, against)
        waiting = {one: roll for one, roll in state.opposed.items() if one == name}
    else:
        waiting = {one: roll for one, roll in state.opposed.items() if not state.met.get(one)}
    if not waiting:
        raise Refusal("not_found", "opposition")
    others = [roll for one, roll in waiting.items() if one != actor.name]
    if not others:
        raise Refusal("not_allowed", "resist_oneself")
    if actor.name in state.met.get(others[-1].character, ()):
        raise Refusal("already_done", "resisted", name=actor.name, first=others[-1].character)
    return others[-1]


# ---- attack


class Blow(Struct, frozen=True):
    """One attack of an action before it is rolled: at whom, with what, and the extras it was given."""

    target: str
    weapon: str
    extras: tuple[Extra, ...]


def attack(command: v.Attack, turn: Turn) -> list[e.Event]:
    """An action of one or more attacks, each rolled and set against declared defence (IT-08 to IT-14)."""
    actor = who(turn, command)
    attempt = _attempt(command, actor, {rules.trait_name(name) for name, _ in command.weapons})
    blows = _blows(command, turn, actor, attempt)
    d10.check_size(attempt.pool.size * len(blows))
    dice, gain = turn.dice(command), _Gain(command.gain, [blow.target for blow in blows])
    events: list[e.Event] = [*_restored(turn, actor)]
    for nth, blow in enumerate(blows, 1):
        now, extras = turn.after(events), (*blow.extras, *gain.due(blow.target))
        roll = _thrown("attack", command, replace(attempt, extras=extras), turn, actor, dice, nth=nth)
        resolved = _resolved(roll, blow, nth, command, now)
        events += [_as_attack(roll, resolved), resolved]
        gain.after(nth, resolved.hit)
    dice.finish()
    return events


class _Gain:
    """Extras that come with a hit: they go to the next attack on the same target, one time in the action (IT-10)."""

    def __init__(self, count: int, targets: list[str]) -> None:
        self.count, self.targets = count, targets
        self.waiting: str | None = None
        self.over = not count
        if count and len(set(targets)) == len(targets):
            raise Refusal("bad_argument", "gain")

    def due(self, target: str) -> tuple[Extra, ...]:
        if self.waiting != target:
            return ()
        self.waiting = None
        return (Extra("gain", self.count),)

    def after(self, nth: int, hit: bool) -> None:
        target = self.targets[nth - 1]
        if hit and not self.over and target in self.targets[nth:]:
            self.waiting, self.over = target, True


def _blows(command: v.Attack, turn: Turn, actor: Who, attempt: Attempt) -> list[Blow]:
    """Which attack goes where with which extras, as declared before the roll."""
    targets = _targets(command, turn)
    weapons = _weapons(command, targets, _traits(actor))
    general = _general(command, targets, (*attempt.extras, *_attack_extra(actor)))
    rows = zip(targets, weapons, general, strict=True)
    return [Blow(target, weapon, (*share, *own)) for target, (weapon, own), share in rows]


def _targets(command: v.Attack, turn: Turn) -> list[str]:
    """The target of each attack; one named alone is that of all, and `` is somebody without a sheet."""
    names = [character_named(turn.play, name).name for name in command.targets]
    count = max(len(names), len(command.split), len(command.weapons), 1)
    targets = names * count if len(names) == 1 else names or [""] * count
    if len(targets) != count:
        raise Refusal("bad_argument", "target_count", targets=len(targets), attacks=count)
    return targets


def _attack_extra(actor: Who) -> tuple[Extra, ...]:
    value = _traits(actor).get("attack-extra")
    return (Extra("attack-extra", value),) if isinstance(value, int) and value else ()


def _general(command: v.Attack, targets: list[str], extras: tuple[Extra, ...]) -> list[tuple[Extra, ...]]:
    """The attack extras of each attack: all on a target struck once, a share where there are several (IT-08, IT-09)."""
    times, most = Counter(targets), _sum(extras)
    sharing = [n for n, name in enumerate(targets) if times[name] > 1]
    if not command.split:
        if sharing and most:
            raise Refusal("bad_argument", "split_missing", name=targets[sharing[0]] or "…")
        return [extras] * len(targets)
    places = list(range(len(targets))) if len(command.split) == len(targets) else sharing
    if len(places) != len(command.split):
        raise Refusal("bad_argument", "split_count", attacks=len(sharing or targets), got=len(command.split))
    shares = dict(zip(places, command.split, strict=True))
    for name in times:
        asked = sum(share for n, share in shares.items() if targets[n] == name)
        if asked > most:
            raise Refusal("limit_reached", "split", most=most, asked=asked)
    return [_share(shares.get(n, most), extras) for n in range(len(targets))]


def _share(share: int, extras: tuple[Extra, ...]) -> tuple[Extra, ...]:
    """All of them by their names, or a part."""
    if share == _sum(extras):
        return extras
    return (Extra("split", share),) if share else ()


def _weapons(
    command: v.Attack, targets: list[str], traits: Mapping[str, e.Value]
) -> list[tuple[str, tuple[Extra, ...]]]:
    """Each attack's weapon with its own extras, which go to that weapon's attacks alone (IT-11)."""
    if not command.weapons:
        return [("", ())] * len(targets)
    weapons = command.weapons * len(targets) if len(command.weapons) == 1 else command.weapons
    if len(weapons) != len(targets):
        raise Refusal("bad_argument", "weapon_count", attacks=len(targets), got=len(weapons))
    once = len(command.weapons) < len(weapons)  # said once for all: nothing is split in it
    uses = Counter(zip(targets, (name for name, _ in weapons), strict=True))
    used: Counter[tuple[str, str]] = Counter()
    found: list[tuple[str, tuple[Extra, ...]]] = []
    for target, (name, given) in zip(targets, weapons, strict=True):
        most = rules.given_extra(traits, rules.trait_name(name))
        extra = given if given >= 0 else most or 0
        if extra and uses[target, name] > 1 and (given < 0 or once):
            raise Refusal("bad_argument", "split_missing", name=target or "…")
        used[target, name] += extra
        if most is not None and used[target, name] > most:
            raise Refusal("limit_reached", "weapon", weapon=name, most=most, asked=used[target, name])
        found.append((name, (Extra(name, extra),) if extra else ()))
    return found


def _resolved(roll: RollMade, blow: Blow, nth: int, command: v.Attack, turn: Turn) -> e.AttackResolved:
    """One attack against what its target put up (IT-12, IT-13)."""
    declared, void = _put_up(blow.target, turn, command.speed)
    extra = 0 if d10.is_chance(roll.dice) else _sum(roll.extras)
    cancelled, counted, total = rules.attack(roll.successes or 0, command.lose, declared, extra)
    return e.AttackResolved(
        attacker=roll.character, target=blow.target, rolled=roll.successes or 0, cancelled=cancelled, extra=counted,
        total=total, hit=total > 0, weapon=blow.weapon, roll=roll.roll, late=False, nth=nth, declared=declared,
        void=void, lost=command.lose, speed=command.speed,
    )  # fmt: skip


def _put_up(target: str, turn: Turn, speed: int) -> tuple[int, int]:
    """The first number put up: how much of it counts, and how much base defence at 0 has made void (IT-14)."""
    defence = infinite(turn).defence.get(target, Defence())
    if not defence.queue:
        return 0, 0
    asked, spent = defence.queue[0], defence.used - sum(defence.queue)
    counts = rules.in_force(turn.play.characters[target].traits, spent, asked, speed)
    return counts, asked - counts


def _as_attack(roll: RollMade, resolved: e.AttackResolved) -> RollMade:
    """The roll says what the attack came to: its total is the attack's."""
    outcome = roll.outcome if roll.outcome == "dramatic_failure" else "success" if resolved.hit else "failure"
    return replace(
        roll, total=resolved.total, rolled_total=resolved.total, results=(resolved.total,), extra=resolved.extra,
        outcome=outcome, against=resolved.target,
    )  # fmt: skip


# ---- defence


def defend(command: v.Defend, turn: Turn) -> list[e.Event]:
    """Defence extras put up before the attack; after it where the house allows that (IT-12)."""
    actor = own_or_gm(turn, command)
    if not command.attacks:
        return _restored(turn, actor) or [e.DefenceRestored(character=actor.name, left=_most(actor))]
    used = infinite(turn).defence.get(actor.name, Defence()).used
    asked, left = sum(command.attacks), max(0, _most(actor) - used)
    if asked > left:
        raise Refusal("nothing_to_spend", "defence", name=actor.name, left=left, asked=asked)
    declared = e.DefenceDeclared(character=actor.name, declared=asked, left=left - asked, attacks=command.attacks)
    return [declared, *_late(command, turn, actor, used)]


def _late(command: v.Defend, turn: Turn, actor: Who, used: int) -> list[e.Event]:
    """The hits of the last action against the character again, each with its number, if the house allows it (IT-12)."""
    state = infinite(turn)
    if turn.rule("late-defence") != ON or state.defence.get(actor.name, Defence()).queue:
        return []
    sealed = {roll.roll for roll in turn.table.ledger.sealed}  # a secret attack is not told by defending against it
    hits = [one for one in state.struck.get(actor.name, ()) if one.hit and one.roll not in sealed]
    found: list[e.Event] = []
    for struck, asked in zip(hits, command.attacks, strict=False):
        counts = rules.in_force(_traits(actor), used, asked, struck.speed)
        found.append(_defended(struck, counts, asked - counts))
        used += asked
    return found


def _defended(struck: e.AttackResolved, declared: int, void: int) -> e.AttackResolved:
    """An attack that hit, with this much more put up against it."""
    declared, void = struck.declared + declared, struck.void + void
    cancelled, extra, total = rules.attack(struck.rolled, struck.lost, declared, struck.extra)
    return replace(
        struck, cancelled=cancelled, extra=extra, total=total, hit=total > 0, late=True, declared=declared, void=void
    )


def _most(actor: Who) -> int:
    return rules.defence_extras(_traits(actor))


def _restored(turn: Turn, actor: Who) -> list[e.Event]:
    """Whoever acts has the declared extras back (IT-12)."""
    used = infinite(turn).defence.get(actor.name, Defence())
    return [e.DefenceRestored(character=actor.name, left=_most(actor))] if used.used else []


def chosen(choice: Choice, command: Command, turn: Turn) -> list[e.Event]:
    """This system offers no choices."""
    return []


FOLLOWS: dict[type[e.Event], Callable[[Any, Turn], list[e.Event]]] = {}

DECIDE: dict[type, Callable[[Any, Turn], list[e.Event]]] = {
    v.Check: check, v.Oppose: oppose, v.Resist: resist, v.Attack: attack, v.Defend: defend,
}  # fmt: skip

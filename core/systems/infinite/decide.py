"""无限恐怖: what its commands make true.

Here: command + table + dice -> facts, or a refusal. Never: arithmetic of the rules (rules.py), a sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from core.decider import ON, Dice, Turn, Who, character_named, own_or_gm, someone_named, who
from core.dice import pool as d10
from core.grammar.verb import Command
from core.pools import Pool, pool_of
from core.refusal import Refusal
from core.systems.infinite import rules
from core.systems.infinite import verbs as v
from core.systems.infinite.state import Defence, Infinite
from core.table.state import Choice
from events import types as e
from events.types import Modifier, RollMade


def infinite(turn: Turn) -> Infinite:
    """This system's part of the table."""
    return turn.play.rules or Infinite()


class Attempt(Struct, frozen=True):
    """A pool with the extra successes of the attributes that it names (IT-04), and those given."""

    pool: Pool
    extras: tuple[Modifier, ...]

    @property
    def extra(self) -> int:
        return sum(one.value for one in self.extras)


def _attempt(command: v.PoolCommand, actor: Who) -> Attempt:
    """Attribute + skill + steps, or numbers (IT-01); attributes bring their extras by themselves."""
    pool = pool_of(command.pool, actor, rules.trait_name)
    high = {trait: rules.extra_of(value) for trait, value in pool.named if trait in rules.ATTRIBUTES}
    extras = [Modifier(trait, count) for trait, count in high.items() if count]
    return Attempt(pool, (*extras, *([Modifier("extra", command.extra)] if command.extra else [])))


def _thrown(
    kind: str, command: v.PoolCommand, attempt: Attempt, turn: Turn, actor: Who, dice: Dice,
    *, nth: int = 1, dc: int | None = None,
) -> RollMade:  # fmt: skip
    """One throw of the pool, as a fact; `nth` where a command makes several."""
    dice.begin()
    again = command.again or d10.SIDES
    thrown = d10.throw_pool(dice, attempt.pool.size, again, command.rote)
    result = rules.check(thrown, command.lose, attempt.extra, dc)
    return RollMade(
        roll=turn.table.ledger.roll + nth, system="infinite", kind=kind, label=command.pool, character=actor.name,
        dice=thrown, modifiers=attempt.pool.steps, modifier=attempt.pool.modifier, target=dc,
        results=(result.total,), total=result.total, rolled_total=result.total, outcome=result.outcome, raises=None,
        reroll_of=None, source=dice.kind, secret=command.secret, period=dice.period, first=dice.first, next=dice.next,
        successes=result.rolled, extra=result.extra, extras=attempt.extras, lost=command.lose, again=again,
        rote=command.rote,
    )  # fmt: skip


def check(command: v.Check, turn: Turn) -> list[e.Event]:
    """A check, against a DC or for its total (IT-01 to IT-05, IT-07). It is an action: defence comes back (IT-12)."""
    actor = who(turn, command)
    attempt, dice = _attempt(command, actor), turn.dice(command)
    roll = _thrown("check", command, attempt, turn, actor, dice, dc=command.dc)
    dice.finish()
    return [*_restored(turn, actor), roll]


def oppose(command: v.Oppose, turn: Turn) -> list[e.Event]:
    """The first side: its total is the other's DC (IT-06)."""
    actor = who(turn, command)
    attempt, dice = _attempt(command, actor), turn.dice(command)
    roll = _thrown("oppose", command, attempt, turn, actor, dice)
    dice.finish()
    return [roll]


def resist(command: v.Resist, turn: Turn) -> list[e.Event]:
    """The other side, and who won (IT-06)."""
    actor = who(turn, command)
    first = _waiting(command.against, turn, actor)
    attempt, dice = _attempt(command, actor), turn.dice(command)
    roll = _thrown("resist", command, attempt, turn, actor, dice)
    dice.finish()
    won = rules.beats(roll.total, first.total, turn.rule("opposed-tie") == "challenger")
    winner, loser = (actor.name, first.character) if won else (first.character, actor.name)
    resolved = e.OppositionResolved(
        winner=winner, loser=loser, outcome="success", raises=0, active=first.roll, defending=roll.roll
    )
    return [roll, resolved]


def _waiting(against: str, turn: Turn, actor: Who) -> RollMade:
    """The latest opposed roll of somebody else, or the one named."""
    waiting = infinite(turn).waiting
    if against:
        name = someone_named(turn, against)
        waiting = {one: roll for one, roll in waiting.items() if one == name}
    if not waiting:
        raise Refusal("not_found", "opposition")
    others = [roll for one, roll in waiting.items() if one != actor.name]
    if not others:
        raise Refusal("not_allowed", "resist_oneself")
    return others[-1]


# ---- attack and defence


class Blow(Struct, frozen=True):
    """One attack of an action before it is rolled: at whom, with what, and the extras it was given."""

    target: str
    weapon: str
    extra: int


def attack(command: v.Attack, turn: Turn) -> list[e.Event]:
    """An action of one or more attacks, each rolled and set against declared defence (IT-08 to IT-14)."""
    actor = who(turn, command)
    attempt = _attempt(command, actor)
    blows = _blows(command, turn, actor, attempt)
    dice, gained, won = turn.dice(command), 0, False
    events: list[e.Event] = [*_restored(turn, actor)]
    for nth, blow in enumerate(blows, 1):
        now = turn.after(events)
        roll = _thrown("attack", command, attempt, turn, actor, dice, nth=nth)
        resolved = _resolved(roll, blow, gained, command, now, actor)
        events += [_as_attack(roll, resolved), resolved]
        gained = command.gain if resolved.hit and not won else 0  # IT-10: at once, one time in the action
        won = won or resolved.hit
    dice.finish()
    return events


def _blows(command: v.Attack, turn: Turn, actor: Who, attempt: Attempt) -> list[Blow]:
    """Which attack goes where with which extras, as declared before the roll."""
    names = [character_named(turn.play, name).name for name in command.targets]
    count = max(len(names), len(command.split), len(command.weapons), 1)
    targets = names * count if len(names) == 1 else names or [""] * count
    if len(targets) != count:
        raise Refusal("bad_argument", "split_count", attacks=len(targets), got=count)
    weapons = _weapons(command, targets, actor)
    general = _general(command, targets, _attack_extra(actor) + attempt.extra)
    rows = zip(targets, weapons, general, strict=True)
    return [Blow(target, weapon, share + extra) for target, (weapon, extra), share in rows]


def _attack_extra(actor: Who) -> int:
    value = actor.character.traits.get("attack-extra", 0) if actor.character else 0
    return value if isinstance(value, int) else 0


def _general(command: v.Attack, targets: list[str], most: int) -> list[int]:
    """The attack extras of each attack: all on a target struck once, a share where there are several (IT-08, IT-09)."""
    shared = [name for name, times in Counter(targets).items() if times > 1]
    sharing = [n for n, name in enumerate(targets) if name in shared]
    if sharing and most and not command.split:
        raise Refusal("bad_argument", "split_missing", name=shared[0] or "…")
    if command.split and len(command.split) != len(sharing or targets):
        raise Refusal("bad_argument", "split_count", attacks=len(sharing or targets), got=len(command.split))
    shares = dict(zip(sharing or range(len(targets)), command.split, strict=False))
    for name in shared or dict.fromkeys(targets):
        asked = sum(share for n, share in shares.items() if targets[n] == name)
        if asked > most:
            raise Refusal("limit_reached", "split", most=most, asked=asked)
    return [shares.get(n, 0 if n in sharing else most) for n in range(len(targets))]


def _weapons(command: v.Attack, targets: list[str], actor: Who) -> list[tuple[str, int]]:
    """Each attack's weapon with its own extras, which go to that weapon's attacks alone (IT-11)."""
    if not command.weapons:
        return [("", 0)] * len(targets)
    if len(command.weapons) != len(targets):
        raise Refusal("bad_argument", "weapon_count", attacks=len(targets), got=len(command.weapons))
    uses = Counter(zip(targets, (name for name, _ in command.weapons), strict=True))
    found = []
    for target, (name, given) in zip(targets, command.weapons, strict=True):
        most = actor.character.traits.get(rules.trait_name(name)) if actor.character else None
        if given < 0 and most is not None and uses[target, name] > 1:
            raise Refusal("bad_argument", "split_missing", name=target or "…")
        found.append((name, given if given >= 0 else most if isinstance(most, int) else 0))
        _check_weapon(name, most, sum(extra for one, extra in found if one == name), uses[target, name])
    return found


def _check_weapon(name: str, most: e.Value | None, used: int, uses: int) -> None:
    if isinstance(most, int) and uses > 1 and used > most:
        raise Refusal("limit_reached", "weapon", weapon=name, most=most, asked=used)


def _resolved(roll: RollMade, blow: Blow, gained: int, command: v.Attack, turn: Turn, actor: Who) -> e.AttackResolved:
    """One attack against what its target put up (IT-12, IT-13)."""
    declared = _declared_against(blow.target, turn, command.speed) if blow.target else 0
    chance = d10.is_chance(roll.dice)
    extra = 0 if chance else blow.extra + gained
    cancelled, counted, total = rules.attack(roll.successes or 0, command.lose, declared, extra)
    return e.AttackResolved(
        attacker=actor.name, target=blow.target, rolled=roll.successes or 0, cancelled=cancelled, extra=counted,
        total=total, hit=total > 0, weapon=blow.weapon, roll=roll.roll, late=False,
    )  # fmt: skip


def _declared_against(target: str, turn: Turn, speed: int) -> int:
    """The first number put up, less what High Speed has made void (IT-14)."""
    defence = infinite(turn).defence.get(target, Defence())
    if not defence.queue:
        return 0
    traits = turn.play.characters[target].traits
    lost = rules.defence_extras(traits) - rules.defence_extras(traits, speed)
    beyond = max(0, defence.used - (rules.defence_extras(traits) - lost))
    return max(0, defence.queue[0] - beyond)


def _as_attack(roll: RollMade, resolved: e.AttackResolved) -> RollMade:
    """The roll says what the attack came to: its total is the attack's."""
    outcome = roll.outcome if roll.outcome == "dramatic_failure" else "success" if resolved.hit else "failure"
    return replace(
        roll, total=resolved.total, rolled_total=resolved.total, results=(resolved.total,), extra=resolved.extra,
        outcome=outcome, against=resolved.target,
    )  # fmt: skip


def defend(command: v.Defend, turn: Turn) -> list[e.Event]:
    """Defence extras put up before the attack; after it where the house allows that (IT-12)."""
    actor = own_or_gm(turn, command)
    if not command.attacks:
        return _restored(turn, actor) or [e.DefenceRestored(character=actor.name, left=_most(actor))]
    asked, left = sum(command.attacks), _most(actor) - infinite(turn).defence.get(actor.name, Defence()).used
    if asked > left:
        raise Refusal("nothing_to_spend", "defence", name=actor.name, left=left, asked=asked)
    declared = e.DefenceDeclared(character=actor.name, declared=asked, left=left - asked, attacks=command.attacks)
    return [declared, *_late(declared, turn)]


def _late(declared: e.DefenceDeclared, turn: Turn) -> list[e.Event]:
    """The last attack on the character again with this defence, if it had none and the house allows it."""
    struck = infinite(turn).struck.get(declared.character)
    if turn.rule("late-defence") != ON or struck is None or struck.late or struck.cancelled:
        return []
    cancelled, extra, total = rules.attack(struck.rolled, 0, declared.declared, struck.extra)
    return [
        e.AttackResolved(
            attacker=struck.attacker, target=struck.target, rolled=struck.rolled, cancelled=cancelled, extra=extra,
            total=total, hit=total > 0, weapon=struck.weapon, roll=struck.roll, late=True,
        )
    ]  # fmt: skip


def _most(actor: Who) -> int:
    return rules.defence_extras(actor.character.traits) if actor.character else 0


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

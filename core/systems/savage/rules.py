"""Savage Worlds: faces in, outcome out.

Here: the rules as pure functions, each naming the row of the rules it carries out. Never: state, dice being
thrown, a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from core.dice import cards
from core.grammar.arguments import whole
from core.grammar.text import MAX_NAME, check_name, fold
from core.language import Phrase
from core.refusal import Refusal
from core.systems.savage.words import TRAIT_NAMES
from events.types import Die, Modifier, Outcome, RollMade, Value

TARGET = 4  # SW-03
RAISE = 4  # SW-09
WILD_DIE = 6  # SW-06
UNSKILLED_DIE, UNSKILLED = 4, Modifier("unskilled", -2)  # SW-14
JOKER = Modifier("joker", 2)  # SW-25
RAISE_DAMAGE = 6  # SW-27
WILD_WOUNDS, EXTRA_WOUNDS = 3, 0  # SW-02: so many and still up
QUICK_BELOW = cards.rank("6C")  # SW-25: redraw a 5 or lower
POWER_POINTS = 5  # SW-23
POOL_BENNIES_OF_A_WILD_CARD = 2  # SW-20
TRAIT_DICE = (4, 6, 8, 10, 12)
STEPS = {
    "easy": 2, "hard": -2, "very-hard": -4, "veryhard": -4,
    "简单": 2, "容易": 2, "困难": -2, "非常困难": -4, "极难": -4, "特别困难": -4,
}  # fmt: skip
ATTRIBUTES = ("agility", "smarts", "spirit", "strength", "vigor")
NUMBERS = ("toughness", "parry", "pace", "pp", "max_pp", "luck", "size", "armor")
DICE_ONLY = frozenset(TRAIT_NAMES) - frozenset(NUMBERS) - {"edges"}
_WOUND, _SHAKEN, _BENNY = Phrase("损伤", "wound"), Phrase("动摇", "shaken"), Phrase("助力", "benny")
ELSEWHERE = {
    "wounds": _WOUND, "wound": _WOUND, "损伤": _WOUND, "shaken": _SHAKEN, "动摇": _SHAKEN,
    "benny": _BENNY, "bennies": _BENNY, "助力": _BENNY, "助力点": _BENNY,
}  # fmt: skip
TRAIT = re.compile(r"\w+(?:[\s\-'’·./]\w+)*")  # words, and nothing that could be a modifier
GLUED_DIE = re.compile(r"[^\x00-\x7f]\d*d\d+$", re.IGNORECASE)
DIE = re.compile(r"1?d(\d{1,4})([+-]\d{1,2})?")
STATE_TRAITS: frozenset[str] = frozenset()  # none is told from the state
_CANONICAL = {fold(name): trait for trait, names in TRAIT_NAMES.items() for name in (trait, *names)}


class Result(Struct, frozen=True):
    """What a throw comes to: totals after modifiers, best first; the outcome and the raises of the best."""

    results: tuple[int, ...]
    outcome: Outcome | None
    raises: int | None

    @property
    def total(self) -> int:
        return self.results[0]


# ---- traits


def trait_name(key: str) -> str:
    """The canonical name of a trait in either language; an unknown one is its own name, folded."""
    if not TRAIT.fullmatch(key.strip()) or GLUED_DIE.search(key) or re.match(r"\d*d?\d", fold(key)):
        raise Refusal("bad_argument", "trait_or_die", got=key)
    name = fold(check_name(key)).replace(" ", "-") if key.isascii() else fold(check_name(key))
    return _CANONICAL.get(name, _CANONICAL.get(name.replace("-", " "), name))


def is_trait(word: str) -> bool:
    """Whether this is the name of a trait that has a die, in either language."""
    return _CANONICAL.get(fold(word)) in DICE_ONLY


def trait_value(trait: str, text: str, sign: str, traits: dict[str, Value]) -> Value:
    """What a sheet may hold: dice for traits, numbers for derived values, short text for the rest.

    `sign` is `=`, `+=` or `-=`; only numbers can be counted up and down. Refuses with bad_argument.
    """
    if trait in ELSEWHERE:
        raise Refusal("bad_argument", "trait_elsewhere", got=trait, verb=ELSEWHERE[trait])
    if sign != "=":
        return _counted(trait, text, sign, traits)
    if trait in NUMBERS:
        return whole(text, trait, 0, 999)
    if match := DIE.fullmatch(fold(text)):
        return _die_value(match)
    if trait in DICE_ONLY or not text.strip():
        raise Refusal("bad_argument", "trait_die", trait=trait, got=text)
    if len(text) > MAX_NAME:
        raise Refusal("too_large", "name", size=len(text), limit=MAX_NAME)
    return int(text) if re.fullmatch(r"-?\d{1,6}", text) else text


def _counted(trait: str, text: str, sign: str, traits: dict[str, Value]) -> Value:
    now, step = traits.get(trait, traits.get("max_pp", 0) if trait == "pp" else 0), whole(text, trait, 0, 999)
    if not isinstance(now, int):
        raise Refusal("bad_argument", "not_a_number", trait=trait, value=now)
    after = now + step if sign == "+=" else now - step
    most = traits.get("max_pp", 999) if trait == "pp" else 999
    if not 0 <= after <= (most if isinstance(most, int) else 999):
        raise Refusal("limit_reached", "trait_range", trait=trait, value=after)
    return after


def _die_value(match: re.Match[str]) -> str:
    sides = die_sides(int(match[1]))
    return f"d{sides}{match[2] or ''}"


def die_sides(sides: int) -> int:
    """A trait die has 4, 6, 8, 10 or 12 sides; others: bad_argument."""
    if sides not in TRAIT_DICE:
        raise Refusal("bad_argument", "trait_sides", got=f"d{sides}")
    return sides


def die_of(value: Value) -> tuple[int, int] | None:
    """Sides and fixed bonus of a trait's value (`d12+2`: 12 and 2); None if it is no die."""
    match = DIE.fullmatch(str(value))
    return (int(match[1]), int(match[2] or 0)) if match else None


# ---- trait rolls


def total(die: Die) -> int:
    return sum(die.faces)


def raises(result: int, target: int) -> int:
    """Each full 4 over the target (SW-09); never below none."""
    return max(0, (result - target) // RAISE)


def trait_results(dice: tuple[Die, ...], modifier: int) -> tuple[int, ...]:
    """One result a trait die; the Wild Die stands in for the lowest when that helps (SW-05, SW-06, SW-07)."""
    found = sorted((total(die) for die in dice if die.role == "trait"), reverse=True)
    wild = next((total(die) for die in dice if die.role == "wild"), 0)
    found[-1] = max(found[-1], wild)
    return tuple(one + modifier for one in sorted(found, reverse=True))


def ones(dice: tuple[Die, ...]) -> int:
    return sum(die.role == "trait" and die.faces[0] == 1 for die in dice)


def lone_one(dice: tuple[Die, ...]) -> bool:
    """An Extra's single die on a natural 1: an ordinary failure whatever the modifiers (SW-12)."""
    return [die.role for die in dice if die.role != "check"] == ["trait"] and ones(dice) == 1


def needs_check(dice: tuple[Die, ...], wild: bool, matters: bool) -> bool:
    """Whether an Extra's natural 1 asks for the d6 that decides on a critical failure (SW-12)."""
    return matters and not wild and len(dice) == 1 and ones(dice) == 1


def is_critical(dice: tuple[Die, ...], natural: bool = False) -> bool:
    """Critical failure: snake eyes (SW-11), more than half of several dice (SW-13), an Extra's check die (SW-12).

    `natural`: the house reads an Extra's natural 1, where it matters, as critical by itself.
    """
    trait = [die for die in dice if die.role == "trait"]
    wild = next((die for die in dice if die.role == "wild"), None)
    if wild is not None:
        return wild.faces[0] == 1 and 2 * ones(dice) > len(trait)
    if len(trait) > 1:
        return 2 * ones(dice) > len(trait)
    check = next((die for die in dice if die.role == "check"), None)
    return natural if check is None else check.faces[0] == 1


def read_trait(dice: tuple[Die, ...], modifier: int, target: int, natural: bool = False) -> Result:
    """A trait roll's results against its target (SW-03, SW-04, SW-09, SW-11 to SW-13)."""
    results = trait_results(dice, modifier)
    if is_critical(dice, natural):
        return Result(results, "critical_failure", 0)
    success = results[0] >= target and not lone_one(dice)
    return Result(results, "success" if success else "failure", raises(results[0], target) if success else 0)


def better(new: Result, old: Result, target: int) -> Result:
    """Which of a reroll and what stood before it stands now; a critical failure ends it at once (SW-15)."""
    return new if new.outcome == "critical_failure" or _worth(new, target) > _worth(old, target) else old


def _worth(result: Result, target: int) -> tuple[int, int, int]:
    """Successes with their raises over all results, then the best, then the sum: several dice count as a whole."""
    gained = sum(1 + raises(one, target) for one in result.results if one >= target)
    gained = gained if result.outcome == "success" else 0
    return gained, result.total, sum(result.results)


def standing(roll: RollMade) -> Result:
    return Result(roll.results, roll.outcome, roll.raises)


# ---- opposed rolls


class Opposition(Struct, frozen=True):
    """`active_wins`, and the raises that the winner counts against the loser's result."""

    active_wins: bool
    raises: int


def oppose(active: Result, defending: Result) -> Opposition:
    """The active side needs 4 and more than the defender; a tie is the defender's (SW-10)."""
    fails = active.outcome in ("failure", "critical_failure")
    beaten = defending.outcome != "success" or defending.total < active.total
    wins = not fails and beaten
    winner, loser = (active, defending) if wins else (defending, active)
    return Opposition(wins, raises(winner.total, loser.total))


# ---- damage and wounds


def read_damage(dice: tuple[Die, ...], modifier: int, toughness: int | None) -> Result:
    """Damage adds up; against Toughness it is a success with a raise for each full 4 over (SW-27)."""
    result = sum(map(total, dice)) + modifier
    if toughness is None:
        return Result((result,), None, None)
    hit = result >= toughness
    return Result((result,), "success" if hit else "failure", raises(result, toughness) if hit else 0)


def wounds_of(damage: Result, shaken: bool) -> int:
    """Wounds of a hit: one a raise, and one where it only shakes somebody already Shaken (SW-27)."""
    if damage.outcome != "success":
        return 0
    return damage.raises or (1 if shaken else 0)


def incapacitated(wounds: int, wild: bool) -> bool:
    """A Wild Card stands 3 wounds, an Extra none (SW-02)."""
    return wounds > (WILD_WOUNDS if wild else EXTRA_WOUNDS)


def wound_penalty(wounds: int) -> Modifier | None:
    """-1 a wound, at most -3 (SW-02)."""
    return Modifier("wounds", -min(wounds, WILD_WOUNDS)) if wounds > 0 else None


def cancelled(soak: Result, taken: int) -> int:
    """Wounds that a soak roll cancels: one for the success and one a raise (SW-24)."""
    return min(taken, 1 + (soak.raises or 0)) if soak.outcome == "success" else 0


# ---- action cards


def wants_quick(card: str) -> bool:
    """Quick draws again on a 5 or lower (SW-25)."""
    return cards.rank(card) < QUICK_BELOW


def kept(held: tuple[str, ...], edges: tuple[str, ...]) -> str:
    """Which card counts: Hesitant keeps the worse unless one is a Joker, everybody else the better (SW-25)."""
    if "hesitant" in edges and not any(map(cards.is_joker, held)):
        return min(held, key=cards.rank)
    return max(held, key=cards.rank)


def order(held: dict[str, str]) -> list[str]:
    """Names by their cards, highest first (SW-25)."""
    return sorted(held, key=lambda name: cards.rank(held[name]), reverse=True)


# ---- verification


def recount(roll: RollMade) -> int | None:
    """What the faces of this throw total by the rules, without any earlier throw; None for other kinds of roll."""
    if roll.kind == "damage":
        return sum(map(total, roll.dice)) + roll.modifier
    trait = any(die.role == "trait" for die in roll.dice)
    return trait_results(roll.dice, roll.modifier)[0] if trait else None


# ---- what a reader of the record is told


def applied(roll: RollMade) -> tuple[str, ...]:
    """The ids of the rules that this roll shows at work, in their order."""
    return tuple(rule for rule, shows in SHOWN if shows(roll))


def _dice(roll: RollMade, *roles: str) -> list[Die]:
    return [die for die in roll.dice if die.role in roles]


def _stepped(roll: RollMade, name: str) -> bool:
    return any(step.name == name for step in roll.modifiers)


SHOWN: tuple[tuple[str, Callable[[RollMade], bool]], ...] = (
    ("SW-02", lambda roll: _stepped(roll, "wounds")),
    ("SW-03", lambda roll: bool(_dice(roll, "trait"))),
    ("SW-04", lambda roll: bool(roll.modifiers)),
    ("SW-05", lambda roll: len(_dice(roll, "trait")) > 1),
    ("SW-06", lambda roll: bool(_dice(roll, "wild"))),
    ("SW-07", lambda roll: bool(_dice(roll, "wild")) and len(_dice(roll, "trait")) > 1),
    ("SW-08", lambda roll: any(len(die.faces) > 1 for die in _dice(roll, "trait", "wild", "damage"))),
    ("SW-09", lambda roll: bool(roll.raises)),
    ("SW-10", lambda roll: roll.kind in ("oppose", "resist")),
    ("SW-11", lambda roll: _critical(roll) and len(_dice(roll, "trait")) == 1 and bool(_dice(roll, "wild"))),
    ("SW-12", lambda roll: lone_one(roll.dice)),
    ("SW-13", lambda roll: _critical(roll) and len(_dice(roll, "trait")) > 1),
    ("SW-14", lambda roll: _stepped(roll, UNSKILLED.name)),
    ("SW-15", lambda roll: bool(roll.reroll_of) and roll.kind != "damage"),
    ("SW-16", lambda roll: roll.kind == "group"),
    ("SW-23", lambda roll: roll.by == "benny"),
    ("SW-24", lambda roll: roll.kind == "soak"),
    ("SW-25", lambda roll: _stepped(roll, JOKER.name)),
    ("SW-27", lambda roll: roll.kind == "damage"),
)


def _critical(roll: RollMade) -> bool:
    return roll.outcome == "critical_failure"

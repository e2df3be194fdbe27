"""无限恐怖: successes in, outcome out; extra successes, defence, and the stacking of values.

Here: the rules as pure functions, each naming the row of the rules it carries out. Never: state, dice being
thrown, a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from core.dice.pool import is_chance, is_dramatic, successes
from core.grammar.text import check_name, fold
from core.pools import dots
from core.refusal import Refusal
from core.systems.infinite.words import TRAIT_NAMES
from events.types import Die, Outcome, Value

ATTRIBUTES = tuple(TRAIT_NAMES)[:9]
FIRST_EXTRA, STEP = 6, 5  # IT-04: 6 gives 1, and every 5 more another
MOST_TRAIT = 1000
MOST_CALC = 10**12
MOST_TERMS = 30
STATE_TRAITS: frozenset[str] = frozenset()  # none is told from the state
_CANONICAL = {fold(name): trait for trait, names in TRAIT_NAMES.items() for name in (trait, *names)}


class Result(Struct, frozen=True):
    """A check: `left` of the rolled successes after losses, `extra` that counted, `total`, outcome."""

    rolled: int
    left: int
    extra: int
    total: int
    outcome: Outcome


# ---- traits


def trait_name(key: str) -> str:
    """The canonical name of a trait in either language; an unknown one is its own name, folded."""
    name = fold(check_name(key))
    return _CANONICAL.get(name, _CANONICAL.get(name.replace(" ", "-"), name))


def trait_value(trait: str, text: str, sign: str, traits: Mapping[str, Value]) -> Value:
    """A number, 0 to 1000."""
    return dots(trait, text, sign, traits, MOST_TRAIT)


def extra_of(attribute: int) -> int:
    """Extra successes of an attribute: (value - 1) / 5, rounded down (IT-04)."""
    return max(0, (attribute - (FIRST_EXTRA - STEP)) // STEP)


# ---- checks


def check(dice: Sequence[Die], lost: int, extra: int, dc: int | None) -> Result:
    """Rolled successes less what was lost; extras only where any are left (IT-03 to IT-07)."""
    rolled = successes(dice)
    left = max(0, rolled - lost)
    counted = extra if left and not is_chance(dice) else 0
    total = left + counted
    if is_dramatic(dice):
        return Result(rolled, left, 0, total, "dramatic_failure")
    reached = total >= dc if dc is not None else total > 0
    return Result(rolled, left, counted, total, "success" if reached and total else "failure")


def beats(challenger: int, first: int, tie_wins: bool) -> bool:
    """The second side must get more than the first, or as much where the house says so (IT-06)."""
    return challenger >= first if tie_wins else challenger > first


# ---- attack and defence


def attack(rolled: int, lost: int, declared: int, extra: int) -> tuple[int, int, int]:
    """What was cancelled, the extras that count, the total: defence first, extras only on what is left (IT-13)."""
    cancelled = min(rolled, lost + declared)
    left = rolled - cancelled
    return (cancelled, extra, left + extra) if left else (cancelled, 0, 0)


def defence_extras(traits: Mapping[str, Value], speed: int = 0) -> int:
    """All defence extras of a sheet; at base defence 0 those of legendary Dexterity and Perception are lost (IT-14)."""
    plain = _number(traits, "defence-extra")
    base = traits.get("base-defence")
    if isinstance(base, int) and base - speed <= 0:
        return plain
    return plain + _number(traits, "legendary-dexterity") + _number(traits, "legendary-perception")


def _number(traits: Mapping[str, Value], trait: str) -> int:
    value = traits.get(trait, 0)
    return value if isinstance(value, int) else 0


# ---- stacking


class Working(Struct, frozen=True):
    """A value and the steps by which it was worked out, each a line such as `30 × (1+1+3) = 150`."""

    value: int
    steps: tuple[str, ...]


FACTOR = re.compile(r"\s*([x×*/÷])\s*(\d{1,12})")
ADDITION = re.compile(r"\s*([+\-−])\s*(\d{1,12})")
BASE = re.compile(r"\s*(-?\d{1,12})")


def calculate(text: str) -> Working:
    """`30 x2 x4 +50`, `(30 x2 +10) x4`: one value after the other, by the rules of stacking (IT-15 to IT-17).

    Refuses with bad_argument.calc_step (mark, at), bad_argument.calc_zero, too_large.
    """
    reader = _Calculation(text)
    working = reader.value()
    reader.end()
    return working


class _Calculation:
    """Reads a calculation once, from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.depth, self.terms = text, 0, 0, 0

    def value(self) -> Working:
        base = self.base()
        factors = self.taken(FACTOR)
        additions = self.taken(ADDITION)
        return _stacked(base, factors, additions)

    def base(self) -> Working:
        rest = self.text[self.at :].lstrip()
        if rest.startswith("("):
            return self.group()
        match = BASE.match(self.text, self.at)
        if not match:
            self.refuse()
        self.at = match.end()  # type: ignore[union-attr]
        return Working(int(match[1]), ())  # type: ignore[index]

    def group(self) -> Working:
        """A derived value: what stands in brackets is worked out first."""
        self.depth += 1
        if self.depth > MOST_TERMS:
            raise Refusal("too_large", "terms", limit=MOST_TERMS)
        self.at = self.text.index("(", self.at) + 1
        inner = self.value()
        rest = self.text[self.at :]
        if not rest.lstrip().startswith(")"):
            self.refuse()
        self.at = self.text.index(")", self.at) + 1
        return inner

    def taken(self, pattern: re.Pattern[str]) -> list[tuple[str, int]]:
        found = []
        while match := pattern.match(self.text, self.at):
            found.append((match[1], int(match[2])))
            self.at = match.end()
            self.terms += 1
            if self.terms > MOST_TERMS:
                raise Refusal("too_large", "terms", limit=MOST_TERMS)
        return found

    def end(self) -> None:
        if self.text[self.at :].strip():
            self.refuse()

    def refuse(self) -> None:
        mark = self.text[self.at :].strip()[:12] or "…"
        raise Refusal("bad_argument", "calc_step", mark=mark, at=self.at + 1)


def _stacked(base: Working, factors: list[tuple[str, int]], additions: list[tuple[str, int]]) -> Working:
    """Multipliers stack as (1 + sum of (m - 1)); with divisions everything goes in order; additions come last."""
    steps = list(base.steps)
    divided = any(sign in "/÷" for sign, _ in factors)
    value = _in_order(base.value, factors, steps) if divided else _multiplied(base.value, factors, steps)
    for sign, number in additions:
        after = value + number if sign == "+" else value - number
        steps.append(f"{value} {'+' if sign == '+' else '−'} {number} = {after}")
        value = after
    if abs(value) > MOST_CALC:
        raise Refusal("too_large", "calc", limit=MOST_CALC)
    return Working(value, tuple(steps))


def _multiplied(value: int, factors: list[tuple[str, int]], steps: list[str]) -> int:
    if not factors:
        return value
    if len(factors) == 1:
        after = value * factors[0][1]
        steps.append(f"{value} × {factors[0][1]} = {after}")
        return after
    parts = [number - 1 for _, number in factors]
    after = value * (1 + sum(parts))
    steps.append(f"{value} × (1{''.join(f'{part:+d}' for part in parts)}) = {after}")
    return after


def _in_order(value: int, factors: list[tuple[str, int]], steps: list[str]) -> int:
    """Multiplications and divisions from left to right, each rounded down (IT-15, IT-17)."""
    for sign, number in factors:
        if sign in "/÷" and number == 0:
            raise Refusal("bad_argument", "calc_zero")
        after = value // number if sign in "/÷" else value * number
        steps.append(f"{value} {'÷' if sign in '/÷' else '×'} {number} = {after}")
        value = after
    return value

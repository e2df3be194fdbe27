"""无限恐怖: successes in, outcome out; extra successes, defence, and the stacking of values.

Here: the rules as pure functions, each naming the row of the rules it carries out. Never: state, dice being
thrown, a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from core.dice.pool import is_chance, is_dramatic, successes
from core.grammar.text import check_name, fold
from core.pools import dots
from core.refusal import Refusal
from core.systems.infinite.words import ATTRIBUTES, TRAIT_NAMES
from events.types import Die, Extra, Outcome, RollMade, Value

FIRST_EXTRA, STEP = 6, 5  # IT-04: 6 gives 1, and every 5 more another
MOST_TRAIT = 1000
MOST_CALC = 10**12
MOST_TERMS = 30
STATE_TRAITS: frozenset[str] = frozenset()  # none is told from the state
GIVEN = ("附加成功", "附加", "-extra", " extra")  # what a key ends with that says what a trait or weapon gives (IT-04)
DECLARED = ("attack-extra", "defence-extra")  # these belong to attacks and defence, and to no trait
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
    known = _CANONICAL.get(name) or _CANONICAL.get(name.replace(" ", "-"))
    return known or _given_name(name)


def _given_name(name: str) -> str:
    """`力量附加` and `str extra` are `strength-extra`; `巨斧附加成功` is `巨斧附加`."""
    for end in GIVEN:
        head = name.removesuffix(end).strip()
        if head and name.endswith(end):
            of = _CANONICAL.get(head, head)
            return f"{of}-extra" if of.isascii() else f"{of}附加"
    return name


def trait_value(trait: str, text: str, sign: str, traits: Mapping[str, Value]) -> Value:
    """A number, 0 to 1000."""
    return dots(trait, text, sign, traits, MOST_TRAIT)


def extra_of(attribute: int) -> int:
    """Extra successes of an attribute: (value - 1) / 5, rounded down (IT-04)."""
    return max(0, (attribute - (FIRST_EXTRA - STEP)) // STEP)


def given_extra(traits: Mapping[str, Value], name: str) -> int | None:
    """What a sheet says that a skill, a weapon or other gear gives (IT-04); None where it says nothing."""
    for key in (f"{name}-extra", f"{name}附加"):
        value = traits.get(key)
        if key not in DECLARED and isinstance(value, int):
            return value
    return None


def extras_of(named: Sequence[tuple[str, int]], traits: Mapping[str, Value]) -> tuple[Extra, ...]:
    """The extras that the traits of a pool bring by themselves (IT-04); each trait once."""
    found: list[Extra] = []
    for trait, value in dict(named).items():
        if trait in ATTRIBUTES and (count := extra_of(value)):
            found.append(Extra(trait, count, value))
        if given := given_extra(traits, trait):
            found.append(Extra(trait, given))
    return tuple(found)


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
    """The second side must get more than the first, or as much where the house says so; never with nothing (IT-06)."""
    return challenger > 0 and (challenger >= first if tie_wins else challenger > first)


# ---- attack and defence


def attack(rolled: int, lost: int, declared: int, extra: int) -> tuple[int, int, int]:
    """What was cancelled, the extras that count, the total: defence first, extras only on what is left (IT-13)."""
    cancelled = min(rolled, lost + declared)
    left = rolled - cancelled
    return (cancelled, extra, left + extra) if left else (cancelled, 0, 0)


def defence_extras(traits: Mapping[str, Value], speed: int = 0) -> int:
    """All defence extras of a sheet; at base defence 0 those of legendary Dexterity and Perception are lost (IT-14).

    A sheet without a base defence never has it at 0.
    """
    plain = _number(traits, "defence-extra")
    base = traits.get("base-defence")
    if isinstance(base, int) and base - speed <= 0:
        return plain
    return plain + _number(traits, "legendary-dexterity") + _number(traits, "legendary-perception")


def in_force(traits: Mapping[str, Value], spent: int, declared: int, speed: int) -> int:
    """How much of a declared defence counts once `spent` is gone already: no more than there is now (IT-14)."""
    return min(declared, max(0, defence_extras(traits, speed) - spent))


def _number(traits: Mapping[str, Value], trait: str) -> int:
    value = traits.get(trait, 0)
    return value if isinstance(value, int) else 0


# ---- stacking


class Working(Struct, frozen=True):
    """A value and the steps by which it was worked out, each a line such as `30 × (1+1+3) = 150`."""

    value: int
    steps: tuple[str, ...] = ()


TIMES, OVER, PLUS, MINUS = "x×X*", "/÷", "+", "-−"
Operation = tuple[str, Working]


def calculate(text: str) -> Working:
    """`30 x2 x4 +50`, `(30 x2 +10) x4`, `6/(1+1)`: one value after the other, by the stacking rules (IT-15 to IT-17).

    Refuses with bad_argument.calc_step and calc_order (mark, at), calc_zero, too_large.calc, too_large.terms.
    """
    reader = _Calculation(text)
    working = reader.value()
    reader.end()
    return working


class _Calculation:
    """Reads a calculation once, from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.terms = text, 0, 0

    @property
    def ahead(self) -> str:
        """The next sign that is no space; empty at the end."""
        while self.text[self.at : self.at + 1].isspace():
            self.at += 1
        return self.text[self.at : self.at + 1]

    def value(self) -> Working:
        negative = self.took(MINUS)
        base = self.operand()
        base = Working(-base.value, base.steps) if negative else base
        factors = self.operations(TIMES + OVER)
        additions = self.operations(PLUS + MINUS)
        if self.ahead and self.ahead in TIMES + OVER:
            self.refuse("calc_order")
        return _stacked(base, factors, additions)

    def operand(self) -> Working:
        """A number, or what stands in brackets, which is worked out first."""
        self.terms += 1
        if self.terms > MOST_TERMS:
            raise Refusal("too_large", "terms", limit=MOST_TERMS)
        if self.took("("):
            inner = self.value()
            if not self.took(")"):
                self.refuse("calc_step")
            return inner
        return Working(self.number())

    def number(self) -> int:
        start = self.at if self.ahead else len(self.text)
        while self.text[self.at : self.at + 1] in tuple("0123456789"):
            self.at += 1
        if start == self.at:
            self.refuse("calc_step")
        digits = self.text[start : self.at].lstrip("0") or "0"
        return _kept(int(digits[: len(str(MOST_CALC)) + 1]))

    def operations(self, signs: str) -> list[Operation]:
        found = []
        while sign := self.took(signs):
            found.append((sign, self.operand()))
        return found

    def took(self, signs: str) -> str:
        """The next sign, if it is one of these; then it is behind us."""
        sign = self.ahead
        if not sign or sign not in signs:
            return ""
        self.at += 1
        return sign

    def end(self) -> None:
        if self.ahead:
            self.refuse("calc_step")

    def refuse(self, why: str) -> None:
        mark = self.text[self.at :].strip()[:12] or "…"
        if why == "calc_order":
            raise Refusal("bad_argument", "calc_order", mark=mark, at=self.at + 1)
        raise Refusal("bad_argument", "calc_step", mark=mark, at=self.at + 1)


def _kept(value: int) -> int:
    if abs(value) > MOST_CALC:
        raise Refusal("too_large", "calc", limit=MOST_CALC)
    return value


def _stacked(base: Working, factors: list[Operation], additions: list[Operation]) -> Working:
    """Multipliers stack as (1 + sum of (m - 1)); with divisions everything goes in order; additions come last."""
    steps = [step for one in (base, *(operand for _, operand in (*factors, *additions))) for step in one.steps]
    divided = any(sign in OVER for sign, _ in factors)
    value = (_in_order if divided else _multiplied)(base.value, factors, steps)
    for sign, operand in additions:
        after = _kept(value + operand.value if sign == PLUS else value - operand.value)
        steps.append(f"{value} {'+' if sign == PLUS else '−'} {_shown(operand.value)} = {after}")
        value = after
    return Working(value, tuple(steps))


def _multiplied(value: int, factors: list[Operation], steps: list[str]) -> int:
    if not factors:
        return value
    parts = [operand.value - 1 for _, operand in factors]
    after = _kept(value * (1 + sum(parts)))
    shown = f"(1{''.join(f'{part:+d}' for part in parts)})" if len(parts) > 1 else _shown(parts[0] + 1)
    steps.append(f"{value} × {shown} = {after}")
    return after


def _in_order(value: int, factors: list[Operation], steps: list[str]) -> int:
    """Multiplications and divisions from left to right, the fraction of each dropped (IT-15, IT-17)."""
    for sign, operand in factors:
        over = sign in OVER
        after = _kept(_divided(value, operand.value) if over else value * operand.value)
        steps.append(f"{value} {'÷' if over else '×'} {_shown(operand.value)} = {after}")
        value = after
    return value


def _divided(value: int, by: int) -> int:
    """What is behind the point is dropped, whatever it is (IT-15): -7 / 2 is -3."""
    if by == 0:
        raise Refusal("bad_argument", "calc_zero")
    whole = abs(value) // abs(by)
    return whole if (value < 0) == (by < 0) else -whole


def _shown(value: int) -> str:
    return str(value) if value >= 0 else f"({value})"


# ---- verification


def recount(roll: RollMade) -> int | None:
    """The total that these faces come to with the extras that the record counts; None for attacks and other rolls.

    What an attack comes to depends on the defence, which is no part of its roll.
    """
    if roll.kind == "attack" or not roll.dice or roll.dice[0].role not in ("pool", "chance"):
        return None
    left = max(0, successes(roll.dice) - roll.lost)
    return left + (roll.extra or 0) if left else 0


# ---- what a reader of the record is told


def applied(roll: RollMade) -> tuple[str, ...]:
    """The ids of the rules that this roll shows at work, in their order."""
    return tuple(rule for rule, shows in SHOWN if shows(roll))


def _role(roll: RollMade) -> str:
    return roll.dice[0].role if roll.dice else ""


def _added(roll: RollMade, name: str) -> bool:
    return any(one.name == name for one in roll.extras)


SHOWN: tuple[tuple[str, Callable[[RollMade], bool]], ...] = (
    ("IT-01", lambda roll: _role(roll) == "pool"),
    ("IT-02", lambda roll: _role(roll) == "pool" and any(die.role == "again" for die in roll.dice)),
    ("IT-03", lambda roll: bool(roll.extras) or roll.lost > 0),
    ("IT-04", lambda roll: any(one.of is not None for one in roll.extras)),
    ("IT-05", lambda roll: roll.kind == "check" and roll.target is not None),
    ("IT-06", lambda roll: roll.kind in ("oppose", "resist")),
    ("IT-07", lambda roll: _role(roll) == "chance"),
    ("IT-08", lambda roll: _added(roll, "split")),
    ("IT-10", lambda roll: _added(roll, "gain")),
    ("IT-13", lambda roll: roll.kind == "attack"),
)

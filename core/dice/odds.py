"""Exact chances, as fractions.

Here: how likely the outcomes of throws, pools and moves are. Never: a throw, a rounded number, a percent sign
(that is `render`). Work is bounded: what would take too long is refused, not begun.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, product
from math import comb
from typing import Final, Literal, TypeAlias

from core.dice.expression import (
    FATE_ZERO,
    MOST_DICE,
    OPERATIONS,
    Chain,
    Dice,
    Expression,
    Group,
    Negative,
    Node,
    Number,
    Operator,
)  # fmt: skip
from core.dice.throws import require_end
from core.refusal import Refusal

MOST_TARGET: Final = 1000
MOST_WORK: Final = 500_000  # single additions and multiplications, about half a second
_RAISE = 4
_RAISES_SHOWN = 4


class _Work:
    """Counts what a question costs and refuses before it is too much: too_large.odds_work (most)."""

    def __init__(self) -> None:
        self._left = MOST_WORK

    def spend(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise Refusal("too_large", "odds_work", most=MOST_WORK)


# ---- Savage Worlds


@dataclass(frozen=True, slots=True)
class TraitOdds:
    """Chances of one trait roll: success, at least 1, 2, 3 and 4 raises, critical failure."""

    success: Fraction
    raises: tuple[Fraction, ...]
    critical_failure: Fraction


def aced_at_least(sides: int, n: int) -> Fraction:
    """The chance that a die that Aces (SW-08) totals n or more.

    Refuses a die with one side (bad_argument.endless) and n above 1000 (too_large.odds_target: target, most).
    """
    require_end(sides)
    if n > MOST_TARGET:
        raise Refusal("too_large", "odds_target", target=n, most=MOST_TARGET)
    if n <= 1:
        return Fraction(1)
    aces, rest = divmod(n - 1, sides)  # so many Aces, then a face above `rest`; an Ace there is above it too
    return Fraction(sides - rest, sides ** (aces + 1))


def trait_odds(sides: int, wild: int | None, modifier: int, target: int) -> TraitOdds:
    """A trait roll; `wild` is the Wild Die's sides, None for an Extra. A group roll (SW-16) has a Wild Die.

    Two natural 1s of a Wild Card never succeed (SW-11); an Extra's 1 is an ordinary failure (SW-12). Refuses
    as `aced_at_least` does.
    """

    def at_least(wanted: int) -> Fraction:
        least = max(wanted - modifier, 2)  # a natural 1, of a Wild Card on both dice, never succeeds
        if wild is None:
            return aced_at_least(sides, least)
        return 1 - (1 - aced_at_least(sides, least)) * (1 - aced_at_least(wild, least))

    return TraitOdds(
        success=at_least(target),
        raises=tuple(at_least(target + _RAISE * raises) for raises in range(1, _RAISES_SHOWN + 1)),
        critical_failure=Fraction(0) if wild is None else Fraction(1, sides * wild),
    )


# ---- expressions

_Weights: TypeAlias = Mapping[int, int]  # value -> in how many of the equally likely cases


def expression_odds(expression: Expression) -> dict[int, Fraction]:
    """Every value one throw of the expression can have, ascending, with its chance; repeats are not looked at.

    Refuses dice that Ace, which have no highest value (bad_argument.odds_exploding: got), and what takes more
    than MOST_WORK steps (too_large.odds_work: most).
    """
    weights = _weights(expression.body, expression.text, _Work())
    cases = sum(weights.values())
    return {value: Fraction(weights[value], cases) for value in sorted(weights)}


def _weights(node: Node, text: str, work: _Work) -> _Weights:
    match node:
        case Number(value):
            return {value: 1}
        case Dice(aces=True):
            raise Refusal("bad_argument", "odds_exploding", got=text)
        case Dice():
            return _of_dice(node, work)
        case Negative(of):
            return {-value: ways for value, ways in _weights(of, text, work).items()}
        case Group(inner):
            return _weights(inner, text, work)
        case Chain(first, steps):
            weights = _weights(first, text, work)
            for step in steps:
                weights = _join(step.operator, weights, _weights(step.node, text, work), work)
            return weights


def _join(sign: Operator, left: _Weights, right: _Weights, work: _Work) -> _Weights:
    work.spend(len(left) * len(right))
    joined: dict[int, int] = defaultdict(int)
    for (a, a_ways), (b, b_ways) in product(left.items(), right.items()):
        joined[OPERATIONS[sign](a, b)] += a_ways * b_ways
    return joined


def _of_dice(dice: Dice, work: _Work) -> _Weights:
    if dice.kept == dice.count:
        weights = _sum_of(dice.count, dice.sides, work)
    else:
        weights = _highest_of(dice.count, dice.sides, dice.kept, work)
        if dice.lowest:  # turn every die over: face f becomes sides + 1 - f, and the highest are the lowest
            weights = {dice.kept * (dice.sides + 1) - value: ways for value, ways in weights.items()}
    shift = FATE_ZERO * dice.kept if dice.fate else 0
    return {value - shift: ways for value, ways in weights.items()}


def _sum_of(count: int, sides: int, work: _Work) -> _Weights:
    ways = [1]  # by the sum of faces that count from 0
    for _ in range(count):
        work.spend(len(ways) + sides)
        below = [0, *accumulate(ways)]
        last = len(ways)
        ways = [below[min(i + 1, last)] - below[max(i + 1 - sides, 0)] for i in range(last + sides - 1)]
    return {value + count: number for value, number in enumerate(ways)}


def _highest_of(count: int, sides: int, kept: int, work: _Work) -> _Weights:
    """Goes down from the highest face. An open case is (dice above this face, their sum), fewer than `kept`."""
    closed: dict[int, int] = defaultdict(int)
    open_cases: dict[tuple[int, int], int] = {(0, 0): 1}
    weight = 1 + count * sides.bit_length() // 256  # the numbers grow long
    for face in range(sides, 0, -1):
        work.spend(weight * kept * (len(open_cases) + min(kept, count - kept)))
        filling = [_fill(count - above, kept - above, face - 1) for above in range(kept)]
        still_open: dict[tuple[int, int], int] = defaultdict(int)
        for (above, total), ways in open_cases.items():
            closed[total + (kept - above) * face] += ways * filling[above]
            for here in range(kept - above):
                still_open[above + here, total + here * face] += ways * comb(count - above, here)
        open_cases = still_open
    return closed


def _fill(dice: int, least: int, lower_faces: int) -> int:
    """In how many ways at least `least` of `dice` show one face and the others one of the lower faces."""

    def ways(some: range) -> int:
        return sum(comb(dice, here) * lower_faces ** (dice - here) for here in some)

    if 2 * least > dice:
        return ways(range(least, dice + 1))
    everything: int = (lower_faces + 1) ** dice
    return everything - ways(range(least))  # the shorter sum


# ---- d10 pools

Again: TypeAlias = Literal[10, 9, 8] | None
_CHANCE: Final = 10  # a chance die succeeds on this face alone, and a pool die's chances are tenths


def pool_distribution(n: int, again: Again, most: int, rote: bool = False) -> tuple[Fraction, ...]:
    """The chances of exactly 0, 1, … `most` successes with a pool of n d10 (ST-01).

    `rote`: each die of the pool that fails is thrown once more. n <= 0 is the chance die, on which only a 10
    succeeds and rolls again (ST-03); rote does nothing for it. There is no highest count, so the chances add up to
    less than 1. Refuses more than 1000 dice (too_large.dice: dice, most) and too much work (too_large.odds_work: most).
    """
    if n > MOST_DICE:
        raise Refusal("too_large", "dice", dice=n, most=MOST_DICE)
    dice = max(n, 1)
    work = _Work()
    work.spend(most + 1)
    rote = rote and n > 0
    one = _chance_die(most) if n <= 0 else _rote_die(again, most) if rote else _pool_die(again, most)
    scaled = _power(one, dice, work)
    throws = 2 * dice if rote else dice
    return tuple(Fraction(ways, 10 ** (successes + throws)) for successes, ways in enumerate(scaled))


def pool_odds(n: int, again: Again, need: int, rote: bool = False) -> Fraction:
    """The chance of `need` or more successes. Refuses as `pool_distribution` does."""
    return 1 - sum(pool_distribution(n, again, need - 1, rote), Fraction(0)) if need > 0 else Fraction(1)


def pool_dramatic(n: int) -> Fraction:
    """The chance of a dramatic failure, which the chance die alone has (ST-03)."""
    return Fraction(1, _CHANCE) if n <= 0 else Fraction(0)


# One die's chances as whole numbers: entry k is the chance of k successes times 10^(k + 1). Multiplied as
# polynomials the scales add up by themselves, which keeps fractions out of the work.
def _pool_die(again: Again, most: int) -> list[int]:
    rolling = 0 if again is None else 11 - again  # so many faces of ten roll again, all of them successes
    return [7, *(3 * rolling ** (k - 1) * (10 - rolling) for k in range(1, most + 1))]


def _rote_die(again: Again, most: int) -> list[int]:
    """A die that fails is thrown once more, so the scale is 10^(k + 2) here."""
    failed, *succeeded = _pool_die(again, most)
    return [failed * failed, *((10 + failed) * ways for ways in succeeded)]


def _chance_die(most: int) -> list[int]:
    return [9] * (most + 1)


def _power(factor: list[int], exponent: int, work: _Work) -> list[int]:
    result = [1] + [0] * (len(factor) - 1)
    while exponent:
        if exponent % 2:
            result = _times(result, factor, work)
        factor = _times(factor, factor, work)
        exponent //= 2
    return result


def _times(left: list[int], right: list[int], work: _Work) -> list[int]:
    """The product of two polynomials, cut off at their length."""
    work.spend(len(left) * len(right) // 2)
    return [sum(left[i] * right[k - i] for i in range(k + 1)) for k in range(len(left))]


# ---- moves

_STRONG, _WEAK = 10, 7


@dataclass(frozen=True, slots=True)
class MoveOdds:
    """Chances of the three bands of a move: 10 and more, 7 to 9, 6 and less."""

    strong_hit: Fraction
    weak_hit: Fraction
    miss: Fraction


def move_odds(modifier: int, adv: bool, dis: bool) -> MoveOdds:
    """A move on 2d6; with `adv` the best, with `dis` the worst two of 3d6, with both 2d6 (AD-02)."""
    dice = 2 if adv == dis else 3
    throws = [sorted(faces, reverse=adv) for faces in product(range(1, 7), repeat=dice)]
    totals = [faces[0] + faces[1] + modifier for faces in throws]
    strong = _share(totals, (total >= _STRONG for total in totals))
    miss = _share(totals, (total < _WEAK for total in totals))
    return MoveOdds(strong, 1 - strong - miss, miss)


def _share(totals: list[int], true: Iterable[bool]) -> Fraction:
    return Fraction(sum(true), len(totals))

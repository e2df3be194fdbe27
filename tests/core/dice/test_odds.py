"""Exact chances, each against counting every case, a recursion, or many throws."""

from __future__ import annotations

import time
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.dice.expression import parse, throw
from core.dice.odds import (
    Again,
    aced_at_least,
    expression_odds,
    move_odds,
    pool_distribution,
    pool_dramatic,
    pool_odds,
    trait_odds,
)
from core.dice.source import GivenFaces
from core.dice.throws import ace, natural, total
from core.refusal import Refusal

SAVAGE = [4, 6, 8, 10, 12]


# ---- dice that Ace


def aced_by_recursion(sides: int, n: int) -> Fraction:
    """Looks at the first face, and after an Ace at what is still missing."""
    if n <= 1:
        return Fraction(1)
    plain_faces = sum(face >= n for face in range(1, sides))
    return (plain_faces + aced_by_recursion(sides, n - sides)) / Fraction(sides)


@pytest.mark.parametrize("sides", [2, 3, *SAVAGE, 20])
def test_SW_08_the_chance_of_a_total_with_aces(sides: int) -> None:
    for n in range(-3, 60):
        assert aced_at_least(sides, n) == aced_by_recursion(sides, n)


def test_SW_08_a_total_is_never_a_multiple_of_the_sides() -> None:
    assert aced_at_least(6, 6) == aced_at_least(6, 7) == Fraction(1, 6)


def test_a_die_that_aces_for_ever_has_no_odds() -> None:
    with pytest.raises(Refusal) as refused:
        aced_at_least(1, 4)
    assert refused.value.key == "bad_argument.endless"


def test_a_target_out_of_all_reason_is_refused() -> None:
    with pytest.raises(Refusal) as refused:
        trait_odds(6, None, -(10**9), 4)
    assert refused.value.key == "too_large.odds_target"
    assert refused.value.facts == {"target": 10**9 + 4, "most": 1000}


# ---- trait rolls


def aced_totals(sides: int, cap: int) -> dict[int, Fraction]:
    """The chance of every total below `cap`, and of `cap` or more, by following each face."""
    chances: Counter[int] = Counter()
    open_totals = {0: Fraction(1)}
    while open_totals:
        following: dict[int, Fraction] = {}
        for so_far, chance in open_totals.items():
            for face in range(1, sides + 1):
                value = so_far + face
                if face == sides and value < cap:
                    following[value] = chance / sides
                else:
                    chances[min(value, cap)] += chance / sides  # type: ignore[assignment]
        open_totals = following
    return dict(chances)  # type: ignore[arg-type]


def trait_by_counting(
    sides: int, wild: int | None, modifier: int, target: int, raises: int
) -> tuple[Fraction, Fraction]:
    """(chance of success with at least so many raises, chance of a critical failure)"""
    cap = max(target + 4 * raises - modifier, 2)
    good = critical = Fraction(0)
    wilds = aced_totals(wild, cap) if wild else {0: Fraction(1)}
    for (trait, p), (other, q) in product(aced_totals(sides, cap).items(), wilds.items()):
        if trait == 1 and other <= 1:  # snake eyes, or an Extra's lone 1
            critical += p * q if wild else 0
        elif max(trait, other) + modifier >= target + 4 * raises:
            good += p * q
    return good, critical


@given(
    sides=st.sampled_from(SAVAGE),
    wild=st.sampled_from([None, *SAVAGE]),
    modifier=st.integers(-8, 12),
    target=st.integers(0, 14),
)
def test_SW_03_SW_06_SW_09_SW_11_trait_odds_are_those_of_every_case(
    sides: int, wild: int | None, modifier: int, target: int
) -> None:
    odds = trait_odds(sides, wild, modifier, target)
    counted = [trait_by_counting(sides, wild, modifier, target, raises) for raises in range(5)]
    assert [odds.success, *odds.raises] == [good for good, _ in counted]
    assert odds.critical_failure == counted[0][1]


def test_SW_11_two_ones_fail_however_large_the_bonus() -> None:
    odds = trait_odds(6, 6, 100, 4)
    assert odds.critical_failure == Fraction(1, 36)
    assert odds.success == odds.raises[3] == Fraction(35, 36)


def test_SW_12_an_extras_one_is_an_ordinary_failure_whatever_the_modifiers() -> None:
    odds = trait_odds(6, None, 3, 4)
    assert (odds.success, odds.critical_failure) == (Fraction(5, 6), 0)


def test_SW_03_the_well_known_chances() -> None:
    assert trait_odds(8, None, 0, 4).success == Fraction(5, 8)
    assert trait_odds(8, 6, 0, 4).success == 1 - Fraction(3, 8) * Fraction(1, 2)
    assert trait_odds(4, 6, 0, 4).raises[0] == 1 - Fraction(15, 16) * Fraction(31, 36)


@pytest.mark.parametrize(("sides", "wild", "modifier"), [(8, 6, 0), (4, 6, -2), (12, 8, 2), (6, 6, 4)])
def test_SW_06_trait_odds_are_what_many_throws_show(sides: int, wild: int, modifier: int, dice: Any, fits: Any) -> None:
    source = dice(sides * 100 + wild)

    def one() -> str:
        trait, other = ace(source, sides, "trait"), ace(source, wild, "wild")
        if natural(trait) == natural(other) == 1:
            return "critical"
        over = max(total(trait), total(other)) + modifier - 4
        return "failure" if over < 0 else f"{min(over // 4, 2)} raises"

    odds = trait_odds(sides, wild, modifier, 4)
    chances = {
        "critical": odds.critical_failure,
        "failure": 1 - odds.success - odds.critical_failure,
        "0 raises": odds.success - odds.raises[0],
        "1 raises": odds.raises[0] - odds.raises[1],
        "2 raises": odds.raises[1],
    }
    possible = {key: chance for key, chance in chances.items() if chance}
    assert fits(Counter(one() for _ in range(5000)), possible)


# ---- expressions


def by_counting(text: str) -> dict[int, Fraction]:
    """Throws the expression with every possible row of faces."""
    parsed = parse(text)
    sides = [dice.sides for dice in parsed.dice for _ in range(dice.count)]
    rows = list(product(*(range(1, n + 1) for n in sides)))
    counts = Counter(throw(parsed, GivenFaces(row)).total for row in rows)
    return {value: Fraction(count, len(rows)) for value, count in sorted(counts.items())}


@pytest.mark.parametrize(
    "text",
    [
        "7", "d6", "3d6+2", "d%", "2d20kh", "2d20kl1", "4d6kh3", "4d6dl1", "4d6dh1", "4d6kl2", "5d4kh4", "5d4kl1",
        "4dF", "4dFkh2", "3dFdl1", "2d6*3", "2d4*d4", "d6-d6", "-(2d4)+1", "10/d6", "(2d6-7)/2", "d8/(d4+1)", "3d1kh2",
        "2d6kh1*2d3kl1-dF", "(d4+1)*(d4-1)", "d4*0", "2#2d4",
    ],
)  # fmt: skip
def test_the_odds_of_an_expression_are_those_of_every_case(text: str) -> None:
    odds = expression_odds(parse(text))
    assert odds == by_counting(text)
    assert list(odds) == sorted(odds)


@settings(max_examples=60)
@given(
    count=st.integers(1, 5),
    sides=st.integers(1, 5),
    keep=st.sampled_from(["kh", "kl", "dh", "dl"]),
    n=st.integers(1, 5),
)
def test_kept_dice_have_the_odds_of_every_case(count: int, sides: int, keep: str, n: int) -> None:
    if n < count:
        assert expression_odds(parse(f"{count}d{sides}{keep}{n}")) == by_counting(f"{count}d{sides}{keep}{n}")


@pytest.mark.parametrize("text", ["100d6", "d100000", "20d20kh10", "1000d6kh1", "50dF", "30d6+30d6", "2d1000kl1"])
def test_the_odds_of_many_dice_add_up_to_one_and_do_not_take_long(text: str) -> None:
    began = time.perf_counter()
    odds = expression_odds(parse(text))
    assert time.perf_counter() - began < 5
    assert sum(odds.values()) == 1


def test_the_highest_of_many_dice_has_the_chance_of_its_formula() -> None:
    odds = expression_odds(parse("30d20kh1"))
    assert odds == {n: Fraction(n**30 - (n - 1) ** 30, 20**30) for n in range(1, 21)}


@pytest.mark.parametrize(
    "text", ["1000d6", "d1000000", "1000d1000000", "500d20kh250", "100d100*100d100", "d1000*d1000"]
)
def test_odds_that_take_too_long_are_refused_soon(text: str) -> None:
    began = time.perf_counter()
    with pytest.raises(Refusal) as refused:
        expression_odds(parse(text))
    assert time.perf_counter() - began < 5
    assert refused.value.key == "too_large.odds_work"


@pytest.mark.parametrize("text", ["2d6!", "1+3d6!kh1"])
def test_dice_that_ace_have_no_table_of_odds(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        expression_odds(parse(text))
    assert (refused.value.key, refused.value.facts) == ("bad_argument.odds_exploding", {"got": text})


def test_the_odds_of_an_expression_are_what_many_throws_show(dice: Any, fits: Any) -> None:
    source, expression = dice(7), parse("6d10kh3")
    counts = Counter(max(throw(expression, source).total, 15) for _ in range(5000))
    chances: Counter[int] = Counter()
    for value, chance in expression_odds(expression).items():
        chances[max(value, 15)] += chance  # type: ignore[assignment]
    assert fits(counts, chances)


# ---- pools


def pool_by_recursion(n: int, again: int, need: int, good: int = 8) -> Fraction:
    """One die after the other; a die at `again` or above leaves as many dice as before."""
    if need <= 0:
        return Fraction(1)
    if n == 0:
        return Fraction(0)
    chance = Fraction(0)
    for face in range(1, 11):
        chance += pool_by_recursion(n - (face < again), again, need - (face >= good), good)
    return chance / 10


@pytest.mark.parametrize("again", [10, 9, 8, None])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_ST_01_the_chance_of_so_many_successes(n: int, again: Again) -> None:
    for need in range(-1, 5):
        assert pool_odds(n, again, need) == pool_by_recursion(n, again or 11, need)


def test_ST_01_without_again_the_successes_are_binomial() -> None:
    assert pool_distribution(2, None, 4) == (Fraction(49, 100), Fraction(42, 100), Fraction(9, 100), 0, 0)


@pytest.mark.parametrize("n", [0, -4])
def test_ST_03_a_chance_die_succeeds_on_a_ten_alone(n: int) -> None:
    for need in range(5):
        assert pool_odds(n, 10, need) == pool_by_recursion(1, 10, need, good=10) == Fraction(1, 10**need)


def test_ST_03_a_dramatic_failure_comes_from_the_chance_die_alone() -> None:
    assert [pool_dramatic(n) for n in (-1, 0, 1, 9)] == [Fraction(1, 10), Fraction(1, 10), 0, 0]


@pytest.mark.parametrize(("n", "again"), [(6, 10), (9, 8), (12, 9)])
def test_ST_01_pool_odds_are_what_many_throws_show(n: int, again: Again, dice: Any, fits: Any) -> None:
    source = dice(n)
    assert again is not None

    def one() -> int:
        faces, waiting = [], n
        while waiting:
            faces.append(source.roll(10))
            waiting += (faces[-1] >= again) - 1
        return sum(face >= 8 for face in faces)

    chances = pool_distribution(n, again, 4)
    counts = Counter(min(one(), 5) for _ in range(4000))
    assert fits(counts, {**dict(enumerate(chances)), 5: pool_odds(n, again, 5)})


def test_a_pool_beyond_the_limits_is_refused() -> None:
    for n, need, key in [
        (1001, 1, "too_large.dice"),
        (5, 10**6, "too_large.odds_work"),
        (1000, 500, "too_large.odds_work"),
    ]:
        with pytest.raises(Refusal) as refused:
            pool_odds(n, 10, need)
        assert refused.value.key == key


# ---- moves


@pytest.mark.parametrize(
    ("adv", "dis", "text"),
    [(False, False, "2d6"), (True, True, "2d6"), (True, False, "3d6kh2"), (False, True, "3d6kl2")],
)
@pytest.mark.parametrize("modifier", range(-6, 7))
def test_AD_02_the_bands_of_a_move(adv: bool, dis: bool, text: str, modifier: int) -> None:
    totals = by_counting(text)
    odds = move_odds(modifier, adv, dis)
    assert odds.strong_hit == sum(chance for total, chance in totals.items() if total + modifier >= 10)
    assert odds.weak_hit == sum(chance for total, chance in totals.items() if 7 <= total + modifier <= 9)
    assert odds.miss == sum(chance for total, chance in totals.items() if total + modifier <= 6)


def test_AD_02_a_plain_move_is_a_strong_hit_in_six_of_thirty_six() -> None:
    assert move_odds(0, adv=False, dis=False).strong_hit == Fraction(6, 36)

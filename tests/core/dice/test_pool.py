"""Pools of d10: what is thrown again, what counts, and many fair throws against the exact odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dice import odds
from core.dice.pool import NO_AGAIN, check_size, is_chance, is_dramatic, successes, throw_chance, throw_pool
from core.dice.source import FairDice, GivenFaces
from core.refusal import Refusal
from events.types import Die

THROWS = 100_000  # in all, for each chi-square test of a pool


def thrown(faces: str, size: int, again: int = 10, rote: bool = False) -> list[tuple[str, tuple[int, ...]]]:
    """The dice of the record for given faces, all of which must be used."""
    source = GivenFaces([int(face) for face in faces.split()])
    dice = throw_pool(source, size, again, rote)
    source.finish()
    assert {die.sides for die in dice} == {10}
    return [(die.role, die.faces) for die in dice]


# ---- which dice are thrown


@pytest.mark.parametrize(
    ("again", "faces", "pool", "extra"),
    [
        (10, "10 9 8 1  7", (10, 9, 8, 1), (7,)),
        (10, "10 10 1 1  10 2  3", (10, 10, 1, 1), (10, 2, 3)),
        (9, "10 9 8 1  9 1  2", (10, 9, 8, 1), (9, 1, 2)),
        (8, "10 9 8 1  8 1 1  1", (10, 9, 8, 1), (8, 1, 1, 1)),
        (NO_AGAIN, "10 9 8 1", (10, 9, 8, 1), ()),
    ],
)
def test_ST_01_the_whole_pool_falls_first_and_then_the_again_dice_round_by_round(
    again: int, faces: str, pool: tuple[int, ...], extra: tuple[int, ...]
) -> None:
    expected = [("pool", pool), *([("again", extra)] if extra else [])]
    assert thrown(faces, 4, again) == expected


@pytest.mark.parametrize(
    ("again", "faces", "pool", "extra"),
    [
        (10, "8 7 10 1  2 9 3", (8, 7, 10, 1), (2, 9, 3)),
        (10, "7 7 7 7  10 1 1 1  7", (7, 7, 7, 7), (10, 1, 1, 1, 7)),
        (NO_AGAIN, "10 7 8 1  10 2", (10, 7, 8, 1), (10, 2)),
        (8, "8 7 8 8  8 1 1 1  2", (8, 7, 8, 8), (8, 1, 1, 1, 2)),
        (10, "8 8 9 9", (8, 8, 9, 9), ()),
    ],
)
def test_ST_01_rote_throws_what_failed_once_more_and_never_twice(
    again: int, faces: str, pool: tuple[int, ...], extra: tuple[int, ...]
) -> None:
    expected = [("pool", pool), *([("again", extra)] if extra else [])]
    assert thrown(faces, 4, again, rote=True) == expected


@pytest.mark.parametrize("size", [0, -1, -900])
@pytest.mark.parametrize("again", [8, 9, 10, NO_AGAIN])
@pytest.mark.parametrize("rote", [False, True])
def test_ST_03_a_pool_of_nothing_is_one_chance_die_whatever_goes_with_it(size: int, again: int, rote: bool) -> None:
    assert thrown("9", size, again, rote) == [("chance", (9,))]
    assert thrown("10 10 8", size, again, rote) == [("chance", (10,)), ("again", (10, 8))]


def test_ST_03_the_chance_die_may_be_thrown_by_itself() -> None:
    assert throw_chance(GivenFaces([10, 1])) == (Die(10, "chance", (10,)), Die(10, "again", (1,)))


@pytest.mark.parametrize(("size", "fine"), [(1000, True), (1001, False), (10**9, False)])
def test_ST_01_a_thousand_dice_and_no_more(size: int, fine: bool) -> None:
    if fine:
        check_size(size)
        return
    for refused_by in (check_size, lambda n: throw_pool(GivenFaces([]), n)):
        with pytest.raises(Refusal) as refused:
            refused_by(size)
        assert refused.value.key == "too_large.dice"


@pytest.mark.parametrize("faces", ["8 8", "10 8 8", "8 8 11", "8 8 0"])
def test_ST_01_faces_that_do_not_fit_the_pool_are_refused(faces: str) -> None:
    with pytest.raises(Refusal) as refused:
        thrown(faces, 3)
    assert refused.value.code == "dice_mismatch"


@given(st.binary(min_size=32, max_size=32), st.integers(1, 60), st.sampled_from((8, 9, 10, 11)), st.booleans())
def test_ST_01_every_die_that_goes_again_has_one_behind_it(seed: bytes, size: int, again: int, rote: bool) -> None:
    pool, *more = throw_pool(FairDice(seed, [], "law", 1), size, again, rote)
    extra = more[0].faces if more else ()
    failed = sum(face < 8 for face in pool.faces) if rote else 0
    assert len(pool.faces) == size
    assert len(extra) == failed + sum(face >= again for face in (*pool.faces, *extra))


# ---- what counts


@given(st.lists(st.integers(1, 10), min_size=1, max_size=20), st.lists(st.integers(1, 10), max_size=20))
def test_ST_01_eights_nines_and_tens_count_in_the_pool_and_behind_it(pool: list[int], again: list[int]) -> None:
    dice = (Die(10, "pool", tuple(pool)), Die(10, "again", tuple(again)))
    assert successes(dice) == sum(face in (8, 9, 10) for face in pool + again)
    assert (is_chance(dice), is_dramatic(dice)) == (False, False)


@given(st.integers(1, 10), st.lists(st.integers(1, 10), max_size=5))
def test_ST_03_on_a_chance_die_a_ten_alone_counts_and_a_first_one_is_dramatic(first: int, again: list[int]) -> None:
    dice = (Die(10, "chance", (first,)), *([Die(10, "again", tuple(again))] if again else []))
    assert successes(dice) == [first, *again].count(10)
    assert is_dramatic(dice) == (first == 1)


# ---- the exact odds, worked out a second time


def die_by_faces(again: int, most: int, good: int = 8) -> list[Fraction]:
    """The chances of 0, 1, … `most` successes with one die, face by face."""
    chances = [Fraction(0)] * (most + 1)
    for count in range(most + 1):
        for face in range(1, 11):
            left = count - (face >= good)
            chances[count] += Fraction(chances[left] if face >= again and left >= 0 else left == 0, 10)
    return chances


def rote_by_faces(again: int, most: int) -> list[Fraction]:
    """A die that is thrown once more if it fails."""
    once = die_by_faces(again, most)
    return [once[0] * once[0], *(chance + once[0] * chance for chance in once[1:])]


def pool_by_faces(die: Sequence[Fraction], size: int) -> list[Fraction]:
    """So many dice, one after the other."""
    pool = [Fraction(1), *([Fraction(0)] * (len(die) - 1))]
    for _ in range(size):
        pool = [sum((pool[i] * die[n - i] for i in range(n + 1)), Fraction(0)) for n in range(len(die))]
    return pool


AGAIN: list[tuple[int, odds.Again]] = [(10, 10), (9, 9), (8, 8), (NO_AGAIN, None)]


@pytest.mark.parametrize(("again", "known"), AGAIN)
@pytest.mark.parametrize("size", [1, 2, 7, 15])
@pytest.mark.parametrize("rote", [False, True])
def test_ST_01_the_odds_are_those_of_every_face(size: int, again: int, known: odds.Again, rote: bool) -> None:
    die = rote_by_faces(again, 8) if rote else die_by_faces(again, 8)
    exact = pool_by_faces(die, size)
    assert list(odds.pool_distribution(size, known, 8, rote)) == exact
    for need in range(9):
        assert odds.pool_odds(size, known, need, rote) == 1 - sum(exact[:need], Fraction(0))


@pytest.mark.parametrize("rote", [False, True])
def test_ST_03_the_odds_of_a_chance_die_are_those_of_every_face(rote: bool) -> None:
    assert list(odds.pool_distribution(0, 8, 6, rote)) == die_by_faces(10, 6, good=10)


@pytest.mark.parametrize(("size", "rote"), [(1, False), (2, False), (3, False), (1, True), (2, True)])
def test_ST_01_without_again_the_odds_are_the_share_of_all_throws(size: int, rote: bool) -> None:
    counts: Counter[int] = Counter()
    for faces in product(range(1, 11), repeat=size * (2 if rote else 1)):
        first, second = faces[:size], faces[size:] or faces
        counts[sum(a >= 8 or (rote and b >= 8) for a, b in zip(first, second, strict=True))] += 1
    chances = odds.pool_distribution(size, None, size, rote)
    assert [Fraction(counts[n], counts.total()) for n in range(size + 1)] == list(chances)


# ---- fair throws against the odds


def bands(size: int, again: odds.Again, rote: bool) -> dict[object, Fraction]:
    """The chances of each count that is likely enough to be tested, and of all below and above in one."""
    chances = odds.pool_distribution(size, again, 40, rote)
    likely = [count for count, chance in enumerate(chances) if chance * THROWS >= 20]
    low, high = likely[0], likely[-1]
    inner: dict[object, Fraction] = {count: chances[count] for count in range(low + 1, high)}
    return {**inner, low: sum(chances[: low + 1], Fraction(0)), high: odds.pool_odds(size, again, high, rote)}


def counted(make: Callable[[], tuple[Die, ...]], least: int, most: int) -> Counter[object]:
    return Counter(min(max(successes(make()), least), most) for _ in range(THROWS))


@pytest.mark.parametrize(
    ("size", "again", "known", "rote"),
    [
        (1, 10, 10, False),
        (3, 10, 10, False),
        (7, 10, 10, False),
        (4, 9, 9, False),
        (5, 8, 8, False),
        (6, NO_AGAIN, None, False),
        (3, 10, 10, True),
        (2, 8, 8, True),
    ],
)
def test_ST_01_a_hundred_thousand_fair_pools_fall_as_the_odds_say(
    size: int, again: int, known: odds.Again, rote: bool, dice: Any, fits: Any
) -> None:
    source = dice(1000 + size * 100 + again * 2 + rote)
    chances = bands(size, known, rote)
    least, most = min(chances), max(chances)  # type: ignore[type-var]
    assert fits(counted(lambda: throw_pool(source, size, again, rote), least, most), chances)  # type: ignore[arg-type]


def test_ST_03_a_hundred_thousand_fair_chance_dice_fall_as_the_odds_say(dice: Any, fits: Any) -> None:
    source = dice(77)
    throws = [throw_chance(source) for _ in range(THROWS)]
    counts: Counter[object] = Counter("dramatic" if is_dramatic(one) else min(successes(one), 3) for one in throws)
    tens = odds.pool_distribution(0, 10, 2)
    dramatic = odds.pool_dramatic(0)
    chances: dict[object, Fraction] = {
        "dramatic": dramatic, 0: tens[0] - dramatic, 1: tens[1], 2: tens[2], 3: odds.pool_odds(0, 10, 3),
    }  # fmt: skip
    assert fits(counts, chances)


def test_ST_01_the_test_of_fit_would_notice_a_pool_that_goes_again_too_seldom(dice: Any, fits: Any) -> None:
    source, chances = dice(5), bands(3, 10, False)
    least, most = min(chances), max(chances)  # type: ignore[type-var]
    assert not fits(counted(lambda: throw_pool(source, 3, NO_AGAIN), least, most), chances)  # type: ignore[arg-type]

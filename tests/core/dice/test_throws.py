"""Single dice, plain and with Aces."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dice.source import FairDice, GivenFaces
from core.dice.throws import ace, natural, plain, total
from core.refusal import Refusal
from events.types import Die


def test_SW_08_a_die_on_its_highest_face_rolls_again_and_adds() -> None:
    faces = GivenFaces([8, 4, 6, 6, 2])
    trait, wild = ace(faces, 8, "trait"), ace(faces, 6, "wild")
    faces.finish()
    assert trait == Die(sides=8, role="trait", faces=(8, 4))
    assert wild == Die(sides=6, role="wild", faces=(6, 6, 2))
    assert (total(trait), total(wild)) == (12, 14)


def test_a_plain_die_is_thrown_once_on_any_face() -> None:
    faces = GivenFaces([6])
    die = plain(faces, 6, "move")
    faces.finish()
    assert die == Die(sides=6, role="move", faces=(6,))


def test_SW_11_the_natural_face_is_the_first_one() -> None:
    assert natural(Die(sides=6, role="wild", faces=(6, 1))) == 6
    assert natural(Die(sides=6, role="wild", faces=(1,))) == 1


@pytest.mark.parametrize("sides", [1, 0])
def test_a_die_that_would_ace_for_ever_is_refused_before_it_is_thrown(sides: int) -> None:
    dice = FairDice(bytes(32), [], "t", 1)
    with pytest.raises(Refusal) as refused:
        ace(dice, sides, "damage")
    assert refused.value.key == "bad_argument.endless"
    assert dice.next == 0


@given(sides=st.integers(2, 20), number=st.integers(0, 2**32))
def test_SW_08_every_face_but_the_last_is_the_highest(sides: int, number: int) -> None:
    die = ace(FairDice(number.to_bytes(32, "big"), [], "t", 1), sides, "trait")
    assert set(die.faces[:-1]) <= {sides}
    assert 1 <= die.faces[-1] < sides


@pytest.mark.parametrize("sides", [4, 6, 12])
def test_SW_08_chains_of_aces_are_as_long_as_they_should_be(sides: int, dice: Any, fits: Any) -> None:
    source = dice(sides)
    counts = Counter(min(len(ace(source, sides, "trait").faces), 3) for _ in range(5000))
    again = Fraction(1, sides)
    assert fits(counts, {1: 1 - again, 2: again * (1 - again), 3: again**2})

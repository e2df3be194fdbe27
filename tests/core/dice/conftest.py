"""What the dice tests share: fair dice on fixed seeds, a source that writes down its draws, and a chi-square bound."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import sqrt

import pytest

from core.dice.source import FairDice


class Recorder(FairDice):
    """Fair dice that remember (sides, face) of every roll."""

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed, [], "recorded", 1)
        self.rolled: list[tuple[int, int]] = []

    def roll(self, sides: int) -> int:
        face = super().roll(sides)
        self.rolled.append((sides, face))
        return face

    def rolls(self, count: int, sides: int) -> list[int]:
        faces = super().rolls(count, sides)
        self.rolled += [(sides, face) for face in faces]
        return faces


@pytest.fixture(scope="session")
def recorder() -> Callable[[int], Recorder]:
    return lambda number: Recorder(number.to_bytes(32, "big"))


@pytest.fixture(scope="session")
def dice() -> Callable[[int], FairDice]:
    """Fair dice on the seed of that number."""
    return lambda number: FairDice(number.to_bytes(32, "big"), [], "chi", 1)


def fits(counts: Mapping[object, int], chances: Mapping[object, Fraction]) -> bool:
    """Pearson's test at one in a thousand; the critical value is Wilson and Hilferty's approximation."""
    n = sum(counts.values())
    assert set(counts) <= set(chances)
    assert sum(chances.values()) == 1
    assert min(chances.values()) * n >= 5, "too few throws for this test"
    chi_square = sum((counts.get(key, 0) - float(p * n)) ** 2 / float(p * n) for key, p in chances.items())
    freedom = len(chances) - 1
    spread = 2 / (9 * freedom)
    return bool(chi_square <= freedom * (1 - spread + 3.09 * sqrt(spread)) ** 3)


@pytest.fixture(name="fits", scope="session")
def fits_fixture() -> Callable[[Mapping[object, int], Mapping[object, Fraction]], bool]:
    return fits

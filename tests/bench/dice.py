"""`4d6kh3+2` from the text to the total and the working, without a log: fair dice, and the library `d20`.

In processor time, since nothing is waited for. d20 keeps the trees of the last 256 expressions, and makes its working
only for who asks: both are measured.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from core.dice import expression
from core.dice.source import FairDice
from tests.bench.figures import Figure, Size
from tests.bench.rounds import Round

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # its parser imports a module of Python's by an old name
    import d20

BENCHMARK = "4d6kh3+2"
SEED = bytes(range(32))


def fair(size: Size, folder: Path) -> Iterator[Round]:
    dice = FairDice(SEED, ("north wind",), "table", 1)

    def roll() -> str:
        dice.begin()
        thrown = expression.throw(expression.parse(BENCHMARK), dice)
        return f"{thrown.working} = {thrown.total}"

    yield from _rolled(size, "fair dice", roll)


def by_d20(size: Size, folder: Path) -> Iterator[Round]:
    yield from _rolled(size, "d20", lambda: str(d20.roll(BENCHMARK)))


def by_d20_silently(size: Size, folder: Path) -> Iterator[Round]:
    yield from _rolled(size, "d20, total alone", lambda: str(d20.roll(BENCHMARK).total))


def _rolled(size: Size, name: str, roll: Callable[[], str]) -> Iterator[Round]:
    while True:
        began = time.process_time()
        for _ in range(size.rolls):
            roll()
        yield [Figure(BENCHMARK, name, 1e6 * (time.process_time() - began) / size.rolls, "µs")]

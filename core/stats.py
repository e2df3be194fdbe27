"""Figures of a record: who rolled how often and how it came out, and whether the dice fall as they should.

Here: counting and the chi-square test. Never: a sentence, a picture.

An act that was taken back counts for the dice, which fell all the same, and for nothing else. A secret roll that
nobody has revealed counts for nothing. Dice thrown by hand are rolls, but say nothing of the bot's dice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from math import erfc, exp, lgamma, log, sqrt

from msgspec import Struct

from core.record import Act, Record, acts, people
from events.types import BennyAwarded, BennySpent, Event, RollMade

SUCCESSES = ("success", "exceptional", "strong_hit", "weak_hit")
CRITICAL = ("critical_failure", "dramatic_failure")
MOST_SIDES = 100  # of dice whose faces are counted one by one
LEAST_EXPECTED = 5  # of each face; below that chi-square says nothing


class Faces(Struct, frozen=True):
    """How often each face of the dice of one size fell: `counts[0]` is that of face 1."""

    sides: int
    counts: tuple[int, ...]

    @property
    def thrown(self) -> int:
        return sum(self.counts)

    @property
    def mean(self) -> float:
        return sum(face * count for face, count in enumerate(self.counts, 1)) / max(1, self.thrown)

    @property
    def expected(self) -> float:
        """How often each face should have fallen."""
        return self.thrown / self.sides

    @property
    def telling(self) -> bool:
        """Whether there are enough of them to say anything."""
        return self.sides > 1 and self.expected >= LEAST_EXPECTED

    @property
    def chi_square(self) -> float:
        return sum((count - self.expected) ** 2 / self.expected for count in self.counts)

    @property
    def chance(self) -> float:
        """How likely fair dice stray at least as far as these (0 to 1)."""
        return chi_square_tail(self.chi_square, self.sides - 1)


class Tally(Struct, frozen=True):
    """What `who` (a character, a person without one, `pool`, or empty for all together) rolled, got and spent.

    `outcomes` counts how rolls came out, each once with all its rerolls; rolls against nothing have no outcome.
    """

    who: str
    rolls: int
    outcomes: dict[str, int]
    faces: tuple[Faces, ...]
    awarded: int
    spent: int

    @property
    def decided(self) -> int:
        return sum(self.outcomes.values())

    @property
    def successes(self) -> int:
        return sum(self.outcomes.get(one, 0) for one in SUCCESSES)

    @property
    def critical(self) -> int:
        return sum(self.outcomes.get(one, 0) for one in CRITICAL)


class Figures(Struct, frozen=True):
    """`total` of all that was asked for, `by` who, most rolls first. `hidden` secret rolls are not in it."""

    total: Tally
    by: tuple[Tally, ...]
    hidden: int


class _Count(Struct):
    """One tally while it is counted. `outcomes` goes by the first roll of each chain of rerolls."""

    rolls: int = 0
    outcomes: dict[int, str] = {}
    faces: dict[int, Counter[int]] = {}
    awarded: int = 0
    spent: int = 0

    def tally(self, who: str) -> Tally:
        faces = (
            Faces(sides, tuple(counts[face] for face in range(1, sides + 1))) for sides, counts in self.faces.items()
        )
        most = sorted(faces, key=lambda one: (-one.thrown, one.sides))
        return Tally(who, self.rolls, dict(Counter(self.outcomes.values())), tuple(most), self.awarded, self.spent)


def figures(record: Record, session: int | None = None, only: Collection[str] = ()) -> Figures:
    """The figures of a table, or of one session of it, as everybody there may know them; of those in `only`, if any."""
    total, by, hidden = _Count(), dict[str, _Count](), 0
    now = people(record())
    for act in acts(record, session=session):
        for called, event in _counted(act):
            who = now.get(called, called)
            if only and who not in only:
                continue
            if act.hidden:
                hidden += isinstance(event, RollMade)
            else:
                for count in (total, by.setdefault(who, _Count())):
                    _take(count, event, stands=act.by is None)
    tallies = (count.tally(who) for who, count in by.items() if count.rolls or count.awarded or count.spent)
    return Figures(total.tally(""), tuple(sorted(tallies, key=lambda one: (-one.rolls, one.who))), hidden)


def _counted(act: Act) -> Iterable[tuple[str, Event]]:
    for one in act.envelopes:
        match one.data:
            case RollMade(character=who) | BennySpent(character=who) | BennyAwarded(to=who):
                yield who, one.data


def _take(count: _Count, event: Event, *, stands: bool) -> None:
    if isinstance(event, RollMade):
        _take_dice(count, event)
    if not stands:
        return
    match event:
        case RollMade():
            count.rolls += 1
            if event.outcome:
                count.outcomes[event.reroll_of or event.roll] = event.outcome
        case BennyAwarded():
            count.awarded += event.count
        case BennySpent():
            count.spent += 1


def _take_dice(count: _Count, roll: RollMade) -> None:
    for die in roll.dice if roll.source == "fair" else ():
        if die.sides <= MOST_SIDES:
            count.faces.setdefault(die.sides, Counter()).update(die.faces)


def chi_square_tail(value: float, freedom: int) -> float:
    """The chance that chi-square with `freedom` degrees is `value` or more: the exact sum for whole degrees."""
    half = value / 2
    if half <= 0:
        return 1.0
    odd = freedom % 2
    tail = erfc(sqrt(half)) if odd else exp(-half)
    for step in range(1 if odd else 2, freedom, 2):
        tail += exp(step / 2 * log(half) - half - lgamma(step / 2 + 1))
    return min(1.0, tail)

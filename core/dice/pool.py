"""Pools of d10 that are thrown again: the whole pool, then the again dice round by round, or a chance die.

Here: faces from a source into the dice of the record, and successes out of them. Never: what successes are
worth (the systems' `rules.py`), and where a pool's size comes from.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.dice.source import Source
from core.refusal import Refusal
from events.types import Die

SIDES = 10
SUCCESS = 8  # this face and above
CHANCE_SUCCESS = 10
LOWEST_AGAIN = 8
NO_AGAIN = SIDES + 1
MOST_DICE = 1000


def check_size(size: int) -> None:
    """Refuse a pool over 1,000 dice before anything is thrown: too_large.dice (dice, most)."""
    if size > MOST_DICE:
        raise Refusal("too_large", "dice", dice=size, most=MOST_DICE)


def throw_pool(source: Source, size: int, again: int = SIDES, rote: bool = False) -> tuple[Die, ...]:
    """`size` d10, each face of `again` or more thrown once more, and so on (ST-01, IT-02).

    `rote`: each die of the pool that fails is thrown once more as well. Size 0 or less: a chance die (ST-03, IT-07).
    One entry for the pool, one for all again dice in the order of their rounds.
    """
    check_size(size)
    if size <= 0:
        return throw_chance(source)
    pool = _faces(source, size)
    failed = sum(face < SUCCESS for face in pool) if rote else 0
    extra = _again(source, sum(face >= again for face in pool) + failed, again)
    return (Die(SIDES, "pool", pool), Die(SIDES, "again", extra)) if extra else (Die(SIDES, "pool", pool),)


def throw_chance(source: Source) -> tuple[Die, ...]:
    """One d10 on which only a 10 succeeds; a 10 goes again, where again only a 10 succeeds (ST-03, IT-07)."""
    first = _faces(source, 1)
    extra = _again(source, int(first[0] == CHANCE_SUCCESS), CHANCE_SUCCESS)
    return (Die(SIDES, "chance", first), Die(SIDES, "again", extra)) if extra else (Die(SIDES, "chance", first),)


def _faces(source: Source, count: int) -> tuple[int, ...]:
    return tuple(source.rolls(count, SIDES))


def _again(source: Source, count: int, again: int) -> tuple[int, ...]:
    """Rounds of again dice until a round has none that goes again."""
    found: list[int] = []
    while count:
        faces = _faces(source, count)
        found += faces
        count = sum(face >= again for face in faces)
    return tuple(found)


def is_chance(dice: Sequence[Die]) -> bool:
    return dice[0].role == "chance"


def successes(dice: Sequence[Die]) -> int:
    """Faces that succeed: 8, 9 and 10, on a chance die and what follows it 10 alone."""
    least = CHANCE_SUCCESS if is_chance(dice) else SUCCESS
    return sum([face >= least for die in dice for face in die.faces])


def is_dramatic(dice: Sequence[Die]) -> bool:
    """A chance die that shows 1 at once; a 1 behind a 10 is none (ST-03, IT-07)."""
    return is_chance(dice) and dice[0].faces[0] == 1

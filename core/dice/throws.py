"""Throwing single dice: plain ones and ones that Ace.

Here: faces from a source into a `Die` of the record. Never: what a total is worth (the systems' `rules.py`).
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from core.dice.source import Source
from core.refusal import Refusal
from events.types import Die

Role: TypeAlias = Literal["trait", "wild", "damage", "pool", "again", "chance", "move", "check", "plain"]


def require_end(sides: int) -> None:
    """Refuse a die that would Ace for ever: bad_argument.endless (got, at, mark)."""
    if sides <= 1:
        raise Refusal("bad_argument", "endless", got=f"d{sides}", at=1, mark=f"d{sides}")


def plain(source: Source, sides: int, role: Role) -> Die:
    """One die, thrown once."""
    return Die(sides=sides, role=role, faces=(source.roll(sides),))


def ace(source: Source, sides: int, role: Role) -> Die:
    """One die, thrown again as long as it shows its highest face (SW-08). Refuses a die with one side."""
    require_end(sides)
    faces = [source.roll(sides)]
    while faces[-1] == sides:
        faces.append(source.roll(sides))
    return Die(sides=sides, role=role, faces=tuple(faces))


def total(die: Die) -> int:
    """All its faces together, Aces included, before any modifier."""
    return sum(die.faces)


def natural(die: Die) -> int:
    """What it showed first, which is what a critical failure looks at (SW-11)."""
    return die.faces[0]

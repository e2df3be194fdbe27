"""Where faces come from: the fair dice of `rollbook-dice-1`, or faces that a person read off real dice.

Here: turning a seed, or a list of given faces, into one face after another. Never: chance of its own (the
seed is handed in), what a face means, and how many dice an action needs.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, Protocol

from core.refusal import Refusal

SCHEME = "rollbook-dice-1"
_NUMBERS = 2**64  # a draw is one of so many
_DRAWS_IN_A_BLOCK = 4
_numbers_of = struct.Struct(f">{_DRAWS_IN_A_BLOCK}Q").unpack


def commitment(seed: bytes) -> str:
    """The SHA-256 of a period's seed, as 64 hex digits: what the table is shown before the first die falls."""
    return hashlib.sha256(seed).hexdigest()


class Source(Protocol):
    """Gives faces one by one. A throw starts with `begin` (or with the source) and ends with `finish`."""

    @property
    def kind(self) -> Literal["fair", "physical"]: ...

    @property
    def period(self) -> int | None:
        """The seed period the faces come from; None for physical dice."""

    @property
    def first(self) -> int | None:
        """The die number k at which this throw began; None for physical dice."""

    @property
    def next(self) -> int | None:
        """The die number k that the next throw begins with; None for physical dice."""

    def begin(self) -> None:
        """A new throw starts with the next face."""

    def roll(self, sides: int) -> int:
        """The next face of a die, 1 to `sides`."""

    def rolls(self, count: int, sides: int) -> list[int]:
        """The next faces of so many dice, as `roll` gives them one after another."""

    def pick(self, n: int) -> int:
        """A place 0 to n-1, drawn like a die with n sides."""

    def finish(self) -> None:
        """No more faces are needed. Refuses when some were given in vain."""


class FairDice:
    """The dice of one seed period (contract, "Fair dice").

    `seed` is the period's 32 bytes, `luck` the players' words in order, `next_k` the first die number not yet
    used. `next` is the one after the last that was drawn, discarded ones counted: the next throw starts there.
    """

    kind: Literal["fair"] = "fair"

    def __init__(self, seed: bytes, luck: Sequence[str], table: str, period: int, next_k: int = 0) -> None:
        self._begun = _begun(seed, tuple(luck), table, period)
        self._block = -1  # the block of `_numbers`
        self._numbers: tuple[int, ...] = ()
        self.period: int = period
        self.first: int = next_k
        self.next: int = next_k

    def begin(self) -> None:
        self.first = self.next

    def roll(self, sides: int) -> int:
        return self.pick(sides) + 1

    def rolls(self, count: int, sides: int) -> list[int]:
        fair = _fair(sides)
        faces: list[int] = []
        while len(faces) < count:
            drawn = self._ahead()[: count - len(faces)]
            self.next += len(drawn)
            faces += [number % sides + 1 for number in drawn if number < fair]
        return faces

    def pick(self, n: int) -> int:
        """A place 0 to n-1. ValueError unless 1 <= n <= 2^64: no limit of ours lets such dice through."""
        fair = _fair(n)
        while True:
            number = self._ahead()[0]
            self.next += 1
            if number < fair:
                return number % n

    def _ahead(self) -> tuple[int, ...]:
        """The numbers from the next one on, up to the end of its block."""
        block, place = divmod(self.next, _DRAWS_IN_A_BLOCK)
        if block != self._block:
            begun = self._begun.copy()
            begun.update(b"%d" % block)
            self._block, self._numbers = block, _numbers_of(begun.digest())
        return self._numbers[place:]

    def finish(self) -> None:
        """Nothing to check: fair dice never run out."""


def _fair(n: int) -> int:
    """Numbers from here on would favour the low places of `n`."""
    if not 1 <= n <= _NUMBERS:
        raise ValueError(f"no die has {n} sides")
    return _NUMBERS // n * n


@lru_cache(maxsize=256)
def _begun(seed: bytes, luck: tuple[str, ...], table: str, period: int) -> hmac.HMAC:
    """What is the same in every block of a period; each goes on from a copy."""
    words = "".join(f"{text}\n" for text in luck)
    key = hmac.digest(seed, words.encode(), "sha256")
    return hmac.new(key, f"{SCHEME}|{table}|{period}|".encode(), "sha256")


class GivenFaces:
    """Natural faces of dice rolled by hand, in the order of the contract (`dice=8,4,6`).

    Refuses with dice_mismatch: too_few (given), impossible_face (face, sides, at: its place from 1),
    too_many (left, given). Cards are not drawn by hand: not_allowed.no_physical_cards.
    """

    kind: Literal["physical"] = "physical"
    period: None = None
    first: None = None
    next: None = None

    def __init__(self, faces: Sequence[int]) -> None:
        self._faces = tuple(faces)
        self._used = 0

    def begin(self) -> None:
        """Nothing to mark: physical dice have no numbers."""

    def roll(self, sides: int) -> int:
        if self._used == len(self._faces):
            raise Refusal("dice_mismatch", "too_few", given=len(self._faces))
        face = self._faces[self._used]
        self._used += 1
        if not 1 <= face <= sides:
            raise Refusal("dice_mismatch", "impossible_face", face=face, sides=sides, at=self._used)
        return face

    def rolls(self, count: int, sides: int) -> list[int]:
        return [self.roll(sides) for _ in range(count)]

    def pick(self, n: int) -> int:  # noqa: ARG002  the port's signature
        raise Refusal("not_allowed", "no_physical_cards")

    def finish(self) -> None:
        if left := len(self._faces) - self._used:
            raise Refusal("dice_mismatch", "too_many", left=left, given=len(self._faces))

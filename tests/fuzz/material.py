"""What a fuzzer's bytes become: numbers, choices, text, and JSON that is nearly what a platform sends.

Here: bytes -> things to try. Never: what is tried with them (targets.py). The same bytes give the same things.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, TypeVar

T = TypeVar("T")

ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 7, 2**31, -(2**63), 2**64, 10**30, 0.5, -0.0, 1e308, "", " ", "0", "-1", "/", "!", "。",
    "#", "\x00", "\u202e", "\ud800", "龘" * 70, "x" * 5000, "@",
    "$a|$b<$c#2", "m.text", "m.replace", "m.thread", "private",
    [], {}, [[]], [None], {"": None}, {"event_id": {}}, {"rel_type": "m.replace"}, {"body": 7},
)  # fmt: skip
MOST_CHANGES = 6
KEYS = 3  # of what may be done with a member: changed, removed, doubled under an odd key


class Material:
    """Bytes taken from the front; when they are used up everything is 0 or empty."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def number(self, below: int) -> int:
        """From 0 on; two bytes each."""
        taken = self._data[self._at : self._at + 2]
        self._at += 2
        return int.from_bytes(taken, "big") % below

    def one_of(self, several: Sequence[T]) -> T:
        return several[self.number(len(several))]

    def rest(self) -> bytes:
        taken, self._at = self._data[self._at :], len(self._data)
        return taken

    def text(self) -> str:
        """All that is left; half a surrogate pair, which JSON can bring, comes through where all else is UTF-8."""
        rest = self.rest()
        try:
            return rest.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            return rest.decode("utf-8", "replace")

    def bent(self, sample: Any) -> Any:
        """The sample with up to six of its values changed, removed or replaced by others of its own."""
        bent = deepcopy(sample)
        for _ in range(self.number(MOST_CHANGES + 1)):
            holder, key = self.one_of(_places(bent) or [([None], 0)])
            self._bend(holder, key, sample)
        return bent

    def _bend(self, holder: Any, key: Any, sample: Any) -> None:
        match self.number(KEYS + 1):
            case 0:
                del holder[key]
            case 1:
                other, at = self.one_of(_places(sample))
                holder[key] = deepcopy(other[at])
            case 2 if isinstance(holder[key], str):
                holder[key] += str(self.one_of(ODD))
            case _:
                holder[key] = deepcopy(self.one_of(ODD))

    def damaged(self, content: bytes) -> bytes:
        """The content with up to six bytes turned over, cut out or doubled."""
        kept = bytearray(content)
        for _ in range(self.number(MOST_CHANGES + 1)):
            at, much = self.number(len(kept) + 1), self.number(64)
            match self.number(3):
                case 0:
                    kept[at : at + 1] = bytes([much * 4 % 256])
                case 1:
                    del kept[at : at + much]
                case _:
                    kept[at:at] = kept[at : at + much]
        return bytes(kept)


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every member of every object and list in it, as (where, key)."""
    if isinstance(value, dict):
        found: list[tuple[Any, Any]] = [(value, key) for key in value]
        return found + [place for one in value.values() for place in _places(one)]
    if isinstance(value, list):
        found = [(value, n) for n in range(len(value))]
        return found + [place for one in value for place in _places(one)]
    return []

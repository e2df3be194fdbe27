"""What of a log is still secret, and from whom.

Here: which events an export withholds. Never: how it is written, and nothing about who asks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from events.codec import decode
from events.envelope import Stored
from events.types import RollMade, SeedRevealed

Role: TypeAlias = Literal["player", "gm", "audit"]
HIDDEN: dict[Role, frozenset[str]] = {
    "player": frozenset({"both", "gm", "me"}),
    "gm": frozenset({"me"}),
    "audit": frozenset(),
}
_MARKS = (b'"type":"RollMade"', b'"type":"SeedRevealed"')  # a look at the bytes saves reading all other events


def withheld(stored: Iterable[Stored], role: Role) -> frozenset[str]:
    """The causes of the acts with a secret roll that `role` may not see: those after the last seed revealed."""
    causes: set[str] = set()
    for one in stored:
        if not any(mark in one.body for mark in _MARKS):
            continue
        envelope = decode(one)
        if isinstance(envelope.data, SeedRevealed):
            causes.clear()
        elif isinstance(envelope.data, RollMade) and envelope.data.secret in HIDDEN[role]:
            causes.add(envelope.cause)
    return frozenset(causes)

"""What of a log is still secret, and from whom.

Here: which events an export withholds. Never: how it is written, and nothing about who asks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from events.codec import decode
from events.envelope import Envelope, Stored
from events.types import ExtendedProgress, ExtendedStarted, RollMade, SeedRevealed

Role: TypeAlias = Literal["player", "gm", "audit"]
HIDDEN: dict[Role, frozenset[str]] = {
    "player": frozenset({"both", "gm", "me"}),
    "gm": frozenset({"me"}),
    "audit": frozenset(),
}
_MARKS = tuple(  # a look at the bytes saves reading all other events
    f'"type":"{kind.__name__}"'.encode() for kind in (RollMade, SeedRevealed, ExtendedStarted, ExtendedProgress)
)


def withheld(stored: Iterable[Stored], role: Role) -> frozenset[str]:
    """The causes of the acts that `role` may not see.

    Those with a secret roll after the last seed revealed, and, for players, those that name the target of an
    extended action which the ST keeps secret, until the action is complete.
    """
    causes: set[str] = set()
    targets: dict[str, set[str]] = {}
    for one in stored:
        if not any(mark in one.body for mark in _MARKS):
            continue
        envelope = decode(one)
        if isinstance(envelope.data, SeedRevealed):
            causes.clear()
        elif isinstance(envelope.data, RollMade) and envelope.data.secret in HIDDEN[role]:
            causes.add(envelope.cause)
        elif role == "player":
            _note_target(envelope, targets)
    return frozenset(causes.union(*targets.values()))


def _note_target(envelope: Envelope, targets: dict[str, set[str]]) -> None:
    """Which acts name a secret target: by the action's title, dropped when it is reached."""
    event = envelope.data
    if isinstance(event, ExtendedStarted):
        targets.pop(event.action, None)
        if event.secret:
            targets[event.action] = {envelope.cause}
    elif isinstance(event, ExtendedProgress) and event.action in targets:
        targets[event.action].add(envelope.cause)
        if event.status == "complete":
            del targets[event.action]

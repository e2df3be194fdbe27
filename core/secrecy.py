"""What of a record is still secret, and from whom.

Here: which acts are withheld from a role. Never: how they are told or written, and nothing about who asks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from events.envelope import Envelope
from events.types import ChoiceMade, ChoiceOffered, Event, ExtendedProgress, ExtendedStarted, RollMade, SeedRevealed

Role: TypeAlias = Literal["player", "gm", "audit"]
HIDDEN: dict[Role, frozenset[str]] = {
    "player": frozenset({"both", "gm", "me"}),
    "gm": frozenset({"me"}),
    "audit": frozenset(),
}
# Facts of other types make no difference to what is withheld: whoever reads a long record may leave them out.
LOOKED_AT: tuple[type[Event], ...] = (
    RollMade, SeedRevealed, ChoiceOffered, ChoiceMade, ExtendedStarted, ExtendedProgress,
)  # fmt: skip


def withheld(envelopes: Iterable[Envelope], role: Role) -> frozenset[str]:
    """The causes of the acts that `role` may not see.

    Those with a secret roll after the last seed revealed, the picks that such a roll offered, and, for players, those
    that name the target of an extended action which the ST keeps secret, until the action is complete.
    """
    causes: set[str] = set()
    offers: dict[int, str] = {}
    targets: dict[str, set[str]] = {}
    for one in envelopes:
        match one.data:
            case SeedRevealed():
                causes.clear()
            case RollMade(secret=secret) if secret in HIDDEN[role]:
                causes.add(one.cause)
            case ChoiceOffered(choice=choice):
                offers[choice] = one.cause
            case ChoiceMade(choice=choice) if offers.get(choice) in causes:
                causes.add(one.cause)
        if role == "player":
            _note_target(one, targets)
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

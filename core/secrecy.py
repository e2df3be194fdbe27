"""What of a record is still secret, and from whom.

Here: which acts and facts are withheld from a role. Never: how they are told or written, and nothing about who asks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from msgspec import Struct

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


class Withheld(Struct, frozen=True):
    """What somebody may not see: `causes` are those of acts withheld as a whole, `seqs` are facts of other acts."""

    causes: frozenset[str] = frozenset()
    seqs: frozenset[int] = frozenset()

    def hides(self, envelope: Envelope) -> bool:
        return envelope.cause in self.causes or envelope.seq in self.seqs


def withheld(envelopes: Iterable[Envelope], role: Role) -> Withheld:
    """What `role` may not see.

    The acts with a secret roll after the last seed revealed, and the picks that such a roll offered; for players also
    the facts that name the target of an extended action which the ST keeps secret, until the action is complete. The
    rolls towards it are open.
    """
    causes: set[str] = set()
    offers: dict[int, str] = {}
    targets: dict[str, set[int]] = {}
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
    return Withheld(frozenset(causes), frozenset().union(*targets.values()))


def _note_target(envelope: Envelope, targets: dict[str, set[int]]) -> None:
    """Which facts name a secret target: by the action's title, dropped when it is reached."""
    event = envelope.data
    if isinstance(event, ExtendedStarted):
        targets.pop(event.action, None)
        if event.secret:
            targets[event.action] = {envelope.seq}
    elif isinstance(event, ExtendedProgress) and event.action in targets:
        targets[event.action].add(envelope.seq)
        if event.status == "complete":
            del targets[event.action]

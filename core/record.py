"""A record read as acts: what belongs together, what was taken back, what may be told to everybody.

Here: reading alone. Never: telling, counting, the log itself (whoever has it hands the envelopes in).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import TypeAlias

from msgspec import Struct

from core.secrecy import Role, withheld
from events.envelope import Envelope
from events.types import AccountLinked, Undone

Record: TypeAlias = Callable[[], Iterable[Envelope]]  # a table's envelopes, each time it is asked


class Act(Struct, frozen=True):
    """All envelopes of one command. `by` is the seq of what took it back; `hidden`: it is withheld as a whole."""

    envelopes: tuple[Envelope, ...]
    by: int | None = None
    hidden: bool = False


def acts(record: Record, role: Role = "player", session: int | None = None) -> Iterator[Act]:
    """The acts in order, or those of one session, as `role` may know them. Reads the record three times."""
    secret, undone = withheld(record(), role), taken_back(record())
    for cause, group in groupby(record(), key=lambda one: one.cause):
        envelopes = tuple(group)
        if session in (None, envelopes[0].session):
            yield Act(envelopes, undone.get(envelopes[0].seq), cause in secret.causes)


def people(envelopes: Iterable[Envelope]) -> dict[str, str]:
    """Ids that are another person's by now -> that person's, where accounts were joined."""
    now: dict[str, str] = {}
    for one in envelopes:
        if isinstance(one.data, AccountLinked):
            was, person = one.data.was, one.data.person
            now = {id: person if other == was else other for id, other in now.items() if id != person} | {was: person}
    return now


def taken_back(envelopes: Iterable[Envelope]) -> dict[int, int]:
    """First seq of an act -> seq of what took it back."""
    return {one.data.event: one.seq for one in envelopes if isinstance(one.data, Undone)}

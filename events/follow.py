"""A log followed: every event of every table given once, and none left out, however many write meanwhile.

Here: how far a follower has come, and what it is given. Never: how a database tells what is still on its way (each
database's own).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from msgspec import Struct

from events.envelope import Stored
from events.log import LogUnusable


class Mark(Struct, frozen=True, order=True, gc=False):
    """How far a follower has come: the last event that it was given, and its hash; as it is: nothing yet.

    What the numbers count is the log's own business. A follower keeps the mark and hands it back.
    """

    era: int = 0
    xid: int = 0
    position: int = 0
    hash: str = ""


class Followed(Struct, frozen=True, gc=False):
    """An event, the table that it belongs to, and the mark to go on from behind it."""

    mark: Mark
    table: str
    event: Stored


class Followable(Protocol):
    """A log that can be followed."""

    def follow(self, after: Mark = Mark()) -> Iterator[Followed]:
        """The events of all tables behind `after`, as many as are settled now, a few at a time in memory.

        Each table's stand in the order of their seqs. What was acknowledged and is not among them is given by a later
        call: it stands behind something that is still being written. LogUnusable("damaged"): the log does not have the
        event up to which it was followed, since it was put back to an earlier state; begin anew.
        """


def cut_back(place: str) -> LogUnusable:
    """To go on from such a mark could leave out what was written in place of the events that are gone."""
    why = f"It was followed to an event that {place} has no longer; please follow it from its beginning."
    return LogUnusable("damaged", why)

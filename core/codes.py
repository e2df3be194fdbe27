"""Codes that a person reads off one screen and types into another: good once and for a short time.

Here: how they are made, shown and accepted. Never: what they are good for.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from core.refusal import Refusal
from core.tables import Tables
from events.beside import Invitation

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # none that is taken for another when read aloud
SIZE = 8


class Codes:
    """See `core.tables.Tables` for what it is given."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def invitation(self, minutes: int, *, table: str = "", person: str = "", purpose: str = "") -> Invitation:
        until = datetime.fromisoformat(self.tables.clock()) + timedelta(minutes=minutes)
        text = until.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        code = "".join(LETTERS[byte % len(LETTERS)] for byte in self.tables.entropy(SIZE))
        return Invitation(code, text, table, person, purpose)

    def accepted(self, code: str, fits: Callable[[Invitation], bool]) -> Invitation:
        """The invitation with this code, if it is of the right kind and still good."""
        found = self.tables.log.invitation(code)
        if found is None or not fits(found) or found.until < self.tables.clock():
            raise Refusal("not_found", "code", code=code)
        return found


def shown(code: str) -> str:
    return f"{code[:4]}-{code[4:]}"

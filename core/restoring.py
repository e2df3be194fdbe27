"""A log that was restored from a backup goes on: with other dice, and every chat told so.

Here: the fact at every table, with its letters. Never: how a log is copied (`events/`), or a sentence.

A copy has the seed of the open period. What fell by it behind the copy is known to people, and the record has none of
it: the next die would be one that they have seen.
"""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from core.evolve import Table
from core.messages import Incoming
from core.table import verbs as v
from core.tables import Outcome, Tables
from events.beside import Beside, MessageKey, Receipt

ACTOR = "rollbook"  # nobody at the table did it
PLATFORM = "backup"  # of the cause
RESTORED_AT = "restored"  # a bookmark: when the log was put back from a backup, in whole seconds since 1970


def go_on(tables: Tables, mark: str) -> int:
    """Publish the open seed of every table and begin another; how many tables had one.

    `mark` names this restore, as no other one is named.
    """
    known = tables.log.tables()
    for id in known:
        key = MessageKey(PLATFORM, id, mark)
        incoming = Incoming(key=key, person=ACTOR, name="", text="")
        tables.settle(id, partial(_meant, tables), incoming, partial(_told, tables, key))
    return sum(tables.log.receipt(MessageKey(PLATFORM, id, mark)) is not None for id in known)


def _meant(tables: Tables, table: Table) -> v.GoOnFromBackup | None:
    """None: the seed is not at hand, and the next throw begins another anyway."""
    return v.GoOnFromBackup() if tables.log.seed(table.id, table.ledger.period) else None


def _told(tables: Tables, key: MessageKey, outcome: Outcome) -> Beside:
    """All chats of the table hear it; nobody asked, so there is no answer."""
    first, last = outcome.sealed[0].seq, outcome.sealed[-1].seq
    receipt = Receipt(outcome.table.id, first, last, None, ())
    return replace(outcome.beside, key=key, receipt=receipt, also=tables.copies(outcome, (key.platform, key.chat)))

"""Which table of a log is meant.

Here: by id, by title, by the name it has in this terminal. Never: what is done with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.grammar.text import fold
from events.codec import UnreadableEvent, decode
from events.log import EventLog
from events.types import TableOpened

MOST_SHOWN = 8  # tables named in a sentence


class WhichTable(Exception):
    """No table is called so, or more than one; str() says which there are."""


def title_of(log: EventLog, table: str) -> str:
    """The title a table was opened with; empty if it had none or, in a damaged log, none that can be read."""
    try:
        events = [decode(stored).data for stored in log.read(table, to=1)]
    except UnreadableEvent:
        return ""
    return next((event.title for event in events if isinstance(event, TableOpened)), "")


def table_named(log: EventLog, name: str | None, platform: str) -> str:
    """The table with this id, title, or chat on `platform`; without a name the log's only one. Else WhichTable."""
    tables = log.tables()
    if name in tables:
        return str(name)
    found = tables if name is None else _called(log, name, tables, platform)
    if len(found) == 1:
        return found[0]
    if not tables:
        raise WhichTable("There is no table in this log yet.")
    if found:
        raise WhichTable(f"Which table? Say --table with one of: {shown(log, found)}.")
    raise WhichTable(f"No table is called {name}. There are: {shown(log, tables)}.")


def shown(log: EventLog, tables: Sequence[str]) -> str:
    """The first few of them, each with its title."""
    return ", ".join(_shown(log, one) for one in tables[:MOST_SHOWN])


def _called(log: EventLog, name: str, tables: list[str], platform: str) -> list[str]:
    here = log.table_of(platform, name)
    return [one for one in tables if one == here or fold(title_of(log, one)) == fold(name)]


def _shown(log: EventLog, table: str) -> str:
    title = title_of(log, table)
    return f"{table} ({title})" if title else table

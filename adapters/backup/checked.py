"""What is in a backup, and whether it holds.

Here: a log's file looked at whole, every table's chain and dice worked out again. Never: a backup made or put in place.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from adapters.export.tables import title_of
from adapters.export.words import WHY
from adapters.terminal.progress import watched
from adapters.terminal.verdict import SHORT_HASH
from core.language import Line, line
from core.verify import Broken, Verdict, verify
from events.envelope import Head
from events.log import EventLog
from events.sqlite import SqliteLog
from events.talk import Texts

MOST_TOLD = 20  # tables that are told one by one


class Checked(Struct, frozen=True):
    """The verdict on each table, by what people call it; and the platforms on which it is open."""

    verdicts: tuple[tuple[str, Verdict], ...]
    platforms: frozenset[str]

    @property
    def holds(self) -> bool:
        return not any(verdict.broken for _, verdict in self.verdicts)

    @property
    def events(self) -> int:
        return sum(verdict.events for _, verdict in self.verdicts)

    def broken(self) -> Iterator[Line]:
        """The first event of each table that does not hold."""
        for name, verdict in self.verdicts:
            if broken := verdict.broken:
                yield line("broken", name=name, seq=broken.seq, why=WHY[broken.why])

    def heads(self) -> Iterator[Line]:
        """The end of each table's chain, to be compared with what its chat was told; of many tables the first."""
        for name, verdict in self.verdicts[:MOST_TOLD]:
            head = verdict.head
            yield line("head", name=name, events=verdict.events, seq=head.seq, hash=head.hash[:SHORT_HASH])
        if len(self.verdicts) > MOST_TOLD:
            yield line("more", count=len(self.verdicts) - MOST_TOLD)


def checked(path: Path) -> Checked:
    """LogUnusable: it is no log, or damaged as a file."""
    with closing(watched(SqliteLog(path, read_only=True))) as log:
        log.examine()
        tables = log.tables()
        with log.shown(sum(log.head(table).seq for table in tables)):
            verdicts = tuple((name_of(log, one), verdict_on(log, one)) for one in tables)
        return Checked(verdicts, frozenset(platform for one in tables for platform, _ in log.chats(one)))


def verdict_on(log: EventLog, table: str, noted: Head | None = None) -> Verdict:
    """On a table of a log; a log knows a table that was opened with an event, so where there is none, all are gone."""
    found = verify(log.read(table), noted, texts=Texts(log, table))
    return found if found.events or found.broken else replace(found, broken=Broken(1, "seq_missing"))


def name_of(log: EventLog, table: str) -> str:
    """Its title and its id."""
    title = title_of(log, table)
    return f"{title} ({table})" if title else table

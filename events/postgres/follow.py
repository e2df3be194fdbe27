"""The order in which a log in PostgreSQL is followed, so that none of its events is missed.

Positions are given out before the commit: where position 8 was read, 7 may be there a moment later, and whoever asks
for what comes behind 8 never sees it. So events are followed by the transaction that wrote them, and no further than to
the oldest one that is not yet over: of those before it nothing can come any more. Who appends to a table has its lock
before its transaction gets a number, so a table's events come in order. A transaction that stands still anywhere on the
server, in another database too, holds followers up; it hides nothing from them.

Numbers of transactions are one server's. In a log that was restored by dump into another, they may lie ahead of what
that one counts. Then a new era begins, whose events stand behind all that came along.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from events.envelope import Stored
from events.follow import Followed, Mark
from events.postgres.link import Conn

PAGE = 500  # events read at a time
End: TypeAlias = tuple[int, int]  # an era, and the first transaction in it that is not settled

_BEGIN_ERA = """INSERT INTO eras (era)
    SELECT era + 1 FROM (SELECT era, xid FROM events ORDER BY era DESC, xid DESC LIMIT 1) AS last
    WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())
    ON CONFLICT DO NOTHING"""
_SNAPSHOT = """SELECT era, pg_snapshot_xmin(now)::text::bigint, pg_snapshot_xmax(now)::text::bigint, (
        SELECT xid::text::bigint FROM events WHERE events.era = latest.era ORDER BY events.xid DESC LIMIT 1
    ) FROM (SELECT max(era) AS era FROM eras) AS latest, pg_current_snapshot() AS now"""
_IS_THERE = "SELECT FROM events WHERE era = %s AND xid = %s::text::xid8 AND position = %s AND hash = %s"
_PAGE = """SELECT era, xid::text::bigint, position, name, seq, body, hash
    FROM events JOIN tables ON tables.id = table_id
    WHERE (era, xid, position) > (%s, %s::text::xid8, %s) AND (era, xid) < (%s, %s::text::xid8)
    ORDER BY era, events.xid, position LIMIT %s"""  # of the index, not as it is given out


def begin_era(conn: Conn) -> None:
    """To be called before anything is appended over a new connection: who knows on which server it has ended up."""
    conn.execute(_BEGIN_ERA)


def settled(conn: Conn) -> End:
    """How far the log can be followed now."""
    [(era, oldest, unused, last)] = conn.execute(_SNAPSHOT).fetchall()
    return (era + 1, 0) if last is not None and last >= unused else (era, oldest)  # restored, and not yet written to


def has(conn: Conn, mark: Mark) -> bool:
    """Whether the event is there that a follower was given last."""
    return mark == Mark() or conn.execute(_IS_THERE, (*_numbers(mark), mark.hash)).fetchone() is not None


def page(conn: Conn, after: Mark, end: End) -> list[Followed]:
    """The next ones in order; none: that is all up to `end`."""
    rows = conn.execute(_PAGE, (*_numbers(after), end[0], str(end[1]), PAGE), binary=True).fetchall()
    return [
        Followed(Mark(era, xid, position, digest), table, Stored(seq, body, digest))
        for era, xid, position, table, seq, body, digest in rows
    ]


def _numbers(mark: Mark) -> tuple[Any, ...]:
    """A bigint cannot be cast to an xid8, a text can."""
    return mark.era, str(mark.xid), mark.position

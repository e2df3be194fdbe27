"""A connection to PostgreSQL that is made anew when it was lost, and what goes wrong there as LogUnusable.

Nothing of the address but the names of database and host is ever told, and of what PostgreSQL says only the first
line: what follows there may quote a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias

import psycopg
from msgspec import DecodeError, Struct
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from events.log import LogUnusable, Unusable

Conn: TypeAlias = psycopg.Connection[tuple[Any, ...]]

# What the address does not say otherwise. A server that is gone is noticed in half a minute, by both sides.
_MANNERS: dict[str, str | int] = {
    "application_name": "rollbook",
    "client_encoding": "utf8",
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}
_SERVERS_MANNERS = """SELECT set_config('tcp_keepalives_idle', '10', false),
    set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '3', false)"""

_SENTENCES: dict[Unusable, str] = {
    "not_a_log": "{place} is not a Rollbook log.",
    "other_program": "{place} belongs to another program.",
    "newer": "{place} was written by a newer version of Rollbook; please update this one.",
    "read_only": "{place} can be read but not written.",
    "locked": "{place} has been held by another program for too long; please try again.",
    "full": "The disk that holds {place} is full.",
    "no_access": "{place} cannot be reached: {said}.",
    "missing": "There is no log in {place}.",
    "damaged": "{place} is damaged; please restore a backup.",
    "failed": "{place} could not be used: {said}.",
    "unknown": "{place} was lost while something was being stored: it may be there or not; look before you repeat it.",
}
_REASONS: tuple[tuple[type[Exception], Unusable], ...] = (
    (errors.DiskFull, "full"),
    (errors.ReadOnlySqlTransaction, "read_only"),
    (errors.LockNotAvailable, "locked"),
    (errors.InsufficientPrivilege, "no_access"),
    (errors.DataCorrupted, "damaged"),
    (errors.IndexCorrupted, "damaged"),
    (DecodeError, "damaged"),  # choices that are no JSON
)


class Address(Struct, frozen=True):
    """Where a log is: as libpq reads it; as it may be told, in a sentence and by itself (`postgresql://host/name`)."""

    conninfo: str
    place: str
    url: str

    def __repr__(self) -> str:
        return f"Address({self.place!r})"  # a password may stand in the other one


def address(conninfo: str) -> Address:
    """LogUnusable("no_access"): it is no address. It is not quoted then: a password may stand in it."""
    given = _parts(conninfo)
    name, host = given.get("dbname") or given.get("user") or "", given.get("host") or ""
    place = " ".join(["the database", *([name] if name else []), *([f"on {host}"] if host else [])])
    full = make_conninfo(conninfo, **{key: to for key, to in _MANNERS.items() if key not in given})
    return Address(full, place, f"postgresql://{host}/{name}")


def _parts(conninfo: str) -> dict[str, str]:
    """By the names that libpq has for them."""
    try:
        given = {key: str(value) for key, value in conninfo_to_dict(conninfo).items() if value is not None}
    except psycopg.Error:
        given = {"port": "unreadable"}
    # A `/` or `@` of a password that was not written as %2F or %40 puts the rest of it among what is told.
    if "@" in given.get("host", "") + given.get("dbname", "") or set(given.get("port", "")) - set("0123456789,"):
        raise unusable("no_access", "The database", "its address cannot be read")
    return given


class Link:
    """One connection, made when it is first asked for. For one thread at a time.

    `greet` is what a new connection needs before anything else. Transactions are begun and ended in plain sight.
    """

    def __init__(self, address: Address, greet: Callable[[Conn], None] = lambda _: None) -> None:
        self.address = address
        self._greet = greet
        self._conn: Conn | None = None
        self._closed = False

    def conn(self) -> Conn:
        """The connection. LogUnusable: it was lost, and there is no other."""
        if self._closed:
            raise unusable("failed", self.address.place, "the log is closed")
        if self._conn is None or self._conn.closed:
            with telling(self.address.place):
                self._conn = self._made()
        return self._conn

    def lost(self) -> bool:
        """Whether there was a connection that is no more."""
        return self._conn is not None and self._conn.closed

    def drop(self) -> None:
        """The next `conn` makes another one."""
        conn, self._conn = self._conn, None
        if conn is not None:
            conn.close()

    def close(self) -> None:
        """For good."""
        self._closed = True
        self.drop()

    def _made(self) -> Conn:
        conn = psycopg.connect(self.address.conninfo, autocommit=True)
        try:
            conn.execute(_SERVERS_MANNERS)
            self._greet(conn)
        except BaseException:
            conn.close()
            raise
        return conn


def rolled_back(conn: Conn) -> None:
    """Out of whatever transaction the connection is in."""
    with suppress(psycopg.Error):  # then it is lost, and the server rolls back by itself
        if not conn.closed and conn.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            conn.execute("ROLLBACK")


@contextmanager
def telling(place: str) -> Iterator[None]:
    """What goes wrong with the database, as LogUnusable; ValueError: it cannot hold what was to be written."""
    try:
        yield
    except (psycopg.Error, DecodeError) as error:
        raise told(place, error) from error


def told(place: str, error: Exception) -> Exception:
    """An error as it is told; one that is none of PostgreSQL's stays as it is."""
    if isinstance(error, psycopg.DataError):
        return ValueError(f"PostgreSQL cannot keep this: {_said(error)}.")
    return _unusable(place, error) if isinstance(error, psycopg.Error | DecodeError) else error


def _unusable(place: str, error: Exception) -> LogUnusable:
    for kind, reason in _REASONS:
        if isinstance(error, kind):
            return unusable(reason, place, _said(error))
    connecting = isinstance(error, psycopg.OperationalError) and error.sqlstate is None
    return unusable("no_access" if connecting else "failed", place, _said(error))


def unusable(reason: Unusable, place: str, said: str = "") -> LogUnusable:
    sentence = _SENTENCES[reason].format(place=place, said=said)
    return LogUnusable(reason, sentence[0].upper() + sentence[1:])


def _said(error: Exception) -> str:
    """In one line, without what may hold a row's values."""
    primary = error.diag.message_primary if isinstance(error, psycopg.Error) else None
    lines = (primary or str(error)).strip().splitlines()
    return lines[0].strip().rstrip(".") if lines else type(error).__name__

"""PostgresLog: the EventLog in a PostgreSQL database.

Any number of programs may use one database. What is appended is on disk when `append` returns or the future of `submit`
is done. Up to four connections: the writer's, one on which everything else is asked, one for leases, and one that
listens to what other programs tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import Any, TypeVar

import psycopg

from events.beside import Account, Beside, Invitation, MessageKey, Pending, Receipt, Said, Standing
from events.dump import Row
from events.envelope import Head, Stored
from events.follow import Followed, Mark, cut_back
from events.log import Entry, check, submitted, taken
from events.postgres import dump, follow
from events.postgres.batch import receipts
from events.postgres.leases import LEASE_S, TASK, Leases
from events.postgres.link import Conn, Link, address, telling, unusable
from events.postgres.listener import Hear, Listener
from events.postgres.schema import LOCK, lock_key, prepared
from events.postgres.writer import STILL_S, Writer
from events.rows import POSTED, pending_of

T = TypeVar("T")

PATIENCE_S = 5.0
_PAGE = 500  # events read at a time
_LAST = 2**63 - 1  # the greatest seq there can be
_NOTHING = Beside()

_HEAD = """SELECT seq, hash FROM events WHERE table_id = (SELECT id FROM tables WHERE name = %s)
    ORDER BY seq DESC LIMIT 1"""
_READ = """SELECT seq, body, hash FROM events WHERE table_id = (SELECT id FROM tables WHERE name = %s)
    AND seq > %s AND seq <= %s ORDER BY seq LIMIT %s"""
_TABLE_OF = "SELECT name FROM chats JOIN tables ON tables.id = table_id WHERE platform = %s AND chat = %s"
_CHATS = "SELECT platform, chat FROM chats JOIN tables ON tables.id = table_id WHERE name = %s"
_STANDING = """SELECT EXISTS (SELECT FROM inbox WHERE platform = asked.platform AND chat = asked.chat AND message = %s),
    name, (SELECT max(seq) FROM events WHERE table_id = tables.id), bound.platforms, bound.chats
    FROM (SELECT %s::text, %s::text) AS asked (platform, chat)
    LEFT JOIN chats USING (platform, chat) LEFT JOIN tables ON tables.id = table_id
    LEFT JOIN LATERAL (SELECT array_agg(platform) AS platforms, array_agg(chat) AS chats
        FROM chats WHERE table_id = tables.id) AS bound ON true"""
_SEED = "SELECT seed FROM seeds JOIN tables ON tables.id = table_id WHERE name = %s AND period = %s"
_SAID = "seq, line, person, salt, text"
_OF_TABLE = "FROM texts WHERE table_id = (SELECT id FROM tables WHERE name = %s)"
_TEXTS = f"SELECT {_SAID} {_OF_TABLE} AND seq > %s AND seq <= %s ORDER BY seq"
_VERSIONS = f"SELECT {_SAID} {_OF_TABLE} AND line = %s ORDER BY seq"
_SAID_BY = f"""SELECT name, {_SAID} FROM texts JOIN tables ON tables.id = table_id
    WHERE person = %s ORDER BY table_id, seq"""  # noqa: S608
_PERSON = "SELECT person FROM accounts WHERE platform = %s AND account = %s"
_ACCOUNTS = "SELECT platform, account FROM accounts WHERE person = %s ORDER BY id"
_ACCOUNT = "INSERT INTO accounts (platform, account, person) VALUES (%s, %s, %s)"
_MOVE = """INSERT INTO chats SELECT platform, %s, table_id FROM chats WHERE platform = %s AND chat = %s
    ON CONFLICT DO NOTHING"""
_LEAVE = "DELETE FROM chats WHERE platform = %s AND chat = %s"
_WAITING = "SELECT DISTINCT chat FROM outbox WHERE NOT sent AND platform = %s"
# Not worth a sync. In one statement: who stands still between two would keep what they have locked.
_SOON = "(SELECT set_config('synchronous_commit', 'off', true)) = 'off'"
_SENT = f"UPDATE outbox SET sent = true WHERE id = %s AND {_SOON}"  # noqa: S608  constants
_INVITATION = "SELECT code, until, of_table, of_person, purpose FROM invitations WHERE code = %s"
_BOOKMARK = "SELECT value FROM bookmarks WHERE name = %s"
_SET_BOOKMARK = """INSERT INTO bookmarks VALUES (%s, %s)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value"""
_SNAPSHOT = "SELECT body FROM snapshots JOIN tables ON id = table_id WHERE name = %s"
_KEEP_SNAPSHOT = f"""INSERT INTO snapshots SELECT id, %s FROM tables WHERE name = %s AND {_SOON}
    ON CONFLICT (table_id) DO UPDATE SET body = excluded.body"""  # noqa: S608
_SIZE = """
    SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
"""
_CLAIMED = "SELECT EXISTS (SELECT FROM leases WHERE name = %s AND until > clock_timestamp())"
# Each table's events, once as they lie there and once as the index has them.
_COUNTED = "SELECT table_id, count(*), max(seq) FROM events GROUP BY table_id ORDER BY table_id"
_SCANNED = """SELECT set_config('enable_seqscan', %s, true), set_config('enable_bitmapscan', 'off', true),
    set_config('enable_indexscan', %s, true), set_config('enable_indexonlyscan', %s, true)"""
# Who stands still in the middle of a transaction is cut off before others lose patience with it.
_PATIENCE = """SELECT set_config('lock_timeout', %s, false),
    set_config('idle_in_transaction_session_timeout', %s, false)"""
_LOOKING = "SELECT set_config('default_transaction_read_only', 'on', false)"
_DURABLE = """SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') = 'off'"""  # what is told as durable is on disk, whatever others chose


class PostgresLog:
    """An EventLog in the database `conninfo` (`postgresql://…`, or as libpq reads it). For any number of threads.

    `patience_s`: how long an append waits for another program before LogUnusable("locked"), and for a server that is
    gone before LogUnusable("no_access"). `lease_s`: how long what this program has for itself alone stays so when it
    does not answer any more. `read_only`: for looking alone. Nothing is made or brought up to date, and whatever writes
    raises LogUnusable("read_only").
    """

    local = False

    def __init__(
        self, conninfo: str, patience_s: float = PATIENCE_S, *, lease_s: float = LEASE_S, read_only: bool = False
    ) -> None:
        where = address(conninfo)
        self.place = where.place
        self._patience_s, self._read_only = patience_s, read_only
        self._lock = Lock()
        self._link = Link(where, self._greet)
        try:
            with telling(self.place):
                self._schema = prepared(self._link.conn(), self.place, read_only=read_only)
        except BaseException:
            self._link.close()
            raise
        self._leases = Leases(where, self._schema, self._greet, lease_s)
        self._listener = Listener(where, self._schema)
        self._writer = Writer(where, self._schema, patience_s, self._greet, self._leases.tell)

    def append(self, table: str, expected: int, events: Sequence[Stored], beside: Beside = _NOTHING) -> None:
        self.submit(table, expected, events, beside).result()

    def append_many(self, entries: Sequence[Entry]) -> list[Exception | None]:
        return submitted(self, entries)

    def submit(self, table: str, expected: int, events: Sequence[Stored], beside: Beside = _NOTHING) -> Future[None]:
        entry = Entry(table, expected, events, beside)
        check(entry)
        return self._writer.submit(entry)

    def read(self, table: str, after: int = 0, to: int | None = None) -> Iterator[Stored]:
        end = _LAST if to is None else to
        while rows := self._rows(_READ, table, after, end, _PAGE):
            for row in rows:
                yield Stored(*row)
            after = rows[-1][0]

    def head(self, table: str) -> Head:
        rows = self._rows(_HEAD, table)
        return Head(*rows[0]) if rows else Head()

    def tables(self) -> list[str]:
        return [name for (name,) in self._rows("SELECT name FROM tables ORDER BY id")]

    def table_of(self, platform: str, chat: str) -> str | None:
        table: str | None = self._value(_TABLE_OF, platform, chat)
        return table

    def standing(self, key: MessageKey) -> Standing:
        """In one statement, but for what was taken up before."""

        def look(conn: Conn) -> Standing:
            asked = (key.message, key.platform, key.chat)
            ((seen, table, seq, platforms, chats),) = conn.execute(_STANDING, asked, binary=True).fetchall()
            before = receipts(conn, [key]).get(key) if seen else None
            bound = () if table is None else tuple(sorted(zip(platforms, chats, strict=True)))
            return Standing(before, table, seq or 0, bound)

        return self._ask(look)

    def chats(self, table: str) -> list[tuple[str, str]]:
        return sorted((platform, chat) for platform, chat in self._rows(_CHATS, table))

    def seed(self, table: str, period: int) -> bytes | None:
        seed: bytes | None = self._value(_SEED, table, period)
        return seed

    def texts(self, table: str, after: int = 0, to: int | None = None) -> dict[int, Said]:
        end = _LAST if to is None else to
        return {row[0]: _said(row) for row in self._rows(_TEXTS, table, after, end)}

    def versions(self, table: str, line: int) -> list[Said]:
        return list(map(_said, self._rows(_VERSIONS, table, line)))

    def said_by(self, person: str) -> dict[str, list[Said]]:
        found: dict[str, list[Said]] = {}
        for table, *row in self._rows(_SAID_BY, person):
            found.setdefault(table, []).append(_said(row))
        return found

    def names(self) -> dict[str, str]:
        return dict(self._rows("SELECT person, name FROM names"))

    def person(self, account: Account, fresh: str) -> str:
        return self.known(account) or self._ask(lambda conn: self._met(conn, account, fresh))

    def known(self, account: Account) -> str | None:
        person: str | None = self._value(_PERSON, account.platform, account.id)
        return person

    def accounts(self, person: str) -> list[Account]:
        return [Account(*row) for row in self._rows(_ACCOUNTS, person)]

    def move(self, platform: str, chat: str, to: str) -> None:
        if chat != to:
            self._ask(lambda conn: self._moved(conn, platform, chat, to))

    def receipt(self, key: MessageKey) -> Receipt | None:
        return self._ask(lambda conn: receipts(conn, [key])).get(key)

    def pending(self, platform: str | None = None, chat: str | None = None) -> list[Pending]:
        asked = {"outbox.platform": platform, "outbox.chat": chat}
        wanted = {column: value for column, value in asked.items() if value is not None}
        where = " AND ".join(["NOT sent", *(f"{column} = %s" for column in wanted)])  # columns of ours, values bound
        return self._letters(f"{POSTED} WHERE {where} ORDER BY outbox.id", *wanted.values())

    def waiting(self, platform: str) -> list[str]:
        return sorted(chat for (chat,) in self._rows(_WAITING, platform))

    def letter(self, id: int) -> Pending | None:
        return next(iter(self._letters(f"{POSTED} WHERE outbox.id = %s", id)), None)

    def written_to(self, person: str) -> list[Pending]:
        return self._letters(f"{POSTED} WHERE outbox.chat = %s ORDER BY outbox.id", person)

    def sent(self, letter: int) -> None:
        """Not worth a sync of its own: were it lost, the letter would be sent twice."""
        if not self._ask(lambda conn: conn.execute(_SENT, (letter,)).rowcount):
            raise LookupError(f"There is no letter {letter}.")

    def invitation(self, code: str) -> Invitation | None:
        rows = self._rows(_INVITATION, code)
        return Invitation(*rows[0]) if rows else None

    def bookmark(self, name: str) -> str | None:
        value: str | None = self._value(_BOOKMARK, name)
        return value

    def set_bookmark(self, name: str, value: str) -> None:
        self._ask(lambda conn: conn.execute(_SET_BOOKMARK, (name, value)))

    def snapshot(self, table: str) -> bytes | None:
        kept: bytes | None = self._value(_SNAPSHOT, table)
        return kept

    def keep_snapshot(self, table: str, body: bytes) -> None:
        self._ask(lambda conn: conn.execute(_KEEP_SNAPSHOT, (body, table)))

    def examine(self) -> None:
        """Whether the index of the events has all of them: a table of which it has lost the last only ends sooner."""
        lying, indexed = self._ask(_counted)
        if lying != indexed:
            raise unusable("damaged", self.place)

    def size(self) -> int:
        """Bytes of its tables and indexes."""
        return int(self._value(_SIZE))

    def dump(self) -> Iterator[Row]:
        """On a connection of its own."""
        with self._aside() as conn:
            yield from dump.dump(conn)

    def load(self, rows: Iterable[Row]) -> int:
        with self._aside() as conn:
            return dump.load(conn, rows, self.place)

    def follow(self, after: Mark = Mark()) -> Iterator[Followed]:
        """In the order of transactions, not of positions: see `follow.py`. Used by `rollbook log follow`."""
        if not self._ask(partial(follow.has, mark=after)):
            raise cut_back(self.place)
        end = self._ask(follow.settled)
        while found := self._ask(partial(follow.page, after=after, end=end)):
            yield from found
            after = found[-1].mark

    # ---- among several programs

    def sole(self, task: str) -> bool:
        """Asking costs nothing as long as it is so. A program that does not answer any more loses it in `lease_s`."""
        return self._leases.claim(task)

    def claimed(self, task: str) -> bool:
        """Whether any program, this one too, does this task just now. Nothing is taken by asking."""
        return bool(self._value(_CLAIMED, TASK + task))

    def lease(self, table: str) -> Future[bool]:
        """Done when no other program has its turn at this table; from then on it is ours until `release`, for all here
        who ask. Cancelled, it is not wanted any more. Raises LogUnusable.

        It spares programs that would decide on the same head from doing it again. Only the head makes it sure.
        """
        return self._leases.lease(table)

    def release(self, table: str) -> None:
        """Once for each `lease` that was granted."""
        self._leases.release(table)

    def tell(self, word: str) -> None:
        """To all programs on this log that listen, this one too: soon, and perhaps."""
        self._leases.tell(word)

    def listen(self, hear: Hear) -> None:
        """Call `hear`, in another thread, with each word that is told from now on: NEWS when something was appended,
        NAMES when somebody is called otherwise, MISSED when words may have been lost."""
        self._listener.add(hear)

    def close(self) -> None:
        self._writer.close()
        self._leases.close()
        self._listener.close()
        with self._lock:
            self._link.close()

    def _greet(self, conn: Conn) -> None:
        conn.execute(_PATIENCE, (_ms(self._patience_s), _ms(max(STILL_S, self._patience_s / 2))))
        conn.execute(_LOOKING if self._read_only else _DURABLE)

    @contextmanager
    def _aside(self) -> Iterator[Conn]:
        """A connection for something that takes long."""
        link = Link(self._link.address, self._greet)
        try:
            with telling(self.place):
                yield link.conn()
        finally:
            link.close()

    def _ask(self, work: Callable[[Conn], T]) -> T:
        """What `work` finds on the connection; once more on a new one where that was lost, so it may be done twice."""
        with self._lock, telling(self.place):
            try:
                return work(self._link.conn())
            except psycopg.Error:
                if not self._link.lost():
                    raise
                return work(self._link.conn())

    def _rows(self, sql: str, *parameters: str | int) -> list[tuple[Any, ...]]:
        return self._ask(lambda conn: conn.execute(sql, parameters, binary=True).fetchall())

    def _value(self, sql: str, *parameters: str | int) -> Any:
        rows = self._rows(sql, *parameters)
        return rows[0][0] if rows else None

    def _letters(self, sql: str, *parameters: str | int) -> list[Pending]:
        rows = self._rows(sql, *parameters)
        with telling(self.place):
            return list(map(pending_of, rows))

    def _met(self, conn: Conn, account: Account, fresh: str) -> str:
        """Somebody new, unless another program was faster."""
        with conn.transaction():
            self._lock_in(conn, ("account", account.platform, account.id), ("person", fresh))
            if row := conn.execute(_PERSON, (account.platform, account.id)).fetchone():
                person: str = row[0]
                return person
            if conn.execute(_ACCOUNTS, (fresh,)).fetchone():
                raise taken(fresh)
            conn.execute(_ACCOUNT, (account.platform, account.id, fresh))
            return fresh

    def _moved(self, conn: Conn, platform: str, chat: str, to: str) -> None:
        with conn.transaction():
            self._lock_in(conn, ("chat", chat), ("chat", to))
            conn.execute(_MOVE, (to, platform, chat))
            conn.execute(_LEAVE, (platform, chat))

    def _lock_in(self, conn: Conn, *what: tuple[str, ...]) -> None:
        conn.execute(LOCK, (sorted(lock_key(self._schema, *one) for one in what),))


def _counted(conn: Conn) -> list[list[tuple[Any, ...]]]:
    """How many events each table has, as they lie there, and by the index."""
    found = []
    with conn.transaction():
        conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        for index in ("off", "on"):
            conn.execute(_SCANNED, ("on" if index == "off" else "off", index, index))
            found.append(conn.execute(_COUNTED).fetchall())
    return found


def _ms(seconds: float) -> str:
    return f"{max(1, round(seconds * 1000))}ms"


def _said(row: Sequence[Any]) -> Said:
    seq, line, person, salt, text = row
    return Said(seq, line, person, salt, text.decode())

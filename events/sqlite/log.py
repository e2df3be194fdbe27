"""SqliteLog: the EventLog in one SQLite file.

Several processes may use one file: each append is part of an immediate transaction that looks at the head inside it,
so nobody's events are lost or doubled. WAL with synchronous=FULL: what `append` returned from is on disk. What is read
goes over a connection of its own and so need not wait for the disk. Both stand in autocommit, so that every
transaction here begins and ends in plain sight.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from itertools import starmap
from pathlib import Path
from threading import Lock, get_ident
from types import TracebackType
from typing import Any

from filelock import FileLock, Timeout
from sqlite_utils import Database

from events.beside import Account, Beside, Invitation, MessageKey, Pending, Receipt, Said, Standing
from events.dump import Row, not_empty
from events.envelope import Head, Stored
from events.follow import Followed, Mark, cut_back
from events.log import Entry, check, taken
from events.rows import POSTED, pending_of
from events.sqlite import dump, file, pages
from events.sqlite.entry import TABLE_OF
from events.sqlite.rows import receipt
from events.sqlite.schema import transaction
from events.sqlite.writer import Writer

PATIENCE_S = 5.0
_PAGE = 500  # events read at a time

_NOTHING = Beside()
_LAST = 2**63 - 1  # the greatest seq there can be
_HEAD = "SELECT seq, hash FROM events WHERE table_id = ? ORDER BY seq DESC LIMIT 1"
_TABLE_ID = "SELECT id FROM tables WHERE name = ?"
_READ = """SELECT seq, CAST(body AS BLOB), CAST(hash AS TEXT) FROM events
    WHERE table_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?"""
_FOLLOW = """SELECT position, name, seq, CAST(body AS BLOB), CAST(hash AS TEXT)
    FROM events JOIN tables ON tables.id = table_id WHERE position > ? ORDER BY position LIMIT ?"""
_HASH_AT = "SELECT CAST(hash AS TEXT) FROM events WHERE position = ?"
_PERSON = "SELECT person FROM accounts WHERE platform = ? AND account = ?"
_ACCOUNTS = "SELECT platform, account FROM accounts WHERE person = ? ORDER BY id"
_ACCOUNT = "INSERT INTO accounts (platform, account, person) VALUES (?, ?, ?)"
_MOVE = """INSERT INTO chats SELECT platform, ?, table_id FROM chats WHERE platform = ? AND chat = ?
    ON CONFLICT DO NOTHING"""
_LEAVE = "DELETE FROM chats WHERE platform = ? AND chat = ?"
_CHATS = "SELECT platform, chat FROM chats JOIN tables ON tables.id = table_id WHERE name = ? ORDER BY platform, chat"
_STANDING = """SELECT (SELECT id FROM inbox WHERE platform = ?1 AND chat = ?2 AND message = ?3), name,
    (SELECT max(seq) FROM events WHERE table_id = tables.id),
    (SELECT count(*) FROM chats AS bound WHERE bound.table_id = tables.id)
    FROM (SELECT 1) LEFT JOIN chats ON platform = ?1 AND chat = ?2 LEFT JOIN tables ON tables.id = table_id"""
_INVITATION = "SELECT code, until, of_table, of_person, purpose FROM invitations WHERE code = ?"
_SAID = "seq, line, person, salt, text"
_TEXTS = f"SELECT {_SAID} FROM texts WHERE table_id = ? AND seq > ? AND seq <= ? ORDER BY seq"  # noqa: S608
_VERSIONS = f"SELECT {_SAID} FROM texts WHERE table_id = ? AND line = ? ORDER BY seq"  # noqa: S608
_SAID_BY = f"""SELECT name, {_SAID} FROM texts JOIN tables ON tables.id = table_id
    WHERE person = ? ORDER BY table_id, seq"""  # noqa: S608
_BOOKMARK = "SELECT value FROM bookmarks WHERE name = ?"
_SET_BOOKMARK = "INSERT INTO bookmarks VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"
_SEED = "SELECT seed FROM seeds JOIN tables ON tables.id = table_id WHERE name = ? AND period = ?"
_SNAPSHOT = "SELECT CAST(body AS BLOB) FROM snapshots JOIN tables ON id = table_id WHERE name = ?"
_KEEP_SNAPSHOT = "INSERT OR REPLACE INTO snapshots SELECT id, ? FROM tables WHERE name = ?"
_WAITING = "SELECT DISTINCT chat FROM outbox WHERE sent = 0 AND platform = ? ORDER BY chat"
_ONE_LETTER = f"{POSTED} WHERE outbox.id = ?"
_WRITTEN_TO = f"{POSTED} WHERE outbox.chat = ? ORDER BY outbox.id"


class SqliteLog:
    """An EventLog in the file `path`; file and folders are made where they are missing. For any number of threads.

    `patience_s`: how long an append waits for another process before LogUnusable("locked"). `read_only`: for looking
    alone. Nothing is made or brought up to date, and the file may lie where nothing can be written; `append` and
    `sent` raise LogUnusable("read_only").
    """

    local = True

    def __init__(self, path: str | Path, patience_s: float = PATIENCE_S, *, read_only: bool = False) -> None:
        self.path = Path(os.path.realpath(path) if Path(path).is_symlink() else path)
        self._tasks: dict[str, FileLock] = {}
        self._table_ids: dict[str, int] = {}
        with file.telling(self.path):
            if read_only:
                self._reader = file.looked_at(self.path, patience_s)
                self._writer = Writer(self._reader, self.path)
            else:
                self._writer = Writer(file.opened(self.path, patience_s), self.path)
                self._reader = file.beside(self.path, patience_s)
        self._using = _Using(self._reader, self._writer, self.path)

    def append(self, table: str, expected: int, events: Sequence[Stored], beside: Beside = _NOTHING) -> None:
        entry = Entry(table, expected, events, beside)
        check(entry)
        self._writer.append(entry)

    def append_many(self, entries: Sequence[Entry]) -> list[Exception | None]:
        for one in entries:
            check(one)
        return self._writer.append_many(entries)

    def submit(self, table: str, expected: int, events: Sequence[Stored], beside: Beside = _NOTHING) -> Future[None]:
        entry = Entry(table, expected, events, beside)
        check(entry)
        return self._writer.submit(entry)

    def read(self, table: str, after: int = 0, to: int | None = None) -> Iterator[Stored]:
        end = _LAST if to is None else to
        while rows := self._page(table, after, end):
            yield from starmap(Stored, rows)
            after = rows[-1][0]

    def head(self, table: str) -> Head:
        with self._using as conn:
            row = conn.execute(_HEAD, (self._table_id(conn, table),)).fetchone()
            return Head() if row is None else Head(*row)

    def tables(self) -> list[str]:
        with self._using as conn:
            return [row["name"] for row in _database(conn).query("SELECT name FROM tables ORDER BY id")]

    def table_of(self, platform: str, chat: str) -> str | None:
        table: str | None = self._value(TABLE_OF, platform, chat)
        return table

    def standing(self, key: MessageKey) -> Standing:
        """In one statement, but for what was taken up before and for a table that is open in several chats."""
        with self._using as conn:
            seen, table, seq, bound = conn.execute(_STANDING, (key.platform, key.chat, key.message)).fetchone()
            before = receipt(conn, key) if seen else None
            if table is None:
                return Standing(before, None, 0, ())
            chats = ((key.platform, key.chat),) if bound == 1 else tuple(_chats(conn, table))
            return Standing(before, table, seq or 0, chats)

    def chats(self, table: str) -> list[tuple[str, str]]:
        with self._using as conn:
            return _chats(conn, table)

    def seed(self, table: str, period: int) -> bytes | None:
        seed: bytes | None = self._value(_SEED, table, period)
        return seed

    def texts(self, table: str, after: int = 0, to: int | None = None) -> dict[int, Said]:
        end = _LAST if to is None else to
        with self._using as conn:
            rows = conn.execute(_TEXTS, (self._table_id(conn, table), after, end))
            return {row[0]: Said(*row) for row in rows}

    def versions(self, table: str, line: int) -> list[Said]:
        with self._using as conn:
            return [Said(*row) for row in conn.execute(_VERSIONS, (self._table_id(conn, table), line))]

    def said_by(self, person: str) -> dict[str, list[Said]]:
        found: dict[str, list[Said]] = {}
        with self._using as conn:
            for table, *row in conn.execute(_SAID_BY, (person,)):
                found.setdefault(table, []).append(Said(*row))
        return found

    def names(self) -> dict[str, str]:
        with self._using as conn:
            return {row["person"]: row["name"] for row in _database(conn).query("SELECT person, name FROM names")}

    def person(self, account: Account, fresh: str) -> str:
        return self.known(account) or self._met(account, fresh)

    def known(self, account: Account) -> str | None:
        person: str | None = self._value(_PERSON, account.platform, account.id)
        return person

    def accounts(self, person: str) -> list[Account]:
        with self._using as conn:
            return [Account(*row) for row in conn.execute(_ACCOUNTS, (person,))]

    def move(self, platform: str, chat: str, to: str) -> None:
        if chat == to:
            return
        with self._writing() as conn:
            conn.execute(_MOVE, (to, platform, chat))
            conn.execute(_LEAVE, (platform, chat))

    def receipt(self, key: MessageKey) -> Receipt | None:
        with self._using as conn:
            return receipt(conn, key)

    def pending(self, platform: str | None = None, chat: str | None = None) -> list[Pending]:
        asked = {"outbox.platform": platform, "outbox.chat": chat}
        wanted = {column: value for column, value in asked.items() if value is not None}
        where = " AND ".join(["sent = 0", *(f"{column} = ?" for column in wanted)])  # columns of ours, values bound
        with self._using as conn:
            rows = conn.execute(f"{POSTED} WHERE {where} ORDER BY outbox.id", tuple(wanted.values())).fetchall()
            return list(map(pending_of, rows))

    def waiting(self, platform: str) -> list[str]:
        with self._using as conn:
            return [chat for (chat,) in conn.execute(_WAITING, (platform,))]

    def letter(self, id: int) -> Pending | None:
        with self._using as conn:
            row = conn.execute(_ONE_LETTER, (id,)).fetchone()
            return None if row is None else pending_of(row)

    def written_to(self, person: str) -> list[Pending]:
        with self._using as conn:
            return list(map(pending_of, conn.execute(_WRITTEN_TO, (person,)).fetchall()))

    def sent(self, letter: int) -> None:
        """Were it lost, the letter would be sent twice."""
        if not self._written_soon("UPDATE outbox SET sent = 1 WHERE id = ?", letter):
            raise LookupError(f"There is no letter {letter}.")

    def invitation(self, code: str) -> Invitation | None:
        with self._using as conn:
            row = conn.execute(_INVITATION, (code,)).fetchone()
            return None if row is None else Invitation(*row)

    def bookmark(self, name: str) -> str | None:
        value: str | None = self._value(_BOOKMARK, name)
        return value

    def set_bookmark(self, name: str, value: str) -> None:
        with self._writing() as conn:
            conn.execute(_SET_BOOKMARK, (name, value))

    def snapshot(self, table: str) -> bytes | None:
        kept: bytes | None = self._value(_SNAPSHOT, table)
        return kept

    def keep_snapshot(self, table: str, body: bytes) -> None:
        self._written_soon(_KEEP_SNAPSHOT, body, table)

    def sole(self, task: str) -> bool:
        """The system lets go of the lock when the process ends, however it ends."""
        lock = self._tasks.get(task) or _lock(f"{self.path}.{task}")
        self._tasks[task] = lock
        try:
            return lock.is_locked or bool(lock.acquire())
        except Timeout:
            return False
        except OSError as error:
            raise file.unusable(self.path, "no_access", str(error)) from error

    def examine(self) -> None:
        """Look at every page and index of the file, also at those that no reader would miss. LogUnusable("damaged").

        Where an index has lost its last entries, a table only ends sooner, and its chain holds.
        """
        if (found := self._value("PRAGMA integrity_check(1)")) != "ok":
            raise file.unusable(self.path, "damaged", found)

    def backup(self, path: Path, moved: Callable[[int, int], object] | None = None) -> None:
        """All of it as it is at this moment, into the file at `path`; see `pages.copy`. The connection that reads is
        held meanwhile."""
        with self._using as conn:
            try:
                pages.copy(conn, path, moved)
            except sqlite3.Error as error:
                if (told := file.told(path, error)).reason == "full":  # that is not our own file's disk
                    raise told from error
                raise

    def size(self) -> int:
        """Bytes on the disk, with what is not yet in the file itself."""
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        with file.telling(self.path):
            return sum(one.stat().st_size for one in files if one.exists())

    def dump(self) -> Iterator[Row]:
        """The connection that reads is held meanwhile."""
        with self._using as conn:
            conn.execute("BEGIN")
            try:
                yield from dump.rows(conn)
            finally:
                conn.execute("ROLLBACK")

    def load(self, rows: Iterable[Row]) -> int:
        with self._writing() as conn:
            if not dump.is_empty(conn):
                raise not_empty(str(self.path))
            return dump.load(conn, rows)

    def follow(self, after: Mark = Mark()) -> Iterator[Followed]:
        """By position: one program writes at a time, so none gets a place before what is there already."""
        if after != Mark() and self._value(_HASH_AT, after.position) != after.hash:
            raise cut_back(str(self.path))
        while rows := self._behind(after.position):
            for position, table, seq, body, digest in rows:
                after = Mark(position=position, hash=digest)
                yield Followed(after, table, Stored(seq, body, digest))

    def claimed(self, task: str) -> bool:
        """Whether any program, this one too, does this task just now.

        A free task is taken for the moment of asking: the system can tell of no lock without that. Nothing is made.
        """
        lock = self._tasks.get(task) or _lock(f"{self.path}.{task}")
        if lock.is_locked or not Path(lock.lock_file).exists():
            return lock.is_locked
        try:
            lock.acquire()
        except Timeout:
            return True
        except OSError as error:
            raise file.unusable(self.path, "no_access", str(error)) from error
        lock.release()
        return False

    def close(self) -> None:
        for lock in self._tasks.values():
            lock.release()
        with file.telling(self.path):
            self._reader.close()
            self._writer.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction of its own."""
        with self._writer.lock, file.telling(self.path), transaction(self._writer.conn):
            yield self._writer.conn

    def _written_soon(self, sql: str, *parameters: Any) -> int:
        """How many rows were written, by what is not worth a sync of its own."""
        with self._writer.lock, file.telling(self.path):
            conn = self._writer.conn
            conn.execute("PRAGMA synchronous = NORMAL")
            try:
                return conn.execute(sql, parameters).rowcount
            finally:
                conn.execute("PRAGMA synchronous = FULL")

    def _met(self, account: Account, fresh: str) -> str:
        """Somebody new, unless another process was faster."""
        with self._writing() as conn:
            if row := conn.execute(_PERSON, (account.platform, account.id)).fetchone():
                person: str = row[0]
                return person
            if conn.execute(_ACCOUNTS, (fresh,)).fetchone():
                raise taken(fresh)
            conn.execute(_ACCOUNT, (account.platform, account.id, fresh))
            return fresh

    def _value(self, sql: str, *parameters: str | int) -> Any:
        with self._using as conn:
            row = conn.execute(sql, parameters).fetchone()
        return None if row is None else row[0]

    def _page(self, table: str, after: int, end: int) -> list[tuple[int, bytes, str]]:
        with self._using as conn:
            return conn.execute(_READ, (self._table_id(conn, table), after, end, _PAGE)).fetchall()

    def _behind(self, position: int) -> list[tuple[int, str, int, bytes, str]]:
        with self._using as conn:
            return conn.execute(_FOLLOW, (position, _PAGE)).fetchall()

    def _table_id(self, conn: sqlite3.Connection, table: str) -> int | None:
        """The connection is held. A table that was once opened stays, so it is remembered."""
        table_id = self._table_ids.get(table)
        if table_id is None and (row := conn.execute(_TABLE_ID, (table,)).fetchone()):
            table_id = self._table_ids[table] = row[0]
        return table_id


def _chats(conn: sqlite3.Connection, table: str) -> list[tuple[str, str]]:
    return [(platform, chat) for platform, chat in conn.execute(_CHATS, (table,))]


def _database(conn: sqlite3.Connection) -> Database:
    return Database(conn, execute_plugins=False)


class _Using:
    """A connection to read by, for one thread at a time; what goes wrong with the file is told as LogUnusable.

    It is the one that writes while that is free, since it still has in memory what it has just written. A class of its
    own because a generator costs a microsecond more, and a command asks five times.
    """

    def __init__(self, conn: sqlite3.Connection, writer: Writer, path: Path) -> None:
        self._conn, self._writer, self._path, self._lock = conn, writer, path, Lock()
        self._at_the_writer = 0  # the thread that reads by the connection that writes

    def __enter__(self) -> sqlite3.Connection:
        if self._writer.lock.acquire(blocking=False):
            self._at_the_writer = get_ident()
            return self._writer.conn
        self._lock.acquire()
        return self._conn

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._at_the_writer == get_ident():
            self._at_the_writer = 0
            self._writer.lock.release()
        else:
            self._lock.release()
        if isinstance(error, file.UNREADABLE):
            raise file.told(self._path, error) from error


def _lock(path: str) -> FileLock:
    """No lock but the system's own will do: one that outlives its holder would stop the task for ever."""
    return FileLock(path, mode=0o600, thread_local=False, blocking=False, fallback_to_soft=False)

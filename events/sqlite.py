"""SqliteLog: the EventLog in one SQLite file. The only file that knows SQLite.

Several processes may use one file: each append is one immediate transaction that looks at the head inside
it, so nobody's events are lost or doubled. WAL with synchronous=FULL: what `append` returned from is on disk.
The connection stands in autocommit, so that every transaction here begins and ends in plain sight.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from filelock import FileLock, Timeout
from msgspec import DecodeError
from msgspec.json import Decoder, Encoder
from msgspec.structs import astuple
from sqlite_utils import Database

from events.beside import (
    FORGOTTEN,
    Account,
    Attached,
    Beside,
    Invitation,
    Letter,
    MessageKey,
    Offer,
    Parcel,
    Pending,
    Receipt,
    Said,
)
from events.envelope import Head, Stored
from events.log import (
    Conflict,
    LogUnusable,
    Outrun,
    Rebound,
    SeenBefore,
    Unusable,
    check,
    needs_table,
    parcels,
    seed_kept,
    taken,
)

APPLICATION_ID = 0x526F6C6C  # "Roll"; in the file's header, so that `file` and we can tell whose it is
PATIENCE_S = 5.0
_PAGE = 500  # events read at a time

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE tables (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE)",
        """CREATE TABLE events (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            table_id INTEGER NOT NULL REFERENCES tables (id),
            seq INTEGER NOT NULL,
            body BLOB NOT NULL,
            hash TEXT NOT NULL,
            UNIQUE (table_id, seq)
        )""",
    ),
    (
        "CREATE TABLE names (person TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID",
        """CREATE TABLE chats (
            platform TEXT NOT NULL,
            chat TEXT NOT NULL,
            table_id INTEGER NOT NULL REFERENCES tables (id),
            PRIMARY KEY (platform, chat)
        ) WITHOUT ROWID""",
        """CREATE TABLE seeds (
            table_id INTEGER NOT NULL REFERENCES tables (id),
            period INTEGER NOT NULL,
            seed BLOB NOT NULL CHECK (length(seed) = 32),
            PRIMARY KEY (table_id, period)
        ) WITHOUT ROWID""",
    ),
    (
        """CREATE TABLE inbox (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            platform TEXT NOT NULL,
            chat TEXT NOT NULL,
            message TEXT NOT NULL,
            table_id INTEGER REFERENCES tables (id),
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            error_code TEXT,
            error_text TEXT,
            UNIQUE (platform, chat, message)
        )""",
        """CREATE TABLE outbox (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            inbox_id INTEGER NOT NULL REFERENCES inbox (id),
            ordinal INTEGER NOT NULL,
            recipient TEXT NOT NULL,
            text TEXT NOT NULL,
            choices TEXT NOT NULL,
            sent INTEGER NOT NULL DEFAULT 0,
            UNIQUE (inbox_id, ordinal)
        )""",
        "CREATE INDEX outbox_pending ON outbox (id) WHERE sent = 0",
    ),
    (
        """CREATE TABLE accounts (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            platform TEXT NOT NULL,
            account TEXT NOT NULL,
            person TEXT NOT NULL,
            UNIQUE (platform, account)
        )""",
        "CREATE INDEX accounts_person ON accounts (person)",
    ),
    (
        # Where a letter goes: not always to the chat that it answers. A copy is none of the answer's own letters.
        "ALTER TABLE outbox ADD COLUMN platform TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE outbox ADD COLUMN chat TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE outbox ADD COLUMN copy INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE outbox ADD COLUMN offers TEXT NOT NULL DEFAULT '[]'",
        "ALTER TABLE outbox ADD COLUMN attached TEXT NOT NULL DEFAULT 'null'",
        "ALTER TABLE outbox ADD COLUMN via TEXT NOT NULL DEFAULT ''",
        """UPDATE outbox SET (platform, chat) = (
            SELECT platform, CASE recipient WHEN 'table' THEN chat ELSE recipient END FROM inbox WHERE id = inbox_id
        )""",
        "CREATE INDEX chats_table ON chats (table_id)",
        """CREATE TABLE invitations (
            code TEXT PRIMARY KEY,
            until TEXT NOT NULL,
            of_table TEXT NOT NULL,
            of_person TEXT NOT NULL,
            UNIQUE (of_table, of_person)
        ) WITHOUT ROWID""",
        "DROP INDEX outbox_pending",
        "CREATE INDEX outbox_pending ON outbox (platform, chat, id) WHERE sent = 0",
        "CREATE TABLE bookmarks (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    ),
    (
        """CREATE TABLE texts (
            table_id INTEGER NOT NULL REFERENCES tables (id),
            seq INTEGER NOT NULL,
            line INTEGER NOT NULL,
            person TEXT NOT NULL,
            salt TEXT NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (table_id, seq)
        ) WITHOUT ROWID""",
        "CREATE INDEX texts_line ON texts (table_id, line, seq)",
        "CREATE INDEX texts_person ON texts (person)",
        "ALTER TABLE invitations ADD COLUMN purpose TEXT NOT NULL DEFAULT ''",
    ),
)

_SENTENCES: dict[Unusable, str] = {
    "not_a_log": "{path} is not a Rollbook log.",
    "other_program": "{path} belongs to another program.",
    "newer": "{path} was written by a newer version of Rollbook; please update this one.",
    "read_only": "{path} can be read but not written.",
    "locked": "{path} has been held by another program for too long; please try again.",
    "full": "The disk that holds {path} is full.",
    "no_access": "{path} cannot be opened.",
    "missing": "There is no log at {path}.",
    "damaged": "{path} is damaged; please restore a backup.",
    "failed": "{path} could not be used: {said}.",
}
_REASONS: dict[int, Unusable] = {
    sqlite3.SQLITE_NOTADB: "not_a_log",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_CANTOPEN: "no_access",
    sqlite3.SQLITE_PERM: "no_access",
    sqlite3.SQLITE_CORRUPT: "damaged",
}

_NOT_MADE = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
_UNREADABLE = (sqlite3.Error, UnicodeDecodeError, DecodeError)

_NOTHING = Beside()
_LAST = 2**63 - 1  # the greatest seq there can be
_TABLE_ID = "SELECT id FROM tables WHERE name = ?"
_HEAD = "SELECT seq, hash FROM events WHERE table_id = ? ORDER BY seq DESC LIMIT 1"
_EVENT = "INSERT INTO events (table_id, seq, body, hash) VALUES (?, ?, ?, ?)"
_READ = """SELECT seq, CAST(body AS BLOB), CAST(hash AS TEXT) FROM events
    WHERE table_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?"""
_NAME = "INSERT INTO names VALUES (?, ?) ON CONFLICT DO UPDATE SET name = excluded.name"
_CHAT = "INSERT INTO chats VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET table_id = excluded.table_id"
_TABLE_OF = "SELECT name FROM chats JOIN tables ON tables.id = table_id WHERE platform = ? AND chat = ?"
_PERSON = "SELECT person FROM accounts WHERE platform = ? AND account = ?"
_ACCOUNTS = "SELECT platform, account FROM accounts WHERE person = ? ORDER BY id"
_ACCOUNT = "INSERT INTO accounts (platform, account, person) VALUES (?, ?, ?)"
_MOVE = """INSERT INTO chats SELECT platform, ?, table_id FROM chats WHERE platform = ? AND chat = ?
    ON CONFLICT DO NOTHING"""
_LEAVE = "DELETE FROM chats WHERE platform = ? AND chat = ?"
_LEAVE_TABLE = f"{_LEAVE} AND table_id = ?"
_CHATS = "SELECT platform, chat FROM chats JOIN tables ON tables.id = table_id WHERE name = ? ORDER BY platform, chat"
_INVITE = "INSERT OR REPLACE INTO invitations VALUES (?, ?, ?, ?, ?)"
_INVITATION = "SELECT code, until, of_table, of_person, purpose FROM invitations WHERE code = ?"
_ACCEPT = "DELETE FROM invitations WHERE code = ?"
_JOIN = (  # ?1 was, ?2 now; a table that is open in the private chat of `now` stays
    "UPDATE accounts SET person = ?2 WHERE person = ?1",
    "UPDATE OR IGNORE chats SET chat = ?2 WHERE chat = ?1",
    "DELETE FROM chats WHERE chat = ?1 AND ?2 <> ?1",
    "UPDATE OR IGNORE inbox SET chat = ?2 WHERE chat = ?1",
    """UPDATE outbox SET chat = ?2, recipient = CASE recipient WHEN ?1 THEN ?2 ELSE recipient END
        WHERE sent = 0 AND chat = ?1""",
    """UPDATE outbox SET offers = replace(offers, json_quote(?1), json_quote(?2))
        WHERE offers <> '[]' AND instr(offers, json_quote(?1))""",
    "UPDATE texts SET person = ?2 WHERE person = ?1",
)
_UNSAID = "UPDATE outbox SET text = '', choices = '[]', offers = '[]', attached = 'null'"
_FORGET = (  # `name` until now: what was written and tells of it is blank from now on
    f"INSERT INTO names VALUES (:person, '{FORGOTTEN}') ON CONFLICT DO UPDATE SET name = excluded.name",  # noqa: S608
    "DELETE FROM accounts WHERE person = :person",
    "DELETE FROM texts WHERE person = :person",
    "DELETE FROM invitations WHERE of_person = :person",
    "DELETE FROM chats WHERE chat = :person",
    "DELETE FROM bookmarks WHERE substr(name, -length(:person) - 1) = ':' || :person",
    f"{_UNSAID}, sent = 1 WHERE chat = :person OR recipient = :person",
    f"{_UNSAID} WHERE sent = 1 AND :name <> '' AND instr(text, :name)",
    "UPDATE inbox SET error_text = '' WHERE :name <> '' AND instr(error_text, :name)",
)
_SAID = "seq, line, person, salt, text"
_TEXT = f"INSERT INTO texts (table_id, {_SAID}) VALUES (?, ?, ?, ?, ?, ?)"  # noqa: S608  constants
_TEXTS = f"SELECT {_SAID} FROM texts WHERE table_id = ? AND seq > ? AND seq <= ? ORDER BY seq"  # noqa: S608
_VERSIONS = f"SELECT {_SAID} FROM texts WHERE table_id = ? AND line = ? ORDER BY seq"  # noqa: S608
_SAID_BY = f"""SELECT name, {_SAID} FROM texts JOIN tables ON tables.id = table_id
    WHERE person = ? ORDER BY table_id, seq"""  # noqa: S608
_BOOKMARK = "SELECT value FROM bookmarks WHERE name = ?"
_SET_BOOKMARK = "INSERT INTO bookmarks VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"
_SEED = "SELECT seed FROM seeds JOIN tables ON tables.id = table_id WHERE name = ? AND period = ?"
_INBOX = """INSERT INTO inbox (platform, chat, message, table_id, first, last, error_code, error_text)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""
_OUTBOX = """INSERT INTO outbox
    (inbox_id, ordinal, platform, chat, copy, recipient, text, choices, offers, attached, via)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_RECEIPT = """SELECT inbox.id, coalesce(tables.name, ''), first, last, error_code, error_text
    FROM inbox LEFT JOIN tables ON tables.id = inbox.table_id WHERE platform = ? AND chat = ? AND message = ?"""
_LETTER = "recipient, text, choices, offers, attached, via"
_LETTERS = f"SELECT {_LETTER} FROM outbox WHERE inbox_id = ? AND copy = 0 ORDER BY ordinal"  # noqa: S608  constants
_POSTED = f"""SELECT outbox.id, inbox.platform, inbox.chat, message, outbox.platform, outbox.chat, {_LETTER}
    FROM outbox JOIN inbox ON inbox.id = inbox_id"""  # noqa: S608
_WAITING = "SELECT DISTINCT chat FROM outbox WHERE sent = 0 AND platform = ? ORDER BY chat"
_ONE_LETTER = f"{_POSTED} WHERE outbox.id = ?"
_WRITTEN_TO = f"{_POSTED} WHERE outbox.chat = ? ORDER BY outbox.id"

_write = Encoder().encode
_read_choices = Decoder(tuple[tuple[int, str], ...]).decode
_read_offers = Decoder(tuple[Offer, ...]).decode
_read_attached = Decoder(Attached | None).decode


class SqliteLog:
    """An EventLog in the file `path`; file and folders are made where they are missing. For any number of threads.

    `patience_s`: how long an append waits for another process before LogUnusable("locked"). `read_only`: for looking
    alone. Nothing is made or brought up to date, and the file may lie where nothing can be written; `append` and
    `sent` raise LogUnusable("read_only").
    """

    def __init__(self, path: str | Path, patience_s: float = PATIENCE_S, *, read_only: bool = False) -> None:
        self.path = Path(path)
        self._lock = Lock()
        self._tasks: dict[str, FileLock] = {}
        self._table_ids: dict[str, int] = {}  # of committed tables only: an id of a rolled back one may go to another
        with _telling(self.path):
            self._db = _looked_at(self.path, patience_s) if read_only else _opened(self.path, patience_s)
        self._conn = self._db.conn

    def append(self, table: str, expected: int, events: Sequence[Stored], beside: Beside = _NOTHING) -> None:
        check(table, expected, events, beside)
        with self._writing():
            if beside.key is not None and (before := self._receipt(beside.key)):
                raise SeenBefore(before)
            table_id = self._table_id(table)
            if events:
                table_id = self._put(table, table_id, expected, events)
            if beside.chat is not None:
                self._chat_is(table, beside.chat, beside.former)
            if beside is not _NOTHING:
                self._keep(table, table_id, beside)
        if beside.forget is not None:
            self._empty_journal()

    def read(self, table: str, after: int = 0, to: int | None = None) -> Iterator[Stored]:
        end = _LAST if to is None else to
        while rows := self._page(table, after, end):
            for row in rows:
                yield Stored(*row)
            after = rows[-1][0]

    def head(self, table: str) -> Head:
        with self._using():
            table_id = self._table_id(table)
            return Head() if table_id is None else self._head(table_id)

    def tables(self) -> list[str]:
        with self._using():
            return [row["name"] for row in self._db.query("SELECT name FROM tables ORDER BY id")]

    def table_of(self, platform: str, chat: str) -> str | None:
        table: str | None = self._value(_TABLE_OF, platform, chat)
        return table

    def chats(self, table: str) -> list[tuple[str, str]]:
        with self._using():
            return [(platform, chat) for platform, chat in self._conn.execute(_CHATS, (table,))]

    def seed(self, table: str, period: int) -> bytes | None:
        seed: bytes | None = self._value(_SEED, table, period)
        return seed

    def texts(self, table: str, after: int = 0, to: int | None = None) -> dict[int, Said]:
        end = _LAST if to is None else to
        with self._using():
            rows = self._conn.execute(_TEXTS, (self._table_id(table), after, end))
            return {row[0]: Said(*row) for row in rows}

    def versions(self, table: str, line: int) -> list[Said]:
        with self._using():
            return [Said(*row) for row in self._conn.execute(_VERSIONS, (self._table_id(table), line))]

    def said_by(self, person: str) -> dict[str, list[Said]]:
        found: dict[str, list[Said]] = {}
        with self._using():
            for table, *row in self._conn.execute(_SAID_BY, (person,)):
                found.setdefault(table, []).append(Said(*row))
        return found

    def names(self) -> dict[str, str]:
        with self._using():
            return {row["person"]: row["name"] for row in self._db.query("SELECT person, name FROM names")}

    def person(self, account: Account, fresh: str) -> str:
        known: str | None = self._value(_PERSON, account.platform, account.id)
        return known or self._met(account, fresh)

    def accounts(self, person: str) -> list[Account]:
        with self._using():
            return [Account(*row) for row in self._conn.execute(_ACCOUNTS, (person,))]

    def move(self, platform: str, chat: str, to: str) -> None:
        if chat == to:
            return
        with self._writing():
            self._conn.execute(_MOVE, (to, platform, chat))
            self._conn.execute(_LEAVE, (platform, chat))

    def receipt(self, key: MessageKey) -> Receipt | None:
        with self._using():
            return self._receipt(key)

    def pending(self, platform: str | None = None, chat: str | None = None) -> list[Pending]:
        asked = {"outbox.platform": platform, "outbox.chat": chat}
        wanted = {column: value for column, value in asked.items() if value is not None}
        where = " AND ".join(["sent = 0", *(f"{column} = ?" for column in wanted)])  # columns of ours, values bound
        with self._using():
            rows = self._conn.execute(f"{_POSTED} WHERE {where} ORDER BY outbox.id", tuple(wanted.values())).fetchall()
            return list(map(_posted, rows))

    def waiting(self, platform: str) -> list[str]:
        with self._using():
            return [chat for (chat,) in self._conn.execute(_WAITING, (platform,))]

    def letter(self, id: int) -> Pending | None:
        with self._using():
            row = self._conn.execute(_ONE_LETTER, (id,)).fetchone()
            return None if row is None else _posted(row)

    def written_to(self, person: str) -> list[Pending]:
        with self._using():
            return list(map(_posted, self._conn.execute(_WRITTEN_TO, (person,)).fetchall()))

    def sent(self, letter: int) -> None:
        """Not worth a sync of its own: were it lost, the letter would be sent twice."""
        with self._using():
            self._conn.execute("PRAGMA synchronous = NORMAL")
            try:
                marked = self._conn.execute("UPDATE outbox SET sent = 1 WHERE id = ?", (letter,)).rowcount
            finally:
                self._conn.execute("PRAGMA synchronous = FULL")
        if not marked:
            raise LookupError(f"There is no letter {letter}.")

    def invitation(self, code: str) -> Invitation | None:
        with self._using():
            row = self._conn.execute(_INVITATION, (code,)).fetchone()
            return None if row is None else Invitation(*row)

    def bookmark(self, name: str) -> str | None:
        value: str | None = self._value(_BOOKMARK, name)
        return value

    def set_bookmark(self, name: str, value: str) -> None:
        with self._using():
            self._conn.execute(_SET_BOOKMARK, (name, value))

    def sole(self, task: str) -> bool:
        """The system lets go of the lock when the process ends, however it ends."""
        lock = self._tasks.get(task) or _lock(f"{self.path}.{task}")
        self._tasks[task] = lock
        try:
            return lock.is_locked or bool(lock.acquire())
        except Timeout:
            return False
        except OSError as error:
            raise _unusable(self.path, "no_access", str(error)) from error

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
            raise _unusable(self.path, "no_access", str(error)) from error
        lock.release()
        return False

    def close(self) -> None:
        for lock in self._tasks.values():
            lock.release()
        with self._using():
            self._conn.close()

    @contextmanager
    def _using(self) -> Iterator[None]:
        """The connection for one thread at a time; what goes wrong with the file is told as LogUnusable."""
        with self._lock, _telling(self.path):
            yield

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """`_using` and `_transaction` in one, for the one place where the microseconds count."""
        with self._lock:
            try:
                self._conn.execute("BEGIN IMMEDIATE")
                yield
                self._conn.execute("COMMIT")
            except BaseException as error:
                _roll_back(self._conn)
                if isinstance(error, _UNREADABLE):
                    raise _told(self.path, error) from error
                raise

    def _met(self, account: Account, fresh: str) -> str:
        """Somebody new, unless another process was faster."""
        with self._writing():
            if row := self._conn.execute(_PERSON, (account.platform, account.id)).fetchone():
                person: str = row[0]
                return person
            if self._conn.execute(_ACCOUNTS, (fresh,)).fetchone():
                raise taken(fresh)
            self._conn.execute(_ACCOUNT, (account.platform, account.id, fresh))
            return fresh

    def _chat_is(self, table: str, chat: tuple[str, str], former: str | None) -> None:
        row = self._conn.execute(_TABLE_OF, chat).fetchone()
        if (actual := row[0] if row else None) != former:
            raise Rebound(table, former, actual)

    def _value(self, sql: str, *parameters: str | int) -> Any:
        with self._using():
            row = self._conn.execute(sql, parameters).fetchone()
        return None if row is None else row[0]

    def _page(self, table: str, after: int, end: int) -> list[tuple[int, bytes, str]]:
        with self._using():
            return self._conn.execute(_READ, (self._table_id(table), after, end, _PAGE)).fetchall()

    def _table_id(self, table: str) -> int | None:
        """Not to be asked after a write of the same transaction: it remembers what it finds."""
        table_id = self._table_ids.get(table)
        if table_id is None and (row := self._conn.execute(_TABLE_ID, (table,)).fetchone()):
            table_id = self._table_ids[table] = row[0]
        return table_id

    def _head(self, table_id: int) -> Head:
        row = self._conn.execute(_HEAD, (table_id,)).fetchone()
        return Head() if row is None else Head(*row)

    def _put(self, table: str, table_id: int | None, expected: int, events: Sequence[Stored]) -> int:
        row = self._conn.execute(_HEAD, (table_id,)).fetchone()
        actual = row[0] if row else 0
        if actual != expected:
            raise Conflict(table, expected, actual)
        if table_id is None:
            table_id = _new_id(self._conn.execute("INSERT INTO tables (name) VALUES (?)", (table,)))
        self._conn.executemany(_EVENT, [(table_id, event.seq, event.body, event.hash) for event in events])
        return table_id

    def _keep(self, table: str, table_id: int | None, beside: Beside) -> None:
        if beside.names:
            self._conn.executemany(_NAME, beside.names.items())
        if needs_table(beside):
            if table_id is None:
                raise ValueError(f"There is no table {table!r}.")
            self._keep_for_table(table, table_id, beside)
        if beside.accept is not None and not self._conn.execute(_ACCEPT, (beside.accept,)).rowcount:
            raise Outrun(table)
        if (invite := beside.invite) is not None:
            self._conn.execute(_INVITE, astuple(invite))
        if beside.forget is not None:
            self._forget(beside.forget)
        if beside.key is not None and beside.receipt is not None:
            self._take_up(beside.key, beside.receipt, beside.also)
        for statement in _JOIN if beside.join is not None else ():  # last: the answer itself goes along
            self._conn.execute(statement, beside.join or ())

    def _forget(self, person: str) -> None:
        row = self._conn.execute("SELECT name FROM names WHERE person = ?", (person,)).fetchone()
        for statement in _FORGET:
            self._conn.execute(statement, {"person": person, "name": row[0] if row else ""})

    def _empty_journal(self) -> None:
        """What was deleted stands in the journal until that is written over; as long as others read, it stays."""
        with self._lock, suppress(sqlite3.OperationalError):
            self._conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _keep_for_table(self, table: str, table_id: int, beside: Beside) -> None:
        if beside.leave:
            self._conn.executemany(_LEAVE_TABLE, [(*chat, table_id) for chat in beside.leave])
        if beside.chat is not None:
            self._conn.execute(_CHAT, (*beside.chat, table_id))
        if beside.reveal is not None:
            self._conn.execute("DELETE FROM seeds WHERE table_id = ? AND period = ?", (table_id, beside.reveal))
        if beside.seed is not None:
            try:
                self._conn.execute("INSERT INTO seeds VALUES (?, ?, ?)", (table_id, *beside.seed))
            except sqlite3.IntegrityError as error:
                raise seed_kept(table, beside.seed[0]) from error
        self._conn.executemany(_TEXT, [(table_id, *astuple(one)) for one in beside.texts])

    def _take_up(self, key: MessageKey, receipt: Receipt, also: Sequence[Parcel]) -> None:
        row = self._conn.execute(_TABLE_ID, (receipt.table,)).fetchone()
        if row is None and receipt.table:
            raise ValueError(f"There is no table {receipt.table!r}.")
        inbox_id = _new_id(self._conn.execute(_INBOX, (
            key.platform, key.chat, key.message, row and row[0],
            receipt.first, receipt.last, *(receipt.error or (None, None)),
        )))  # fmt: skip
        self._conn.executemany(_OUTBOX, [
            (inbox_id, ordinal, one.platform, one.chat, is_copy, *_row(one.letter))
            for ordinal, (one, is_copy) in enumerate(parcels(key, receipt, also))
        ])  # fmt: skip

    def _receipt(self, key: MessageKey) -> Receipt | None:
        row = self._conn.execute(_RECEIPT, (key.platform, key.chat, key.message)).fetchone()
        if row is None:
            return None
        inbox_id, table, first, last, code, text = row
        letters = self._conn.execute(_LETTERS, (inbox_id,)).fetchall()
        return Receipt(
            table, first, last, None if code is None else (code, text),
            tuple(map(_letter, letters)),
        )  # fmt: skip


def _row(letter: Letter) -> tuple[str, ...]:
    """A letter as the outbox keeps it; `_letter` reads it back."""
    kept = (letter.choices, letter.offers, letter.attached)
    return (letter.to, letter.text, *(_write(one).decode() for one in kept), letter.via)


def _letter(row: Sequence[str]) -> Letter:
    to, text, choices, offers, attached, via = row
    return Letter(to, text, _read_choices(choices), _read_offers(offers), _read_attached(attached), via)


def _posted(row: Sequence[Any]) -> Pending:
    id, platform, chat, message, *where, to, text, choices, offers, attached, via = row
    letter = _letter((to, text, choices, offers, attached, via))
    return Pending(id, MessageKey(platform, chat, message), letter, *where)


def migrate(conn: sqlite3.Connection, migrations: Sequence[Sequence[str]] = MIGRATIONS) -> None:
    """Bring the file to the schema of the last of `migrations`, each in a transaction of its own."""
    for number in range(_version(conn), len(migrations)):
        with _transaction(conn):
            if _version(conn) == number:  # or else another process was faster
                for statement in migrations[number]:
                    conn.execute(statement)
                conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                conn.execute(f"PRAGMA user_version = {number + 1}")


def _opened(path: Path, patience_s: float) -> Database:
    _make_room(path)
    conn = _connected(str(path.absolute()), patience_s)  # absolute: `:memory:` is a file's name too
    try:
        _refuse_foreign(conn, path)
        _write_ahead(conn, patience_s)
        conn.execute("PRAGMA synchronous = FULL")
        conn.execute("PRAGMA foreign_keys = ON")
        conn.execute("PRAGMA secure_delete = ON")  # what is forgotten is not left in free pages
        migrate(conn)
        return Database(conn, execute_plugins=False)
    except BaseException:
        conn.close()
        raise


def _connected(where: str, patience_s: float, *, uri: bool = False) -> sqlite3.Connection:
    return sqlite3.connect(where, timeout=patience_s, isolation_level=None, check_same_thread=False, uri=uri)


def _looked_at(path: Path, patience_s: float) -> Database:
    """The file as it is. Where not even SQLite's own files can be made beside it, nobody writes to it either."""
    if not path.is_file():
        raise _unusable(path, "no_access" if path.exists() else "missing", "it is no file")
    where = f"{path.absolute().as_uri()}?mode=ro"
    try:
        return _checked(_connected(where, patience_s, uri=True), path)
    except sqlite3.OperationalError as error:
        # To look past events not yet in the file itself would be to leave out the latest.
        if error.sqlite_errorcode & 0xFF not in _NOT_MADE or _unwritten(path):
            raise
    return _checked(_connected(f"{where}&immutable=1", patience_s, uri=True), path)


def _checked(conn: sqlite3.Connection, path: Path) -> Database:
    """A file of an older schema is read from a copy in memory that was brought up to date."""
    try:
        _refuse_foreign(conn, path)
        if _version(conn) < len(MIGRATIONS):
            older, conn = conn, _connected(":memory:", 0)
            older.backup(conn)
            older.close()
            migrate(conn)
        conn.execute("PRAGMA query_only = ON")
        return Database(conn, execute_plugins=False)
    except BaseException:
        conn.close()
        raise


def _unwritten(path: Path) -> bool:
    """Whether there are events that are not yet in the file itself."""
    ahead = path.with_name(f"{path.name}-wal")
    return ahead.exists() and ahead.stat().st_size > 0


def _make_room(path: Path) -> None:
    """Folder and file, for their owner alone: seeds not yet revealed and private replies lie in it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        path.touch(mode=0o600)
    effective = os.access in os.supports_effective_ids
    if not all(os.access(place, os.W_OK, effective_ids=effective) for place in (path, path.parent)):
        raise _unusable(path, "read_only")


def _refuse_foreign(conn: sqlite3.Connection, path: Path) -> None:
    """Only read so far: a file that is not ours is left as it is."""
    conn.execute("BEGIN")  # one look at one state: another process may be making the file just now
    ours = conn.execute("PRAGMA application_id").fetchone()[0]
    version = _version(conn)
    things = conn.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    conn.execute("COMMIT")
    if ours != APPLICATION_ID and (ours or version or things):
        raise _unusable(path, "other_program")
    if version > len(MIGRATIONS):
        raise _unusable(path, "newer")


def _write_ahead(conn: sqlite3.Connection, patience_s: float) -> None:
    """SQLite does not wait by itself when two processes switch a new file to WAL at once."""
    deadline = time.monotonic() + patience_s
    while True:
        try:
            conn.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _version(conn: sqlite3.Connection) -> int:
    version: int = conn.execute("PRAGMA user_version").fetchone()[0]
    return version


def _lock(path: str) -> FileLock:
    """No lock but the system's own will do: one that outlives its holder would stop the task for ever."""
    return FileLock(path, mode=0o600, thread_local=False, blocking=False, fallback_to_soft=False)


def _new_id(cursor: sqlite3.Cursor) -> int:
    return cursor.lastrowid or 0  # never 0 after an INSERT


@contextmanager
def _transaction(conn: sqlite3.Connection) -> Iterator[None]:
    try:
        conn.execute("BEGIN IMMEDIATE")
        yield
        conn.execute("COMMIT")
    except BaseException:
        _roll_back(conn)
        raise


def _roll_back(conn: sqlite3.Connection) -> None:
    if conn.in_transaction:  # SQLite itself has rolled back already where the disk was full
        conn.execute("ROLLBACK")


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    """What goes wrong with the file, as LogUnusable."""
    try:
        yield
    except _UNREADABLE as error:
        raise _told(path, error) from error
    except OSError as error:
        raise _unusable(path, "no_access", str(error)) from error


def _told(path: Path, error: BaseException) -> LogUnusable:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)  # Python's own errors carry none
    if isinstance(error, UnicodeDecodeError | DecodeError) or str(error).startswith("Could not decode"):
        code = sqlite3.SQLITE_CORRUPT  # text that is no UTF-8, choices that are no JSON: a bit has fallen over
    return _unusable(path, _REASONS.get(code & 0xFF, "failed"), str(error))


def _unusable(path: Path, reason: Unusable, said: str = "") -> LogUnusable:
    return LogUnusable(reason, _SENTENCES[reason].format(path=path, said=said))

"""The schema of a log's file, step by step: a step that was once given out is never edited."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

APPLICATION_ID = 0x526F6C6C  # "Roll"; in the file's header, so that `file` and we can tell whose it is

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
    (
        """CREATE TABLE snapshots (
            table_id INTEGER PRIMARY KEY REFERENCES tables (id),
            body BLOB NOT NULL
        )""",
    ),
)


def migrate(conn: sqlite3.Connection, migrations: Sequence[Sequence[str]] = MIGRATIONS) -> None:
    """Bring the file to the schema of the last of `migrations`, each in a transaction of its own."""
    for number in range(version(conn), len(migrations)):
        with transaction(conn):
            if version(conn) == number:  # or else another process was faster
                for statement in migrations[number]:
                    conn.execute(statement)
                conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                conn.execute(f"PRAGMA user_version = {number + 1}")


def version(conn: sqlite3.Connection) -> int:
    number: int = conn.execute("PRAGMA user_version").fetchone()[0]
    return number


@contextmanager
def transaction(conn: sqlite3.Connection) -> Iterator[None]:
    try:
        conn.execute("BEGIN IMMEDIATE")
        yield
        conn.execute("COMMIT")
    except BaseException:
        roll_back(conn)
        raise


def roll_back(conn: sqlite3.Connection) -> None:
    if conn.in_transaction:  # SQLite itself has rolled back already where the disk was full
        conn.execute("ROLLBACK")

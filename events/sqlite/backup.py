"""What a backup needs beside the pages (`pages.py`): other files packed into it, and a log that nobody has open.

Here: how that is done with SQLite. Never: what a backup is called, where it goes, or which files go with it
(`adapters/backup/`).

The files lie in a table `sqlar`, as in SQLite's own archives (`sqlite3 -A`), and no log looks at it. So a backup is a
log like any other.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from events.sqlite import file

_SQLAR = "CREATE TABLE sqlar (name TEXT PRIMARY KEY, mode INT, mtime INT, sz INT, data BLOB)"
_FILE = 0o100600  # a plain file, for its owner alone
_HEADER = b"SQLite format 3\0"


def pack(path: Path, files: Mapping[str, bytes]) -> None:
    """Put these files, by name, into the copy at `path`, in place of those that came with what it was made of."""
    with file.telling(path), closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.execute("PRAGMA secure_delete = ON")
        conn.execute("DROP TABLE IF EXISTS sqlar")
        conn.execute("PRAGMA journal_mode = DELETE")  # one file, which needs none beside it to be read
        if files:
            conn.execute(_SQLAR)
            rows = [(name, _FILE, 0, len(content), content) for name, content in files.items()]
            conn.executemany("INSERT INTO sqlar VALUES (?, ?, ?, ?, ?)", rows)


def packed(path: Path) -> dict[str, bytes]:
    """The files that were packed into the copy at `path`, by name."""
    with file.telling(path), closing(file.looked_at(path, 0)) as conn:
        if not conn.execute("SELECT 1 FROM sqlite_master WHERE name = 'sqlar'").fetchone():
            return {}
        return dict(conn.execute("SELECT name, CAST(data AS BLOB) FROM sqlar ORDER BY name"))


def content(path: Path, patience_s: float) -> bytes:
    """A file's bytes; of another program's database as it stands at one moment, though it is written to meanwhile."""
    plain = path.read_bytes()
    if not plain.startswith(_HEADER):
        return plain
    where = f"{path.absolute().as_uri()}?mode=rw"  # what a crash left half done is rolled back
    with file.telling(path), closing(sqlite3.connect(where, timeout=patience_s, uri=True)) as conn:
        return conn.serialize()


@contextmanager
def held_alone(path: Path) -> Iterator[None]:
    """While this lasts no other program has the log at `path` open; all of it is in that one file then.

    LogUnusable("locked"): one has it open. What is no sound log is nobody's, and is let be.
    """
    with file.names_held(path.parent, alone=True), _locked(path):
        yield


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    conn = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        try:
            conn.execute("PRAGMA locking_mode = EXCLUSIVE")
            conn.execute("BEGIN EXCLUSIVE")
            conn.execute("COMMIT")
            conn.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as error:
            if (told := file.told(path, error)).reason in ("locked", "no_access", "read_only"):
                raise told from error
        yield
    finally:
        conn.close()

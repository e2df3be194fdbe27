"""A file of its own with all that a connection reads at one moment, made while others write.

Here: pages copied. Never: what is in them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

PAGES = 1_000  # of 4 KB, copied between two calls of `moved`


def copy(conn: sqlite3.Connection, path: Path, moved: Callable[[int, int], object] | None = None) -> None:
    """All that `conn` reads at this moment, into the file at `path`, which is empty or not there.

    Others may write meanwhile and are not kept from it. `moved` hears how many pages are to come, and of how many.
    """
    told = (lambda _, left, total: moved(left, total)) if moved else None
    with closing(sqlite3.connect(path, isolation_level=None)) as target:
        conn.execute("BEGIN")
        try:
            conn.execute("SELECT 1 FROM sqlite_master").fetchone()  # from here on it is one moment
            conn.backup(target, pages=PAGES, progress=told)
        finally:
            conn.execute("ROLLBACK")
        target.execute("PRAGMA journal_mode = DELETE")  # one file, which needs none beside it to be read

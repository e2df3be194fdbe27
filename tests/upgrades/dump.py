"""A log's file as text, with the two numbers in its header that a dump leaves out.

    python -m tests.upgrades.dump rollbook.db > schema-7.sql
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

NUMBERS = ("application_id", "user_version")


def dumped(path: Path) -> Iterator[str]:
    """Statements, a line each."""
    with closing(sqlite3.connect(path)) as conn:
        for name in NUMBERS:
            (number,) = conn.execute(f"PRAGMA {name}").fetchone()
            yield f"PRAGMA {name} = {number};"
        yield from conn.iterdump()


if __name__ == "__main__":
    sys.stdout.writelines(f"{statement}\n" for statement in dumped(Path(sys.argv[1])))

"""All rows of a log's file, read and written for a copy."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from operator import itemgetter

from events.dump import MOST, TABLES, Digest, Row, Values

_CAST = {"text": "CAST({} AS TEXT)", "bytes": "CAST({} AS BLOB)"}


def rows(conn: sqlite3.Connection) -> Iterator[Row]:
    """All of them, in a transaction if they are to be of one moment."""
    for name, table in TABLES.items():
        columns = [_CAST.get(kind, "{}").format(column) for column, kind in table.columns.items()]
        order = ", ".join([*table.columns][: table.key])
        found = conn.execute(f"SELECT {', '.join(columns)} FROM {name} ORDER BY {order}")  # noqa: S608  names of ours
        bools = [number for number, kind in enumerate(table.columns.values()) if kind == "bool"]
        for values in found:
            yield name, _with_bools(values, bools) if bools else values


def is_empty(conn: sqlite3.Connection) -> bool:
    return not any(conn.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchone() for name in TABLES)  # noqa: S608


def load(conn: sqlite3.Connection, given: Iterable[Row]) -> int:
    """Write these rows where there are none, in the transaction of whoever asked. NotCopied: they read otherwise."""
    digest = Digest()
    for name, of_table in groupby(digest.through(given), key=itemgetter(0)):
        values = (values for _, values in of_table)
        marks = ", ".join("?" * len(TABLES[name].columns))
        insert = f"INSERT INTO {name} ({', '.join(TABLES[name].columns)}) VALUES ({marks})"  # noqa: S608
        while some := list(islice(values, MOST)):
            conn.executemany(insert, some)
    digest.check(rows(conn))
    return digest.rows


def _with_bools(values: tuple[int | str | bytes | None, ...], bools: Iterable[int]) -> Values:
    changed: list[int | str | bytes | bool | None] = [*values]
    for number in bools:
        changed[number] = bool(changed[number])
    return tuple(changed)

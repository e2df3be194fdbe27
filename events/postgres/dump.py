"""All rows of a log in PostgreSQL, read and written for a copy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

import psycopg

from events.dump import TABLES, Digest, NotCopied, Row, Values, not_empty
from events.postgres.link import Conn

PAGE = 2_000  # rows fetched at a time
_AS_BYTES = {("texts", "text")}  # texts that may hold what no `text` of PostgreSQL does
_PATIENT = "SET LOCAL idle_in_transaction_session_timeout = 0"  # the other log may be slow
_ONE_MOMENT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_ALONE = f"LOCK TABLE {', '.join(TABLES)} IN SHARE ROW EXCLUSIVE MODE"
_NUMBER = """SELECT setval(pg_get_serial_sequence('{name}', '{column}'), max({column})) FROM {name}
    HAVING max({column}) IS NOT NULL"""


def dump(conn: Conn) -> Iterator[Row]:
    """All rows of one moment."""
    with conn.transaction():
        conn.execute(_ONE_MOMENT)
        conn.execute(_PATIENT)
        yield from _rows(conn)


def load(conn: Conn, given: Iterable[Row], place: str) -> int:
    """Take them in, if there are none. NotCopied: there are, or one of these cannot be kept."""
    digest = Digest()
    with conn.transaction():
        conn.execute(_PATIENT)
        conn.execute(_ALONE)
        if any(conn.execute(f"SELECT FROM {name} LIMIT 1").fetchone() is not None for name in TABLES):
            raise not_empty(place)
        for name, of_table in groupby(digest.through(given), key=itemgetter(0)):
            _fill(conn, name, (values for _, values in of_table))
        digest.check(_rows(conn))
        for name, table in TABLES.items():
            if table.numbered:
                conn.execute(_NUMBER.format(name=name, column=next(iter(table.columns))))
    return digest.rows


def _rows(conn: Conn) -> Iterator[Row]:
    for name, table in TABLES.items():
        order = ", ".join(
            f'{column} COLLATE "C"' if kind == "text" else column
            for column, kind in [*table.columns.items()][: table.key]
        )
        with conn.cursor(name="dump", binary=True) as cursor:
            cursor.itersize = PAGE
            cursor.execute(f"SELECT {', '.join(table.columns)} FROM {name} ORDER BY {order}")  # noqa: S608  names of ours
            for values in cursor:
                yield name, tuple(map(_decoded, table.columns.values(), values))


def _decoded(kind: str, value: Any) -> int | str | bytes | bool | None:
    decoded: int | str | bytes | bool | None = value.decode() if kind == "text" and isinstance(value, bytes) else value
    return decoded


def _fill(conn: Conn, name: str, rows: Iterable[Values]) -> None:
    columns = TABLES[name].columns
    as_bytes = [(name, column) in _AS_BYTES for column in columns]
    with conn.cursor() as cursor, cursor.copy(f"COPY {name} ({', '.join(columns)}) FROM STDIN") as copying:
        for values in rows:
            try:
                copying.write_row([_encoded(*one) for one in zip(values, as_bytes, strict=True)])
            except psycopg.DataError as error:
                why = f"PostgreSQL cannot keep a row of {name}: {error}"
                raise NotCopied(f"{why}. Nothing was copied.") from error


def _encoded(value: int | str | bytes | bool | None, as_bytes: bool) -> int | str | bytes | bool | None:
    return value.encode() if as_bytes and isinstance(value, str) else value

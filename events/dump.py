"""All that a log keeps, as rows that are the same in every database, so that a log can be moved from one to another.

Here: which rows there are, in what order, and whether two logs have the same. Never: how they are read or written (each
database's own `dump.py`). Snapshots, which can be made anew, and leases, which programs hold, are not among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct
from msgspec.msgpack import Encoder

MOST = 1_000  # rows that are written together
Kind: TypeAlias = Literal["int", "text", "bytes", "bool"]
Values: TypeAlias = tuple[int | str | bytes | bool | None, ...]
Row: TypeAlias = tuple[str, Values]  # the table's name, and the values of its columns


class Table(Struct, frozen=True):
    """The kinds of its columns, by name. Its rows are in order by the first `key` of them, texts by their UTF-8;
    `numbered`: the database counts them by the first."""

    columns: Mapping[str, Kind]
    key: int = 1
    numbered: bool = False


TABLES: Mapping[str, Table] = {  # what others refer to comes first
    "tables": Table({"id": "int", "name": "text"}, numbered=True),
    "events": Table(
        {"position": "int", "table_id": "int", "seq": "int", "body": "bytes", "hash": "text"}, numbered=True
    ),
    "names": Table({"person": "text", "name": "text"}),
    "chats": Table({"platform": "text", "chat": "text", "table_id": "int"}, key=2),
    "seeds": Table({"table_id": "int", "period": "int", "seed": "bytes"}, key=2),
    "inbox": Table(
        {
            "id": "int", "platform": "text", "chat": "text", "message": "text", "table_id": "int", "first": "int",
            "last": "int", "error_code": "text", "error_text": "text",
        },
        numbered=True,
    ),
    "outbox": Table(
        {
            "id": "int", "inbox_id": "int", "ordinal": "int", "platform": "text", "chat": "text", "copy": "bool",
            "recipient": "text", "text": "text", "choices": "text", "offers": "text", "attached": "text",
            "via": "text", "sent": "bool",
        },
        numbered=True,
    ),
    "accounts": Table({"id": "int", "platform": "text", "account": "text", "person": "text"}, numbered=True),
    "invitations": Table(
        {"code": "text", "until": "text", "of_table": "text", "of_person": "text", "purpose": "text"}
    ),
    "bookmarks": Table({"name": "text", "value": "text"}),
    "texts": Table(
        {"table_id": "int", "seq": "int", "line": "int", "person": "text", "salt": "text", "text": "text"}, key=2
    ),
}  # fmt: skip


class NotCopied(Exception):
    """The log was not copied, and nothing of it is kept; str() says why."""


class Dumped(Protocol):
    """A log that can be copied."""

    def dump(self) -> Iterator[Row]:
        """All rows as they are at one moment, in the order of TABLES, a few at a time in memory. Read to its end, or
        closed, before anything else is asked."""

    def load(self, rows: Iterable[Row]) -> int:
        """Take in all rows of another log, or none; they are there as they were, and durable, when it returns.

        How many. NotCopied: this log is not empty, cannot keep one of them, or reads otherwise than it was written.
        """


class Digest:
    """Of rows in their order: two logs with the same have the same rows."""

    def __init__(self) -> None:
        self.rows = 0
        self._hash = sha256()
        self._encode = Encoder().encode

    def through(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The same rows, each taken into account as it goes by."""
        for row in rows:
            self._hash.update(self._encode(row))
            self.rows += 1
            yield row

    def check(self, rows: Iterable[Row]) -> None:
        """NotCopied: these are others."""
        other = Digest()
        for _ in other.through(rows):
            pass
        if (other.rows, other._hash.digest()) != (self.rows, self._hash.digest()):
            raise NotCopied("What was written reads otherwise than what was copied; nothing was kept.")


def not_empty(place: str) -> NotCopied:
    return NotCopied(f"{place} holds something already; a log is copied to an empty place only.")

"""A table as JSON Lines: the stored bytes, an envelope a line, nothing lost.

Here: which lines, and writing a file whole or not at all. Never: a change to what is stored.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from secrets import token_hex

from msgspec import Struct
from msgspec.json import Encoder

from adapters.export.secrecy import Role, withheld
from events.codec import decode, line_of
from events.envelope import Stored
from events.log import EventLog


class SealedLine(Struct, frozen=True, forbid_unknown_fields=True):
    """What stands in an export for an event that is still secret: its link in the chain and nothing else."""

    seq: int
    table: str
    sealed: bool
    prev: str
    hash: str


_write = Encoder().encode


def lines(log: EventLog, table: str, role: Role, session: int | None = None) -> Iterator[bytes]:
    """The table's export line by line, without line ends, up to its head of now: somebody may be playing on."""
    end = log.head(table).seq
    secret = withheld(log.read(table, to=end), role)
    for stored in log.read(table, to=end):
        if not secret and session is None:
            yield line_of(stored)
        else:
            yield from _shown(stored, secret, session)


def _shown(stored: Stored, secret: frozenset[str], session: int | None) -> Iterator[bytes]:
    envelope = decode(stored)
    if session not in (None, envelope.session):
        return
    if envelope.cause in secret:
        yield _write(SealedLine(stored.seq, envelope.table, True, envelope.prev, stored.hash))
    else:
        yield line_of(stored)


def write(found: Iterable[bytes], path: Path) -> int:
    """Write the lines to a file and say how many; OSError (a full disk) leaves what was there before, or nothing."""
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():  # a device or a pipe: there is nothing to replace
        with path.open("wb") as out:
            return put(found, out.write)
    beside = path.with_name(f".{path.name}.{token_hex(4)}")
    try:
        with beside.open("xb") as out:
            count = put(found, out.write)
            out.flush()
            os.fsync(out.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    return count


def put(found: Iterable[bytes], write_bytes: Callable[[bytes], object]) -> int:
    """Each line with a line end; how many there were."""
    count = 0
    for count, line in enumerate(found, 1):  # noqa: B007  the last count is the answer
        write_bytes(line + b"\n")
    return count

"""`rollbook log follow`: each table's head after each event, noted as soon as that is stored, to be kept elsewhere.

Whoever can write to a log can make its chains anew, or cut them off at their ends. What was noted before, out of their
reach, shows it (`rollbook verify --heads`).

Here: the lines, and how a file of them is gone on with. Never: anything that was said or rolled, or a name.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, BinaryIO

from msgspec import DecodeError, Meta, Struct
from msgspec.json import Decoder, Encoder

from events.envelope import Head
from events.follow import Followable, Followed, Mark

LOOK_S = 0.5  # between two looks for something new
LONGEST = 2**16  # bytes of a line, at the most


class NotNoted(Exception):
    """The file is no record of heads, and is left as it is; str() says so."""


class Noted(Struct, frozen=True, forbid_unknown_fields=True):
    """A line: the table, its head as SEQ:HASH, and the rest of the mark behind that event."""

    table: str
    head: Annotated[str, Meta(pattern="^[1-9][0-9]{0,17}:[0-9a-f]{64}$")]
    era: int
    xid: int
    position: int

    @property
    def mark(self) -> Mark:
        return Mark(self.era, self.xid, self.position, self.head.partition(":")[2])


_write = Encoder().encode
_read = Decoder(Noted).decode


def note(log: Followable, path: Path | None, *, once: bool) -> None:
    """Write a line for each event to `path`, behind those that are there, or to standard output.

    For ever, or `once` all that there is so far. NotNoted: something else stands in the file. LogUnusable("damaged"):
    the log does not have any more what was noted last.
    """
    with _opened(path) as out:
        for one in _followed(log, _end_of(out) if path else Mark(), once=once):
            out.write(_write(_noted(one)) + b"\n")
            out.flush()


def latest(path: Path) -> dict[str, Head]:
    """The last head of each table that stands in such a file. NotNoted: it is another one."""
    found: dict[str, Head] = {}
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):  # or else it was not written to its end
                one = _understood(line)
                seq, _, digest = one.head.partition(":")
                found[one.table] = Head(int(seq), digest)
    if not found:
        raise _other_file()
    return found


def _opened(path: Path | None) -> AbstractContextManager[BinaryIO]:
    if path is None:
        return nullcontext(sys.stdout.buffer)
    if path.exists() and not path.is_file():  # a pipe or a device has no end to go on behind
        raise NotNoted(f"{path} is no file.")
    path.touch()
    return path.open("r+b")


def _end_of(file: BinaryIO) -> Mark:
    """The mark of its last line; a line whose end was not written any more is taken off."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - LONGEST))
    *lines, torn = file.read().split(b"\n")
    mark = _understood(lines[-1] if lines else torn).mark if size else Mark()
    file.seek(size - len(torn))
    file.truncate()
    return mark


def _understood(line: bytes) -> Noted:
    try:
        return _read(line)
    except DecodeError as error:
        raise _other_file() from error


def _other_file() -> NotNoted:
    return NotNoted("The file holds something else than heads of a log; please name another.")


def _followed(log: Followable, after: Mark, *, once: bool) -> Iterator[Followed]:
    while True:
        for one in log.follow(after):
            after = one.mark
            yield one
        if once:
            return
        time.sleep(LOOK_S)


def _noted(one: Followed) -> Noted:
    mark = one.mark
    return Noted(one.table, f"{one.event.seq}:{mark.hash}", mark.era, mark.xid, mark.position)

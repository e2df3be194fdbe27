"""A file written whole or not at all.

Here: a new file beside the old one, put in its place when it is on the disk. Never: what is in it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

READ_BY_ALL = 0o666  # less what the user's umask takes away
BINARY = getattr(os, "O_BINARY", 0)  # Windows would write line ends of its own


def write(found: Iterable[bytes], path: Path) -> int:
    """Write the lines to a file and say how many; OSError (a full disk) leaves what was there before, or nothing."""
    return _whole(path, lambda out: put(found, out.write))


def write_bytes(content: bytes, path: Path, rights: int = READ_BY_ALL) -> None:
    """The same with content that is no lines. A new file has these rights from its first byte on."""
    _whole(path, lambda out: out.write(content), rights)


def put(found: Iterable[bytes], write_bytes: Callable[[bytes], object]) -> int:
    """Each line with a line end; how many there were."""
    count = 0
    for count, line in enumerate(found, 1):  # noqa: B007  the last count is the answer
        write_bytes(line + b"\n")
    return count


def _whole(path: Path, fill: Callable[[BinaryIO], int], rights: int = READ_BY_ALL) -> int:
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():  # a device or a pipe: there is nothing to replace
        with path.open("wb") as out:
            return fill(out)
    beside = path.with_name(f".{path.name}.{token_hex(4)}")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, rights), "wb") as out:
            count = fill(out)
            out.flush()
            os.fsync(out.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    return count

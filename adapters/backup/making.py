"""`rollbook backup`: a copy of the log as it is at one moment, read again before it is kept.

Here: the way from a log that may be in use to a file that can be relied on, and old ones thinned. Never: a sentence
(`words.py`), or how pages and rows are copied (`events/`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from secrets import token_hex
from urllib.parse import urlsplit

from msgspec import Struct

from adapters import wiring
from adapters.backup import keys
from adapters.backup.checked import Checked, checked
from adapters.terminal.progress import bar, counted
from adapters.wiring import Log, Place
from events.sqlite import SqliteLog, pack

DATED = "{stem}-{at:%Y%m%dT%H%M%SZ}.db"
STEPS = 1_000  # of a bar
OF_OURS = r"-\d{8}T\d{6}Z\.db"  # what DATED makes behind the stem
UNFINISHED = re.compile(rf"\..+{OF_OURS}\.[0-9a-f]{{8}}(-wal|-shm|-journal)?")  # what `_written` writes to


class NotBackedUp(Exception):
    """Nothing was written; str() says why."""


class Made(Struct, frozen=True):
    """A backup at `path`, what is in it, how many files of the Matrix keys, and the older backups that made room."""

    path: Path
    found: Checked
    keys: int
    thinned: tuple[Path, ...] = ()


def make(source: Place, to: Path, key_folder: Path | None, now: datetime, keep: int | None = None) -> Made:
    """A backup of the log at `source` in the file `to` or, where that is a folder, in one with the date in its name.

    What is not there yet is made as a folder, unless its name has an ending (`.db`).

    One that does not hold is kept too, since it is what the log has; but then no older one is thinned. NotBackedUp,
    LogUnusable, NotCopied: nothing was written.
    """
    folder = to.is_dir() or not (os.path.lexists(to) or to.suffix)
    if keep is not None and not folder:
        raise NotBackedUp(f"--keep thins the backups in a folder, and {to} is none.")
    path = to / DATED.format(stem=_stem(source), at=now) if folder else to
    if os.path.lexists(path):
        raise NotBackedUp(f"{path} is there already and is not written over; name another file, or a folder.")
    files = keys.packed(key_folder)
    try:
        if folder:
            to.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = _written(source, path, files)
    except OSError as error:
        raise NotBackedUp(f"{path} was not written: {error.strerror}.") from error
    thinned = _thin(path, _stem(source), keep) if keep is not None and found.holds else ()
    if folder:
        _clear(to, now - timedelta(days=1))
    return Made(path, found, len(files), thinned)


def _stem(source: Place) -> str:
    return source.stem if isinstance(source, Path) else urlsplit(source).path.strip("/") or "rollbook"


def _written(source: Place, path: Path, files: dict[str, bytes]) -> Checked:
    """In its place when it is whole, read again, and on the disk."""
    beside = path.with_name(f".{path.name}.{token_hex(4)}")
    try:
        with closing(wiring.opened(source, read_only=True)) as log:
            beside.touch(mode=0o600, exist_ok=False)
            _copy(log, beside)
        pack(beside, files)
        found = checked(beside)
        sync(beside)
        beside.rename(path)
        sync(path.parent)
    finally:
        for ending in ("", *keys.BESIDE):
            beside.with_name(beside.name + ending).unlink(missing_ok=True)
    return found


def _copy(log: Log, to: Path) -> None:
    if isinstance(log, SqliteLog):
        with bar(STEPS) as moved:
            log.backup(to, moved and _in_steps(moved))
        return
    with closing(SqliteLog(to)) as new, bar(0) as moved:
        new.load(log.dump() if moved is None else counted(log.dump(), moved))


def _in_steps(moved: Callable[[int], object]) -> Callable[[int, int], None]:
    """Tells a bar of STEPS of pages that are still to come, and of how many."""
    done = 0

    def told(left: int, total: int) -> None:
        nonlocal done
        now = STEPS * (total - left) // max(total, 1)
        moved(now - done)
        done = now

    return told


def sync(path: Path) -> None:
    """A file, or the names in a folder, are on the disk. Windows cannot be asked for the second."""
    if os.name != "posix" and path.is_dir():
        return
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _thin(newest: Path, stem: str, keep: int) -> tuple[Path, ...]:
    """All but the newest `keep` of our backups of this log in the folder; what is called otherwise is not ours."""
    ours = re.compile(re.escape(stem) + OF_OURS)
    found = sorted(one for one in newest.parent.iterdir() if ours.fullmatch(one.name) and one.is_file())
    old = tuple(one for one in found[: -keep or None] if one != newest)
    for one in old:
        one.unlink()
    return old


def _clear(folder: Path, before: datetime) -> None:
    """What a backup that was cut off, by kill or by a power failure, has left: nobody writes to it any more."""
    for one in folder.iterdir():
        if UNFINISHED.fullmatch(one.name) and one.is_file() and one.stat().st_mtime < before.timestamp():
            one.unlink(missing_ok=True)

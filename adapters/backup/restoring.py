"""`rollbook restore`: a backup, or any other copy of a log, put in a log's place, to be played on.

Here: the way from a copy that holds to a log with new seeds, and the old log aside. Never: a sentence (`words.py`), or
what is said at the tables (`core/restoring.py`).
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from msgspec import Struct

from adapters import wiring
from adapters.backup import keys
from adapters.backup.checked import Checked, checked
from adapters.backup.making import sync
from adapters.wiring import Place
from core import restoring
from core.language import Language
from events.sqlite import SqliteLog, held_alone, pack, packed

ASIDE = "{name}.replaced-{at:%Y%m%dT%H%M%SZ}"


class NotRestored(Exception):
    """The log was left as it was; str() says why."""


class Restored(Struct, frozen=True):
    """What was in the backup; `renewed` tables have a new seed; `aside` is where the old log is, if there was one.

    `keys` is what became of the Matrix keys: put back, left as those here are newer, or nowhere to put; empty: none.
    """

    found: Checked
    renewed: int = 0
    aside: Path | None = None
    keys: Literal["", "back", "stay", "nowhere"] = ""


def restore(
    source: Path, target: Place, key_folder: Path | None, now: datetime, language: Language, *, replace: bool = False
) -> Restored:
    """The log in the file `source` at `target`, an empty database or a file; `replace` an older log there.

    Where it does not hold, see `Restored.found`, nothing was restored. NotRestored, LogUnusable, NotCopied, OSError:
    neither.
    """
    if isinstance(target, Path):
        target = Path(os.path.realpath(target))  # a link stays one
        _check_place(source, target, replace=replace)
    found = checked(source)
    if not found.verdicts:
        raise NotRestored(f"There is no table in {source}, so nothing to restore.")
    if not found.holds:
        return Restored(found)
    with _beside(target) as new:
        renewed = _made_ready(source, new, now, language)
        kept = _keys(source, key_folder)  # first, since they alone change nothing
        aside = _put(new, target, now)
    return Restored(found, renewed, aside, kept)


def _keys(source: Path, folder: Path | None) -> Literal["", "back", "stay", "nowhere"]:
    if not (files := packed(source)):
        return ""
    if folder is None:
        return "nowhere"
    return "back" if keys.put_back(files, folder) else "stay"


def _check_place(source: Path, target: Path, *, replace: bool) -> None:
    if target.exists() and target.samefile(source):
        raise NotRestored(f"{source} is the log itself; name a backup of it.")
    if target.exists() and not replace:
        raise NotRestored(f"There is a log at {target} already; --replace keeps it aside and takes its place.")
    if target.exists():
        with held_alone(target):
            pass  # told before the long part
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)


@contextmanager
def _beside(target: Place) -> Iterator[Path]:
    """A file for the log until it is ready, on the same disk as its place."""
    folder = target.parent if isinstance(target, Path) else None
    with TemporaryDirectory(prefix=".rollbook-", dir=folder) as made:
        yield Path(made) / "rollbook.db"


def _made_ready(source: Path, new: Path, now: datetime, language: Language) -> int:
    """A copy at `new`, with the schema of today, without the files in it, and with new seeds; how many of these."""
    new.touch(mode=0o600)
    with closing(SqliteLog(source, read_only=True)) as log:
        log.backup(new)
    pack(new, {})
    with closing(SqliteLog(new)) as log:
        log.set_bookmark(restoring.RESTORED_AT, str(int(now.timestamp())))
        return restoring.go_on(wiring.build(log, language).tables, f"restored-{secrets.token_hex(6)}")


def _put(new: Path, target: Place, now: datetime) -> Path | None:
    """In its place at once; where the log is that was there before."""
    if isinstance(target, str):
        with closing(SqliteLog(new, read_only=True)) as log, closing(wiring.opened(target)) as database:
            database.load(log.dump())
        return None
    sync(new)
    aside = target.with_name(ASIDE.format(name=target.name, at=now)) if target.exists() else None
    with held_alone(target) if aside else nullcontext():
        if aside:
            _keep(target, aside)
        new.replace(target)
        sync(target.parent)
    return aside


def _keep(path: Path, aside: Path) -> None:
    """A log's file under a second name, so that there is one in its place at every moment; and SQLite's own files
    beside it, of which only a damaged one still has some, away from what comes there."""
    for ending in keys.BESIDE:
        if (part := path.with_name(path.name + ending)).exists():
            part.rename(aside.with_name(aside.name + ending))
    try:
        aside.hardlink_to(path)
    except OSError:  # a file system without second names
        path.rename(aside)

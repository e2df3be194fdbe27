"""A log's file: opened, made or looked at; what is wrong with it as LogUnusable."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import chain, count
from pathlib import Path

from msgspec import DecodeError

from events.log import LogUnusable, Unusable
from events.sqlite.pages import copy
from events.sqlite.schema import APPLICATION_ID, MIGRATIONS, migrate, transaction, version

if sys.platform != "win32":
    import fcntl

_SENTENCES: dict[Unusable, str] = {
    "not_a_log": "{path} is not a Rollbook log.",
    "other_program": "{path} belongs to another program.",
    "newer": "{path} was written by a newer version of Rollbook; please update this one.",
    "read_only": "{path} can be read but not written.",
    "locked": "{path} has been held by another program for too long; please try again.",
    "full": "The disk that holds {path} is full.",
    "no_access": "{path} cannot be opened.",
    "missing": "There is no log at {path}.",
    "damaged": "{path} is damaged; please restore a backup.",
    "failed": "{path} could not be used: {said}.",
}
_REASONS: dict[int, Unusable] = {
    sqlite3.SQLITE_NOTADB: "not_a_log",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_CANTOPEN: "no_access",
    sqlite3.SQLITE_PERM: "no_access",
    sqlite3.SQLITE_CORRUPT: "damaged",
}

_FULL_BESIDE = sqlite3.SQLITE_IOERR_SHMSIZE  # no room for what SQLite keeps beside the file
_NOT_MADE = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
logger = logging.getLogger(__name__)
UNREADABLE = (sqlite3.Error, UnicodeDecodeError, DecodeError)


def opened(path: Path, patience_s: float) -> sqlite3.Connection:
    """A connection that writes; the file is made, or brought to the schema of today."""
    _make_room(path)
    with names_held(path.parent, alone=False):
        return _opened(path, patience_s)


@contextmanager
def names_held(folder: Path, *, alone: bool) -> Iterator[None]:
    """While this lasts no log in the folder gets another file under its name or, `alone`, none is opened there.

    Whoever opened the old file and waits for it would take the journal of the new one, which has the same name, for
    its own, and roll it back. On Windows, where a file that is open keeps its name, and in a folder that cannot be read
    this does nothing.
    """
    if sys.platform == "win32" or not os.access(folder, os.R_OK):
        yield
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without such locks
            fcntl.flock(number, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        yield
    finally:
        os.close(number)


def _opened(path: Path, patience_s: float) -> sqlite3.Connection:
    conn = _connected(str(path.absolute()), patience_s)  # absolute: `:memory:` is a file's name too
    try:
        _refuse_foreign(conn, path)
        _write_ahead(conn, patience_s)
        conn.execute("PRAGMA synchronous = FULL")
        conn.execute("PRAGMA foreign_keys = ON")
        conn.execute("PRAGMA secure_delete = ON")  # what is forgotten is not left in free pages
        _keep_older(conn, path, patience_s)
        migrate(conn)
    except BaseException:
        conn.close()
        raise
    return conn


def _keep_older(conn: sqlite3.Connection, path: Path, patience_s: float) -> None:
    """A file of an older schema is copied before it is brought up to date, if there is room: no older program could
    read it any more."""
    if not _is_older(conn):
        return
    with transaction(conn):  # so that no other process brings it up to date meanwhile
        if _is_older(conn):
            kept = _new_name(path, f"before-{len(MIGRATIONS)}")
            try:
                _copy_whole(path, kept, patience_s)
            except (sqlite3.Error, OSError) as error:
                logger.warning("%s is brought up to date and could not be copied before: %s", path, error)
            else:
                logger.info("%s is brought up to date; as it was it is kept in %s", path, kept)


def _is_older(conn: sqlite3.Connection) -> bool:
    return 0 < version(conn) < len(MIGRATIONS)


def _new_name(path: Path, ending: str) -> Path:
    """The file's name with this behind it, and a number where there is such a file already."""
    names = chain((f"{path.name}.{ending}",), (f"{path.name}.{ending}-{number}" for number in count(2)))
    return next(place for name in names if not (place := path.with_name(name)).exists())


def _copy_whole(path: Path, to: Path, patience_s: float) -> None:
    """OSError, sqlite3.Error: there is no room for it, or the like; nothing is left then."""
    if shutil.disk_usage(path.parent).free < 2 * path.stat().st_size:
        raise OSError(errno.ENOSPC, "there is too little room on the disk")
    new = to.with_name(f"{to.name}.new")
    try:
        new.unlink(missing_ok=True)
        new.touch(mode=0o600)
        with closing(beside(path, patience_s)) as reader:
            copy(reader, new)
        new.replace(to)
    finally:
        new.unlink(missing_ok=True)


def beside(path: Path, patience_s: float) -> sqlite3.Connection:
    """A connection that reads while another one of this process writes to the file."""
    conn = _connected(str(path.absolute()), patience_s)
    conn.execute("PRAGMA query_only = ON")
    return conn


def _connected(where: str, patience_s: float, *, uri: bool = False) -> sqlite3.Connection:
    return sqlite3.connect(where, timeout=patience_s, isolation_level=None, check_same_thread=False, uri=uri)


def looked_at(path: Path, patience_s: float) -> sqlite3.Connection:
    """The file as it is. Where not even SQLite's own files can be made beside it, nobody writes to it either."""
    if not path.is_file():
        raise unusable(path, "no_access" if path.exists() else "missing", "it is no file")
    where = f"{path.absolute().as_uri()}?mode=ro"
    try:
        return _checked(_connected(where, patience_s, uri=True), path)
    except sqlite3.OperationalError as error:
        # To look past events not yet in the file itself would be to leave out the latest.
        if not _not_made(error.sqlite_errorcode) or _unwritten(path):
            raise
    return _checked(_connected(f"{where}&immutable=1", patience_s, uri=True), path)


def _checked(conn: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    """A file of an older schema is read from a copy in memory that was brought up to date."""
    try:
        _refuse_foreign(conn, path)
        if version(conn) < len(MIGRATIONS):
            older, conn = conn, _connected(":memory:", 0)
            older.backup(conn)
            older.close()
            migrate(conn)
        conn.execute("PRAGMA query_only = ON")
    except BaseException:
        conn.close()
        raise
    return conn


def _not_made(code: int) -> bool:
    """Whether it was SQLite's own files beside the file that could not be made."""
    return code & 0xFF in _NOT_MADE or code == _FULL_BESIDE


def _unwritten(path: Path) -> bool:
    """Whether there are events that are not yet in the file itself."""
    ahead = path.with_name(f"{path.name}-wal")
    return ahead.exists() and ahead.stat().st_size > 0


def _make_room(path: Path) -> None:
    """Folder and file, for their owner alone: seeds not yet revealed and private replies lie in it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        path.touch(mode=0o600)
    effective = os.access in os.supports_effective_ids
    if not all(os.access(place, os.W_OK, effective_ids=effective) for place in (path, path.parent)):
        raise unusable(path, "read_only")


def _refuse_foreign(conn: sqlite3.Connection, path: Path) -> None:
    """Only read so far: a file that is not ours is left as it is."""
    conn.execute("BEGIN")  # one look at one state: another process may be making the file just now
    ours = conn.execute("PRAGMA application_id").fetchone()[0]
    schema = version(conn)
    things = conn.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    conn.execute("COMMIT")
    if ours != APPLICATION_ID and (ours or schema or things):
        raise unusable(path, "other_program")
    if schema > len(MIGRATIONS):
        raise unusable(path, "newer")


def _write_ahead(conn: sqlite3.Connection, patience_s: float) -> None:
    """SQLite does not wait by itself when two processes switch a new file to WAL at once."""
    deadline = time.monotonic() + patience_s
    while True:
        try:
            conn.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


@contextmanager
def telling(path: Path) -> Iterator[None]:
    """What goes wrong with the file, as LogUnusable."""
    try:
        yield
    except UNREADABLE as error:
        raise told(path, error) from error
    except OSError as error:
        raise unusable(path, "no_access", str(error)) from error


def told(path: Path, error: BaseException) -> LogUnusable:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)  # Python's own errors carry none
    if isinstance(error, UnicodeDecodeError | DecodeError) or str(error).startswith("Could not decode"):
        code = sqlite3.SQLITE_CORRUPT  # text that is no UTF-8, choices that are no JSON: a bit has fallen over
    if code == _FULL_BESIDE:
        code = sqlite3.SQLITE_FULL
    return unusable(path, _REASONS.get(code & 0xFF, "failed"), str(error))


def unusable(path: Path, reason: Unusable, said: str = "") -> LogUnusable:
    return LogUnusable(reason, _SENTENCES[reason].format(path=path, said=said))

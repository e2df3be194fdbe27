"""The bot's Matrix login and the keys of its device, in a backup: a device that has lost them nobody can encrypt for.

Here: the files of that folder as they are packed, and put back where there are none. Never: what they hold.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from adapters.config import Config
from events.sqlite import PATIENCE_S, content

FOLDER = "matrix"
RESTORED = "restored"  # an empty file that tells the bot at its next login (adapters/matrix/device.py)
BESIDE = ("-wal", "-shm", "-journal")  # SQLite's own, which are in the file itself once it is copied


def folder_of(config: Config) -> Path | None:
    """Where the keys are; None: no Matrix is configured."""
    if config.matrix is None:
        return None
    from adapters.matrix.device import store_of  # its library is slow to load

    return store_of(config.matrix)


def packed(folder: Path | None) -> dict[str, bytes]:
    """The files in that folder, by their names in a backup. OSError, LogUnusable: one cannot be read."""
    if folder is None or not folder.is_dir():
        return {}
    files = [one for one in sorted(folder.iterdir()) if one.is_file() and not one.name.endswith(BESIDE)]
    return {f"{FOLDER}/{one.name}": content(one, PATIENCE_S) for one in files}


def put_back(files: Mapping[str, bytes], folder: Path) -> bool:
    """Write them, for the owner alone, where there are none. False: there are, and they are newer than any backup.

    Whole or not at all: the folder is there when all of it is. OSError: it cannot be written.
    """
    folder = Path(os.path.realpath(folder))  # a link stays one
    if folder.is_dir() and any(folder.iterdir()):
        return False
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = folder.with_name(f".{folder.name}.new")
    beside.mkdir(mode=0o700, exist_ok=True)
    for name, kept in files.items():
        _write(beside / PurePosixPath(name).name, kept)
    _write(beside / RESTORED, b"")
    beside.replace(folder)
    return True


def _write(path: Path, content: bytes) -> None:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())

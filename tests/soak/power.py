"""What a disk may hold behind a power cut: SQLite's files as they lie there, with less of what was not yet synced.

SQLite writes frames (pages) behind each other into the journal, syncs them, and only then counts them in its index
(`-shm`); later it copies counted frames into the file, syncs that, and counts how many are in it. So a power cut may
take frames that are not counted, whole or in part, and pages of the file that are just being copied. What lies where:
https://www.sqlite.org/walformat.html
"""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from struct import unpack

from msgspec import Struct
from msgspec.structs import replace

HEADER, FRAME_HEADER, SECTOR = 32, 24, 512


class Journal(Struct, frozen=True):
    """Of one moment: frames of `page` bytes, `written` so far, of which `synced` are counted; `copied` may be in the
    file already, `surely_copied` are. Behind them lies what is left of an earlier round through the journal."""

    page: int
    written: int
    synced: int
    copied: int
    surely_copied: int

    def end(self, frames: int) -> int:
        """Where so many frames end, in bytes."""
        return HEADER + frames * (FRAME_HEADER + self.page)


def taken(path: Path, to: Path) -> Path:
    """The files as they are. Whoever writes to them is stopped."""
    to.mkdir()
    for ending in ("", "-wal", "-shm"):
        shutil.copyfile(f"{path}{ending}", to / f"{path.name}{ending}")
    return to / path.name


def journal_of(path: Path) -> Journal | None:
    """As the index says; None in the instant in which it is being written itself."""
    index = Path(f"{path}-shm").read_bytes()
    if index[:48] != index[48:96]:
        return None
    page, synced = unpack("=H", index[14:16])[0], unpack("=I", index[16:20])[0]
    surely, attempted = unpack("=I", index[96:100])[0], unpack("=I", index[128:132])[0]
    journal = Journal((page & 0xFE00) | (page & 1) << 16, synced, synced, max(surely, attempted), surely)
    return replace(journal, written=_written(Path(f"{path}-wal").read_bytes(), journal))


def _written(ahead: bytes, journal: Journal) -> int:
    """The frames of this round through the journal: they have its salt."""
    frames, salt = journal.synced, ahead[16:24]
    while len(ahead) >= journal.end(frames + 1) and ahead[journal.end(frames) + 8 :][:8] == salt:
        frames += 1
    return frames


def cut_power(path: Path, journal: Journal, chance: random.Random, *, lying: bool = False) -> None:
    """Drop some of what was not synced; the index, which is memory, goes as well.

    `lying`: the disk said that it had synced what it had not, so frames go that were counted, back to those that are in
    the file.
    """
    ahead = Path(f"{path}-wal")
    first = journal.end(journal.copied if lying else journal.synced)
    tail = min(journal.end(journal.written), ahead.stat().st_size) - first
    with ahead.open("r+b") as file:
        for at in range(first, first + tail, SECTOR):
            if not lying and chance.random() < 0.3:  # sectors reach the disk in any order
                file.seek(at)
                file.write(bytes(min(SECTOR, first + tail - at)))
        file.truncate(first + chance.randrange(tail + 1))
    _spoil_copies(path, journal)
    Path(f"{path}-shm").unlink()


def _spoil_copies(path: Path, journal: Journal) -> None:
    """Pages that were being copied into the file: none of them need have arrived."""
    ahead = Path(f"{path}-wal").read_bytes()
    with path.open("r+b") as file:
        for frame in range(journal.surely_copied, journal.copied):
            (number,) = unpack(">I", ahead[journal.end(frame) : journal.end(frame) + 4])
            file.seek((number - 1) * journal.page)
            file.write(bytes(journal.page))

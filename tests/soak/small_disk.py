"""A disk so small that it can be filled: a file system in memory, which only root may mount."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

BLOCK = 4096


class Disk:
    """What lies on it, and a file that is nothing but weight."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._weight = folder, folder / "weight"

    @property
    def log(self) -> Path:
        return self.folder / "rollbook.db"

    def weigh(self, size: int) -> None:
        """Take so many bytes away."""
        self._weight.write_bytes(bytes(size))

    def fill(self) -> None:
        """Take away all that is left."""
        with self._weight.open("ab", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(BLOCK))
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise

    def freeze(self) -> None:
        """Nothing can be written any more."""
        subprocess.run(["mount", "-o", "remount,ro", str(self.folder)], check=True)

    def make_room(self) -> None:
        self._weight.unlink()


@contextmanager
def small_disk(size: int) -> Iterator[Disk]:
    """Of so many bytes. Skipped where it cannot be had."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root can mount a disk, and only on Linux in this way")
    with tempfile.TemporaryDirectory() as folder:
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", folder], capture_output=True, check=False
        )
        if mounted.returncode:
            pytest.skip("no disk can be mounted here")
        try:
            yield Disk(Path(folder))
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)

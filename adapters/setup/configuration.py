"""The configuration file: what stands in it stays, but for what was asked; and nobody else can read it.

Here: TOML, read and written. Never: what a value should be.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from adapters.config import NotConfigured
from adapters.export import whole

OWNER_ALONE = 0o600
HEAD = "Written by `rollbook setup`, which changes it too and leaves alone what it does not ask for."


class Configuration:
    """The file at `path`, there already or not. NotConfigured: there is something else."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._before = _read(path)
        try:
            self._document = tomlkit.parse((self._before or b"").decode("utf-8-sig"))
        except (TOMLKitError, UnicodeDecodeError) as error:
            raise NotConfigured(f"{path} is not TOML: {error}") from None
        if self._before is None:
            self._document.add(tomlkit.comment(HEAD))

    @property
    def exists(self) -> bool:
        return self._before is not None

    def section(self, name: str) -> Mapping[str, Any]:
        """What a section holds; nothing where there is none."""
        found = self._document.get(name, {})
        if not isinstance(found, dict):
            raise NotConfigured(f"{name} in {self.path} is no section of its own that begins with [{name}].")
        return {str(key): value for key, value in found.items()}

    def get(self, key: str) -> object:
        """A key before all sections."""
        return self._document.get(key)

    def put(self, key: str, value: object) -> None:
        if self._document.get(key) != value:
            self._document[key] = value

    def fill(self, name: str, answers: Mapping[str, Any]) -> None:
        """Set these keys of a section; those with None are not to be there."""
        if name not in self._document and any(value is not None for value in answers.values()):
            self._document[name] = tomlkit.table()
        section = self._document.get(name)
        for key, value in answers.items():
            if not isinstance(section, MutableMapping):
                return
            if value is None:
                section.pop(key, None)
            elif section.get(key) != value:
                section[key] = value

    @property
    def changed(self) -> bool:
        return self._content != self._before

    @property
    def _content(self) -> bytes:
        return tomlkit.dumps(self._document).encode()

    def write(self) -> None:
        """Whole or not at all, and for the owner alone from the first byte.

        What was there before is beside it afterwards, under `backup`. OSError: it could not be written.
        """
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._before is not None:
            whole.write_bytes(self._before, self.backup, OWNER_ALONE)
        whole.write_bytes(self._content, self.path, OWNER_ALONE)

    @property
    def backup(self) -> Path:
        return self.path.with_name(f"{self.path.name}.bak")


def _read(path: Path) -> bytes | None:
    try:
        if path.exists() and not path.is_file():  # a pipe or a device may have no end
            raise NotConfigured(f"{path} is no file.")
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NotConfigured(f"{path} cannot be read: {error.strerror}") from None

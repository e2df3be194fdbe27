"""The program that runs now: as a service starts it, and as it is typed.

Here: its path and its name. Never: what it is told to do.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

NAME = "rollbook"


def command() -> list[str]:
    """As it is installed here or, from a source folder without installation, the Python that runs now."""
    script = Path(sys.executable).with_name(NAME)
    return [str(script)] if script.is_file() else [sys.executable, "-m", "adapters"]


def typed() -> str:
    """By its name where a shell finds it so, by its path where not: in `.venv` of a source folder, say."""
    words, found = command(), shutil.which(NAME)
    script = Path(words[0])
    if len(words) > 1:
        return shlex.join(words)
    if found and Path(found).resolve() == script.resolve():
        return NAME
    return shlex.quote(str(script.relative_to(Path.cwd()) if script.is_relative_to(Path.cwd()) else script))

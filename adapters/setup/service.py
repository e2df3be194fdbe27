"""The bot as a systemd service of the user who sets it up: it starts with the machine, without being root.

Here: the unit, and the commands that take it into use. Never: a question. The unit for a server of its own stands in
`deploy/`.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from platformdirs import user_config_path

from adapters.export import whole
from adapters.setup import program

UNIT = "rollbook.service"
LIMIT_S = 60
COMMANDS = (
    ("systemctl", "--user", "daemon-reload"),
    ("systemctl", "--user", "enable", UNIT),
    ("systemctl", "--user", "restart", UNIT),
    ("loginctl", "enable-linger"),  # it runs while nobody is logged in
)


def usable() -> bool:
    """Whether there is a systemd here that would run it."""
    return _done("systemctl", "--user", "show-environment")


def unit(config: Path) -> str:
    """The unit with the paths of this installation, reading this file."""
    templates = Environment(loader=PackageLoader("adapters.setup", "."), undefined=StrictUndefined, autoescape=False)  # noqa: S701  no page
    command = [*program.command(), "serve", "--config", str(config.absolute())]
    return templates.get_template(f"{UNIT}.j2").render(command=" ".join(map(quoted, command)), folder=_folder()) + "\n"


def write(config: Path) -> Path:
    """Where the unit was written. OSError: it could not be."""
    path = user_config_path("systemd") / "user" / UNIT
    path.parent.mkdir(parents=True, exist_ok=True)
    whole.write_bytes(unit(config).encode(), path)
    return path


def start() -> Iterator[str]:
    """Take it into use, and start it or start it anew; the commands that failed, to be repeated by hand."""
    for command in COMMANDS:
        if not _done(*command):
            yield " ".join(command)


def _done(name: str, *arguments: str) -> bool:
    program = shutil.which(name)
    if program is None:
        return False
    try:
        return subprocess.run([program, *arguments], capture_output=True, check=False, timeout=LIMIT_S).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _folder() -> str:
    """Where it runs, `%` as systemd reads it: from there Python finds `adapters` also where it is not installed."""
    return "%h" if len(program.command()) == 1 else str(Path(__file__).parents[2]).replace("%", "%%")


def quoted(argument: str) -> str:
    """An argument as it stands in `ExecStart=`."""
    escaped = argument.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'

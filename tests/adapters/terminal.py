"""The real program, started as its users start it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PROGRAM = (sys.executable, "-m", "adapters")
NOWHERE = str(ROOT / "tests" / "nowhere")  # where the tester's own configuration is not
ENVIRONMENT = {
    **os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", "PYTHONWARNINGS": "error", "XDG_CONFIG_HOME": NOWHERE,
}  # fmt: skip
UNLIMITED = {"ROLLBOOK_LIMITS_PERSON_PER_MINUTE": "0", "ROLLBOOK_LIMITS_CHAT_PER_MINUTE": "0"}  # for a test that floods
EVENING = (
    "gm: /table new savage Glacier",
    "ann: /char new Ann athletics=d8",
    "gm: /session start Night",
    "ann: /trait athletics",
    "gm: /roll 2d6 secret",
    "gm: /init deal",
    "gm: /session end",
)


def run(*arguments: object, given: str | bytes = "", language: str = "C.UTF-8") -> subprocess.CompletedProcess[str]:
    """`rollbook ARGUMENTS`, given this on standard input."""
    given = given.encode() if isinstance(given, str) else given
    done = subprocess.run(
        [*PROGRAM, *map(str, arguments)], input=given, capture_output=True, check=False, timeout=60,
        env={**ENVIRONMENT, "LC_ALL": language},
    )  # fmt: skip
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def play(db: Path, *lines: str, options: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """`play --json` of these lines; the objects that it answered with."""
    done = run("play", "--json", "--db", db, *options, given="".join(f"{line}\n" for line in lines))
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def exported(db: Path, *options: str) -> str:
    """The table's record as `export` prints it; all of it unless `options` say otherwise."""
    done = run("export", "--db", db, *(options or ("--as", "audit")))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that a command said before it left with 2."""
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert done.stdout == ""
    assert done.stderr.startswith("rollbook: ")
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix("rollbook: ").strip()

"""The tree is the architecture: every module stands where ARCHITECTURE.md says, none is a drawer for odds and ends."""

from __future__ import annotations

import json
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("events", "core", "adapters")

ROOMS = {
    "events": {
        "types", "envelope", "codec", "upcasts", "chain", "log", "beside", "rows", "dump", "follow", "sqlite",
        "postgres", "talk",
    },
    "core": {
        "app", "game", "evolve", "replay", "verify", "secrecy", "refusal", "messages", "registry", "decider",
        "language", "house", "telling", "vocabulary", "pools", "people", "seating", "tables", "record", "stats",
        "talk", "codes", "forgetting", "restoring", "snapshot", "zones",
        "grammar", "dice", "table", "systems", "render",
    },
    "adapters": {
        "__main__", "cli", "config", "wiring", "serve", "terminal", "doctor", "stats", "telegram", "matrix", "export",
        "inbox", "limits", "outbox", "sharing", "notices", "parting", "files", "pictures", "findings", "words",
        "metrics", "monitoring", "logs", "heads", "backup", "setup", "zones",
    },
}  # fmt: skip
SYSTEM_ROOMS = {"verbs", "rules", "state", "decide", "answer", "words", "tell"}
DRAWERS = {
    "util", "utils", "helper", "helpers", "common", "misc", "tools", "base", "shared",
    "manager", "managers", "handler", "handlers",
}  # fmt: skip

# What a replay may never bring with it (law 1, law 2).
NEVER_REPLAYED = (
    "core.dice", "core.dice.*", "core.*.rules", "core.*.decide", "core.refusal",
    "random", "secrets", "uuid", "asyncio", "sqlite3", "sqlite_utils", "psycopg",
)  # fmt: skip
WHAT_REPLAY_BRINGS = """
import json, sys
import msgspec, msgspec.json
before = set(sys.modules)
import core.evolve
from core.registry import SYSTEMS, rooms
for system in SYSTEMS:
    rooms(system, "state")
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def modules(*folders: str) -> list[Path]:
    """Every Python file in these folders."""
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def names_in(folder: Path) -> set[str]:
    """The modules and packages that stand directly in a folder."""
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    return files | {path.parent.name for path in folder.glob("*/__init__.py")}


def systems() -> list[Path]:
    """The folder of every rule system."""
    return sorted(path.parent for path in (ROOT / "core/systems").glob("*/__init__.py"))


def is_drawer(path: Path) -> bool:
    """Whether a file is named for being handy instead of for what lives in it: utils.py, dice_helpers.py …"""
    names = [path.stem, *path.relative_to(ROOT).parent.parts]
    return any(word in DRAWERS for name in names for word in name.lower().split("_"))


@pytest.mark.parametrize("name", ["core/utils.py", "core/dice/dice_helpers.py", "adapters/common/wire.py"])
def test_a_drawer_is_known_by_its_name(name: str) -> None:
    assert is_drawer(ROOT / name)


def test_no_module_is_a_drawer_for_odds_and_ends() -> None:
    assert [str(path.relative_to(ROOT)) for path in modules(*PACKAGES, "tests") if is_drawer(path)] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_top_level_module_is_one_of_the_architectures(package: str) -> None:
    assert names_in(ROOT / package) - ROOMS[package] == set()


def test_no_python_stands_outside_the_packages_and_the_tests() -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if tracked.returncode:
        pytest.skip("not a git clone: what belongs to the project cannot be told from what lies about")
    assert {name.split("/")[0] for name in tracked.stdout.splitlines()} <= {*PACKAGES, "tests"}


@pytest.mark.parametrize("system", systems(), ids=lambda path: path.name)
def test_every_rule_system_has_the_same_rooms(system: Path) -> None:
    assert names_in(system) == SYSTEM_ROOMS


@pytest.mark.parametrize("path", modules(*PACKAGES), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_folder_of_modules_is_a_package(path: Path) -> None:
    assert (path.parent / "__init__.py").exists()


def test_a_replay_brings_no_dice_no_rules_and_no_decisions_with_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WHAT_REPLAY_BRINGS], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    brought = json.loads(done.stdout)
    assert {"core.evolve", "core.table.state", "core.systems.savage.state"} <= set(brought)
    assert [name for name in brought if any(fnmatch(name, never) for never in NEVER_REPLAYED)] == []

"""The lock files pin everything by hash and name no registry, so that they serve whoever installs from wherever."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = ("requirements.lock", "requirements-dev.lock")
PIN = re.compile(
    r"^(?P<name>[a-z0-9][a-z0-9.-]*)==(?P<version>\S+)"
    r"(?: ; [^\\\n]+)? \\$"  # for which platforms
    r"(?:\n    --hash=sha256:[0-9a-f]{64}(?: \\)?)+$",
    re.MULTILINE,
)


def text_of(lock: str) -> str:
    """A lock file as it stands."""
    return (ROOT / lock).read_text(encoding="utf-8")


def pins(lock: str) -> dict[str, list[str]]:
    """Name -> versions of everything that a lock file pins with hashes: more than one where Pythons need their own."""
    found: dict[str, list[str]] = {}
    for pin in PIN.finditer(text_of(lock)):
        found.setdefault(pin["name"], []).append(pin["version"])
    return found


def names(requirements: list[str]) -> set[str]:
    """The normalised names in a list of requirements."""
    return {re.sub(r"[-_.]+", "-", re.split(r"[<>=!~\[ ;]", line)[0]).lower() for line in requirements}


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_registry_and_no_folder(lock: str) -> None:
    assert re.findall(r"\S*(?:://|index-url|find-links|trusted-host|\s/)\S*", text_of(lock)) == []


@pytest.mark.parametrize("lock", LOCKS)
def test_everything_in_a_lock_is_pinned_with_its_hashes(lock: str) -> None:
    lines = [line for line in text_of(lock).splitlines() if line and not line.startswith((" ", "#"))]
    assert len(lines) == sum(map(len, pins(lock).values())) > 0


def test_the_locks_pin_every_dependency_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project["dependency-groups"]
    assert names(project["project"]["dependencies"]) | names(groups["build"]) <= pins("requirements.lock").keys()
    assert names(groups["dev"]) <= pins("requirements-dev.lock").keys()


def test_tests_run_on_the_versions_that_people_play_on() -> None:
    assert pins("requirements.lock").items() <= pins("requirements-dev.lock").items()

"""What a soak was like, in figures below the tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.telegram import FakeTelegram

TALLY = pytest.StashKey[Counter[str]]()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rollbook.db"


@pytest.fixture
def told(tmp_path: Path) -> Path:
    return tmp_path / "told.jsonl"


@pytest.fixture
def server() -> Iterator[FakeTelegram]:
    with FakeTelegram() as server:
        yield server


@pytest.fixture
def tally(pytestconfig: pytest.Config) -> Counter[str]:
    """Counts by name, shown when all tests are done."""
    return pytestconfig.stash.setdefault(TALLY, Counter())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    counts = terminalreporter.config.stash.get(TALLY, Counter())
    if counts:
        terminalreporter.section("figures of the soak")
    for name, count in counts.items():
        terminalreporter.write_line(f"{name}: {count:,}")

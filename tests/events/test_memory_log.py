"""MemoryLog keeps to the contract of every log."""

from __future__ import annotations

import pytest

from events.log import EventLog, MemoryLog
from tests.events.log_contract import LogContract


class TestMemoryLog(LogContract):
    @pytest.fixture
    def log(self) -> EventLog:
        return MemoryLog()

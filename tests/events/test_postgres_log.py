"""PostgresLog keeps to the contract of every log, and to a few promises more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from events.postgres.log import PostgresLog
from tests.events.log_contract import LogContract
from tests.servers.postgres import Postgres, running


@pytest.fixture
def server() -> Postgres:
    return running()


@pytest.fixture
def conninfo(server: Postgres) -> str:
    return server.fresh()


@pytest.fixture
def log(conninfo: str) -> Iterator[PostgresLog]:
    log = PostgresLog(conninfo)
    yield log
    log.close()


class TestPostgresLog(LogContract):
    """With `log` from above."""

"""The usual surroundings of a test of the chats: the fake Telegram, a bot on it, people and a group.

A module of another platform, or with other surroundings, has fixtures of the same names.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.telegram_chat import Running
from tests.servers.telegram import FakeTelegram

Json = dict[str, Any]


@pytest.fixture
def server() -> Iterator[FakeTelegram]:
    with FakeTelegram() as server:
        yield server


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rollbook.db"


@pytest.fixture
def bot(server: FakeTelegram, path: Path) -> Iterator[Running]:
    with Running(server, path) as running:
        yield running


@pytest.fixture
def gm(server: FakeTelegram) -> Json:
    return server.person("Gm")


@pytest.fixture
def ann(server: FakeTelegram) -> Json:
    return server.person("Ann")


@pytest.fixture
def group(server: FakeTelegram, gm: Json, ann: Json) -> int:
    return server.supergroup("Night", gm, ann)

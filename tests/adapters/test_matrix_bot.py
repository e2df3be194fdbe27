"""The bot on Matrix, against a real Synapse: what people see, whatever goes wrong on the way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adapters.chat_contract import ChatContract
from tests.adapters.matrix_chat import MatrixChat


class TestMatrix(ChatContract):
    @pytest.fixture
    def chat(self, tmp_path: Path) -> Iterator[MatrixChat]:
        chat = MatrixChat(tmp_path)
        yield chat
        chat.close()

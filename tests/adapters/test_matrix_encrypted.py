"""The bot in encrypted rooms, against a real Synapse and with people whose clients encrypt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adapters.chat_contract import ChatContract
from tests.adapters.matrix_chat import MatrixChat


class TestMatrixEncrypted(ChatContract):
    @pytest.fixture
    def chat(self, tmp_path: Path) -> Iterator[MatrixChat]:
        chat = MatrixChat(tmp_path, encrypted=True)
        yield chat
        chat.close()

"""The real program on the fake Telegram, by polling and by webhook: from the command to its answer, as the server
sees it. The network costs nothing here, and the server does next to nothing."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from tests.adapters.telegram_chat import webhook
from tests.bench.figures import Figure, Size, rate, round_trips
from tests.bench.serving import COMMAND, Processor, Program, serving
from tests.servers.telegram import FakeTelegram, Json

PATIENCE_S = 120.0
Message = tuple[int, int]  # chat, message


class ClockedTelegram(FakeTelegram):
    """Notes when an answer has come, and to which message."""

    def __init__(self) -> None:
        super().__init__()
        self._answered: SimpleQueue[tuple[Message, float]] = SimpleQueue()

    def _sendMessage(self, given: Json) -> Json:
        sent = super()._sendMessage(given)
        if answered := sent.get("reply_to_message"):
            self._answered.put(((sent["chat"]["id"], answered["message_id"]), time.perf_counter()))
        return sent

    def answered(self, messages: Sequence[Message]) -> float:
        """When the last of these messages was answered, each of them once."""
        came = [self._answered.get(timeout=PATIENCE_S) for _ in messages]
        assert sorted(message for message, _ in came) == sorted(messages)
        return max(at for _, at in came)

    def ask(self, chats: Sequence[int], by: Json, text: str) -> float:
        """The same in each of these chats (which may be one and the same), at once; seconds until all are answered."""
        began = time.perf_counter()
        sent = self._do(lambda: [(chat, self._text(self._chats[chat], by, text, None, None, {})) for chat in chats])
        return self.answered(sent) - began


def polling(size: Size, folder: Path) -> list[Figure]:
    return _measured("Telegram by polling", size, folder, {})


def by_webhook(size: Size, folder: Path) -> list[Figure]:
    hook = webhook()
    way = {"ROLLBOOK_TELEGRAM_WEBHOOK_URL": hook.url, "ROLLBOOK_TELEGRAM_WEBHOOK_LISTEN": hook.at}
    return _measured("Telegram by webhook", size, folder, way)


def _measured(benchmark: str, size: Size, folder: Path, way: Mapping[str, str]) -> list[Figure]:
    with ClockedTelegram() as server:
        settings = {
            "ROLLBOOK_DB": str(folder / "rollbook.db"), "ROLLBOOK_TELEGRAM_TOKEN": server.token,
            "ROLLBOOK_TELEGRAM_BASE_URL": server.base_url, "ROLLBOOK_TELEGRAM_BASE_FILE_URL": server.base_file_url,
        }  # fmt: skip
        with serving(settings | dict(way)) as program:
            gm = server.person("Gm")
            groups = [server.supergroup(f"Night {number}", gm) for number in range(size.chats)]
            server.ask(groups, gm, "/table new savage Glacier")
            server.ask(groups, gm, f"/{COMMAND}")  # what is done once for each chat is done
            times = [server.ask(groups[:1], gm, f"/{COMMAND}") for _ in range(size.one_by_one)]
            return [
                *round_trips(benchmark, times),
                *_at_once(benchmark, "1 chat", server, program, gm, groups[:1] * size.at_once),
                *_at_once(benchmark, f"{size.chats} chats", server, program, gm, _in_turn(groups, size.at_once)),
            ]


def _in_turn(groups: Sequence[int], count: int) -> list[int]:
    return [groups[number % len(groups)] for number in range(count)]


def _at_once(
    benchmark: str, where: str, server: ClockedTelegram, program: Program, gm: Any, chats: Sequence[int]
) -> list[Figure]:
    name, processor = f"{len(chats)} at once in {where}", Processor(program)
    took = server.ask(chats, gm, f"/{COMMAND}")
    return [rate(benchmark, name, len(chats), took), *processor.used(benchmark, name, len(chats))]

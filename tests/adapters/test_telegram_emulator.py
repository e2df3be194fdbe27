"""The bot keeps to the contract of every chat on a Bot API that others wrote, by polling and by webhook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adapters.telegram.bot import Updates
from adapters.telegram.polling import Polling
from events.beside import MessageKey
from events.log import EventLog
from tests.adapters.chat_contract import ChatContract, rolls
from tests.adapters.telegram_chat import Running, webhook
from tests.servers.telegram_emulator import TelegramEmulator
from tests.servers.telegram_html import parsed

GROUP = -1_001_234_567_890

Json = dict[str, Any]


class EmulatedChat:
    """A supergroup on the emulator, which refuses nobody: who has written in private before is all one there."""

    def __init__(self, server: TelegramEmulator, path: Path, updates: Callable[[], Updates]) -> None:
        self.server, self.path, self.updates = server, path, updates
        self.people = {name: server.person(name) for name in ("gm", "ann", "tom")}
        self.said: dict[str, Json] = {}
        self._start()

    def _start(self) -> None:
        self.running = Running(self.server, self.path, updates=self.updates).__enter__()
        self.server.wait_for(lambda: self.server.calls("getMe"))

    def _settle(self) -> None:
        log = self.running.log
        self.server.wait_for(lambda: self.server.pending == 0 and not log.pending("telegram"))

    def say(self, name: str, text: str) -> str:
        message = self.server.text(GROUP, self.people[name], text)
        self.said[id := str(message["message_id"])] = message
        self._settle()
        return id

    def again(self, message: str) -> None:
        self.server.update({"message": self.said[message]})
        self._settle()

    def edit(self, message: str, text: str) -> None:
        self.server.edit(self.said[message], text)

    def key(self, message: str) -> MessageKey:
        return MessageKey("telegram", str(GROUP), message)

    def heard(self) -> list[str]:
        return self._shown(GROUP)

    def heard_by(self, name: str) -> list[str]:
        return self._shown(self.people[name]["id"])

    def _shown(self, chat: int) -> list[str]:
        return [parsed(call["fields"]["text"])[0] for call in self.server.of_bot(chat)]

    def restart(self) -> None:
        self.running.__exit__()
        self._start()

    def log(self) -> EventLog:
        return self.running.log


@pytest.fixture
def server() -> Iterator[TelegramEmulator]:
    with TelegramEmulator() as server:
        yield server
        assert server.refused() == []


@pytest.fixture(params=[Polling, webhook])
def chat(request: pytest.FixtureRequest, server: TelegramEmulator, tmp_path: Path) -> Iterator[EmulatedChat]:
    chat = EmulatedChat(server, tmp_path / "rollbook.db", request.param)
    yield chat
    chat.running.__exit__()


class TestTelegramEmulator(ChatContract):
    """What `chat` gives stands above."""


def test_a_choice_is_made_by_its_button(chat: EmulatedChat, server: TelegramEmulator) -> None:
    for name, text in (
        ("gm", "/table new adventure Glacier"), ("ann", "/char new Ann DEX=1"), ("gm", "/house physical-dice on"),
        ("gm", "/session start"), ("ann", "/move defy DEX dice=4,3"),
    ):  # fmt: skip
        chat.say(name, text)
    offered = next(call for call in server.of_bot(GROUP) if "reply_markup" in call["fields"])
    data = offered["fields"]["reply_markup"]["inline_keyboard"][0][0]["callback_data"]
    for name in ("gm", "ann"):
        query = server.press(offered, data, chat.people[name])
        server.wait_for(
            lambda query=query: [
                one for one in server.calls("answerCallbackQuery") if one["fields"]["callback_query_id"] == query
            ]
        )
    server.wait_for(lambda: server.calls("editMessageReplyMarkup"))
    refused, made = server.calls("answerCallbackQuery")
    assert refused["fields"]["show_alert"] in (True, "true")
    assert "text" not in made["fields"]


def test_a_roll_is_made_again_by_its_button(chat: EmulatedChat, server: TelegramEmulator) -> None:
    chat.say("gm", "/table new savage Glacier")
    chat.say("ann", "/roll 2d6")
    rolled = server.of_bot(GROUP)[-1]
    data = rolled["fields"]["reply_markup"]["inline_keyboard"][0][0]["callback_data"]
    for name in ("gm", "ann"):
        server.press(rolled, data, chat.people[name])
    server.wait_for(lambda: len(server.calls("answerCallbackQuery")) == 2)
    chat._settle()
    assert rolls(chat) == 2
    assert len(server.of_bot(GROUP)) == 3


def test_a_chat_gets_its_menu_and_a_file_its_chat(chat: EmulatedChat, server: TelegramEmulator) -> None:
    chat.say("gm", "/table new savage Glacier")
    chat.say("ann", "/roll 2d6")
    chat.say("gm", "/export csv")
    (sent,) = server.calls("sendDocument")
    assert sent["files"]["document"].endswith(".csv")
    assert int(sent["fields"]["chat_id"]) == GROUP
    server.wait_for(lambda: [one for one in server.calls("setMyCommands") if "scope" in one["fields"]][1:])

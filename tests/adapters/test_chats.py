"""Terminal and Telegram keep to the contract of every chat."""

from __future__ import annotations

import io
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.terminal import wire
from adapters.terminal.play import Seat, play_text
from adapters.wiring import now
from core.app import App
from events.beside import MessageKey
from events.log import EventLog
from events.sqlite import SqliteLog
from tests.adapters.chat_contract import ChatContract
from tests.adapters.telegram_chat import Running
from tests.servers.telegram import FakeTelegram


class TerminalChat:
    """The terminal's loop over lines; what is printed for one person alone is marked `[to NAME]`."""

    def __init__(self, path: Path) -> None:
        self.path, self._out = path, io.BytesIO()
        self._sit()

    def _sit(self) -> None:
        self._log = SqliteLog(self.path)
        self.seat = Seat(App(self._log, now, secrets.token_bytes), "main", "you", secrets.token_hex(4))

    def say(self, name: str, text: str) -> str:
        play_text(self.seat, [f"{name}: {text}\n".encode()], self._out)
        return f"{self.seat._run}-{self.seat.said}|{name}|{text}"

    def again(self, message: str) -> None:
        id, name, text = message.split("|", 2)
        self.seat.app.hear(wire.incoming(wire.Spoken(name, text), "main", id))

    def edit(self, message: str, text: str) -> None:  # noqa: ARG002  the contract's
        pytest.skip("what stands in a terminal cannot be edited")

    def key(self, message: str) -> MessageKey:
        return MessageKey("terminal", "main", message.split("|", maxsplit=1)[0])

    def heard(self) -> list[str]:
        return [line for line in self._lines() if not line.startswith("[to ")]

    def heard_by(self, name: str) -> list[str]:
        return [line for line in self._lines() if line.startswith(f"[to {name}] ")]

    def _lines(self) -> list[str]:
        return self._out.getvalue().decode().splitlines()

    def restart(self) -> None:
        self._log.close()
        self._sit()

    def log(self) -> EventLog:
        return self._log


class TelegramChat:
    """The bot against the fake server; everybody but tom has pressed Start."""

    def __init__(self, server: FakeTelegram, path: Path) -> None:
        self.server, self.path = server, path
        self.people = {name: server.person(name) for name in ("gm", "ann", "tom")}
        self.own = {name: server.private(self.people[name]) for name in ("gm", "ann")}
        self.group = server.supergroup("Night", *self.people.values())
        self._start()

    def _start(self) -> None:
        self.running = Running(self.server, self.path).__enter__()

    def _settle(self) -> None:
        log = self.running.log
        self.server.wait_for(lambda: self.server.pending == 0 and not log.pending("telegram"))

    def say(self, name: str, text: str) -> str:
        message = self.server.text(self.group, self.people[name], text)
        self._settle()
        return str(message)

    def again(self, message: str) -> None:
        self.server.repeat(self.group, int(message))
        self._settle()

    def edit(self, message: str, text: str) -> None:
        self.server.edit(self.group, int(message), text)
        self._settle()

    def key(self, message: str) -> MessageKey:
        return MessageKey("telegram", str(self.group), message)

    def heard(self) -> list[str]:
        return [one.text for one in self.server.of_bot(self.group)]

    def heard_by(self, name: str) -> list[str]:
        return [one.text for one in self.server.of_bot(self.own[name])] if name in self.own else []

    def restart(self) -> None:
        self.running.__exit__()
        self._start()

    def log(self) -> EventLog:
        return self.running.log


class TestTerminal(ChatContract):
    @pytest.fixture
    def chat(self, tmp_path: Path) -> Iterator[TerminalChat]:
        chat = TerminalChat(tmp_path / "rollbook.db")
        yield chat
        chat.log().close()


class TestTelegram(ChatContract):
    @pytest.fixture
    def chat(self, tmp_path: Path) -> Iterator[TelegramChat]:
        with FakeTelegram() as server:
            chat = TelegramChat(server, tmp_path / "rollbook.db")
            yield chat
            chat.running.__exit__()

"""Bots on a log that programs share wait for their turn at a table: with what is said, edited, deleted and pressed."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from adapters import sharing
from adapters.wiring import now
from core.app import App
from core.messages import Incoming
from events.beside import MessageKey
from events.codec import decode
from events.postgres import PostgresLog
from tests.adapters import matrix_chat, telegram_chat
from tests.adapters.matrix_chat import Person, Settings, ask, bot_on, choice, opened, wait_for
from tests.servers import postgres, synapse
from tests.servers.synapse import Synapse
from tests.servers.telegram import FakeTelegram

Json = dict[str, Any]
WAIT_S = 60.0
MEANWHILE_S = 1.0  # in which a bot that waits for nobody has long done what it was asked


@pytest.fixture(autouse=True)
def nobody_does_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "LONGEST_WAIT_S", WAIT_S)


@pytest.fixture
def conninfo() -> str:
    return postgres.running().fresh()


class Other:
    """Another program on this log."""

    def __init__(self, conninfo: str, platform: str, chat: str) -> None:
        self.log, self.platform, self.chat = PostgresLog(conninfo, patience_s=WAIT_S), platform, chat
        self.app = App(self.log, now, secrets.token_bytes)
        self.table = self.log.table_of(platform, chat) or ""

    def kinds(self) -> list[str]:
        """The types of the events at the table."""
        return [type(decode(one).data).__name__ for one in self.log.read(self.table)]

    def hear(self, account: str, text: str) -> None:
        key = MessageKey(self.platform, self.chat, secrets.token_hex(4))
        said = Incoming(key=key, person=self.app.person(self.platform, account), name="Gm", text=text)
        (answer,) = self.app.hear(said)
        assert answer.error is None

    def comes_first(self, gm: str, act: Callable[[], object], kind: str) -> None:
        """Our turn at the table: what leads to this kind of event is done meanwhile, and is carried out behind ours."""
        assert self.log.lease(self.table).result(WAIT_S)
        act()
        time.sleep(MEANWHILE_S)
        self.hear(gm, "/scene The other program's")
        self.log.release(self.table)
        wait_for(lambda: kind in self.kinds())
        assert [one for one in self.kinds() if one in ("SceneStarted", kind)][-2:] == ["SceneStarted", kind]


@contextmanager
def other(conninfo: str, platform: str, chat: str) -> Iterator[Other]:
    program = Other(conninfo, platform, chat)
    try:
        yield program
    finally:
        program.log.close()


# ---- Matrix


@pytest.fixture
def homeserver() -> Synapse:
    return synapse.running()


@pytest.fixture
def settings(homeserver: Synapse, tmp_path: Path) -> Settings:
    return bot_on(homeserver, tmp_path, encryption=False)


@pytest.fixture
def red(homeserver: Synapse) -> Person:
    return Person(homeserver, "red")


def test_a_message_on_matrix_waits_for_its_turn(conninfo: str, settings: Settings, red: Person) -> None:
    with matrix_chat.Running(settings, conninfo) as bot:
        bot.settled()
        room = opened(settings, red)
        with other(conninfo, "matrix", room) as program:
            program.comes_first(red.account, lambda: red.say(room, "!roll d6"), "RollMade")


def test_talk_that_is_edited_or_deleted_on_matrix_waits_for_its_turn(
    conninfo: str, settings: Settings, red: Person
) -> None:
    with matrix_chat.Running(settings, conninfo) as bot:
        bot.settled()
        room = opened(settings, red)
        ask(red, room, settings, "!log on")
        edited, deleted = red.say(room, "How cold it si."), red.say(room, "Never mind.")
        with other(conninfo, "matrix", room) as program:
            wait_for(lambda: program.kinds().count("LineSpoken") == 2)
            program.comes_first(red.account, lambda: red.edit(room, edited, "How cold it is."), "LineEdited")
            program.comes_first(red.account, lambda: red.redact(room, deleted), "LineDeleted")


def test_a_button_on_matrix_waits_for_its_turn(
    conninfo: str, settings: Settings, red: Person, homeserver: Synapse
) -> None:
    with matrix_chat.Running(settings, conninfo) as bot:
        bot.settled()
        ann = Person(homeserver, "ann")
        room, offer = choice(red, ann, settings)
        with other(conninfo, "matrix", room) as program:
            program.comes_first(red.account, lambda: ann.react(room, offer["event_id"], "1️⃣"), "ChoiceMade")


# ---- Telegram


def test_talk_that_is_edited_on_telegram_waits_for_its_turn(
    conninfo: str, server: FakeTelegram, gm: Json, group: int
) -> None:
    with telegram_chat.Running(server, conninfo):
        server.text(group, gm, "/table new savage Glacier")
        server.text(group, gm, "/log on")
        server.wait_for(lambda: len(server.of_bot(group)) >= 2, WAIT_S)
        said = server.text(group, gm, "How cold it si.")
        with other(conninfo, "telegram", str(group)) as program:
            wait_for(lambda: "LineSpoken" in program.kinds())
            program.comes_first(
                str(gm["id"]), lambda: server.edit(group, said, "How cold it is."), "LineEdited"
            )  # fmt: skip

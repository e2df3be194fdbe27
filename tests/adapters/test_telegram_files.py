"""Letters with a file: a document or a picture with the text below it, and a word where it cannot be sent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adapters.files import File
from adapters.telegram.part import MOST_FILE, MOST_PHOTO
from adapters.telegram.words import TOO_LARGE, UNSENT
from events.beside import TABLE, Attached, Beside, Letter, MessageKey, Receipt
from tests.adapters.telegram_chat import Running
from tests.servers.telegram import FakeTelegram, Seen

Json = dict[str, Any]
TXT, PNG = Attached("export", "txt", "t1", 1), Attached("stats", "png", "t1", 1)
HERE = "Here <b>it</b> is & more"


def made(attached: Attached, size: int = 100) -> File:
    kind = "image/png" if attached.form == "png" else "text/plain"
    return File(f"glacier.{attached.form}", b"x" * size, kind)


@pytest.fixture
def group(server: FakeTelegram, gm: Json) -> int:
    return server.supergroup("Night", gm, forum=True)


@pytest.fixture
def sending(server: FakeTelegram, tmp_path: Path) -> Callable[..., Running]:
    return lambda make=made: Running(server, tmp_path / "rollbook.db", make=make)


def post(bot: Running, chat: str, letter: Letter, message: str = "1") -> None:
    """A letter into the outbox, in answer to a message."""
    bot.log.append(
        "", 0, (), Beside(key=MessageKey("telegram", chat, message), receipt=Receipt("", 1, 0, None, (letter,)))
    )


def told(server: FakeTelegram, chat: int, number: int = 1) -> list[Seen]:
    server.wait_for(lambda: len(server.of_bot(chat)) >= number)
    return server.of_bot(chat)


def test_a_file_goes_to_the_topic_with_the_text_below_it(
    server: FakeTelegram, sending: Callable[..., Running], gm: Json, group: int
) -> None:
    topic = server.topic(group, "Glacier", gm)
    message = server.text(group, gm, "hello", thread=topic)
    with sending() as bot:
        post(bot, f"{group}/{topic}", Letter(TABLE, HERE, attached=TXT), str(message))
        (seen,) = told(server, group)
        server.wait_for(lambda: not bot.log.pending("telegram"))
    assert (seen.document, seen.text, seen.thread, seen.reply_to) == ("glacier.txt", HERE, topic, message)
    assert server._files["documents/file-1"] == b"x" * 100


def test_a_picture_is_shown_as_one(server: FakeTelegram, sending: Callable[..., Running], group: int) -> None:
    with sending() as bot:
        post(bot, str(group), Letter(TABLE, HERE, attached=PNG))
        (seen,) = told(server, group)
    assert (seen.text, seen.document) == (HERE, "")
    assert [call.method for call in server.calls if call.method.startswith("send")] == ["sendPhoto"]


def test_a_picture_that_is_too_large_for_one_goes_as_a_file(
    server: FakeTelegram, sending: Callable[..., Running], group: int
) -> None:
    with sending(lambda attached: made(attached, MOST_PHOTO + 1)) as bot:
        post(bot, str(group), Letter(TABLE, HERE, attached=PNG))
        (seen,) = told(server, group)
    assert seen.document == "glacier.png"


def test_a_picture_that_telegram_does_not_like_goes_as_a_file(
    server: FakeTelegram, sending: Callable[..., Running], group: int
) -> None:
    server.refuse_next("sendPhoto", 400, "Bad Request: PHOTO_INVALID_DIMENSIONS")
    with sending() as bot:
        post(bot, str(group), Letter(TABLE, HERE, attached=PNG))
        (seen,) = told(server, group)
    assert (seen.document, seen.text) == ("glacier.png", HERE)


@pytest.mark.parametrize("text", ["长" * 1025, "@x" * 400])
def test_a_long_text_comes_before_its_file(
    server: FakeTelegram, sending: Callable[..., Running], group: int, text: str
) -> None:
    with sending() as bot:
        post(bot, str(group), Letter(TABLE, text, attached=TXT))
        first, second = told(server, group, 2)
    assert (first.text.replace("\u2060", ""), first.document) == (text, "")
    assert (second.text, second.document) == ("", "glacier.txt")


def test_a_file_that_is_too_large_is_told_and_its_text_comes(
    server: FakeTelegram, sending: Callable[..., Running], group: int
) -> None:
    with sending(lambda attached: made(attached, MOST_FILE + 1)) as bot:
        post(bot, str(group), Letter(TABLE, HERE, attached=TXT))
        seen = told(server, group, 2)
        server.wait_for(lambda: not bot.log.pending("telegram"))
    assert {one.text for one in seen} == {HERE, TOO_LARGE.en.format(size=51, most=50)}


def broken(_attached: Attached) -> File:
    raise ValueError("secret")


def test_a_file_that_cannot_be_made_is_told_and_its_text_comes(
    server: FakeTelegram, sending: Callable[..., Running], group: int
) -> None:
    with sending(broken) as bot:
        post(bot, str(group), Letter(TABLE, HERE, attached=TXT))
        seen = told(server, group, 2)
        server.wait_for(lambda: not bot.log.pending("telegram"))
    assert {one.text for one in seen} == {HERE, UNSENT.en}


def test_a_file_that_telegram_will_not_take_is_told(
    server: FakeTelegram, sending: Callable[..., Running], group: int
) -> None:
    for _ in range(2):
        server.refuse_next("sendDocument", 400, "Bad Request: wrong file")
    with sending() as bot:
        post(bot, str(group), Letter(TABLE, HERE, attached=TXT))
        (seen,) = told(server, group)
        server.wait_for(lambda: not bot.log.pending("telegram"))
    assert seen.text == UNSENT.en


def test_what_passes_is_waited_out_for_files_too(
    server: FakeTelegram, sending: Callable[..., Running], gm: Json
) -> None:
    group = server.group("Old", gm)
    server.refuse_next("sendDocument", 429, "Too Many Requests: retry after 1", retry_after=1)
    server.drop_connection_next("sendDocument")
    new = server.migrate(group, quietly=True)
    with sending() as bot:
        post(bot, str(group), Letter(TABLE, HERE, attached=TXT))
        (seen,) = told(server, new)
    assert seen.document == "glacier.txt"


def test_a_private_file_waits_for_its_reader(
    server: FakeTelegram, sending: Callable[..., Running], gm: Json, group: int
) -> None:
    with sending() as bot:
        person = bot.app.person("telegram", str(gm["id"]))
        post(bot, str(group), Letter(person, HERE, attached=TXT))
        server.wait_for(lambda: [one for one in server.of_bot(group) if "t.me/" in one.text])
        own = server.private(gm)
        server.text(own, gm, "hello")
        (seen,) = told(server, own)
    assert seen.document == "glacier.txt"


def test_who_was_an_anonymous_admin_first_gets_it_by_the_account_that_was_joined_later(
    server: FakeTelegram, sending: Callable[..., Running], gm: Json, group: int
) -> None:
    own = server.private(gm)
    with sending() as bot:
        person, other = (bot.app.person("telegram", str(account)) for account in (group, gm["id"]))
        bot.log.append("", 0, (), Beside(join=(other, person)))
        post(bot, str(group), Letter(person, HERE))
        (seen,) = told(server, own)
    assert seen.text == HERE


# ---- as people ask for them


def test_an_export_and_a_picture_come_when_they_are_asked_for(
    server: FakeTelegram, tmp_path: Path, gm: Json, group: int
) -> None:
    own = server.private(gm)
    with Running(server, tmp_path / "rollbook.db") as bot:
        for number, text in enumerate(("。开团 狂野 冰川", "。骰 2d6", "。导出 txt", "。统计"), 1):
            server.text(group, gm, text)
            told(server, group, number)
            server.wait_for(lambda: not bot.log.pending("telegram"))
        server.text(group, gm, "。导出 jsonl 审计")
        (private,) = told(server, own)
    export, picture = server.of_bot(group)[2:4]
    assert (export.document.startswith("冰川"), export.document.endswith(".txt")) == (True, True)
    assert picture.text
    assert [bytes(one[:4]) for name, one in server._files.items() if name.startswith("photos/")] == [b"\x89PNG"]
    assert private.document.endswith(".jsonl")
    assert all(not one.document.endswith(".jsonl") for one in server.of_bot(group))

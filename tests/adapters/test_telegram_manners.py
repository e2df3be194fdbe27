"""What the bot does in a chat beside answering: menus, anonymous admins, what cannot be shown, joining, restarts."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from adapters.telegram import menu
from core.registry import SYSTEMS
from core.vocabulary import verb_table
from tests.adapters.telegram_chat import Running, ask
from tests.servers.telegram import FakeTelegram

Json = dict[str, Any]
ANONYMOUS = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}


def anonymously(group: int) -> Json:
    """What marks a message as an anonymous admin's."""
    return {"sender_chat": {"id": group, "type": "supergroup", "title": "Night"}}


def sent(server: FakeTelegram, bot: Running) -> None:
    """When everything is sent."""
    server.wait_for(lambda: server.pending == 0 and not bot.log.pending("telegram"))


def saying(server: FakeTelegram, chat: int, words: str) -> int:
    return sum(words in one.text for one in server.of_bot(chat))


# ---- menus


def named(server: FakeTelegram, chat: int, language: str = "") -> list[str]:
    """The commands in the menu of a chat."""
    return [one["command"] for one in server.menus.get((f"chat {chat}", language), [])]


def verbs(system: str) -> list[str]:
    return [verb.name for verb in verb_table(system).verbs]


def test_a_chat_gets_the_verbs_of_the_system_that_is_played_there_in_each_language(
    server: FakeTelegram, bot: Running, gm: Json, group: int
) -> None:
    ask(server, group, gm, "/table new savage Glacier")
    for language in ("", "zh"):
        server.wait_for(lambda language=language: set(named(server, group, language)) == set(verbs("savage")))
    ask(server, group, gm, "/table new adventure Forest")
    for language in ("", "zh"):
        server.wait_for(lambda language=language: set(named(server, group, language)) == set(verbs("adventure")))


def test_a_menu_is_asked_for_once_also_after_a_restart(server: FakeTelegram, path: Path, gm: Json, group: int) -> None:
    def asked() -> int:
        return sum("scope" in call.given for call in server.called("setMyCommands"))

    with Running(server, path):
        ask(server, group, gm, "/table new savage Glacier")
        server.wait_for(lambda: asked() == 2)
        ask(server, group, gm, "/calc 1+1")
    with Running(server, path):
        ask(server, group, gm, "/calc 1+1")
        ask(server, group, gm, "/table new storytelling Night")
        server.wait_for(lambda: asked() == 4)
    assert asked() == 4


def test_the_topics_of_a_forum_share_a_menu(server: FakeTelegram, bot: Running, gm: Json) -> None:
    forum = server.supergroup("Forum", gm, forum=True)
    for system in ("savage", "adventure"):
        topic = server.topic(forum, system, gm)
        ask(server, forum, gm, f"/table new {system} {system}", topic)
    server.wait_for(lambda: set(named(server, forum)) == {*verbs("savage"), *verbs("adventure")})


def test_a_menu_that_telegram_refuses_for_now_comes_later(
    server: FakeTelegram, bot: Running, gm: Json, group: int
) -> None:
    ask(server, group, gm, "/calc 1+1")
    server.refuse_next("setMyCommands", 429, "Too Many Requests: retry after 1", retry_after=1)
    server.drop_connection_next("setMyCommands")
    ask(server, group, gm, "/table new savage Glacier")
    server.wait_for(lambda: named(server, group, "zh"))


def test_a_menu_holds_as_many_commands_as_telegram_takes() -> None:
    assert len(menu.commands("en", *SYSTEMS)) <= 100
    for system in SYSTEMS:
        assert [one.command for one in menu.commands("zh", system)][: len(verbs(""))] == verbs("")


# ---- anonymous admins


def test_an_anonymous_gm_is_told_once_that_nothing_secret_can_come(
    server: FakeTelegram, bot: Running, group: int
) -> None:
    ask(server, group, ANONYMOUS, "/table new savage Glacier", **anonymously(group))
    ask(server, group, ANONYMOUS, "/session start", **anonymously(group))
    server.wait_for(lambda: saying(server, group, "Remain anonymous"))
    sent(server, bot)
    assert saying(server, group, "Remain anonymous") == 1


def test_who_gives_the_chair_to_an_anonymous_admin_is_told_too(
    server: FakeTelegram, bot: Running, gm: Json, group: int
) -> None:
    ask(server, group, gm, "/table new savage Glacier")
    ask(server, group, ANONYMOUS, "/join", **anonymously(group))
    sent(server, bot)
    assert saying(server, group, "Remain anonymous") == 0
    ask(server, group, gm, "/gm Night")
    server.wait_for(lambda: saying(server, group, "Remain anonymous"))


def test_a_secret_for_an_anonymous_admin_is_said_to_be_held(
    server: FakeTelegram, bot: Running, gm: Json, group: int
) -> None:
    server.private(gm)
    ask(server, group, gm, "/table new savage Glacier")
    ask(server, group, ANONYMOUS, "/roll 2d6 secret", **anonymously(group))
    server.wait_for(lambda: saying(server, group, "Remain anonymous"))
    assert saying(server, group, "t.me/") == 0
    server.wait_for(lambda: len(bot.log.pending("telegram")) == 1)
    assert bot.app.name(bot.log.pending("telegram")[0].letter.to) == "Night"


# ---- what cannot be shown


def test_an_answer_that_telegram_will_not_take_is_told_of_once(
    server: FakeTelegram, bot: Running, gm: Json, group: int
) -> None:
    ask(server, group, gm, "/table new savage Glacier")
    for _ in range(2):
        server.refuse_next("sendMessage", 400, "Bad Request: can't parse entities")
    message = server.text(group, gm, "/calc 40+2")
    server.wait_for(lambda: saying(server, group, "/history"))
    sent(server, bot)
    told = [one for one in server.of_bot(group) if one.reply_to == message]
    assert [("42" in one.text, "/history" in one.text) for one in told] == [(False, True)]
    assert "43" in ask(server, group, gm, "/calc 40+3").text


def test_that_it_could_not_be_shown_is_not_told_again_if_that_cannot_be_shown_either(
    server: FakeTelegram, bot: Running, gm: Json, group: int
) -> None:
    ask(server, group, gm, "/table new savage Glacier")
    for _ in range(4):
        server.refuse_next("sendMessage", 400, "Bad Request: can't parse entities")
    server.text(group, gm, "/calc 40+2")
    server.wait_for(lambda: sum(bool(call.error) for call in server.called("sendMessage")) == 4)
    assert "43" in ask(server, group, gm, "/calc 40+3").text
    sent(server, bot)
    assert saying(server, group, "/history") == 0


@pytest.mark.parametrize("why", ["chat not found", "not enough rights to send text messages to the chat"])
def test_where_we_may_not_write_for_now_the_answer_waits(
    server: FakeTelegram, bot: Running, gm: Json, group: int, why: str
) -> None:
    ask(server, group, gm, "/table new savage Glacier")
    server.refuse_next("sendMessage", 400, f"Bad Request: {why}")
    server.text(group, gm, "/calc 40+2")
    server.wait_for(lambda: [call for call in server.called("sendMessage") if call.error])
    server.text(group, gm, "hello")
    server.wait_for(lambda: saying(server, group, "42"))


def test_a_reader_whom_telegram_does_not_find_is_told_how_to_get_a_secret(
    server: FakeTelegram, bot: Running, gm: Json, ann: Json, group: int
) -> None:
    ask(server, group, gm, "/table new savage Glacier")
    private = server.private(ann)
    server.refuse_next("sendMessage", 400, "Bad Request: chat not found", chat_id=ann["id"])
    server.text(group, ann, "/roll 2d6 secret=me")
    server.wait_for(lambda: saying(server, group, "t.me/"))
    assert server.of_bot(private) == []
    server.text(private, ann, "hello")
    server.wait_for(lambda: server.of_bot(private))


# ---- joining


def test_what_was_said_before_the_bot_came_is_not_run_after_a_restart_either(
    server: FakeTelegram, path: Path, gm: Json, group: int
) -> None:
    with Running(server, path):
        ask(server, group, gm, "/table new savage Glacier")
        server.kick_bot(group, gm)
        server.add_bot(group, gm)
        server.wait_for(lambda: server.pending == 0)
    with Running(server, path):
        messages = [server.text(group, gm, "/calc 40+2", date=int(time.time()) + since) for since in (-5, 1)]
        server.wait_for(lambda: server.of_bot(group)[-1].reply_to == messages[1])
    assert messages[0] not in [one.reply_to for one in server.of_bot(group)]


def test_where_a_private_chat_was_opened_is_kept_without_the_account(
    server: FakeTelegram, bot: Running, gm: Json
) -> None:
    private = server.private(gm)
    server.block(gm)
    server.unblock(gm)
    server.add_bot(private, gm)
    server.wait_for(lambda: server.pending == 0)
    names = [name for (name,) in bot.log._reader.execute("SELECT name FROM bookmarks")]
    assert any(":joined:p" in name for name in names)
    assert [name for name in names if str(private) in name] == []

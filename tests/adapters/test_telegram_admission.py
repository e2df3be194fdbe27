"""Who is served where `telegram.allow` names some; of all others nothing is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from events.beside import Account
from tests.adapters.telegram_chat import Running, ask
from tests.servers.telegram import FakeTelegram

Json = dict[str, Any]
SORRY = "only where those who run me have said so"


@pytest.fixture
def gm(server: FakeTelegram) -> Json:
    return server.person("Gm", username="The_GM")


@pytest.fixture
def stranger(server: FakeTelegram) -> Json:
    return server.person("Mallory")


def done(server: FakeTelegram) -> None:
    server.wait_for(lambda: server.pending == 0)


def sorry(server: FakeTelegram, chat: int) -> int:
    return sum(SORRY in one.text for one in server.of_bot(chat))


def traces(bot: Running, person: Json) -> list[object]:
    """What is kept of somebody."""
    known = bot.log.known(Account("telegram", str(person["id"])))
    return [one for one in (known, *bot.log.tables(), *bot.log.pending()) if one]


def test_a_stranger_in_private_is_told_once_and_nothing_is_kept(
    server: FakeTelegram, path: Path, stranger: Json
) -> None:
    with Running(server, path, allow=("@the_gm",)) as bot:
        own = server.private(stranger)
        for text in ("/start", "/table new savage Den", "hello", "/roll d6"):
            server.text(own, stranger, text)
        server.wait_for(lambda: sorry(server, own))
        done(server)
        assert [SORRY in one.text for one in server.of_bot(own)] == [True]
        assert traces(bot, stranger) == []


def test_a_group_of_strangers_is_told_once_and_left(server: FakeTelegram, path: Path, stranger: Json) -> None:
    den = server.supergroup("Den", stranger)
    with Running(server, path, allow=("@the_gm",)) as bot:
        server.add_bot(den, stranger)
        server.text(den, stranger, "/table new savage Den")
        server.wait_for(lambda: server.called("leaveChat"))
        done(server)
        assert sorry(server, den) == 1
        assert traces(bot, stranger) == []


def test_who_brings_the_bot_back_is_told_again_and_the_group_left_again(
    server: FakeTelegram, path: Path, stranger: Json
) -> None:
    den = server.supergroup("Den", stranger)
    with Running(server, path, allow=("@the_gm",)):
        for times in (1, 2):
            server.add_bot(den, stranger)
            for _ in range(3):
                server.text(den, stranger, "/help")
            server.wait_for(lambda times=times: len(server.called("leaveChat")) == times)
            server.kick_bot(den, stranger)  # as Telegram says of whoever has left
            done(server)
            assert sorry(server, den) == times


@pytest.mark.parametrize("entry", ["@The_GM", "the_gm", "1001"])
def test_where_somebody_of_the_list_is_everybody_may_play_and_write_in_private(
    server: FakeTelegram, path: Path, gm: Json, stranger: Json, entry: str
) -> None:
    assert gm["id"] == 1001
    group = server.supergroup("Night", gm, stranger)
    with Running(server, path, allow=(entry,)) as bot:
        ask(server, group, gm, "/table new savage Night")
        assert "Mallory" in ask(server, group, stranger, "/roll d6").text
        own = server.private(stranger)
        assert SORRY not in ask(server, own, stranger, "/calc 1+1").text
        assert not server.called("leaveChat")
        assert len(bot.log.tables()) == 1
    with Running(server, path, allow=(entry,)):
        assert "Mallory" in ask(server, group, stranger, "/roll d6").text


def test_a_group_that_is_named_is_served_whoever_writes_and_stays_so_as_a_supergroup(
    server: FakeTelegram, path: Path, stranger: Json
) -> None:
    group = server.group("Night", stranger)
    with Running(server, path, allow=(str(group),)):
        ask(server, group, stranger, "/table new savage Night")
        new = server.migrate(group)
        assert "Mallory" in ask(server, new, stranger, "/roll d6").text


def test_a_new_supergroup_is_served_though_the_news_from_the_old_group_comes_later(
    server: FakeTelegram, path: Path, stranger: Json
) -> None:
    group = server.group("Night", stranger)
    with Running(server, path, allow=(str(group),)) as bot:
        ask(server, group, stranger, "/table new savage Night")
        server.wait_for(lambda: not bot.log.pending())
        new = server.migrate(group, old_tells=False)
        assert "Mallory" in ask(server, new, stranger, "/roll d6").text
        assert not server.called("leaveChat")


def test_a_new_supergroup_is_served_though_only_a_letter_sent_to_the_old_group_tells_of_it(
    server: FakeTelegram, path: Path, stranger: Json
) -> None:
    group = server.group("Night", stranger)
    with Running(server, path, allow=(str(group),)) as bot:
        ask(server, group, stranger, "/table new savage Night")
        server.wait_for(lambda: not bot.log.pending())
        server.delay_next("sendMessage", 0.3)
        server.text(group, stranger, "/roll 2d6")
        server.wait_for(lambda: bot.log.pending() != [])
        new = server.migrate(group, quietly=True)
        server.wait_for(lambda: server.of_bot(new))
        assert "Mallory" in ask(server, new, stranger, "/roll d6").text
        assert not server.called("leaveChat")


def test_without_a_list_everybody_is_served(server: FakeTelegram, bot: Running, stranger: Json) -> None:
    own = server.private(stranger)
    assert "2" in ask(server, own, stranger, "/calc 1+1").text
    assert bot.log.known(Account("telegram", str(stranger["id"])))

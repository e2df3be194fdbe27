"""The bot on Telegram, against the fake server: what people see, whatever goes wrong on the way."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest

from core.vocabulary import verb_table
from events.sqlite import SqliteLog
from tests.adapters.telegram_chat import Running, ask
from tests.servers.telegram import FakeTelegram

Json = dict[str, Any]
HELD = "https://t.me/rollbook_bot?start=letters"


def opened(server: FakeTelegram, chat: int, gm: Json, system: str = "savage") -> None:
    assert "Glacier" in ask(server, chat, gm, f"/table new {system} Glacier").text


def rolls(path: Path) -> int:
    """How many rolls are in the log's file."""
    log = SqliteLog(path)
    found = sum(b'"type":"RollMade"' in one.body for table in log.tables() for one in log.read(table))
    log.close()
    return found


def test_a_command_is_answered_below_it(server: FakeTelegram, bot: Running, gm: Json, group: int) -> None:
    opened(server, group, gm)
    message = server.text(group, gm, "/roll 2d6 # <b>@Ann</b>")
    seen = server.wait_for(lambda: [one for one in server.of_bot(group) if one.reply_to == message])[0]
    assert re.search(r"\d", seen.text)
    assert all(kind not in ("mention", "bold") for kind, _ in seen.marks)


def test_the_menu_has_every_verb_in_each_language(server: FakeTelegram, bot: Running, gm: Json, group: int) -> None:
    ask(server, group, gm, "/calc 1+1")
    english, chinese = server.menus["default", ""], server.menus["default", "zh"]
    names = [verb.name for verb in verb_table("").verbs]
    assert [one["command"] for one in english] == [one["command"] for one in chinese] == names
    assert english[0]["description"].isascii()
    assert "指令" in chinese[0]["description"]


def test_talk_and_commands_for_other_bots_are_left_alone(
    server: FakeTelegram, bot: Running, gm: Json, group: int
) -> None:
    opened(server, group, gm)
    for text in ("hello", "/roll@other_bot 2d6", "!roll 2d6"):
        server.text(group, gm, text)
    seen = ask(server, group, gm, "/roll@Rollbook_Bot 1d1")
    assert len(server.of_bot(group)) == 2
    assert "1" in seen.text


def test_an_edited_message_never_rolls(server: FakeTelegram, bot: Running, gm: Json, group: int, path: Path) -> None:
    opened(server, group, gm)
    message = server.text(group, gm, "/roll 2d6")
    server.wait_for(lambda: len(server.of_bot(group)) == 2)
    server.edit(group, message, "/roll 3d6")
    ask(server, group, gm, "/history")
    assert rolls(path) == 1
    assert len(server.of_bot(group)) == 3


def test_several_commands_in_one_message_are_answered_in_order(
    server: FakeTelegram, bot: Running, gm: Json, group: int
) -> None:
    opened(server, group, gm)
    message = server.text(group, gm, "/calc 1+1\n/calc 20+2\n/nonsense\n/calc 30+3")
    server.wait_for(lambda: len(server.of_bot(group)) == 5)
    first, second, third, fourth = server.of_bot(group)[1:]
    assert "2" in first.text
    assert "22" in second.text
    assert "nonsense" in third.text
    assert "33" in fourth.text
    assert {one.reply_to for one in (first, second, third, fourth)} == {message}


def test_topics_have_tables_of_their_own_and_general_has_no_thread(
    server: FakeTelegram, bot: Running, gm: Json
) -> None:
    forum = server.supergroup("Forum", gm, forum=True)
    topic = server.topic(forum, "Glacier", gm)
    seen = ask(server, forum, gm, "/table new savage Glacier", thread=topic)
    assert seen.thread == topic
    general = ask(server, forum, gm, "/roll 2d6")
    assert general.thread is None
    assert "table" in general.text
    assert ask(server, forum, gm, "/roll 2d6", thread=topic).thread == topic


def test_a_long_answer_comes_in_parts_in_order(server: FakeTelegram, bot: Running, gm: Json, group: int) -> None:
    opened(server, group, gm)
    server.text(group, gm, "\n".join(f"/roll 100d100 # {number} " + "x" * 150 for number in range(12)))
    server.wait_for(lambda: len(server.of_bot(group)) >= 13, 30)
    numbers = [int(found[1]) for one in server.of_bot(group) if (found := re.search(r"(\d+) xxx", one.text))]
    assert numbers == sorted(numbers)
    help_parts = ask(server, group, gm, "/help")
    assert help_parts


def test_flood_control_is_waited_out_and_the_order_stays(
    server: FakeTelegram, bot: Running, gm: Json, group: int
) -> None:
    opened(server, group, gm)
    server.refuse_next("sendMessage", 429, "Too Many Requests: retry after 1", retry_after=1)
    for number in range(5):
        server.text(group, gm, f"/calc {number}+100")
    server.wait_for(lambda: len(server.of_bot(group)) == 6)
    said = [one.text for one in server.of_bot(group)[1:]]
    assert [str(number + 100) in text for number, text in enumerate(said)] == [True] * 5


def test_an_outage_loses_nothing(server: FakeTelegram, bot: Running, gm: Json, group: int) -> None:
    opened(server, group, gm)
    for _ in range(3):
        server.drop_connection_next("sendMessage")
    server.refuse_next("getUpdates", 500, "Internal Server Error")
    for number in range(4):
        server.text(group, gm, f"/calc {number}+100")
    server.wait_for(lambda: len(server.of_bot(group)) == 5)
    assert [str(number + 100) in one.text for number, one in enumerate(server.of_bot(group)[1:])] == [True] * 4


def test_a_start_during_an_outage_waits_for_its_end(server: FakeTelegram, path: Path, gm: Json, group: int) -> None:
    server.refuse_next("getMe", 502, "Bad Gateway")
    server.drop_connection_next("getMe")
    server.refuse_next("setMyCommands", 429, "Too Many Requests: retry after 1", retry_after=1)
    with Running(server, path):
        assert "42" in ask(server, group, gm, "/calc 40+2").text


def test_a_lost_answer_is_rolled_once(server: FakeTelegram, bot: Running, gm: Json, group: int, path: Path) -> None:
    opened(server, group, gm)
    server.lose_answer_next("sendMessage")
    message = server.text(group, gm, "/roll 4d100")
    server.wait_for(lambda: not bot.log.pending("telegram") and server.pending == 0)
    told = {one.text for one in server.of_bot(group) if one.reply_to == message}
    assert len(told) == 1, "perhaps said twice, but the same dice"
    assert rolls(path) == 1


# ---- secrets


def test_a_secret_for_somebody_who_never_wrote_is_held_and_the_table_told_how_to_get_it(
    server: FakeTelegram, bot: Running, gm: Json, ann: Json, group: int
) -> None:
    opened(server, group, gm)
    own = server.private(gm)
    server.text(group, ann, "/roll 2d6 secret")
    server.wait_for(lambda: server.of_bot(own))
    server.wait_for(lambda: [one for one in server.of_bot(group) if HELD in one.text])
    server.text(group, ann, "/roll 1d4")
    server.wait_for(lambda: len(server.of_bot(group)) == 4)
    private = server.private(ann)
    server.text(private, ann, "/start letters")
    server.wait_for(lambda: len(server.of_bot(private)) == 2)
    secret = server.of_bot(own)[0].text
    assert secret in {one.text for one in server.of_bot(private)}
    assert all(secret not in one.text for one in server.of_bot(group))
    assert sum(HELD in one.text for one in server.of_bot(group)) == 1


def test_what_is_held_is_still_held_after_a_restart_and_not_told_again(
    server: FakeTelegram, path: Path, gm: Json, ann: Json, group: int
) -> None:
    with Running(server, path):
        opened(server, group, gm)
        server.private(gm)
        server.text(group, ann, "/roll 2d6 secret=me")
        server.wait_for(lambda: [one for one in server.of_bot(group) if HELD in one.text])
    with Running(server, path) as bot:
        ask(server, group, gm, "/calc 1+1")
        assert sum(HELD in one.text for one in server.of_bot(group)) == 1
        server.wait_for(lambda: len(bot.log.pending("telegram")) == 1)
        private = server.private(ann)
        server.text(private, ann, "hello")
        server.wait_for(lambda: server.of_bot(private))
        server.wait_for(lambda: not bot.log.pending("telegram"))


def test_who_blocked_the_bot_gets_it_after_unblocking(
    server: FakeTelegram, bot: Running, gm: Json, ann: Json, group: int
) -> None:
    opened(server, group, gm)
    server.private(gm)
    private = server.private(ann)
    server.block(ann)
    server.text(group, ann, "/roll 2d6 secret=me")
    server.wait_for(lambda: [one for one in server.of_bot(group) if HELD in one.text])
    server.unblock(ann)
    server.add_bot(private, ann)
    time.sleep(0.05)
    server.text(private, ann, "hello", date=int(time.time()) + 1)
    server.wait_for(lambda: server.of_bot(private))


def test_of_two_accounts_of_a_person_the_one_that_wrote_last_is_answered_and_the_other_if_that_is_shut(
    server: FakeTelegram, path: Path, gm: Json, ann: Json, group: int
) -> None:
    phone = server.person("Ann at the phone")
    own, other = server.private(ann), server.private(phone)

    def secret(chat: int) -> None:
        before = len(server.of_bot(chat))
        server.text(group, ann, "/roll 2d6 secret=me")
        server.wait_for(lambda: len(server.of_bot(chat)) == before + 1)

    with Running(server, path):
        opened(server, group, gm)
        for _ in range(20):
            server.text(other, phone, "hello")  # in Telegram no two messages to a bot in private have one number
        code = re.findall(r"\w{4}-\w{4}", ask(server, own, ann, "/me link").text)[0]
        assert "Ann" in ask(server, other, phone, f"/me link {code} yes").text
        secret(other)
        assert "42" in ask(server, own, ann, "/calc 40+2").text
        secret(own)
        assert "53" in ask(server, other, phone, "/calc 50+3").text
    with Running(server, path) as bot:
        secret(other)
        server.block(phone)
        secret(own)
        server.wait_for(lambda: not bot.log.pending("telegram"))
        server.unblock(phone)
        server.add_bot(other, phone)
        secret(other)
    assert (len(server.of_bot(own)), len(server.of_bot(other))) == (4, 5)
    assert [one for one in server.of_bot(group) if HELD in one.text] == []


@pytest.mark.parametrize("text", ["/start", "/start letters"])
def test_who_presses_start_is_told_in_one_line_what_comes_here(
    server: FakeTelegram, bot: Running, ann: Json, group: int, text: str
) -> None:
    private = server.private(ann)
    assert "\n" not in ask(server, private, ann, text).text
    assert "\n" in ask(server, group, ann, "/start").text


# ---- choices


def test_a_choice_is_made_by_its_button_and_only_by_its_owner(
    server: FakeTelegram, bot: Running, gm: Json, ann: Json, group: int
) -> None:
    opened(server, group, gm, "adventure")
    ask(server, group, ann, "/char new Ann DEX=1")
    ask(server, group, gm, "/house physical-dice on")
    ask(server, group, gm, "/session start")
    seen = ask(server, group, ann, "/move defy DEX dice=4,3")
    assert seen.buttons
    label = seen.buttons[0][0]
    refused = server.press(group, seen.id, label, gm)
    notice, alert = server.wait_for(lambda: server.notices.get(refused))
    assert alert
    assert notice
    before = len(server.of_bot(group))
    made = server.press(group, seen.id, label, ann)
    server.wait_for(lambda: len(server.of_bot(group)) > before)
    assert server.wait_for(lambda: server.notices.get(made)) == ("", False)
    server.wait_for(lambda: next(one for one in server.of_bot(group) if one.id == seen.id).buttons == ())
    (table,) = bot.log.tables()
    assert sum(b'"ChoiceMade"' in one.body for one in bot.log.read(table)) == 1


def test_a_secret_choice_has_no_button_in_private_where_its_table_is_not(
    server: FakeTelegram, bot: Running, gm: Json, ann: Json, group: int
) -> None:
    opened(server, group, gm, "adventure")
    own = server.private(ann)
    for by, text in ((ann, "/char new Ann DEX=1"), (gm, "/house physical-dice on"), (gm, "/session start")):
        ask(server, group, by, text)
    server.text(group, ann, "/move defy DEX dice=4,3 secret=me")
    (seen,) = server.wait_for(lambda: server.of_bot(own))
    assert "1) mark a condition" in seen.text
    assert seen.buttons == ()
    before = len(server.of_bot(group))
    server.text(group, ann, "/choose 2")
    server.wait_for(lambda: len(server.of_bot(group)) > before)


# ---- moving, ageing, joining


@pytest.mark.parametrize("quietly", [False, True])
def test_a_group_that_becomes_a_supergroup_keeps_its_table(
    server: FakeTelegram, bot: Running, gm: Json, quietly: bool
) -> None:
    group = server.group("Night", gm)
    opened(server, group, gm)
    if quietly:
        server.delay_next("sendMessage", 0.3)
        server.text(group, gm, "/roll 2d6")
        server.wait_for(lambda: bot.log.pending("telegram") != [])
    new = server.migrate(group, quietly=quietly)
    if quietly:
        server.wait_for(lambda: server.of_bot(new))
    assert re.search(r"\d", ask(server, new, gm, "/roll 2d6").text)
    assert bot.log.table_of("telegram", str(new)) == bot.log.tables()[0]
    assert bot.log.table_of("telegram", str(group)) is None


def test_the_new_groups_word_alone_moves_the_table_too(server: FakeTelegram, bot: Running, gm: Json) -> None:
    group = server.group("Night", gm)
    opened(server, group, gm)
    new = server.migrate(group, quietly=True)
    about = {"id": new, "type": "supergroup", "title": "Night"}
    body = {"message_id": 900, "date": int(time.time()), "chat": about, "from": gm, "migrate_from_chat_id": group}
    server.deliver("message", body)
    assert re.search(r"\d", ask(server, new, gm, "/roll 2d6").text)
    assert bot.log.table_of("telegram", str(group)) is None


def test_what_waited_too_long_is_told_so_once_and_not_run(
    server: FakeTelegram, path: Path, gm: Json, group: int
) -> None:
    with Running(server, path):
        opened(server, group, gm)
    now = int(time.time())
    for _ in range(3):
        server.text(group, gm, "/roll 2d6", date=now)
    server.text(group, gm, "just talk", date=now)
    server.text(group, gm, "/roll 3d6", date=now + 400)
    with Running(server, path, lambda: now + 1000.0):
        server.wait_for(lambda: len(server.of_bot(group)) == 3)
        server.wait_for(lambda: server.pending == 0)
    assert sum("away" in one.text for one in server.of_bot(group)) == 1
    assert rolls(path) == 1


def test_what_was_said_before_the_bot_came_is_not_run(
    server: FakeTelegram, bot: Running, gm: Json, group: int, path: Path
) -> None:
    opened(server, group, gm)
    server.kick_bot(group, gm)
    server.add_bot(group, gm)
    server.text(group, gm, "/roll 2d6", date=int(time.time()) - 5)
    server.text(group, gm, "/roll 3d6", date=int(time.time()) + 1)
    server.wait_for(lambda: len(server.of_bot(group)) == 2)
    assert rolls(path) == 1


def test_an_answer_that_was_not_sent_before_the_end_is_sent_after_it_once(
    server: FakeTelegram, path: Path, gm: Json, group: int
) -> None:
    with Running(server, path):
        opened(server, group, gm)
        for _ in range(8):
            server.drop_connection_next("sendMessage")
        message = server.text(group, gm, "/roll 2d6")
        server.wait_for(lambda: rolls(path) == 1)
    assert len(server.of_bot(group)) == 1
    server._faults.clear()
    with Running(server, path):
        server.wait_for(lambda: len(server.of_bot(group)) == 2)
        assert ask(server, group, gm, "/calc 1+1")
    assert [one.reply_to for one in server.of_bot(group)].count(message) == 1
    assert rolls(path) == 1


def test_events_hold_nobodys_account(server: FakeTelegram, bot: Running, gm: Json) -> None:
    own = server.private(gm)
    opened(server, own, gm)
    ask(server, own, gm, "/roll 2d6")
    (table,) = bot.log.tables()
    assert all(str(gm["id"]).encode() not in one.body for one in bot.log.read(table))

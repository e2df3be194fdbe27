"""Buttons under rolls: a press is the command, only its owner's counts, and a used one goes."""

from __future__ import annotations

from typing import Any

import pytest

from core.table.words import REFUSED
from tests.adapters.telegram_chat import Running
from tests.servers.telegram import FakeTelegram, Seen

Json = dict[str, Any]
AGAIN, REROLL = "🔁 Again", "🎟 Reroll (Benny)"


@pytest.fixture
def group(server: FakeTelegram, gm: Json, ann: Json, bot: Running) -> int:
    """Where a table is open and Ann has a character with three Bennies."""
    group = server.supergroup("Night", gm, ann)
    for by, text in ((gm, "/table new savage Glacier"), (gm, "/session start"), (ann, "/char new Ann")):
        ask(server, group, by, text)
    return group


def ask(server: FakeTelegram, chat: int, by: Json, text: str) -> Seen:
    """A command, and the first thing that the bot says to it."""
    message = server.text(chat, by, text)
    return server.wait_for(lambda: [one for one in server.of_bot(chat) if one.reply_to == message])[0]


def rolled(server: FakeTelegram, group: int, ann: Json) -> Seen:
    """A trait roll that may be rerolled."""
    while (seen := ask(server, group, ann, "/trait d12")).buttons != ((AGAIN, REROLL),):
        pass  # a critical failure
    return seen


def now(server: FakeTelegram, group: int, seen: Seen) -> Seen:
    return next(one for one in server.of_bot(group) if one.id == seen.id)


def count(bot: Running, kind: str) -> int:
    (table,) = bot.log.tables()
    return sum(f'"type":"{kind}"'.encode() in one.body for one in bot.log.read(table))


def settled(server: FakeTelegram, bot: Running) -> None:
    server.wait_for(lambda: server.pending == 0 and not bot.log.pending("telegram"))


def test_again_is_said_by_a_press_and_its_button_stays(
    server: FakeTelegram, bot: Running, ann: Json, group: int
) -> None:
    seen = ask(server, group, ann, "/roll 2d6")
    assert seen.buttons == ((AGAIN,),)
    for number in (1, 2):
        query = server.press(group, seen.id, AGAIN, ann)
        assert server.wait_for(lambda query=query: server.notices.get(query)) == ("", False)
        settled(server, bot)
        assert count(bot, "RollMade") == 1 + number
    replies = [one for one in server.of_bot(group) if one.reply_to == seen.id]
    assert [one.buttons for one in replies] == [((AGAIN,),)] * 2
    assert now(server, group, seen).buttons == ((AGAIN,),)
    assert server.called("editMessageReplyMarkup") == []


def test_somebody_elses_press_is_refused_to_them_alone(
    server: FakeTelegram, bot: Running, gm: Json, ann: Json, group: int
) -> None:
    seen = ask(server, group, ann, "/roll 2d6")
    before = len(server.of_bot(group))
    query = server.press(group, seen.id, AGAIN, gm)
    assert server.wait_for(lambda: server.notices.get(query)) == (REFUSED["not_yours.button"].en, True)
    settled(server, bot)
    assert count(bot, "RollMade") == 1
    assert len(server.of_bot(group)) == before


def test_SW_15_a_reroll_costs_one_benny_however_often_it_is_pressed_and_its_button_goes(
    server: FakeTelegram, bot: Running, ann: Json, group: int
) -> None:
    seen = rolled(server, group, ann)
    before = count(bot, "RollMade")
    first, second = (server.press(group, seen.id, REROLL, ann) for _ in range(2))
    assert server.wait_for(lambda: server.notices.get(first)) == ("", False)
    assert server.wait_for(lambda: server.notices.get(second))[1]
    server.wait_for(lambda: now(server, group, seen).buttons == ((AGAIN,),))
    settled(server, bot)
    assert (count(bot, "BennySpent"), count(bot, "RollMade")) == (1, before + 1)


def test_a_press_that_is_delivered_again_rolls_once(server: FakeTelegram, bot: Running, ann: Json, group: int) -> None:
    seen = ask(server, group, ann, "/roll 2d6")
    query = server.press(group, seen.id, AGAIN, ann)
    server.press_again(query)
    server.wait_for(lambda: len(server.called("answerCallbackQuery")) == 2)
    settled(server, bot)
    assert count(bot, "RollMade") == 2


@pytest.mark.parametrize("changed", [{"data": "o:999:0"}, {"data": "nonsense"}, {"data": "c:1"}])
def test_a_button_that_is_not_ours_is_answered_and_does_nothing(
    server: FakeTelegram, bot: Running, ann: Json, group: int, changed: Json
) -> None:
    seen = ask(server, group, ann, "/roll 2d6")
    query = server.press(group, seen.id, AGAIN, ann)
    server.wait_for(lambda: server.notices.get(query))
    server.press_again(query, id="99", **changed)
    server.wait_for(lambda: len(server.called("answerCallbackQuery")) == 2)
    settled(server, bot)
    assert count(bot, "RollMade") == 2


def test_a_press_counts_in_the_chat_of_its_letter_alone(
    server: FakeTelegram, bot: Running, gm: Json, ann: Json, group: int
) -> None:
    other = server.supergroup("Other", gm, ann)
    ask(server, other, gm, "/table new savage Forest")
    there = ask(server, other, ann, "/roll 2d6")
    here = ask(server, group, ann, "/roll 2d6")
    query = server.press(group, here.id, AGAIN, ann)
    settled(server, bot)
    elsewhere = server._chats[other].messages[there.id]["reply_markup"]["inline_keyboard"][0][0]["callback_data"]
    server.press_again(query, id="99", data=elsewhere)
    server.wait_for(lambda: len(server.called("answerCallbackQuery")) == 2)
    settled(server, bot)
    made = [sum(b'"RollMade"' in one.body for one in bot.log.read(table)) for table in bot.log.tables()]
    assert made == [2, 1]


def test_a_press_counts_at_the_table_of_its_letter_alone(
    server: FakeTelegram, bot: Running, gm: Json, ann: Json, group: int
) -> None:
    seen = ask(server, group, ann, "/roll 2d6")
    for text in ("/session end", "/table new savage Forest", "/session start"):
        ask(server, group, gm, text)
    query = server.press(group, seen.id, AGAIN, ann)
    assert server.wait_for(lambda: server.notices.get(query)) == (REFUSED["already_done.button"].en, True)
    settled(server, bot)
    made = [sum(b'"RollMade"' in one.body for one in bot.log.read(table)) for table in bot.log.tables()]
    assert made == [1, 0]

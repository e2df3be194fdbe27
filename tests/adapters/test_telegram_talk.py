"""The table's talk on the fake Telegram, by polling and by webhook: what is no plain text, and an impatient table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adapters.telegram.bot import Updates
from adapters.telegram.polling import Polling
from tests.adapters.telegram_chat import Running, ask, webhook
from tests.adapters.terminal import exported
from tests.adapters.test_serve import answers, serving
from tests.servers.telegram import FakeTelegram
from tests.story import code_in

Json = dict[str, Any]
FILE = {"file_id": "f", "file_unique_id": "f"}
SIZE = {"width": 9, "height": 9}
PHOTO = [FILE | SIZE]
STICKER = {**FILE, **SIZE, "type": "regular", "is_animated": False, "is_video": False}
LOCATION = {"latitude": 1.0, "longitude": 1.0}
FORWARDED = {"type": "user", "date": 1_790_000_000, "sender_user": {"id": 7, "is_bot": True, "first_name": "Rollbook"}}


@pytest.fixture(params=[Polling, webhook], ids=["polling", "webhook"])
def bot(server: FakeTelegram, path: Path, request: pytest.FixtureRequest) -> Iterator[Running]:
    updates: Callable[[], Updates] = request.param
    with Running(server, path, updates=updates) as running:
        yield running


def test_what_is_written_below_pictures_is_kept_with_its_edits_and_pictures_leave_a_mark(
    server: FakeTelegram, bot: Running, path: Path, gm: Json, ann: Json, group: int
) -> None:
    ask(server, group, gm, "/table new savage Glacier")
    server.show(group, ann, "photo", PHOTO, "before anybody asked")
    ask(server, group, gm, "/log on")
    captioned = server.show(group, ann, "photo", PHOTO, "The map of Frostvale")
    bare = server.show(group, gm, "photo", PHOTO)
    server.show(group, ann, "sticker", STICKER)
    server.text(group, gm, "Where is north?", reply_to=captioned)
    server.show(group, ann, "voice", {**FILE, "duration": 1})
    server.show(group, ann, "location", LOCATION)
    server.show(group, ann, "photo", PHOTO, "a forwarded map", forward_origin=FORWARDED)
    server.show(group, {"id": 9, "is_bot": True, "first_name": "Other"}, "photo", PHOTO, "another bot's")
    server.edit(group, captioned, "The map of Icevale")
    server.edit(group, bare, "And of the mine")
    server.repeat(group, captioned)
    ask(server, group, gm, "/log end")
    server.show(group, ann, "photo", PHOTO, "after its end")
    ask(server, group, gm, "/calc 1+1")
    kept = ["The map of Icevale", "And of the mine", "[sticker]", "Where is north?", "[voice message]"]
    lines = exported(path, "--format", "txt").split("\n")
    assert [one for one in lines if one in kept] == kept
    assert "[picture]" not in lines
    for left_out in ("before", "Frostvale", "forwarded", "another", "after"):
        assert left_out not in "\n".join(lines)


def test_a_command_below_a_picture_is_carried_out_and_is_no_talk(
    server: FakeTelegram, bot: Running, path: Path, gm: Json, group: int
) -> None:
    ask(server, group, gm, "/table new savage Glacier")
    ask(server, group, gm, "/log on")
    message = server.show(group, gm, "photo", PHOTO, "/roll 1d1")
    seen = server.wait_for(lambda: [one for one in server.of_bot(group) if one.reply_to == message])
    assert "1" in seen[0].text
    assert "/roll" not in exported(path, "--format", "txt")


# Who says what in which of two linked chats, at once, and how the bot's answer begins; None: it is talk.
ON, RUNS = "💬 Talk is kept from now on", "Talk is being kept already"
PAUSED, AGAIN, QUIET = "💬 Talk is kept no longer", "💬 Talk is kept again", "No talk is being kept"
BURST: list[tuple[int, int, str, str | None]] = [
    (0, 1, "before", None), (0, 1, "/log on", "That is for the GM"), (0, 0, "/log on", ON), (1, 0, "/log on", RUNS),
    (0, 2, "one", None), (1, 3, "two", None), (1, 4, "/log off", "Please /join"), (0, 0, "/log new x", RUNS),
    (1, 0, "/log off", PAUSED), (0, 0, "/log off", QUIET), (0, 2, "not this", None), (1, 2, "nor that", None),
    (0, 0, "/undo", "Number"), (0, 0, "/session start", "🔓"), (0, 0, "/log on", AGAIN), (1, 4, "three", None),
    (0, 0, "/session end", "⏹️"), (1, 3, "four", None), (0, 0, "/log end", PAUSED), (1, 0, "/log end", QUIET),
    (0, 1, "after", None), (1, 1, "/log list", "log 1"), (0, 0, "/log new " + "长" * 200, "That is too long"),
    (0, 0, "/log new Ｎｉｇｈｔ　🐉", ON), (1, 3, "five", None), (0, 0, "/log off\n/log end\n/log end", PAUSED),
]  # fmt: skip


def test_five_who_press_on_in_two_chats_at_once_are_each_answered_and_one_log_is_whole(
    server: FakeTelegram, bot: Running, path: Path
) -> None:
    people = [server.person(name) for name in ("Gm", "Ann", "Tom", "Bo", "Di")]
    chats = [server.supergroup("Night", *people), server.supergroup("Day", *people)]
    assert "no table" in ask(server, chats[0], people[0], "/log on").text
    ask(server, chats[0], people[0], "/table new savage Glacier")
    ask(server, chats[1], people[0], f"/table join {code_in(ask(server, chats[0], people[0], '/table link').text)}")
    said = [(server.text(chats[chat], people[who], text), chats[chat], begins) for chat, who, text, begins in BURST]
    for message, chat, begins in said:
        if begins:
            server.wait_for(lambda chat=chat, message=message: answers(server, chat, [message])[0], 60)
            assert answers(server, chat, [message])[0][0].startswith(begins)
    server.wait_for(lambda: len(answers(server, chats[0], [said[-1][0]])[0]) == 3, 60)
    lines = exported(path, "--format", "txt").split("\n")
    texts = [text for *_, text, begins in BURST if begins is None]
    kept = ["one", "two", "three", "four", "five"]
    assert [one for one in lines if one in texts] == kept
    assert all(answers(server, chat, [message]) == [[]] for message, chat, begins in said if begins is None)


def test_killed_again_and_again_each_line_of_a_log_is_there_once_and_none_from_outside(
    server: FakeTelegram, path: Path, gm: Json, ann: Json, group: int
) -> None:
    def ask_slowly(text: str) -> None:
        message = server.text(group, gm, text)
        server.wait_for(lambda: answers(server, group, [message])[0], 60)

    def say(*texts: str) -> None:
        for text in texts:
            server.text(group, ann, text)

    with serving(server, path) as process:
        ask_slowly("/table new savage Glacier")
        say("unkept 1", "unkept 2")
        ask_slowly("/log on")
        say("kept 1", "kept 2", "kept 3")
        process.kill()
        process.wait()
    say("kept 4")
    with serving(server, path) as process:
        say("kept 5", "kept 6")
        ask_slowly("/log off")
        say("unkept 3", "unkept 4")
        process.kill()
        process.wait()
    say("unkept 5")
    with serving(server, path) as process:
        ask_slowly("/log end")
        say("unkept 6")
        ask_slowly("/calc 1+1")
    lines = exported(path, "--format", "txt").split("\n")
    assert [one for one in lines if "kept " in one and one[-1].isdigit()] == [f"kept {n}" for n in range(1, 7)]

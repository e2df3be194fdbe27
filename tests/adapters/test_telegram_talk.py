"""The table's talk on the fake Telegram, by polling and by webhook: what is kept of what is no plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adapters.telegram.bot import Updates
from adapters.telegram.polling import Polling
from tests.adapters.telegram_chat import Running, ask, webhook
from tests.adapters.terminal import exported
from tests.servers.telegram import FakeTelegram

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

"""The table's talk on a real Synapse, in a plain and in an encrypted room: what is kept of what is no plain text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.matrix_chat import Encrypted, Person, Running, Settings, ask, bot_on, opened
from tests.adapters.terminal import exported
from tests.servers.synapse import Synapse, running

Json = dict[str, Any]
MAP: Json = {"msgtype": "m.image", "url": "mxc://example.org/map", "filename": "map.png"}
STICKER: Json = {"body": "a smile", "url": "mxc://example.org/smile", "info": {}}


@pytest.fixture
def server() -> Synapse:
    return running()


@pytest.fixture(params=[False, True], ids=["plain", "encrypted"])
def encrypted(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def settings(server: Synapse, tmp_path: Path, encrypted: bool) -> Settings:
    return bot_on(server, tmp_path, encryption=encrypted)


@pytest.fixture
def gm(server: Synapse, tmp_path: Path, encrypted: bool) -> Iterator[Person]:
    with closing((Encrypted if encrypted else Person)(server, "gm", tmp_path)) as person:
        yield person


@pytest.fixture
def ann(server: Synapse, tmp_path: Path, encrypted: bool) -> Iterator[Person]:
    with closing((Encrypted if encrypted else Person)(server, "ann", tmp_path)) as person:
        yield person


def replaces(event: str, **new: Any) -> Json:
    relation = {"rel_type": "m.replace", "event_id": event}
    return {"msgtype": "m.text", "body": "* edited", "m.new_content": new, "m.relates_to": relation}


def test_what_is_shown_and_done_is_kept_with_its_edits_and_deletions(
    settings: Settings, path: Path, gm: Person, ann: Person, encrypted: bool
) -> None:
    with Running(settings, path) as bot:
        bot.settled()
        room = opened(settings, gm, ann, encrypted=encrypted)
        ann.send(room, MAP | {"body": "before anybody asked"})
        ask(gm, room, settings, "!log on")
        captioned = ann.send(room, MAP | {"body": "The map of Frostvale"})
        ann.send(room, MAP | {"body": "map.png"})
        gone = ann.send(room, MAP | {"body": "a mistake"})
        done = ann.send(room, {"msgtype": "m.emote", "body": "draws her sword"})
        ann.send(room, STICKER, "m.sticker")
        undone = ann.send(room, STICKER, "m.sticker")
        ann.send(room, {"msgtype": "m.location", "body": "The Glacier Inn", "geo_uri": "geo:1,1"})
        ann.send(room, {"msgtype": "m.notice", "body": "another bot's"})
        answering = {"m.relates_to": {"m.in_reply_to": {"event_id": captioned}}}
        gm.say(room, f"> <{ann.account}> The map of Frostvale\n\nWhere is north?", **answering)
        ann.send(room, replaces(captioned, **MAP, body="The map of Icevale"))
        ann.send(room, replaces(done, msgtype="m.emote", body="draws her bow"))
        ann.redact(room, gone)
        gm.redact(room, undone)
        ask(gm, room, settings, "!log end")
    kept = ["The map of Icevale", "[picture]", "* draws her bow", "[sticker]", "Where is north?"]
    lines = exported(path, "--format", "txt").split("\n")
    assert [one for one in lines if one in kept] == kept
    for gone_text in ("before", "Frostvale", "mistake", "sword", "Inn", "another", ann.account, "* edited"):
        assert gone_text not in "\n".join(lines)
    assert lines.count("[sticker]") == 1


def test_a_command_below_a_picture_is_carried_out_and_is_no_talk(
    settings: Settings, path: Path, gm: Person, ann: Person, encrypted: bool
) -> None:
    with Running(settings, path) as bot:
        bot.settled()
        room = opened(settings, gm, ann, encrypted=encrypted)
        ask(gm, room, settings, "!log on")
        before = len(gm.notices(room, settings.user))
        gm.send(room, MAP | {"body": "!calc 20+3"})
        assert "2" in ask(gm, room, settings, "!calc 1+1")
        heard = [one["content"]["body"] for one in gm.notices(room, settings.user)[before:]]
    assert any("23" in one for one in heard)
    assert "!calc" not in exported(path, "--format", "txt")

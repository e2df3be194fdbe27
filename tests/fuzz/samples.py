"""What platforms, exports and players really send: from here the fuzzer sets out.

Here: samples and whole records. Never: what is done to them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from adapters.export import to_jsonl
from adapters.export.extract import Extract
from core.registry import SYSTEMS
from core.vocabulary import verb_table
from events.envelope import Stored
from tests.laws import played
from tests.laws.systems import GAMES
from tests.story import Story

Json = dict[str, Any]

RED: Json = {"id": 1001, "is_bot": False, "first_name": "Red", "last_name": "Fox", "language_code": "en"}
GROUP: Json = {"id": -1000000000007, "type": "supergroup", "title": "Night", "is_forum": True}
OWN: Json = {"id": 1001, "type": "private", "first_name": "Red"}
FILE: Json = {"file_id": "f", "file_unique_id": "f"}


def _telegram(kind: str, **more: Any) -> Json:
    body = {"message_id": 7, "date": 1_790_000_000, "chat": GROUP, "from": RED} | more
    return {"update_id": 1, kind: body}


def _pressed(data: str) -> Json:
    message = _telegram("message", text="?")["message"]
    return {"update_id": 3, "callback_query": {
        "id": "9", "from": RED, "chat_instance": "1", "data": data, "message": message}}  # fmt: skip


def _member(status: str, **more: Any) -> Json:
    return {"status": status, "user": {"id": 99, "is_bot": True, "first_name": "Rollbook"}} | more


UPDATES: tuple[Json, ...] = (
    _telegram("message", text="/roll 2d6"),
    _telegram("message", text="/start", chat=OWN),
    _telegram("message", text="hello", message_thread_id=45, is_topic_message=True),
    _telegram("message", caption=".r 2d6", photo=[FILE | {"width": 9, "height": 9}]),
    _telegram("message", text="hello", sender_chat=GROUP),
    _telegram("message", text="x", forward_origin={"type": "user", "date": 1, "sender_user": RED}),
    _telegram("message", migrate_to_chat_id=-1000000000008),
    _telegram("edited_message", text="/roll 2d6", edit_date=1_790_000_001),
    _pressed("c:17:1"), _pressed("o:17:0"), _pressed("c:19:2"),
    {"update_id": 4, "my_chat_member": {
        "chat": GROUP, "from": RED, "date": 1_790_000_000,
        "old_chat_member": _member("left"), "new_chat_member": _member("member")}},
)  # fmt: skip


def _matrix(kind: str = "m.room.message", **more: Any) -> Json:
    written: Json = {"msgtype": "m.text", "body": "!roll 2d6", "m.mentions": {}}
    return {
        "type": kind, "sender": "@red:example.org", "event_id": "$a", "origin_server_ts": 1_796_000_000_000,
        "content": written | more.pop("content", {}), "unsigned": {"membership": "join", "age": 41},
    } | more  # fmt: skip


MATRIX: tuple[Json, ...] = (
    _matrix(),
    _matrix(content={"msgtype": "m.emote", "body": "waves"}),
    _matrix(content={"m.relates_to": {"rel_type": "m.thread", "event_id": "$root", "is_falling_back": True}}),
    _matrix(content={"m.relates_to": {"m.in_reply_to": {"event_id": "$b"}}, "body": "> <@x:y> no\n\n!roll d6"}),
    _matrix(content={
        "m.new_content": {"msgtype": "m.text", "body": "!roll 3d6"},
        "m.relates_to": {"rel_type": "m.replace", "event_id": "$b"}}),
    _matrix(content={"msgtype": "m.image", "body": "!roll d6", "filename": "a.png", "url": "mxc://a/b"}),
    _matrix("m.sticker", content={"body": "a dog"}),
    _matrix("m.reaction", content={"m.relates_to": {"rel_type": "m.annotation", "event_id": "$c", "key": "1️⃣"}}),
    _matrix("m.room.redaction", redacts="$b", content={"redacts": "$b"}),
    _matrix("m.room.encrypted", content={"algorithm": "m.megolm.v1.aes-sha2", "ciphertext": "AwgA", "session_id": "s"}),
    _matrix("m.room.member", state_key="@rollbook:example.org", content={"membership": "join", "displayname": "R"},
            unsigned={"prev_content": {"membership": "invite"}}),
    _matrix("m.room.tombstone", state_key="", content={"replacement_room": "!new", "body": "moved"}),
    _matrix(sender="@rollbook:example.org", content={"rollbook.letter": 17}),
)  # fmt: skip

SEALDICE: Json = {
    "version": 105, "info": {"id": 1, "name": "雪山", "groupId": "QQ-Group:1"},
    "items": [
        {"id": 1, "nickname": "小红", "IMUserId": "12345", "uniformId": "QQ:12345", "time": 1645000000,
         "message": "天好冷。[CQ:image,file=a.png]", "isDice": False, "commandInfo": None, "rawMsgId": "x"},
        {"id": 3, "nickname": "海豹", "IMUserId": "999", "uniformId": "QQ:999", "time": "2022-02-16 08:26:40",
         "message": "<小红>掷出了 2d6=7", "isDice": True, "commandInfo": {"cmd": "roll"}, "rawMsgId": 8},
    ],
}  # fmt: skip


@cache
def opening(system: str) -> tuple[str, ...]:
    """How a table of this system is set up for gm, ann and bob."""
    return played.OPENING if system == "savage" else GAMES[system].opening


@cache
def evening(system: str) -> Story:
    """A table at which things have happened; nobody may play on at it."""
    story = Story().given(*opening(system), "gm: /log on", "gm: /session start 夜", "ann: 天好冷。", "gm: /roll 2d6+1")
    return story.given("ann: /roll d6 secret # hidden", "gm: /undo", "gm: /reveal")


@cache
def stored(system: str) -> tuple[Stored, ...]:
    """The events of that evening."""
    story = evening(system)
    return tuple(story.log.read(story.table.id))


@cache
def exported(system: str) -> bytes:
    """The same as a file that can be taken in."""
    story = evening(system)
    extract = Extract(story.table.id, story.table.ledger.seq, "gm", undone=True)
    return b"".join(line + b"\n" for line in to_jsonl.lines(story.log, extract))


@cache
def commands() -> tuple[str, ...]:
    """One right command of every verb of every system, in both languages."""
    found = [verb for system in SYSTEMS for verb in verb_table(system).verbs]
    return tuple(dict.fromkeys(text for verb in found for text in (verb.example.en, verb.example.zh)))


@cache
def words() -> tuple[str, ...]:
    """Every name of every verb, for the fuzzer's dictionary."""
    return tuple(sorted({name for system in SYSTEMS for verb in verb_table(system).verbs for name in verb.names()}))

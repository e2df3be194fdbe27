"""Matrix's wire on recorded JSON, both ways."""

from __future__ import annotations

import json
from html import unescape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import iter_graphemes

from adapters.files import File
from adapters.matrix import wire
from adapters.matrix.wire import Place, Self
from core.messages import Deleted, Edited, Incoming
from events.beside import TABLE, Letter, MessageKey, Offer, Pending

Json = dict[str, Any]
SENT_AT = 1_796_000_000
ROOM = "!VPOs4MBVxq3c6n5kT0cJ4eS2mIvvmH2GfFqYh8mXf1w"  # of room version 12: no server
EVENT = "$rA-x_9dKq7Yb0vYfWlE2Jq3n0mJ1x5oZ8bW4rT6uHs"
ROOT = "$Ua3-kQ0vYfWlE2Jq3n0mJ1x5oZ8bW4rT6uHsrA-x_9d"
OURS = "$ours-kQ0vYfWlE2Jq3n0mJ1x5oZ8bW4rT6uHsrA-x_9d"
ME = Self("@rollbook:example.org", "Rollbook")
PLACE = Place(ROOM, "Red")
REPLACED = {"rel_type": "m.replace", "event_id": ROOT}


def message(body: str = "!roll 2d6", event: Json | None = None, **content: Any) -> Json:
    """As Synapse hands it out in a sync."""
    return {
        "type": "m.room.message", "sender": "@red:example.org", "event_id": EVENT, "origin_server_ts": SENT_AT * 1000,
        "content": {"msgtype": "m.text", "body": body, "m.mentions": {}} | content,
        "unsigned": {"membership": "join", "age": 41},
    } | (event or {})  # fmt: skip


def read(event: Json, late_before: float = 0.0) -> Incoming | None:
    return wire.incoming(event, PLACE, ME, lambda account: f"p-of-{account}", late_before)


def text_of(event: Json) -> str:
    found = read(event)
    assert found
    return found.text


# ---- in


def test_a_text_message_is_heard_with_its_writer_and_place() -> None:
    found = read(message())
    assert found
    assert found.key == MessageKey("matrix", ROOM, EVENT)
    assert (found.person, found.name, found.text) == ("p-of-@red:example.org", "Red", "!roll 2d6")
    assert (found.prefixes, found.late) == ("!.。", False)
    assert found.bots == ("rollbook:example.org", "rollbook", "Rollbook")


def test_what_edits_and_deletes_a_message_in_a_thread_does_not_name_the_thread() -> None:
    threaded = message("hello", **{"m.relates_to": {"rel_type": "m.thread", "event_id": ROOT}})
    found = read(threaded)
    assert found
    assert (found.key.message, found.line) == (f"{EVENT}|{ROOT}", EVENT)


def edited(event: Json) -> Edited | None:
    return wire.edited(event, PLACE, ME, lambda account: f"p-of-{account}")


def an_edit(**new: Any) -> Json:
    more = {"m.new_content": {"msgtype": "m.text", "body": "hello"} | new, "m.relates_to": REPLACED}
    return message("* hello", **more)


def test_an_edit_says_what_a_message_reads_now() -> None:
    key = MessageKey("matrix", ROOM, ROOT)
    assert edited(an_edit()) == Edited(key=key, person="p-of-@red:example.org", text="hello", edit=EVENT)


@pytest.mark.parametrize(
    "event",
    [
        message("hello"),
        an_edit(msgtype="m.notice"),
        an_edit(body=7),
        message("* x", **{"m.relates_to": REPLACED}),
        an_edit() | {"sender": "@rollbook:example.org"},
        message("x", **{"m.relates_to": "m.replace"}),
        {"content": None},
    ],
)  # fmt: skip
def test_what_is_no_edit_of_a_text_is_none(event: Json) -> None:
    assert edited(event) is None


@pytest.mark.parametrize("where", [{"redacts": EVENT, "content": {}}, {"content": {"redacts": EVENT, "reason": "x"}}])
def test_a_redaction_names_its_message_in_the_way_of_either_room_version(where: Json) -> None:
    event = {"type": "m.room.redaction", "sender": "@red:example.org", "event_id": "$b"} | where
    found = wire.redacted(event, PLACE, lambda account: f"p-of-{account}")
    assert found == Deleted(key=MessageKey("matrix", ROOM, EVENT), person="p-of-@red:example.org")


@pytest.mark.parametrize(
    "change", [{"type": "m.room.message"}, {"redacts": 7}, {"sender": None}, {"content": {"redacts": []}}]
)
def test_what_is_no_redaction_is_none(change: Json) -> None:
    event = {"type": "m.room.redaction", "sender": "@red:example.org", "event_id": "$b", "redacts": EVENT} | change
    assert wire.redacted(event, PLACE, lambda account: f"p-of-{account}") is None


NOT_HEARD = {
    "our own": message(event={"sender": "@rollbook:example.org"}),
    "a notice": message(msgtype="m.notice"),
    "a place": message("Big Ben", msgtype="m.location", geo_uri="geo:51.5,-0.1"),
    "a redacted sticker": message(event={"type": "m.sticker", "content": {}}),
    "of a kind that is none": message(msgtype=["m.image"]),
    "of another type": message(event={"type": "m.text"}),
    "an edit": message("* !roll 3d6", **{"m.relates_to": REPLACED, "m.new_content": {"body": "!roll 3d6"}}),
    "redacted": message(event={"content": {}, "unsigned": {"redacted_because": {"type": "m.room.redaction"}}}),
    "a reaction": message(event={"type": "m.reaction", "content": {"m.relates_to": {"key": "!"}}}),
    "a poll": message(event={"type": "org.matrix.msc3381.poll.start"}),
    "still encrypted": message(event={"type": "m.room.encrypted", "content": {"ciphertext": "AwgA"}}),
    "a text that is none": message(event={"content": {"msgtype": "m.text", "body": 7}}),
    "no content": message(event={"content": None}),
    "nobody's": message(event={"sender": None}),
    "nameless": message(event={"event_id": None}),
}


@pytest.mark.parametrize("kind", NOT_HEARD)
def test_what_nobody_wrote_or_showed_here_just_now_is_left_alone(kind: str) -> None:
    assert read(NOT_HEARD[kind]) is None


SHOWN = [
    ({"msgtype": "m.image"}, "picture"), ({"msgtype": "m.video"}, "video"), ({"msgtype": "m.audio"}, "audio"),
    ({"msgtype": "m.audio", "org.matrix.msc3245.voice": {}}, "voice"), ({"msgtype": "m.file"}, "file"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "shown"), SHOWN)
def test_the_body_of_what_is_shown_is_text_where_its_name_stands_elsewhere(content: Json, shown: str) -> None:
    for body, named, text in (("!map.png", {}, ""), ("a.png", {"filename": "a.png"}, "")):
        found = read(message(body, **content, **named))
        assert found
        assert (found.text, found.shown) == (text, shown)
    for body in ("!roll 2d6", "The map"):
        found = read(message(body, filename="a.png", **content))
        change = edited(an_edit(body=body, filename="a.png", **content))
        assert found
        assert change
        assert (found.text, found.shown, change.text, change.shown) == (body, shown, body, shown)


def test_a_sticker_is_shown_without_words() -> None:
    found = read(message("a smile", {"type": "m.sticker", "content": {"body": "a smile", "url": "mxc://x/y"}}))
    assert found
    assert (found.text, found.shown) == ("", "sticker")


def test_what_somebody_does_is_told_as_chats_show_it_and_is_never_a_command() -> None:
    assert text_of(message("draws her sword", msgtype="m.emote")) == "* draws her sword"
    assert text_of(message("!roll 2d6", msgtype="m.emote")) == "* !roll 2d6"
    change = edited(an_edit(msgtype="m.emote", body="draws a bow"))
    assert change
    assert change.text == "* draws a bow"


@pytest.mark.parametrize(("before", "late"), [(SENT_AT, False), (SENT_AT + 1, True)])
def test_a_message_from_before_a_certain_moment_is_late(before: float, late: bool) -> None:
    found = read(message(), before)
    assert found
    assert found.late is late


def test_the_thread_is_part_of_the_messages_name_and_the_chat_stays_the_room() -> None:
    relation = {"rel_type": "m.thread", "event_id": ROOT, "is_falling_back": True}
    found = read(message(**{"m.relates_to": relation}))
    assert found
    assert found.key == MessageKey("matrix", ROOM, f"{EVENT}|{ROOT}")


def test_the_quotation_of_what_a_reply_answers_is_no_part_of_it() -> None:
    reply = {"m.relates_to": {"m.in_reply_to": {"event_id": ROOT}}}
    body = "> <@ann:example.org> !roll 9d9\n> and more\n\n!roll 2d6\n> kept"
    assert text_of(message(body, **reply)) == "!roll 2d6\n> kept"
    assert text_of(message(body)) == body
    assert text_of(message("!roll 2d6", **reply)) == "!roll 2d6"
    assert text_of(message("> * <@ann:example.org> draws\n\nstop", **reply)) == "stop"
    assert text_of(message("> <@ann:example.org> hi\n\nwaves", msgtype="m.emote", **reply)) == "* waves"
    own = "> what I quote myself\n\nyes"
    assert text_of(message(own, **reply)) == own


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("Rollbook: !roll 2d6", "!roll 2d6"),
        ("rollbook, 。骰 2d6", "。骰 2d6"),
        ("@rollbook:example.org: !roll", "!roll"),
        ("@Rollbook !roll", "!roll"),
        ("Rollbook ！roll", "！roll"),
        ("Rollbook is great", "Rollbook is great"),
        ("Rollbook", "Rollbook"),
        ("Ann: !roll 2d6", "Ann: !roll 2d6"),
        ("", ""),
    ],
)
def test_our_name_may_stand_before_a_command(body: str, text: str) -> None:
    assert text_of(message(body)) == text


def test_a_reaction_is_a_sign_under_a_message() -> None:
    relation = {"rel_type": "m.annotation", "event_id": OURS, "key": "🔁"}
    found = wire.reaction(message(event={"type": "m.reaction", "content": {"m.relates_to": relation}}))
    assert found == wire.Reaction(EVENT, "@red:example.org", OURS, "🔁")


@pytest.mark.parametrize(
    "content",
    [{}, None, {"m.relates_to": []}, {"m.relates_to": {"rel_type": "m.annotation"}},
     {"m.relates_to": {"rel_type": "m.annotation", "event_id": OURS, "key": 3}},
     {"m.relates_to": {"rel_type": "m.thread", "event_id": OURS, "key": "🔁"}}],
)  # fmt: skip
def test_a_reaction_that_is_not_whole_is_none(content: object) -> None:
    assert wire.reaction(message(event={"type": "m.reaction", "content": content})) is None


def member(who: str, membership: str, before: str | None = None) -> Json:
    unsigned = {"prev_content": {"membership": before}} if before else {}
    return {
        "type": "m.room.member", "sender": who, "state_key": who, "event_id": EVENT,
        "content": {"membership": membership, "displayname": "X"}, "unsigned": unsigned,
    }  # fmt: skip


def test_who_enters_comes_and_who_takes_another_name_does_not() -> None:
    assert wire.came(member("@a:x", "join"), "@a:x")
    assert wire.came(member("@a:x", "join", "invite"), "@a:x")
    assert wire.came(member("@a:x", "join", "leave"), "@a:x")
    assert not wire.came(member("@a:x", "join", "join"), "@a:x")
    assert not wire.came(member("@a:x", "leave", "join"), "@a:x")
    assert not wire.came(member("@a:x", "join"), "@b:x")
    assert not wire.came(message(), "@red:example.org")


def test_who_was_invited_follows_and_who_made_the_room_does_not() -> None:
    assert wire.followed(member("@a:x", "join", "invite"), "@a:x")
    assert not wire.followed(member("@a:x", "join"), "@a:x")
    assert not wire.followed(member("@a:x", "join", "join"), "@a:x")


@pytest.mark.parametrize(
    ("allow", "is_allowed"),
    [((), True), (("example.org",), True), (("@red:example.org",), True), (("example.com", "@red:x.org"), False),
     (("org",), False), (("red",), False)],
)  # fmt: skip
def test_an_invitation_counts_from_whom_it_may_come(allow: tuple[str, ...], is_allowed: bool) -> None:
    assert wire.allowed("@red:example.org", allow) is is_allowed


@pytest.mark.parametrize(
    ("display", "others", "name"),
    [
        ("Red", (), "Red"),
        (" Red\n  Hair ", (), "Red Hair"),
        (None, (), "red"),
        ("", (), "red"),
        ("@red:example.org", (), "red"),
        ("Red", ("Red", "Ann"), "Red (3f9a)"),
        ("R" * 90, (), "R" * 64),
        ("R" * 90, ("R" * 91,), "R" * 57 + " (3f9a)"),
    ],
)
def test_a_name_tells_people_apart_and_holds_no_account(
    display: str | None, others: tuple[str, ...], name: str
) -> None:
    assert wire.called(display, "@red:example.org", "p3f9a01", others) == name


# ---- keys


@pytest.mark.parametrize(
    ("message", "event", "root"),
    [
        (EVENT, EVENT, None), (f"{EVENT}#2", EVENT, None), (f"{EVENT}|{ROOT}", EVENT, ROOT),
        (f"{EVENT}|{ROOT}#20", EVENT, ROOT), (f"{OURS}<{EVENT}", OURS, None), (f"{OURS}|{ROOT}<{EVENT}", OURS, ROOT),
        (f"{EVENT}-held-p3f9a", EVENT, None), (f"{EVENT}|{ROOT}#2-held-p3f9a", EVENT, ROOT),
        (f"{EVENT}-instead-12", EVENT, None), (f"{EVENT}#3-instead-12", EVENT, None),
        ("$1451:example.org", "$1451:example.org", None), ("$a+b/c", "$a+b/c", None),
        ("hello", None, None), ("-held-p1", None, None), ("17", None, None), ("", None, None),
    ],
)  # fmt: skip
def test_what_is_answered_is_read_back_from_the_key(message: str, event: str | None, root: str | None) -> None:
    assert wire.answered(message) == (event, root)


# ---- out


def pending(
    text: str = "7", message: str = EVENT, to: str = TABLE, chat: str = ROOM, platform: str = "matrix", **more: Any
) -> Pending:
    return Pending(12, MessageKey(platform, ROOM, message), Letter(to, text, **more), "matrix", chat)


def test_a_letter_is_a_notice_below_its_command_that_says_which_letter_it_is() -> None:
    assert wire.contents(pending()) == [{
        "msgtype": "m.notice", "body": "7", "m.mentions": {},
        "format": "org.matrix.custom.html", "formatted_body": "7",
        "rollbook.letter": 12, "m.relates_to": {"m.in_reply_to": {"event_id": EVENT}},
    }]  # fmt: skip


def test_in_a_thread_every_part_stays_in_it() -> None:
    parts = wire.contents(pending("x" * 20_000 + "\n" + "y" * 20_000, f"{EVENT}|{ROOT}"))
    assert len(parts) > 1
    for part in parts:
        relation = part["m.relates_to"]
        assert (relation["rel_type"], relation["event_id"]) == ("m.thread", ROOT)
        assert relation["m.in_reply_to"] == {"event_id": EVENT}


@pytest.mark.parametrize(
    "one",
    [
        pending(to="p1", chat="p1"),
        pending(chat="!other"),
        pending(platform="telegram"),
        pending(message="hello"),
    ],
    ids=["in private", "in another room", "on another platform", "to nothing"],
)
def test_where_there_is_nothing_to_reply_to_there_is_no_relation(one: Pending) -> None:
    (content,) = wire.contents(one)
    assert "m.relates_to" not in content


@pytest.mark.parametrize(
    "name", ["<b>x</b>", "</i>", "a & b", "&lt;", '<a href="https://matrix.to/#/@x:y">x</a>', "1 < 2", "<mx-reply>"]
)
def test_what_people_write_shows_as_they_wrote_it(name: str) -> None:
    (content,) = wire.contents(pending(f"{name} rolled 7\nand 8"))
    assert plain(content["body"]) == f"{name} rolled 7\nand 8"
    lines = content["formatted_body"].split("<br>")
    assert all("<" not in line and ">" not in line for line in lines)
    assert plain(unescape("\n".join(lines))) == f"{name} rolled 7\nand 8"


def plain(text: str) -> str:
    return text.replace("\u2060", "")


@pytest.mark.parametrize("name", ["@room", "@everyone", "(@room)", "@red:example.org", "x @room"])
def test_nobody_is_called_by_what_people_write(name: str) -> None:
    (content,) = wire.contents(pending(name))
    assert content["m.mentions"] == {}
    for field in ("body", "formatted_body"):
        assert name not in content[field]
        assert plain(content[field]) == name


PNG = File("night.png", b"123", "image/png")


def test_a_file_says_what_it_is_and_where_it_lies() -> None:
    content = wire.file_of(pending(), PNG, "mxc://example.org/abc", None)
    assert content == {
        "msgtype": "m.image", "body": "night.png", "filename": "night.png", "m.mentions": {},
        "info": {"mimetype": "image/png", "size": 3}, "rollbook.letter": 12, "url": "mxc://example.org/abc",
    }  # fmt: skip


def test_an_encrypted_file_bears_its_key_and_stays_in_the_thread() -> None:
    table = File("night.csv", b"1", "text/csv")
    content = wire.file_of(pending(message=f"{EVENT}|{ROOT}"), table, "mxc://example.org/abc", {"v": "v2"})
    assert content["msgtype"] == "m.file"
    assert content["file"] == {"v": "v2", "url": "mxc://example.org/abc"}
    assert "url" not in content
    assert content["m.relates_to"]["event_id"] == ROOT


def test_the_name_of_a_sending_is_the_same_each_time_and_nobody_elses() -> None:
    names = {
        wire.transaction(pending(), 0), wire.transaction(pending(), 1), wire.transaction(pending(message=ROOT), 0),
        wire.transaction(Pending(13, MessageKey("matrix", ROOM, EVENT), Letter(TABLE, "7"), "matrix", ROOM), 0),
    }  # fmt: skip
    assert len(names) == 4
    assert wire.transaction(pending("other"), 0) in names
    assert all(name.replace("-", "").isalnum() for name in names)


SIGNS = st.sampled_from(
    ["a", "骰", "🎲", "👩‍🚀", "🇩🇪", "e\u0301", "<", "&", "@", '"', "\\", "\n", " ", "👍🏽", "w ", "\n\n", "1️⃣", "\x07"]
)


@given(st.lists(SIGNS, max_size=300).map("".join), st.integers(200, 900))
def test_long_letters_are_cut_between_signs_and_lose_nothing(text: str, most: int) -> None:
    parts = wire.split(text, most)
    assert all(0 < wire.weight(one) <= most for one in parts)
    kept = "".join("".join(parts).split())
    assert kept == ("".join(text.split()) or "…")
    whole = set(iter_graphemes(text))
    for part in parts:
        assert set(iter_graphemes(part)) <= whole | {"…"}


def test_long_letters_are_cut_at_lines() -> None:
    lines = [f"line {number} " + "x" * 90 for number in range(400)]
    parts = [content["body"] for content in wire.contents(pending("\n".join(lines)))]
    assert len(parts) > 2
    assert [line for part in parts for line in part.split("\n")] == lines


@pytest.mark.parametrize("sign", ["&", "骰", "🎲", "@a", "\n.", "\x07", "e\u0301", "e" + "\u0301" * 30_000])
def test_no_event_is_larger_than_a_server_takes_even_encrypted(sign: str) -> None:
    text = sign * (60_000 // len(sign))
    parts = wire.contents(pending(text, f"{EVENT}|{ROOT}"))
    assert plain("".join(part["body"] for part in parts)).replace("\n", "") == text.replace("\n", "")
    for part in parts:
        assert len(json.dumps(part)) * 4 / 3 < 60_000


@given(st.text(max_size=300))
def test_whatever_stands_in_a_letter_no_tag_is_made_of_it(text: str) -> None:
    for content in wire.contents(pending(text)):
        assert content["body"].strip()
        assert set(content["formatted_body"].replace("<br>", "")).isdisjoint("<>")
        json.dumps(content, allow_nan=False)


# ---- buttons

CHOICES = ((1, "run"), (2, "hide"))
AGAIN = Offer("🔁", "again", "/roll 2d6", "p-of-@red:example.org")


def press(one: Pending, sign: str, by: str = "@red:example.org", choice: int | None = 5) -> Incoming | None:
    return wire.pressed(
        wire.Reaction(EVENT, by, OURS, sign), None, one, "t1", choice, PLACE, lambda account: f"p-of-{account}"
    )


def test_choices_have_keycaps_and_offers_their_own_sign() -> None:
    assert list(wire.signs(Letter(TABLE, "?", CHOICES, (AGAIN,)))) == ["1️⃣", "2️⃣", "🔁"]


def test_ten_choices_have_no_buttons() -> None:
    assert wire.signs(Letter(TABLE, "?", tuple((n, "x") for n in range(1, 11)))) == {}
    assert len(wire.signs(Letter(TABLE, "?", tuple((n, "x") for n in range(1, 10))))) == 9


def test_a_secret_choice_has_no_button_in_private_where_its_table_is_not() -> None:
    assert wire.signs(Letter("p1", "?", CHOICES, (AGAIN,))) == {}


@pytest.mark.parametrize("sign", ["2️⃣", "2⃣"])
def test_a_pressed_choice_is_the_command_of_whoever_pressed_it(sign: str) -> None:
    found = press(pending("?", choices=CHOICES), sign, "@ann:example.org")
    assert found
    assert (found.text, found.person, found.at) == ("!choose 5 2", "p-of-@ann:example.org", "t1")
    assert found.key == MessageKey("matrix", ROOM, f"{OURS}<{EVENT}")


def test_an_offer_is_its_owners_command() -> None:
    found = press(pending("7", offers=(AGAIN,)), "🔁")
    assert found
    assert (found.text, found.owner, found.at) == ("/roll 2d6", found.person, "t1")
    other = press(pending("7", offers=(AGAIN,)), "🔁", "@ann:example.org")
    assert other
    assert other.owner == found.person != other.person


@pytest.mark.parametrize("sign", ["3️⃣", "👍", "", "1"])
def test_a_sign_that_is_no_button_does_nothing(sign: str) -> None:
    assert press(pending("?", choices=CHOICES, offers=(AGAIN,)), sign) is None


def test_a_choice_that_is_not_known_any_more_is_not_made() -> None:
    assert press(pending("?", choices=CHOICES), "1️⃣", choice=None) is None


@pytest.mark.parametrize(
    ("event", "letter"),
    [
        ({"sender": ME.account, "content": {"rollbook.letter": 12}}, 12),
        ({"sender": ME.account, "content": {"rollbook.letter": "12"}}, None),
        ({"sender": ME.account, "content": {}}, None),
        ({"sender": "@red:example.org", "content": {"rollbook.letter": 12}}, None),
    ],
)
def test_only_a_message_of_ours_is_a_letter(event: Json, letter: int | None) -> None:
    assert wire.letter_of(message(event=event), ME) == letter

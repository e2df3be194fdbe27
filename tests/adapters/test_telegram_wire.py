"""What Telegram sends becomes messages, and letters become what Telegram can show: both on JSON as it is sent."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from telegram import Update
from wcwidth import iter_graphemes

from adapters.telegram import wire
from adapters.telegram.wire import Place, Sent
from core.messages import Edited, Incoming
from events.beside import Letter, MessageKey, Offer, Pending
from tests.servers.telegram_html import found_in, parsed, units

RED: dict[str, Any] = {"id": 1001, "is_bot": False, "first_name": "Red", "last_name": "Fox", "language_code": "en"}
OWN: dict[str, Any] = {"id": 1001, "type": "private", "first_name": "Red"}
GROUP: dict[str, Any] = {"id": -1000000000007, "type": "supergroup", "title": "Night", "is_forum": True}
SENT_AT = 1_790_000_000
FILE: dict[str, Any] = {"file_id": "f", "file_unique_id": "f"}
SIZE = {"width": 9, "height": 9}
PHOTO = [FILE | SIZE]
POLL = {
    "id": "1", "question": "Go on?", "options": [{"persistent_id": "1", "text": "yes", "voter_count": 0}],
    "total_voter_count": 0, "is_closed": False, "is_anonymous": True, "type": "regular", "allows_revoting": False,
    "allows_multiple_answers": False, "members_only": False,
}  # fmt: skip
KEY = MessageKey("telegram", "-1000000000007", "7")
GROUP_KEY = "-1000000000007"


def person(account: str) -> str:
    return f"p-of-{account.removeprefix('-')}"


def message(text: str | None = "/roll 2d6", chat: dict[str, Any] = GROUP, kind: str = "message", **more: Any) -> Update:
    body = {"message_id": 7, "date": SENT_AT, "chat": chat, "from": RED, "text": text, **more}
    update = Update.de_json({"update_id": 1, kind: {name: one for name, one in body.items() if one is not None}})
    assert update
    return update


AGAIN = Offer("🔁", "Again", "/roll 2d6", "p-of-1001")
REROLL = Offer("🎟", "Reroll", "/reroll roll=3", "p-of-1001")


CHOICES = ((1, "run"), (2, "打" * 100))


def pending(letter: Letter, chat: str = GROUP_KEY, id: int = 17) -> Pending:
    return Pending(id, MessageKey("telegram", chat, "7"), letter, "telegram", chat)


def read(update: Update, late_before: float = 0.0) -> Incoming | None:
    kept = {
        17: Sent(pending(Letter("table", "7", (), (AGAIN, REROLL))), "t1"),
        18: Sent(pending(Letter("table", "8", CHOICES, (AGAIN,)), "-5"), "t2", 3),
        19: Sent(pending(Letter("table", "?", CHOICES)), "t3", 987654321012),
        20: Sent(pending(Letter("table", "?", CHOICES)), "t4"),
    }
    return wire.incoming(update, "rollbook_bot", person, kept.get, late_before)


# ---- in


def test_a_message_in_a_group_is_its_writers() -> None:
    assert read(message()) == Incoming(
        key=KEY, person="p-of-1001", name="Red Fox", text="/roll 2d6", prefixes="/.。", bots=("rollbook_bot",),
        sent_at=SENT_AT,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("chat", "more", "key"),
    [
        (OWN, {}, "p-of-1001"),
        (GROUP, {}, GROUP_KEY),
        (GROUP, {"message_thread_id": 45, "is_topic_message": True}, f"{GROUP_KEY}/45"),
        (GROUP, {"message_thread_id": 45}, GROUP_KEY),
        ({"id": -7, "type": "group", "title": "Night"}, {}, "-7"),
    ],
    ids=["private", "General", "a topic", "a reply outside of topics", "a group"],
)
def test_a_chat_and_each_of_its_topics_has_a_name_without_anybodys_account(
    chat: dict[str, Any], more: dict[str, Any], key: str
) -> None:
    found = read(message(chat=chat, **more))
    assert found
    assert found.key.chat == key
    assert "1001" not in found.key.chat.replace("p-of-1001", "")


@pytest.mark.parametrize(
    "update",
    [
        message(kind="edited_message", edit_date=SENT_AT + 1),
        message(kind="channel_post"),
        message(**{"from": {**RED, "is_bot": True}}),
        message(text=None, new_chat_members=[RED]),
        message(text=None, pinned_message={"message_id": 6, "date": SENT_AT, "chat": GROUP, "text": "x"}),
        message(text=None, poll=POLL),
        message(text=None, location={"latitude": 1.0, "longitude": 1.0}),
        message(text=None, photo=PHOTO, forward_origin={"type": "user", "date": SENT_AT, "sender_user": RED}),
        message(forward_origin={"type": "user", "date": SENT_AT, "sender_user": RED}),
        message(via_bot={**RED, "is_bot": True}),
        message(sender_chat={"id": -1000000000099, "type": "channel", "title": "News"}),
    ],
    ids=[
        "edited",
        "in a channel",
        "a bot's",
        "somebody came",
        "a pin",
        "a poll",
        "a place",
        "a forwarded picture",
        "forwarded",
        "through a bot",
        "a channel's",
    ],
)
def test_what_nobody_said_here_just_now_is_not_taken_up(update: Update) -> None:
    assert read(update) is None


@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        ({"photo": PHOTO}, "picture"), ({"animation": {**FILE, **SIZE, "duration": 1}, "document": FILE}, "picture"),
        ({"sticker": {**FILE, **SIZE, "type": "regular", "is_animated": False, "is_video": False}}, "sticker"),
        ({"video": {**FILE, **SIZE, "duration": 1}}, "video"), ({"voice": {**FILE, "duration": 1}}, "voice"),
        ({"video_note": {**FILE, "length": 9, "duration": 1}}, "video"), ({"document": FILE}, "file"),
        ({"audio": {**FILE, "duration": 1}}, "audio"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("caption", [None, "/roll 2d6", "The map"])
def test_what_somebody_shows_is_named_and_its_caption_is_the_text(
    parts: dict[str, Any], shown: str, caption: str | None
) -> None:
    found = read(message(text=None, caption=caption, **parts))
    assert found
    assert (found.text, found.shown) == (caption or "", shown)
    changed = message(text=None, kind="edited_message", caption=caption, **parts)
    edited = wire.edited(changed, person)
    assert edited
    assert (edited.text, edited.shown) == (caption or "", shown)


def test_what_a_reply_answers_and_quotes_is_no_part_of_it() -> None:
    quoted = {"message_id": 6, "date": SENT_AT, "chat": GROUP, "from": RED, "text": "/roll 9d9"}
    found = read(message("yes", reply_to_message=quoted, quote={"text": "9d9", "position": 6}))
    assert found
    assert (found.text, found.shown) == ("yes", "")


def test_an_edit_is_its_writers_and_names_the_message_and_itself() -> None:
    update = message("/roll 3d6", kind="edited_message", edit_date=SENT_AT + 1)
    assert wire.edited(update, person) == Edited(key=KEY, person="p-of-1001", text="/roll 3d6", edit="1")


@pytest.mark.parametrize(
    "update",
    [
        message(),
        message(kind="edited_channel_post"),
        message(kind="edited_message", **{"from": {**RED, "is_bot": True}}),
        message(text=None, kind="edited_message", location={"latitude": 1.0, "longitude": 1.0}),
    ],
    ids=["a new one", "in a channel", "a bot's", "a place that moves"],
)
def test_what_is_no_edit_of_what_somebody_said_is_none(update: Update) -> None:
    assert wire.edited(update, person) is None


def test_an_anonymous_admin_speaks_as_the_group() -> None:
    group_bot = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
    found = read(message(sender_chat=GROUP, **{"from": group_bot}))
    assert found
    assert (found.person, found.name) == ("p-of-1000000000007", "Night")


@pytest.mark.parametrize(("before", "late"), [(SENT_AT, False), (SENT_AT + 1, True)])
def test_a_message_from_before_a_certain_moment_is_late(before: float, late: bool) -> None:
    found = read(message(), before)
    assert found
    assert found.late is late


@pytest.mark.parametrize(("chat", "asked"), [(GROUP, "/help"), (OWN, "/help private")], ids=["group", "private"])
@pytest.mark.parametrize("text", ["/start", "/START@rollbook_bot", "/start letters"])
def test_the_start_button_asks_for_help(text: str, chat: dict[str, Any], asked: str) -> None:
    found = read(message(text=text, chat=chat))
    assert found
    assert found.text == asked


@pytest.mark.parametrize("named", [{"first_name": ""}, {"first_name": " ", "last_name": " "}])
def test_somebody_without_a_name_is_called_by_a_question_mark(named: dict[str, str]) -> None:
    found = read(message(**{"from": {"id": 1001, "is_bot": False, **named}}))
    assert found
    assert (found.name, found.text) == ("?", "/roll 2d6")


def test_a_group_without_a_title_has_an_anonymous_admin_without_a_name() -> None:
    found = read(message(sender_chat={**GROUP, "title": ""}))
    assert found
    assert found.name == "?"


@pytest.mark.parametrize(
    ("said", "old_and_new"),
    [
        ({"migrate_to_chat_id": -99}, ("-1000000000007", "-99")),
        ({"migrate_from_chat_id": -7}, ("-7", "-1000000000007")),
        ({}, None),
    ],
)
def test_a_group_that_becomes_a_supergroup_says_so_on_both_sides(
    said: dict[str, Any], old_and_new: tuple[str, str] | None
) -> None:
    assert wire.moved(message(**said).message) == old_and_new


def pressed(data: str) -> Update:
    shown = {"message_id": 9, "date": SENT_AT, "chat": GROUP, "from": {**RED, "is_bot": True}, "text": "?"}
    query = {"id": "5550", "from": RED, "chat_instance": "1", "message": shown, "data": data}
    update = Update.de_json({"update_id": 2, "callback_query": query})
    assert update
    return update


def test_a_pressed_choice_is_the_command_of_whoever_pressed_it() -> None:
    found = read(pressed("c:19:2"))
    assert found
    assert (found.text, found.person, found.at, found.key) == (
        "/choose 987654321012 2", "p-of-1001", "t3", MessageKey("telegram", GROUP_KEY, "9-pressed-5550"),
    )  # fmt: skip


@pytest.mark.parametrize(
    "data",
    [
        "", "x", "c:1", "c:1:2:3", "c:19:2\n/roll", "c:-1:2", "c:１9:2", "c:19:3", "c:18:1", "c:17:1", "c:20:1",
        "c:99:1", "x:19:1",
    ],
)  # fmt: skip
def test_a_button_that_is_not_ours_does_nothing(data: str) -> None:
    assert read(pressed(data)) is None


def test_what_was_read_from_a_button_is_what_was_put_into_it() -> None:
    markup = wire.buttons(pending(Letter("table", "?", CHOICES), id=19))
    assert markup
    made = [button for row in markup.inline_keyboard for button in row]
    for number, button in enumerate(made, 1):
        assert len(str(button.callback_data).encode()) <= 64
        assert len(button.text) <= 64
        found = read(pressed(str(button.callback_data)))
        assert found
        assert found.text == f"/choose 987654321012 {number}"


def test_a_letter_without_choices_has_no_buttons() -> None:
    assert wire.buttons(pending(Letter("table", "7"))) is None


def test_an_offers_button_is_its_command_and_only_its_owners_press_counts() -> None:
    markup = wire.buttons(pending(Letter("table", "7", (), (AGAIN, REROLL))))
    assert markup
    (row,) = markup.inline_keyboard
    assert [one.text for one in row] == ["🔁 Again", "🎟 Reroll"]
    found = [read(pressed(str(one.callback_data))) for one in row]
    assert [(one.text, one.owner, one.at) for one in found if one] == [
        ("/roll 2d6", "p-of-1001", "t1"), ("/reroll roll=3", "p-of-1001", "t1"),
    ]  # fmt: skip


@pytest.mark.parametrize("data", ["o:17:2", "o:18:0", "o:99:0", "o:17:-1", "o:17", "o:17:0x", "c:1", "", "x"])
def test_a_button_that_is_none_of_this_chats_is_nothing(data: str) -> None:
    assert read(pressed(data)) is None


def test_in_private_there_are_no_buttons() -> None:
    assert wire.buttons(pending(Letter("p1", "7", ((1, "run"),), (AGAIN,)))) is None


def test_of_a_choice_all_buttons_go_at_once_and_of_what_is_offered_the_one_that_is_used() -> None:
    markup = wire.buttons(pending(Letter("table", "7", ((1, "run"), (2, "stay")), (AGAIN, REROLL))))

    def left(used: str) -> list[str]:
        found = wire.without(markup, used)
        return [str(one.callback_data) for row in (found.inline_keyboard if found else ()) for one in row]

    assert left("c:17:1") == ["o:17:0", "o:17:1"]
    assert left("o:17:1") == ["c:17:1", "c:17:2", "o:17:0"]
    assert wire.without(wire.without(wire.without(markup, "c:17:1"), "o:17:0"), "o:17:1") is None


# ---- out


@pytest.mark.parametrize(
    ("chat", "message", "to", "places"),
    [
        (GROUP_KEY, "7", "table", [Place(-1000000000007, None, 7)]),
        (f"{GROUP_KEY}/45", "7#2", "table", [Place(-1000000000007, 45, 7)]),
        ("p1", "7", "table", [Place(1001, None, 7), Place(1002, None, 7)]),
        (GROUP_KEY, "7", "p1", [Place(1001), Place(1002)]),
        (GROUP_KEY, "9-pressed-5", "table", [Place(-1000000000007, None, 9)]),
        (GROUP_KEY, "7", "p2", []),
        (GROUP_KEY, "7", "gone", []),
    ],
)
def test_a_letter_goes_where_it_belongs_and_never_a_private_one_to_the_group(
    chat: str, message: str, to: str, places: list[Place]
) -> None:
    accounts = {"p1": ["1001", "1002"], "p2": [GROUP_KEY]}
    goes = chat if to == "table" else to
    one = Pending(1, MessageKey("telegram", chat, message), Letter(to, "x"), "telegram", goes)
    assert wire.places(one, lambda person: accounts.get(person, [])) == places


@pytest.mark.parametrize("key", [MessageKey("matrix", "!room", "7"), MessageKey("telegram", "-100999", "7")])
def test_a_copy_for_another_chat_of_the_table_replies_to_nothing(key: MessageKey) -> None:
    copy = Pending(1, key, Letter("table", "x"), "telegram", f"{GROUP_KEY}/45")
    assert wire.places(copy, lambda _: []) == [Place(-1000000000007, 45)]


@pytest.mark.parametrize("name", ["<b>x</b>", "</i>", "a & b", "&lt;", '<a href="tg://user?id=5">x</a>', "1 < 2", "@x"])
def test_what_people_write_shows_as_they_wrote_it(name: str) -> None:
    (markup,) = wire.texts(Letter("table", f"{name} rolled 7"))
    text, entities = parsed(markup)
    assert text.replace("\u2060", "") == f"{name} rolled 7"
    assert entities == []


@pytest.mark.parametrize("name", ["@everyone", "@tom_one", "(@tom_one)", "x @tom_one", "＠tom_one @tom_one"])
def test_nobody_is_called_by_what_people_write(name: str) -> None:
    (markup,) = wire.texts(Letter("table", name))
    assert [one for one in found_in(parsed(markup)[0], []) if one["type"] == "mention"] == []


SIGNS = st.sampled_from(
    ["a", "骰", "🎲", "👩‍🚀", "🇩🇪", "e\u0301", "<", "&", "@", "\n", " ", "👍🏽", "word ", "\n\n", "1️⃣"]
)


@given(st.lists(SIGNS, max_size=400).map("".join), st.integers(12, 60))
def test_long_letters_are_cut_between_signs_and_lose_nothing(text: str, most: int) -> None:
    parts = wire.split(text, most)
    assert all(0 < units(one) <= most for one in parts)
    kept = "".join("".join(parts).split())
    assert kept == ("".join(text.split()) or "…")
    whole = set(iter_graphemes(text))
    for part in parts:
        assert set(iter_graphemes(part)) <= whole | {"…"}


def test_long_letters_are_cut_at_lines() -> None:
    lines = [f"line {number} " + "x" * 90 for number in range(100)]
    parts = wire.texts(Letter("table", "\n".join(lines)))
    assert len(parts) == 3
    assert [line for part in parts for line in part.split("\n")] == lines


@given(st.text(max_size=300))
def test_whatever_stands_in_a_letter_telegram_can_read_it(text: str) -> None:
    for part in wire.texts(Letter("table", text)):
        seen, entities = parsed(part)
        assert entities == []
        assert 0 < units(seen) <= wire.MOST_UNITS


def test_a_sign_longer_than_a_message_is_cut_all_the_same() -> None:
    monster = "e" + "\u0301" * 10_000
    parts = wire.split(monster)
    assert "".join(parts) == monster
    assert max(map(units, parts)) <= wire.MOST_UNITS


# ---- whose an update is


def test_an_update_says_which_chat_it_belongs_to() -> None:
    topic = {"chat": {"id": -5}, "is_topic_message": True, "message_thread_id": 45}
    of = {
        "-5": {"message": {"chat": {"id": -5}}}, "-5/45": {"callback_query": {"message": topic}},
        "7": {"my_chat_member": {"chat": {"id": 7}}}, "": {"message": "no message"},
    }  # fmt: skip
    assert {chat: wire.chat_in(update) for chat, update in of.items()} == {chat: chat for chat in of}
    assert wire.chat_in({}) == wire.chat_in({"message": {"chat": {"id": "x"}}}) == ""

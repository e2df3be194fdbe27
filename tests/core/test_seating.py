"""Chats that share a table, and accounts that are one person: codes, copies, and what is told where."""

from __future__ import annotations

import re

import pytest

from core.app import App
from core.messages import Answer, Incoming
from core.verify import verify
from events.beside import MessageKey
from events.codec import decode
from events.log import EventLog, MemoryLog
from events.types import AccountLinked, ChatLinked, ChatUnlinked
from tests.story import Clock, Seeds

TELEGRAM, MATRIX = ("telegram", "-100"), ("matrix", "!room")
CODE = re.compile(r"[0-9A-Z]{4}-[0-9A-Z]{4}")


class Chats:
    """One App; people write on several platforms, each with an account there: `ann` is @ann on both."""

    def __init__(self, log: EventLog | None = None, clock: Clock | None = None) -> None:
        self.log, self.said = log or MemoryLog(), 0
        self.clock = clock or Clock()
        self.app = App(self.log, self.clock, Seeds())

    def say(self, chat: tuple[str, str], name: str, text: str) -> Answer:
        self.said += 1
        return self.again(chat, name, text, str(self.said))

    def again(self, chat: tuple[str, str], name: str, text: str, message: str) -> Answer:
        person = self.app.person(chat[0], f"@{name}")
        where = person if chat[1] == "private" else chat[1]
        key = MessageKey(chat[0], where, message)
        (answer,) = self.app.hear(Incoming(key=key, person=person, name=name, text=text))
        return answer

    def code(self, chat: tuple[str, str], name: str, text: str) -> str:
        (found,) = {code for letter in self.say(chat, name, text).letters for code in CODE.findall(letter.text)}
        return found

    def told(self, chat: tuple[str, str]) -> list[str]:
        """What waits to be sent to a chat."""
        return [one.letter.text for one in self.log.pending(*chat)]

    def error(self, chat: tuple[str, str], name: str, text: str) -> str:
        before = [self.log.head(table) for table in self.log.tables()]
        answer = self.say(chat, name, text)
        assert [self.log.head(table) for table in self.log.tables()] == before
        return answer.error[0] if answer.error else ""


@pytest.fixture
def chats() -> Chats:
    chats = Chats()
    chats.say(TELEGRAM, "gm", "/table new savage Glacier")
    return chats


@pytest.fixture
def linked(chats: Chats) -> Chats:
    code = chats.code(TELEGRAM, "gm", "/table link")
    assert isinstance(chats.say(MATRIX, "tom", f"!table join {code}").events[0].data, ChatLinked)
    return chats


# ---- chats


def test_a_chat_joins_a_table_by_its_code_and_both_chats_are_told(chats: Chats) -> None:
    code = chats.code(TELEGRAM, "gm", "/table link")
    before = len(chats.told(TELEGRAM))
    answer = chats.say(MATRIX, "tom", f"!table join {code.lower().replace('-', '')}")
    (told,) = chats.told(MATRIX)
    assert "Glacier" in told
    assert chats.told(TELEGRAM)[before:] == [told]
    assert chats.log.table_of(*MATRIX) == chats.log.table_of(*TELEGRAM) == answer.table


def test_a_roll_in_one_chat_is_heard_in_the_other_and_is_one_roll(linked: Chats) -> None:
    before = len(linked.told(TELEGRAM))
    answer = linked.say(MATRIX, "tom", "!roll 2d6")
    assert linked.told(MATRIX)[-1] == linked.told(TELEGRAM)[-1] == answer.letters[0].text
    assert len(linked.told(TELEGRAM)) == before + 1
    (copy,) = linked.log.pending(*TELEGRAM)[before:]
    assert copy.key == answer.key


def test_questions_and_refusals_are_told_only_where_they_were_said(linked: Chats) -> None:
    before = len(linked.told(TELEGRAM))
    for text in ("!help", "!history", "!nonsense", "!calc 1+1"):
        linked.say(MATRIX, "tom", text)
    assert len(linked.told(TELEGRAM)) == before


def test_each_chat_is_told_commands_as_it_writes_them(linked: Chats) -> None:
    linked.say(MATRIX, "tom", "!char new Tom Shooting=d8")
    linked.say(TELEGRAM, "ann", "/char new Ann")
    linked.say(TELEGRAM, "ann", "/oppose d6")
    there, here = linked.told(MATRIX)[-1], linked.told(TELEGRAM)[-1]
    assert "!resist" in there
    assert "/resist" in here
    assert there.replace("!", "/") == here


def test_a_secret_is_not_copied_but_its_public_line_is(linked: Chats) -> None:
    linked.say(TELEGRAM, "gm", "/house physical-dice on")
    before = linked.log.pending()
    linked.say(MATRIX, "tom", "!roll 2d100 dice=97,89 secret")
    new = linked.log.pending()[len(before) :]
    public = [one.letter.text for one in new if one.chat in ("-100", "!room")]
    assert len(public) == 2
    assert not re.search("97|89|186", "".join(public))


def test_a_secret_for_the_gm_goes_where_the_gm_is(linked: Chats) -> None:
    gm, tom = linked.app.person("telegram", "@gm"), linked.app.person("matrix", "@tom")
    linked.say(MATRIX, "tom", "!roll 2d6 secret")
    private = [(one.platform, one.chat) for one in linked.log.pending() if one.letter.to in (gm, tom)]
    assert sorted(private) == [("matrix", tom), ("telegram", gm)]


def test_an_answer_repeated_is_not_copied_again(linked: Chats) -> None:
    linked.say(MATRIX, "tom", "!roll 2d6")
    before = linked.log.pending()
    linked.again(MATRIX, "tom", "!roll 2d6", str(linked.said))
    assert linked.log.pending() == before


def test_only_the_gm_gives_a_code(chats: Chats) -> None:
    chats.say(TELEGRAM, "ann", "/join")
    assert chats.error(TELEGRAM, "ann", "/table link") == "not_allowed"
    assert chats.error(MATRIX, "tom", "!table link") == "no_table"


@pytest.mark.parametrize("code", ["AAAA-AAAA", "x", "0000-0000"])
def test_a_code_that_was_never_given_is_refused(chats: Chats, code: str) -> None:
    assert chats.error(MATRIX, "tom", f"!table join {code}") == "not_found"
    assert chats.log.table_of(*MATRIX) is None


def test_a_code_is_good_once_and_the_newest_alone(chats: Chats) -> None:
    old, code = (chats.code(TELEGRAM, "gm", "/table link") for _ in range(2))
    assert chats.error(MATRIX, "tom", f"!table join {old}") == "not_found"
    chats.say(MATRIX, "tom", f"!table join {code}")
    assert chats.error(("matrix", "!other"), "tom", f"!table join {code}") == "not_found"


def test_a_code_is_good_for_an_hour(chats: Chats) -> None:
    code = chats.code(TELEGRAM, "gm", "/table link")
    chats.clock.seconds += 3601
    assert chats.error(MATRIX, "tom", f"!table join {code}") == "not_found"


def test_a_chat_with_a_table_of_another_gm_keeps_it(chats: Chats) -> None:
    chats.say(MATRIX, "eve", "!table new adventure Meadow")
    code = chats.code(TELEGRAM, "gm", "/table link")
    assert chats.error(MATRIX, "tom", f"!table join {code}") == "not_allowed"
    assert chats.error(TELEGRAM, "gm", f"/table join {code}") == "already_done"
    assert chats.say(MATRIX, "eve", f"!table join {code}").error is None


def test_a_chat_leaves_when_the_gm_says_so_and_the_last_one_stays(linked: Chats) -> None:
    assert linked.error(MATRIX, "tom", "!table leave") == "not_allowed"
    gm = linked.code(("telegram", "private"), "gm", "/me link")
    linked.say(MATRIX, "master", f"!me link {gm} yes")
    left = linked.say(MATRIX, "master", "!table leave")
    assert [type(one.data) for one in left.events] == [ChatUnlinked]
    assert linked.log.table_of(*MATRIX) is None
    assert "Matrix" in linked.told(TELEGRAM)[-1]
    assert linked.error(TELEGRAM, "gm", "/table leave") == "not_allowed"


def test_what_was_linked_is_not_undone_and_the_record_verifies(linked: Chats) -> None:
    linked.say(MATRIX, "tom", "!roll 2d6")
    assert linked.error(TELEGRAM, "gm", "/undo 2") == "not_allowed"
    linked.say(TELEGRAM, "gm", "/reveal")
    (table,) = linked.log.tables()
    assert verify(linked.log.read(table)).broken is None


# ---- people


def test_two_accounts_are_joined_by_a_code_that_its_owner_alone_is_told(linked: Chats) -> None:
    gm = linked.app.person("telegram", "@gm")
    answer = linked.say(TELEGRAM, "gm", "/me link")
    assert [letter.to for letter in answer.letters] == ["table", gm]
    public, private = answer.letters
    assert not CODE.search(public.text)
    (code,) = set(CODE.findall(private.text))
    linked.say(MATRIX, "master", f"!me link {code} yes")
    assert linked.app.person("matrix", "@master") == gm
    assert linked.say(MATRIX, "master", "!session start").error is None


def test_what_was_the_other_accounts_at_every_table_is_the_persons(linked: Chats) -> None:
    was = linked.app.person("matrix", "@tom")
    for text in ("!char new Tom Shooting=d8", "!session start", "!trait d8"):
        linked.say(MATRIX, "tom", text)
    linked.say(("matrix", "!other"), "tom", "!table new savage Meadow")
    code = linked.code(("telegram", "private"), "thomas", "/me link")
    now = linked.app.person("telegram", "@thomas")
    assert linked.say(MATRIX, "tom", f"!me link {code} yes").error is None
    first, second = (linked.app.table(table).play for table in linked.log.tables())
    assert (first.characters["Tom"].owner, first.active, first.players) == (now, {now: "Tom"}, (now,))
    assert second.gm == now
    assert was not in repr(first.rules)
    assert linked.say(TELEGRAM, "thomas", "/trait Shooting").error is None
    for table in linked.log.tables():
        linked_events = [one for one in linked.log.read(table) if b'"AccountLinked"' in one.body]
        assert len(linked_events) == 1


def test_a_code_of_the_same_person_and_of_a_table_do_not_join_people(linked: Chats) -> None:
    code = linked.code(("telegram", "private"), "gm", "/me link")
    assert linked.error(TELEGRAM, "gm", f"/me link {code} yes") == "already_done"
    table = linked.code(TELEGRAM, "gm", "/table link")
    assert linked.error(MATRIX, "tom", f"!me link {table}") == "not_found"
    assert linked.error(("matrix", "!other"), "tom", f"!table join {code}") == "not_found"


def test_where_there_are_no_accounts_nobody_is_joined() -> None:
    app = App(MemoryLog(), Clock(), Seeds())
    key = MessageKey("terminal", "main", "1")
    (answer,) = app.hear(Incoming(key=key, person="ann", name="ann", text="/me link"))
    assert answer.error
    assert answer.error[0] == "not_allowed"


def test_joining_goes_on_where_a_crash_left_it(linked: Chats) -> None:
    linked.say(MATRIX, "tom", "!char new Tom")
    linked.say(("matrix", "!other"), "tom", "!table new savage Meadow")
    code = linked.code(("telegram", "private"), "thomas", "/me link")
    was, now = linked.app.person("matrix", "@tom"), linked.app.person("telegram", "@thomas")
    first = linked.log.tables()[0]
    key = MessageKey("matrix", "!room", str(linked.said + 1))
    incoming = Incoming(key=key, person=was, name="tom", text="")
    linked.app.seating._one_person(first, was, now, incoming)  # and here the power goes
    linked.say(MATRIX, "tom", f"!me link {code} yes")
    for table in linked.log.tables():
        events = [one.data for one in map(decode, linked.log.read(table)) if isinstance(one.data, AccountLinked)]
        assert [(one.was, one.person) for one in events] == [(was, now)]


def test_a_code_is_said_twice_by_whoever_knows_whose_it_is(linked: Chats) -> None:
    code = linked.code(("telegram", "private"), "thomas", "/me link")
    was = linked.app.person("matrix", "@tom")
    (letter,) = linked.say(MATRIX, "tom", f"!me link {code}").letters
    assert "thomas" in letter.text
    assert f"!me link {code} yes" in letter.text
    assert linked.app.person("matrix", "@tom") == was
    assert linked.say(MATRIX, "tom", f"!me link {code} yes").error is None
    assert linked.app.person("matrix", "@tom") == linked.app.person("telegram", "@thomas")


def test_every_chat_of_their_tables_hears_that_two_accounts_are_one(linked: Chats) -> None:
    linked.say(MATRIX, "tom", "!join")
    code = linked.code(("telegram", "private"), "thomas", "/me link")
    before = len(linked.told(TELEGRAM))
    linked.say(("matrix", "private"), "tom", f"!me link {code} yes")
    (told,) = linked.told(TELEGRAM)[before:]
    assert "tom" in told
    assert "thomas" in told
    assert told in linked.told(MATRIX)


def test_the_answer_to_a_joining_in_private_reaches_the_person(linked: Chats) -> None:
    code = linked.code(("telegram", "private"), "thomas", "/me link")
    linked.say(("matrix", "private"), "tom", f"!me link {code} yes")
    person = linked.app.person("telegram", "@thomas")
    assert [one.letter.text for one in linked.log.pending("matrix", person)][-1].startswith("🔗 Done")


def test_the_other_chats_of_a_table_leave_when_the_gm_says_so(linked: Chats) -> None:
    assert linked.error(MATRIX, "tom", "!table alone") == "not_allowed"
    left = linked.say(TELEGRAM, "gm", "/table alone")
    assert [type(one.data) for one in left.events] == [ChatUnlinked]
    assert linked.log.table_of(*MATRIX) is None
    assert "left" in linked.told(MATRIX)[-1]
    assert linked.error(TELEGRAM, "gm", "/table alone") == "already_done"


def test_a_gm_finds_every_table_again(linked: Chats) -> None:
    linked.say(TELEGRAM, "gm", "/table new adventure Meadow")
    first, second = linked.log.tables()
    shown = linked.say(("telegram", "private"), "gm", "/table list").letters[0].text
    assert first in shown
    assert second in shown
    assert second in linked.say(TELEGRAM, "gm", "/table").letters[0].text
    assert first not in linked.say(MATRIX, "tom", "!table list").letters[0].text


def test_the_table_that_a_chat_had_is_named_to_it_alone(chats: Chats) -> None:
    former = chats.log.tables()[0]
    chats.say(MATRIX, "gm2", "!table new savage Meadow")
    code = chats.code(MATRIX, "gm2", "!table link")
    answer = chats.say(TELEGRAM, "gm", f"/table join {code}")
    assert f"/table use {former}" in answer.letters[0].text
    assert former not in chats.told(MATRIX)[-1]
    assert "Meadow" in chats.told(MATRIX)[-1]


def test_a_gm_who_goes_back_to_a_table_in_a_further_chat_links_that_chat(linked: Chats) -> None:
    table = linked.log.tables()[0]
    answer = linked.say(("telegram", "-200"), "gm", f"/table use {table}")
    assert [type(one.data) for one in answer.events] == [ChatLinked]
    assert "Telegram" in linked.told(MATRIX)[-1]


def test_a_button_of_another_table_does_nothing(linked: Chats) -> None:
    was = linked.log.tables()[0]
    linked.say(TELEGRAM, "gm", "/table new savage Meadow")
    person = linked.app.person("telegram", "@gm")
    for at, refused in ((was, "already_done"), (linked.log.tables()[1], None)):
        key = MessageKey("telegram", "-100", f"pressed {at}")
        press = Incoming(key=key, person=person, name="gm", text="/roll 2d6", owner=person, at=at)
        (answer,) = linked.app.hear(press)
        assert (answer.error and answer.error[0]) == refused


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("\u202eevil", "evil"), ("\u200b\u2066", "?"), ("a\nb\tc", "a b c"), ("  A   B ", "A B"), ("", "?"),
        ("名" * 99, "名" * 64),
    ],
)
def test_nothing_hidden_is_in_what_people_are_called(chats: Chats, name: str, shown: str) -> None:
    key = MessageKey("telegram", "-100", "named")
    (answer,) = chats.app.hear(Incoming(key=key, person="p9", name=name, text="/roll 1d1"))
    assert f"🎲 {shown}:" in answer.letters[0].text
    assert chats.log.names()["p9"] == shown


def test_after_an_undo_of_something_older_the_accounts_are_still_one(linked: Chats) -> None:
    linked.say(MATRIX, "tom", "!char new Tom")
    scene = linked.say(TELEGRAM, "gm", "/scene Ice").events[0].seq
    code = linked.code(("telegram", "private"), "thomas", "/me link")
    linked.say(MATRIX, "tom", f"!me link {code} yes")
    assert linked.say(TELEGRAM, "gm", f"/undo {scene}").error is None
    now = linked.app.person("telegram", "@thomas")
    assert linked.app.table(linked.log.tables()[0]).play.characters["Tom"].owner == now


@pytest.mark.parametrize(("text", "words"), [("/help setup", "privacy mode"), ("。帮助 接入", "隐私模式")])
def test_help_tells_how_to_have_the_bot_in_a_chat(text: str, words: str) -> None:
    (letter,) = Chats().say(TELEGRAM, "gm", text).letters
    assert words in letter.text
    assert "Matrix" in letter.text


def test_an_account_that_several_people_share_is_joined_to_nobody(linked: Chats) -> None:
    code = linked.code(("telegram", "private"), "gm", "/me link")
    person = linked.app.person("telegram", "@everybody")
    for text in (f"/me link {code}", "/me link"):
        key = MessageKey("telegram", "-100", text)
        (answer,) = linked.app.hear(Incoming(key=key, person=person, name="Night", text=text, shared=True))
        assert answer.error
        assert answer.error[0] == "not_allowed"
    assert linked.app.person("telegram", "@everybody") == person

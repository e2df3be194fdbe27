"""`/forget me`: first it is shown what would go, then it goes, and the record holds."""

from __future__ import annotations

import pytest

from core.app import App
from core.messages import Edited, Incoming
from core.telling import called
from core.verify import verify
from events.beside import FORGOTTEN, Account, MessageKey
from events.talk import Texts, latest
from events.types import LineSpoken, PersonForgotten
from tests.story import Clock, Seeds, Story, code_in, refused, savage, told


def table(*lines: str) -> Story:
    return savage("ann: /char new Ann", "gm: /log on", "ann: hello", "gm: Cold.", "ann: /roll d6", "ann: bye", *lines)


def code(story: Story, name: str = "ann") -> str:
    shown = told(story.when(f"{name}: /forget me"), name)
    return code_in(shown)


def facts(story: Story) -> list[PersonForgotten]:
    return [one.data for one in latest(story.log, story.table.id) if isinstance(one.data, PersonForgotten)]


def said(story: Story) -> list[object]:
    """What can still be read, None for what is gone."""
    lines = (one.data for one in latest(story.log, story.table.id) if isinstance(one.data, LineSpoken))
    return [one.text if isinstance(one.text, str) else None for one in lines]


def test_what_would_go_is_told_to_the_person_and_to_the_gm_and_not_to_the_table() -> None:
    answer = table().when("ann: /forget me")
    assert [letter.to for letter in answer.letters] == ["table", "ann", "gm"]
    assert "hello" not in told(answer) + told(answer, "ann") + told(answer, "gm")
    for to in ("ann", "gm"):
        assert "“Glacier”" in told(answer, to)
        assert "lines: 2" in told(answer, to)
    assert "Glacier" not in told(answer)
    assert answer.events == ()


def test_what_was_confirmed_is_gone_and_the_record_holds() -> None:
    story = table()
    before = list(story.log.read(story.table.id))
    answer = story.when(f"ann: /forget me {code(story)}")
    assert answer.error is None
    assert story.log.names()["ann"] == FORGOTTEN
    assert [one.text for one in story.log.texts(story.table.id).values()] == ["Cold."]
    assert facts(story) == [PersonForgotten(person="ann", lines=2)]
    record = list(story.log.read(story.table.id))
    assert record[: len(before)] == before
    assert verify(record).broken is None
    assert verify(story.log.read(story.table.id), texts=Texts(story.log, story.table.id)).broken is None
    assert "ann" not in story.table.play.players


def test_the_person_is_somebody_from_then_on() -> None:
    story = table()
    story.when(f"ann: /forget me {code(story)}")
    assert "somebody: 🎲 ★Ann" in told(story.when("gm: /history"))
    assert "某人" in told(story.given("gm: /lang zh").when("gm: 。记录"))
    assert called(story.log.names(), "en")["ann"] == "somebody"
    assert "ann" not in told(story.when("gm: /table"))


def test_another_process_calls_them_somebody_too() -> None:
    story = table()
    other = App(story.log, Clock(), Seeds(500))
    key = MessageKey("test", story.chat, "before")
    other.hear(Incoming(key=key, person="gm", name="gm", text="/history"))
    story.when(f"ann: /forget me {code(story)}")
    (answer,) = other.hear(Incoming(key=MessageKey("test", story.chat, "x"), person="gm", name="gm", text="/history"))
    assert "somebody: 🎲 ★Ann" in told(answer)


def test_an_account_that_writes_again_is_somebody_new() -> None:
    story = table()
    account = Account("telegram", "5")
    person = story.app.person("telegram", "5")
    key = MessageKey("telegram", story.chat, "1")
    story.app.hear(Incoming(key=key, person=person, name="Red", text="/forget me"))
    (asked,) = [one.letter.text for one in story.log.pending() if one.letter.to == person]
    word = code_in(asked)
    again = MessageKey("telegram", story.chat, "2")
    story.app.hear(Incoming(key=again, person=person, name="Red", text=f"/forget me {word}"))
    assert story.log.accounts(person) == []
    assert story.app.person("telegram", "5") != person
    assert account in story.log.accounts(story.app.person("telegram", "5"))


@pytest.mark.parametrize("who", ["tom", "gm"])
def test_a_code_is_good_for_the_person_it_was_given_to_alone(who: str) -> None:
    story = table("tom: /join")
    word = code(story)
    assert refused(story.when(f"{who}: /forget me {word}")) in ("not_found", "not_allowed")
    assert said(story) == ["hello", "Cold.", "bye"]


def test_a_code_joins_no_accounts_and_one_that_does_forgets_nobody() -> None:
    story = table()
    person = story.app.person("telegram", "5")
    story.app.person("telegram", "6")

    def tell(who: str, message: str, text: str) -> str:
        key = MessageKey("telegram", who, message)
        (answer,) = story.app.hear(Incoming(key=key, person=who, name="Red", text=text))
        return answer.error[0] if answer.error else told(answer)

    forget = code_in(tell(person, "1", "/forget me"))
    assert tell(story.app.person("telegram", "6"), "2", f"/me link {forget}") == "not_found"
    link = code_in(tell(person, "3", "/me link"))
    assert tell(person, "4", f"/forget me {link}") == "not_found"
    assert story.log.accounts(person) == [Account("telegram", "5")]


def test_a_code_is_good_for_a_quarter_of_an_hour() -> None:
    story = table()
    word = code(story)
    story.app.tables.clock.seconds += 16 * 60  # type: ignore[attr-defined]
    assert refused(story.when(f"ann: /forget me {word}")) == "not_found"


def test_a_table_with_players_needs_another_gm_first() -> None:
    story = table()
    assert refused(story.when("gm: /forget me")) == "not_allowed"
    story.given("gm: /gm ann")
    story.when(f"gm: /forget me {code(story, 'gm')}")
    assert said(story) == ["hello", None, "bye"]


def test_a_gm_without_players_may_go_and_leaves_the_chat_to_whoever_comes() -> None:
    story = savage("gm: /log on", "gm: alone")
    story.when(f"gm: /forget me {code(story, 'gm')}")
    assert story.log.texts(story.table.id) == {}
    assert story.when("tom: /table new savage Next").error is None


def test_in_a_private_chat_all_is_told_there_and_what_is_gone_has_no_answer() -> None:
    story = table()
    own = Story(story.log, chat="ann", seeds=Seeds(900))
    own.said = 500
    shown = told(own.when("ann: /forget me"))
    word = code_in(shown)
    answer = own.when(f"ann: /forget me {word}")
    assert (answer.letters, answer.error) == ((), None)
    assert said(story) == [None, "Cold.", None]


def test_what_was_edited_goes_with_all_its_versions() -> None:
    story = table()
    story.hear("ann: helo", "m")
    story.app.edited(Edited(key=MessageKey("test", story.chat, "m"), person="ann", text="hello", edit="1"))
    story.when(f"ann: /forget me {code(story)}")
    assert [one.text for one in story.log.texts(story.table.id).values()] == ["Cold."]
    assert facts(story)[0].lines == 3


def test_where_the_program_died_between_two_tables_it_goes_on() -> None:
    story = table()
    other = Story(story.log, chat="other", seeds=Seeds(700))
    other.said = 300
    other.given("gm: /table new savage Other", "gm: /log on", "ann: there")
    word = code(story)
    forgetting, person = story.app.seating.forgetting, "ann"
    key = MessageKey("test", story.chat, "again")
    incoming = Incoming(key=key, person=person, name="ann", text=f"/forget me {word}")
    forgetting._forgotten_at(story.table.id, 2, incoming)  # and here the power went out
    (answer,) = story.app.hear(incoming)
    assert answer.error is None
    assert facts(story) == [PersonForgotten(person="ann", lines=2)]
    assert facts(other) == [PersonForgotten(person="ann", lines=1)]
    assert story.log.said_by("ann") == {}


def test_who_shares_an_account_cannot_be_told_apart() -> None:
    story = table()
    key = MessageKey("test", story.chat, "s")
    (answer,) = story.app.hear(Incoming(key=key, person="group", name="Group", text="/forget me", shared=True))
    assert refused(answer) == "not_allowed"

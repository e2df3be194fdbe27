"""The adapters' door: who somebody is, what comes too late, and what of a refusal is kept to be sent."""

from __future__ import annotations

from core.app import App
from core.messages import Answer, Incoming
from events.beside import Account, Letter, MessageKey
from events.log import MemoryLog
from tests.story import Clock, Seeds, Story


def test_an_account_is_the_same_person_to_every_app_on_the_log() -> None:
    log = MemoryLog()
    one, other = App(log, Clock(), Seeds()), App(log, Clock(), Seeds(100))
    person = one.person("telegram", "5")
    assert person == one.person("telegram", "5") == other.person("telegram", "5")
    assert other.person("telegram", "6") != person
    assert "5" not in person.split("p")
    assert log.accounts(person) == [Account("telegram", "5")]


def test_what_comes_too_late_is_told_so_and_nothing_of_it_is_carried_out() -> None:
    story = Story().given("gm: /table new savage Glacier")
    head = story.log.head(story.table.id)
    key = MessageKey("test", "test", "old")
    late = Incoming(key=key, person="gm", name="gm", text="/roll 2d6\n/roll 3d6", late=True)
    (answer,) = story.app.hear(late)
    assert answer.error
    assert answer.error[0] == "limit_reached"
    assert story.log.head(story.table.id) == head
    (again,) = story.app.hear(late)
    assert (again.error, again.new) == (answer.error, False)
    talk = Incoming(key=MessageKey("test", "test", "talk"), person="gm", name="gm", text="hello", late=True)
    assert story.app.hear(talk) == []


def late(message: str, text: str) -> Incoming:
    return Incoming(key=MessageKey("test", "test", message), person="gm", name="gm", text=text, late=True)


def test_talk_is_kept_no_longer_however_late_that_was_wished() -> None:
    story = Story().given("gm: /table new savage Glacier", "gm: /log on")
    assert not story.app.takes_late(late("asked", "/roll 2d6"))
    assert story.app.takes_late(late("asked", "。日志 关"))
    (answer,) = story.app.hear(late("off", "/log off"))
    assert (answer.error, [type(one.data).__name__ for one in answer.events]) == (None, ["LogPaused"])
    assert story.app.hear(late("said", "Nobody keeps this.")) == []
    for text in ("/log on", "/log end", "/forget me", "/undo"):
        (answer,) = story.app.hear(late(text, text))
        assert answer.error
        assert answer.error[0] == "limit_reached", text
    assert story.table.ledger.log is not None
    assert story.table.ledger.log.status == "paused"


def test_of_a_late_message_what_else_is_in_it_is_told_so() -> None:
    story = Story().given("gm: /table new savage Glacier", "gm: /log on")
    roll, off, wrong = story.app.hear(late("three", "/roll 2d6\n/log off\n/rolll"))
    assert [one.error and one.error[0] for one in (roll, off, wrong)] == ["limit_reached", None, "unknown_command"]
    assert [type(one.data).__name__ for one in off.events] == ["LogPaused"]
    assert [one.new for one in story.app.hear(late("three", "/roll 2d6\n/log off\n/rolll"))] == [False] * 3


def test_a_refusal_waits_to_be_sent_like_any_other_answer() -> None:
    story = Story().given("gm: /table new savage Glacier")
    answer = story.when("gm: /rolll 2d6")
    assert answer.error
    assert answer.letters == ()
    assert story.log.pending()[-1].letter == Letter("table", answer.error[1])


def test_somebody_whom_one_app_has_met_is_known_to_another_on_the_same_log() -> None:
    log = MemoryLog()
    one, other = App(log, Clock(), Seeds()), App(log, Clock(), Seeds(100))

    def say(app: App, person: str, name: str, text: str) -> Answer:
        key = MessageKey("test", "test", text)
        (answer,) = app.hear(Incoming(key=key, person=person, name=name, text=text))
        return answer

    say(one, "p1", "Gm", "/table new savage Glacier")
    say(other, "p1", "Gm", "/session start")
    say(one, "p2", "Rosalind", "/join")
    say(one, "p2", "Rosalind", "/char new Red")
    assert say(other, "p1", "Gm", "/benny give Rosalind").error is None

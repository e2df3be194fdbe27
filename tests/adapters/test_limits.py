"""Floods: what is too much is told so once and left out; what a table does, and what only comes again, never is."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from adapters import config, wiring
from adapters.inbox import Inbox
from adapters.limits import LIVE_S, LONGEST_AGO_S, MOST_BUCKETS, TALK, Limits
from core.messages import Edited, Incoming
from core.verify import verify
from events.beside import MessageKey
from events.log import LogUnusable
from events.sqlite import SqliteLog
from tests.adapters.telegram_chat import Running, ask
from tests.servers.telegram import FakeTelegram

Json = dict[str, Any]
NOW = 1_790_000_000.0
USUAL = config.Limits()
FEW = config.Limits(person_per_minute=6, person_at_once=4, chat_per_minute=60, chat_at_once=8)  # person: one in 10 s
NEW_TABLE_S = 200  # until it has paid for itself with these


class Chat:
    """One chat, its log, and a clock that stands still unless it is moved."""

    def __init__(self, folder: Path, settings: config.Limits) -> None:
        self.now, self.count = NOW, 0
        self.log = SqliteLog(folder / "rollbook.db")
        self.inbox = Inbox(wiring.build(self.log, "en"), "telegram", lambda: self.now, 900.0, Limits(settings))

    def say(self, text: str, person: str = "ann", message: str = "", sent_at: float | None = None) -> list[str]:
        """What it led to: `ok`, `kept` or a code for each command, nothing where it was left out."""
        self.count += 1
        key = MessageKey("telegram", "-1", message or str(self.count))
        late = sent_at is not None and sent_at < self.inbox.late_before
        answers = self.inbox.hear(
            Incoming(key=key, person=person, name=person.title(), text=text, sent_at=sent_at, late=late)
        )
        return [one.error[0] if one.error else "ok" if one.letters else "kept" for one in answers]

    def opened(self) -> None:
        """A table is open here, some time ago."""
        assert self.say("/table new savage Glacier", "gm") == ["ok"]
        self.now += NEW_TABLE_S

    def told(self, words: str = "a lot at once") -> int:
        return sum(words in one.letter.text for one in self.log.pending("telegram"))

    def events(self) -> int:
        return sum(self.log.head(table).seq for table in self.log.tables())


@pytest.fixture
def chat(tmp_path: Path) -> Any:
    chat = Chat(tmp_path, FEW)
    yield chat
    chat.log.close()


def test_a_flood_is_told_so_once_and_then_left_out(chat: Chat) -> None:
    assert [chat.say("/roll d6", message=str(n)) for n in range(4)] == [["no_table"]] * 4
    assert [chat.say("/roll d6") for _ in range(100)] == [[]] * 100
    assert chat.told() == 1
    assert len(chat.log.pending("telegram")) == 5


def test_what_is_left_out_appends_nothing(chat: Chat) -> None:
    chat.opened()
    for _ in range(4):
        chat.say("/roll d6", "gm")
    before = chat.events()
    for _ in range(50):
        chat.say("/roll d6", "gm")
    assert chat.events() == before
    assert verify(chat.log.read(chat.log.tables()[0])).broken is None


def test_who_has_waited_is_heard_again_and_the_next_flood_is_told_so_again(chat: Chat) -> None:
    for _ in range(6):
        chat.say("/calc 1+1")
    chat.now += 9  # a quarter of the bucket has not come back yet
    assert chat.say("/calc 1+1") == []
    chat.now += 1
    assert [chat.say("/calc 1+1") for _ in range(3)] == [["ok"], [], []]
    assert chat.told() == 2


def test_a_new_table_counts_as_ten_commands(tmp_path: Path) -> None:
    chat = Chat(tmp_path, USUAL)
    found = [chat.say(f"/table new savage T{n}", "gm") for n in range(10)]
    assert found == [["ok"]] * 6 + [[]] * 4
    assert len(chat.log.tables()) == 6
    chat.log.close()


def test_others_at_the_table_are_heard_while_one_is_not(chat: Chat) -> None:
    for _ in range(20):
        chat.say("/calc 1+1", "ann")
    assert chat.say("/calc 1+1", "bob") == ["ok"]


def test_many_people_together_are_limited_as_a_chat(chat: Chat) -> None:
    found = [chat.say("/calc 1+1", f"p{n}") for n in range(40)]
    assert found == [["ok"]] * 8 + [[]] * 32
    assert chat.told() == 1


def test_several_commands_in_a_message_count_each_and_are_taken_whole(chat: Chat) -> None:
    assert chat.say("\n".join(["/calc 1+1"] * 20)) == ["ok"] * 20
    assert chat.say("/calc 1+1") == []
    chat.now += 160  # sixteen too many, at one in ten seconds
    assert chat.say("/calc 1+1") == []
    chat.now += 20
    assert chat.say("/calc 1+1") == ["ok"]


def test_a_message_that_comes_again_is_never_too_much(chat: Chat) -> None:
    for n in range(4):
        chat.say("/calc 1+1", message=f"{n}")
    for _ in range(30):
        assert chat.say("/calc 1+1", message="1") == ["ok"]
    assert chat.told() == 0
    chat.say("/calc 1+1")
    assert chat.say("/calc 1+1", message="2") == ["ok"]


def test_what_the_log_could_not_take_costs_nothing(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise LogUnusable("full", "The disk is full.")

    with monkeypatch.context() as broken:
        broken.setattr(chat.log, "append", full)
        for _ in range(50):
            with pytest.raises(LogUnusable):
                chat.say("/calc 1+1", message="7")
    assert [chat.say("/calc 1+1", message=f"{n}") for n in range(7, 11)] == [["ok"]] * 4


def test_kept_talk_counts_a_fifth_and_talk_that_is_not_kept_counts_nothing(chat: Chat) -> None:
    assert TALK == 1 / 5
    chat.opened()
    assert [chat.say("hello") for _ in range(100)] == [[]] * 100
    assert chat.told() == 0
    chat.say("/log on", "gm")
    assert [chat.say("hello") for _ in range(30)] == [["kept"]] * 20 + [[]] * 10
    assert chat.told() == 1


def test_edits_count_as_talk_does(chat: Chat) -> None:
    chat.opened()
    chat.say("/log on", "gm")
    chat.say("hello", message="a")
    before = chat.events()
    for n in range(100):
        key = MessageKey("telegram", "-1", "a")
        chat.inbox.edited(Edited(key=key, person="ann", text=f"hello {n}", edit=str(n)))
    assert chat.events() == before + 19
    assert chat.told() == 0


# ---- with the limits as they come


def test_a_game_master_may_paste_a_list_of_twenty_commands_twice_a_minute(tmp_path: Path) -> None:
    chat = Chat(tmp_path, USUAL)
    chat.opened()
    for minute in range(5):
        for part in range(2):
            names = [f"/char new Wolf{minute * 20 + part * 10 + n} extra" for n in range(10)]
            assert chat.say("\n".join(names), "gm") == ["ok"] * 10
        chat.now += 60
    chat.log.close()


def taken(limits: Limits, person: str, now: float, cost: float = 1, sent_at: float | None = None) -> bool:
    """Whether this is taken up, and counted then."""
    if limits.used_up("-1", person, sent_at, now) is not None:
        return False
    limits.spend("-1", person, sent_at, now, cost)
    return True


def test_five_impatient_people_never_meet_the_limits() -> None:
    limits, people = Limits(USUAL), ("gm", "ann", "bob", "cat", "dan")
    assert all(taken(limits, person, NOW + 3 * n) for n in range(5_000) for person in people)


def test_five_hundred_pasted_lines_are_cut_off_and_told_so_once(tmp_path: Path) -> None:
    chat = Chat(tmp_path, USUAL)
    chat.opened()
    found = [chat.say("/roll d6") for _ in range(500)]
    assert found == [["ok"]] * 60 + [[]] * 440
    assert chat.told() == 1
    chat.log.close()


def test_what_was_said_over_hours_while_nobody_listened_goes_by_its_own_time(chat: Chat) -> None:
    chat.opened()
    chat.say("/log on", "gm")
    chat.now += 3600
    said = [chat.say("hello", sent_at=NOW + 10 + n * 4) for n in range(100)]
    assert said == [["kept"]] * 100
    assert [chat.say("hello") for _ in range(30)] == [["kept"]] * 20 + [[]] * 10


def test_a_night_of_talk_by_five_people_is_caught_up_with() -> None:
    limits, now = Limits(USUAL), NOW + 12 * 3600
    assert all(taken(limits, f"p{n % 5}", now, TALK, NOW + n * 2) for n in range(20_000))


def test_whoever_invents_times_gains_a_day_and_not_more() -> None:
    limits, ago = Limits(config.Limits(person_per_minute=1, person_at_once=1, chat_per_minute=0)), LONGEST_AGO_S
    assert sum(taken(limits, "ann", NOW, 1, NOW - 365 * ago + n * 60) for n in range(10_000)) == 1
    most = (ago - LIVE_S) / 60 + 3
    assert most - 5 < sum(taken(limits, "ann", NOW, 1, NOW - ago + n * 60) for n in range(10_000)) <= most


def test_a_clock_that_goes_back_gives_nothing_and_takes_nothing() -> None:
    limits = Limits(config.Limits(person_per_minute=60, person_at_once=2, chat_per_minute=0))
    limits.spend("-1", "ann", None, NOW, 2)
    assert limits.used_up("-1", "ann", None, NOW - 3600) is not None
    assert limits.used_up("-1", "ann", None, NOW + 1) is None


def test_without_limits_nothing_is_too_much_and_however_many_there_are_memory_is_bounded() -> None:
    none = Limits(config.Limits(person_per_minute=0, chat_per_minute=0))
    none.spend("-1", "ann", None, NOW, 10_000)
    assert none.used_up("-1", "ann", None, NOW) is None
    limits = Limits(USUAL)
    for n in range(MOST_BUCKETS + 100):
        limits.spend("-1", f"p{n}", None, NOW, 1)
    assert len(limits._buckets) == MOST_BUCKETS


# ---- on a platform


def test_a_flood_in_a_group_is_answered_once_and_the_table_goes_on(
    server: FakeTelegram, path: Path, gm: Json, ann: Json, group: int
) -> None:
    now, few = time.time(), config.Limits(person_per_minute=6, person_at_once=4)
    with Running(server, path, lambda: now, limits=Limits(few)) as bot:
        ask(server, group, gm, "/table new savage Glacier")
        for _ in range(30):
            server.text(group, ann, "/roll d6")
        server.wait_for(lambda: server.pending == 0 and not bot.log.pending("telegram"))
        said = [one.text for one in server.of_bot(group)]
        assert sum("Ann, that was a lot at once" in one for one in said) == 1
        assert len(said) == 1 + 4 + 1

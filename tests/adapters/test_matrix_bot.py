"""The bot on Matrix, against a real Synapse: what people see, whatever goes wrong on the way."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import quote

import pytest

from adapters import config
from adapters.config import NotConfigured
from adapters.limits import Limits
from events.sqlite import SqliteLog
from events.talk import latest, recorded
from events.types import LineSpoken
from tests.adapters.chat_contract import ChatContract
from tests.adapters.matrix_chat import (
    MatrixChat,
    Person,
    Running,
    Settings,
    answer,
    answers,
    ask,
    bot_on,
    choice,
    made,
    opened,
    replied,
    rolls,
    said,
    said_hello,
    signs,
    wait_for,
)
from tests.servers.proxy import Proxy, times
from tests.servers.synapse import Synapse, running

INVITED = "accept my invitation"


class TestMatrix(ChatContract):
    @pytest.fixture
    def chat(self, tmp_path: Path) -> Iterator[MatrixChat]:
        chat = MatrixChat(tmp_path)
        yield chat
        chat.close()


@pytest.fixture
def server() -> Synapse:
    return running()


@pytest.fixture
def settings(server: Synapse, tmp_path: Path) -> Settings:
    return bot_on(server, tmp_path, encryption=False)  # with it: test_matrix_encrypted.py


@pytest.fixture
def bot(settings: Settings, path: Path) -> Iterator[Running]:
    with Running(settings, path) as running:
        yield running.settled()


@pytest.fixture
def gm(server: Synapse) -> Person:
    return Person(server, "gm")


@pytest.fixture
def ann(server: Synapse) -> Person:
    return Person(server, "ann")


@pytest.fixture
def room(bot: Running, settings: Settings, gm: Person, ann: Person) -> str:
    """With gm, ann and the bot in it, and a table open."""
    return opened(settings, gm, ann)


# ---- commands and answers


def test_a_command_is_answered_by_a_notice_below_it(room: str, gm: Person, settings: Settings) -> None:
    message = gm.say(room, "!roll 2d6 # <b>@room</b>")
    content = answer(gm, room, settings, message)["content"]
    assert content["msgtype"] == "m.notice"
    assert re.search(r"\d", content["body"])
    assert content["m.mentions"] == {}
    assert "&lt;b&gt;" in content["formatted_body"]
    assert "@room" not in content["body"]


def test_talk_notices_edits_and_commands_for_other_bots_are_left_alone(
    room: str, gm: Person, settings: Settings, path: Path
) -> None:
    before = len(said(gm, room, settings))
    first = gm.say(room, "hello")
    gm.say(room, "!roll@other_bot 2d6")
    gm.say(room, "/roll 2d6")
    gm.say(room, "!roll 2d6", msgtype="m.notice")
    gm.edit(room, first, "!roll 2d6")
    local = settings.user[1:].partition(":")[0]
    for name in (local, settings.user[1:], "rollbook"):
        assert "1" in ask(gm, room, settings, f"!roll@{name} 1d1")
    assert len(said(gm, room, settings)) == before + 3
    assert rolls(path) == 3


def test_several_commands_in_one_message_are_answered_in_order(room: str, gm: Person, settings: Settings) -> None:
    message = gm.say(room, "!calc 1+1\n。计算 20+2\n!nonsense\n.calc 30+3")
    found = wait_for(lambda: (all_of := answers(gm, room, settings, message))[3:] and all_of)
    first, second, third, fourth = [one["content"]["body"] for one in found]
    assert "2" in first
    assert "22" in second
    assert "nonsense" in third
    assert "33" in fourth


def test_a_thread_is_answered_within_it_at_the_rooms_table(
    room: str, gm: Person, settings: Settings, path: Path
) -> None:
    root = gm.say(room, "a side talk")
    message = gm.say_in_thread(room, root, "!roll 2d6")
    relation = answer(gm, room, settings, message)["content"]["m.relates_to"]
    assert (relation["rel_type"], relation["event_id"]) == ("m.thread", root)
    assert rolls(path) == 1


def test_a_redacted_command_stays_in_the_record(room: str, gm: Person, settings: Settings, path: Path) -> None:
    message = gm.say(room, "!roll 2d6")
    answer(gm, room, settings, message)
    gm.redact(room, message)
    assert "2" in ask(gm, room, settings, "!calc 1+1")
    assert rolls(path) == 1


def test_talk_that_is_kept_is_left_out_once_it_is_redacted_and_stays_in_the_history(
    room: str, gm: Person, ann: Person, settings: Settings, path: Path
) -> None:
    ask(gm, room, settings, "!log on")
    message = ann.say(room, "oops")
    threaded = ann.say_in_thread(room, message, "aside")
    ann.say(room, "hello")
    gm.redact(room, message)
    ann.redact(room, threaded)
    ask(gm, room, settings, "!calc 1+1")
    log = SqliteLog(path)
    (table,) = log.tables()
    now, history = ([one.data for one in found] for found in (latest(log, table), recorded(log, table)))
    log.close()
    assert [one.text for one in now if isinstance(one, LineSpoken)] == ["hello"]
    assert [one.text for one in history if isinstance(one, LineSpoken)] == ["oops", "aside", "hello"]


def test_a_command_redacted_while_the_bot_was_away_is_not_run(
    settings: Settings, path: Path, gm: Person, ann: Person
) -> None:
    with Running(settings, path):
        room = opened(settings, gm, ann)
    gm.redact(room, gm.say(room, "!roll 2d6"))
    with Running(settings, path):
        assert "2" in ask(gm, room, settings, "!calc 1+1")
    assert rolls(path) == 0


@pytest.mark.parametrize("version", ["6", "11", "12"])
def test_rooms_of_old_and_new_versions_serve(
    bot: Running, settings: Settings, gm: Person, version: str, path: Path
) -> None:
    room = opened(settings, gm, room_version=version)
    assert (":" in room) == (version != "12")
    assert re.search(r"\d", ask(gm, room, settings, "!roll 2d6"))
    assert rolls(path) == 1


def test_people_are_called_as_in_the_room_and_told_apart(
    room: str, gm: Person, server: Synapse, settings: Settings
) -> None:
    other = Person(server, "gm")
    gm.change(room, "invite", other.account)
    other.join(room)
    names = [ask(one, room, settings, "!roll 1d1 # of mine") for one in (gm, other)]
    assert names[0] != names[1]
    assert all("gm" in one for one in names)
    assert all(who.account not in one for one in names for who in (gm, other))


def test_the_log_holds_accounts_in_one_place_alone(room: str, bot: Running, gm: Person, settings: Settings) -> None:
    own = gm.room(settings.user, direct=True)
    said_hello(gm, own, settings.user)
    ask(gm, own, settings, "!table new savage Cave")
    ask(gm, own, settings, "!roll 2d6")
    for table in bot.log.tables():
        assert all(gm.account.encode() not in one.body for one in bot.log.read(table))
    assert gm.account not in bot.log.names().values()


# ---- what goes wrong on the way


def test_a_limit_is_waited_out_and_the_order_stays(
    room: str, gm: Person, server: Synapse, settings: Settings, bot: Running
) -> None:
    server.limit(settings.user, 1, 2)
    messages = [gm.say(room, f"!calc {number}+100") for number in range(5)]
    for message in messages:
        answer(gm, room, settings, message)
    assert [replied(one) for one in gm.notices(room, settings.user)[-5:]] == messages


def test_where_the_server_limits_us_answers_go_before_buttons(
    room: str, gm: Person, server: Synapse, settings: Settings, bot: Running
) -> None:
    server.limit(settings.user, 1, 2)
    messages = [gm.say(room, "!roll 2d6") for _ in range(5)]
    told = [answer(gm, room, settings, message) for message in messages]
    wait_for(lambda: not bot.bot.post._decorating)
    assert sum(len(signs(gm, room, settings, one)) for one in told) <= 2


@pytest.mark.parametrize("how", ["restart", "kill", "freeze"])
def test_an_outage_loses_nothing_and_repeats_nothing(
    room: str, gm: Person, server: Synapse, settings: Settings, path: Path, how: str
) -> None:
    before = gm.say(room, "!roll 1d1")
    if how == "freeze":
        server.freeze()
        time.sleep(0.5)  # what is asked meanwhile hangs
        server.thaw()
    else:
        server.stop() if how == "restart" else server.kill()
        server.go_on()
    after = [gm.say(room, "!roll 1d1") for _ in range(3)]
    for message in (before, *after):
        answer(gm, room, settings, message)
    assert ask(gm, room, settings, "!calc 1+1")
    assert [replied(one) for one in gm.notices(room, settings.user)][-5:-1] == [before, *after]
    assert rolls(path) == 4


def test_a_start_during_an_outage_waits_for_its_end(
    server: Synapse, settings: Settings, path: Path, gm: Person, caplog: pytest.LogCaptureFixture
) -> None:
    server.stop()
    with Running(settings, path) as bot:
        wait_for(lambda: "matrix.homeserver" in caplog.text)
        server.go_on()
        bot.settled()
        opened(settings, gm)


@pytest.mark.parametrize("kind", ["/send/m.room.message/", "/send/m.reaction/", "/sync"])
def test_an_answer_of_the_server_that_is_lost_repeats_nothing(
    server: Synapse, settings: Settings, path: Path, gm: Person, kind: str
) -> None:
    with Proxy(server.base_url) as proxy, Running(replace(settings, homeserver=proxy.base_url), path):
        room = opened(settings, gm)
        proxy.lost = times(3, kind)
        messages = [gm.say(room, "!roll 2d6") for _ in range(4)]
        for message in messages:
            again = answer(gm, room, settings, message)
            wait_for(lambda again=again: "🔁" in signs(gm, room, settings, again))
        wait_for(lambda: proxy.spoilt == 3)
        ask(gm, room, settings, "!calc 1+1")
    assert [replied(one) for one in gm.notices(room, settings.user)][-5:-1] == messages
    assert rolls(path) == 4


@pytest.mark.parametrize("kind", ["/send/", "/sync", "/createRoom", "/account_data/", "/join/"])
def test_a_bad_gateway_is_waited_out(
    server: Synapse, settings: Settings, path: Path, gm: Person, ann: Person, kind: str
) -> None:
    with Proxy(server.base_url) as proxy, Running(replace(settings, homeserver=proxy.base_url), path) as bot:
        bot.settled()
        proxy.bad_gateway = times(3, kind)
        room = opened(settings, gm, ann)
        message = ann.say(room, "!roll 2d6 secret=me")
        (own,) = wait_for(ann.invitations)
        ann.join(own)
        wait_for(lambda: said(ann, own, settings))
        wait_for(lambda: not bot.log.pending("matrix"))
        assert proxy.spoilt == 3
    assert len(answers(gm, room, settings, message)) >= 1
    assert rolls(path) == 1


def test_of_two_programs_on_one_log_one_waits_for_the_end_of_the_other(
    settings: Settings, path: Path, gm: Person, caplog: pytest.LogCaptureFixture
) -> None:
    with Running(settings, path) as first:
        room = opened(settings, gm)
        with Running(settings, path) as second:
            wait_for(lambda: "Another program" in caplog.text)
            assert "2" in ask(gm, room, settings, "!calc 1+1")
            first.__exit__()
            assert "3" in ask(gm, room, settings, "!calc 1+2")
            assert not second.failed
    assert len(said(gm, room, settings)) == 4


def test_an_answer_sent_just_before_a_crash_is_the_same_event_after_it(
    settings: Settings, path: Path, gm: Person, ann: Person
) -> None:
    with Running(settings, path):
        room = opened(settings, gm, ann)
        ask(gm, room, settings, "!roll 2d6")
    before = said(gm, room, settings)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE outbox SET sent = 0")
    db.close()
    with Running(settings, path) as bot:
        wait_for(lambda: not bot.log.pending("matrix"))
        ask(gm, room, settings, "!calc 1+1")
    assert said(gm, room, settings)[:-1] == before


def test_a_log_that_cannot_be_written_for_a_while_loses_nothing(
    room: str, gm: Person, settings: Settings, path: Path, bot: Running, caplog: pytest.LogCaptureFixture
) -> None:
    lock = sqlite3.connect(path, isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    messages = [gm.say(room, f"!roll {number}d6") for number in range(1, 4)]
    wait_for(lambda: "The log cannot be written" in caplog.text)
    lock.execute("ROLLBACK")
    lock.close()
    for message in messages:
        answer(gm, room, settings, message)
    assert rolls(path) == 3


def test_what_was_said_while_the_bot_was_away_is_taken_up_in_order_and_what_is_too_old_is_told_once(
    settings: Settings, path: Path, gm: Person, ann: Person
) -> None:
    with Running(settings, path):
        room = opened(settings, gm, ann)
    for _ in range(3):
        gm.say(room, "!roll 2d6")
    after = time.time() + 0.5
    wait_for(lambda: time.time() > after + 0.5)
    messages = [
        ann.say(room, f"!roll 1d{number + 2}") if number % 9 == 0 else gm.say(room, "talk") for number in range(130)
    ]
    asked = messages[::9]
    with Running(settings, path, clock=lambda: after + 1000, patience_s=1000):
        answer(gm, room, settings, asked[-1])
    found = [replied(one) for one in gm.notices(room, settings.user)]
    assert [one for one in found if one in asked] == asked
    assert sum("away" in one for one in said(gm, room, settings)) == 1
    assert rolls(path) == len(asked)


def test_what_was_said_before_the_bot_came_is_not_run(bot: Running, settings: Settings, gm: Person, path: Path) -> None:
    room = gm.room()
    gm.say(room, "!table new savage Glacier")
    for _ in range(120):
        gm.say(room, "!roll 2d6")
    gm.change(room, "invite", settings.user)
    said_hello(gm, room, settings.user)
    assert "table" in ask(gm, room, settings, "!roll 3d6")
    assert bot.log.tables() == []
    assert len(said(gm, room, settings)) == 2


# ---- coming and going


@pytest.mark.parametrize("allow", [(), ("localhost",), ("GM",)])
def test_the_bot_comes_where_it_may_be_invited_and_says_hello_once(
    settings: Settings, path: Path, gm: Person, allow: tuple[str, ...]
) -> None:
    allow = tuple(gm.account if one == "GM" else one for one in allow)
    with Running(replace(settings, allow=allow), path) as bot:
        room = gm.room(settings.user)
        said_hello(gm, room, settings.user)
        gm.change(room, "kick", settings.user)
        gm.change(room, "invite", settings.user)
        wait_for(lambda: settings.user in gm.members(room))
        assert "2" in ask(gm, room, settings, "!calc 1+1")
        assert not bot.failed
    assert len(said(gm, room, settings)) == 2


def test_the_bot_declines_where_it_may_not_be_invited(settings: Settings, path: Path, gm: Person) -> None:
    with Running(replace(settings, allow=("example.org", "@red:localhost")), path):
        room = gm.room(settings.user)
        wait_for(lambda: settings.user in gm.members(room, "leave"))
    assert said(gm, room, settings) == []


def test_to_a_room_that_is_named_anybody_may_invite(settings: Settings, path: Path, gm: Person) -> None:
    room = gm.room()
    with Running(replace(settings, allow=("example.org", room)), path):
        gm.change(room, "invite", settings.user)
        wait_for(lambda: settings.user in gm.members(room))


def test_a_flood_in_a_room_is_answered_once_below_the_message_that_was_too_much(
    settings: Settings, path: Path, gm: Person
) -> None:
    now = time.time()
    few = Limits(config.Limits(person_per_minute=6, person_at_once=14))
    with Running(settings, path, lambda: now, limits=few) as bot:
        room = opened(settings, gm)
        asked = [gm.say(room, "!calc 1+1") for _ in range(8)]
        wait_for(lambda: any("a lot at once" in one for one in said(gm, room, settings)))
        wait_for(lambda: bot.place and not bot.log.pending("matrix"))
        flooded = [one for one in gm.notices(room, settings.user) if "a lot at once" in one["content"]["body"]]
        assert [replied(one) for one in flooded] == [asked[4]]


def test_who_puts_the_bot_out_gets_nothing_more_until_it_is_back(
    room: str, bot: Running, gm: Person, settings: Settings
) -> None:
    gm.change(room, "kick", settings.user)
    other = opened(settings, gm)
    assert "2" in ask(gm, other, settings, "!calc 1+1")
    assert not bot.failed
    gm.change(room, "invite", settings.user)
    wait_for(lambda: settings.user in gm.members(room))
    assert "3" in ask(gm, room, settings, "!calc 1+2")


def test_an_upgraded_room_keeps_its_table_once_the_bot_is_there(
    bot: Running, settings: Settings, gm: Person, path: Path
) -> None:
    room = opened(settings, gm, room_version="11")
    new = gm.ask("POST", f"rooms/{quote(room, safe='')}/upgrade", {"new_version": "12"})["replacement_room"]
    gm.change(new, "invite", settings.user)
    said_hello(gm, new, settings.user)
    assert re.search(r"\d", ask(gm, new, settings, "!roll 2d6"))
    assert rolls(path) == 1
    assert bot.log.table_of("matrix", room) is None


def test_a_room_that_only_claims_to_take_anothers_place_gets_no_table(
    room: str, bot: Running, settings: Settings, ann: Person
) -> None:
    thief = ann.room(settings.user, creation_content={"predecessor": {"room_id": room}})
    said_hello(ann, thief, settings.user)
    ask(ann, thief, settings, "!calc 1+1")
    assert bot.log.table_of("matrix", thief) is None
    assert bot.log.table_of("matrix", room)


# ---- secrets


def test_a_secret_goes_into_a_direct_room_as_soon_as_its_reader_is_there(
    room: str, bot: Running, gm: Person, ann: Person, settings: Settings
) -> None:
    before = len(said(gm, room, settings))
    ann.say(room, "!roll 2d6 secret=me")
    wait_for(lambda: [one for one in said(gm, room, settings) if INVITED in one])
    ask(gm, room, settings, "!calc 1+1")
    (own,) = wait_for(ann.invitations)
    assert len(bot.log.pending("matrix")) == 1
    ann.join(own)
    (secret,) = wait_for(lambda: said(ann, own, settings))
    wait_for(lambda: not bot.log.pending("matrix"))
    assert re.search(r"\d", secret)
    assert secret not in said(gm, room, settings)
    assert len(said(gm, room, settings)) == before + 3
    ann.say(room, "!roll 3d6 secret=me")
    wait_for(lambda: len(said(ann, own, settings)) == 2)
    assert sum(INVITED in one for one in said(gm, room, settings)) == 1
    assert ann.members(own) == {ann.account, settings.user}


def test_a_held_secret_is_delivered_after_a_restart_and_told_no_second_time(
    settings: Settings, path: Path, gm: Person, ann: Person
) -> None:
    with Running(settings, path):
        room = opened(settings, gm, ann)
        ann.say(room, "!roll 2d6 secret=me")
        wait_for(lambda: [one for one in said(gm, room, settings) if INVITED in one])
    with Running(settings, path) as bot:
        ask(gm, room, settings, "!calc 1+1")
        (own,) = wait_for(ann.invitations)
        ann.join(own)
        wait_for(lambda: said(ann, own, settings))
        wait_for(lambda: not bot.log.pending("matrix"))
    assert sum(INVITED in one for one in said(gm, room, settings)) == 1


def test_a_direct_room_that_somebody_opened_with_the_bot_serves(
    room: str, gm: Person, ann: Person, settings: Settings
) -> None:
    own = ann.room(settings.user, direct=True)
    said_hello(ann, own, settings.user)
    ann.say(room, "!roll 2d6 secret=me")
    wait_for(lambda: len(said(ann, own, settings)) == 2)
    assert all(INVITED not in one for one in said(gm, room, settings))


def test_no_secret_goes_where_a_third_is(
    room: str, gm: Person, ann: Person, server: Synapse, settings: Settings
) -> None:
    own = ann.room(settings.user, direct=True)
    said_hello(ann, own, settings.user)
    tom = Person(server, "tom")
    ann.change(own, "invite", tom.account)
    ann.say(room, "!roll 2d6 secret=me")
    wait_for(lambda: [one for one in said(gm, room, settings) if INVITED in one])
    assert len(said(ann, own, settings)) == 1
    (fresh,) = [one for one in ann.invitations() if one != own]
    ann.join(fresh)
    wait_for(lambda: said(ann, fresh, settings))
    assert len(said(ann, own, settings)) == 1


def test_a_direct_room_that_others_join_keeps_its_table_and_is_no_direct_room_any_more(
    settings: Settings, path: Path, gm: Person, ann: Person
) -> None:
    with Running(settings, path):
        own = gm.room(settings.user, direct=True)
        said_hello(gm, own, settings.user)
        assert "Crew" in ask(gm, own, settings, "!table new savage Crew")
        gm.change(own, "invite", ann.account)
        ann.join(own)
        assert "Crew" in ask(gm, own, settings, "!table")
        assert "Ann" in ask(ann, own, settings, "!char new Ann")
        assert ask(gm, own, settings, "!session start")
    with Running(settings, path) as bot:
        assert re.search(r"\d", ask(ann, own, settings, "!roll 2d6"))
        ann.leave(own)
        gm.say(own, "!roll 2d6 secret")
        (fresh,) = wait_for(gm.invitations)
        gm.join(fresh)
        wait_for(lambda: said(gm, fresh, settings))
        assert "no table" in ask(gm, fresh, settings, "!roll 2d6")
        assert bot.log.chats(bot.log.tables()[0]) == [("matrix", own)]


def test_a_log_that_is_locked_when_others_join_a_direct_room_is_told_in_one_line_and_waited_for(
    bot: Running, settings: Settings, path: Path, gm: Person, ann: Person, caplog: pytest.LogCaptureFixture
) -> None:
    own = gm.room(settings.user, direct=True)
    said_hello(gm, own, settings.user)
    ask(gm, own, settings, "!table new savage Crew")
    lock = sqlite3.connect(path, isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    gm.change(own, "invite", ann.account)
    wait_for(lambda: "cannot be taken up now" in caplog.text)
    lock.execute("ROLLBACK")
    lock.close()
    assert "Crew" in ask(gm, own, settings, "!table")
    told = [one for one in caplog.records if "cannot be taken up now" in one.message]
    assert [one for one in told if one.exc_info or "\n" in one.message or str(path) not in one.message] == []


def test_a_new_room_with_others_takes_no_table_out_of_the_direct_room(
    bot: Running, settings: Settings, gm: Person, ann: Person
) -> None:
    own = gm.room(settings.user, direct=True)
    said_hello(gm, own, settings.user)
    ask(gm, own, settings, "!table new savage Crew")
    other = gm.room(settings.user, ann.account, direct=True)
    said_hello(gm, other, settings.user)
    assert "no table" in ask(gm, other, settings, "!roll 2d6")
    assert re.search(r"\d", ask(gm, own, settings, "!roll 2d6"))


def test_of_two_accounts_of_a_person_the_one_that_wrote_last_is_answered(
    room: str, bot: Running, gm: Person, ann: Person, server: Synapse, settings: Settings
) -> None:
    phone = Person(server, "phone")
    own, other = (one.room(settings.user, direct=True) for one in (ann, phone))
    said_hello(ann, own, settings.user)
    said_hello(phone, other, settings.user)
    code = re.findall(r"\w{4}-\w{4}", ask(ann, own, settings, "!me link"))[0]
    assert "ann" in ask(phone, other, settings, f"!me link {code} yes")
    for one, where in ((phone, other), (ann, own), (phone, other)):
        assert "42" in ask(one, where, settings, "!calc 40+2")
        before = len(said(one, where, settings))
        ann.say(room, "!roll 2d6 secret=me")
        wait_for(lambda one=one, where=where, before=before: len(said(one, where, settings)) == before + 1)
    phone.leave(other)
    before = len(said(ann, own, settings))
    ann.say(room, "!roll 2d6 secret=me")
    wait_for(lambda: len(said(ann, own, settings)) == before + 1)


def test_who_has_left_the_direct_room_is_invited_again(room: str, gm: Person, ann: Person, settings: Settings) -> None:
    own = ann.room(settings.user, direct=True)
    said_hello(ann, own, settings.user)
    ann.leave(own)
    ann.say(room, "!roll 2d6 secret=me")
    (again,) = wait_for(ann.invitations)
    ann.join(again)
    wait_for(lambda: [one for one in said(ann, again, settings) if re.search(r"2d6|\d", one)])


# ---- buttons


def test_a_choice_is_made_by_a_reaction_and_only_by_its_owner(
    bot: Running, gm: Person, ann: Person, settings: Settings, path: Path
) -> None:
    room, offer = choice(gm, ann, settings)
    assert signs(gm, room, settings, offer)[:2] == ["1️⃣", "2️⃣"]
    for sign in ("1️⃣", "2️⃣", "👍"):
        gm.react(room, offer["event_id"], sign)
    wait_for(lambda: answers(gm, room, settings, offer["event_id"]))
    ask(gm, room, settings, "!calc 1+1")
    assert len(answers(gm, room, settings, offer["event_id"])) == 1
    assert made(path) == 0
    pressed = ann.react(room, offer["event_id"], "2️⃣")
    wait_for(lambda: made(path) == 1)
    wait_for(lambda: len(answers(gm, room, settings, offer["event_id"])) == 2)
    ann.redact(room, pressed)
    ann.react(room, offer["event_id"], "1️⃣")
    ask(gm, room, settings, "!calc 1+1")
    assert made(path) == 1
    assert len(answers(gm, room, settings, offer["event_id"])) == 2


def test_a_button_counts_at_the_table_of_its_message_alone(
    bot: Running, gm: Person, ann: Person, settings: Settings, path: Path
) -> None:
    room, offer = choice(gm, ann, settings)
    for text in ("!session end", "!table new adventure Other", "!session start"):
        ask(gm, room, settings, text)
    ann.react(room, offer["event_id"], "1️⃣")
    ask(ann, room, settings, "!calc 1+1")
    assert made(path) == 0


def test_an_old_button_works_after_a_restart(settings: Settings, path: Path, gm: Person, ann: Person) -> None:
    with Running(settings, path):
        room, offer = choice(gm, ann, settings)
    ann.react(room, offer["event_id"], "2️⃣")
    with Running(settings, path):
        wait_for(lambda: made(path) == 1)


def test_a_reaction_to_somebody_elses_message_does_nothing(
    bot: Running, gm: Person, ann: Person, settings: Settings, path: Path
) -> None:
    room, offer = choice(gm, ann, settings)
    forged = gm.send(room, offer["content"])
    ann.react(room, forged, "2️⃣")
    ask(gm, room, settings, "!calc 1+1")
    assert made(path) == 0


# ---- logging in


def ended(settings: Settings, path: Path) -> str:
    """Why the bot does not even start."""
    with Running(settings, path) as bot:
        wait_for(lambda: bot.failed)
        assert isinstance(bot.failed, NotConfigured), bot.failed
        return str(bot.failed)


def test_a_revoked_token_ends_the_bot_with_a_sentence(
    room: str, bot: Running, server: Synapse, settings: Settings
) -> None:
    server.request("POST", "/_matrix/client/v3/logout", {}, settings.access_token)
    wait_for(lambda: bot.failed)
    assert isinstance(bot.failed, NotConfigured)
    assert "logged the bot out" in str(bot.failed)


def test_a_wrong_token_or_password_is_told(server: Synapse, settings: Settings, path: Path) -> None:
    assert "matrix.access_token" in ended(replace(settings, access_token="syt_wrong"), path)
    assert "matrix.password" in ended(replace(settings, access_token=None, password="wrong"), path)
    assert "matrix.password" in ended(replace(settings, access_token=None), path)
    assert "matrix.user" in ended(replace(settings, user="@somebody:localhost"), path)


class NoHomeserver(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(404)
        self.end_headers()
        self.wfile.write(b"<html>nothing here</html>")

    def log_message(self, *_: object) -> None:
        """Nothing."""


def test_what_is_no_homeserver_is_told(settings: Settings, path: Path) -> None:
    with HTTPServer(("127.0.0.1", 0), NoHomeserver) as other:
        Thread(target=other.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{other.server_port}"
        assert "no Matrix homeserver" in ended(replace(settings, homeserver=address), path)
        other.shutdown()
    for wrong in ("matrix.example.org", "ftp://x", "https://", ""):
        assert "matrix.homeserver" in ended(replace(settings, homeserver=wrong), path)


def with_password(server: Synapse, folder: Path) -> Settings:
    user = server.register("Rollbook")
    return Settings(server.base_url, user["user_id"], password=user["password"], store=str(folder / "keys"))


def test_a_folder_for_the_keys_that_cannot_be_made_is_told(settings: Settings, path: Path) -> None:
    path.with_name("a file").touch()
    with Running(replace(settings, store=str(path.with_name("a file") / "keys")), path) as bot:
        failed = wait_for(lambda: bot.failed)
    assert isinstance(failed, NotConfigured)
    assert re.fullmatch(r"matrix\.store: the folder .*keys cannot be made: .*\.", str(failed))


def test_with_a_password_the_device_is_made_once(server: Synapse, tmp_path: Path, path: Path, gm: Person) -> None:
    settings = with_password(server, tmp_path)
    devices = []
    for _ in range(3):
        with Running(settings, path) as bot:
            bot.settled()
            devices.append(bot.bot.client.device_id)
    assert len(set(devices)) == 1
    kept = tmp_path / "keys" / "device.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert kept.parent.stat().st_mode & 0o777 == 0o700


def test_a_login_that_was_revoked_is_made_anew_at_the_next_start(
    server: Synapse, tmp_path: Path, path: Path, gm: Person
) -> None:
    settings = with_password(server, tmp_path)
    with Running(settings, path) as bot:
        bot.settled()
        server.request("POST", "/_matrix/client/v3/logout", {}, bot.bot.client.access_token)
        wait_for(lambda: bot.failed)
    with Running(settings, path) as bot:
        bot.settled()
        opened(settings, gm)


# ---- buttons under rolls, files


def test_a_roll_is_made_again_by_its_button_and_only_by_its_roller(
    room: str, gm: Person, ann: Person, settings: Settings, path: Path
) -> None:
    rolled = answer(ann, room, settings, ann.say(room, "!roll 2d6"))
    wait_for(lambda: "🔁" in signs(ann, room, settings, rolled))
    gm.react(room, rolled["event_id"], "🔁")
    wait_for(lambda: answers(gm, room, settings, rolled["event_id"]))
    assert rolls(path) == 1
    ann.react(room, rolled["event_id"], "🔁")
    wait_for(lambda: rolls(path) == 2)
    again = wait_for(lambda: answers(ann, room, settings, rolled["event_id"])[1:])[0]
    assert "2d6" in again["content"]["body"]
    wait_for(lambda: "🔁" in signs(ann, room, settings, again))


def test_an_export_is_sent_as_a_file_below_the_command(
    room: str, gm: Person, settings: Settings, server: Synapse
) -> None:
    ask(gm, room, settings, "!roll 2d6")
    message = gm.say(room, "!export csv")
    answer(gm, room, settings, message)
    files = wait_for(lambda: [one for one in gm.notices(room, settings.user) if one["content"]["msgtype"] == "m.file"])
    content = files[0]["content"]
    assert content["body"].endswith(".csv")
    address = content["url"].removeprefix("mxc://")
    assert b"2d6" in server.download(f"/_matrix/client/v1/media/download/{address}", gm.token)

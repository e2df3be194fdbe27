"""Several programs on one PostgreSQL: turns at tables, who is called what, what is held; and two behind one webhook.

In full, with four programs and many kills: tests/soak/test_workers.py.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from adapters.outbox import Held, Outbox
from adapters.sharing import Sharing
from adapters.wiring import now
from core.app import App
from core.messages import Answer, Incoming
from events.beside import MessageKey, Pending
from events.log import EventLog, LogUnusable
from events.postgres import PostgresLog
from tests.adapters.workers import Workers
from tests.servers.postgres import running
from tests.servers.telegram import FakeTelegram

HELD = "https://t.me/rollbook_bot?start=letters"
WAIT_S = 60.0


@pytest.fixture
def conninfo() -> str:
    return running().fresh()


class Program:
    """What one of several programs has in its memory: its own view of the log."""

    def __init__(self, conninfo: str) -> None:
        self.log = PostgresLog(conninfo, patience_s=WAIT_S)
        self.app = App(self.log, now, secrets.token_bytes)
        self.outbox = Outbox(self.app, "telegram", held)
        self.sharing = Sharing(self.app, "telegram", self.outbox)

    def hear(self, person: str, text: str, chat: str = "-1", name: str = "") -> Answer:
        key = MessageKey("telegram", chat, secrets.token_hex(4))
        (answer,) = asyncio.run(self.heard(Incoming(key=key, person=person, name=name or person.title(), text=text)))
        return answer

    async def heard(self, incoming: Incoming) -> list[Answer]:
        async with self.sharing.turn(incoming.key.chat):
            return self.app.hear(incoming)


async def held(_letter: Pending) -> Held:
    return Held()


@pytest.fixture
def one(conninfo: str) -> Iterator[Program]:
    program = Program(conninfo)
    yield program
    program.log.close()


@pytest.fixture
def other(one: Program, conninfo: str) -> Iterator[Program]:
    program = Program(conninfo)
    yield program
    program.log.close()


def wait_for(what: Callable[[], object]) -> None:
    deadline = time.monotonic() + WAIT_S
    while not what():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.01)


def text_of(answer: Answer) -> str:
    assert answer.error is None
    return "\n".join(letter.text for letter in answer.letters)


# ---- who is called what


def test_somebody_whom_one_program_has_met_is_known_to_the_other(one: Program, other: Program) -> None:
    one.hear("gm", "/table new savage Glacier")
    other.hear("gm", "/session start")
    one.hear("p1", "/join", name="Rosalind")
    one.hear("p1", "/char new Red", name="Rosalind")
    assert "Red" in text_of(other.hear("gm", "/benny give Rosalind"))


def test_somebody_who_takes_another_name_is_soon_called_so_by_all(one: Program, other: Program) -> None:
    one.hear("gm", "/table new savage Glacier")
    one.hear("p1", "/join", name="Rosalind")
    one.hear("p1", "/char new Red", name="Rosalind")
    other.hear("gm", "/session start")
    one.hear("p1", "/roll d6", name="Rosa")
    wait_for(lambda: other.hear("gm", "/benny give Rosa").error is None)
    assert other.hear("gm", "/benny give Rosalind").error


# ---- turns


def test_a_table_is_decided_at_by_one_program_at_a_time(one: Program, other: Program) -> None:
    one.hear("gm", "/table new savage Glacier")
    inside, most, conflicts = 0, 0, Counter[str]()

    async def play(program: Program, name: str) -> None:
        nonlocal inside, most
        for _ in range(20):
            async with program.sharing.turn("-1"):
                inside += 1
                most = max(most, inside)
                await asyncio.sleep(0.001)
                inside -= 1
            conflicts[name] += 1

    async def both() -> None:
        await asyncio.gather(play(one, "one"), play(other, "other"))

    asyncio.run(both())
    assert (most, conflicts) == (1, {"one": 20, "other": 20})


def test_where_no_table_is_open_nobody_waits(one: Program, other: Program) -> None:
    async def both() -> None:
        async with one.sharing.turn("-7"), other.sharing.turn("-7"):
            pass

    asyncio.run(both())
    assert one.hear("gm", "/calc 1+1", chat="-7").error is None


def test_a_turn_that_does_not_come_is_done_without(
    one: Program, other: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The head keeps it sure."""
    one.hear("gm", "/table new savage Glacier")
    (table,) = one.log.tables()
    assert other.log.lease(table).result(WAIT_S)
    monkeypatch.setattr("adapters.sharing.LONGEST_WAIT_S", 0.1)
    assert "d6" in text_of(one.hear("gm", "/roll d6"))
    other.log.release(table)
    assert one.log.lease(table).result(WAIT_S)


def test_who_does_not_wait_any_longer_keeps_nothing(one: Program, other: Program) -> None:
    one.hear("gm", "/table new savage Glacier")
    (table,) = one.log.tables()
    assert other.log.lease(table).result(WAIT_S)

    async def cancelled() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1), one.sharing.turn("-1"):
                pytest.fail("it is the other's")
        other.log.release(table)

    asyncio.run(cancelled())
    assert other.log.lease(table).result(WAIT_S)


def test_a_log_that_cannot_be_reached_is_told(one: Program) -> None:
    one.hear("gm", "/table new savage Glacier")
    one.log._leases.close()
    with pytest.raises(LogUnusable):
        one.hear("gm", "/roll d6")


def test_on_a_log_of_one_machine_there_is_nothing_to_wait_for(one: Program, tmp_path: object) -> None:
    from events.sqlite import SqliteLog

    log: EventLog = SqliteLog(f"{tmp_path}/rollbook.db")
    app = App(log, now, secrets.token_bytes)
    sharing = Sharing(app, "telegram", Outbox(app, "telegram", held))

    async def both() -> None:
        async with sharing.turn("-1"), sharing.turn("-1"):
            sharing.reachable("-1")

    asyncio.run(both())
    log.close()


# ---- programs


def test_two_programs_share_the_work_and_roll_and_answer_once(server: FakeTelegram, conninfo: str) -> None:
    with Workers(server, conninfo, 2, groups=6) as workers:
        workers.say(rolls=8)
        workers.wait_until_answered()
        assert workers.check() == 48
        assert min(workers.balancer.taken[place] for place in workers.balancer.places) >= 10, "both took part"
        assert len(server.called("setWebhook")) == 1, "they do not fight about it"


def test_when_one_of_two_is_killed_the_other_does_all(server: FakeTelegram, conninfo: str) -> None:
    with Workers(server, conninfo, 2, groups=4) as workers:
        for number in (0, 1):
            workers.say(rolls=6)
            workers.kill(number)
            workers.wait_until_answered()
            workers.start(number)
        workers.say(rolls=2)
        workers.wait_until_answered()
        assert workers.check(kills=2) == 4 * 14


def test_what_is_held_goes_out_whichever_program_hears_that_it_may(server: FakeTelegram, conninfo: str) -> None:
    with Workers(server, conninfo, 2, groups=1) as workers:
        (group,) = workers.said
        for number, place in enumerate(workers.balancer.places):  # one of them sends
            ann = server.person(f"Ann{number}")
            server.join(group, ann)
            workers.balancer.only = place
            server.text(group, ann, "/join")
            server.text(group, ann, "/roll 2d6 secret=me")
            server.wait_for(lambda n=number: sum(HELD in one.text for one in server.of_bot(group)) == n + 1, WAIT_S)
            private = server.private(ann)
            server.text(private, ann, "/start letters")
            server.wait_for(lambda chat=private: [one for one in server.of_bot(chat) if "2d6" in one.text], WAIT_S)

"""Four programs behind one webhook on one PostgreSQL, killed and stopped in turn under load: nothing is rolled twice or
lost, and what a program did that is gone another does within seconds."""

from __future__ import annotations

import random
import signal
import time
from collections import Counter
from collections.abc import Callable

import psycopg
import pytest

from tests.adapters.workers import Workers
from tests.servers.postgres import running
from tests.servers.telegram import FakeTelegram
from tests.soak.programs import FULL, rounds, wait_a_moment, wait_for

WORKERS, GROUPS, ROLLS = 4, 16, 12
SECONDS = 30.0  # within seconds: a lease, and whatever else a busy machine does meanwhile
SENDS = "task post-telegram"
HELD = "SELECT name, holder FROM leases WHERE until > clock_timestamp()"

pytestmark = pytest.mark.skipif(not FULL, reason="`make soak`: tests/adapters/test_workers.py is its short form")


def held(conninfo: str) -> dict[str, str]:
    """What is held just now, and by whom."""
    with psycopg.connect(conninfo, autocommit=True) as raw:
        return dict(raw.execute(HELD).fetchall())


def tables_of(conninfo: str, holder: str) -> set[str]:
    """At which tables a program has its turn."""
    return {name for name, one in held(conninfo).items() if one == holder and name.startswith("table ")}


def since(began: float, what: Callable[[], object]) -> float:
    """When it is so, in seconds."""
    wait_for(what)
    return time.monotonic() - began


def test_four_programs_killed_in_turn_roll_nothing_twice_and_lose_nothing(tally: Counter[str]) -> None:
    conninfo, chance, longest, kills = running().fresh(), random.Random("workers"), 0.0, rounds(12, 2)
    with FakeTelegram() as server, Workers(server, conninfo, WORKERS, GROUPS) as workers:
        for number in range(kills):
            workers.say(ROLLS)
            wait_a_moment(chance)
            workers.kill(number % WORKERS)
            workers.say(1)
            longest = max(longest, workers.wait_until_answered())
            workers.start(number % WORKERS)
        tally[f"rolls by four programs with {kills} kills, none lost, none doubled"] += workers.check(kills)
    tally["longest from a kill to the last answer of 208 or fewer that waited, in ms"] = round(longest * 1000)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "stopped"])
def test_what_a_program_does_that_is_gone_another_does_within_seconds(how: signal.Signals, tally: Counter[str]) -> None:
    """It is the one that sends, in the middle of a turn. One that is stopped goes on when others have done its work."""
    conninfo, sending, turns = running().fresh(), list[float](), list[float]()
    with FakeTelegram() as server, Workers(server, conninfo, WORKERS, GROUPS) as workers:
        for _ in range(rounds(4, 1)):
            workers.say(1)
            workers.wait_until_answered()
            sender = held(conninfo)[SENDS]
            number = int(sender.split()[0].removeprefix("worker-"))
            workers.say(ROLLS)
            wait_for(lambda sender=sender: tables_of(conninfo, sender))
            program, gone_at = workers.programs[number], time.monotonic()
            program.send_signal(how)
            stuck = tables_of(conninfo, sender)
            sending.append(since(gone_at, lambda sender=sender: held(conninfo).get(SENDS, sender) != sender))
            if stuck:
                turns.append(since(gone_at, lambda sender=sender, stuck=stuck: not tables_of(conninfo, sender) & stuck))
            workers.wait_until_answered()
            if how is signal.SIGKILL:
                workers.kill(number)
                workers.start(number)
            else:
                program.send_signal(signal.SIGCONT)
        workers.say(1)
        workers.wait_until_answered()
        workers.check(kills=len(sending))
    assert max(sending + turns) < SECONDS
    name = "killed" if how is signal.SIGKILL else "stopped"
    tally[f"longest until another program sent when the one that did was {name}, in ms"] = round(max(sending) * 1000)
    tally[f"turns in which a program was {name}"] = len(turns)
    tally[f"longest until a table was free whose program was {name}, in ms"] = round(max(turns, default=0) * 1000)

"""Killed at any moment under load: what was acknowledged is there, once, and nothing is there half."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from events.sqlite import MIGRATIONS, SqliteLog
from tests.adapters.terminal import ENVIRONMENT
from tests.soak.player import told_in
from tests.soak.programs import finished, killed, player, rounds, until_grown, wait_a_moment, wait_for
from tests.soak.record import check

MAKER = "import sys; from events.sqlite import SqliteLog; SqliteLog(sys.argv[1]).close()"
UNDER_WAY = 400  # answers until a program is under load


@pytest.mark.parametrize("way", ["at-once", "threads"])
def test_what_was_acknowledged_before_a_kill_is_kept_once(
    path: Path, told: Path, way: str, tally: Counter[str]
) -> None:
    chance = random.Random(way)
    for _ in range(rounds(20, 2)):
        with player(path, told, "--way", way) as program:
            until_grown(program, told, UNDER_WAY)
            wait_a_moment(chance)
            killed(program)
        check(path, told_in(told))
        tally[f"kills ({way})"] += 1
    last = max(one.number for one in told_in(told)) + 2
    with player(path, told, "--way", way, "--before", last) as program:
        finished(program)
    found = told_in(told)
    check(path, found)
    assert {(one.chat, one.number) for one in found} == {(f"-{chat}", n) for chat in range(64) for n in range(last)}
    assert len({(one.chat, one.message) for one in found}) == len(set(found)), "the same answer each time"
    tally[f"commands acknowledged ({way}), none lost, none doubled"] += len(set(found))


def test_killed_while_it_makes_its_file_it_can_begin_again(path: Path) -> None:
    chance = random.Random("made")
    for number in range(rounds(30, 3)):
        new = path.with_name(f"{number}.db")
        program = subprocess.Popen([sys.executable, "-c", MAKER, str(new)], env=ENVIRONMENT)
        wait_for(new.exists)
        time.sleep(chance.uniform(0, 0.02))
        program.kill()
        program.wait()
        log = SqliteLog(new)
        version = log._writer.conn.execute("PRAGMA user_version").fetchone()[0]
        assert (version, log.tables()) == (len(MIGRATIONS), [])
        log.close()

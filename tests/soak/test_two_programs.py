"""Two programs on one log, at the same tables and at others, one of them killed again and again, while others read."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.adapters.terminal import run
from tests.soak.player import Told, told_in
from tests.soak.programs import (
    Program,
    finished,
    killed,
    player,
    rounds,
    until_grown,
    wait_a_moment,
)
from tests.soak.record import check

SHARED = ("--tables", 8, "--name", "s")  # both are brought the same messages of these chats


def read_meanwhile(path: Path) -> None:
    """A third program verifies and exports what is there; it is whole at every moment."""
    verified = run("verify", path)
    assert (verified.returncode, verified.stderr) == (0, "")
    table = verified.stdout.partition(" (")[2].partition(")")[0]
    exported = run("export", "--db", path, "--table", table, "--as", "audit")
    assert (exported.returncode, exported.stderr) == (0, "")
    copy = path.with_name("export.jsonl")
    copy.write_text(exported.stdout)
    assert run("verify", copy).returncode == 0


def agree(one: Iterable[Told], other: Iterable[Told]) -> None:
    """What both were told of the same message is the same."""
    first = {(told.chat, told.message): told for told in one}
    second = {(told.chat, told.message): told for told in other}
    both = first.keys() & second.keys()
    assert both
    assert {key: first[key] for key in both} == {key: second[key] for key in both}


def test_two_programs_on_the_same_tables_lose_and_double_nothing(path: Path, told: Path, tally: Counter[str]) -> None:
    chance, other_told = random.Random("two"), told.with_name("other.jsonl")
    with player(path, other_told, *SHARED) as other:
        for number in range(rounds(20, 1)):
            with player(path, told, *SHARED, "--way", "threads") as one:
                _play_on(one, told, other, other_told)
                if number % 4 == 0:
                    read_meanwhile(path)
                wait_a_moment(chance)
                killed(one)
            tally["kills of one of two programs at the same tables"] += 1
        killed(other)
    last = 1 + max(one.number for one in (*told_in(told), *told_in(other_told)))
    rest = (*SHARED, "--before", last)
    with player(path, told, *rest) as one, player(path, other_told, *rest) as other:
        finished(one)
        finished(other)
    check(path, [*told_in(told), *told_in(other_told)])
    agree(told_in(told), told_in(other_told))
    tally["commands of two programs at the same tables, none lost, none doubled"] += len(set(told_in(told)))


def _play_on(one: Program, told: Path, other: Program, other_told: Path) -> None:
    """Both are alive and get on."""
    until_grown(one, told, 60)
    until_grown(other, other_told, 20)


def test_two_programs_on_different_tables_lose_and_double_nothing(path: Path, told: Path, tally: Counter[str]) -> None:
    chance, other_told = random.Random("apart"), told.with_name("other.jsonl")
    with player(path, other_told, "--tables", 32, "--first", 32, "--name", "b") as other:
        for _ in range(rounds(20, 1)):
            with player(path, told, "--tables", 32) as one:
                _play_on(one, told, other, other_told)
                wait_a_moment(chance)
                killed(one)
            tally["kills of one of two programs at different tables"] += 1
        killed(other)
    found = {*told_in(told), *told_in(other_told)}
    check(path, found)
    tally["commands of two programs at different tables, none lost, none doubled"] += len(found)

"""The power is cut at any moment under load: all that was acknowledged is there. Even where the disk had only said that
it was, what is there is a beginning of each table's record, with nothing half."""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from events.envelope import Stored
from events.sqlite import SqliteLog
from tests.soak.player import Told, told_in
from tests.soak.power import cut_power, journal_of, taken
from tests.soak.programs import Program, player, rounds, stopped, until_grown, wait_a_moment
from tests.soak.record import check

UNDER_WAY = 100


def cut(
    program: Program, path: Path, told: Path, chance: random.Random, number: int, tally: Counter[str], *, lying: bool
) -> tuple[Path, list[Told]]:
    """The log as a power cut would leave it now, and what had been acknowledged by then."""
    while True:
        until_grown(program, told, UNDER_WAY)
        wait_a_moment(chance)
        with stopped(program):
            if journal := journal_of(path):
                copy = taken(path, path.parent / f"{number}")
                found = told_in(told)
                break
    tally["power cuts with something not yet synced"] += journal.written > journal.synced
    tally["power cuts while the journal was copied into the file"] += journal.copied > journal.surely_copied
    cut_power(copy, journal, chance, lying=lying)
    return copy, found


def tables_of(path: Path) -> dict[str, list[Stored]]:
    log = SqliteLog(path)
    try:
        return {table: list(log.read(table)) for table in log.tables()}
    finally:
        log.close()


def test_a_power_cut_takes_nothing_that_was_acknowledged(path: Path, told: Path, tally: Counter[str]) -> None:
    chance = random.Random("power")
    with player(path, told) as program:
        for number in range(rounds(40, 3)):
            copy, found = cut(program, path, told, chance, number, tally, lying=False)
            check(copy, found)
            tally["power cuts"] += 1
            tally["answers looked for behind power cuts, none lost"] += len(set(found))


def test_behind_a_disk_that_lies_each_table_is_a_beginning_of_its_record(
    path: Path, told: Path, tally: Counter[str]
) -> None:
    chance = random.Random("lies")
    left = []
    with player(path, told) as program:
        for number in range(rounds(40, 3)):
            copy, _ = cut(program, path, told, chance, number, tally, lying=True)
            check(copy, [])
            left.append(tables_of(copy))
            tally["power cuts behind a disk that lies"] += 1
    whole = tables_of(path)
    for tables in left:
        assert list(tables) == list(whole)[: len(tables)]
        assert all(whole[table][: len(stored)] == stored for table, stored in tables.items())


@pytest.mark.parametrize("short_of", [0, 1, 30])
def test_the_journal_is_read_as_sqlite_reads_it(path: Path, short_of: int) -> None:
    """That what is taken away above is what is not counted, neither more nor less."""
    log = sqlite3.connect(path, isolation_level=None)
    log.execute("PRAGMA journal_mode = WAL")
    log.execute("CREATE TABLE numbers (number)")
    for number in range(40):
        log.execute("INSERT INTO numbers VALUES (?)", (number,))
    journal = journal_of(path)
    assert journal is not None
    assert Path(f"{path}-wal").stat().st_size == journal.end(journal.synced)
    assert journal.written == journal.synced
    copy = taken(path, path.parent / "copy")
    log.close()
    with Path(f"{copy}-wal").open("r+b") as file:
        file.truncate(journal.end(journal.synced - short_of))
    again = sqlite3.connect(copy)
    assert again.execute("SELECT count(*) FROM numbers").fetchone() == (40 - short_of,)
    again.close()

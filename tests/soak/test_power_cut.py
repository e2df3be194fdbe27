"""The power is cut at any moment under load: all that was acknowledged is there. Even where the disk had only said that
it was, what is there is a beginning of each table's record, with nothing half."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from events.envelope import Head
from events.sqlite import SqliteLog
from tests.soak.player import told_in
from tests.soak.power import cut_power, journal_of, taken
from tests.soak.programs import Program, player, rounds, stopped, until_grown, wait_a_moment
from tests.soak.record import check

UNDER_WAY = 100


@contextmanager
def cut(
    program: Program, path: Path, told: Path, chance: random.Random, tally: Counter[str], *, lying: bool = False
) -> Iterator[Path]:
    """The log as a power cut would leave it now. Meanwhile the program waits, and what was told stays what it is."""
    while True:
        until_grown(program, told, UNDER_WAY)
        wait_a_moment(chance)
        with stopped(program):
            if journal := journal_of(path):
                copy = taken(path, path.parent / "cut")
                tally["power cuts with something not yet synced"] += journal.written > journal.synced
                tally["power cuts while the journal was copied into the file"] += journal.copied > journal.surely_copied
                cut_power(copy, journal, chance, lying=lying)
                yield copy
                shutil.rmtree(copy.parent)
                return


def test_a_power_cut_takes_nothing_that_was_acknowledged(path: Path, told: Path, tally: Counter[str]) -> None:
    chance = random.Random("power")
    with player(path, told) as program:
        for _ in range(rounds(40, 3)):
            with cut(program, path, told, chance, tally) as copy:
                check(copy, told_in(told))
            tally["power cuts"] += 1
    tally["commands acknowledged before power cuts, none lost"] += len(set(told_in(told)))


def test_behind_a_disk_that_lies_each_table_is_a_beginning_of_its_record(
    path: Path, told: Path, tally: Counter[str]
) -> None:
    chance = random.Random("lies")
    left = []
    with player(path, told) as program:
        for _ in range(rounds(40, 3)):
            with cut(program, path, told, chance, tally, lying=True) as copy:
                check(copy, [])
                left.append(heads(copy))
            tally["power cuts behind a disk that lies"] += 1
    log = SqliteLog(path)
    tables = log.tables()
    for found in left:
        assert list(found) == tables[: len(found)]
        for table, head in found.items():
            (same,) = log.read(table, head.seq - 1, head.seq)
            assert same.hash == head.hash
    log.close()


def heads(path: Path) -> dict[str, Head]:
    """Where each table ends; a hash stands for all that came before."""
    log = SqliteLog(path)
    try:
        return {table: log.head(table) for table in log.tables()}
    finally:
        log.close()


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

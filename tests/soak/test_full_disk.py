"""The disk is full: what was called durable is, what was not is not there, and all goes on when there is room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from events.beside import Beside, Letter, MessageKey, Receipt
from events.chain import first_break
from events.log import Entry, LogUnusable
from events.sqlite import SqliteLog
from tests.adapters.terminal import play, refused, run
from tests.adapters.test_serve import answers, ended, rolled, serving, table_of
from tests.events.records import spoken
from tests.servers.telegram import FakeTelegram
from tests.soak.player import told_in
from tests.soak.programs import PATIENCE_S, player, rounds, said_until
from tests.soak.record import check
from tests.soak.small_disk import Disk, small_disk

TABLES = [f"table {number}" for number in range(64)]
MEGABYTE = 1 << 20


@pytest.fixture
def disk() -> Iterator[Disk]:
    with small_disk(6 * MEGABYTE) as disk:
        yield disk


# ---- a log


def append_to_all(log: SqliteLog, lines: int = 3) -> list[BaseException | None]:
    """Something new at every table, as much as possible in one group; the outcome of each."""
    entries = [next_of(log, table, lines) for table in TABLES]
    with log._writer.lock:
        done = [log.submit(one.table, one.expected, one.events, one.beside) for one in entries]
    return [one.exception(PATIENCE_S) for one in done]


def next_of(log: SqliteLog, table: str, lines: int = 3) -> Entry:
    """Events behind the table's head, and an answer."""
    head = log.head(table)
    receipt = Receipt(table, head.seq + 1, head.seq + lines, None, (Letter("table", f"answer {head.seq}"),))
    beside = Beside(key=MessageKey("terminal", table, str(head.seq)), receipt=receipt)
    return Entry(table, head.seq, spoken(lines, head, table), beside)


def lengths(path: Path) -> list[int]:
    """How long each table is; each holds, and has an answer for each append."""
    log = SqliteLog(path)
    try:
        assert [first_break(log.read(table)) for table in log.tables()] == [None] * len(log.tables())
        found = [log.head(table).seq for table in TABLES]
        assert len(log.pending()) == sum(found) / 3
        return found
    finally:
        log.close()


def grown(before: Sequence[int], outcomes: Sequence[BaseException | None]) -> list[int]:
    return [length + 3 * (outcome is None) for length, outcome in zip(before, outcomes, strict=True)]


def is_full(outcome: BaseException | None) -> bool:
    return isinstance(outcome, LogUnusable) and outcome.reason == "full"


def test_of_a_group_that_a_full_disk_does_not_take_nothing_is_there(disk: Disk) -> None:
    disk.weigh(5 * MEGABYTE)
    log = SqliteLog(disk.log)
    before = [0] * len(TABLES)
    while not any(outcomes := append_to_all(log)):
        before = grown(before, outcomes)
    assert all(outcome is None or is_full(outcome) for outcome in outcomes)
    before = grown(before, outcomes)
    for _ in range(3):
        assert all(map(is_full, append_to_all(log)))
    disk.make_room()
    assert lengths(disk.log) == before
    assert append_to_all(log) == [None] * len(TABLES)
    assert lengths(disk.log) == grown(before, [None] * len(TABLES))
    log.close()


def test_a_group_that_fills_the_file_up_is_refused_and_a_small_one_still_taken(tmp_path: Path) -> None:
    path = tmp_path / "rollbook.db"
    log = SqliteLog(path)
    assert append_to_all(log) == [None] * len(TABLES)
    conn = log._writer.conn
    conn.execute(f"PRAGMA max_page_count = {conn.execute('PRAGMA page_count').fetchone()[0] + 4}")
    assert all(map(is_full, append_to_all(log, lines=30)))
    assert lengths(path) == [3] * len(TABLES)
    small = next_of(log, TABLES[0])
    log.append(small.table, small.expected, small.events, small.beside)
    assert lengths(path) == [6, *[3] * (len(TABLES) - 1)]
    log.close()


def test_a_program_that_fills_the_disk_loses_nothing_that_it_acknowledged(
    disk: Disk, told: Path, tally: Counter[str]
) -> None:
    for _ in range(rounds(10, 1)):
        disk.weigh(MEGABYTE)
        with player(disk.log, told) as program:
            _, said = program.communicate(timeout=PATIENCE_S)
        assert "is full" in said.splitlines()[-1]
        disk.make_room()
        check(disk.log, told_in(told))
        disk.log.unlink()
        tally["disks filled"] += 1
        tally["commands acknowledged on full disks, none lost"] += len(set(told_in(told)))
        told.unlink()


# ---- the programs


def test_play_says_in_one_sentence_that_the_disk_is_full_and_goes_on_when_there_is_room(disk: Disk) -> None:
    last = play(disk.log, "/table new savage Glacier", "/trait d8")[-1]["events"][-1]["seq"]
    before = disk.log.read_bytes()
    disk.fill()
    assert refused(run("play", "--db", disk.log, given="/trait d8\n")) == f"The disk that holds {disk.log} is full."
    assert refused(run("play", "--db", disk.folder / "new.db", given="/trait d8\n")).endswith("is full.")
    assert run("verify", disk.log).returncode == 0, "to look at it takes no room"
    assert disk.log.read_bytes() == before
    disk.make_room()
    (answer,) = play(disk.log, "/trait d8")
    assert answer["events"][0]["seq"] == last + 1


def test_serve_answers_when_there_is_room_again(disk: Disk, server: FakeTelegram) -> None:
    gm, group = table_of(server, disk.log)
    with serving(server, disk.log) as process:
        server.text(group, gm, "/calc 1+1")
        server.wait_for(lambda: len(server.of_bot(group)) == 2, PATIENCE_S)
        disk.fill()
        messages = [server.text(group, gm, "/roll 4d100") for _ in range(3)]
        said = said_until(process, "is full")
        assert len(server.of_bot(group)) == 2
        disk.make_room()
        server.wait_for(lambda: all(answers(server, group, messages)), PATIENCE_S)
        said += ended(process)
    assert "Traceback" not in said
    assert rolled(disk.log) == [f"telegram:{group}:{message}" for message in messages]
    assert [len(found) for found in answers(server, group, messages)] == [1] * 3

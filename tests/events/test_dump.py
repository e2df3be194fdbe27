"""A log copied from one database to another: all rows as they were, or none."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import psycopg
import pytest

from events.beside import Account, Attached, Beside, Invitation, Letter, Offer, Parcel, Said
from events.dump import TABLES, NotCopied, Row
from events.envelope import Head
from events.log import LogUnusable
from events.postgres import PostgresLog
from events.sqlite import SqliteLog
from tests.events.log_contract import OTHER_SEED, SEED, everything, seen
from tests.events.records import message, receipt, spoken
from tests.servers.postgres import running

Log: TypeAlias = SqliteLog | PostgresLog
Make: TypeAlias = Callable[[], Log]
WAYS = [(one, other) for one in ("file", "database") for other in ("file", "database")]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[[str], Log]]:
    """A new log of this kind; closed at the end."""
    made: list[Log] = []

    def new(kind: str) -> Log:
        log = SqliteLog(tmp_path / f"{len(made)}.db") if kind == "file" else PostgresLog(running().fresh())
        made.append(log)
        return log

    yield new
    for log in made:
        log.close()


def fill(log: Log) -> None:
    """With something in each table, and in each column what is hard to keep."""
    log.person(Account("telegram", "5"), "p1")
    log.person(Account("matrix", "@ann:x"), "p2")
    log.append("green", 0, spoken(3), everything())
    log.sent(log.pending()[0].id)
    buttons = (Offer("🔁", "Again", "/roll", "p1"), Offer("1", "“一”", "/choose 1", "p2"))
    full = Letter("p2", "a\nb", ((1, "'one'"), (2, "\\two")), buttons, Attached("stats", "png", "red", 3), "matrix")
    answer = receipt("red", 1, 3, letters=1)
    also = (Parcel("matrix", "!room", Letter("table", "copy")),)
    log.append(
        "red", 0, spoken(3, table="red"),
        Beside(
            key=message(2), receipt=type(answer)("red", 1, 3, None, (full,)), also=also, seed=(1, OTHER_SEED),
            chat=("matrix", "!room"), invite=Invitation("A", "2026-11-30T06:00:00.000Z", person="p1", purpose="forget"),
            texts=(Said(1, 1, "p1", "aa", "a NUL: \0, a tab:\t, 🎲"), Said(3, 1, "p1", "bb", "")),
        ),
    )  # fmt: skip
    for number, name in enumerate(("Z", "a", "é", "中", "🎲", "")):  # in the order of their bytes, not of any language
        log.append("", 0, (), Beside(names={f"{name}{number}": name}, key=message(3 + number), receipt=receipt("")))
    refused = type(answer)("", 1, 0, ("no_table", "There is no table here."), ())
    log.append("", 0, (), Beside(key=message(20), receipt=refused))
    log.set_bookmark("telegram:joined:-1", "5.0")
    log.keep_snapshot("green", b"a cache")


def all_of(log: Log) -> list[Row]:
    return list(log.dump())


def test_a_log_that_is_filled_has_something_in_every_table(make: Callable[[str], Log]) -> None:
    log = make("file")
    fill(log)
    assert {name for name, _ in log.dump()} == set(TABLES)


@pytest.mark.parametrize(("one", "other"), WAYS)
def test_a_copy_has_all_that_the_log_has_and_goes_on_like_it(
    make: Callable[[str], Log], one: str, other: str
) -> None:
    old, new = make(one), make(other)
    fill(old)
    assert new.load(old.dump()) == len(all_of(old))
    assert all_of(new) == all_of(old)
    assert seen(new) == seen(old)
    assert (new.seed("green", 1), new.texts("red"), new.said_by("p1")) == (SEED, old.texts("red"), old.said_by("p1"))
    assert new.snapshot("green") is None
    for log in (old, new):  # ids go on where they were
        log.append("green", 3, spoken(1, log.head("green")), Beside(key=message(30), receipt=receipt(first=4, last=4)))
        log.append("blue", 0, spoken(1, table="blue"))
        log.person(Account("telegram", "7"), "p3")
    assert all_of(new) == all_of(old)
    back = make(one)
    back.load(new.dump())
    assert all_of(back) == all_of(old)


@pytest.mark.parametrize("kind", ["file", "database"])
def test_a_log_of_one_moment_is_copied(make: Callable[[str], Log], kind: str) -> None:
    log, new = make(kind), make("file")
    fill(log)
    before, rows = all_of(log), log.dump()
    first = next(rows)
    on_disk = isinstance(log, SqliteLog)
    with sqlite3.connect(log.path) if on_disk else psycopg.connect(log._link.address.conninfo) as raw:
        raw.execute("UPDATE names SET name = 'changed'")
        raw.execute("DELETE FROM bookmarks")
    assert [first, *rows] == before
    new.load(log.dump())
    assert all_of(new) == all_of(log) != before


@pytest.mark.parametrize("kind", ["file", "database"])
@pytest.mark.parametrize(
    "there",
    [
        lambda log: log.append("green", 0, spoken(1)),
        lambda log: log.append("", 0, (), Beside(names={"p1": "Ann"})),
        lambda log: log.person(Account("telegram", "5"), "p1"),
        lambda log: log.set_bookmark("x", "y"),
    ],
)
def test_what_is_not_empty_is_left_as_it_is(
    make: Callable[[str], Log], kind: str, there: Callable[[Log], object]
) -> None:
    old, new = make("file"), make(kind)
    fill(old)
    there(new)
    before = all_of(new)
    with pytest.raises(NotCopied, match="holds something already"):
        new.load(old.dump())
    assert all_of(new) == before


@pytest.mark.parametrize("kind", ["file", "database"])
def test_a_copy_that_breaks_off_leaves_nothing(make: Callable[[str], Log], kind: str) -> None:
    old, new = make("file"), make(kind)
    fill(old)

    def broken() -> Iterator[Row]:
        for number, row in enumerate(old.dump()):
            if number == 20:
                raise KeyboardInterrupt
            yield row

    with pytest.raises(KeyboardInterrupt):
        new.load(broken())
    assert all_of(new) == []
    new.load(old.dump())
    assert all_of(new) == all_of(old)


def test_what_postgresql_cannot_keep_is_told_and_nothing_is_copied(make: Callable[[str], Log]) -> None:
    old, new = make("file"), make("database")
    fill(old)
    old.append("", 0, (), Beside(names={"p9": "a\0b"}))
    with pytest.raises(NotCopied, match=r"^PostgreSQL cannot keep a row of names: .*NUL.*Nothing was copied\.$"):
        new.load(old.dump())
    assert all_of(new) == []


@pytest.mark.parametrize(
    "trigger",
    [
        "UPDATE events SET hash = 'x' WHERE seq = 2",
        "DELETE FROM events WHERE seq = 3",
        "UPDATE outbox SET sent = NOT sent WHERE id = 1",
    ],
)
def test_a_copy_that_reads_otherwise_is_not_kept(make: Callable[[str], Log], trigger: str) -> None:
    """The database itself changes what is written, as a broken disk might."""
    old, new = make("database"), make("file")
    fill(old)
    assert isinstance(new, SqliteLog)
    with sqlite3.connect(new.path) as raw:
        raw.execute(f"CREATE TRIGGER broken AFTER INSERT ON bookmarks BEGIN {trigger}; END")
    raw.close()
    with pytest.raises(NotCopied, match="reads otherwise"):
        new.load(old.dump())
    assert all_of(new) == []


def test_a_damaged_log_is_not_copied(make: Callable[[str], Log]) -> None:
    old, new = make("file"), make("database")
    fill(old)
    assert isinstance(old, SqliteLog)
    with sqlite3.connect(old.path) as raw:
        raw.execute("UPDATE names SET name = CAST(x'ff61' AS TEXT)")
    raw.close()
    with pytest.raises(LogUnusable, match="damaged"):
        new.load(old.dump())
    assert all_of(new) == []
    assert new.head("green") == Head()


def test_an_older_log_that_is_only_looked_at_is_copied(make: Callable[[str], Log]) -> None:
    old = make("file")
    fill(old)
    assert isinstance(old, SqliteLog)
    with sqlite3.connect(old.path) as raw:
        raw.execute("DROP TABLE snapshots")
        raw.execute("PRAGMA user_version = 6")
    raw.close()
    looking, new = SqliteLog(old.path, read_only=True), make("database")
    new.load(looking.dump())
    assert all_of(new) == all_of(looking)
    looking.close()

"""SqliteLog keeps to the contract of every log, and its file to a few promises more."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from time import sleep

import pytest

from events.beside import Account, Beside, Said
from events.chain import first_break
from events.envelope import Head
from events.log import LogUnusable
from events.sqlite import APPLICATION_ID, MIGRATIONS, SqliteLog, held_alone, migrate
from tests.events.lasting_contract import LastingLogContract
from tests.events.log_contract import SEED, everything, seen
from tests.events.records import message, receipt, spoken


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rollbook.db"


@pytest.fixture
def log(path: Path) -> Iterator[SqliteLog]:
    log = SqliteLog(path)
    yield log
    log.close()


@pytest.fixture
def other(log: SqliteLog, path: Path) -> Iterator[SqliteLog]:
    """A second log on the file of the first, as another process has it."""
    other = SqliteLog(path, patience_s=0.05)
    yield other
    other.close()


@pytest.fixture
def raw(path: Path) -> Iterator[sqlite3.Connection]:
    """The file, past the log."""
    raw = sqlite3.connect(path, isolation_level=None)
    yield raw
    raw.close()


@pytest.fixture
def place(path: Path) -> str:
    return str(path)


class TestSqliteLog(LastingLogContract):
    """With `place`, `log`, `other` and `raw` from above."""

    kind = SqliteLog


# ---- the file


def test_positions_are_never_used_twice(log: SqliteLog, raw: sqlite3.Connection) -> None:
    log.append("green", 0, spoken(3))
    raw.execute("DELETE FROM events WHERE seq = 3")
    log.append("green", 2, spoken(1, log.head("green")))
    assert raw.execute("SELECT position, seq FROM events").fetchall() == [(1, 1), (2, 2), (4, 3)]


def test_the_file_is_for_its_owner_alone(log: SqliteLog, path: Path) -> None:
    log.append("green", 0, spoken(1))
    assert {file.name: oct(file.stat().st_mode & 0o777) for file in path.parent.iterdir()} == {
        "rollbook.db": "0o600",
        "rollbook.db-wal": "0o600",
        "rollbook.db-shm": "0o600",
    }


def test_what_is_acknowledged_is_asked_to_be_on_disk(log: SqliteLog) -> None:
    conn = log._writer.conn
    settings = [
        conn.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous", "foreign_keys")
    ]
    assert settings == ["wal", 2, 1]


def test_a_file_may_be_called_like_a_database_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    log = SqliteLog(":memory:")
    log.append("green", 0, spoken(1))
    log.close()
    again = SqliteLog(":memory:")
    assert tuple(again.read("green")) == spoken(1)
    again.close()


# ---- several programs


def test_who_asks_whether_a_task_is_done_neither_takes_it_nor_leaves_anything(
    log: SqliteLog, other: SqliteLog
) -> None:
    before = sorted(log.path.parent.iterdir())
    assert not other.claimed("post")
    assert sorted(log.path.parent.iterdir()) == before
    assert log.sole("post")
    assert other.claimed("post")
    assert log.claimed("post")
    assert not other.sole("post")
    log.close()
    assert not other.claimed("post")
    assert other.sole("post")


def test_a_table_whose_opening_failed_is_not_remembered(log: SqliteLog, other: SqliteLog) -> None:
    with pytest.raises(ValueError, match="blue"):
        log.append("green", 0, spoken(1), Beside(key=message(), receipt=receipt("blue")))
    other.append("red", 0, spoken(2, table="red"))
    log.append("green", 0, spoken(1))
    assert tuple(log.read("red")) == tuple(other.read("red")) == spoken(2, table="red")
    assert tuple(log.read("green")) == tuple(other.read("green")) == spoken(1)


# ---- migrations


def test_a_new_file_says_whose_it_is_and_which_schema_it_has(log: SqliteLog, raw: sqlite3.Connection) -> None:
    assert raw.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    assert raw.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS)


@pytest.mark.parametrize("version", range(len(MIGRATIONS)))
def test_a_file_of_every_earlier_schema_is_brought_up_to_date(
    path: Path, raw: sqlite3.Connection, version: int
) -> None:
    migrate(raw, MIGRATIONS[:version])
    if version:
        raw.execute("INSERT INTO tables (name) VALUES ('green')")
        raw.execute("INSERT INTO events (table_id, seq, body, hash) SELECT 1, 1, ?, ?", (*_first_event(),))
    log = SqliteLog(path)
    assert tuple(log.read("green")) == spoken(1)[:version]
    head = log.head("green")
    log.append("green", head.seq, spoken(1, head), everything())
    assert log.seed("green", 1) == SEED
    log.close()


def _first_event() -> tuple[bytes, str]:
    return spoken(1)[0].body, spoken(1)[0].hash


def test_a_migration_that_fails_leaves_the_file_at_the_one_before(raw: sqlite3.Connection) -> None:
    broken = (*MIGRATIONS[:1], ("CREATE TABLE extra (id INTEGER)", "CREATE TABLE extra (id INTEGER)"))
    with pytest.raises(sqlite3.OperationalError):
        migrate(raw, broken)
    assert raw.execute("PRAGMA user_version").fetchone()[0] == 1
    assert raw.execute("SELECT count(*) FROM sqlite_master WHERE name = 'extra'").fetchone()[0] == 0
    migrate(raw)
    assert raw.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS)


def test_a_migration_that_another_process_did_meanwhile_is_not_done_twice(path: Path, raw: sqlite3.Connection) -> None:
    raw.execute("PRAGMA journal_mode = WAL")
    raw.execute("BEGIN IMMEDIATE")
    slower = Thread(target=lambda: SqliteLog(path).close())
    slower.start()
    sleep(0.2)  # it has seen an empty file by now and waits for its turn
    for statement in (*MIGRATIONS[0], f"PRAGMA application_id = {APPLICATION_ID}", "PRAGMA user_version = 1"):
        raw.execute(statement)
    raw.execute("COMMIT")
    slower.join()
    assert raw.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS)


# ---- a file that cannot be used


def unusable(path: Path, reason: str) -> None:
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(LogUnusable, match=r"^[^\n]+\.$") as told:
        SqliteLog(path, patience_s=0.05)
    assert told.value.reason == reason
    assert str(path) in str(told.value)
    assert before is None or path.read_bytes() == before


def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.write_text("Dear diary, " * 100)
    unusable(path, "not_a_log")


@pytest.mark.parametrize(
    "made", ["CREATE TABLE songs (title TEXT)", "PRAGMA user_version = 1", "PRAGMA application_id = 1196444487"]
)
def test_another_programs_database_is_refused_and_left_alone(path: Path, raw: sqlite3.Connection, made: str) -> None:
    raw.execute(made)
    raw.close()
    unusable(path, "other_program")


def test_a_newer_schema_is_refused_and_left_alone(path: Path, raw: sqlite3.Connection) -> None:
    migrate(raw)
    raw.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    raw.close()
    unusable(path, "newer")


def test_a_damaged_file_is_refused_by_its_reader(path: Path) -> None:
    log = SqliteLog(path)
    log.append("green", 0, spoken(400))
    log.close()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2)
        file.write(b"\xff" * (size // 2))
    log = SqliteLog(path)
    with pytest.raises(LogUnusable) as told:
        list(log.read("green"))
    assert told.value.reason == "damaged"
    log.close()


@pytest.mark.parametrize(
    ("change", "asked"),
    [
        ("UPDATE events SET hash = CAST(x'ff61' AS TEXT)", lambda log: list(log.read("green"))),
        ("UPDATE events SET hash = CAST(x'ff61' AS TEXT)", lambda log: log.append("green", 3, spoken(1, Head(3)))),
        ("UPDATE tables SET name = CAST(x'67ff' AS TEXT)", lambda log: log.tables()),
        ("UPDATE names SET name = CAST(x'ff' AS TEXT)", lambda log: log.names()),
        ("UPDATE outbox SET text = CAST(x'ff' AS TEXT)", lambda log: log.pending()),
        ("UPDATE outbox SET choices = 'no json'", lambda log: log.pending()),
        ("UPDATE outbox SET choices = 'no json'", lambda log: log.receipt(message())),
        ("UPDATE inbox SET error_text = CAST(x'ff' AS TEXT), error_code = 'x'", lambda log: log.receipt(message())),
    ],
)
def test_a_byte_that_fell_over_in_a_text_is_damage(
    log: SqliteLog, other: SqliteLog, raw: sqlite3.Connection, change: str, asked: Callable[[SqliteLog], object]
) -> None:
    log.append("green", 0, spoken(3), everything())
    raw.execute(change)
    with pytest.raises(LogUnusable, match="is damaged") as told:
        asked(other)
    assert told.value.reason == "damaged"


# ---- looking alone


def looked_at(path: Path) -> tuple[object, ...]:
    log = SqliteLog(path, patience_s=0.05, read_only=True)
    try:
        return seen(log)
    finally:
        log.close()


def test_a_missing_file_is_not_made_by_looking(path: Path) -> None:
    with pytest.raises(LogUnusable, match="There is no log at"):
        SqliteLog(path, read_only=True)
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("version", range(len(MIGRATIONS)))
def test_a_file_of_an_earlier_schema_is_looked_at_as_it_is(path: Path, raw: sqlite3.Connection, version: int) -> None:
    migrate(raw, MIGRATIONS[:version])
    if version:
        raw.execute("INSERT INTO tables (name) VALUES ('green')")
        raw.execute("INSERT INTO events (table_id, seq, body, hash) SELECT 1, 1, ?, ?", (*_first_event(),))
    looking = SqliteLog(path, read_only=True)
    assert (tuple(looking.read("green")), looking.names()) == (spoken(1)[:version], {})
    looking.close()
    assert raw.execute("PRAGMA user_version").fetchone()[0] == version


@pytest.mark.skipif(sys.platform == "win32", reason="folders have other rights there")
@pytest.mark.parametrize(("of_file", "of_folder"), [(0o400, 0o700), (0o600, 0o500), (0o400, 0o500)])
def test_a_log_can_be_looked_at_where_nothing_can_be_written(nobody: Path, of_file: int, of_folder: int) -> None:
    path = nobody / "logs" / "rollbook.db"
    log = SqliteLog(path)
    log.append("green", 0, spoken(3), everything())
    before = seen(log)
    log.close()
    path.chmod(of_file)
    path.parent.chmod(of_folder)
    assert looked_at(path) == before
    path.parent.chmod(0o700)


@pytest.mark.skipif(sys.platform == "win32", reason="folders have other rights there")
def test_events_not_yet_in_the_file_itself_are_never_left_out(nobody: Path) -> None:
    path, copied = nobody / "logs" / "rollbook.db", nobody / "copy"
    log = SqliteLog(path)
    log.append("green", 0, spoken(3), everything())
    before = seen(log)
    shutil.copytree(path.parent, copied)  # as a power cut leaves it
    copied.chmod(0o500)
    assert looked_at(copied / path.name) == before
    copied.chmod(0o700)
    (copied / f"{path.name}-shm").unlink()
    copied.chmod(0o500)
    with pytest.raises(LogUnusable) as told:
        looked_at(copied / path.name)
    assert told.value.reason in {"no_access", "read_only"}
    copied.chmod(0o700)
    log.close()


def test_a_log_by_a_link_and_by_its_own_name_is_the_same(log: SqliteLog, path: Path, tmp_path: Path) -> None:
    link = tmp_path / "elsewhere" / "link.db"
    link.parent.mkdir()
    link.symlink_to(path)
    log.append("green", 0, spoken(1))
    other = SqliteLog(link)
    assert log.sole("post")
    assert not other.sole("post")
    assert other.size() == log.size()
    other.close()
    assert list(link.parent.iterdir()) == [link]


def test_an_empty_file_becomes_a_log(path: Path) -> None:
    path.touch()
    log = SqliteLog(path)
    assert log.tables() == []
    log.close()


def test_folders_that_are_missing_are_made(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "a" / "b" / "rollbook.db")
    log.append("green", 0, spoken(1))
    log.close()
    assert (tmp_path / "a" / "b" / "rollbook.db").is_file()
    assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700


def test_a_folder_in_the_files_place_is_refused(tmp_path: Path) -> None:
    unusable(tmp_path, "no_access")


def test_a_file_in_the_folders_place_is_refused(path: Path) -> None:
    path.touch()
    unusable(path / "rollbook.db", "no_access")


@pytest.fixture
def nobody() -> Iterator[Path]:
    """A folder that everyone may enter, and this process without the rights of root."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        yield Path(folder)
        if root:
            os.seteuid(0)


@pytest.mark.skipif(sys.platform == "win32", reason="folders have other rights there")
def test_a_read_only_file_or_folder_is_refused(nobody: Path) -> None:
    path = nobody / "logs" / "rollbook.db"
    SqliteLog(path).close()
    path.chmod(0o400)
    unusable(path, "read_only")
    path.chmod(0o600)
    path.parent.chmod(0o500)
    unusable(path, "read_only")
    unusable(path.with_name("new.db"), "no_access")
    path.parent.chmod(0o700)
    SqliteLog(path).close()


def test_a_file_held_by_another_program_is_locked_and_free_again_afterwards(
    log: SqliteLog, other: SqliteLog, raw: sqlite3.Connection
) -> None:
    log.append("green", 0, spoken(1))
    raw.execute("BEGIN IMMEDIATE")
    with pytest.raises(LogUnusable, match="held by another program") as told:
        other.append("green", 1, spoken(1, other.head("green")), everything())
    assert told.value.reason == "locked"
    assert tuple(other.read("green")) == spoken(1)
    raw.execute("ROLLBACK")
    other.append("green", 1, spoken(1, other.head("green")), everything())
    assert log.head("green").seq == 2


def test_a_new_file_held_by_another_program_is_locked(path: Path, raw: sqlite3.Connection) -> None:
    raw.execute("BEGIN EXCLUSIVE")
    unusable(path, "locked")


def test_a_full_disk_takes_nothing_half(log: SqliteLog) -> None:
    log.append("green", 0, spoken(10), everything())
    conn = log._writer.conn
    before = seen(log)
    conn.execute(f"PRAGMA max_page_count = {conn.execute('PRAGMA page_count').fetchone()[0] + 2}")
    with pytest.raises(LogUnusable, match="is full") as told:
        log.append("green", 10, spoken(1_000, log.head("green")), Beside(names={"x": "X"}))
    assert told.value.reason == "full"
    assert seen(log) == before
    conn.execute("PRAGMA max_page_count = 1000000")
    log.append("green", 10, spoken(1_000, log.head("green")))
    assert first_break(log.read("green")) is None


def test_what_is_forgotten_is_not_left_anywhere_in_the_file(path: Path) -> None:
    log = SqliteLog(path)
    said = Said(1, 1, "p1", "5a5a5a5a5a5a5a5a", "my grandmother's secret recipe")
    log.append("green", 0, spoken(1), Beside(names={"p1": "Rosalind"}, texts=(said,)))
    log.person(Account("telegram", "31415926"), "p1")
    traces = (said.text.encode(), said.salt.encode(), b"Rosalind", b"31415926")
    assert all(trace in _bytes(path) for trace in traces)
    log.append("", 0, (), Beside(forget="p1"))
    assert [trace for trace in traces if trace in _bytes(path)] == []
    log.close()
    assert [trace for trace in traces if trace in _bytes(path)] == []


def test_a_text_that_goes_is_not_left_anywhere_in_the_file(path: Path) -> None:
    log = SqliteLog(path)
    said = Said(1, 1, "p1", "5a5a5a5a5a5a5a5a", "my grandmother's secret recipe")
    log.append("green", 0, spoken(1), Beside(texts=(said,)))
    assert said.text.encode() in _bytes(path)
    log.append("green", 0, (), Beside(drop_texts=(1,)))
    assert [trace for trace in (said.text.encode(), said.salt.encode()) if trace in _bytes(path)] == []
    log.close()


def _bytes(path: Path) -> bytes:
    return b"".join(one.read_bytes() for one in path.parent.glob(f"{path.name}*"))


def test_who_opens_a_log_while_another_takes_its_place_opens_that_other(path: Path, tmp_path: Path) -> None:
    for place, count in ((path, 1), (tmp_path / "new.db", 2)):
        log = SqliteLog(place)
        log.append("green", 0, spoken(count))
        log.close()
    found: list[int] = []

    def opener() -> None:
        log = SqliteLog(path)
        found.append(log.head("green").seq)
        log.close()

    with held_alone(path):
        thread = Thread(target=opener)
        thread.start()
        sleep(0.2)  # let it come as far as it can
        (tmp_path / "new.db").replace(path)
    thread.join(60)
    assert found == [2]

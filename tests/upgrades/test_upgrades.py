"""A log that an older program made opens in this one, is kept as it was, holds, and is played on."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.app import App
from core.evolve import Table, replay
from core.messages import Incoming
from core.verify import verify
from events.beside import MessageKey
from events.codec import decode
from events.envelope import Stored
from events.sqlite import MIGRATIONS, SqliteLog
from events.talk import Texts
from tests.adapters.terminal import exported, play, refused, run
from tests.soak.small_disk import small_disk
from tests.story import Clock, Seeds
from tests.upgrades.dump import dumped

HERE = Path(__file__).parent
DUMPS = sorted(HERE.glob("schema-*.sql"))
OLDEST = 3  # the first schema that left the first working copy
NOW = len(MIGRATIONS)


def schema_of(dump: Path) -> int:
    return int(dump.stem.split("-")[1])


def laid_down(dump: Path, path: Path) -> Path:
    """The log that was dumped, as a file again."""
    path.touch(mode=0o600)
    with closing(sqlite3.connect(path)) as conn:
        conn.executescript(dump.read_text(encoding="utf-8"))
        conn.execute("PRAGMA journal_mode = WAL")  # as every program of ours has left it
    return path


@pytest.fixture(params=DUMPS, ids=lambda dump: dump.stem)
def dump(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


@pytest.fixture
def path(dump: Path, tmp_path: Path) -> Path:
    return laid_down(dump, tmp_path / "rollbook.db")


@pytest.fixture
def log(path: Path) -> Iterator[SqliteLog]:
    log = SqliteLog(path)
    yield log
    log.close()


def lines_of(path: Path) -> list[str]:
    return list(dumped(path))


def events_in(path: Path) -> list[tuple[str, Stored]]:
    """As they lie in the file, whatever its schema."""
    with closing(sqlite3.connect(path)) as conn:
        rows = conn.execute(
            """SELECT name, seq, CAST(body AS BLOB), hash FROM events JOIN tables ON tables.id = table_id
            ORDER BY position"""
        )
        return [(name, Stored(*row)) for name, *row in rows]


def test_there_is_a_log_of_every_older_schema() -> None:
    missing = set(range(OLDEST, NOW)) - {schema_of(dump) for dump in DUMPS}
    assert missing == set(), "README.md here says how to make one"


def test_it_is_brought_up_to_date_and_no_event_is_another(path: Path) -> None:
    before = events_in(path)
    SqliteLog(path).close()
    assert before
    assert events_in(path) == before
    with closing(sqlite3.connect(path)) as conn:
        assert conn.execute("PRAGMA user_version").fetchone() == (NOW,)


def test_it_is_kept_beside_as_it_was(dump: Path, path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        SqliteLog(path).close()
    kept = path.with_name(f"rollbook.db.before-{NOW}")
    if schema_of(dump) == NOW:
        assert not kept.exists()
        return
    assert "\n".join(lines_of(kept)) + "\n" == dump.read_text(encoding="utf-8")
    assert kept.stat().st_mode & 0o077 == 0
    assert str(kept) in caplog.text
    assert {one.name for one in path.parent.iterdir()} == {path.name, kept.name}


def test_every_table_of_it_holds(log: SqliteLog) -> None:
    log.examine()
    assert len(log.tables()) == 2
    for table in log.tables():
        verdict = verify(log.read(table), texts=Texts(log, table))
        assert verdict.broken is None
        assert verdict.open is not None
        assert log.seed(table, verdict.open) is not None, "the next die can be thrown, and the period be proved"


def test_it_replays_to_the_same_table_however_it_is_opened(log: SqliteLog) -> None:
    app = App(log, Clock(), Seeds(), schema="a")
    for table in log.tables():
        whole = replay(Table(table), map(decode, log.read(table)))
        assert app.table(table) == whole
        assert App(log, Clock(), Seeds(), schema="a").table(table) == whole


def test_a_message_that_the_old_program_has_answered_gets_that_answer_again(log: SqliteLog) -> None:
    app = App(log, Clock(), Seeds())
    key = MessageKey("telegram", "-100123", "2")
    heads = [log.head(table) for table in log.tables()]
    (answer,) = app.hear(Incoming(key=key, person=app.person("telegram", "77"), name="Gm", text="/roll 2d6"))
    assert not answer.new
    assert "2d6 = " in answer.letters[0].text
    assert [log.head(table) for table in log.tables()] == heads


def test_what_the_old_program_has_not_sent_still_goes_to_its_chat(log: SqliteLog) -> None:
    waiting = log.pending("telegram")
    assert [one.key.message for one in waiting][:2] == ["1", "2"]
    assert {(one.chat, one.letter.to) for one in waiting} == {("-100123", "table")}


def test_the_real_program_plays_on_and_all_that_is_revealed_is_proved(path: Path) -> None:
    before = exported(path, "--as", "audit", "--table", "main")
    lines = ("ann: /trait athletics", "gm: /session start Again", "ann: /roll 3d6", "gm: /session end")
    for answer in play(path, *lines):
        assert answer["error"] is None
    assert exported(path, "--as", "audit", "--table", "main").startswith(before)
    done = run("verify", path, "--table", "main")
    assert (done.returncode, done.stderr) == (0, "")
    assert "worked out again from the revealed seeds" in done.stdout


def test_to_look_at_it_changes_nothing(path: Path) -> None:
    before = lines_of(path)
    assert run("verify", path).returncode == 0
    assert run("replay", "--db", path, "--table", "main").returncode == 0
    assert lines_of(path) == before
    assert not list(path.parent.glob("*.before-*"))


def test_a_backup_of_it_is_restored_with_the_schema_of_today(path: Path, tmp_path: Path) -> None:
    copy, again = tmp_path / "copy.db", tmp_path / "again.db"
    assert run("backup", "--db", path, copy).returncode == 0
    assert run("restore", "--db", again, copy).returncode == 0
    assert events_in(again)[: len(events_in(path))] != []
    for table, one in events_in(path):
        assert (table, one) in events_in(again)
    assert run("verify", again).returncode == 0


# ---- where it cannot be so


def test_an_older_program_says_that_the_log_is_of_a_newer_one_and_leaves_it_alone(tmp_path: Path) -> None:
    path = laid_down(DUMPS[-1], tmp_path / "rollbook.db")
    with closing(sqlite3.connect(path)) as conn:
        conn.execute(f"PRAGMA user_version = {NOW + 1}")
    before = lines_of(path)
    for command in (["play", "--db", path], ["verify", path], ["backup", "--db", path, tmp_path / "copy.db"]):
        assert "written by a newer version of Rollbook; please update this one" in refused(run(*command))
    assert lines_of(path) == before
    assert {one.name for one in tmp_path.iterdir()} == {path.name}


def test_gone_back_to_and_brought_up_to_date_again_it_is_kept_again(tmp_path: Path) -> None:
    path = laid_down(DUMPS[0], tmp_path / "rollbook.db")
    kept = path.with_name(f"rollbook.db.before-{NOW}")
    SqliteLog(path).close()
    path.write_bytes(kept.read_bytes())
    SqliteLog(path).close()
    assert lines_of(path.with_name(f"rollbook.db.before-{NOW}-2")) == lines_of(kept)


def test_where_the_disk_has_no_room_for_a_copy_it_is_said_and_the_log_opens(caplog: pytest.LogCaptureFixture) -> None:
    with small_disk(1 << 20) as disk:
        laid_down(DUMPS[0], disk.log)
        disk.weigh((1 << 20) - 3 * disk.log.stat().st_size)
        SqliteLog(disk.log).close()
        assert not list(disk.folder.glob("*.before-*"))
        assert run("verify", disk.log).returncode == 0
    assert "could not be copied before" in caplog.text

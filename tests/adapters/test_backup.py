"""`rollbook backup` and `rollbook restore`, the real program: on a file, on a database, while the bot serves."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from adapters.backup import keys
from adapters.backup.keys import RESTORED
from core.verify import verify
from events.beside import MessageKey
from events.codec import decode
from events.sqlite import SqliteLog, pack, packed
from events.types import RollMade
from tests.adapters.terminal import EVENING, exported, play, refused, run
from tests.adapters.test_serve import ended, serving, table_of
from tests.servers.postgres import running, url_of
from tests.servers.telegram import FakeTelegram
from tests.soak.player import PLATFORM, told_in
from tests.soak.programs import killed, player, until_grown
from tests.soak.small_disk import small_disk

DATED = re.compile(r"rollbook-\d{8}T\d{6}Z\.db")
OPEN_EVENING = EVENING[:-1]  # the session runs on


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "rollbook.db"
    play(path, *OPEN_EVENING)
    return path


def backed_up(log: Path | str, to: Path, *options: object) -> str:
    done = run("backup", "--db", log, *options, to)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def restored(source: Path, to: Path | str, *options: object) -> str:
    done = run("restore", "--db", to, *options, source)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def faces(answers: list[dict[str, Any]]) -> list[list[int]]:
    return [die["faces"] for event in answers[0]["events"] for die in event["data"].get("dice", [])]


# ---- backed up


def test_a_backup_is_a_log_of_its_own_for_the_owner_alone(log: Path, tmp_path: Path) -> None:
    to = tmp_path / "copy.db"
    said = backed_up(log, to)
    assert f"Backed up to {to}: tables 1, events " in said
    assert re.search(r"Glacier \(t[0-9a-f]+\): events \d+, its head is \d+:[0-9a-f]{16}", said)
    assert "Keep it to yourself" in said
    assert stat.S_IMODE(to.stat().st_mode) == 0o600
    assert exported(to) == exported(log)
    assert not [one.name for one in tmp_path.iterdir() if one.name.startswith(("copy.db-", ".copy.db"))]


def test_in_a_folder_it_has_the_date_in_its_name_and_only_our_old_ones_are_thinned(log: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    old = [folder / f"rollbook-2020010{day}T000000Z.db" for day in (1, 2, 3)]
    others = [folder / name for name in ("rollbook-20200101T000000Z.db.bak", "other-20200101T000000Z.db", "notes.txt")]
    for one in (*old, *others):
        one.touch()
    said = backed_up(log, folder, "--keep", 2)
    assert "older backups removed: 2" in said
    left = {one.name for one in folder.iterdir()}
    assert left - {one.name for one in others} == {old[-1].name, *filter(DATED.fullmatch, left)}
    assert len(left) == len(others) + 2


def test_a_folder_that_is_not_there_yet_is_made_for_the_owner_alone(log: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "backups"
    backed_up(log, folder, "--keep", 2)
    (made,) = folder.iterdir()
    assert DATED.fullmatch(made.name)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_what_a_backup_that_was_cut_off_has_left_goes_after_a_day(log: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    old = [folder / f".rollbook-20200101T000000Z.db.0123abcd{ending}" for ending in ("", "-journal")]
    others = [folder / name for name in (".notes", ".rollbook-20200101T000000Z.db.swp")]
    young = folder / ".rollbook-20200101T000000Z.db.0123abce"
    for one in (*old, *others, young):
        one.touch()
    for one in (*old, *others):
        os.utime(one, (0, 0))
    backed_up(log, folder)
    assert {one for one in folder.iterdir() if not DATED.fullmatch(one.name)} == {*others, young}


def test_what_is_there_already_is_not_written_over(log: Path, tmp_path: Path) -> None:
    to = tmp_path / "notes.txt"
    to.write_text("mine")
    assert "is there already" in refused(run("backup", "--db", log, to))
    assert to.read_text() == "mine"
    assert "is there already" in refused(run("backup", "--db", log, log))
    assert "--keep" in refused(run("backup", "--db", log, "--keep", 3, tmp_path / "new.db"))
    assert "There is no log" in refused(run("backup", "--db", tmp_path / "none.db", tmp_path / "new.db"))
    assert "was not written" in refused(run("backup", "--db", log, tmp_path / "nowhere" / "new.db"))
    assert not (tmp_path / "new.db").exists()


def test_a_log_that_does_not_hold_is_kept_as_it_is_but_no_older_backup_goes(log: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    old = folder / "rollbook-20200101T000000Z.db"
    old.touch()
    with closing(sqlite3.connect(log)) as raw:
        raw.execute("UPDATE events SET body = replace(CAST(body AS TEXT), 'Glacier', 'Glazier') WHERE seq = 1")
        raw.commit()
    done = run("backup", "--db", log, "--keep", 1, folder)
    assert done.returncode == 1
    assert "event 1 does not hold" in done.stdout
    assert old.exists()
    (made,) = [one for one in folder.iterdir() if one != old]
    done = run("restore", "--db", tmp_path / "again.db", made)
    assert (done.returncode, "nothing was restored" in done.stdout) == (1, True)
    assert not (tmp_path / "again.db").exists()


def test_a_file_with_a_damaged_page_is_no_backup(log: Path, tmp_path: Path) -> None:
    with log.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 4096 * 8)
    said = refused(run("backup", "--db", log, tmp_path / "copy.db"))
    assert "damaged" in said
    assert not [one for one in tmp_path.iterdir() if "copy" in one.name]


def test_a_full_disk_leaves_no_half_backup_and_says_so(log: Path) -> None:
    with small_disk(1 << 20) as disk:
        disk.weigh((1 << 20) - 4 * 4096)
        assert "full" in refused(run("backup", "--db", log, disk.folder))
        assert [one.name for one in disk.folder.iterdir()] == ["weight"]
        disk.make_room()
        backed_up(log, disk.folder)


# ---- restored


def test_a_restored_table_goes_on_with_dice_that_nobody_has_seen(log: Path, tmp_path: Path) -> None:
    to, again = tmp_path / "copy.db", tmp_path / "again" / "rollbook.db"
    backed_up(log, to)
    seen = faces(play(log, "gm: /roll 20d100"))
    said = restored(to, again)
    assert "tables with a new seed: 1" in said
    assert faces(play(again, "gm: /roll 20d100")) != seen
    assert run("verify", again).returncode == 0
    assert "restored from a backup" in run("play", "--db", again, given="gm: /history 9").stdout
    assert stat.S_IMODE(again.stat().st_mode) == 0o600
    assert [one.name for one in again.parent.iterdir() if one.name.startswith(".")] == []


def test_a_log_in_its_place_stays_unless_asked_and_then_it_is_kept_aside(log: Path, tmp_path: Path) -> None:
    to = tmp_path / "copy.db"
    backed_up(log, to)
    play(log, "gm: /roll 2d6")
    later = exported(log)
    assert "--replace" in refused(run("restore", "--db", log, to))
    assert exported(log) == later
    said = restored(to, log, "--replace")
    (aside,) = tmp_path.glob("rollbook.db.replaced-*Z")
    assert str(aside) in said
    assert exported(aside) == later
    assert exported(log).startswith(exported(to))
    assert "the log itself" in refused(run("restore", "--db", log, "--replace", log))


def test_a_log_that_lies_elsewhere_by_a_link_is_put_back_there(log: Path, tmp_path: Path) -> None:
    to, link = tmp_path / "copy.db", tmp_path / "home" / "rollbook.db"
    link.parent.mkdir()
    link.symlink_to(log)
    backed_up(link, to)
    play(log, "gm: /roll 2d6")
    later = exported(log)
    said = restored(to, link, "--replace")
    (aside,) = tmp_path.glob("rollbook.db.replaced-*Z")
    assert str(aside) in said
    assert (link.is_symlink(), aside.is_symlink()) == (True, False)
    assert exported(aside) == later
    assert exported(link) == exported(log)
    assert list(link.parent.iterdir()) == [link]


def test_a_damaged_log_gives_way_to_its_backup(log: Path, tmp_path: Path) -> None:
    to = tmp_path / "copy.db"
    backed_up(log, to)
    log.write_bytes(b"\xff" * log.stat().st_size)
    restored(to, log, "--replace")
    assert run("verify", log).returncode == 0
    (aside,) = tmp_path.glob("rollbook.db.replaced-*Z")
    assert aside.read_bytes().startswith(b"\xff")


def test_a_log_that_somebody_uses_is_not_replaced(log: Path, tmp_path: Path) -> None:
    to = tmp_path / "copy.db"
    backed_up(log, to)
    using = SqliteLog(log)
    try:
        assert "held by another program" in refused(run("restore", "--db", log, "--replace", to))
    finally:
        using.close()
    assert not list(tmp_path.glob("*.replaced-*"))
    restored(to, log, "--replace")


def test_a_full_disk_leaves_the_log_that_was_there(log: Path, tmp_path: Path) -> None:
    to = tmp_path / "copy.db"
    backed_up(log, to)
    with small_disk(1 << 20) as disk:
        disk.log.write_bytes(log.read_bytes())
        before = exported(disk.log)
        disk.weigh((1 << 20) - 3 * log.stat().st_size)
        disk.fill()
        said = refused(run("restore", "--db", disk.log, "--replace", to))
        assert "full" in said or "No space left" in said  # ours, or the system's own word for it
        disk.make_room()
        assert exported(disk.log) == before
        assert not [one for one in disk.folder.iterdir() if one.name.startswith((".rollbook-", "rollbook.db.replaced"))]


@pytest.mark.parametrize("content", [b"", b"not a log at all", b"SQLite format 3\0 and then nothing of it"])
def test_what_is_no_log_is_not_restored(tmp_path: Path, content: bytes) -> None:
    source, to = tmp_path / "copy.db", tmp_path / "rollbook.db"
    source.write_bytes(content)
    assert str(source) in refused(run("restore", "--db", to, source))
    assert not to.exists()


def test_both_are_told_in_the_users_language(log: Path, tmp_path: Path) -> None:
    said = run("backup", "--db", log, tmp_path / "copy.db", language="zh_CN.UTF-8").stdout
    assert f"已备份到 {tmp_path / 'copy.db'}：1 个团" in said
    said = run("restore", "--db", tmp_path / "again.db", tmp_path / "copy.db", language="zh_CN.UTF-8").stdout
    assert f"已恢复到 {tmp_path / 'again.db'}：1 个团" in said


# ---- the Matrix keys


def configured(tmp_path: Path, store: Path) -> Path:
    file = tmp_path / "rollbook.toml"
    matrix = {"homeserver": "https://example.org", "user": "@rollbook:example.org", "password": "x"}
    lines = [f"{key} = {json.dumps(value)}" for key, value in {**matrix, "store": str(store)}.items()]
    file.write_text("\n".join(["[matrix]", *lines]))
    return file


def keys_in(store: Path) -> list[tuple[str]]:
    with closing(sqlite3.connect(store / "@rollbook_DEVICE.db")) as keys:
        return keys.execute("SELECT key FROM sessions").fetchall()


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """As nio keeps it, the last key not yet in the file itself."""
    store = tmp_path / "keys"
    store.mkdir()
    (store / "device.json").write_text('{"device_id": "DEVICE"}')
    with closing(sqlite3.connect(store / "@rollbook_DEVICE.db")) as keys:
        keys.executescript("PRAGMA journal_mode = WAL; CREATE TABLE sessions (key TEXT)")
        keys.execute("INSERT INTO sessions VALUES ('first')")
        keys.commit()
    return store


def test_the_matrix_login_and_keys_go_along_and_come_back(log: Path, tmp_path: Path, store: Path) -> None:
    config, to, new = configured(tmp_path, store), tmp_path / "copy.db", tmp_path / "there" / "keys"
    with closing(sqlite3.connect(store / "@rollbook_DEVICE.db")) as keys:
        keys.execute("INSERT INTO sessions VALUES ('last')")
        keys.commit()
        assert "Matrix login and keys are in it (files: 2)" in backed_up(log, to, "--config", config)
    assert packed(to).keys() == {"matrix/@rollbook_DEVICE.db", "matrix/device.json"}
    assert exported(to) == exported(log)
    said = restored(to, tmp_path / "again.db", "--config", configured(tmp_path, new))
    assert f"are back in {new}" in said
    assert keys_in(new) == [("first",), ("last",)]
    assert (new / "device.json").read_text() == '{"device_id": "DEVICE"}'
    assert {stat.S_IMODE(one.stat().st_mode) for one in (new, *new.iterdir())} == {0o700, 0o600}
    assert packed(tmp_path / "again.db") == {}


def test_keys_that_lie_elsewhere_by_a_link_are_put_back_there(tmp_path: Path) -> None:
    elsewhere, link = tmp_path / "disk" / "keys", tmp_path / "keys"
    elsewhere.mkdir(parents=True)
    link.symlink_to(elsewhere)
    assert keys.put_back({"matrix/a.db": b"key"}, link)
    assert link.is_symlink()
    assert {one.name for one in elsewhere.iterdir()} == {"a.db", RESTORED}


def test_keys_that_are_there_are_newer_and_stay(log: Path, tmp_path: Path, store: Path) -> None:
    config, to = configured(tmp_path, store), tmp_path / "copy.db"
    backed_up(log, to, "--config", config)
    with closing(sqlite3.connect(store / "@rollbook_DEVICE.db")) as keys:
        keys.execute("INSERT INTO sessions VALUES ('newer')")
        keys.commit()
    assert "they stay" in restored(to, tmp_path / "again.db", "--config", config)
    assert ("newer",) in keys_in(store)
    assert "give the --config of serve" in restored(to, tmp_path / "once more.db")


def test_a_file_cannot_be_put_outside_the_folder_of_the_keys(log: Path, tmp_path: Path) -> None:
    to, store = tmp_path / "copy.db", tmp_path / "inner" / "keys"
    backed_up(log, to)
    pack(to, {"../../evil": b"x", "matrix/../../worse": b"y"})
    restored(to, tmp_path / "again.db", "--config", configured(tmp_path, store))
    assert {one.name for one in store.iterdir()} == {"evil", "worse", RESTORED}
    assert not [one for one in tmp_path.rglob("*") if one.name in ("evil", "worse") and one.parent != store]


# ---- a database


def test_a_database_is_backed_up_to_a_file_and_restored_to_another_database(tmp_path: Path) -> None:
    postgres = running()
    url, new, to = url_of(postgres.fresh(), "hunter2"), url_of(postgres.fresh(), "hunter2"), tmp_path / "copy.db"
    run("play", "--db", url, given="\n".join(OPEN_EVENING))
    said = backed_up(url, to)
    assert "hunter2" not in said
    assert exported(to) == run("export", "--db", url, "--as", "audit").stdout
    said = restored(to, new)
    assert "tables with a new seed: 1" in said
    assert "hunter2" not in said
    assert run("verify", new).returncode == 0
    assert "holds something already" in refused(run("restore", "--db", new, to))


# ---- rehearsed


def rolls_of(path: Path) -> list[RollMade]:
    log = SqliteLog(path, read_only=True)
    (table,) = log.tables()
    stored = list(log.read(table))
    log.close()
    assert verify(stored).broken is None
    return [one.data for one in map(decode, stored) if isinstance(one.data, RollMade)]


def test_backed_up_under_load_killed_and_restored_elsewhere_the_table_plays_on(tmp_path: Path) -> None:
    path, to, again = tmp_path / "rollbook.db", tmp_path / "copy.db", tmp_path / "elsewhere" / "rollbook.db"
    with FakeTelegram() as server:
        gm, group = table_of(server, path)
        with serving(server, path) as process:
            playing, stop = _rolling(server, group, gm)
            server.wait_for(lambda: len(server.of_bot(group)) > 5, 60)
            backed_up(path, to)
            at_backup = len(rolls_of(to))
            server.wait_for(lambda: len(rolls_of(path)) > at_backup + 5, 60)
            stop.set()
            playing.join()
            process.kill()
            process.wait()
        seen = rolls_of(path)
        assert 0 < at_backup < len(seen)
        assert rolls_of(to) == seen[:at_backup]
        assert "the chats are told when serve starts" in restored(to, again)
        with serving(server, again) as process:
            server.wait_for(lambda: any("restored from a backup" in one.text for one in server.of_bot(group)), 60)
            before = len(rolls_of(again))
            server.text(group, gm, "/roll 20d100")
            server.wait_for(lambda: len(rolls_of(again)) > before, 60)
            said = ended(process)
    assert "Traceback" not in said
    after = rolls_of(again)
    assert after[:at_backup] == seen[:at_backup]
    assert {one.period for one in after[at_backup:]} == {2}
    assert {one.period for one in seen} == {1}, "the dice that were lost are of another seed"
    assert run("verify", again).returncode == 0


def _rolling(server: FakeTelegram, group: int, by: dict[str, Any]) -> tuple[threading.Thread, threading.Event]:
    """Somebody rolls without end, until the event is set."""
    stop = threading.Event()

    def roll() -> None:
        while not stop.wait(0.01):
            server.text(group, by, "/roll 20d100")

    thread = threading.Thread(target=roll)
    thread.start()
    return thread, stop


def test_a_backup_taken_while_many_tables_are_written_to_is_of_one_moment(tmp_path: Path) -> None:
    path, told, to = tmp_path / "rollbook.db", tmp_path / "told.jsonl", tmp_path / "copy.db"
    with player(path, told, "--tables", 16) as program:
        until_grown(program, told, 200)
        acknowledged = told_in(told)
        backed_up(path, to)
        killed(program)
    log = SqliteLog(to, read_only=True)
    missing = [one for one in acknowledged if log.receipt(MessageKey(PLATFORM, one.chat, one.message)) is None]
    log.close()
    assert acknowledged
    assert missing == [], "what was acknowledged before the backup began is in it"

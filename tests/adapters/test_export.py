"""Export, import, verify and replay as programs, on logs that are played on meanwhile or have been altered."""

from __future__ import annotations

import ctypes
import json
import os
import re
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.export import whole
from tests.adapters.terminal import ENVIRONMENT, EVENING, PROGRAM, exported, play, refused, run


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A played evening, its seeds revealed."""
    path = tmp_path / "log.db"
    play(path, *EVENING)
    return path


def head_told(text: str) -> str:
    """The last end of the record that the chat was told."""
    return re.findall(r"stands at (\d+:[0-9a-f]{16})", text)[-1]


# ---- export


def test_an_export_is_written_whole_and_says_how_many(db: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    done = run("export", "--db", db, "--as", "audit", "-o", file)
    assert done.returncode == 0
    assert file.read_text() == exported(db)
    assert str(len(file.read_text().splitlines())) in done.stderr
    assert sorted(one.name for one in tmp_path.iterdir() if "jsonl" in one.name) == ["out.jsonl"]


def test_an_export_keeps_a_secret_until_its_seed_is_revealed(db: Path) -> None:
    play(db, "gm: /roll 3d6 secret", "gm: /roll 4d6 secret=me", "ann: /roll d4")
    player, gm, audit = (exported(db, "--as", role).splitlines() for role in ("player", "gm", "audit"))
    sealed = [json.loads(line) for line in player if '"sealed"' in line]
    whole = [json.loads(line) for line in audit]
    assert sealed == [
        {"seq": one["seq"], "table": one["table"], "sealed": True, "prev": one["prev"], "hash": one["hash"]}
        for one in whole[-3:-1]
    ]
    assert [one["type"] for one in map(json.loads, player) if "type" in one].count("RollMade") == 3
    assert [gm[place] == audit[place] for place in (-3, -2, -1)] == [True, False, True]
    play(db, "gm: /reveal")
    assert exported(db, "--as", "player") == exported(db)


def test_of_rolls_towards_a_secret_target_the_target_alone_is_sealed(tmp_path: Path) -> None:
    db, file = tmp_path / "log.db", tmp_path / "player.jsonl"
    rolls = ("ann: /extended roll Car", "ann: /extended roll Car", "ann: /pool 3")
    play(db, "gm: /table new storytelling", "ann: /join", "gm: /extended new Car target=97 secret 4", *rolls)
    played = [json.loads(line) for line in exported(db).splitlines()]
    player = exported(db, "--as", "player")
    sealed = {one["seq"] for one in map(json.loads, player.splitlines()) if "sealed" in one}
    assert sealed == {one["seq"] for one in played if one["type"] in ("ExtendedStarted", "ExtendedProgress")}
    assert len(sealed) == 3
    assert '"target":97' in exported(db)
    rows = exported(db, "--format", "csv", "--as", "player").splitlines()
    assert rows == exported(db, "--format", "csv", "--as", "gm").splitlines()
    assert len(rows) == 4
    assert "rolls 3" in run("stats", "--db", db).stdout
    texts = [exported(db, "--format", form, "--as", "player") for form in ("jsonl", "csv", "md", "txt")]
    assert not any(re.search(r"(/|[tT]arget\D{0,3})97\b", text) for text in texts)
    file.write_text(player)
    assert run("verify", file).returncode == 0


def test_a_sealed_export_is_verified_as_far_as_it_is_open(db: Path, tmp_path: Path) -> None:
    play(db, "gm: /roll 3d6 secret", "ann: /roll d4")
    file = tmp_path / "player.jsonl"
    run("export", "--db", db, "-o", file)
    done = run("verify", file)
    assert done.returncode == 0
    assert "still sealed in this copy, events: 1" in done.stdout
    sealed = next(one["seq"] for one in map(json.loads, file.read_text().splitlines()) if "sealed" in one)
    assert f"events up to {sealed} could have been changed" in done.stdout
    assert "the chain holds" not in done.stdout
    assert f"第 1 到 {sealed} 条可能被" in run("verify", file, language="zh_CN.UTF-8").stdout
    assert "--as audit" in refused(run("import", "--db", tmp_path / "new.db", file))


def test_one_session_can_be_exported_and_verified_as_a_part(db: Path, tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    assert run("export", "--db", db, "--session", 1, "-o", file).returncode == 0
    assert {json.loads(line)["session"] for line in file.read_text().splitlines()} == {1}
    assert run("verify", "--part", file).returncode == 0
    done = run("verify", file)
    assert done.returncode == 1
    assert "--part" in done.stdout
    assert "no session 9" in refused(run("export", "--db", db, "--session", 9))


def test_a_head_from_before_a_part_begins_is_not_checked_and_said_so(db: Path, tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    run("export", "--db", db, "--session", 1, "-o", file)
    first = json.loads(file.read_text().splitlines()[0])
    for seq in (1, first["seq"] - 1):
        told = refused(run("verify", "--part", "--head", f"{seq}:{first['prev'][:16]}", file))
        assert told.startswith(f"This file begins with event {first['seq']}: the head of event {seq} cannot be")
    assert run("verify", "--part", "--head", f"{first['seq']}:{first['hash'][:16]}", file).returncode == 0
    assert run("verify", "--part", "--head", f"{first['seq']}:{'f' * 16}", file).returncode == 1


def test_a_page_is_verified_by_itself(db: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    run("export", "--db", db, "-o", page)
    assert "open it in a browser and press “Verify now”" in refused(run("verify", page))


def test_a_picture_is_not_written_under_the_name_of_another_kind(db: Path, tmp_path: Path) -> None:
    assert "name it x.png" in refused(run("stats", "--db", db, "-o", tmp_path / "x.jpg"))
    assert list(tmp_path.glob("x.*")) == []


def test_a_table_is_found_by_id_title_and_terminal_name(db: Path) -> None:
    play(db, "gm: /table new savage Second", options=("--table", "two"))
    first, second = (json.loads(exported(db, "--table", name).splitlines()[0]) for name in ("glacier", "two"))
    assert (first["data"]["title"], second["data"]["title"]) == ("Glacier", "Second")
    assert exported(db, "--table", first["table"]) == exported(db, "--table", "main")
    assert "Which table" in refused(run("export", "--db", db))
    assert "Glacier" in refused(run("export", "--db", db, "--table", "Third"))
    play(db, "gm: /table new savage Second", options=("--table", "three"))
    assert second["table"] in refused(run("export", "--db", db, "--table", "Second"))


@pytest.mark.parametrize(
    "command",
    [
        ("export", "--as", "audit", "-o"), ("export", "--format", "html", "-o"), ("export", "--person", "ann", "-o"),
        ("replay", "--html"), ("stats", "-o"),
    ],
)  # fmt: skip
def test_a_log_is_never_written_over(db: Path, tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "link.jsonl").symlink_to(db)
    (other := tmp_path / "other.db").write_bytes(before := db.read_bytes())
    for file in (db, tmp_path / "link.jsonl", other, tmp_path / "log.db-wal", tmp_path / "log.db-journal"):
        assert "is not written over" in refused(run(command[0], "--db", db, *command[1:], file))
    assert other.read_bytes() == before
    assert run("verify", db).returncode == 0


@pytest.mark.parametrize(
    ("name", "options", "begins"),
    [
        ("night.csv", (), "\ufeff"), ("night.TXT", (), "Rollbook("), ("night.md", (), "# Glacier"),
        ("night.html", (), "<!doctype html>"), ("night.log", (), "{"), ("night.csv", ("--format", "txt"), "Rollbook("),
    ],
)  # fmt: skip
def test_an_export_is_what_the_name_of_its_file_says_unless_told_otherwise(
    db: Path, tmp_path: Path, name: str, options: tuple[str, ...], begins: str
) -> None:
    assert run("export", "--db", db, *options, "-o", tmp_path / name).returncode == 0
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)


@pytest.mark.parametrize("option", [("--format", "csv"), ("--session", "1"), ("--as", "gm"), ("--table", "main")])
def test_everything_about_a_person_is_not_cut_down_by_options(db: Path, option: tuple[str, str]) -> None:
    assert option[0] in refused(run("export", "--db", db, "--person", "ann", *option))


def test_what_cannot_be_imported_is_said_in_words(db: Path, tmp_path: Path) -> None:
    for name, lines in {
        "session": exported(db, "--session", "1").splitlines(),
        "gap": [line for place, line in enumerate(exported(db).splitlines()) if place != 3],
    }.items():
        (tmp_path / name).write_text("\n".join(lines))
    one, other = (refused(run("import", "--db", tmp_path / "new.db", tmp_path / name)) for name in ("session", "gap"))
    assert "not a session of it" in one
    assert "Event 4 does not hold: it is missing" in other


def test_a_missing_log_is_not_made_by_looking_at_it(tmp_path: Path) -> None:
    missing = tmp_path / "none.db"
    for command in ("export", "replay"):
        assert "no log" in refused(run(command, "--db", missing))
    refused(run("verify", missing))
    assert not missing.exists()


def test_a_full_disk_is_told_and_leaves_no_file(db: Path, tmp_path: Path) -> None:
    assert "No space left" in refused(run("export", "--db", db, "-o", "/dev/full"))
    assert Path("/dev/full").is_char_device()
    kept = tmp_path / "kept.jsonl"
    kept.write_text("what was there before")
    with pytest.raises(OSError, match="File too large"), at_most(20_000):
        whole.write((b"x" * 99 for _ in range(1_000)), kept)
    assert [one.read_text() for one in tmp_path.glob("*kept*")] == ["what was there before"]
    assert [one for one in tmp_path.iterdir() if one.name.startswith(".kept")] == []


class at_most:  # noqa: N801  reads as a word in `with at_most(…)`
    """No file may grow beyond so many bytes: the nearest to a full disk without a disk of our own."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __enter__(self) -> None:
        self.before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.size, self.before[1]))

    def __exit__(self, *_: object) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, self.before)


# ---- import


def test_an_import_gives_back_the_same_bytes_and_can_be_played_on(db: Path, tmp_path: Path) -> None:
    file, new = tmp_path / "out.jsonl", tmp_path / "new.db"
    file.write_text(exported(db))
    done = run("import", "--db", new, "--table", "moved", file)
    assert (done.returncode, done.stderr) == (0, "")
    assert exported(new) == file.read_text()
    assert "Events imported: 0" in run("import", "--db", new, file).stdout
    (answer,) = play(new, "ann: /trait athletics", options=("--table", "moved"))
    assert [event["type"] for event in answer["events"]] == ["PeriodOpened", "RollMade"]
    assert run("verify", new).returncode == 0


def test_an_import_appends_what_is_missing_and_nothing_twice(db: Path, tmp_path: Path) -> None:
    file, new = tmp_path / "out.jsonl", tmp_path / "new.db"
    lines = exported(db).splitlines(keepends=True)
    file.write_text("".join(lines[:5]))
    assert run("import", "--db", new, file).stdout.startswith("Events imported: 5")
    file.write_text("".join(lines))
    assert run("import", "--db", new, file).stdout.startswith(f"Events imported: {len(lines) - 5}")
    file.write_text("".join(lines[:3]))
    assert run("import", "--db", new, file).stdout.startswith("Events imported: 0")
    assert exported(new) == "".join(lines)


def test_an_import_that_does_not_hold_is_refused_as_a_whole(db: Path, tmp_path: Path) -> None:
    file, new = tmp_path / "out.jsonl", tmp_path / "new.db"
    for name, lines in altered(exported(db).splitlines(keepends=True)):
        if name == "cut off":
            continue  # a beginning is a log too
        file.write_text("".join(lines))
        assert "does not hold" in refused(run("import", "--db", new, file))
    file.write_text("no export\n")
    assert "does not begin like an export" in refused(run("import", "--db", new, file))
    file.write_text("")
    assert "no event" in refused(run("import", "--db", new, file))
    assert not new.exists()


def test_an_import_over_another_course_of_the_same_table_is_refused(db: Path, tmp_path: Path) -> None:
    file, new = tmp_path / "out.jsonl", tmp_path / "new.db"
    file.write_text(exported(db))
    run("import", "--db", new, "--table", "moved", file)
    play(new, "ann: /roll d6", options=("--table", "moved"))
    play(db, "ann: /roll d8")
    file.write_text(exported(db))
    before = exported(new)
    assert "another event" in refused(run("import", "--db", new, file))
    assert exported(new) == before


# ---- verify


def altered(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Copies of an export in which something is not as it was."""
    yield "changed", [*lines[:6], lines[6].replace('"seq":7', '"seq":7 ', 1), *lines[7:]]
    yield "changed hash", [*lines[:6], lines[6][:-8] + "0000" + lines[6][-4:], *lines[7:]]
    yield "garbled", [*lines[:6], "{" + lines[6][10:], *lines[7:]]
    yield "cut in a line", [*lines[:-1], lines[-1][:40]]
    yield "removed", [*lines[:6], *lines[7:]]
    yield "first removed", lines[1:]
    yield "swapped", [*lines[:5], lines[6], lines[5], *lines[7:]]
    yield "doubled", [*lines[:6], lines[5], *lines[6:]]
    yield "cut off", lines[:-2]


def test_a_log_and_its_export_are_verified_down_to_the_dice(db: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    file.write_text(exported(db))
    told = head_told(run("replay", "--db", db).stdout)
    for what in (db, file):
        done = run("verify", what, "--head", told)
        assert (done.returncode, done.stderr) == (0, "")
        assert "worked out again" in done.stdout
        assert told in done.stdout
    assert "链首" in run("verify", db, language="zh_CN.UTF-8").stdout


@pytest.mark.parametrize("number", range(9))
def test_whatever_is_altered_in_an_export_is_found(db: Path, tmp_path: Path, number: int) -> None:
    file = tmp_path / "out.jsonl"
    lines = exported(db).splitlines(keepends=True)
    _, copy = list(altered(lines))[number]
    file.write_text("".join(copy))
    done = run("verify", file, "--head", head_told(run("replay", "--db", db).stdout))
    assert (done.returncode, done.stderr) == (1, "")
    assert re.search(r"event \d+ does not hold", done.stdout)


@pytest.mark.parametrize(
    ("change", "seq"),
    [
        ("UPDATE events SET body = replace(body, 'Glacier', 'Glasier') WHERE seq = 1", 1),
        ("UPDATE events SET hash = substr(hash, 2) || substr(hash, 1, 1) WHERE seq = 4", 4),
        ("DELETE FROM events WHERE seq = 5", 5),
        ("DELETE FROM events", 1),
        ("UPDATE events SET seq = CASE seq WHEN 6 THEN -7 WHEN 7 THEN -6 ELSE seq END", 6),
    ],
)
def test_whatever_is_altered_in_a_log_is_found(db: Path, change: str, seq: int) -> None:
    conn = sqlite3.connect(db)
    conn.execute(change)
    conn.execute("UPDATE events SET seq = -seq WHERE seq < 0")
    conn.commit()
    conn.close()
    done = run("verify", db)
    assert (done.returncode, done.stderr) == (1, "")
    assert f"event {seq} does not hold" in done.stdout


def test_a_log_cut_off_at_its_end_is_found_by_the_head_told_in_the_chat(db: Path) -> None:
    told = head_told(run("replay", "--db", db).stdout)
    conn = sqlite3.connect(db)
    conn.execute("DELETE FROM events WHERE seq > 10")
    conn.commit()
    conn.close()
    assert run("verify", db).returncode == 0
    done = run("verify", db, "--head", told)
    assert done.returncode == 1
    assert "event 11 does not hold: the log is cut off here" in done.stdout


@pytest.mark.parametrize(
    "copied",
    [
        "{seq}:{hash}", "🔗 记录到 {seq}:{hash}", "🔗 the record stands at {seq}:{hash}", "{seq}：{hash}",
        "记录到{seq}：{hash}。", "12:30 gm: the record stands at {seq}:{hash}…", " {seq} : {hash} ",
    ],
)  # fmt: skip
def test_the_head_may_be_copied_from_the_chat_as_it_stands(db: Path, copied: str) -> None:
    seq, digits = head_told(run("replay", "--db", db).stdout).split(":")
    assert run("verify", db, "--head", copied.format(seq=seq, hash=digits[:10])).returncode == 0
    assert run("verify", db, "--head", copied.format(seq=seq, hash="0" * 10)).returncode == 1


def test_a_head_is_of_one_table(db: Path) -> None:
    play(db, "gm: /table new savage Second", options=("--table", "two"))
    told = head_told(run("replay", "--db", db, "--table", "main").stdout)
    assert "add --table" in refused(run("verify", db, "--head", told))
    assert run("verify", db, "--head", told, "--table", "main").returncode == 0


def without_roots_rights() -> None:
    """In a child of root before it becomes our program: files have for it the rights that they show."""
    if os.geteuid() == 0:
        set_process = ctypes.CDLL(None, use_errno=True).prctl
        drop_from_bounding_set, overrides = 24, (1, 2)  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        assert not any(set_process(drop_from_bounding_set, one) for one in overrides)


@pytest.mark.skipif(sys.platform != "linux", reason="root's rights are put down in another way there")
@pytest.mark.parametrize(("of_file", "of_folder"), [(0o400, 0o700), (0o600, 0o500), (0o400, 0o500)])
def test_looking_back_needs_no_right_to_write(db: Path, tmp_path: Path, of_file: int, of_folder: int) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    copy = folder / "log.db"
    copy.write_bytes(db.read_bytes())
    copy.chmod(of_file)
    folder.chmod(of_folder)
    done = {
        command: subprocess.run(
            [*PROGRAM, command, *at, str(copy)], capture_output=True, check=False, env=ENVIRONMENT, timeout=60,
            preexec_fn=without_roots_rights,
        )
        for command, at in (("play", ["--db"]), ("replay", ["--db"]), ("export", ["--db"]), ("verify", []))
    }  # fmt: skip
    assert [one.returncode for one in done.values()] == [2, 0, 0, 0], done
    assert b"can be read but not written" in done.pop("play").stderr
    assert all(one.stdout and not one.stderr for one in done.values())
    assert copy.read_bytes() == db.read_bytes()


def test_what_cannot_be_verified_at_all_is_told_in_one_line(db: Path, tmp_path: Path) -> None:
    file = tmp_path / "some.txt"
    file.write_text("dear diary\n")
    assert "export" in refused(run("verify", file))
    file.write_text("")
    assert "no event" in refused(run("verify", file))
    assert "SEQ:HASH" in refused(run("verify", db, "--head", "twelve"))
    assert "Nowhere" in refused(run("verify", db, "--table", "Nowhere"))


# ---- replay


def test_a_replay_tells_every_act_and_the_state_it_left_from_the_log_alone(db: Path) -> None:
    play(db, "gm: /session start", "gm: /benny give Ann", "gm: /undo")
    with sqlite3.connect(db) as conn:
        conn.execute("DELETE FROM seeds")
    conn.close()
    done = run("replay", "--db", db)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    assert "Bennies ann: 3 → 4" in done.stdout
    assert re.search(r"#\d+ .* gm \(taken back later, by number \d+\)", done.stdout)


def test_a_replay_shows_a_secret_to_those_who_may_see_it(db: Path) -> None:
    play(db, "gm: /roll 7d6 secret # owl", "gm: /roll 9d6 secret=me # wolf")  # words that no hash can hold
    shown = {role: run("replay", "--db", db, "--as", role).stdout for role in ("player", "gm", "audit")}
    assert [("owl" in shown[role], "wolf" in shown[role]) for role in shown] == [
        (False, False), (True, False), (True, True),
    ]  # fmt: skip


def test_a_replay_stops_where_it_is_told_and_shows_one_session(db: Path) -> None:
    done = run("replay", "--db", db, "--session", 1)
    assert "is open" not in done.stdout
    assert "Session 1 is over." in done.stdout
    assert "#1 " in run("replay", "--db", db, "--to", 1).stdout
    assert run("replay", "--db", db, "--to", 1).stdout.count("#") == 1
    assert "no session 4" in refused(run("replay", "--db", db, "--session", 4))


def test_a_replay_never_ends_in_the_middle_of_an_act(db: Path) -> None:
    acts = [(one["seq"], one["cause"]) for one in map(json.loads, exported(db).splitlines())]
    first = next(seq for seq, cause in acts if [other for _, other in acts].count(cause) > 1)
    last = max(seq for seq, cause in acts if cause == dict(acts)[first])
    whole = run("replay", "--db", db, "--to", last).stdout
    assert all(run("replay", "--db", db, "--to", seq).stdout == whole for seq in range(first, last))
    assert f"#{last + 1} " not in whole
    end = acts[-1][0]
    assert [run("replay", "--db", db, "--to", seq).stdout for seq in (end - 1, end, end + 9)] == (
        [run("replay", "--db", db).stdout] * 3
    )


def test_a_replay_at_speed_waits_as_long_as_people_did(db: Path) -> None:
    assert run("replay", "--db", db, "--speed", 1000).stdout == run("replay", "--db", db).stdout
    refused(run("replay", "--db", db, "--speed", 0))


# ---- what people read


@pytest.mark.parametrize(("form", "begins"), [("csv", '\ufeff"number"'), ("md", "# Glacier"), ("txt", "Rollbook(")])
def test_a_table_is_written_in_every_form_that_people_read(db: Path, tmp_path: Path, form: str, begins: str) -> None:
    file = tmp_path / f"out.{form}"
    assert run("export", "--db", db, "--format", form, "-o", file).returncode == 0
    assert file.read_bytes().decode().startswith(begins)
    assert exported(db, "--format", form) == file.read_bytes().decode()
    assert "no session 9" in refused(run("export", "--db", db, "--format", form, "--session", 9))
    assert "No space left" in refused(run("export", "--db", db, "--format", form, "-o", "/dev/full"))


@pytest.mark.parametrize("form", ["csv", "md", "txt"])
def test_what_people_read_keeps_a_secret_until_its_seed_is_revealed(db: Path, form: str) -> None:
    play(db, "gm: /roll d1000000 secret=me # hush")
    player, gm, audit = ("hush" in exported(db, "--format", form, "--as", role) for role in ("player", "gm", "audit"))
    assert (player, gm, audit) == (False, False, True)
    play(db, "gm: /reveal")
    assert "hush" in exported(db, "--format", form, "--as", "player")


def test_figures_are_printed_and_drawn(db: Path, tmp_path: Path) -> None:
    file = tmp_path / "stats.png"
    done = run("stats", "--db", db, "-o", file)
    assert done.returncode == 0
    assert re.fullmatch(r"📊 Glacier: rolls 2, dice \d+", done.stdout.split("\n")[0])  # an Ace is a die more
    assert file.read_bytes().startswith(b"\x89PNG")
    assert "session 1" in run("stats", "--db", db, "--session", 1).stdout
    assert "no session 9" in refused(run("stats", "--db", db, "--session", 9))
    full = run("stats", "--db", db, "-o", "/dev/full")
    assert full.returncode == 2
    assert "No space left" in full.stderr

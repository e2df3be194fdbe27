"""A log of SealDice taken in: its lines are talk, its rolls are marked, and nobody says that they are proved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from events.beside import Account
from events.sqlite import SqliteLog
from tests.adapters.terminal import exported, play, refused, run

ITEMS: list[dict[str, Any]] = [
    {"id": 1, "nickname": "小红", "IMUserId": "12345", "uniformId": "QQ:12345", "time": 1645000000,
     "message": "天好冷。[CQ:image,file=a.png]", "isDice": False, "commandId": 0, "commandInfo": None, "rawMsgId": "x"},
    {"id": 2, "nickname": "小红", "IMUserId": "12345", "uniformId": "QQ:12345", "time": 1645000005,
     "message": "（喝水）", "isDice": False, "commandId": 0, "commandInfo": None, "rawMsgId": 7},
    {"id": 3, "nickname": "海豹", "IMUserId": "999", "uniformId": "QQ:999", "time": 1645000006,
     "message": "<小红>掷出了 2d6=7", "isDice": True, "commandId": 1, "commandInfo": {"cmd": "roll"}, "rawMsgId": 8},
]  # fmt: skip


def written(folder: Path, items: object = ITEMS, **more: object) -> Path:
    path = folder / "雪山(1).json"
    path.write_text(json.dumps({"version": 105, "items": items, **more}, ensure_ascii=False), encoding="utf-8")
    return path


def taken_in(folder: Path, *options: str) -> Path:
    db, file = folder / "log.db", written(folder, info={"id": 1, "name": "雪山", "groupId": "QQ-Group:1"})
    done = run("import", "--db", db, *options, file)
    assert (done.returncode, done.stderr) == (0, "")
    assert "4 events imported" in done.stdout
    return db


def test_its_lines_are_talk_with_their_time_and_its_rolls_are_marked_as_unproved(tmp_path: Path) -> None:
    lines = exported(taken_in(tmp_path), "--format", "txt").splitlines()
    said = [lines[n + 1] for n, one in enumerate(lines) if "2022/02/16" in one]
    assert said == ["天好冷。[image]", "（喝水）", "<小红>掷出了 2d6=7　[外来，未经证明]"]
    assert any(one.startswith("小红(") and one.endswith("2022/02/16 08:26:40") for one in lines)


def test_verify_says_that_nobody_can_prove_its_rolls(tmp_path: Path) -> None:
    done = run("verify", taken_in(tmp_path))
    assert done.returncode == 0
    assert "1 rolls come from another program's log" in done.stdout


def test_accounts_lie_beside_the_log_and_in_no_event(tmp_path: Path) -> None:
    db = taken_in(tmp_path)
    log = SqliteLog(db)
    (table,) = log.tables()
    person = log.person(Account("qq", "12345"), "p0")
    bodies = b"".join(one.body for one in log.read(table))
    found = [one.text for one in log.said_by(person)[table]]
    log.close()
    assert b"12345" not in bodies
    assert "天好冷".encode() not in bodies
    assert found == ["天好冷。[image]", "（喝水）"]


def test_the_same_log_is_taken_in_once(tmp_path: Path) -> None:
    db = taken_in(tmp_path)
    before = exported(db)
    done = run("import", "--db", db, written(tmp_path))
    assert "0 events imported" in done.stdout
    assert exported(db) == before


def test_its_table_plays_on_and_its_export_comes_back(tmp_path: Path) -> None:
    db = taken_in(tmp_path, "--system", "storytelling", "--table", "snow")
    answered = play(db, "you: /session start", "you: /pool 3", "you: /session end", options=("--table", "snow"))
    assert [one["error"] for one in answered] == [None, None, None]
    file, other = tmp_path / "out.jsonl", tmp_path / "other.db"
    file.write_text(exported(db))
    assert run("import", "--db", other, file).returncode == 0
    assert exported(other) == exported(db)
    assert run("verify", other).returncode == 0


@pytest.mark.parametrize(
    ("items", "why"),
    [
        ([], "no line"),
        ([{"message": "\u202e"}], "no line"),
        ([{"message": "x", "time": 1e30}], "time"),
        ([{"message": 5}], "export"),
        ({}, "export"),
    ],
)
def test_what_cannot_be_taken_in_is_told_and_leaves_nothing(tmp_path: Path, items: object, why: str) -> None:
    db = tmp_path / "log.db"
    assert why in refused(run("import", "--db", db, written(tmp_path, items)))
    log = SqliteLog(db)
    assert log.tables() == []
    log.close()


def test_lines_of_nobody_known_and_without_a_time_are_taken_in_too(tmp_path: Path) -> None:
    db = tmp_path / "log.db"
    file = written(tmp_path, [{"message": "hello"}, {"message": "x", "nickname": "a" * 99}])
    assert run("import", "--db", db, file).returncode == 0
    assert "hello" in exported(db, "--format", "txt")

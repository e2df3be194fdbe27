"""A log of SealDice taken in: its lines are talk, its rolls are marked, and nobody says that they are proved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adapters import wiring
from core.messages import Incoming
from events.beside import Account, MessageKey
from events.sqlite import SqliteLog
from tests.adapters.terminal import exported, play, refused, run
from tests.story import code_in

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
    assert "Events imported: 4" in done.stdout
    return db


def test_its_lines_are_talk_with_their_time_and_its_rolls_are_marked_as_unproved(tmp_path: Path) -> None:
    lines = exported(taken_in(tmp_path), "--format", "txt").splitlines()
    said = [lines[n + 1] for n, one in enumerate(lines) if "2022/02/16" in one]
    assert said == ["天好冷。[image]", "（喝水）", "<小红>掷出了 2d6=7　[外来，未经证明]"]
    assert any(one.startswith("小红(") and one.endswith("2022/02/16 08:26:40") for one in lines)


def test_verify_says_that_nobody_can_prove_its_rolls(tmp_path: Path) -> None:
    done = run("verify", taken_in(tmp_path))
    assert done.returncode == 0
    assert "rolls from another program's log, which nobody can prove: 1" in done.stdout


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
    assert "Events imported: 0" in done.stdout
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
        ([None, 5, {"message": None}], "no line"),
        ({}, "export"),
    ],
)
def test_what_cannot_be_taken_in_is_told_and_leaves_nothing(tmp_path: Path, items: object, why: str) -> None:
    db = tmp_path / "log.db"
    assert why in refused(run("import", "--db", db, written(tmp_path, items)))
    assert not db.exists()


def test_one_odd_item_spoils_no_other_and_what_is_left_out_is_counted(tmp_path: Path) -> None:
    odd = [
        None, {"message": None}, "x", {"nickname": "nobody"},
        {"message": "one", "nickname": 123, "IMUserId": 456, "time": "1645000000", "isDice": 1},
        {"message": "two", "nickname": "Ann", "uniformId": 7, "time": "2022-02-16 08:26:50"},
        {"message": "three \ud83d", "nickname": "Ann\ud83d", "IMUserId": [], "time": "yesterday", "isDice": "no"},
        {"message": "four", "time": 1e30, "isDice": None}, {"message": "five", "time": 1645000099},
    ]  # fmt: skip
    db, file = tmp_path / "log.db", tmp_path / "odd.json"
    file.write_text(json.dumps({"items": odd, "info": None}))
    done = run("import", "--db", db, file)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Events imported: 6" in done.stdout
    assert "since there is no text in them: 4." in done.stdout
    assert "put at that of the line before: 2." in done.stdout
    lines = exported(db, "--format", "txt").splitlines()
    said = [(one.rpartition(" ")[2], lines[n + 1]) for n, one in enumerate(lines) if "2022/02/16" in one]
    assert said == [
        ("08:26:40", "one　[外来，未经证明]"), ("08:26:50", "two"), ("08:26:50", "three ?"), ("08:26:50", "four"),
        ("08:28:19", "five"),
    ]  # fmt: skip
    assert run("verify", db).returncode == 0


def test_a_log_that_an_editor_saved_as_gbk_is_read_too(tmp_path: Path) -> None:
    db, file = tmp_path / "log.db", written(tmp_path)
    file.write_bytes(file.read_text(encoding="utf-8").encode("gbk"))
    assert run("import", "--db", db, file).returncode == 0
    assert "天好冷" in exported(db, "--format", "txt")


def test_what_a_player_says_to_the_bot_is_talk(tmp_path: Path) -> None:
    items = [{**ITEMS[0], "message": ".ra 侦查", "commandInfo": {"cmd": "ra"}}, ITEMS[2]]
    db = tmp_path / "log.db"
    assert run("import", "--db", db, written(tmp_path, items)).returncode == 0
    assert ".ra 侦查\n" in exported(db, "--format", "txt")
    assert "nobody can prove: 1" in run("verify", db).stdout


def test_its_gm_takes_it_into_a_chat_as_the_import_says(tmp_path: Path) -> None:
    db = tmp_path / "log.db"
    told = run("import", "--db", db, "--table", "snow", written(tmp_path)).stdout
    assert "/table link in `play` as its GM (--as you)" in told
    (linked,) = play(db, "/table link", options=("--table", "snow"))
    log = SqliteLog(db)
    chat = Chat(log)
    assert chat.error(f"/table join {code_in(linked['replies'][0]['text'])}") is None
    assert chat.error("/join") is None
    assert chat.error("/session start") == "not_allowed"
    (handed,) = play(db, "/gm Ann", options=("--table", "snow"))
    assert handed["error"] is None
    assert chat.error("/session start") is None
    log.close()


class Chat:
    """A chat in which Ann speaks, on a log that others play on too."""

    def __init__(self, log: SqliteLog) -> None:
        self.app, self.said = wiring.build(log, "en"), 0
        self.ann = self.app.person("telegram", "77")

    def error(self, text: str) -> str | None:
        self.said += 1
        key = MessageKey("telegram", "-100", str(self.said))
        (answer,) = self.app.hear(Incoming(key=key, person=self.ann, name="Ann", text=text))
        return answer.error[0] if answer.error else None


def test_lines_of_nobody_known_and_without_a_time_are_taken_in_too(tmp_path: Path) -> None:
    db = tmp_path / "log.db"
    file = written(tmp_path, [{"message": "hello"}, {"message": "x", "nickname": "a" * 99}])
    assert run("import", "--db", db, file).returncode == 0
    assert "hello" in exported(db, "--format", "txt")

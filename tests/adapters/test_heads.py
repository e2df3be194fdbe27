"""`rollbook log follow`: the head of each table after each event, kept elsewhere."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from adapters import wiring
from adapters.wiring import Place
from events.envelope import Head
from tests.adapters.terminal import ENVIRONMENT, EVENING, PROGRAM, exported, play, refused, run
from tests.events.records import spoken
from tests.servers.postgres import running, url_of


@pytest.fixture(params=["file", "database"])
def db(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return tmp_path / "a.db" if request.param == "file" else url_of(running().fresh())


def follow(*arguments: object) -> list[dict[str, Any]]:
    done = run("log", "follow", "--once", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return noted(done.stdout)


def noted(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def heads(db: Place) -> list[tuple[str, str]]:
    with closing(wiring.opened(wiring.place(str(db)), read_only=True)) as log:
        return [(table, f"{event.seq}:{event.hash}") for table in log.tables() for event in log.read(table)]


def test_every_head_of_every_table_is_noted_and_a_file_of_them_gone_on_with(db: Any, tmp_path: Path) -> None:
    play(db, *EVENING[:3], options=("--table", "one"))
    play(db, *EVENING, options=("--table", "two"))
    found = follow(db)
    assert sorted((one["table"], one["head"]) for one in found) == sorted(heads(db))
    assert {key for one in found for key in one} == {"table", "head", "era", "xid", "position"}
    kept = tmp_path / "heads.jsonl"
    assert follow(db, "-o", kept) == []
    assert noted(kept.read_text()) == found
    play(db, "gm: /roll d6", options=("--table", "one"))
    with kept.open("a") as torn:
        torn.write('{"table":"t')  # as the disk was full, or the power cut
    follow(db, "-o", kept)
    assert noted(kept.read_text()) == follow(db)
    assert follow(db, "-o", kept) == []
    with kept.open("a") as torn:
        torn.write('{"table":"t')
    told = run("verify", db, "--heads", kept)
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.count("the chain holds") == 2


def test_what_is_stored_while_it_runs_is_noted_until_it_is_stopped(db: Any) -> None:
    play(db, EVENING[0])
    with subprocess.Popen(
        [*PROGRAM, "log", "follow", str(db)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT, text=True
    ) as following:
        assert following.stdout
        assert following.stderr
        before = [following.stdout.readline() for _ in heads(db)]
        play(db, "gm: /roll d6")
        after = following.stdout.readline()
        following.send_signal(signal.SIGINT)
        assert (following.wait(60), following.stderr.read()) == (130, "")
    assert [(one["table"], one["head"]) for one in noted("".join([*before, after]))] == heads(db)


def test_a_log_that_has_lost_what_was_noted_is_told_and_the_file_stays(tmp_path: Path) -> None:
    db, kept = tmp_path / "a.db", tmp_path / "heads.jsonl"
    play(db, *EVENING)
    follow(db, "-o", kept)
    before = kept.read_bytes()
    with closing(sqlite3.connect(db)) as raw, raw:
        raw.execute("DELETE FROM events WHERE position = (SELECT max(position) FROM events)")
    assert "follow it from its beginning" in refused(run("log", "follow", "--once", db, "-o", kept))
    assert kept.read_bytes() == before


def test_what_was_cut_off_or_made_anew_since_does_not_lead_to_what_was_noted(tmp_path: Path) -> None:
    db, kept = tmp_path / "a.db", tmp_path / "heads.jsonl"
    for table in ("cut", "gone", "anew", "whole"):
        play(db, EVENING[0], "gm: /roll d6", options=("--table", table))
    follow(db, "-o", kept)
    play(db, "gm: /roll d6", options=("--table", "whole"))
    play(db, EVENING[0], options=("--table", "later"))
    with closing(sqlite3.connect(db)) as raw, raw:
        raw.execute("DELETE FROM events WHERE table_id = 1 AND seq = 2")
        raw.execute("DELETE FROM events WHERE table_id = 2")
        raw.execute("DELETE FROM tables WHERE id = 2")
        of_first = "SELECT name, hash FROM tables JOIN events ON table_id = id WHERE id = 3 AND seq = 1"
        name, digest = raw.execute(of_first).fetchone()
        (other,) = spoken(1, Head(1, digest), name)
        raw.execute("UPDATE events SET body = ?, hash = ? WHERE table_id = 3 AND seq = 2", (other.body, other.hash))
    assert run("verify", db).returncode == 0, "nothing in the log itself tells"
    told = run("verify", db, "--heads", kept)
    assert (told.returncode, told.stderr) == (1, "")
    assert (told.stdout.count("this does not hold"), told.stdout.count("the chain holds")) == (3, 2)


def test_heads_are_those_of_a_log(tmp_path: Path) -> None:
    db, kept, export = tmp_path / "a.db", tmp_path / "heads.jsonl", tmp_path / "a.jsonl"
    play(db, EVENING[0])
    follow(db, "-o", kept)
    export.write_text(exported(db))
    assert "a whole log" in refused(run("verify", export, "--heads", kept))
    assert "something else" in refused(run("verify", db, "--heads", export))


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    db, kept = tmp_path / "a.db", tmp_path / "diary"
    play(db, EVENING[0])
    for held in (b"Dear diary", b"Dear diary,\n", b'{"seq":1}\n', b"\xff\xfe\n\n"):
        kept.write_bytes(held)
        assert "something else" in refused(run("log", "follow", "--once", db, "-o", kept))
        assert kept.read_bytes() == held
    assert "something else" in refused(run("log", "follow", "--once", db, "-o", db))
    assert len(heads(db)) == len(follow(db))


def test_a_pipe_is_no_file_to_go_on_with(tmp_path: Path) -> None:
    db, pipe = tmp_path / "rollbook.db", tmp_path / "pipe"
    play(db, *EVENING)
    os.mkfifo(pipe)
    assert "is no file" in refused(run("log", "follow", "--once", db, "-o", pipe))


def test_a_log_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert "does not exist" in refused(run("log", "follow", tmp_path / "none.db"))

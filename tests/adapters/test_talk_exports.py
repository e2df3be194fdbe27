"""Talk in everything that is written out of a log, and taken back in; and all about one person."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from adapters.export.from_jsonl import append, vetted
from core.messages import Deleted, Edited, Incoming
from core.table.verbs import Speak
from events.beside import MessageKey
from events.sqlite import SqliteLog
from events.talk import latest, recorded
from events.types import LineSpoken
from tests.adapters.terminal import exported, play, refused, run
from tests.story import Story, code_in

SAID = (
    "gm: /table new savage Glacier", "ann: /char new Ann athletics=d8", "gm: /log on", "ann: It is c0ld.",
    "tom: （我去倒杯水）", "tom: //brb too", "ann: secret plan", "ann: a mistake", "ann: /trait athletics",
    "gm: Two\nlines.",
)  # fmt: skip


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Said by three; one line was edited since, and one deleted."""
    path = tmp_path / "log.db"
    log = SqliteLog(path)
    story = Story(log)
    for number, line in enumerate(SAID):
        story.hear(line, f"m{number}")
    key = MessageKey("test", "test", "m3")
    story.app.edited(Edited(key=key, person="ann", text="It is cold.", edit="1"))
    story.app.deleted(Deleted(key=MessageKey("test", "test", "m7"), person="ann"))
    log.close()
    return path


@pytest.mark.parametrize("form", ["txt", "md"])
def test_people_read_talk_as_it_stands_now_under_the_characters_name(db: Path, form: str) -> None:
    shown = exported(db, "--format", form)
    assert "Ann" in shown
    assert "It is cold" in shown
    assert "c0ld" not in shown
    assert "mistake" not in shown
    assert "Two" in shown


def test_in_a_text_what_is_out_of_character_is_in_brackets_as_log_painters_want_it(db: Path) -> None:
    lines = exported(db, "--format", "txt").splitlines()
    assert "（我去倒杯水）" in lines
    assert "（brb too）" in lines
    place = lines.index("It is cold.")
    assert lines[place - 1].startswith("Ann(")
    assert lines[lines.index("Two") : lines.index("Two") + 3] == ["Two", "lines.", ""]


TWO_LOGS = (
    "gm: /table new savage Glacier", "gm: /roll 1d1 # early", "gm: /log new Night", "ann: word1", "gm: /log off",
    "ann: unkept", "gm: /roll 1d1 # paused", "gm: /log new 夜 二", "ann: word2", "gm: /roll 1d1 # second",
    "gm: /log end", "gm: /log on night", "ann: word3", "gm: /roll 1d1 # first",
)  # fmt: skip


@pytest.fixture
def two_logs(tmp_path: Path) -> Path:
    """Two logs, of which the first goes on after the second; what was said last was edited when it was over."""
    log = SqliteLog(path := tmp_path / "logs.db")
    story = Story(log)
    for number, line in enumerate(TWO_LOGS):
        story.hear(line, f"m{number}")
    story.given("gm: /log end")
    story.app.edited(Edited(key=MessageKey("test", "test", "m12"), person="ann", text="changed", edit="1"))
    log.close()
    return path


@pytest.mark.parametrize(
    ("name", "role", "kept"),
    [
        ("Night", "player", {"word1", "changed", "# first"}), ("1", "gm", {"word1", "changed", "# first"}),
        ("１", "audit", {"word1", "word3", "changed", "# first"}),
        ("夜 二", "player", {"word2", "# second"}), ("2", "audit", {"word2", "# second"}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", ["txt", "md"])
def test_one_log_by_itself_has_what_was_said_and_rolled_while_it_ran(
    two_logs: Path, form: str, name: str, role: str, kept: set[str]
) -> None:
    shown = exported(two_logs, "--format", form, "--log", name, "--as", role).replace("\\", "")
    everything = ("word1", "unkept", "word2", "word3", "changed", "# early", "# paused", "# second", "# first")
    assert {one for one in everything if one in shown} == kept


def test_the_rolls_of_one_log_are_rows_of_a_table(two_logs: Path) -> None:
    _, *rolls = exported(two_logs, "--format", "csv", "--log", "2").splitlines()
    assert [row.rpartition(",")[2] for row in rolls] == ['"second"']


def test_one_log_is_a_text_unless_told_otherwise_and_what_is_no_log_is_refused(two_logs: Path, tmp_path: Path) -> None:
    assert exported(two_logs, "--log", "1") == exported(two_logs, "--log", "1", "--format", "txt")
    assert "There are: 1 (Night), 2 (夜 二)." in refused(run("export", "--db", two_logs, "--log", "Day"))
    assert "cannot be html" in refused(run("export", "--db", two_logs, "--log", "1", "-o", tmp_path / "night.html"))
    assert "cannot be jsonl" in refused(run("export", "--db", two_logs, "--log", "1", "--format", "jsonl"))
    assert "--log" in refused(run("export", "--db", two_logs, "--person", "ann", "--log", "1"))
    assert not (tmp_path / "night.html").exists()


def test_in_markdown_it_is_marked(db: Path) -> None:
    lines = exported(db, "--format", "md").splitlines()
    aside, said = (lines[next(n for n, one in enumerate(lines) if part in one) - 1] for part in ("我去倒杯水", "cold"))
    assert aside.rstrip().endswith("*(out of character)*")
    assert "out of character" not in said


@pytest.mark.parametrize("form", ["txt", "md"])
def test_the_audit_reads_every_version(db: Path, form: str) -> None:
    shown = exported(db, "--format", form, "--as", "audit")
    for part in ("c0ld", "It is cold", "mistake", "was deleted"):
        assert part in shown


def test_a_replay_shows_talk_as_it_is_now_and_to_the_audit_as_it_was(db: Path) -> None:
    player, audit = (run("replay", "--db", db, "--as", role).stdout for role in ("player", "audit"))
    assert "Ann: It is cold." in player
    assert "mistake" not in player
    assert "(out of character) （我去倒杯水）" in player
    assert all(part in audit for part in ("c0ld", "now reads: It is cold.", "mistake", "was deleted"))


def test_jsonl_holds_the_text_and_what_is_read_no_more_only_in_the_audits(db: Path) -> None:
    player, audit = (exported(db, "--as", role) for role in ("player", "audit"))
    lines = [[json.loads(line)["data"] for line in one.splitlines() if '"Line' in line] for one in (player, audit)]
    texts = [[data.get("text") for data in one] for one in lines]
    now = ["It is cold.", "（我去倒杯水）", "//brb too", "secret plan", "Two\nlines."]
    assert sorted(filter(None, texts[0])) == sorted(now)
    assert sorted(filter(None, texts[1])) == sorted([*now, "It is c0ld.", "a mistake"])


@pytest.mark.parametrize("role", ["player", "gm", "audit"])
def test_an_export_with_talk_verifies_and_one_in_which_words_were_changed_does_not(
    db: Path, tmp_path: Path, role: str
) -> None:
    file = tmp_path / "out.jsonl"
    file.write_text(exported(db, "--as", role))
    assert run("verify", file).returncode == 0
    file.write_text(file.read_text().replace("secret plan", "Secret plan"))
    done = run("verify", file)
    assert done.returncode == 1
    assert "event 10 does not hold" in done.stdout
    assert "digest" in done.stdout


def test_an_export_in_which_words_were_changed_is_not_taken_in(db: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    file.write_text(exported(db).replace("secret plan", "Secret plan"))
    told = refused(run("import", "--db", tmp_path / "new.db", file))
    assert "Event 10 does not hold: what was said is not what its digest stands for (text_differs); nothing was" in told


def test_words_changed_in_a_log_are_found(db: Path) -> None:
    assert run("verify", db).returncode == 0
    with sqlite3.connect(db) as conn:
        conn.execute("UPDATE texts SET text = 'x' WHERE text = 'secret plan'")
    done = run("verify", db)
    assert done.returncode == 1
    assert "digest" in done.stdout


def test_an_import_gives_back_what_was_said_with_its_history(db: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "out.jsonl", tmp_path / "other.db"
    file.write_text(exported(db))
    assert run("import", "--db", other, file).returncode == 0
    here, there = SqliteLog(db), SqliteLog(other)
    (table,) = here.tables()
    assert list(recorded(there, table)) == list(recorded(here, table))
    assert there.texts(table) == here.texts(table)
    here.close()
    there.close()
    assert exported(other) == exported(db)


def test_what_was_forgotten_does_not_come_back_with_an_older_export(db: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    file.write_text(exported(db))
    log = SqliteLog(db)
    story = Story(log)
    story.said = 500
    (_, asked, _) = story.when("ann: /forget me").letters
    story.when(f"ann: /forget me {code_in(asked.text)}")
    assert append(log, vetted(file, log.names())).added == 0
    (table,) = log.tables()
    lines = [one for one in latest(log, table) if isinstance(one.data, LineSpoken)]
    log.close()
    assert [one.data.text for one in lines if one.actor == "ann" and isinstance(one.data.text, str)] == []  # type: ignore[union-attr]
    shown = exported(db, "--format", "txt")
    assert "(no longer here)" in shown
    assert "Ann(" in shown
    assert "ann(" not in shown
    assert "somebody" in exported(db, "--format", "md")


def forgotten(db: Path) -> None:
    log = SqliteLog(db)
    story = Story(log)
    story.said = 500
    (_, asked, _) = story.when("ann: /forget me").letters
    story.when(f"ann: /forget me {code_in(asked.text)}")
    log.close()


def test_who_is_forgotten_in_a_newer_export_is_forgotten_where_the_older_one_was_taken_in(
    db: Path, tmp_path: Path
) -> None:
    """At that table: what else this log has of a person of the same name is none of the file's business."""
    older, newer, there = tmp_path / "older.jsonl", tmp_path / "newer.jsonl", tmp_path / "there.db"
    older.write_text(exported(db))
    forgotten(db)
    newer.write_text(exported(db))
    play(there, "gm: /table new savage", "gm: /log on", "ann: Good evening.", options=("--table", "other"))
    assert run("import", "--db", there, "--table", "glacier", older).returncode == 0
    assert "secret plan" in exported(there, "--as", "audit", "--table", "glacier")
    assert run("import", "--db", there, newer).returncode == 0
    lines = exported(there, "--as", "audit", "--table", "glacier")
    assert lines == newer.read_text()
    assert "//brb too" in lines
    for gone in ("secret plan", "It is cold.", "It is c0ld.", "a mistake"):
        assert gone not in lines
        assert gone.encode() not in there.read_bytes()
    other = exported(there, "--format", "txt", "--table", "other")
    assert "Good evening." in other
    assert "ann(" in other


def test_what_a_forgotten_person_says_afterwards_stays(db: Path, tmp_path: Path) -> None:
    """In a terminal a person is the name that is typed, and may come again."""
    newer, there = tmp_path / "newer.jsonl", tmp_path / "there.db"
    forgotten(db)
    log = SqliteLog(db)
    story = Story(log)
    story.said = 700
    story.given("ann: Hello again.")
    log.close()
    newer.write_text(exported(db))
    for _ in range(2):
        assert run("import", "--db", there, newer).returncode == 0
        assert "Hello again." in exported(there)


def test_words_that_hide_something_are_not_taken_in(db: Path, tmp_path: Path) -> None:
    """As another program could have written them; ours keeps none."""
    file, log = tmp_path / "out.jsonl", SqliteLog(db)
    app = Story(log).app
    (id,) = log.tables()
    table = app.table(id)
    incoming = Incoming(key=MessageKey("test", "test", "odd"), person="ann", name="ann", text="")
    odd = app.tables.done(Speak(text="f\u202eine"), app.tables.turn(incoming, table), incoming)
    log.append(id, table.ledger.seq, odd.sealed, odd.beside)
    log.close()
    assert run("verify", db).returncode == 0
    file.write_text(exported(db))
    assert "said" in refused(run("import", "--db", tmp_path / "new.db", file))


# ---- one person


def test_a_person_is_given_all_that_is_theirs_and_nothing_of_others(db: Path, tmp_path: Path) -> None:
    file = tmp_path / "ann.json"
    assert run("export", "--db", db, "--person", "ann", "-o", file).returncode == 0
    found = json.loads(file.read_text())
    assert (found["person"], found["name"], found["accounts"]) == ("ann", "ann", [])
    (table,) = found["tables"]
    assert (table["title"], table["characters"]) == ("Glacier", ["Ann"])
    assert {one["actor"] for one in table["events"]} == {"ann"}
    texts = [one["data"]["text"] for one in table["events"] if one["type"].startswith("Line") and "text" in one["data"]]
    assert texts == ["It is c0ld.", "secret plan", "a mistake", "It is cold."]
    assert "倒杯水" not in file.read_text()


def test_a_blind_roll_stays_blind_and_ones_own_secret_is_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    play(path, "gm: /table new savage A", "ann: /join", "ann: /roll 3d6 secret=gm", "ann: /roll 4d6 secret=me")
    (table,) = json.loads(run("export", "--db", path, "--person", "ann").stdout)["tables"]
    assert [one.get("type", "sealed") for one in table["events"]] == ["PlayerJoined", "sealed", "RollMade"]


def test_somebody_unknown_is_told_in_one_line(db: Path) -> None:
    assert "nobody" in refused(run("export", "--db", db, "--person", "nobody"))

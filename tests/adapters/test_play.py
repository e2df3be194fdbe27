"""`rollbook play` as a program: what it prints, and what is left of it when it dies."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import resource
import select
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

import pytest

from adapters.terminal.play import Seat, play_text
from adapters.terminal.words import FIRST_START
from core.app import App
from events.beside import Beside, Letter, MessageKey, Receipt
from events.chain import head_of, seal
from events.envelope import Head, Stored
from events.log import MemoryLog
from events.sqlite import SqliteLog
from events.types import CharacterAdded, TableOpened
from tests.adapters.terminal import ENVIRONMENT, EVENING, PROGRAM, exported, play, refused, run
from tests.story import Clock, Seeds, Story


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "log.db"


def test_there_is_one_object_for_each_line_of_input_blank_ones_too(db: Path) -> None:
    answers = play(db, "gm: /table new savage", "", "ann: hello there", "/rool", "ann: /roll 2d6")
    assert [one["line"] for one in answers] == [1, 2, 3, 4, 5]
    assert [one["from"] for one in answers] == ["gm", "you", "ann", "you", "ann"]
    assert [one["text"] for one in answers] == ["/table new savage", "", "hello there", "/rool", "/roll 2d6"]
    assert [len(one["events"]) for one in answers] == [1, 0, 0, 0, 1]
    assert [(one["error"] or {}).get("code") for one in answers] == [None, None, None, "unknown_command", None]
    (roll,) = answers[4]["events"]
    assert list(roll) == ["seq", "table", "type", "v", "at", "actor", "cause", "session", "data", "prev", "hash"]
    assert (roll["seq"], roll["type"], roll["prev"]) == (2, "RollMade", answers[0]["events"][0]["hash"])


def test_the_events_shown_are_the_events_kept(db: Path) -> None:
    shown = [event for answer in play(db, *EVENING) for event in answer["events"]]
    assert [json.loads(line) for line in exported(db).splitlines()] == shown


def test_a_private_reply_goes_to_a_person_by_name(db: Path) -> None:
    answers = play(db, "gm: /table new savage", "gm: /roll 2d6 secret")
    assert [reply["to"] for reply in answers[1]["replies"]] == ["table", "gm"]


def test_a_script_is_read_like_standard_input(db: Path, tmp_path: Path) -> None:
    script = tmp_path / "evening.txt"
    script.write_bytes(b"\xef\xbb\xbfgm: /table new savage\r\nann: /roll d6\r\n")
    done = run("play", "--json", "--db", db, script)
    assert done.returncode == 0
    assert [json.loads(line)["error"] for line in done.stdout.splitlines()] == [None, None]


def test_input_that_is_no_utf_8_is_answered_like_any_other(db: Path) -> None:
    lines = b"gm: /table new savage\nann: \xff\xfe\n\xc3: /roll d6\nann: /roll d6"
    done = run("play", "--json", "--db", db, given=lines)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 4


def test_plain_output_is_the_replies_alone_with_private_ones_marked(db: Path) -> None:
    done = run("play", "--db", db, given="gm: /table new savage T\ngm: hello\ngm: /roll 2d6 secret\ngm: /rool\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "hello" not in done.stdout
    assert "Welcome" not in done.stdout
    private = [line for line in done.stdout.splitlines() if line.startswith("[to gm] ")]
    assert any("2d6" in line for line in private)
    assert not any("= [" in line for line in done.stdout.splitlines() if line not in private)


def test_the_default_speaker_and_table_can_be_named(db: Path) -> None:
    assert play(db, "/table new savage", options=("--as", "Maria"))[0]["from"] == "Maria"
    assert play(db, "/roll d6", options=("--table", "other"))[0]["error"]["code"] == "no_table"
    assert play(db, "/roll d6")[0]["error"] is None


def test_a_program_can_converse_through_pipes(db: Path) -> None:
    with running(db, "--json") as (process, stdin, stdout):
        for number, line in enumerate(EVENING, 1):
            stdin.write(f"{line}\n".encode())
            stdin.flush()
            assert json.loads(stdout.readline())["line"] == number
        stdin.close()
        assert process.wait(20) == 0


def test_a_restart_goes_on_where_the_last_run_ended(db: Path) -> None:
    play(db, *EVENING[:3])
    before = exported(db)
    play(db, *EVENING[3:])
    assert exported(db).startswith(before)
    assert run("verify", db).returncode == 0


def test_killed_in_the_middle_nothing_is_doubled_and_nothing_lost(db: Path) -> None:
    play(db, "gm: /table new savage", "ann: /char new Ann")
    answered: list[dict[str, object]] = []
    while len(answered) < 30:
        with running(db, "--json") as (process, stdin, stdout):
            for n in range(len(answered), len(answered) + 20):
                stdin.write(f"ann: /roll d6 # number {n}\n".encode())
            stdin.flush()
            answered += [json.loads(stdout.readline()) for _ in range(7)]
            process.send_signal(signal.SIGKILL)
            answered += [json.loads(line) for line in stdout.readlines() if line.endswith(b"\n")]
            process.wait(20)
        kept = [event for event in map(json.loads, exported(db).splitlines()) if event["type"] == "RollMade"]
        shown = [event for answer in answered for event in answer["events"]]  # type: ignore[attr-defined]
        assert kept[: len(shown)] == shown
        assert len(kept) - len(shown) <= 1  # committed, and killed before it was said
        left = run("play", "--db", db).stdout.splitlines()
        assert len(left) in {len(kept) - len(shown), len(kept) - len(shown) + 1}  # said, and killed before it was noted
        answered += [{"events": [event]} for event in kept[len(shown) :]]
        assert run("play", "--db", db).stdout == ""
    numbers = [event["data"]["comment"] for answer in answered for event in answer["events"]]  # type: ignore[attr-defined]
    assert numbers == [f"number {n}" for n in range(len(answered))]
    assert run("verify", db).returncode == 0


def unsaid(db: Path) -> None:
    """A run that records a table and dies before it can say so."""
    with running(db, "--json") as (process, stdin, stdout):
        stdout.close()
        stdin.write(b"gm: /table new savage Lost words\n")
        stdin.close()
        assert process.wait(20) == 0


def test_what_was_recorded_and_not_said_is_said_by_the_next_run_once_and_in_its_own_chat(db: Path) -> None:
    unsaid(db)
    assert run("play", "--db", db, "--table", "elsewhere").stdout == ""
    assert "Lost words" in run("play", "--db", db).stdout
    assert run("play", "--db", db).stdout == ""


def test_letters_of_other_platforms_are_not_the_terminals_to_say(db: Path) -> None:
    log = SqliteLog(db)
    Story(log, chat="main").given("gm: /table new savage")
    left = len(log.pending())
    log.close()
    assert run("play", "--db", db).stdout == ""
    log = SqliteLog(db)
    assert len(log.pending()) == left == 1
    log.close()


def test_a_log_can_be_looked_at_while_somebody_plays_on_it(db: Path) -> None:
    with running(db, "--json") as (_, stdin, stdout):
        for line in EVENING:
            stdin.write(f"{line}\n".encode())
            stdin.flush()
            stdout.readline()
            assert run("verify", db).returncode == 0
        assert "Session 1 is over." in run("replay", "--db", db).stdout
        assert json.loads(exported(db).splitlines()[0])["seq"] == 1
        stdin.write(b"ann: /roll d6\n")
        stdin.flush()
        assert json.loads(stdout.readline())["error"] is None


def test_two_processes_may_play_at_one_table(db: Path) -> None:
    play(db, "gm: /table new savage")
    with running(db, "--json") as (_, one, heard), running(db, "--json") as (_, other, listened):
        for _ in range(5):
            for pipe in (one, other):
                pipe.write(b"ann: /roll 2d6\n" * 3)
                pipe.flush()
            for pipe in (heard, listened):
                assert [json.loads(pipe.readline())["error"] for _ in range(3)] == [None] * 3
    assert [json.loads(line)["seq"] for line in exported(db).splitlines()] == list(range(1, 32))
    assert run("verify", db).returncode == 0


def test_in_json_what_a_former_run_left_goes_to_stderr(db: Path) -> None:
    unsaid(db)
    done = run("play", "--json", "--db", db, given="gm: hello\n")
    assert "Lost words" in done.stderr
    assert len(done.stdout.splitlines()) == 1
    assert run("play", "--json", "--db", db, given="gm: hello\n").stderr == ""


def test_a_closed_pipe_ends_the_program_cleanly(db: Path) -> None:
    lines = "gm: /table new savage\n" + "gm: /help\n" * 200
    command = f"{' '.join(PROGRAM)} play --db {db} | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], input=lines.encode(), capture_output=True, check=False,
        env=ENVIRONMENT, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_interrupt_ends_the_program_cleanly(db: Path) -> None:
    with running(db, "--json") as (process, stdin, stdout):
        stdin.write(b"gm: /table new savage\n")
        stdin.flush()
        stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert process.stderr is not None
        assert process.stderr.read() == b""


@pytest.mark.parametrize("seconds", [0.05, 0.1, 0.15, 0.2, 0.3])
def test_an_interrupt_while_the_program_is_still_loading_ends_it_without_a_word(db: Path, seconds: float) -> None:
    arguments = ["play", "--db", str(db)]
    loading = "import adapters.__main__ as it; it.main()"
    started = f"import sys; print('up', flush=True); sys.argv[1:] = {arguments}; {loading}"
    as_at_home = {**ENVIRONMENT, "PYTHONWARNINGS": ""}  # a file just opened may be left to the interpreter to close
    process = subprocess.Popen(
        [PROGRAM[0], "-c", started],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=as_at_home,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == b"up\n"
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=20)
    assert (process.returncode, error) == (130, b"")


@pytest.mark.parametrize("stream", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_is_closed_from_the_start_does_no_harm(db: Path, stream: str) -> None:
    play(db, *EVENING)
    for command in ("play", "export", "replay"):
        line = f"{' '.join(PROGRAM)} {command} --db {db} {stream}"
        done = subprocess.run(
            ["bash", "-c", line], input=b"ann: /roll d6\n" if command == "play" else b"", capture_output=True,
            check=False, env=ENVIRONMENT, timeout=60,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b""), line
    assert run("verify", db).returncode == 0
    rolls = [one for one in map(json.loads, exported(db).splitlines()) if one["type"] == "RollMade"]
    assert len(rolls) == 3 - ("<" in stream)


@pytest.mark.parametrize("option", ["--table", "--as"])
def test_a_name_that_cannot_be_typed_is_refused(db: Path, option: str) -> None:
    for name in (b"\xff", b"", b" "):
        done = subprocess.run(
            [*PROGRAM, "play", "--db", str(db), option.encode(), name], input=b"", capture_output=True, check=False,
            env=ENVIRONMENT, timeout=60,
        )  # fmt: skip
        assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
        assert done.stderr.startswith(b"rollbook: ")
    assert "64 characters" in refused(run("play", "--db", db, "--as", "x" * 65))


def test_a_line_that_is_far_too_long_is_answered_and_skipped(db: Path) -> None:
    lines = b"gm: /table new savage\ngm: /roll " + b"1+" * 2_000_000 + b"1\n" + b"gm: /roll d6\n"
    done = run("play", "--json", "--db", db, given=lines)
    assert (done.returncode, done.stderr) == (0, "")
    errors = [(json.loads(line)["error"] or {}).get("code") for line in done.stdout.splitlines()]
    assert errors == [None, "too_large", None]


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device")
def test_a_line_without_an_end_uses_up_no_memory(db: Path) -> None:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (1_000_000_000, 1_000_000_000))

    for command in ("play", "import", "verify"):
        at = [] if command == "verify" else ["--db", str(db)]
        done = subprocess.run(
            [*PROGRAM, command, *at, "/dev/zero"], capture_output=True, check=False, env=ENVIRONMENT, timeout=60,
            preexec_fn=limited,
        )  # fmt: skip
        assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1), done.stderr
        assert b"cannot be read" in done.stderr


def test_what_could_steer_a_terminal_is_not_printed(db: Path) -> None:
    hostile = "t\x1b[31m\x9b1m\u202e"
    log = SqliteLog(db)
    opened = TableOpened(system="savage", title=hostile, gm="gm", language="en", period=1, commitment="0" * 64)
    said = [CharacterAdded(character=hostile, kind="wild", owner="gm", gm=True, ally=False)]
    head = Head()
    for cause, one in enumerate((opened, *said)):
        sealed = seal(head, hostile, "2026-11-30T05:00:00.000Z", hostile, str(cause), None, [one])
        log.append(hostile, head.seq, sealed, Beside(names={hostile: hostile}))
        head = head_of(sealed, head)
    log.append(hostile, 0, (), Beside(chat=("terminal", "main")))
    letters = (Letter("table", hostile), Letter(hostile, hostile, ((1, hostile),)))
    beside = Beside(key=MessageKey("terminal", "main", "1"), receipt=Receipt(hostile, 1, 0, None, letters))
    log.append(hostile, 0, (), beside)
    log.close()
    shown = [
        run("play", "--db", db, given="x: /table\nx: /char list\nx: /gm y\n"), run("replay", "--db", db),
        run("verify", db), run("export", "--db", db, "--table", "nowhere"),
    ]  # fmt: skip
    assert all("t[31m" in one.stdout + one.stderr for one in shown)
    for one in shown:
        assert not [sign for sign in one.stdout + one.stderr if sign in "\x1b\x9b\u202e"]


def test_a_file_may_be_called_like_a_database_in_memory(tmp_path: Path) -> None:
    command = f"cd {tmp_path} && echo 'gm: /table new savage' | {' '.join(PROGRAM)} play --db :memory:"
    subprocess.run(["bash", "-c", command], check=True, capture_output=True, env=ENVIRONMENT, timeout=60)
    assert "TableOpened" in exported(tmp_path / ":memory:")


class Meanwhile(MemoryLog):
    """A log to which somebody else writes just before our own append: a race that is the same each time."""

    meanwhile: Callable[[], object] | None = None

    def append(self, table: str, expected: int, events: Sequence[Stored], beside: Beside = Beside()) -> None:
        if beside.chat is not None and (act := self.meanwhile):
            self.meanwhile = None
            act()
        super().append(table, expected, events, beside)


def test_of_two_tables_opened_at_once_in_one_chat_the_second_sees_the_first() -> None:
    log = Meanwhile()
    ours, other = Story(log, seeds=Seeds(1)), Story(log, seeds=Seeds(99))
    log.meanwhile = lambda: other.hear("ann: /table new savage First", "other")
    (answer,) = ours.hear("bob: /table new savage Second")
    assert answer.error is not None
    assert answer.error[0] == "not_allowed"
    assert ours.table.play.title == "First"
    assert len(log.tables()) == 1


def test_who_goes_back_to_a_table_while_another_is_opened_there_is_told_of_the_other() -> None:
    log = Meanwhile()
    ours, other = Story(log, seeds=Seeds(1)), Story(log, seeds=Seeds(99))
    ours.given("bob: /table new savage First", "bob: /table new savage Second")
    first = log.tables()[0]
    log.meanwhile = lambda: other.hear("bob: /table new savage Third", "other")
    (answer,) = ours.hear(f"bob: /table use {first}")
    assert answer.error is None
    assert ours.table.id == first
    assert len(log.tables()) == 3


def test_what_cannot_be_used_is_told_in_one_line(db: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    other.write_text("This is no log at all, but some text that is long enough to be looked at.\n" * 20)
    assert "not a Rollbook log" in refused(run("play", "--db", other))
    assert "directory" in refused(run("play", "--db", tmp_path))
    assert "missing.txt" in refused(run("play", "--db", db, tmp_path / "missing.txt"))
    assert "--as" in refused(run("play", "--db", db, "--as", " "))
    assert "--speak" in refused(run("play", "--speak"))
    assert "dance" in refused(run("dance"))


def test_output_that_finds_no_room_is_told_in_one_line(db: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PROGRAM, "play", "--db", str(db)], input=b"/help\n", stdout=full, stderr=subprocess.PIPE, check=False,
            env=ENVIRONMENT, timeout=60,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (2, b"rollbook: No space left on device\n")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_first_start_example_can_be_typed_as_it_stands(language: str) -> None:
    text = FIRST_START.zh if language == "zh" else FIRST_START.en
    lines = [line.strip().replace("：", ": ") for line in text.splitlines() if line.startswith("  ")]
    story = Story().given(*[line if ": " in line else f"you: {line}" for line in lines])
    assert len(lines) >= 5
    assert story.table.play.language == language


class running:  # noqa: N801  reads as a word in `with running(db)`
    """`rollbook play` left running, with pipes to talk through; killed at the end if it still lives."""

    def __init__(self, db: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            [*PROGRAM, "play", "--db", str(db), *options], env=ENVIRONMENT,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def __enter__(self) -> tuple[subprocess.Popen[bytes], IO[bytes], IO[bytes]]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        return self.process, self.process.stdin, self.process.stdout

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait(20)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            try:
                pipe.close()
            except BrokenPipeError:
                continue


# ---- at a real terminal


class Terminal:
    """The program on a pseudo-terminal."""

    def __init__(self, db: Path, language: str = "C.UTF-8") -> None:
        pid, self.fd = pty.fork()
        if not pid:
            environment = {**ENVIRONMENT, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", "LC_ALL": language}
            os.execve(PROGRAM[0], [*PROGRAM, "play", "--db", str(db)], environment)
        self.pid, self.seen = pid, ""

    def until(self, wanted: str, seconds: float = 20) -> str:
        """What was shown up to `wanted`, which is taken away with it."""
        deadline = time.monotonic() + seconds
        while wanted not in self.seen:
            ready, _, _ = select.select([self.fd], [], [], max(0, deadline - time.monotonic()))
            assert ready, f"{wanted!r} was not shown; shown was {self.seen!r}"
            self.seen += self._read()
        before, _, self.seen = self.seen.partition(wanted)
        return before

    def type(self, keys: str) -> None:
        os.write(self.fd, keys.encode())

    def left(self) -> int:
        """The exit code, when the program has left by itself."""
        deadline = time.monotonic() + 20
        while True:
            self.seen += self._read()
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                os.close(self.fd)
                return os.waitstatus_to_exitcode(status)
            assert time.monotonic() < deadline, self.seen

    def _read(self) -> str:
        """What is there to read, without colours and movements of the cursor."""
        ready, _, _ = select.select([self.fd], [], [], 0.1)
        try:
            new = os.read(self.fd, 65536) if ready else b""
        except OSError:  # the other side is closed
            new = b""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", new.decode("utf-8", "replace"))


def test_at_a_terminal_one_is_shown_an_example_and_can_play(db: Path) -> None:
    terminal = Terminal(db)
    assert "/table new savage" in terminal.until("Ctrl-D leaves.")
    terminal.until("you>")
    terminal.type("gm: /table new savage Glacier\r")
    terminal.until("“Glacier” is open")
    terminal.type("ann: /roll 2d6\r")
    terminal.until("2d6 = [")
    terminal.until("you>")
    terminal.type("\x04")
    terminal.until("Goodbye!")
    assert terminal.left() == 0
    assert [json.loads(line)["type"] for line in exported(db).splitlines()] == ["TableOpened", "RollMade"]


def test_at_a_terminal_the_example_is_shown_on_the_first_start_alone(db: Path) -> None:
    play(db, "gm: /table new savage")
    terminal = Terminal(db)
    assert "Welcome" not in terminal.until("you>")
    terminal.type("/quit\r")
    terminal.until("Goodbye!")
    assert terminal.left() == 0


def test_at_a_terminal_tab_completes_and_ctrl_c_throws_a_line_away(db: Path) -> None:
    play(db, "gm: /table new savage")
    terminal = Terminal(db, "zh_CN.UTF-8")
    terminal.until("you>")
    terminal.type("/nonsense")
    terminal.until("/nonsense")
    terminal.type("\x03")
    terminal.until("you>")
    terminal.type("/hel\t")
    terminal.until("/help")
    terminal.type("\r")
    terminal.until("roll")
    terminal.until("you>")
    terminal.type("\x03")
    terminal.until("再见")
    assert terminal.left() == 0


# ---- files


def test_a_file_is_put_beside_the_player_and_never_over_another(tmp_path: Path) -> None:
    (tmp_path / "Glacier.csv").write_text("mine")
    lines = "".join(f"{line}\n" for line in (*EVENING, "gm: /export csv", "gm: /export csv gm", "gm: /stats"))
    done = subprocess.run(
        [*PROGRAM, "play", "--db", tmp_path / "log.db"], input=lines.encode(), capture_output=True, check=False,
        timeout=120, env=ENVIRONMENT, cwd=tmp_path,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    written = ["Glacier-2.csv", "Glacier-gm.csv", "Glacier-stats.png"]
    assert [line.removeprefix("📁 ") for line in done.stdout.decode().splitlines() if line.startswith("📁")] == [
        str(tmp_path / name) for name in written
    ]
    assert sorted(one.name for one in tmp_path.iterdir() if one.name.startswith("Glacier")) == [
        "Glacier-2.csv", "Glacier-gm.csv", "Glacier-stats.png", "Glacier.csv",
    ]  # fmt: skip
    assert (tmp_path / "Glacier.csv").read_text() == "mine"
    assert (tmp_path / "Glacier-2.csv").read_bytes().decode().startswith('\ufeff"number"')


def test_in_json_a_reply_names_its_file_and_nothing_is_written(tmp_path: Path) -> None:
    *_, public, private = play(tmp_path / "log.db", *EVENING, "ann: /export md session 1", "gm: /export jsonl audit")
    assert [one.get("file") for one in public["replies"]] == [
        {"name": "Glacier-session-1.md", "media_type": "text/markdown"}
    ]
    assert [(one["to"], one.get("file")) for one in private["replies"]] == [
        ("table", None), ("gm", {"name": "Glacier-audit.jsonl", "media_type": "application/jsonl"}),
    ]  # fmt: skip
    assert [one.name for one in Path.cwd().iterdir() if one.name.startswith("Glacier")] == []


def test_a_folder_that_cannot_be_written_is_told_and_play_goes_on(tmp_path: Path) -> None:
    seat = Seat(App(MemoryLog(), Clock(), Seeds()), "main", "gm", "run", tmp_path / "missing")
    out = io.BytesIO()
    play_text(seat, [b"/table new savage Glacier", b"/export", b"/roll d1"], out)
    heard = out.getvalue().decode().splitlines()
    assert any(line.startswith("📁 The file was not written to ") for line in heard)
    assert heard[-1] == "🎲 gm: d1 = [1] = 1"

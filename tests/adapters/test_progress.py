"""How far a long command is, at a real terminal; and one that is stopped half-way."""

from __future__ import annotations

import os
import pty
import re
import resource
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import pytest

from adapters import files
from adapters.cli import READINGS
from adapters.export import from_jsonl, whole
from adapters.export.extract import Extract
from adapters.terminal.progress import PATIENCE_S, STEP, watched
from events.codec import decode
from events.log import MemoryLog
from events.sqlite import SqliteLog
from tests.adapters.terminal import ENVIRONMENT, PROGRAM, run
from tests.bench import long_log

EVENTS = 8_000  # told again they are more than pipes and a screen take at once
BAR = "━"
LINE_TAKEN_AWAY, LINE_UP, CURSOR_BACK = "\x1b[2K", "\x1b[1A", "\x1b[?25h"


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("long") / "long.db"
    long_log.write(path, EVENTS, ["savage"])
    return path


class AtTerminal:
    """The program with a terminal on its stderr; what it wrote to `out` was read so slowly that it had to wait."""

    def __init__(self, *arguments: object, out: Path | None = None, term: str = "xterm") -> None:
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [*PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL, stderr=theirs, stdout=subprocess.PIPE,
            env={**ENVIRONMENT, "TERM": term},
        )  # fmt: skip
        os.close(theirs)
        with process, out.open("rb") if out else nullcontext(process.stdout) as file, ThreadPoolExecutor() as threads:
            assert file
            shown = threads.submit(lambda: b"".join(read_all(ours)).decode())
            self.told = b"".join(slowly(file.fileno())).decode()
            self.shown = shown.result()
        os.close(ours)
        self.code = process.returncode


def read_all(fd: int) -> Iterator[bytes]:
    try:
        while piece := os.read(fd, 4096):
            yield piece
    except OSError:  # so a terminal says that nobody is on the other side any more
        return


def slowly(fd: int) -> Iterator[bytes]:
    """For a while so slowly that a bar is due before the end, however fast the program is."""
    began = time.monotonic()
    for piece in read_all(fd):
        yield piece
        if time.monotonic() - began < 3 * PATIENCE_S:
            time.sleep(0.01)


def left_on_screen(shown: str) -> str:
    """What a terminal still shows, of a program that only writes on, goes up a line and erases lines."""
    lines, row = [""], 0
    for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|\n|[^\x1b\r\n]+", shown):
        if part == "\n":
            row += 1
            lines += [""] * (row == len(lines))
        elif part == LINE_UP:
            row -= 1
        elif part == LINE_TAKEN_AWAY:
            lines[row] = ""
        elif not part.startswith("\x1b"):
            lines[row] += part
    return "\n".join(lines).strip()


def test_a_long_export_shows_a_bar_on_the_terminal_and_takes_it_away(long: Path, tmp_path: Path) -> None:
    pipe, file = tmp_path / "pipe", tmp_path / "out.md"
    os.mkfifo(pipe)
    done = AtTerminal("export", "--db", long, "--format", "md", "-o", pipe, out=pipe)
    assert BAR in done.shown
    assert re.search(r"\d+%", done.shown)
    assert CURSOR_BACK in done.shown.rpartition(BAR)[2]
    assert re.fullmatch(rf"Written to {re.escape(str(pipe))}: lines \d+\.", left_on_screen(done.shown))
    assert run("export", "--db", long, "--format", "md", "-o", file).returncode == done.code == 0
    assert done.told == file.read_text()


def test_the_bar_is_on_stderr_alone(long: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.md"
    done = AtTerminal("export", "--db", long, "--format", "md")
    assert BAR in done.shown
    assert (done.code, left_on_screen(done.shown)) == (0, "")
    piped = run("export", "--db", long, "--format", "md", "-o", file)
    assert BAR not in piped.stderr
    assert done.told == file.read_text()


def test_there_is_no_bar_between_lines_on_the_screen(long: Path) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, "export", "--db", str(long), "--format", "md"], stdin=subprocess.DEVNULL, stdout=theirs,
        stderr=theirs, env={**ENVIRONMENT, "TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    shown = b"".join(slowly(ours)).decode()
    os.close(ours)
    assert process.wait(60) == 0
    assert shown.replace("\r\n", "\n") == run("export", "--db", long, "--format", "md").stdout


def test_a_terminal_that_cannot_erase_and_a_short_task_have_no_bar(long: Path, tmp_path: Path) -> None:
    assert AtTerminal("export", "--db", long, "--format", "md", term="dumb").shown == ""
    short = tmp_path / "short.db"
    long_log.write(short, 100, ["adventure"])
    assert AtTerminal("verify", short).shown == ""


def test_an_import_and_a_verification_count_all_that_they_read(long: Path, tmp_path: Path) -> None:
    file, moved = tmp_path / "out.jsonl", list[int]()
    run("export", "--db", long, "--as", "audit", "-o", file)
    assert sum(1 for _ in from_jsonl.read(file, moved=moved.append)) == EVENTS
    assert sum(moved) == file.stat().st_size
    moved.clear()
    assert from_jsonl.append(MemoryLog(), from_jsonl.vetted(file, {}, moved.append)).added == EVENTS
    assert sum(moved) == file.stat().st_size


@pytest.mark.parametrize("form", READINGS)
@pytest.mark.parametrize("role", ["player", "audit"])
def test_a_record_is_read_as_often_as_the_bar_of_its_export_counts(long: Path, form: str, role: str) -> None:
    log, read = watched(SqliteLog(long, read_only=True)), list[int]()
    (table,) = log.tables()
    extract = Extract(table, EVENTS, "gm", undone=role == "audit")
    found = files.lines(log, form, extract, {}, "en")
    log.on_read = read.append
    for _ in found:
        pass
    log.close()
    assert sum(read) == READINGS[form][role == "audit"] * (EVENTS // STEP * STEP)


# ---- stopped


def test_an_export_that_is_interrupted_leaves_the_old_file_and_nothing_beside_it(long: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.md"
    file.write_text("what was there before")
    process = subprocess.Popen(
        [*PROGRAM, "export", "--db", str(long), "--format", "md", "-o", str(file)], stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + 60
        while not any(one.stat().st_size for one in tmp_path.iterdir() if one != file):  # it grows beside the old one
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, said) == (130, b"")
    assert {one.name: one.read_text() for one in tmp_path.iterdir()} == {"out.md": "what was there before"}


@pytest.mark.parametrize("form", ["jsonl", "txt", "html"])
def test_a_disk_that_is_full_half_way_is_told_and_leaves_the_old_file(long: Path, tmp_path: Path, form: str) -> None:
    """The nearest to it without a disk of our own: no file may grow beyond so many bytes."""
    file = tmp_path / f"out.{form}"
    file.write_text("what was there before")
    done = subprocess.run(
        [*PROGRAM, "export", "--db", str(long), "--format", form, "-o", str(file)], capture_output=True, check=False,
        env=ENVIRONMENT, timeout=60, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)),
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == f"rollbook: {file} was not written: File too large.\n"
    assert {one.name: one.read_text() for one in tmp_path.iterdir()} == {file.name: "what was there before"}


@pytest.mark.parametrize("there", [True, False])
def test_lines_that_fail_half_way_leave_what_was_there(long: Path, tmp_path: Path, there: bool) -> None:
    """The record turns out to be damaged when much of the file is written."""
    file = tmp_path / "out.txt"
    if there:
        file.write_text("what was there before")
    before = {one.name: one.read_text() for one in tmp_path.iterdir()}

    def lines() -> Iterator[bytes]:
        log = SqliteLog(long, read_only=True)
        yield from (decode(one).type.encode() for one in log.read(log.tables()[0]))
        log.close()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        whole.write(lines(), file)
    assert {one.name: one.read_text() for one in tmp_path.iterdir()} == before

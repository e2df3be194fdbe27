"""A log that cannot be used just now, or not by this program: each command says so in one sentence, and harms nothing
in it."""

from __future__ import annotations

import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from events.sqlite import MIGRATIONS, SqliteLog
from tests.adapters.terminal import ENVIRONMENT, PROGRAM, play, refused, run
from tests.adapters.test_serve import ended, rolled, serving, table_of
from tests.servers.telegram import FakeTelegram
from tests.soak.programs import FULL, PATIENCE_S, said_until
from tests.soak.small_disk import small_disk

COMMANDS = (("play", "--db"), ("verify",), ("export", "--db"), ("serve",))


@pytest.fixture
def log(path: Path) -> Path:
    """A log at which was played."""
    play(path, "/table new savage Glacier", "/trait d8")
    return path


def told(command: tuple[str, ...], path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a command says of the log before it leaves with 2."""
    if command == ("serve",):
        monkeypatch.setitem(ENVIRONMENT, "ROLLBOOK_DB", str(path))
        monkeypatch.setitem(ENVIRONMENT, "ROLLBOOK_TELEGRAM_TOKEN", "700:TEST-token")
        return refused(run("serve"))
    return refused(run(*command, path, given="/trait d8\n"))


@contextmanager
def held(path: Path) -> Iterator[sqlite3.Connection]:
    """Another program is writing to the file, and does not end."""
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield other
    finally:
        other.close()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_log_of_a_newer_program_is_left_to_that(
    log: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = sqlite3.connect(log)
    raw.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    raw.close()
    before = log.read_bytes()
    sentence = f"{log} was written by a newer version of Rollbook; please update this one."
    assert told(command, log, monkeypatch) == sentence
    assert log.read_bytes() == before


@pytest.mark.parametrize("command", COMMANDS)
def test_on_a_disk_that_cannot_be_written_a_log_can_be_looked_at(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    with small_disk(1 << 20) as disk:
        play(disk.log, "/table new savage Glacier", "/trait d8")
        before = disk.log.read_bytes()
        disk.freeze()
        if command in {("play", "--db"), ("serve",)}:
            assert told(command, disk.log, monkeypatch) == f"{disk.log} can be read but not written."
        else:
            done = run(*command, disk.log)
            assert (done.returncode, done.stderr) == (0, "")
        assert disk.log.read_bytes() == before


def test_a_log_that_is_held_for_a_moment_is_waited_for(log: Path) -> None:
    with held(log) as other:
        program = subprocess.Popen(
            [*PROGRAM, "play", "--db", str(log)], env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip
        release = threading.Timer(2.0, other.execute, ["ROLLBACK"])
        release.start()
        out, err = program.communicate(b"/trait d8\n", PATIENCE_S)
        release.join()
    assert (program.returncode, err) == (0, b"")
    assert out.count(b"\n") == 1
    again = SqliteLog(log)
    (table,) = again.tables()
    assert again.head(table).seq == 3
    again.close()


@pytest.mark.skipif(not FULL, reason="a program waits for seconds before it gives up; `make soak` does")
def test_a_log_that_is_held_for_long_is_answered_from_when_it_is_free(server: FakeTelegram, path: Path) -> None:
    gm, group = table_of(server, path)
    with serving(server, path) as process:
        server.text(group, gm, "/calc 1+1")
        server.wait_for(lambda: len(server.of_bot(group)) == 2, PATIENCE_S)
        with held(path):
            messages = [server.text(group, gm, "/roll 4d100") for _ in range(3)]
            sentence = f"{path} has been held by another program for too long; please try again."
            assert refused(run("play", "--db", path, given="/table new savage Other\n")) == sentence
            assert run("verify", path).returncode == 0
            said = said_until(process, sentence)
        server.wait_for(lambda: len(server.of_bot(group)) == 5, PATIENCE_S)
        said += ended(process)
    assert "Traceback" not in said
    assert rolled(path) == [f"telegram:{group}:{message}" for message in messages]

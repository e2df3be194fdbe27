"""Programs of their own on one log: started, watched, stopped, killed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.adapters.terminal import ENVIRONMENT

FULL = bool(os.environ.get("ROLLBOOK_SOAK"))  # `make soak` sets it
PATIENCE_S = 300.0
SPREAD_S = 0.4  # over which the moments of a kill are spread
PLAYER = (sys.executable, "-m", "tests.soak.player")
Program = subprocess.Popen[str]


def rounds(full: int, short: int) -> int:
    """How often something is done: in `make soak`, and in an ordinary run of the tests."""
    return full if FULL else short


@contextmanager
def player(log: Path, told: Path, *options: object) -> Iterator[Program]:
    """See player.py. It is dead when the block ends, however it ends."""
    command = [*PLAYER, str(log), str(told), *map(str, options)]
    program = subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
    try:
        yield program
    finally:
        program.kill()
        program.communicate()


def finished(program: Program) -> None:
    """It has done all it had to do, without a word."""
    _, said = program.communicate(timeout=PATIENCE_S)
    assert (program.returncode, said) == (0, "")


def killed(program: Program) -> None:
    """It was well until now."""
    assert program.poll() is None, program.communicate()
    program.kill()
    program.wait()


@contextmanager
def stopped(program: Program) -> Iterator[None]:
    """It does nothing meanwhile; what it had asked the system for has been done."""
    program.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, program.pid, os.WSTOPPED | os.WNOWAIT)
    try:
        yield
    finally:
        program.send_signal(signal.SIGCONT)


def said_until(process: Program, word: str) -> str:
    """What it wrote to stderr until this word came, or its end, which is brought about if it takes too long."""
    assert process.stderr is not None
    said = ""
    too_long = threading.Timer(PATIENCE_S, process.kill)
    too_long.start()
    while word not in said and (line := process.stderr.readline()):
        said += line
    too_long.cancel()
    assert word in said
    return said


def until_grown(program: Program, told: Path, lines: int) -> None:
    """Until so many more lines were told."""
    before = _lines(told)
    wait_for(lambda: program.poll() is not None or _lines(told) >= before + lines)
    assert program.poll() is None, program.communicate()


def wait_for(wanted: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not wanted():
        assert time.monotonic() < deadline, "It did not come to that."
        time.sleep(0.005)


def wait_a_moment(chance: random.Random) -> None:
    """No moment is waited for: any will do."""
    time.sleep(chance.uniform(0, SPREAD_S))


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0

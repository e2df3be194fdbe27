"""`rollbook serve` as a program of its own, and how much of the processor it takes."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tests.adapters.terminal import ENVIRONMENT, PROGRAM, UNLIMITED
from tests.bench.figures import Figure
from tests.bench.machine import processor_s

COMMAND = "trait d8"  # two dice with Aces, one event, one answer with buttons
GRACE_S = 30
Program = subprocess.Popen[bytes]


@contextmanager
def serving(settings: Mapping[str, str]) -> Iterator[Program]:
    """The program with these environment variables; it has to end well."""
    environment = {**ENVIRONMENT, "NO_PROXY": "127.0.0.1", "ROLLBOOK_LANGUAGE": "en", **UNLIMITED, **settings}
    program = subprocess.Popen([*PROGRAM, "serve"], env=environment, stderr=subprocess.DEVNULL)
    try:
        yield program
        program.send_signal(signal.SIGTERM)
        assert program.wait(GRACE_S) == 0
    finally:
        program.kill()
        program.wait()


class Processor:
    """The program's processor time from here on."""

    def __init__(self, program: Program) -> None:
        self.program, self._before = program, processor_s(program)

    def used(self, benchmark: str, name: str, count: int) -> list[Figure]:
        """For each of so many commands; nothing where the system does not tell."""
        now = processor_s(self.program)
        if self._before is None or now is None:
            return []
        return [Figure(benchmark, f"{name}, processor time of the bot", 1e3 * (now - self._before) / count, "ms")]

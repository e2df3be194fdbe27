"""The real program at a terminal of its own: what is typed is seen only where the program lets it be."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time
from collections.abc import Mapping

from tests.adapters.terminal import ENVIRONMENT, PROGRAM

PATIENCE_S = 60.0
OPENED = 'exec "$0" "$@" <"$TERMINAL" >"$TERMINAL" 2>&1'  # the terminal that a session opens first is its own


class Typed:
    """`rollbook ARGUMENTS` and the person before it; `seen` is all that has appeared on the terminal."""

    def __init__(self, *arguments: object, environment: Mapping[str, str] = ENVIRONMENT) -> None:
        self._terminal, theirs = pty.openpty()
        self.seen, self._read = "", 0
        command = ["/bin/sh", "-c", OPENED, *PROGRAM, *map(str, arguments)]
        env = {**environment, "TERMINAL": os.ttyname(theirs)}
        self.process = subprocess.Popen(command, stdin=theirs, env=env, start_new_session=True)
        os.close(theirs)

    def __enter__(self) -> Typed:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._terminal)

    def until(self, text: str) -> Typed:
        """When this has appeared behind what was waited for before."""
        deadline = time.monotonic() + PATIENCE_S
        while (at := self.seen.find(text, self._read)) < 0:
            assert time.monotonic() < deadline, self.seen
            assert self._more() or text in self.seen[self._read :], self.seen
        self._read = at + len(text)
        return self

    def type(self, text: str) -> Typed:
        os.write(self._terminal, text.encode())
        return self

    def ended(self) -> int:
        """The exit code, when all that it says is seen."""
        while self._more():
            pass
        return self.process.wait(PATIENCE_S)

    def _more(self) -> bool:
        """Read on; False: it has ended."""
        if not select.select([self._terminal], [], [], PATIENCE_S)[0]:
            raise TimeoutError(self.seen)
        try:
            text = os.read(self._terminal, 65_536).decode(errors="replace")
        except OSError:  # nobody is at the other end any more
            return False
        self.seen += text
        return bool(text)

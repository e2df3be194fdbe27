"""A script from a page, played by the program: what the terminal shows, with the same dice in every run.

    seed: 3            which dice
    without: ✏️ | 👋    answers that begin so are left out
    name: text         that person says this
    $ rollbook …       a command, run on the log of this evening; {head} is the head that the chat was told last

Here: how a script becomes a transcript. Never: which scripts there are (they stand in the pages).
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.terminal import play, wire
from core.app import App
from core.language import Language
from events.sqlite import SqliteLog
from tests.story import Clock, Seeds

ROOT = Path(__file__).parents[2]
LOG = "rollbook.db"
DIGEST = re.compile(r"\b([0-9a-f]{16})[0-9a-f]{48}\b")
HEAD = re.compile(r"🔗.*?(\d+:[0-9a-f]{16})")
LOCALE: dict[Language, str] = {"zh": "zh_CN.UTF-8", "en": "C.UTF-8"}


class Evening:
    """One chat on a log in `folder`; `seed` chooses its dice."""

    def __init__(self, folder: Path, speech: Language, seed: int) -> None:
        self.folder, self.speech = folder, speech
        self.log = SqliteLog(folder / LOG)
        self.seat = play.Seat(App(self.log, Clock(), Seeds(seed * 1000), speech), "main", "you", "played", folder)

    def answer(self, line: str) -> list[str]:
        return self._ran(line[2:]) if line.startswith("$ ") else self._heard(line)

    def _heard(self, line: str) -> list[str]:
        out = io.BytesIO()
        play.play_text(self.seat, [line.encode()], out)
        return out.getvalue().decode().splitlines()

    def _ran(self, command: str) -> list[str]:
        _, *words = shlex.split(command)
        done = subprocess.run(
            [sys.executable, "-m", "adapters", *words], cwd=self.folder, capture_output=True, encoding="utf-8",
            check=False, timeout=120,
            env={**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": LOCALE[self.speech],
                 "HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder), "ROLLBOOK_DB": str(self.folder / LOG)},
        )  # fmt: skip
        return [wire.plain(line) for line in (done.stdout + done.stderr).splitlines()]


def shortened(line: str) -> str:
    """As a page shows it: of a SHA-256 or a seed the first 16 digits."""
    return DIGEST.sub(r"\1…", line)


@cache
def played(script: str, speech: Language) -> str:
    """The lines of the script, each followed by what the program answered."""
    lines = [line for line in script.splitlines() if line]
    seed = next((int(line[5:]) for line in lines if line.startswith("seed:")), 0)
    without = next((tuple(line[8:].strip().split(" | ")) for line in lines if line.startswith("without:")), ())
    shown: list[str] = []
    with TemporaryDirectory() as folder:
        evening = Evening(Path(folder), speech, seed)
        for line in (line for line in lines if not line.startswith(("seed:", "without:"))):
            shown.append(line.replace("{head}", _head(shown)))
            shown += [one.replace(f"{folder}/", "") for one in evening.answer(shown[-1]) if not one.startswith(without)]
        evening.log.close()
    return "\n".join(map(shortened, shown))


def _head(shown: list[str]) -> str:
    return next((match[1] for line in reversed(shown) if (match := HEAD.search(line))), "")

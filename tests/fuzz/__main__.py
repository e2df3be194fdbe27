"""`python -m tests.fuzz`: every target for a while by Atheris, which looks where the code goes; then the figures.

Each target runs in a process of its own, as a fuzzer that finds something ends. Exit code 1: something was found; the
bytes that led there are kept in the folder, and `--again FILE TARGET` tries them once more.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path

from tests.fuzz.targets import TARGETS

SAID = 6_000  # characters of what a fuzzer that found something says


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Bend what comes from outside.")
    parser.add_argument("--seconds", type=int, default=600, help="for all targets together")
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"), help="what was learned, and what was found")
    parser.add_argument("--again", type=Path, metavar="FILE", help="the bytes of a finding, for the target named")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; all unless named")
    given = parser.parse_args()
    names = given.targets or list(TARGETS)
    if unknown := set(names) - TARGETS.keys():
        parser.error(f"no such target: {', '.join(sorted(unknown))}")
    if given.again:
        TARGETS[names[0]](given.again.read_bytes())
        return 0
    _say("| target | inputs | seconds | reached | found |\n|---|---:|---:|---:|---:|")
    return max([told(name, given.folder, max(1, given.seconds // len(names))) for name in names])


def told(name: str, folder: Path, seconds: int) -> int:
    """A target in a process of its own, and a row about it; 1 if something was found."""
    command = [sys.executable, "-m", "tests.fuzz.guided", name, str(folder), str(seconds)]
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    took, said, found = time.monotonic() - began, done.stdout + done.stderr, int(done.returncode != 0)
    inputs, reached = _last(r"stat::number_of_executed_units: (\d+)", said), _last(r"cov: (\d+)", said)
    _say(f"| {name} | {inputs} | {took:.0f} | {reached} | {found} |")
    if found:
        sys.stderr.write(f"{said[-SAID:]}\n")
    return found


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _last(pattern: str, said: str) -> str:
    return (re.findall(pattern, said) or ["?"])[-1]


if __name__ == "__main__":
    sys.exit(main())

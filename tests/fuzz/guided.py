"""One target under Atheris, in a process of its own: `python -m tests.fuzz.guided TARGET FOLDER SECONDS`."""

from __future__ import annotations

import sys
from pathlib import Path

import atheris  # installed by `make fuzz` alone

with atheris.instrument_imports(include=["adapters", "core", "events"]):  # it looks where their code goes
    from core.registry import SYSTEMS
    from tests.fuzz import samples
    from tests.fuzz.targets import TARGETS

    for system in SYSTEMS:
        samples.evening(system)  # brings the rooms that are loaded by name

MOST_BYTES = 2_000  # of what a target is given
LONGEST_S = 20  # one input that takes longer is a finding
TEXTS = {"grammar": b"\0" * 4, "commands": b"\0" * 18}  # the bytes before the text


def starts(name: str) -> list[bytes]:
    """Where a target sets out: for text every right command, else a little of everything."""
    if front := TEXTS.get(name):
        return [front + f"/{one}".encode() for one in samples.commands()]
    return [bytes([0, number]) * 6 for number in range(16)]


def dictionary(path: Path) -> Path:
    """The names of all verbs, so that they need not be guessed."""
    escaped = ["".join(f"\\x{byte:02x}" for byte in word.encode()) for word in samples.words()]
    path.write_text("".join(f'"{one}"\n' for one in escaped), encoding="ascii")
    return path


def main(name: str, folder: Path, seconds: int) -> None:
    learned = folder / name
    learned.mkdir(parents=True, exist_ok=True)
    for number, one in enumerate(starts(name)):
        (learned / f"start-{number}").write_bytes(one)
    flags = [
        f"-max_total_time={seconds}", f"-max_len={MOST_BYTES}", f"-timeout={LONGEST_S}", "-rss_limit_mb=1500",
        f"-dict={dictionary(folder / f'{name}.dict')}", f"-artifact_prefix={folder}/found-{name}-",
        "-print_final_stats=1",
    ]  # fmt: skip
    atheris.Setup([sys.argv[0], *flags, str(learned)], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))

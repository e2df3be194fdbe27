"""What `rollbook backup` and `rollbook restore` have done, in lines.

Here: Made and Restored -> Lines. Never: a sentence (`words.py`), or what was done.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from adapters.backup.making import Made
from adapters.backup.restoring import Restored
from core.language import Line, line


def of_backup(made: Made) -> Iterator[Line]:
    found = made.found
    if found.holds:
        yield line("made", path=made.path, tables=len(found.verdicts), events=found.events)
    else:
        yield line("made_broken", path=made.path)
        yield from found.broken()
    yield from found.heads()
    if made.keys:
        yield line("keys", count=made.keys)
    elif "matrix" in found.platforms:
        yield line("no_keys")
    if made.thinned:
        yield line("thinned", count=len(made.thinned))
    yield line("private")


def of_restore(done: Restored, source: Path, place: str, key_folder: Path | None) -> Iterator[Line]:
    """`place` is where the log is now, as it may be told."""
    found = done.found
    if not found.holds:
        yield line("not_restored", path=source)
        yield from found.broken()
        return
    yield line("restored", place=place, tables=len(found.verdicts), events=found.events)
    yield from found.heads()
    if done.renewed:
        yield line("renewed", count=done.renewed)
    if done.aside:
        yield line("aside", path=done.aside)
    if done.keys:
        yield line(f"keys_{done.keys}", folder=key_folder)

"""A file that is cut off or has bits turned over: it is read whole, or the damage is said; never is it half read
without a word, and never is it changed."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from adapters import wiring
from core.messages import Incoming
from core.verify import verify
from events.beside import MessageKey
from events.envelope import Stored
from events.log import LogUnusable
from events.sqlite import SqliteLog
from events.talk import Texts
from tests.adapters.terminal import play, refused, run
from tests.soak.player import LINES, OPENING
from tests.soak.programs import rounds

PAGE = 4096
Record: TypeAlias = dict[str, list[Stored]]
Damage: TypeAlias = Callable[[bytes, random.Random], bytes]
ENDINGS = ("", "-wal", "-shm")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteLog]:
    """With four tables, at each of which all was played that a player plays; all is in the journal still."""
    log = SqliteLog(tmp_path_factory.mktemp("whole") / "rollbook.db")
    app = wiring.build(log, "en")
    for number, line in enumerate((*OPENING, *LINES, *LINES)):
        for chat in range(4):
            key = MessageKey("telegram", f"-{chat}", str(number))
            app.hear(Incoming(key=key, person=f"p{chat}", name="Gm", text=line))
    yield log
    log.close()


def copied(log: SqliteLog, to: Path) -> Path:
    """The file and its journal, in this folder."""
    to.mkdir()
    for ending in ("", "-wal"):
        shutil.copyfile(f"{log.path}{ending}", to / f"{log.path.name}{ending}")
    return to / log.path.name


def record(path: Path) -> Record:
    """Every table's events. LogUnusable: the file is damaged. LookupError: an event does not hold."""
    log = SqliteLog(path, read_only=True)
    try:
        log.examine()
        return {table: _held(log, table) for table in log.tables()}
    finally:
        log.close()


def _held(log: SqliteLog, table: str) -> list[Stored]:
    stored = list(log.read(table))
    found = verify(stored, texts=Texts(log, table))
    if found.broken or not found.events:
        raise LookupError(found.broken)
    return stored


def left_of(path: Path) -> Record | None:
    """What is read of it; None: it was said that it is damaged."""
    try:
        return record(path)
    except LogUnusable as error:
        _check(str(error), path)
    except LookupError:
        pass
    return None


def _check(sentence: str, path: Path) -> None:
    assert str(path) in sentence
    assert "\n" not in sentence


def refused_unchanged(path: Path) -> None:
    """Opened to be written to, a file that is refused is as it was."""
    before = path.read_bytes()
    try:
        SqliteLog(path).close()
    except LogUnusable:
        assert path.read_bytes() == before


def bit(whole: bytes, chance: random.Random) -> bytes:
    """One bit is turned over anywhere."""
    at = chance.randrange(len(whole))
    return whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1 :]


def bit_of_a_header(whole: bytes, chance: random.Random) -> bytes:
    """The same at the beginning of a page, which says what is on it."""
    at = chance.randrange(len(whole) // PAGE) * PAGE
    return whole[:at] + bit(whole[at : at + 16], chance) + whole[at + 16 :]


def page(whole: bytes, chance: random.Random) -> bytes:
    """A page is empty."""
    at = chance.randrange(len(whole) // PAGE) * PAGE
    return whole[:at] + bytes(PAGE) + whole[at + PAGE :]


def end(whole: bytes, chance: random.Random) -> bytes:
    """The end is missing."""
    return whole[: chance.randrange(1, len(whole))]


@pytest.mark.parametrize("damage", [bit, bit_of_a_header, page, end])
def test_a_damaged_file_is_read_whole_or_called_damaged(
    tmp_path: Path, log: SqliteLog, damage: Damage, tally: Counter[str]
) -> None:
    closed = copied(log, tmp_path / "closed")
    SqliteLog(closed).close()
    chance, whole, before = random.Random(damage.__name__), closed.read_bytes(), record(closed)
    copy = tmp_path / "damaged.db"
    for _ in range(rounds(1_000, 60)):
        damaged = damage(whole, chance)
        copy.write_bytes(damaged)
        assert left_of(copy) in (before, None)
        assert copy.read_bytes() == damaged
        refused_unchanged(copy)
        for ending in ENDINGS:
            Path(f"{copy}{ending}").unlink(missing_ok=True)
        tally["files damaged"] += 1


@pytest.mark.parametrize("ending", ["", "-wal"])
@pytest.mark.parametrize("damage", [bit, end])
def test_of_a_damaged_journal_each_table_is_a_beginning_of_its_record(
    tmp_path: Path, log: SqliteLog, ending: str, damage: Damage, tally: Counter[str]
) -> None:
    chance, before, read = random.Random(damage.__name__ + ending), record(log.path), 0
    for _ in range(rounds(500, 30)):
        copy = copied(log, tmp_path / "copy")
        part = Path(f"{copy}{ending}")
        part.write_bytes(damage(part.read_bytes(), chance))
        left = left_of(copy) or {}
        assert list(left) == list(before)[: len(left)]
        assert all(before[table][: len(stored)] == stored for table, stored in left.items())
        shutil.rmtree(copy.parent)
        read += bool(left)
        tally["journals damaged"] += 1
    assert read or not ending, "some of it can be read"


def test_a_record_that_ends_too_soon_since_an_index_has_lost_its_last_entry_is_no_proof(path: Path) -> None:
    play(path, "/table new savage Glacier", "/trait d8", "/trait d6")
    with sqlite3.connect(path) as raw:
        (root,) = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_events_1'").fetchone()
        (size,) = raw.execute("PRAGMA page_size").fetchone()
    raw.close()
    whole = bytearray(path.read_bytes())
    entries = (root - 1) * size + 3  # how many there are on the page, in two bytes
    whole[entries + 1] -= 1
    path.write_bytes(whole)
    log = SqliteLog(path, read_only=True)
    (table,) = log.tables()
    assert verify(log.read(table)).broken is None, "the chain itself holds"
    assert verify(log.read(table)).events == 2
    log.close()
    assert refused(run("verify", path)) == f"{path} is damaged; please restore a backup."

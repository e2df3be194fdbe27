"""The library `eventsourcing` on its own SQLite store, as durable as our log and with the same roll in each event.

As its documentation shows it: an aggregate, saved by an application. Once also with msgspec in place of its JSON.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from eventsourcing.persistence import Transcoder
from eventsourcing.sqlite import SQLiteApplicationRecorder

from tests.bench.figures import Figure, Size, rate
from tests.bench.log_alone import a_roll
from tests.bench.rounds import Round

BENCHMARK = "eventsourcing"
SHORT = 10  # events of a table that is loaded for a command
FULL = 2  # of `PRAGMA synchronous`


class Table(Aggregate):
    """Counts its rolls and knows the last."""

    rolls = 0

    @event("RollMade")
    def make_roll(self, roll: dict[str, Any]) -> None:
        self.rolls += 1
        self.roll = roll


class ByMsgspec(Transcoder):
    """The fastest there is; it leaves a time as text."""

    def encode(self, obj: object) -> bytes:
        return msgspec.json.encode(obj)

    def decode(self, data: bytes) -> Any:
        return msgspec.json.decode(data)


class Tables(Application[UUID]):
    pass


class TunedTables(Tables):
    def construct_transcoder(self) -> Transcoder:
        return ByMsgspec()


def held(size: Size, folder: Path) -> Iterator[Round]:
    """One table that stays in memory."""
    with closing(_opened(Tables, folder)) as app:
        table, roll = Table(), _roll()
        while True:
            began = time.perf_counter()
            for _ in range(size.commands):
                table.make_roll(roll)
                app.save(table)
            yield [rate(BENCHMARK, "append, table in memory", size.commands, time.perf_counter() - began, "events")]


def loaded(size: Size, folder: Path) -> Iterator[Round]:
    """Many short tables, each loaded for its command."""
    with closing(_opened(Tables, folder)) as app:
        roll = _roll()
        tables = itertools.cycle([_rolled(app, SHORT, roll) for _ in range(size.commands)])
        while True:
            began = time.perf_counter()
            for id in itertools.islice(tables, size.commands):
                table: Table = app.repository.get(id)
                table.make_roll(roll)
                app.save(table)
            took = time.perf_counter() - began
            yield [rate(BENCHMARK, f"load a table of {SHORT}, command, save", size.commands, took, "events")]


def replay(size: Size, folder: Path) -> Iterator[Round]:
    yield from _replayed(size, folder, Tables, "replay")


def tuned_replay(size: Size, folder: Path) -> Iterator[Round]:
    yield from _replayed(size, folder, TunedTables, "replay, msgspec for its JSON")


def _replayed(size: Size, folder: Path, kind: type[Tables], name: str) -> Iterator[Round]:
    """In processor time, as ours."""
    with closing(_opened(kind, folder)) as app:
        id = _rolled(app, size.replayed, _roll())
        while True:
            began = time.process_time()
            table: Table = app.repository.get(id)
            took = time.process_time() - began
            assert table.rolls == size.replayed
            yield [Figure(BENCHMARK, name, 1e6 * took / size.replayed, "µs an event")]


def _opened(kind: type[Tables], folder: Path) -> Tables:
    app = kind(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(folder / "eventsourcing.db")})
    assert isinstance(app.recorder, SQLiteApplicationRecorder)
    assert [_setting(app.recorder, one) for one in ("journal_mode", "synchronous")] == ["wal", FULL]
    return app


def _setting(recorder: SQLiteApplicationRecorder, name: str) -> str | int:
    with recorder.datastore.transaction(commit=False) as cursor:
        cursor.execute(f"PRAGMA {name}")
        value: str | int = cursor.fetchone()[0]
        return value


def _rolled(app: Tables, times: int, roll: dict[str, Any]) -> UUID:
    table = Table()
    for _ in range(times):
        table.make_roll(roll)
    app.save(table)
    return table.id


def _roll() -> dict[str, Any]:
    roll: dict[str, Any] = msgspec.to_builtins(a_roll())
    return roll

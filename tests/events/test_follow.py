"""A log in PostgreSQL that is followed while others write to it: every event is given once, and none is missed."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from threading import Event, Thread
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from events.chain import first_break
from events.follow import Followed, Mark
from events.postgres import MIGRATIONS, PostgresLog, migrate
from tests.events.lasting_contract import speak, tables_of
from tests.events.records import spoken
from tests.servers.postgres import Postgres, running

WAIT_S = 60.0
Raw = psycopg.Connection[tuple[Any, ...]]
WRITERS, EACH = 4, 80


@pytest.fixture
def conninfo() -> str:
    return running().fresh()


@pytest.fixture
def log(conninfo: str) -> Iterator[PostgresLog]:
    log = PostgresLog(conninfo, patience_s=WAIT_S)
    yield log
    log.close()


@pytest.fixture
def raw(conninfo: str) -> Iterator[Raw]:
    with psycopg.connect(conninfo, autocommit=True) as raw:
        yield raw


def test_what_was_committed_behind_something_still_on_its_way_is_given_after_it(
    log: PostgresLog, conninfo: str
) -> None:
    speak(log, "green")
    speak(log, "red")
    seen = list(log.follow())
    green, red = (spoken(1, log.head(table), table)[0] for table in ("green", "red"))
    with psycopg.connect(conninfo) as slow:
        insert = "INSERT INTO events (table_id, seq, body, hash) VALUES (1, %s, %s, %s) RETURNING position"
        [(position,)] = slow.execute(insert, (green.seq, green.body, green.hash)).fetchall()
        log.append("red", 1, [red])
        assert list(log.follow(seen[-1].mark)) == []
        slow.commit()
    found = list(log.follow(seen[-1].mark))
    assert [(one.table, one.event) for one in found] == [("green", green), ("red", red)]
    assert found[0].mark.position == position < found[1].mark.position, "so a reader of positions had missed it"


def naive(conninfo: str, ended: Event, found: list[int]) -> None:
    """What a reader of `position > last` is given while the others write."""
    with psycopg.connect(conninfo, autocommit=True) as raw:
        last, over = 0, False
        while not over:
            over = ended.is_set()
            rows = raw.execute("SELECT position FROM events WHERE position > %s ORDER BY position", (last,)).fetchall()
            found += [position for (position,) in rows]
            last = found[-1] if found else 0


def test_of_many_programs_that_write_at_once_a_follower_misses_nothing(
    log: PostgresLog, conninfo: str
) -> None:
    ended, by_position, followed = Event(), list[int](), list[Followed]()
    logs = [PostgresLog(conninfo, patience_s=WAIT_S) for _ in range(WRITERS)]

    def write(number: int) -> None:
        for seq in range(EACH):
            speak(logs[number], f"table {number}", 1 + seq % 3)

    def follow() -> None:
        over = False
        while not over:
            over = ended.is_set()
            followed.extend(log.follow(followed[-1].mark if followed else Mark()))

    writers = [Thread(target=write, args=(number,)) for number in range(WRITERS)]
    readers = [Thread(target=follow), Thread(target=naive, args=(conninfo, ended, by_position))]
    for thread in (*readers, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    ended.set()
    for thread in readers:
        thread.join()
    for one in logs:
        one.close()
    tables = tables_of(followed)
    assert tables == {table: list(log.read(table)) for table in log.tables()}
    assert [first_break(events) for events in tables.values()] == [None] * WRITERS
    print(f"of {len(followed)} events a reader of positions missed {len(followed) - len(by_position)}")  # noqa: T201  for -rP


COUNT_ON = """DO $$ BEGIN
    FOR _ IN 1..5000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP;
END $$"""  # so that this server's numbers are ahead of a new one's


def moved(schema: str, old: Postgres, new: Postgres) -> None:
    """By dump, as it is done."""
    dumped = subprocess.run(
        [old.programs / "pg_dump", f"--schema={schema}", old.conninfo], capture_output=True, check=True
    )  # fmt: skip
    subprocess.run(
        [new.programs / "psql", "-qX", "-v", "ON_ERROR_STOP=1", new.conninfo],
        input=dumped.stdout, check=True, capture_output=True,
    )  # fmt: skip


def test_in_a_log_restored_on_another_server_a_follower_goes_on_where_it_was(log: PostgresLog, raw: Raw) -> None:
    speak(log, "green", 2)
    raw.execute(COUNT_ON)
    speak(log, "green", 2)
    before = list(log.follow())
    with Postgres() as server:
        moved(log._schema, running(), server)
        restored = make_conninfo(server.conninfo, options=f"-c search_path={log._schema}")
        looking = PostgresLog(restored, read_only=True)
        assert list(looking.follow()) == before, "although nobody has written to it"
        looking.close()
        log = PostgresLog(restored, patience_s=WAIT_S)
        for _ in range(3):
            speak(log, "green")
            speak(log, "red")
        after = list(log.follow(before[-1].mark))
        assert [(one.table, one.event.seq) for one in after] == [
            ("green", 5), ("red", 1), ("green", 6), ("red", 2), ("green", 7), ("red", 3),
        ]  # fmt: skip
        assert {one.mark.era for one in after} == {before[-1].mark.era + 1}
        assert after[0].mark.xid < before[-1].mark.xid, "or else nothing was to be seen to here"
        assert list(log.follow()) == [*before, *after]
        log.close()


@pytest.mark.parametrize("version", range(len(MIGRATIONS)))
def test_a_database_of_every_earlier_schema_is_brought_up_to_date_and_followed(
    conninfo: str, raw: Raw, version: int
) -> None:
    migrate(raw, "x", MIGRATIONS[:version])
    if version:
        raw.execute("INSERT INTO tables (name) VALUES ('green')")
        for one in spoken(2):
            raw.execute("INSERT INTO events (table_id, seq, body, hash) VALUES (1, %s, %s, %s)", (
                one.seq, one.body, one.hash,
            ))  # fmt: skip
    log = PostgresLog(conninfo, patience_s=WAIT_S)
    assert [one.event for one in log.follow()] == list(spoken(2) if version else ())
    speak(log, "green")
    assert [one.event for one in log.follow()] == list(log.read("green"))
    log.close()

"""PostgresLog keeps to the contract of every log, and to a few promises more."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import psycopg
import pytest
from hypothesis import given, settings
from psycopg.conninfo import make_conninfo

from events.beside import Account, Beside, Invitation, Said
from events.chain import first_break, head_of
from events.envelope import Head
from events.log import Conflict, Entry, LogUnusable, MemoryLog, Outrun, Rebound, SeenBefore
from events.postgres import MIGRATIONS, MISSED, NEWS, PostgresLog, migrate
from events.postgres.schema import LOCK, lock_key
from tests.events.lasting_contract import LastingLogContract
from tests.events.log_contract import OTHER_SEED, SEED, everything, seen
from tests.events.records import message, receipt, spoken
from tests.events.test_groups import PEOPLE, entries, one_by_one
from tests.servers.postgres import Postgres, running
from tests.servers.postgres_wire import Wire

WAIT_S = 60.0
Raw = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture
def server() -> Postgres:
    return running()


@pytest.fixture
def conninfo(server: Postgres) -> str:
    return server.fresh()


@pytest.fixture
def log(conninfo: str) -> Iterator[PostgresLog]:
    log = PostgresLog(conninfo, patience_s=WAIT_S)
    yield log
    log.close()


@pytest.fixture
def other(log: PostgresLog, conninfo: str) -> Iterator[PostgresLog]:
    """A second log on the database of the first, as another process has it."""
    other = PostgresLog(conninfo, patience_s=0.2)
    yield other
    other.close()


@pytest.fixture
def raw(conninfo: str) -> Iterator[Raw]:
    """The database, past the log."""
    with psycopg.connect(conninfo, autocommit=True) as raw:
        yield raw


def value(raw: Raw, sql: str, *parameters: object) -> Any:
    row = raw.execute(sql, parameters or None).fetchone()
    return row and row[0]


def wait_for(what: Callable[[], object]) -> None:
    deadline = time.monotonic() + WAIT_S
    while not what():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.01)


def failure(done: Future[None]) -> BaseException | None:
    return done.exception(WAIT_S)


@pytest.fixture
def place(conninfo: str) -> str:
    return conninfo


class TestPostgresLog(LastingLogContract):
    """With `place`, `log`, `other` and `raw` from above."""

    kind = PostgresLog


# ---- what is on disk, and whose it is


def test_what_is_acknowledged_is_on_disk_whatever_the_database_would_have(
    server: Postgres, log: PostgresLog, conninfo: str, raw: Raw
) -> None:
    role, schema = "careless", value(raw, "SELECT current_schema()")
    raw.execute(f"CREATE ROLE {role} LOGIN SUPERUSER")
    raw.execute(f"ALTER ROLE {role} SET synchronous_commit = off")
    raw.execute(f"ALTER ROLE {role} SET default_transaction_isolation = 'serializable'")
    careless = PostgresLog(make_conninfo(conninfo, user=role))
    careless.append("green", 0, spoken(1))
    careless.set_bookmark("sync", "5")
    settings = [
        value(link.conn(), "SELECT current_setting('synchronous_commit')")
        for link in (careless._link, careless._writer._link)
    ]
    careless.close()
    assert settings == ["on", "on"]
    assert value(raw, "SELECT current_setting('fsync')") == "on"
    assert schema == log._schema
    raw.execute(f"DROP ROLE {role}")


def test_two_logs_in_two_schemas_of_one_database_are_strangers(server: Postgres, log: PostgresLog) -> None:
    stranger = PostgresLog(server.fresh())
    assert log.sole("post")
    assert stranger.sole("post")
    log.append("green", 0, spoken(2), everything())
    stranger.append("green", 0, spoken(1), everything())
    assert (log.head("green").seq, stranger.head("green").seq) == (2, 1)
    stranger.close()


# ---- what is queued together


@contextmanager
def gathering(log: PostgresLog, raw: Raw) -> Iterator[None]:
    """All that is submitted meanwhile is one batch: the writer waits for a lock on a table of its own until then."""
    key = lock_key(log._schema, "table", "held")
    raw.execute("SELECT pg_advisory_lock(%s)", (key,))
    head = log.head("held")
    log.submit("held", head.seq, spoken(1, head, "held"))
    wait_for(lambda: value(raw, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"))
    yield
    raw.execute("SELECT pg_advisory_unlock(%s)", (key,))


def test_what_is_queued_is_committed_together_and_each_append_in_its_order(log: PostgresLog, raw: Raw) -> None:
    written = spoken(60)
    with gathering(log, raw):
        done = [log.submit("green", seq, [written[seq]]) for seq in range(60)]
        done += [log.submit(f"table {n}", 0, spoken(2, table=f"table {n}")) for n in range(40)]
        assert not any(one.done() for one in done)
    assert [failure(one) for one in done] == [None] * 100
    assert value(raw, "SELECT count(DISTINCT xid) FROM events WHERE table_id <> 1") == 1
    assert tuple(log.read("green")) == written
    assert log.tables() == ["held", "green", *(f"table {n}" for n in range(40))]


def test_an_append_that_does_not_hold_fails_alone(log: PostgresLog, raw: Raw) -> None:
    log.append("green", 0, spoken(1), everything())
    head = log.head("green")
    code = Invitation("AAAA", "2026-11-30T06:00:00.000Z", person="p1")
    red = spoken(2, table="red")
    with gathering(log, raw):
        done = [
            log.submit("green", 1, spoken(1, head), everything()),
            log.submit("green", 0, spoken(1)),
            log.submit("green", 1, spoken(1, head), Beside(chat=("terminal", "chat-1"))),
            log.submit("green", 1, spoken(1, head), Beside(seed=(1, OTHER_SEED))),
            log.submit("green", 1, spoken(1, head), Beside(accept="AAAA")),
            log.submit("blue", 0, (), Beside(seed=(1, SEED))),
            log.submit("green", 1, spoken(1, head), Beside(key=message(2), receipt=receipt("blue"))),
            log.submit("red", 0, red[:1], Beside(names={"p1": "Red"}, key=message(3), receipt=receipt("red"))),
            log.submit("red", 0, red[:1]),
            log.submit("red", 1, red[1:], Beside(key=message(3), receipt=receipt("red"))),
            log.submit("red", 1, red[1:], Beside(chat=("matrix", "c"), seed=(1, SEED), invite=code)),
            log.submit("", 0, (), Beside(accept="AAAA", key=message(4), receipt=receipt("red"))),
            log.submit("", 0, (), Beside(accept="AAAA")),
            log.submit("red", 0, (), Beside(seed=(1, OTHER_SEED))),
            log.submit("red", 0, (), Beside(leave=(("matrix", "c"),), reveal=1)),
            log.submit("red", 0, (), Beside(chat=("matrix", "c"), seed=(2, OTHER_SEED))),
        ]
    assert [type(failure(one)) for one in done] == [
        SeenBefore, Conflict, Rebound, LogUnusable, Outrun, ValueError, ValueError,
        type(None), Conflict, SeenBefore, type(None), type(None), Outrun, LogUnusable, type(None), type(None),
    ]  # fmt: skip
    assert (log.head("green"), tuple(log.read("red"))) == (head, red)
    assert [log.receipt(message(number)) for number in (2, 3, 4)] == [None, receipt("red"), receipt("red")]
    assert (log.seed("red", 1), log.seed("red", 2)) == (None, OTHER_SEED)
    assert (log.table_of("matrix", "c"), log.invitation("AAAA")) == ("red", None)


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_what_no_database_can_hold_fails_alone_and_nothing_of_it_is_kept(log: PostgresLog, raw: Raw, name: str) -> None:
    with gathering(log, raw):
        first = log.submit("green", 0, spoken(1))
        bad = log.submit("red", 0, spoken(1, table="red"), Beside(names={"p1": name}))
        last = log.submit("green", 1, spoken(1, head_of(spoken(1), Head())))
    assert isinstance(failure(bad), ValueError)
    assert (failure(first), failure(last)) == (None, None)
    assert (log.tables(), log.names()) == (["held", "green"], {})


@contextmanager
def busy(conninfo: str, key: int, raw: Raw) -> Iterator[None]:
    """Another program that has locked this and does something else that takes long."""
    with psycopg.connect(conninfo) as slow:
        slow.execute("SELECT pg_advisory_xact_lock(%s)", (key,))
        doing = Thread(target=lambda: suppressed(lambda: slow.execute("SELECT pg_sleep(600)")))
        doing.start()
        sleeps = "SELECT wait_event = 'PgSleep' FROM pg_stat_activity WHERE pid = %s"
        wait_for(lambda: value(raw, sleeps, slow.info.backend_pid))
        yield
        raw.execute("SELECT pg_cancel_backend(%s)", (slow.info.backend_pid,))
        doing.join()


def suppressed(work: Callable[[], object]) -> None:
    with suppress(psycopg.errors.QueryCanceled):
        work()


def test_an_append_that_waits_for_another_program_for_too_long_fails_alone(conninfo: str, raw: Raw) -> None:
    log = PostgresLog(conninfo, patience_s=5)
    with busy(conninfo, lock_key(log._schema, "table", "green"), raw):
        with gathering(log, raw):
            stuck = log.submit("green", 0, spoken(1))
            free = log.submit("red", 0, spoken(1, table="red"))
        assert failure(free) is None
        told = failure(stuck)
    assert isinstance(told, LogUnusable)
    assert told.reason == "locked"
    assert log.tables() == ["held", "red"]
    log.close()


def test_a_sweep_is_written_in_its_place(log: PostgresLog, raw: Raw) -> None:
    log.append("", 0, (), Beside(names={"p1": "Red"}))
    with gathering(log, raw):
        done = [
            log.submit("green", 0, spoken(1), Beside(texts=(Said(1, 1, "p1", "aa", "x"),))),
            log.submit("", 0, (), Beside(forget="p1")),
            log.submit("green", 1, spoken(1, head_of(spoken(1), Head())), Beside(texts=(Said(2, 2, "p2", "bb", "y"),))),
            log.submit("", 0, (), Beside(join=("p2", "p3"), names={"p1": "Rosa"})),
        ]
    assert [failure(one) for one in done] == [None] * 4
    assert log.texts("green") == {2: Said(2, 2, "p3", "bb", "y")}
    assert log.names() == {"p1": "Rosa"}


@settings(max_examples=25, deadline=None)
@given(entries())
def test_a_batch_leaves_what_its_entries_one_by_one_leave(batch: list[Entry]) -> None:
    conninfo, memory = running().fresh(), MemoryLog()
    log = PostgresLog(conninfo, patience_s=WAIT_S)
    for each in (memory, log):
        for person in PEOPLE:
            each.person(Account("telegram", person), person)
        each.append("held", 0, spoken(1, table="held"))
    with psycopg.connect(conninfo, autocommit=True) as raw, gathering(log, raw):
        done = [log.submit(one.table, one.expected, one.events, one.beside) for one in batch]
    memory.append("held", 1, spoken(1, memory.head("held"), "held"))
    raised = [failure(one) for one in done]
    assert [error and type(error) for error in raised] == one_by_one(memory, batch)
    assert seen(log) == seen(memory)
    log.close()


def test_what_is_queued_when_the_log_is_closed_is_written(conninfo: str, raw: Raw) -> None:
    log = PostgresLog(conninfo, patience_s=WAIT_S)
    with gathering(log, raw):
        done = [log.submit(f"table {n}", 0, spoken(1, table=f"table {n}")) for n in range(300)]
        closing = Thread(target=log.close)
        closing.start()
    closing.join()
    assert [failure(one) for one in done] == [None] * 300
    assert value(raw, "SELECT count(*) FROM events") == 301
    assert value(raw, "SELECT count(*) FROM writers") == 0
    refused = log.submit("green", 0, spoken(1))
    assert isinstance(failure(refused), LogUnusable)


def test_a_closed_log_says_so_to_those_who_ask_for_a_task(log: PostgresLog) -> None:
    log.close()
    with pytest.raises(LogUnusable, match="closed"):
        log.sole("post")


# ---- a connection that breaks, a server that is gone


def cut_off(raw: Raw) -> None:
    """All connections but this one."""
    raw.execute(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity"
        " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
    )


def test_after_its_connections_broke_a_log_goes_on(log: PostgresLog, raw: Raw) -> None:
    log.append("green", 0, spoken(1), everything())
    before = seen(log)
    for seq in range(1, 4):
        cut_off(raw)
        log.append("green", seq, spoken(1, log.head("green")))
        cut_off(raw)
        assert log.receipt(message()) == receipt(letters=2)
        assert log.person(Account("telegram", "5"), "p1") == "p1"
    assert seen(log)[3:8] == before[3:8]
    assert first_break(log.read("green"), expect=log.head("green")) is None


@pytest.mark.parametrize("where", ["asked", "answered", "late"])
def test_an_append_cut_off_in_its_commit_is_stored_once_and_told_so(log: PostgresLog, where: str, raw: Raw) -> None:
    log.append("green", 0, spoken(1), Beside(chat=("terminal", "chat-1")))
    invitation = Invitation("AAAA", "2026-11-30T06:00:00.000Z", table="green")
    log.append("red", 0, spoken(1, table="red"), Beside(invite=invitation))
    with Wire(log._link.address.conninfo) as wire:
        far = PostgresLog(wire.conninfo, patience_s=WAIT_S)
        wire.cut(where)
        # Nothing of it can be done twice, and it leaves no event and no receipt behind.
        done = far.submit("red", 0, (), Beside(chat=("terminal", "chat-1"), former="green", accept="AAAA"))
        wait_for(lambda: wire.cuts)
        if where == "late":
            asking = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%FROM writers WHERE id%FOR UPDATE'"
            wait_for(lambda: value(raw, asking + " AND wait_event_type = 'Lock'"))
            assert not done.done()
            wire.late.set()
        assert failure(done) is None
        far.close()
    assert (log.table_of("terminal", "chat-1"), log.invitation("AAAA")) == ("red", None)


def test_who_cannot_be_told_how_a_commit_ended_is_not_told_that_it_failed(log: PostgresLog) -> None:
    with Wire(log._link.address.conninfo) as wire:
        far = PostgresLog(wire.conninfo, patience_s=0.3)
        far.append("red", 0, spoken(1, table="red"))
        wire.refuses = True
        wire.cut("answered")
        told = failure(far.submit("green", 0, spoken(1)))
        assert isinstance(told, LogUnusable)
        assert told.reason == "unknown"
        assert str(told).endswith("it may be there or not; look before you repeat it.")
        wire.refuses = False
        assert far.head("green").seq == 1
        far.append("green", 1, spoken(1, far.head("green")))
        far.close()
    assert tuple(log.read("green")) == spoken(2)


def test_a_server_killed_under_load_loses_and_doubles_nothing_acknowledged() -> None:
    with Postgres() as server:
        conninfo = server.fresh()
        log = PostgresLog(conninfo, patience_s=WAIT_S)
        told: list[tuple[str, int]] = []

        def speak(table: str) -> None:
            head = Head()
            for number in range(120):
                lines = spoken(1, head, table)
                beside = Beside(key=message(f"{table}-{number}"), receipt=receipt(table, letters=1))  # type: ignore[arg-type]
                log.append(table, head.seq, lines, beside)
                head = head_of(lines, head)
                told.append((table, head.seq))

        threads = [Thread(target=speak, args=(f"table {number}",)) for number in range(8)]
        for thread in threads:
            thread.start()
        for kills in (100, 400, 700):
            wait_for(lambda kills=kills: len(told) >= kills)
            server.kill()
            server.start()
        for thread in threads:
            thread.join()
        assert len(told) == 8 * 120
        assert {log.head(table).seq for table in log.tables()} == {120}
        assert [first_break(log.read(table)) for table in log.tables()] == [None] * 8
        assert len(log.pending()) == 8 * 120
        log.close()


def test_a_server_that_is_gone_is_told_in_one_sentence_and_the_log_goes_on_when_it_is_back() -> None:
    with Postgres() as server:
        log = PostgresLog(make_conninfo(server.fresh(), password="hunter2"), patience_s=0.2)
        log.append("green", 0, spoken(1))
        server.stop()
        sentence = r"^The database postgres on [^\n]+ cannot be reached: [^\n]+\.$"
        for asked in (
            lambda: log.head("green"), lambda: log.append("green", 1, spoken(1, head_of(spoken(1), Head()))),
            lambda: log.sole("post"), lambda: PostgresLog(log._link.address.conninfo),
        ):  # fmt: skip
            with pytest.raises(LogUnusable, match=sentence) as told:
                asked()
            assert told.value.reason == "no_access"
            assert "hunter2" not in f"{told.value} {log._link.address!r}"
        server.start()
        assert tuple(log.read("green")) == spoken(1)
        log.append("green", 1, spoken(1, log.head("green")))
        assert log.sole("post")
        log.close()


def test_a_writer_that_stands_still_in_a_batch_is_cut_off_and_goes_on_afterwards(
    log: PostgresLog, conninfo: str
) -> None:
    still = PostgresLog(conninfo, patience_s=1)
    conn = still._writer._link.conn()
    conn.execute("BEGIN")
    conn.execute(LOCK, ([lock_key(log._schema, "table", "green")],))
    log.append("green", 0, spoken(1))
    still.append("green", 1, spoken(1, log.head("green")))
    still.close()
    assert tuple(log.read("green")) == spoken(2)


STOPPED = """
import os, signal, sys
from events.postgres import PostgresLog
from events.postgres.schema import LOCK, lock_key
log = PostgresLog(sys.argv[1])
conn = log._writer._link.conn()
with conn.pipeline():
    conn.execute("BEGIN")
    conn.execute(LOCK, ([lock_key(log._schema, "table", "green")],))
    print(flush=True)
    os.kill(os.getpid(), signal.SIGSTOP)
"""


def test_a_program_that_stands_still_in_the_middle_of_a_pipeline_is_cut_off(conninfo: str, raw: Raw) -> None:
    """PostgreSQL waits for the rest for ever."""
    log = PostgresLog(conninfo, patience_s=2)
    with subprocess.Popen(
        [sys.executable, "-c", STOPPED, conninfo], cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "\n"
            wait_for(lambda: value(raw, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"))
            log.append("green", 0, spoken(1))
        finally:
            process.kill()
    log.close()


# ---- tasks and turns


def granted(done: Future[bool]) -> bool:
    return done.result(WAIT_S)


HOLDER = """
import sys
from events.postgres import PostgresLog
log = PostgresLog(sys.argv[1], lease_s=float(sys.argv[2]))
print(log.sole("post"), log.lease("green").result(), flush=True)
sys.stdin.read()
"""


@contextmanager
def holding(conninfo: str, lease_s: float) -> Iterator[subprocess.Popen[str]]:
    """A program that does a task and has its turn at a table."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, conninfo, str(lease_s)], cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "True True\n"
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_what_a_program_held_that_was_killed_or_stopped_falls_free(
    log: PostgresLog, conninfo: str, how: signal.Signals
) -> None:
    with holding(conninfo, 2.0) as process:
        assert not log.sole("post")
        turn = log.lease("green")
        process.send_signal(how)
        assert granted(turn)
        wait_for(lambda: log.sole("post"))


def test_what_is_held_is_kept_for_longer_than_a_lease(log: PostgresLog, conninfo: str) -> None:
    with holding(conninfo, 1.0) as process:
        turn = log.lease("green")
        deadline = time.monotonic() + 3
        while time.monotonic() < deadline:
            assert not log.sole("post")
            assert not turn.done()
        assert process.poll() is None
    assert granted(turn)


def test_a_task_outlives_the_connections_of_its_program(log: PostgresLog, other: PostgresLog, raw: Raw) -> None:
    assert log.sole("post")
    for _ in range(3):
        cut_off(raw)
        assert log.sole("post")
        assert not other.sole("post")
        assert log.sole("count")


def test_who_cannot_reach_the_server_has_no_task_by_the_time_that_another_may_have_it(conninfo: str) -> None:
    with Wire(conninfo) as wire:
        far, near = PostgresLog(wire.conninfo, patience_s=0.2, lease_s=2.0), PostgresLog(conninfo, lease_s=2.0)
        assert far.sole("post")
        wire.sever()
        while not near.sole("post"):
            time.sleep(0.01)
        with pytest.raises(LogUnusable):
            far.sole("post")
        near.close()
        far.close()


def test_a_table_is_one_programs_at_a_time(log: PostgresLog, other: PostgresLog) -> None:
    assert granted(log.lease("green"))
    waiting = other.lease("green")
    assert granted(other.lease("red")), "asked for later, and free"
    assert not waiting.done()
    assert granted(log.lease("green")), "who has it may have it twice"
    log.release("green")
    assert granted(other.lease("blue"))
    assert not waiting.done()
    log.release("green")
    assert granted(waiting)
    again = log.lease("green")
    other.release("green")
    assert granted(again)


def test_a_turn_that_is_not_wanted_any_more_is_nobodys(log: PostgresLog, other: PostgresLog) -> None:
    assert granted(log.lease("green"))
    waiting = other.lease("green")
    assert waiting.cancel()
    log.release("green")
    assert granted(log.lease("green"))
    log.release("green")
    assert granted(other.lease("green"))


def test_programs_take_turns_without_ever_being_two(conninfo: str) -> None:
    logs = [PostgresLog(conninfo, patience_s=WAIT_S) for _ in range(3)]
    inside, most, turns = Counter[str](), Counter[str](), Counter[int]()

    def play(number: int) -> None:
        for turn in range(60):
            table = f"table {turn % 2}"
            assert granted(logs[number].lease(table))
            inside[table] += 1
            most[table] = max(most[table], inside[table])
            time.sleep(0.001)
            inside[table] -= 1
            logs[number].release(table)
            turns[number] += 1

    threads = [Thread(target=play, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for log in logs:
        log.close()
    assert turns == {0: 60, 1: 60, 2: 60}
    assert set(most.values()) == {1}


def test_who_waits_for_a_turn_when_the_log_is_closed_is_told(log: PostgresLog, other: PostgresLog) -> None:
    assert granted(log.lease("green"))
    waiting = other.lease("green")
    other.close()
    with pytest.raises(LogUnusable, match="closed"):
        waiting.result(WAIT_S)
    with pytest.raises(LogUnusable, match="closed"):
        other.lease("red").result(WAIT_S)


# ---- what programs tell each other


def test_those_who_listen_hear_what_is_told_and_of_what_is_appended(log: PostgresLog, other: PostgresLog) -> None:
    heard: list[str] = []
    other.listen(heard.append)
    wait_for(lambda: MISSED in heard)
    log.append("green", 0, spoken(1))
    wait_for(lambda: NEWS in heard)
    log.tell("hello 🎲")
    wait_for(lambda: "hello 🎲" in heard)
    with pytest.raises(Conflict):
        log.append("green", 0, spoken(1))
    log.tell("last")
    wait_for(lambda: "last" in heard)
    assert Counter(heard) == {MISSED: 1, NEWS: 1, "hello 🎲": 1, "last": 1}


def test_who_was_cut_off_listens_again_and_knows_that_something_may_have_been_missed(
    log: PostgresLog, raw: Raw
) -> None:
    heard: list[str] = []
    log.listen(heard.append)
    wait_for(lambda: heard == [MISSED])
    cut_off(raw)
    wait_for(lambda: heard == [MISSED, MISSED])
    log.append("green", 0, spoken(1))
    wait_for(lambda: heard[2:] == [NEWS])


def test_logs_in_two_schemas_do_not_hear_each_other(server: Postgres, log: PostgresLog) -> None:
    stranger, heard = PostgresLog(server.fresh()), list[str]()
    stranger.listen(heard.append)
    wait_for(lambda: heard)
    log.append("green", 0, spoken(1))
    assert log.lease("green").result(WAIT_S), "so it has been told"
    stranger.tell("own")
    wait_for(lambda: "own" in heard)
    assert heard == [MISSED, "own"]
    stranger.close()


# ---- damage


def test_an_index_that_has_lost_events_is_damage(log: PostgresLog, raw: Raw) -> None:
    log.append("green", 0, spoken(2))
    log.examine()
    index = "UPDATE pg_index SET indisready = %s WHERE indexrelid = 'events_table_id_seq_key'::regclass"
    raw.execute(index, (False,))
    raw.execute("INSERT INTO events (table_id, seq, body, hash) VALUES (1, 3, 'x', 'x')")
    raw.execute(index, (True,))
    with pytest.raises(LogUnusable, match="damaged"):
        log.examine()


# ---- who is forgotten


def test_what_is_forgotten_does_not_lie_about_in_the_tables(log: PostgresLog, raw: Raw) -> None:
    for person, account in (("p1", "31415926"), ("p2", "27182818")):
        log.person(Account("telegram", account), person)
    texts = tuple(Said(seq, seq, f"p{seq}", "aa", "hello") for seq in (1, 2))
    log.append("green", 0, spoken(2), Beside(names={"p1": "Rosalind", "p2": "Tom"}, texts=texts))
    raw.execute("CREATE EXTENSION IF NOT EXISTS pgstattuple SCHEMA public")

    def lying() -> dict[str, tuple[int, int]]:
        """By table: rows that are gone and not yet written over, and rows that are there."""
        dead = "SELECT dead_tuple_count FROM public.pgstattuple(%s::regclass)"
        tables = ("names", "accounts", "texts")
        return {table: (value(raw, dead, table), value(raw, f"SELECT count(*) FROM {table}")) for table in tables}

    for _ in range(20):  # what somebody else is just looking at, the server's own too, is not written over
        log.append("", 0, (), Beside(forget="p1"))
        if not any(gone for gone, _ in lying().values()):
            break
    assert lying() == {"names": (0, 2), "accounts": (0, 1), "texts": (0, 1)}


# ---- schemas, and databases that cannot be used


def test_a_migration_that_fails_leaves_the_database_at_the_one_before(raw: Raw) -> None:
    broken = (*MIGRATIONS, ("CREATE TABLE extra (id integer)", "CREATE TABLE extra (id integer)"))
    with pytest.raises(psycopg.errors.DuplicateTable):
        migrate(raw, "x", broken)
    assert value(raw, "SELECT version FROM rollbook") == len(MIGRATIONS)
    assert value(raw, "SELECT to_regclass('extra')") is None
    migrate(raw, "x", (*MIGRATIONS, ("CREATE TABLE extra (id integer)",)))
    assert value(raw, "SELECT version FROM rollbook") == len(MIGRATIONS) + 1


def unusable(conninfo: str, reason: str, sentence: str, *, read_only: bool = False) -> None:
    with pytest.raises(LogUnusable, match=r"^[^\n]+\.$") as told:
        PostgresLog(conninfo, read_only=read_only)
    assert told.value.reason == reason
    assert sentence in str(told.value)


@pytest.mark.parametrize(
    "made",
    [
        ["CREATE TABLE songs (title text)"],
        ["CREATE TABLE rollbook (title text)"],
        ["CREATE VIEW songs AS SELECT 1"],
        ["CREATE TABLE rollbook (version integer, title text)"],
    ],
)
def test_another_programs_database_is_refused_and_left_alone(conninfo: str, raw: Raw, made: Sequence[str]) -> None:
    for statement in made:
        raw.execute(statement)
    things = "SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
    before = value(raw, things)
    unusable(conninfo, "other_program", "The database postgres on")
    assert value(raw, things) == before


def test_a_newer_schema_is_refused_and_left_alone(log: PostgresLog, conninfo: str, raw: Raw) -> None:
    raw.execute("UPDATE rollbook SET version = version + 1")
    unusable(conninfo, "newer", "please update this one")
    unusable(conninfo, "newer", "please update this one", read_only=True)
    assert value(raw, "SELECT version FROM rollbook") == len(MIGRATIONS) + 1


def test_what_extensions_bring_is_nobodys(conninfo: str, raw: Raw) -> None:
    schema = value(raw, "SELECT current_schema()")
    raw.execute(f"CREATE EXTENSION pg_stat_statements SCHEMA {schema}")
    assert value(raw, "SELECT to_regclass('pg_stat_statements')")
    PostgresLog(conninfo).close()
    raw.execute("DROP EXTENSION pg_stat_statements")


@pytest.mark.parametrize("address", ["postgresql://u:hunter2@[", "nonsense", "host=x pass=hunter2"])
def test_what_is_no_address_is_refused_and_not_quoted(address: str) -> None:
    with pytest.raises(LogUnusable, match="its address cannot be read") as told:
        PostgresLog(address)
    assert (told.value.reason, "hunter2" in str(told.value)) == ("no_access", False)


def test_a_database_or_a_schema_that_is_not_there_is_told(conninfo: str) -> None:
    unusable(make_conninfo(conninfo, dbname="nowhere"), "no_access", "nowhere")
    unusable(make_conninfo(conninfo, options="-c search_path=nowhere"), "missing", "There is no log in the database")


def test_a_database_that_cannot_hold_every_letter_is_refused(server: Postgres, raw: Raw) -> None:
    raw.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'")
    unusable(make_conninfo(server.conninfo, dbname="latin"), "failed", "UTF8 is needed")


def test_a_role_that_may_make_nothing_is_told(conninfo: str, raw: Raw) -> None:
    schema = value(raw, "SELECT current_schema()")
    raw.execute("CREATE ROLE guest LOGIN")
    raw.execute(f"GRANT USAGE ON SCHEMA {schema} TO guest")
    unusable(make_conninfo(conninfo, user="guest"), "no_access", "permission denied")
    raw.execute(f"REVOKE USAGE ON SCHEMA {schema} FROM guest")
    raw.execute("DROP ROLE guest")


@pytest.mark.parametrize(
    ("change", "asked"),
    [
        ("UPDATE outbox SET choices = 'no json'", lambda log: log.pending()),
        ("UPDATE outbox SET choices = 'no json'", lambda log: log.receipt(message())),
        (
            "UPDATE outbox SET choices = 'no json'",
            lambda log: log.append("green", 3, spoken(1, Head(3)), everything()),
        ),
    ],
)
def test_choices_that_cannot_be_read_are_damage(
    log: PostgresLog, raw: Raw, change: str, asked: Callable[[PostgresLog], object]
) -> None:
    log.append("green", 0, spoken(3), everything())
    raw.execute(change)
    with pytest.raises(LogUnusable, match="is damaged") as told:
        asked(log)
    assert told.value.reason == "damaged"
    log.append("green", 3, spoken(1, log.head("green")))


# ---- looking alone


def test_a_log_is_not_made_by_looking(conninfo: str, raw: Raw) -> None:
    unusable(conninfo, "missing", "There is no log in the database", read_only=True)
    assert value(raw, "SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace") == 0

"""What every EventLog keeps to that outlives its program, and that several programs may use at once.

A log's own tests inherit this class, say which `kind` they are of, and give it the fixtures `place` (where a new one
is), `log` and `other` (two that are open there) and `raw` (the database, past the log).
"""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest

from events.beside import Account, Beside
from events.chain import first_break, head_of
from events.envelope import Head, Stored
from events.follow import Followed
from events.log import Conflict, EventLog, LogUnusable, SeenBefore
from tests.events.log_contract import OTHER_SEED, SEED, LogContract, everything, seen
from tests.events.records import message, receipt, spoken

PATIENCE_S = 120.0  # a busy disk is slow, not wrong
WRITER = """
import sys
from importlib import import_module
from events.beside import Beside, Letter, MessageKey, Receipt
from events.chain import seal
from events.envelope import Head, Stored
from events.follow import Followed
from events.log import Conflict
from events.types import LineSpoken

module, kind, place, name, count = sys.argv[1:]
log = getattr(import_module(module), kind)(place, patience_s=60)
done = 0
while done < int(count):
    head = log.head("green")
    lines = [LineSpoken(text=f"{name} {done} {part}") for part in (1, 2)]
    sealed = seal(head, "green", "2026-11-30T05:00:00.000Z", name, name, None, lines)
    answer = Receipt("green", head.seq + 1, head.seq + 2, None, (Letter("table", f"{name} {done}"),))
    beside = Beside(key=MessageKey("terminal", name, str(done)), receipt=answer)
    try:
        log.append("green", head.seq, sealed, beside)
    except Conflict:
        continue
    print(done, head.seq + 2, flush=True)
    done += 1
log.close()
"""


def speak(log: EventLog, table: str, count: int = 1) -> None:
    head = log.head(table)
    log.append(table, head.seq, spoken(count, head, table))


def tables_of(followed: list[Followed]) -> dict[str, list[Stored]]:
    tables: dict[str, list[Stored]] = {}
    for one in followed:
        tables.setdefault(one.table, []).append(one.event)
    return tables


class LastingLogContract(LogContract):
    kind: ClassVar[Any]

    def opened(self, place: str, **options: Any) -> Any:
        """Another log there, until the end of the block."""
        return closing(self.kind(place, **options))

    def writer(self, place: str, name: str, count: int) -> subprocess.Popen[str]:
        """A program that appends so often, and says of each append which it was and where the table stands."""
        command = [sys.executable, "-c", WRITER, self.kind.__module__, self.kind.__name__, place, name, str(count)]
        return subprocess.Popen(command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True)

    # ---- closed, and opened again

    def test_a_log_is_the_same_after_reopening(self, log: EventLog, place: str) -> None:
        log.append("green", 0, spoken(3), everything())
        log.append("red", 0, spoken(600, table="red"), Beside(key=message(2), receipt=receipt("red", 1, 600)))
        log.sent(log.pending()[0].id)
        before = seen(log)
        log.close()
        with self.opened(place) as again:
            assert seen(again) == before
            with pytest.raises(SeenBefore):
                again.append("green", 3, spoken(1, again.head("green")), everything())
            again.append("green", 3, spoken(1, again.head("green")))
            assert first_break(again.read("green")) is None

    def test_a_closed_log_says_so(self, log: EventLog) -> None:
        log.close()
        for asked in (lambda: log.head("green"), lambda: log.append("green", 0, spoken(1))):
            with pytest.raises(LogUnusable, match="closed"):
                asked()

    # ---- several programs, several threads

    def test_two_logs_in_one_place_see_each_other(self, log: EventLog, other: EventLog) -> None:
        log.append("green", 0, spoken(2), everything())
        assert seen(other) == seen(log)
        other.append("green", 2, spoken(1, other.head("green")))
        with pytest.raises(Conflict):
            log.append("green", 2, spoken(1, head_of(spoken(2), Head())))
        with pytest.raises(SeenBefore):
            other.append("green", 3, spoken(1, other.head("green")), everything())
        assert log.head("green") == other.head("green")
        assert first_break(log.read("green")) is None

    def test_a_task_is_done_by_one_log_and_falls_free_when_that_is_closed(self, log: Any, other: Any) -> None:
        assert not other.claimed("post")
        assert log.sole("post")
        assert not other.sole("post")
        assert [one.claimed("post") for one in (log, other)] == [True, True]
        assert other.sole("count")
        log.close()
        assert not other.claimed("post")
        assert other.sole("post")

    def test_processes_that_make_and_write_one_log_at_once_lose_and_double_nothing(self, place: str) -> None:
        writers = [self.writer(place, name, 40) for name in ("red", "tom", "zoe")]
        for process in writers:
            process.communicate(timeout=240)
        assert [process.returncode for process in writers] == [0, 0, 0]
        with self.opened(place) as log:
            assert log.head("green").seq == 3 * 40 * 2
            assert first_break(log.read("green")) is None
            texts = [pending.letter.text for pending in log.pending()]
        assert sorted(texts) == sorted(f"{name} {done}" for name in ("red", "tom", "zoe") for done in range(40))

    @pytest.mark.parametrize("acknowledged", [1, 7, 40])
    def test_a_program_killed_between_appends_leaves_what_it_acknowledged_and_nothing_half(
        self, place: str, acknowledged: int
    ) -> None:
        with self.writer(place, "red", 100_000) as process:
            assert process.stdout is not None
            for _ in range(acknowledged):
                last = process.stdout.readline()
            process.send_signal(signal.SIGKILL)
            rest = process.stdout.readlines()  # not `communicate`, which leaves out what was read ahead
        told = [line for line in [last, *rest] if line.endswith("\n")][-1]
        done, seq = (int(word) for word in told.split())
        with self.opened(place, patience_s=PATIENCE_S) as log:
            head = log.head("green")
            assert head.seq in {seq, seq + 2}, "at most the append that was not yet told"
            assert [event.seq for event in log.read("green")] == list(range(1, head.seq + 1))
            assert first_break(log.read("green")) is None
            assert len(log.pending()) == head.seq / 2
            assert log.pending()[done].letter.text == f"red {done}"
            log.append("green", head.seq, spoken(1, head))  # nothing that it held is in the way

    def test_threads_share_one_log(self, log: EventLog) -> None:
        def speak(table: str) -> None:
            for seq in range(50):
                log.append(table, seq, spoken(1, log.head(table), table))
                list(log.read(table))

        threads = [Thread(target=speak, args=(f"table {number}",)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {log.head(table).seq for table in log.tables()} == {50}
        assert [first_break(log.read(table)) for table in log.tables()] == [None] * 4

    def test_all_who_meet_somebody_at_once_know_the_same_person(self, place: str) -> None:
        met: list[str] = []

        def meet(log: EventLog, fresh: str) -> None:
            met.extend(log.person(Account("telegram", str(number)), f"{fresh}{number}") for number in range(30))

        with self.opened(place, patience_s=PATIENCE_S) as log, self.opened(place, patience_s=PATIENCE_S) as other:
            threads = [Thread(target=meet, args=(one, fresh)) for one, fresh in ((log, "p"), (other, "q"), (log, "r"))]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert len(met) == 90
        assert len(set(met)) == 30
        with self.opened(place) as again:
            assert {again.person(Account("telegram", str(number)), "nobody") for number in range(30)} == set(met)

    # ---- followed

    def test_a_follower_is_given_every_event_of_every_table_and_later_what_is_new(self, log: Any) -> None:
        assert list(log.follow()) == []
        speak(log, "green", 600)
        speak(log, "red", 2)
        speak(log, "green", 3)
        first = list(log.follow())
        assert tables_of(first) == {table: list(log.read(table)) for table in ("green", "red")}
        assert [one.mark for one in first] == sorted({one.mark for one in first})
        assert list(log.follow(first[-1].mark)) == []
        speak(log, "red")
        assert [(one.table, one.event.seq) for one in log.follow(first[-1].mark)] == [("red", 3)]
        assert [one.mark for one in log.follow(first[300].mark)][:304] == [one.mark for one in first[301:]]

    def test_a_follower_of_a_log_that_was_put_back_is_told_so(self, log: Any, raw: Any) -> None:
        speak(log, "green", 3)
        last = list(log.follow())[-1]
        raw.execute("DELETE FROM events WHERE seq = 3")
        with pytest.raises(LogUnusable, match=r"^It was followed to an event that [^\n]+\.$") as told:
            list(log.follow(last.mark))
        assert told.value.reason == "damaged"
        other = "INSERT INTO events (position, table_id, seq, body, hash) SELECT 3, 1, 3, body, 'x' FROM events LIMIT 1"
        raw.execute(other)  # in the place of the one that is gone
        with pytest.raises(LogUnusable):
            list(log.follow(last.mark))
        assert [(one.event.seq, one.event.hash) for one in log.follow()][2:] == [(3, "x")]

    # ---- looking alone

    def test_to_look_at_a_log_changes_nothing_in_it(self, log: EventLog, place: str) -> None:
        log.append("green", 0, spoken(600), everything())
        with self.opened(place, read_only=True) as looking:
            assert seen(looking) == seen(log)
            log.append("green", 600, spoken(1, log.head("green")))
            assert looking.head("green").seq == 601
            for write in (
                lambda: looking.append("red", 0, spoken(1, table="red")), lambda: looking.sent(1),
                lambda: looking.person(Account("telegram", "5"), "p1"), lambda: looking.set_bookmark("sync", "5"),
            ):  # fmt: skip
                with pytest.raises(LogUnusable) as told:
                    write()
                assert told.value.reason == "read_only"
        assert log.tables() == ["green"]

    # ---- damage

    def test_a_seed_of_a_period_that_the_log_has_lost_is_damage_and_not_written_over(
        self, log: EventLog, raw: Any
    ) -> None:
        log.append("green", 0, spoken(1))
        log.append("green", 1, spoken(1, log.head("green")), Beside(seed=(2, SEED)))
        raw.execute("DELETE FROM events WHERE seq = 2")
        with pytest.raises(LogUnusable, match="lost events") as told:
            log.append("green", 1, spoken(1, log.head("green")), Beside(seed=(2, OTHER_SEED)))
        assert told.value.reason == "damaged"
        assert (log.seed("green", 2), log.head("green").seq) == (SEED, 1)

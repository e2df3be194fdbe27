"""The connection that writes: whatever waits to be appended goes into one transaction and is synced once.

Whoever holds the lock writes for all who wait. That is a caller of `append` itself where nobody else is writing, so
that it need not wait for a thread to wake up; and the writer thread, which starts with the first `submit`. There is
no timer: while one group is being synced, the next one gathers.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import TypeAlias

from msgspec import DecodeError

from events.log import Conflict, Entry, LogUnusable, SeenBefore, settle
from events.sqlite import entry as single
from events.sqlite import group
from events.sqlite.file import UNREADABLE, told
from events.sqlite.schema import roll_back

MOST = 1_000  # entries in one transaction
Outcome: TypeAlias = Exception | None  # what `append` raises, for an entry of which nothing was written


class Writer:
    """Appends to the file at `path` over `conn`, which stands in autocommit. For any number of threads.

    Who uses `conn` for something else holds `lock` meanwhile.
    """

    def __init__(self, conn: sqlite3.Connection, path: Path) -> None:
        self.conn, self.path, self.lock = conn, path, Lock()
        self._heads = single.Heads(conn)
        self._version = 0
        self._queued: deque[tuple[Entry, Future[None]]] = deque()
        self._wake: SimpleQueue[bool] = SimpleQueue()
        self._thread: Thread | None = None
        self._starting = Lock()

    def append(self, entry: Entry) -> None:
        """Written and synced when it returns, perhaps together with others."""
        done: Future[None] = Future()
        self._queued.append((entry, done))
        with self.lock:
            while not done.done():
                self._write_queued()
        done.result()

    def append_many(self, entries: Sequence[Entry]) -> list[Outcome]:
        """The same for many, none of them waiting for another's sync."""
        with self.lock:
            groups = (entries[start : start + MOST] for start in range(0, len(entries), MOST))
            return [outcome for group in groups for outcome in self._outcomes(group)]

    def submit(self, entry: Entry) -> Future[None]:
        """The same later: done when it is written and synced. What is cancelled before it is taken up is left out."""
        done: Future[None] = Future()
        self._queued.append((entry, done))
        self._wake.put(True)
        if self._thread is None:
            self._start()
        return done

    def close(self) -> None:
        """Write what waits, and let go of the connection: what is asked for afterwards fails."""
        with self._starting:
            if self._thread is not None:
                self._wake.put(False)
                self._thread.join()
                self._thread = None  # who submits now starts another, and is told
        with self.lock:
            while self._queued:
                self._write_queued()
            self.conn.close()

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                self._thread = Thread(target=self._run, name="rollbook-writer", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while self._wake.get():
            with self.lock:
                self._write_queued()

    def _write_queued(self) -> None:
        """One group. `lock` is held."""
        queued = [self._queued.popleft() for _ in range(min(MOST, len(self._queued)))]
        taken = [(entry, done) for entry, done in queued if done.set_running_or_notify_cancel()]
        if not taken:
            return
        try:
            outcomes = self._outcomes([entry for entry, _ in taken])
        except BaseException as error:  # an interrupt of the thread that writes for the others
            for _, done in taken:
                settle(done, error)
            raise
        for (_, done), outcome in zip(taken, outcomes, strict=True):
            settle(done, outcome)

    def _outcomes(self, entries: Sequence[Entry]) -> list[Outcome]:
        try:
            try:
                return self._transacted(entries)
            except sqlite3.IntegrityError:
                return self._transacted(entries, grouped=False)
        except Exception as error:
            if len(entries) > 1 and self._may_be_of_one(error):
                return [self._outcomes([entry])[0] for entry in entries]
            known = isinstance(error, UNREADABLE)
            return [told(self.path, error) if known else error for _ in entries]

    def _may_be_of_one(self, error: Exception) -> bool:
        """Whether the others of a group may do well by themselves: what is damaged is perhaps one table's alone, and a
        text that no file can hold is one entry's."""
        return not isinstance(error, UNREADABLE) or told(self.path, error).reason in ("damaged", "failed")

    def _transacted(self, entries: Sequence[Entry], *, grouped: bool = True) -> list[Outcome]:
        """All of it or, where something is raised, none."""
        try:
            self.conn.execute("BEGIN IMMEDIATE")
            self._look_for_others()
            outcomes = self._written(entries, grouped)
            self.conn.execute("COMMIT")
        except BaseException:
            roll_back(self.conn)
            self._heads.clear()
            raise
        if any(entry.beside.forget or entry.beside.drop_texts for entry in entries):
            self._empty_journal()
        return outcomes

    def _look_for_others(self) -> None:
        """Where another connection has written, what is remembered of the file may no longer be so."""
        (version,) = self.conn.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            self._heads.clear()
            self._version = version

    def _written(self, entries: Sequence[Entry], grouped: bool) -> list[Outcome]:
        """In their order; entries of the usual kind that follow each other go together."""
        outcomes: list[Outcome] = []
        together: list[Entry] = []
        for entry in entries:
            if grouped and group.usual(self._heads, entry):
                together.append(entry)
                outcomes.append(None)
            else:
                group.write(self.conn, self._heads, together)
                together = []
                outcomes.append(self._write(entry))
        group.write(self.conn, self._heads, together)
        return outcomes

    def _write(self, entry: Entry) -> Outcome:
        """One entry: what goes wrong with it is undone and leaves the others alone."""
        self.conn.execute("SAVEPOINT entry")
        refused: Outcome = None
        try:
            single.write(self.conn, self._heads, entry)
        except (UnicodeDecodeError, DecodeError, sqlite3.IntegrityError) as error:
            refused = told(self.path, error)
        except (Conflict, SeenBefore, LogUnusable, ValueError) as error:
            refused = error
        if refused is not None:
            self.conn.execute("ROLLBACK TO entry")
            self._heads.pop(entry.table, None)
        self.conn.execute("RELEASE entry")
        return refused

    def _empty_journal(self) -> None:
        """What was deleted stands in the journal until that is written over; as long as others read, it stays."""
        with suppress(sqlite3.OperationalError):
            self.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")

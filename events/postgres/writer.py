"""The one thread that writes: what is queued goes to disk together, in one transaction and with one commit.

There is no timer: while a batch is on its way, the next one gathers. Each append is answered for itself; what goes
wrong with a batch as a whole is tried again with each of its appends alone, so that one cannot fail another.

Nobody is told that an append failed which may have been stored. When the connection breaks in a commit, the next one
looks how it ended: each batch writes its number into the row of its writer, and that row stays locked until the
transaction that was cut off is over.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import TypeAlias

import psycopg
from msgspec import Struct
from psycopg import errors

from events.log import Entry, LogUnusable, settle
from events.postgres.batch import Reading, decided, freed, locked, sweeps
from events.postgres.follow import begin_era
from events.postgres.link import Address, Conn, Link, rolled_back, told, unusable

NEWS, NAMES = "news", "names"  # the words for: something was appended; somebody is called otherwise
MOST = 256  # appends in a batch
AGAIN_S = 0.05  # between two tries to reach the server
STILL_S = 1.0  # nobody is cut off sooner
TRIES = 5  # of an append that met another one
_MET = (errors.UniqueViolation, errors.DeadlockDetected, errors.SerializationFailure)

_BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED"  # what is read behind a lock is what is there then
_HURRY = "SET LOCAL lock_timeout = '100ms'"  # for a lock that was waited for before
_ENROL = "INSERT INTO writers (batch) VALUES (0) RETURNING id"
_TIDY = "DELETE FROM writers WHERE at < now() - interval '30 days'"  # of programs that were killed
_MARK = """INSERT INTO writers (id, batch) VALUES (%s, %s)
    ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, at = excluded.at"""
_MARKED = "SELECT batch FROM writers WHERE id = %s FOR UPDATE"
_LEAVE = "DELETE FROM writers WHERE id = %s"
_FORGOTTEN = "VACUUM accounts, bookmarks, chats, invitations, names, outbox, texts"


Waiting: TypeAlias = tuple[Entry, Future[None]]


class Doubt(Struct, frozen=True):
    """A commit that was sent and not answered: the batch's number, and how its appends fared if it was stored."""

    batch: int
    failed: list[Exception | None]


class Writer:
    """For any number of threads. `greet` is what every connection of this log needs before anything else, `tell` hears
    NEWS and NAMES of what was written."""

    def __init__(
        self, address: Address, schema: str, patience_s: float, greet: Callable[[Conn], None],
        tell: Callable[[str], None],
    ) -> None:  # fmt: skip
        self._place, self._schema, self._patience_s, self._greet_first = address.place, schema, patience_s, greet
        self._tell = tell
        self._link = Link(address, self._greet)
        self._queue: SimpleQueue[Waiting | None] = SimpleQueue()  # None: there is nothing more to come
        self._thread: Thread | None = None
        self._lock = Lock()
        self._closed = False
        self._id: int | None = None  # tells it from all other writers of the log, for ever
        self._batch = 0
        self._doubt: Doubt | None = None

    def submit(self, entry: Entry) -> Future[None]:
        """Queue it; the future is done when it is on disk, and raises why it was not written."""
        done: Future[None] = Future()
        with self._lock:
            if self._closed:
                done.set_exception(unusable("failed", self._place, "the log is closed"))
                return done
            if self._thread is None:
                self._thread = Thread(target=self._run, name="rollbook-writer", daemon=True)
                self._thread.start()
            self._queue.put((entry, done))
        return done

    def close(self) -> None:
        """What is queued is written before that. Twice does no harm."""
        with self._lock:
            thread = None if self._closed else self._thread
            self._closed = True
        if thread is not None:
            self._queue.put(None)
            thread.join()

    def _greet(self, conn: Conn) -> None:
        self._greet_first(conn)
        begin_era(conn)
        if self._id is None and (row := conn.execute(_ENROL).fetchone()):
            self._id = row[0]

    def _run(self) -> None:
        queued: list[Waiting | None] = []
        while None not in queued:
            queued = self._taken()
            waiting = [one for one in queued if one is not None and one[1].set_running_or_notify_cancel()]
            for batch in _batches(waiting):
                self._write(batch)
        self._leave()

    def _taken(self) -> list[Waiting | None]:
        """What is queued now, or comes next."""
        taken = [self._queue.get()]
        with suppress(Empty):
            while len(taken) < MOST:
                taken.append(self._queue.get_nowait())
        return taken

    def _write(self, batch: Sequence[Waiting], *, hurry: bool = False) -> None:
        """Written, and everybody told."""
        entries = [entry for entry, _ in batch]
        try:
            failed = self._written(entries, hurry)
        except Exception as error:  # whatever it is, those who wait are told, and the thread goes on
            if len(batch) > 1 and not isinstance(error, LogUnusable):
                for one in batch:
                    self._write([one], hurry=isinstance(error, errors.LockNotAvailable))
                return
            failed = [told(self._place, error) for _ in batch]
        if any(entry.beside.forget is not None or entry.beside.drop_texts for entry in entries):
            self._clean()
        for (_, done), why in zip(batch, failed, strict=True):
            settle(done, why)
        written = [entry.beside for entry, why in zip(entries, failed, strict=True) if why is None]
        if written:
            self._tell(NEWS)
        if any(beside.names or beside.forget for beside in written):
            self._tell(NAMES)

    def _written(self, batch: Sequence[Entry], hurry: bool) -> list[Exception | None]:
        """For each append why it was not written, None where it was. A lost connection is waited for."""
        deadline, tries = time.monotonic() + self._patience_s, 0
        while True:
            try:
                settled = self._settled()
                return self._committed(batch, hurry) if settled is None else settled
            except _MET:
                tries += 1
                if len(batch) > 1 or tries == TRIES:
                    raise
            except errors.LockNotAvailable:
                if hurry or not freed(self._link.conn(), self._schema, batch, STILL_S):
                    raise
            except (psycopg.Error, LogUnusable) as error:
                if self._doubt is None and not self._may_pass(error):
                    raise
                if time.monotonic() > deadline:
                    raise self._gave_up(error) from error
                time.sleep(AGAIN_S)

    def _settled(self) -> list[Exception | None] | None:
        """How the batch ended whose commit was not answered; None: there is none, or it is not stored."""
        if self._doubt is None:
            return None
        row = self._link.conn().execute(_MARKED, (self._id,)).fetchone()
        doubt, self._doubt = self._doubt, None
        return doubt.failed if row and row[0] == doubt.batch else None

    def _committed(self, batch: Sequence[Entry], hurry: bool) -> list[Exception | None]:
        conn = self._link.conn()
        try:
            return self._sent(conn, batch, hurry)
        finally:
            if not conn.closed:  # whatever it was, it was said before the commit
                self._doubt = None
                rolled_back(conn)

    def _sent(self, conn: Conn, batch: Sequence[Entry], hurry: bool) -> list[Exception | None]:
        """Two round trips: what the batch is decided on, and what it comes to."""
        self._batch += 1
        with conn.pipeline():
            conn.execute(_BEGIN)
            if hurry:
                conn.execute(_HURRY)
            locked(conn, self._schema, batch)
            conn.execute(_MARK, (self._id, self._batch))
            reading = Reading(conn, batch)
        rows, failed = decided(reading.standing(), batch)
        if all(failed):
            return failed
        self._doubt = Doubt(self._batch, failed)
        with conn.pipeline():
            for statement, parameters in rows.statements():
                conn.execute(statement, parameters)
            conn.execute("COMMIT")
        return failed

    def _may_pass(self, error: Exception) -> bool:
        """Whether the server is gone, and may be back in a moment."""
        return error.reason == "no_access" if isinstance(error, LogUnusable) else self._link.lost()

    def _gave_up(self, error: Exception) -> Exception:
        doubt, self._doubt = self._doubt, None
        if doubt is None:
            return told(self._place, error)
        return unusable("unknown", self._place)

    def _clean(self) -> None:
        """What was deleted stands in the tables until this. In its own journal and in backups PostgreSQL keeps it."""
        with suppress(psycopg.Error, LogUnusable):
            self._link.conn().execute(_FORGOTTEN)

    def _leave(self) -> None:
        with suppress(psycopg.Error, LogUnusable):
            conn = self._link.conn()
            conn.execute(_LEAVE, (self._id,))
            conn.execute(_TIDY)
        self._link.close()


def _batches(waiting: Sequence[Waiting]) -> Iterator[list[Waiting]]:
    """In order; an entry that changes rows all over the log is a batch of its own."""
    batch: list[Waiting] = []
    for one in waiting:
        if batch and (sweeps(one[0]) or sweeps(batch[-1][0])):
            yield batch
            batch = []
        batch.append(one)
    if batch:
        yield batch

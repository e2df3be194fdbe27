"""Which of all programs on a log does a task, or has its turn at a table; and what they tell each other.

A lease is a row with a holder and a time until which it is held, by the server's clock. One thread renews ours well
before that, asks for what another program holds until it is free, and lets go of what nobody here needs. A program that
is killed or cut off renews nothing, so what it held is free within seconds. What could not be renewed in time is not
ours by our own clock either, which began to count before the server's did. So no two hold the same, unless the
server's clock is set forward; the head that every append looks at stays the fence.

What is told is NOTIFY's: heard by those who listen just then, or lost. It only makes something happen sooner.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread

import psycopg
from msgspec import Struct

from events.log import LogUnusable
from events.postgres.link import Address, Conn, Link, told, unusable
from events.postgres.schema import channel

LEASE_S = 4.0
RENEWALS = 4  # in the time of a lease
POLL_S = 0.02  # between two looks at what another program holds
TASK, TABLE = "task ", "table "  # what the name of a lease begins with

_HOLDER = "SELECT current_setting('application_name') || ' ' || gen_random_uuid()"
_RELAXED = "SET synchronous_commit = off"
# In one order for all programs, here and below, so that none waits for another in a circle.
_TAKE = """INSERT INTO leases (name, holder, until)
    SELECT name, %s, clock_timestamp() + make_interval(secs => %s)
        FROM unnest(%s::text[]) AS name, set_config('synchronous_commit', %s, true) ORDER BY name
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
        WHERE leases.holder = excluded.holder OR leases.until <= clock_timestamp()
    RETURNING name"""
_LET_GO = """UPDATE leases SET until = '-infinity' FROM (
        SELECT name FROM leases WHERE holder = %s AND name = ANY(%s) ORDER BY name FOR UPDATE
    ) AS ours WHERE leases.name = ours.name"""
_TELL = "SELECT pg_notify(%s, word) FROM unnest(%s::text[]) AS word"


class Ask(Struct, frozen=True):
    """Somebody who wants a lease: if it is free, or with `patience` when it is."""

    name: str
    patience: bool
    granted: Future[bool]


class Leases:
    """For any number of threads. The one that works for them starts with the first who asks or tells something."""

    def __init__(self, address: Address, schema: str, greet: Callable[[Conn], None], lease_s: float) -> None:
        self._place, self._channel, self._lease_s = address.place, channel(schema), lease_s
        self._greet_first = greet
        self._link = Link(address, self._greet)
        self._holder = ""  # tells us from all other programs on the log, and people which one we are
        self._wanted: list[Ask] = []
        self._queue: SimpleQueue[Ask | None] = SimpleQueue()  # None: look what there is to do
        self._lock = Lock()  # for all below
        self._until: dict[str, float] = {}  # what we hold, by our clock
        self._users: Counter[str] = Counter()  # how many here need it; a task is needed until the end
        self._idle: set[str] = set()  # what nobody here needs any more
        self._words: dict[str, None] = {}  # to be told
        self._thread: Thread | None = None
        self._closed = False

    def claim(self, task: str) -> bool:
        """Whether the task is ours now. As long as it is, no server is asked."""
        return self._asked(TASK + task, patience=False).result()

    def lease(self, table: str) -> Future[bool]:
        """Done, with True, when it is this program's turn at the table; cancelled, it is not wanted any more."""
        return self._asked(TABLE + table, patience=True)

    def release(self, table: str) -> None:
        """Once for each lease that was granted. When nobody here needs it any more it is free for other programs."""
        name = TABLE + table
        with self._lock:
            self._users[name] -= 1
            if not self._users[name]:
                del self._users[name]
                self._idle.add(name)
                self._wake()

    def tell(self, word: str) -> None:
        """To all programs that listen. What several say at once is told once."""
        with self._lock:
            self._words[word] = None
            self._wake()

    def close(self) -> None:
        """Let go of everything. Twice does no harm."""
        with self._lock:
            thread, closed, self._closed = self._thread, self._closed, True
        if thread is not None and not closed:
            self._queue.put(None)
            thread.join()
        self._link.close()

    def _greet(self, conn: Conn) -> None:
        self._greet_first(conn)
        conn.execute(_RELAXED)
        if not self._holder and (row := conn.execute(_HOLDER).fetchone()):
            self._holder = row[0]

    # ---- what is asked for

    def _asked(self, name: str, *, patience: bool) -> Future[bool]:
        ask = Ask(name, patience, Future())
        with self._lock:
            if self._closed:
                ask.granted.set_exception(unusable("failed", self._place, "the log is closed"))
            elif self._users[name] and self._is_held(name):
                self._grant(ask)
            else:
                self._wake(ask)
        return ask.granted

    def _is_held(self, name: str) -> bool:
        return time.monotonic() < self._until.get(name, 0.0)

    def _grant(self, ask: Ask) -> None:
        """The lock is held."""
        if ask.granted.set_running_or_notify_cancel():
            self._users[ask.name] += 1
            ask.granted.set_result(True)

    def _wake(self, ask: Ask | None = None) -> None:
        """The lock is held."""
        if self._closed:
            return
        self._queue.put(ask)
        if self._thread is None:
            self._thread = Thread(target=self._run, name="rollbook-leases", daemon=True)
            self._thread.start()

    # ---- the thread

    def _run(self) -> None:
        renew_at = 0.0
        while not self._closed:
            self._gather(self._wait_s(renew_at))
            renew = time.monotonic() >= renew_at
            if renew:
                renew_at = time.monotonic() + self._lease_s / RENEWALS
            try:
                self._round(renew=renew)
            except Exception as error:  # whatever it is, those who wait are told, and the thread goes on
                self._fail(told(self._place, error))
        self._gather(0.0)
        self._fail(unusable("failed", self._place, "the log is closed"))
        with suppress(psycopg.Error, LogUnusable):
            self._link.conn().execute(_LET_GO, (self._holder, [*self._until]))

    def _wait_s(self, renew_at: float) -> float | None:
        """How long there is nothing to do if nobody asks for anything; None: for ever."""
        if self._wanted:
            return POLL_S
        return max(0.0, renew_at - time.monotonic()) if self._until else None

    def _gather(self, wait_s: float | None) -> None:
        """All that is queued, if need be after a wait for the first of it."""
        with suppress(Empty):
            while True:
                if (ask := self._queue.get(timeout=wait_s)) is not None:
                    self._wanted.append(ask)
                wait_s = 0.0

    def _round(self, *, renew: bool) -> None:
        """What nobody needs, what somebody wants, what is due, and what is to be told."""
        wanted = {ask.name for ask in self._wanted if not ask.granted.cancelled()}
        with self._lock:
            idle = {name for name in self._idle if not self._users[name] and name not in wanted}
            self._idle -= idle
            for name in idle:
                self._until.pop(name, None)
            words, self._words = [*self._words], {}
            take = wanted | (self._until.keys() if renew else set())
        asked_at = time.monotonic()
        taken = self._written(idle, take, words) if idle or take or words else set()
        with self._lock:
            self._until |= dict.fromkeys(taken, asked_at + self._lease_s)
            for name in take - taken:
                self._until.pop(name, None)
            self._answer(taken)

    def _written(self, idle: Collection[str], take: Collection[str], words: Collection[str]) -> set[str]:
        """Which of `take` are ours now; once more on a new connection where that was lost."""
        try:
            return self._sent(self._link.conn(), idle, take, words)
        except psycopg.Error:
            if not self._link.lost():
                raise
            return self._sent(self._link.conn(), idle, take, words)

    def _sent(self, conn: Conn, idle: Collection[str], take: Collection[str], words: Collection[str]) -> set[str]:
        """Each by itself: who stands still between two statements of a transaction would keep what they have locked."""
        taken: set[str] = set()
        if idle:
            conn.execute(_LET_GO, (self._holder, [*idle]))
        if take:
            task = any(name.startswith(TASK) and name not in self._until for name in take)
            durably = "on" if task else "off"  # a table has its fence
            taken = {name for (name,) in conn.execute(_TAKE, (self._holder, self._lease_s, [*take], durably))}
        if words:
            conn.execute(_TELL, (self._channel, [*words]))
        return taken

    def _answer(self, taken: Collection[str]) -> None:
        """The lock is held."""
        still: list[Ask] = []
        for ask in self._wanted:
            if ask.name in taken:
                self._grant(ask)
            elif not ask.patience:
                ask.granted.set_result(False)
            elif not ask.granted.cancelled():
                still.append(ask)
        self._wanted = still
        self._idle |= {name for name in taken if not self._users[name]}  # whoever wanted it does not any more

    def _fail(self, error: Exception) -> None:
        wanted, self._wanted = self._wanted, []
        for ask in wanted:
            if ask.granted.set_running_or_notify_cancel():
                ask.granted.set_exception(error)

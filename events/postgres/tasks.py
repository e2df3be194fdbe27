"""Who, of all programs on a log, does a task: whoever holds the task's advisory lock.

The lock hangs on a session of its own, so the server lets go of it when the program ends, however it ends. It lets go
too when the connection breaks while the program lives: therefore each question looks first whether the session is
still there, and a task that went with it has to be won again. Ask before every piece of work: between the break and
the next question another program may have begun, as after a crash.
"""

from __future__ import annotations

from threading import Lock

import psycopg

from events.postgres.link import Address, Conn, Link, telling
from events.postgres.schema import lock_key

_CLAIM = "SELECT pg_try_advisory_lock(%s)"
_CLAIMED = """SELECT EXISTS (SELECT FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND database = (
        SELECT oid FROM pg_database WHERE datname = current_database()
    ) AND (classid::bigint << 32 | objid::bigint) = %s)"""


class Tasks:
    """For any number of threads."""

    def __init__(self, address: Address, schema: str) -> None:
        self._place, self._schema = address.place, schema
        self._link = Link(address)
        self._lock = Lock()
        self._session: Conn | None = None
        self._held: set[str] = set()  # by this session

    def claim(self, task: str) -> bool:
        """Whether the task is ours now."""
        with self._lock:
            if task not in self._held_still() and self._asked(_CLAIM, task):
                self._held.add(task)
            return task in self._held

    def claimed(self, task: str) -> bool:
        """Whether any program, this one too, does this task just now. Nothing is taken by asking."""
        with self._lock:
            return task in self._held_still() or self._asked(_CLAIMED, task)

    def close(self) -> None:
        with self._lock:
            self._link.close()

    def _held_still(self) -> set[str]:
        """What was held by a session that is no more is not held."""
        try:
            self._link.conn().execute("SELECT 1")
        except psycopg.Error:
            self._link.drop()
        if (session := self._link.conn()) is not self._session:
            self._session, self._held = session, set()
        return self._held

    def _asked(self, sql: str, task: str) -> bool:
        with telling(self._place):
            row = self._link.conn().execute(sql, (lock_key(self._schema, "task", task),)).fetchone()
        return bool(row and row[0])

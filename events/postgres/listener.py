"""What other programs on a log tell: a connection of its own that listens, and whom to call then."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import TypeAlias

import psycopg
from psycopg import sql

from events.log import LogUnusable
from events.postgres.link import Address, Conn, Link
from events.postgres.schema import channel

LOOK_S = 0.5  # between two looks whether it is over
AGAIN_S = 1.0  # between two tries to reach the server
MISSED = ""  # the word for: something may have been told that was not heard

Hear: TypeAlias = Callable[[str], None]


class Listener:
    """Calls all that were added with each word, in a thread of its own, which starts with the first of them."""

    def __init__(self, address: Address, schema: str) -> None:
        self._listen = sql.SQL("LISTEN {}").format(sql.Identifier(channel(schema)))
        self._link = Link(address, self._greet)
        self._hear: list[Hear] = []
        self._lock = Lock()
        self._thread: Thread | None = None
        self._over = Event()

    def add(self, hear: Hear) -> None:
        """From now on; MISSED at first, and whenever the connection had broken."""
        with self._lock:
            self._hear.append(hear)
            if self._thread is None and not self._over.is_set():
                self._thread = Thread(target=self._run, name="rollbook-listener", daemon=True)
                self._thread.start()

    def close(self) -> None:
        with self._lock:
            self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _greet(self, conn: Conn) -> None:
        conn.execute(self._listen)
        self._call(MISSED)

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                for one in self._link.conn().notifies(timeout=LOOK_S):
                    self._call(one.payload)
            except (psycopg.Error, LogUnusable):
                self._link.drop()
                self._over.wait(AGAIN_S)
        with suppress(psycopg.Error):
            self._link.close()

    def _call(self, word: str) -> None:
        with self._lock:
            hear = [*self._hear]
        for one in hear:
            one(word)

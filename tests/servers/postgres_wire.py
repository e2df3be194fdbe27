"""The wire between a program and PostgreSQL, that can be cut where it hurts: at a commit.

It is a socket in a folder of its own, and what goes in and out is handed on, but for what was asked to go wrong next.
"""

from __future__ import annotations

import shutil
import socket
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict, make_conninfo

NAME = ".s.PGSQL.5432"
COMMIT = b"COMMIT\0"  # so it stands in the program's statement (until that is prepared) and in the server's answer


class Wire:
    """Use `conninfo` in place of the one that it was made with."""

    def __init__(self, conninfo: str) -> None:
        self._server = Path(str(conninfo_to_dict(conninfo)["host"])) / NAME
        self.folder = Path(tempfile.mkdtemp(prefix="rollbook-wire-"))
        self.conninfo = make_conninfo(conninfo, host=str(self.folder))
        self.cuts = 0
        self.refuses = False  # no new connection
        self.late = threading.Event()  # set it, and what was held back of a `late` commit reaches the server
        self._next = ""
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.folder / NAME))
        self._listener.listen()

    def __enter__(self) -> Wire:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.late.set()
        for one in (self._listener, *self._sockets):
            _shut(one)
        shutil.rmtree(self.folder, ignore_errors=True)

    def cut(self, where: str) -> None:
        """The next commit is cut off: `asked` (it never reaches the server), `answered` (it is done, and the program
        never hears of it), or `late` (the program is cut off, and it reaches the server when `late` is set)."""
        self._next = where

    def sever(self) -> None:
        """All connections break, and there are no new ones."""
        self.refuses = True
        for one in self._sockets:
            _shut(one)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                program, _ = self._listener.accept()
                if self.refuses:
                    _shut(program)
                    continue
                server = socket.socket(socket.AF_UNIX)
                server.connect(str(self._server))
                self._sockets += [program, server]
                for work in (self._ask, self._answer):
                    threading.Thread(target=work, args=(program, server), daemon=True).start()

    def _ask(self, program: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while said := program.recv(1 << 20):
                if COMMIT in said and self._cuts("late"):
                    _shut(program)
                    self.late.wait()
                elif COMMIT in said and self._cuts("asked"):
                    break
                server.sendall(said)
        _shut(program)
        _shut(server)

    def _answer(self, program: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while said := server.recv(1 << 20):
                if COMMIT in said and self._cuts("answered"):
                    break
                program.sendall(said)
        _shut(program)

    def _cuts(self, where: str) -> bool:
        with self._lock:
            cut = self._next == where
            if cut:
                self._next, self.cuts = "", self.cuts + 1
            return cut


def _shut(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()

"""A real PostgreSQL of our own, for tests: started, stopped, killed, frozen.

The programs are those of Debian's package `postgresql`, or lie in the folder that ROLLBOOK_POSTGRES names. The server
listens on a socket in its own folder and nowhere else, and syncs to disk as it does for people (fsync is on).
"""

from __future__ import annotations

import atexit
import functools
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

DEBIAN = Path("/usr/lib/postgresql")
START_S = 120.0
STOP_S = 60.0
SETTINGS = {
    "listen_addresses": "",
    "fsync": "on",
    "synchronous_commit": "on",
    "max_connections": "200",
    "shared_buffers": "64MB",
    "log_min_messages": "warning",
}


def programs() -> Path:
    """The folder with initdb and postgres. Without one the tests are skipped, but for CI, where it must be."""
    if given := os.environ.get("ROLLBOOK_POSTGRES"):
        return Path(given)
    if on_path := shutil.which("initdb"):
        return Path(on_path).resolve().parent
    versions = sorted((one for one in DEBIAN.glob("*/bin") if (one / "initdb").exists()), key=_version)
    if not versions and not os.environ.get("CI"):
        pytest.skip("no PostgreSQL here: apt-get install postgresql, or name its folder in ROLLBOOK_POSTGRES")
    assert versions, "CI tests on PostgreSQL: apt-get install postgresql"
    return versions[-1]


def _version(folder: Path) -> int:
    return int(folder.parent.name) if folder.parent.name.isdigit() else 0


def _unprivileged() -> dict[str, Any]:
    """PostgreSQL refuses to run as root: then it gets the user that its package made, or one without any rights."""
    if os.geteuid():
        return {}
    known = {one.pw_name: one for one in pwd.getpwall()}
    one = known.get("postgres") or known["nobody"]
    return dict(user=one.pw_uid, group=one.pw_gid, extra_groups=[])


class Postgres:
    """One server with its own folder; its superuser is `rollbook` and needs no password."""

    def __init__(self) -> None:
        self.programs = programs()
        self.folder = Path(tempfile.mkdtemp(prefix="rollbook-pg-")).resolve()
        self._process: subprocess.Popen[bytes] | None = None
        self._schemas = itertools.count(1)
        self._as = _unprivileged()

    def __enter__(self) -> Postgres:
        try:
            self._make()
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    # ---- the process

    def _make(self) -> None:
        if self._as:
            os.chown(self.folder, self._as["user"], self._as["group"])
        choices = ["--username=rollbook", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
        done = subprocess.run(
            [self.programs / "initdb", "--pgdata", self.data, *choices],
            cwd="/", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **self._as,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout

    def start(self) -> None:
        """Start on what is there, and wait until it answers."""
        settings = SETTINGS | {"unix_socket_directories": str(self.folder)}
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self.programs / "postgres", "-D", self.data, *options],
                cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, **self._as,
            )  # fmt: skip  # a session of its own: Ctrl-C in the terminal is for the tests alone
        deadline = time.monotonic() + START_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL did not start:\n{self.log_tail()}")
            time.sleep(0.02)

    def stop(self) -> None:
        """End it with all its connections, and wait until it is gone."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """End it and all its processes without a warning."""
        self._end(signal.SIGKILL)

    def freeze(self) -> None:
        """It keeps its connections and answers nobody, until `thaw`."""
        self._tell(signal.SIGSTOP)

    def thaw(self) -> None:
        self._tell(signal.SIGCONT)

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        self._tell(signal.SIGCONT)
        if how is signal.SIGKILL:
            self._tell(how)
        else:
            self._process.send_signal(how)
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._tell(signal.SIGKILL)
            self._process.wait()
        self._process = None

    def _tell(self, what: signal.Signals) -> None:
        """The server's processes each have a group of their own, but all are children of the first."""
        assert self._process
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        for pid in (self._process.pid, *map(int, children.read_text().split() if children.exists() else ())):
            try:
                os.kill(pid, what)
            except ProcessLookupError:
                continue

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.conninfo, connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def log_tail(self, size: int = 4000) -> str:
        """The end of what the server said."""
        return (self.folder / "log").read_text(errors="replace")[-size:]

    # ---- what is in it

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def conninfo(self) -> str:
        """How to reach the server itself."""
        return make_conninfo(host=str(self.folder), user="rollbook", dbname="postgres")

    def fresh(self) -> str:
        """How to reach a schema that nobody has used before: to a log as good as a database, and made at once."""
        schema = f"test_{next(self._schemas)}"
        with psycopg.connect(self.conninfo, autocommit=True) as conn:
            conn.execute(f"CREATE SCHEMA {schema}")
        return make_conninfo(self.conninfo, options=f"-c search_path={schema}")


def url_of(conninfo: str, password: str = "") -> str:
    """The same as people write it, with a password that this server does not ask for."""
    given = conninfo_to_dict(conninfo)
    more = "&".join(f"{key}={quote(str(given[key]), safe='')}" for key in ("host", "options"))
    return f"postgresql://rollbook{password and f':{password}'}@/{given['dbname']}?{more}"


@functools.cache
def running() -> Postgres:
    """The server that all tests of this process share; each has a schema of its own in it."""
    server = Postgres().__enter__()
    atexit.register(server.__exit__)
    return server

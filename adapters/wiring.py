"""The only place where real things are chosen: the clock, the entropy, where the log is, the language.

Everything below is handed in; whoever wants another clock or log builds an `App` with it.
"""

from __future__ import annotations

import hashlib
import locale
import os
import secrets
import time
from datetime import UTC, datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Protocol, TypeAlias

from platformdirs import user_data_path

import core
import events
from adapters import config
from adapters.config import Config, NotConfigured
from adapters.words import CHATS
from core.app import App
from core.language import Language
from core.zones import Zones
from events.dump import Dumped
from events.follow import Followable
from events.log import EventLog
from events.sqlite import SqliteLog

LOG_NAME = "rollbook.db"
ADDRESSES = ("postgresql://", "postgres://")
NO_POSTGRES = 'A log in PostgreSQL needs psycopg, which is not installed here: pip install "psycopg[binary]".'
Place: TypeAlias = Path | str  # of a log: a file, or the address of a database; a password may stand in that one


class Log(EventLog, Dumped, Followable, Protocol):
    """A log that can also be looked at whole, copied, followed, and asked who does a task."""

    def examine(self) -> None:
        """LogUnusable("damaged"): something in it does not fit together."""

    def size(self) -> int:
        """How many bytes it takes."""

    def claimed(self, task: str) -> bool:
        """Whether any program, this one too, does this task just now. Nothing is made by asking."""


def now() -> str:
    """UTC, RFC 3339, milliseconds: `2026-11-30T05:00:00.000Z`."""
    second, ms = divmod(time.time_ns() // 1_000_000, 1_000)
    return f"{_up_to(second)}.{ms:03}Z"


@lru_cache(maxsize=1)  # many messages come within a second
def _up_to(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def place(given: str) -> Place:
    """Where a log is, as people write it."""
    return given if given.startswith(ADDRESSES) else Path(given)


def own_file() -> Path:
    """The log's file in the user's data folder."""
    return user_data_path("rollbook") / LOG_NAME


def default_log() -> Place:
    """That file; `ROLLBOOK_DB` names another, or a database."""
    given = os.environ.get("ROLLBOOK_DB")
    return place(given) if given else own_file()


def log_of(settings: Config) -> Place:
    """The log that this configuration names, or the default one."""
    return place(settings.db) if settings.db else default_log()


def opened(at: Place, *, read_only: bool = False) -> Log:
    """The log there. LogUnusable: it cannot be opened. NotConfigured: what a database needs is not installed."""
    if isinstance(at, Path):
        return SqliteLog(at, read_only=read_only)
    try:
        from events.postgres import PostgresLog  # its library is an extra
    except ImportError as error:
        raise NotConfigured(NO_POSTGRES) from error
    return PostgresLog(at, read_only=read_only)


def served(log: Log) -> list[str]:
    """The chats that some program serves from it just now."""
    return [name for name in CHATS if log.claimed(f"post-{name}")]


def shown(at: Place) -> str:
    """The place as it may be told: of a database host and name alone. Raises what `opened` raises."""
    if isinstance(at, Path):
        return str(at)
    try:
        from events.postgres import address
    except ImportError as error:
        raise NotConfigured(NO_POSTGRES) from error
    return address(at).url


def user_language() -> Language:
    """The language of the user's environment: Chinese or, for everybody else, English."""
    wanted = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return "zh" if (wanted or locale.getlocale()[0] or "").lower().startswith(("zh", "chinese")) else "en"


@cache
def schema() -> str:
    """The SHA-256 of all that a table's state is made by: another version of the program makes it anew."""
    parts = (Path(str(package.__file__)).parent for package in (core, events))
    sources = (path for folder in parts for path in sorted(folder.rglob("*.py")))
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()


def user_zones() -> Zones:
    """All time zones; ROLLBOOK_TIME_ZONE names that of tables which have set none. NotConfigured: no zone is."""
    return config.zones(os.environ.get("ROLLBOOK_TIME_ZONE"), "the environment")


def build(log: EventLog, language: Language, zones: Zones | None = None) -> App:
    """The bot on a log, with the real clock and the operating system's entropy. NotConfigured: see `user_zones`."""
    return App(log, now, secrets.token_bytes, language, schema(), zones or user_zones())

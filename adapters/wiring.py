"""The only place where real things are chosen: the clock, the entropy, the log's file, the language.

Everything below is handed in; whoever wants another clock or log builds an `App` with it.
"""

from __future__ import annotations

import hashlib
import locale
import os
import secrets
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from platformdirs import user_data_path

import core
import events
from core.app import App
from core.language import Language
from events.sqlite import SqliteLog

LOG_NAME = "rollbook.db"


def now() -> str:
    """UTC, RFC 3339, milliseconds: `2026-11-30T05:00:00.000Z`."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def default_log() -> Path:
    """The log's file in the user's data folder; `ROLLBOOK_DB` names another."""
    return Path(os.environ.get("ROLLBOOK_DB") or user_data_path("rollbook") / LOG_NAME)


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


def build(log: SqliteLog, language: Language) -> App:
    """The bot on a log, with the real clock and the operating system's entropy."""
    return App(log, now, secrets.token_bytes, language, schema())

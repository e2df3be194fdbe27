"""How the program logs: a line of text for each entry, or of JSON; and what never gets into one.

Never in a log: a configured secret, whoever logs it; what was said in a chat or rolled in secret. An error may quote
either, so of an error its kind and its way through the program are told, and not what it says.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sys
import threading
import traceback
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias
from urllib.parse import quote, quote_plus

from events.log import LogUnusable

Format: TypeAlias = Literal["text", "json"]
HIDDEN = "[secret]"
SHORTEST = 4  # characters; a shorter secret would stand in every other word, and hiding it would tell it
LEVELS: Mapping[str, int] = {
    **dict.fromkeys(("httpx", "httpcore", "telegram", "peewee", "nio.client"), logging.WARNING),  # they write addresses
    "nio": logging.CRITICAL,  # it quotes events and names accounts
}
OUTSPOKEN = (OSError, LogUnusable)  # what these say is of files, addresses and the log, never of what was played
logger = logging.getLogger(__name__)


class _Hidden:
    """The secrets, in each form in which somebody may write them."""

    def __init__(self) -> None:
        self._forms: set[str] = set()
        self._pattern: re.Pattern[str] | None = None

    def add(self, secret: str) -> None:
        quoted = (json.dumps(secret), json.dumps(secret, ensure_ascii=False), repr(secret))
        forms = (secret, quote(secret, safe=""), quote_plus(secret), *(one[1:-1] for one in quoted))
        self._forms |= {one for one in forms if len(one) >= SHORTEST}
        longest_first = sorted(self._forms, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def taken_out(self, text: str) -> str:
        return self._pattern.sub(HIDDEN, text) if self._pattern else text


_hidden = _Hidden()


def hide(secret: str) -> None:
    """From now on this stands in no entry."""
    _hidden.add(secret)


class TextFormatter(logging.Formatter):
    """`2026-11-30 05:00:00,000 WARNING adapters.outbox: …`; below it the way of an error, if there is one."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  logging's name
        record.message = "\\n".join(record.message.splitlines())  # nobody forges an entry
        return super().formatMessage(record)

    def formatException(self, ei: Any) -> str:  # noqa: N802  logging's name
        return way_of(ei[1])

    def format(self, record: logging.LogRecord) -> str:
        record.exc_text = None  # another formatter may have left its own there
        return _hidden.taken_out(super().format(record))


class JsonFormatter(logging.Formatter):
    """An object on a line: time (UTC), level, logger, message; of an error its kind and its way through the program."""

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        entry = {
            "time": time, "level": record.levelname.lower(), "logger": record.name, "message": record.getMessage(),
        }  # fmt: skip
        if record.exc_info and (error := record.exc_info[1]):
            entry |= {"exception": _kind(error), "stack": way_of(error)}
        return json.dumps({key: _hidden.taken_out(text) for key, text in entry.items()}, ensure_ascii=False)


FORMATTERS: Mapping[Format, type[logging.Formatter]] = {"text": TextFormatter, "json": JsonFormatter}


def configure(form: Format, secrets: Iterable[str]) -> None:
    """All entries from INFO on go to stderr in this form, and so do warnings and what ends the program or a thread."""
    for secret in secrets:
        hide(secret)
    to_stderr = logging.StreamHandler()
    to_stderr.setFormatter(FORMATTERS[form]())
    logging.basicConfig(level=logging.INFO, handlers=[to_stderr], force=True)
    logging.captureWarnings(capture=True)
    for name, level in LEVELS.items():
        logging.getLogger(name).setLevel(level)
    sys.excepthook = lambda _kind, error, _trace: logger.critical("The program failed", exc_info=error)
    threading.excepthook = lambda of: logger.error("A thread failed", exc_info=of.exc_value)


def of_loop(_loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    """A loop's exception handler. asyncio's own writes every value at hand."""
    logger.error("%s", context["message"], exc_info=context.get("exception"))


def way_of(error: BaseException) -> str:
    """A traceback without what its errors say, those of the program's own surroundings aside."""
    return "".join(_parts(error, set())).rstrip("\n")


def _parts(error: BaseException, told: set[int]) -> Iterator[str]:
    told.add(id(error))
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None and id(before) not in told:
        yield from _parts(before, told)
        yield "which led to\n"
    yield from traceback.format_tb(error.__traceback__)
    yield f"{_kind(error)}: {error}\n" if isinstance(error, OUTSPOKEN) else f"{_kind(error)}\n"
    if isinstance(error, BaseExceptionGroup):
        for one in error.exceptions:
            yield from _parts(one, told)


def _kind(error: BaseException) -> str:
    kind = type(error)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"

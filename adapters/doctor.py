"""`rollbook doctor`: whether `rollbook serve` can work here as configured, and what to do where it cannot.

Here: what does not belong to one chat, and the order of all. Never: how a platform is asked (each chat's `checkup.py`)
or a sentence. It only looks: nothing is made, written, logged in or taken from a bot that runs.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

from adapters import wiring
from adapters.config import Config, Matrix, NotConfigured, Telegram, secrets_in
from adapters.export.tables import title_of
from adapters.findings import Checkup, Finding, Findings, nearest, writable
from adapters.wiring import Log, Place
from adapters.words import CHATS, DOCTOR, ENVIRONMENT, SOMEBODY
from core.language import Phrase
from events.beside import TABLE, MessageKey, Pending
from events.chain import Break, first_break
from events.codec import UnreadableEvent, decode
from events.envelope import Head
from events.log import LogUnusable

MB, GB = 10**6, 10**9
LOW_DISK, FULL_DISK = GB, 100 * MB
CLOCK_WARNING_S, CLOCK_FAULT_S = 5, 60
LAST = 200  # events of each table whose chain is looked at
DAY_S = 86_400
MOST_PEOPLE = 5  # who are named
OTHERS_MAY_READ = 0o004
UNUSABLE_DATABASE = {
    "newer": "log.newer", "damaged": "log.damaged",
    "no_access": "database_unreached", "other_program": "database_taken",
}  # fmt: skip
Clock: TypeAlias = Callable[[], float]
found = Findings(DOCTOR)


def examine(config: Config, file: Path | None, db: Place | None, clock: Clock) -> Iterator[Finding]:
    """One after the other as they are found, the slow ones last. `db` goes before the configuration's.

    `file` is where the configuration was read from; `clock` gives seconds since 1970.
    """
    place = db or wiring.log_of(config)
    chats = [name for name in CHATS if getattr(config, name)]
    yield from _configuration(config, file, chats)
    yield found.ok("versions", rollbook=version("rollbook"), python=".".join(map(str, sys.version_info[:3])))
    yield _fonts()
    yield from _log(place, chats, clock() - DAY_S)
    for name, checkup in zip(chats, asyncio.run(_checkups(config, chats, clock, place)), strict=True):
        yield from checkup.findings
        if checkup.ahead_s is not None:
            yield clock_found(checkup.ahead_s, CHATS[name])


# ---- here


def _configuration(config: Config, file: Path | None, chats: Sequence[str]) -> Iterator[Finding]:
    where = ENVIRONMENT if file is None else [str(file), ENVIRONMENT]
    if chats:
        yield found.ok("config", where=where, chats=[CHATS[name] for name in chats])
    else:
        yield found.warning("no_chat", where=where)
    for name in chats:
        if not getattr(config, name).allow:
            yield found.ok("public", chat=CHATS[name], setting=f"{name}.allow")
    if file is not None and os.name == "posix" and file.stat().st_mode & OTHERS_MAY_READ:
        text = file.read_text(encoding="utf-8")
        if any(secret in text for secret in secrets_in(config)):
            yield found.warning("open_file", path=file)


def _fonts() -> Finding:
    from adapters import pictures  # matplotlib is slow to load

    return found.ok("fonts") if pictures.shows("骰子") else found.warning("no_fonts")


def disk(free: int, path: Path) -> Finding:
    """`free` bytes at `path`."""
    amount = f"{free / GB:.1f} GB" if free >= GB else f"{free // MB} MB"
    if free < FULL_DISK:
        return found.fault("disk_full", path=path, free=amount)
    if free < LOW_DISK:
        return found.warning("disk_low", path=path, free=amount)
    return found.ok("disk", path=path, free=amount)


def clock_found(ahead_s: float, server: Phrase) -> Finding:
    """Our clock is `ahead_s` ahead of this server's; behind, if negative."""
    away = abs(ahead_s)
    if away <= CLOCK_WARNING_S:
        return found.ok("clock", server=server, most=CLOCK_WARNING_S)
    say = found.fault if away > CLOCK_FAULT_S else found.warning
    return say("clock_off", server=server, seconds=round(away))


# ---- the log


def _log(place: Place, chats: Sequence[str], day_ago: float) -> Iterator[Finding]:
    look = _file(place, chats, day_ago) if isinstance(place, Path) else _database(place, chats, day_ago)
    yield from look


def _file(path: Path, chats: Sequence[str], day_ago: float) -> Iterator[Finding]:
    folder = nearest(path.absolute().parent)
    yield disk(shutil.disk_usage(folder).free, folder)
    if not os.access(path, os.F_OK):
        yield _new_log(path)
        return
    try:
        yield from _examined(path, str(path), chats, day_ago)
    except LogUnusable as error:
        yield found.fault(f"log.{error.reason}", path=path, said=error)


def _database(address: str, chats: Sequence[str], day_ago: float) -> Iterator[Finding]:
    place = ""  # it may not be known
    try:
        place = wiring.shown(address)
        yield from _examined(address, place, chats, day_ago)
    except LogUnusable as error:
        if error.reason == "missing":
            yield found.ok("database_new", place=place)
        else:
            yield found.fault(UNUSABLE_DATABASE.get(error.reason, "database_unusable"), path=place, said=error)
    except NotConfigured:
        yield found.fault("no_library")


def _examined(at: Place, place: str, chats: Sequence[str], day_ago: float) -> Iterator[Finding]:
    """What is in a log; `place` is where it is said to be. LogUnusable: it cannot be opened, or is damaged."""
    with _looked_at(at) as log:
        log.examine()
        yield from _chains(log, place)
        if isinstance(at, Path) and not (writable(at) and writable(at.absolute().parent)):
            yield found.fault("log.read_only", path=at)
        yield from _service(log, chats)
        yield from _outbox(log, chats, day_ago)


def _new_log(path: Path) -> Finding:
    if writable(path):
        return found.ok("log_new", path=path)
    return found.fault("log_unwritable", path=path, folder=nearest(path))


@contextmanager
def _looked_at(place: Place) -> Iterator[Log]:
    log = wiring.opened(place, read_only=True)
    try:
        yield log
    finally:
        log.close()


def _chains(log: Log, place: str) -> Iterator[Finding]:
    tables = log.tables()
    broken = [(table, flaw) for table in tables if (flaw := end_break(log, table))]
    for table, flaw in broken:
        yield found.fault("chain", path=place, table=table, seq=flaw.seq)
    if not broken:
        events = sum(log.head(table).seq for table in tables)
        yield found.ok("log", path=place, tables=len(tables), events=events, last=LAST)


def end_break(log: Log, table: str) -> Break | None:
    """The first of a table's last events that does not hold; a table without any has lost its first."""
    head = log.head(table)
    if not head.seq:
        return Break(1, "seq_missing")
    stored, start = log.read(table, max(0, head.seq - LAST - 1), head.seq), Head()
    if head.seq > LAST:
        first = next(stored)
        start = Head(first.seq, first.hash)
    return first_break(stored, start, head)


def _service(log: Log, chats: Sequence[str]) -> Iterator[Finding]:
    try:
        served = [CHATS[name] for name in wiring.served(log) if name in chats]
    except LogUnusable:  # another user's
        yield found.warning("service_unknown")
        return
    if chats:
        yield found.ok("served", chats=served) if served else found.ok("not_served")


def _outbox(log: Log, chats: Sequence[str], day_ago: float) -> Iterator[Finding]:
    waiting = [one for name in chats for one in log.pending(name)]
    private = [one for one in waiting if one.letter.to != TABLE]
    public = [one for one in waiting if one.letter.to == TABLE]
    if chats and not waiting:
        yield found.ok("outbox_empty")
    if old := _older(log, public, day_ago):
        yield found.warning("outbox_old", count=len(public), old=old)
    elif public:
        yield found.ok("outbox", count=len(public))
    if private:
        people = _people(private, log.names())
        yield found.warning("held", count=len(private), people=people, old=_older(log, private, day_ago))


def _people(letters: Iterable[Pending], names: Mapping[str, str]) -> list[object]:
    """Who waits for how many, most first."""
    counted = Counter(names.get(one.chat, "") for one in letters)
    nameless = counted.pop("", 0)
    told: list[object] = [f"{name} {count}" for name, count in counted.most_common(MOST_PEOPLE)]
    return [*told, *(["…"] if len(counted) > MOST_PEOPLE else []), *([SOMEBODY] if nameless else [])]


def _older(log: Log, letters: Iterable[Pending], than: float) -> int:
    """How many answer something that was recorded before `than`, in seconds since 1970."""
    since = datetime.fromtimestamp(than, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return sum(_recorded(log, one.key) < since for one in letters)


def _recorded(log: Log, key: MessageKey) -> str:
    """When what this message led to was recorded; `~`, which is behind every time, where nothing was."""
    receipt = log.receipt(key)
    if receipt is None or receipt.last < receipt.first:
        return "~"
    stored = next(log.read(receipt.table, receipt.first - 1, receipt.first), None)
    try:
        return decode(stored).at if stored else "~"
    except UnreadableEvent:
        return "~"


# ---- the chats


async def _checkups(config: Config, chats: Sequence[str], clock: Clock, place: Place) -> list[Checkup]:
    """All at once, told in this order: what waits for one server does not wait for another."""
    return await asyncio.gather(*(CHECKUPS[name](getattr(config, name), clock, place) for name in chats))


async def _telegram(settings: Telegram, clock: Clock, place: Place) -> Checkup:
    from adapters.telegram.checkup import checkup  # its library is slow to load
    from adapters.telegram.wire import PLATFORM

    return await checkup(settings, clock, _open_in(place, PLATFORM))


def _open_in(place: Place, platform: str) -> dict[str, str]:
    """What the table in each chat is called; none where the log cannot be read, which is told elsewhere."""
    try:
        with _looked_at(place) as log:
            of = {chat: table for table in log.tables() for at, chat in log.chats(table) if at == platform}
            return {chat: title_of(log, table) or table for chat, table in of.items()}
    except (LogUnusable, NotConfigured):
        return {}


async def _matrix(settings: Matrix, clock: Clock, _place: Place) -> Checkup:
    from adapters.matrix.checkup import checkup

    return await checkup(settings, clock)


CHECKUPS: Mapping[str, Callable[[Any, Clock, Place], Awaitable[Checkup]]] = {"telegram": _telegram, "matrix": _matrix}

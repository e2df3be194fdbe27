"""A log of SealDice (its standard JSON) taken in as a table of its own: its lines as talk, its rolls unproved.

    {"items": [{"nickname": "Ann", "IMUserId": "…", "uniformId": "QQ:…", "time": 1645000000, "message": "…",
                "isDice": false, "commandInfo": null}, …], "info": {"name": "…"}}

Here: items -> facts that say that nobody here can prove them. Never: dice read out of another program's text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import DecodeError, Struct, field
from msgspec.json import Decoder

from adapters.export.from_jsonl import Imported, NotImported
from core.dice.source import commitment
from core.grammar import spoken
from core.grammar.text import MAX_NAME
from core.table.verbs import MAX_TITLE
from events import chain, talk
from events.beside import Account, Beside, Said
from events.envelope import Head, Stored
from events.log import Conflict, EventLog
from events.types import Event, LineSpoken, TableOpened

GM = "you"  # who speaks in `play` unless somebody is named
MOST_BYTES = 2**26
PICTURE = re.compile(r"\[CQ:(\w+)[^\]]*\]")  # how a picture or a mention stands in a text from QQ
Entropy = Callable[[int], bytes]


class Item(Struct, frozen=True):
    """One line: `time` in seconds since 1970; `uniformId` is the account with its platform before a colon."""

    message: str
    nickname: str = ""
    account: str = field(name="IMUserId", default="")
    uniform: str = field(name="uniformId", default="")
    time: float = 0
    is_dice: bool = field(name="isDice", default=False)
    command_info: Any = field(name="commandInfo", default=None)


class Info(Struct, frozen=True):
    name: str = ""


class SealDiceLog(Struct, frozen=True):
    items: list[Item]
    info: Info = Info()


_read = Decoder(SealDiceLog).decode


def read(path: Path) -> SealDiceLog | None:
    """What is in the file; None if it is no such log."""
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES or not content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return None
    try:
        return _read(content.removeprefix(b"\xef\xbb\xbf"))
    except (DecodeError, RecursionError):
        return None


def import_into(log: EventLog, found: SealDiceLog, title: str, system: str, now: str, entropy: Entropy) -> Imported:
    """A new table with all of it, once: the same log gives the same table. NotImported: nothing was written.

    `now` is RFC 3339 in UTC, `entropy(n)` gives n random bytes.
    """
    kept = [one for one in found.items if spoken.kept(one.message)]
    if not kept:
        raise NotImported("There is no line in this file.")
    table = _table(kept)
    if log.head(table).seq:
        return Imported(table, log.head(table).seq, 0)
    people = [_person(log, one, entropy) for one in kept]
    seed, name = entropy(32), spoken.kept(found.info.name)[:MAX_TITLE]
    lines = [_line(one, entropy) for one in kept]
    acts: list[tuple[str, Event]] = [(GM, _opened(name or title, system, seed)), *zip(people, lines, strict=True)]
    sealed, texts = _sealed(table, now, acts)
    names = {person: _name(one) for person, one in zip(people, kept, strict=True)}
    try:
        log.append(table, 0, sealed, Beside(texts=tuple(texts), seed=(1, seed), names={GM: GM} | names))
    except Conflict as other:
        raise NotImported("Somebody is importing the same log just now; nothing was imported.") from other
    return Imported(table, len(sealed), len(sealed))


def _table(kept: list[Item]) -> str:
    """The table's id, by what is in the log."""
    seen = sha256()
    for one in kept:
        seen.update(f"{one.time}\0{one.uniform}\0{one.account}\0{one.message}\0".encode("utf-8", "replace"))
    return f"t{seen.hexdigest()[:12]}"


def _opened(title: str, system: str, seed: bytes) -> Event:
    return TableOpened(
        system=system, title=spoken.kept(title).replace("\n", " ")[:MAX_TITLE], gm=GM, language="zh", period=1,
        commitment=commitment(seed),
    )  # fmt: skip


def _person(log: EventLog, one: Item, entropy: Entropy) -> str:
    """Accounts lie beside the log, here too."""
    platform, _, account = (one.uniform or f"QQ:{one.account}").rpartition(":")
    return log.person(Account(platform.casefold() or "qq", account or one.nickname), f"p{entropy(8).hex()}")


def _name(one: Item) -> str:
    return " ".join(spoken.kept(one.nickname).split())[:MAX_NAME] or "?"


def _line(one: Item, entropy: Entropy) -> LineSpoken:
    text = spoken.kept(PICTURE.sub(r"[\1]", one.message)) or "…"
    salt = entropy(16).hex()
    return LineSpoken(
        character=_name(one), ooc=spoken.out_of_character(text), digest=talk.digest(salt, text), text=text, salt=salt,
        source="foreign", said_at=_at(one.time), roll=one.is_dice or one.command_info is not None,
    )  # fmt: skip


def _at(seconds: float) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):
        raise NotImported(f"A line has a time that is none ({seconds:g}); nothing was imported.") from None


def _sealed(table: str, now: str, acts: Sequence[tuple[str, Event]]) -> tuple[list[Stored], list[Said]]:
    head, sealed, texts = Head(), list[Stored](), list[Said]()
    for number, (person, event) in enumerate(acts, 1):
        new = chain.seal(head, table, now, person, f"sealdice:{number}", None, [talk.bare(event)])
        head, said = chain.head_of(new, head), talk.said_of(event, number, person)
        sealed += new
        texts += [said] if said else []
    return sealed, texts

"""A log of SealDice (its standard JSON) taken in as a table of its own: its lines as talk, its rolls unproved.

    {"items": [{"nickname": "Ann", "IMUserId": "…", "uniformId": "QQ:…", "time": 1645000000, "message": "…",
                "isDice": false, "commandInfo": null}, …], "info": {"name": "…"}}

Here: items -> facts that say that nobody here can prove them. Never: dice read out of another program's text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct

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
    """One line: `time` in seconds since 1970; `uniform` is the account with its platform before a colon."""

    message: str
    nickname: str
    account: str
    uniform: str
    time: float
    is_dice: bool


class SealDiceLog(Struct, frozen=True):
    """`left_out` counts items without a text, `undated` lines without a time, which have that of the line before."""

    items: list[Item]
    name: str
    left_out: int
    undated: int


def read(path: Path) -> SealDiceLog | None:
    """What can be taken of the file; None if it is no such log. NotImported: there is nothing in it to take."""
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES or not content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return None
    try:
        found = json.loads(_decoded(content))
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not isinstance(found.get("items"), list):
        return None
    return _understood(found)


def _decoded(content: bytes) -> str:
    """UTF-8, or what an editor on a Chinese Windows makes of it."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("gb18030")


def _understood(found: dict[str, Any]) -> SealDiceLog:
    """Other programs write such logs too, and people edit them: one odd item spoils no other."""
    kept = [one for one in found["items"] if isinstance(one, dict) and spoken.kept(_word(one.get("message")))]
    if not kept:
        raise NotImported("There is no line in this file.")
    items, undated, now = [], 0, 0.0
    for one in kept:
        time = _seconds(one.get("time"))
        undated += time is None
        now = now if time is None else time
        items.append(_item(one, now))
    info = found.get("info")
    name = _word(info.get("name")) if isinstance(info, dict) else ""
    return SealDiceLog(items, name, len(found["items"]) - len(kept), undated)


def _item(given: dict[str, Any], time: float) -> Item:
    """A player's command may have a `commandInfo` too, but is talk: `isDice` alone marks the bot's own lines."""
    return Item(
        _word(given.get("message")), _word(given.get("nickname")), spoken.kept(_word(given.get("IMUserId"))),
        spoken.kept(_word(given.get("uniformId"))), time, given.get("isDice") in (True, "true", "1"),
    )  # fmt: skip


def _word(value: object) -> str:
    """A text, or a number as one; anything else is none. Half a surrogate pair cannot be stored."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value).encode("utf-8", "replace").decode()


def _seconds(value: Any) -> float | None:
    """A time since 1970, from a number or a text; None: it is none."""
    try:
        seconds = _moment(value) if isinstance(value, str) else float(value)
        _at(seconds)
    except (TypeError, ValueError, OverflowError, OSError):
        return None
    return seconds


def _moment(text: str) -> float:
    """Seconds as digits, or a date and time, UTC unless it says otherwise."""
    try:
        return float(text)
    except ValueError:
        at = datetime.fromisoformat(text)
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()


def import_into(log: EventLog, found: SealDiceLog, title: str, system: str, now: str, entropy: Entropy) -> Imported:
    """A new table with all of it, once: the same log gives the same table. NotImported: nothing was written.

    `now` is RFC 3339 in UTC, `entropy(n)` gives n random bytes.
    """
    kept, table = found.items, _table(found.items)
    if log.head(table).seq:
        return Imported(table, log.head(table).seq, 0)
    people = [_person(log, one, entropy) for one in kept]
    seed, name = entropy(32), spoken.kept(found.name)[:MAX_TITLE]
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
        source="foreign", said_at=_at(one.time), roll=one.is_dice,
    )  # fmt: skip


def _at(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _sealed(table: str, now: str, acts: Sequence[tuple[str, Event]]) -> tuple[list[Stored], list[Said]]:
    head, sealed, texts = Head(), list[Stored](), list[Said]()
    for number, (person, event) in enumerate(acts, 1):
        new = chain.seal(head, table, now, person, f"sealdice:{number}", None, [talk.bare(event)])
        head, said = chain.head_of(new, head), talk.said_of(event, number, person)
        sealed += new
        texts += [said] if said else []
    return sealed, texts

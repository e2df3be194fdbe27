"""Lines of a terminal <-> messages and answers: pure, so that it can be tested without a terminal.

Here: who speaks in a line, what an answer looks like as text and as JSON. Never: reading, printing, the log.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.json import Encoder

from core.grammar.text import BIDI
from core.messages import Answer, Incoming
from events.beside import TABLE, Attached, Letter, MessageKey

PLATFORM = "terminal"
PREFIXES = "/!.。！．／｡"  # the four of the contract, and how full-width keyboards type them
MOST_NAME = 64  # characters of a name; more before a colon is a sentence
# A name ends at a full-width colon, or at a colon before a space, a command or the end: `see http://a` has none.
NAMED = re.compile(rf"([^:：]+)(?:：|:(?=\s|$|(?!//)[{re.escape(PREFIXES)}]))(.*)", re.DOTALL)

Named: TypeAlias = Callable[[Attached], dict[str, str]]  # name and media_type of the file that it would be
Kept: TypeAlias = Callable[[Letter], list[str]]  # where the file of a letter was put, if it has one

_write = Encoder().encode


class Spoken(Struct, frozen=True):
    """One line: who says what."""

    person: str
    text: str


def spoken(line: str, speaker: str) -> Spoken:
    """`name: text` as that person's; a line without a name, or one that begins with a command, as `speaker`'s."""
    line = line.strip().replace("\r", " ")
    named = None if line.startswith(tuple(PREFIXES)) else NAMED.fullmatch(line)
    name = person(named[1]) if named else ""
    if named is None or not name or len(name) > MOST_NAME:
        return Spoken(speaker, line)
    return Spoken(name, named[2].strip())


def person(name: str) -> str:
    """A name as typed, without what could steer a terminal; it is the person's id here too.

    Nobody is called `table`: letters to that name are for everybody.
    """
    shown = "".join(sign for sign in name if sign.isprintable()).strip()
    return f"{shown}_" if shown == TABLE else shown


def plain(text: str) -> str:
    """A line as it may go to a terminal: without what could steer it, or turn round the text beside it."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(sign for sign in text if sign == "\t" or not _steers(sign))


def _steers(sign: str) -> bool:
    return sign in BIDI or unicodedata.category(sign) in ("Cc", "Cs")


def decoded(line: bytes) -> str:
    """A line of input without its end; what is not UTF-8 becomes U+FFFD, a byte order mark goes."""
    return line.decode("utf-8", "replace").removeprefix("\ufeff").rstrip("\r\n")


def incoming(said: Spoken, chat: str, message: str) -> Incoming:
    """The line as a message; it takes all four prefixes, and there is no other bot here."""
    return Incoming(key=MessageKey(PLATFORM, chat, message), person=said.person, name=said.person, text=said.text)


def as_json(
    number: int, said: Spoken, answers: Sequence[Answer], name: Callable[[str], str], file: Named = lambda attached: {}
) -> bytes:
    """The one object of `play --json` for input line `number`, without a line end."""
    error = next((one.error for one in answers if one.error), None)
    heard = [] if error else answers
    return _write(
        {
            "line": number,
            "from": said.person,
            "text": said.text,
            "events": [event for one in heard for event in one.events],
            "replies": [_reply(letter, name, file) for one in heard for letter in one.letters],
            "error": {"code": error[0], "message": error[1]} if error else None,
        }
    )


def _reply(letter: Letter, name: Callable[[str], str], file: Named) -> dict[str, Any]:
    choices = [{"n": n, "label": label} for n, label in letter.choices]
    with_it = {"file": file(letter.attached)} if letter.attached else {}
    return {"to": _reader(letter, name), "text": letter.text, "choices": choices, **with_it}


def _reader(letter: Letter, name: Callable[[str], str]) -> str:
    return TABLE if letter.to == TABLE else name(letter.to)


def as_text(answers: Sequence[Answer], name: Callable[[str], str], kept: Kept = lambda letter: []) -> list[str]:
    """The answers as lines of text: refusals as their sentence, replies as `letter_lines`, then what `kept` says."""
    lines: list[str] = []
    for one in answers:
        replies = [text for letter in one.letters for text in (*letter_lines(letter, name), *kept(letter))]
        lines += [plain(one.error[1])] if one.error else replies
    return lines


def letter_lines(letter: Letter, name: Callable[[str], str]) -> list[str]:
    """One reply; each line of a private one says for whom it is, and choices that its text does not list follow."""
    mark = "" if letter.to == TABLE else f"[to {name(letter.to)}] "
    choices = [f"  {n}) {label}" for n, label in letter.choices if f"{n}) {label}" not in letter.text]
    return [plain(mark + text) for text in (*letter.text.split("\n"), *choices)]

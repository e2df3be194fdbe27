"""A transcript in the plain form that Chinese log painters read: a head of name, number and time, then the text.

    Ann(3021457789) 2026/11/30 05:00:00
    How cold it is.

    Rollbook(999999999) 2026/11/30 05:00:10
    🎲 ★Ann athletics: …

What people said stands under the character's or their own name. What the bot told stands under the bot's, so that a
painter can colour or hide it, and names itself who rolled. The number stands where such logs have an account: it
tells two people of one name apart, and is nobody's account.
Here: Heard -> lines. Never: what was heard (transcript.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from zlib import crc32

from adapters.export.extract import Extract
from adapters.export.transcript import Heard, heard
from adapters.export.words import TRANSCRIPT
from core.grammar.spoken import OPENING
from core.language import Language, line, say
from events.log import EventLog

LEAST_NUMBER = 10**9  # painters want five digits or more
BOT = f"Rollbook({LEAST_NUMBER - 1})"  # no person has this number
# A time in what somebody wrote could make its line a head, and put words into another's mouth.
TIME = re.compile(r"(\d{1,2}):(\d{1,2})(?=:\d{1,2})")


def lines(log: EventLog, extract: Extract, names: Mapping[str, str], speech: Language) -> Iterator[bytes]:
    """The file line by line, without line ends."""
    head = [say(line("zone", zone=extract.zone.name), speech, TRANSCRIPT)]
    for act in heard(log, extract, names):
        if text := _text(act, speech):
            if head:
                yield from _block(BOT, act.at, [head.pop()])
            yield from _block(_speaker(act), act.at, text)


def _speaker(act: Heard) -> str:
    return f"{_line(act.name)}({number(act.person)})" if act.talk else BOT


def _block(speaker: str, at: str, text: Iterable[str]) -> Iterator[bytes]:
    yield f"{speaker} {at[:19].replace('-', '/').replace('T', ' ')}".encode()
    yield from (_line(one).encode() for one in text)
    yield b""


def _text(act: Heard, speech: Language) -> tuple[str, ...]:
    if act.talk == "out_of_character":
        return _in_brackets("\n".join(act.lines))
    if act.by is None:
        return act.lines
    key = "undone" if act.lines else "left_out"
    return (*act.lines, say(line(key, seq=act.seq, by=act.by), speech, TRANSCRIPT))


def _in_brackets(text: str) -> tuple[str, ...]:
    """By brackets log painters know what is out of character."""
    text = text.removeprefix("//").lstrip()
    return tuple((text if text.startswith(OPENING) else f"（{text}）").split("\n"))


def _line(text: str) -> str:
    return TIME.sub(r"\1：\2", text)


def number(person: str) -> int:
    """Ten digits that are always the same for this person."""
    return LEAST_NUMBER + crc32(person.encode("utf-8", "replace"))

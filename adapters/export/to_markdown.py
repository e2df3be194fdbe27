"""A transcript in Markdown: a heading for each session, a block for each act. The recap stands before it, if wanted.

Here: Heard -> lines. Never: what was heard (transcript.py). What people wrote is text and never markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from adapters.export.extract import Extract
from adapters.export.transcript import Heard, heard, plain
from adapters.export.words import TRANSCRIPT
from core.language import Language, line, say
from events.log import EventLog

MARKUP = re.compile(r"([\\`*_\[\]<>&~|$#@])")
# What is markup at the beginning of a line alone.
BEGINS = re.compile(r"^(\s*)([-+=:]|\d+(?=[.)]))")
LINK = re.compile(r"(?i)(https?|ftp|mailto|xmpp|www)([:.])")  # some readers make links of these by themselves
BREAK = "  "


def lines(
    log: EventLog, extract: Extract, names: Mapping[str, str], speech: Language,
    *, title: str, recap: Sequence[str] = (),
) -> Iterator[bytes]:  # fmt: skip
    """The file line by line, without line ends. `recap` are lines of text."""
    head = [f"# {escaped(title)}", "", *(f"{escaped(one)}{BREAK}" for one in recap), *([""] if recap else [])]
    yield from (one.encode() for one in (*head, f"*{_say('zone', speech, zone=escaped(extract.zone.name))}*", ""))
    titles, session = extract.sessions(log), -1
    for act in heard(log, extract, names):
        if (act.session or 0) != session:
            session = act.session or 0
            yield from (one.encode() for one in (f"## {_heading(session, titles, speech)}", ""))
        yield from (one.encode() for one in _block(act, speech))


def _heading(session: int, titles: Mapping[int, str], speech: Language) -> str:
    if not session:
        return _say("between", speech)
    title = plain(titles.get(session, ""))
    if not title:
        return _say("session", speech, number=session)
    return _say("session_titled", speech, number=session, title=escaped(title))


def _block(act: Heard, speech: Language) -> Iterator[str]:
    """Number, time and name, then what was heard, each line on its own; struck through where it was taken back."""
    if act.by is not None and not act.lines:
        yield from (f"*{_say('left_out', speech, seq=act.seq, by=act.by)}*", "")
    elif act.lines:
        mark = "" if act.by is None else f" *{_say('undone', speech, by=act.by)}*"
        mark += f" *{_say('out_of_character', speech)}*" if act.talk == "out_of_character" else ""
        yield f"**{escaped(act.name)}** · {act.seq} · {act.at[11:19]}{mark}{BREAK}"
        yield from (f"{_struck(escaped(one), act.by)}{BREAK}" for one in act.lines if one.strip())
        yield ""


def _struck(text: str, by: int | None) -> str:
    return text if by is None else f"~~{text}~~"


def _say(key: str, speech: Language, **facts: object) -> str:
    return say(line(key, **facts), speech, TRANSCRIPT)


def escaped(text: str) -> str:
    """Text as itself: no markup, no link, no mention."""
    text = LINK.sub(r"\1\\\2", MARKUP.sub(r"\\\1", text.strip()))
    return BEGINS.sub(lambda found: f"{found[1]}{_shown(found[2])}", text)


def _shown(begin: str) -> str:
    return f"{begin}\\" if begin[-1].isdigit() else f"\\{begin}"

"""A record as its readers heard it: each act with the lines that the chat was told.

Here: acts -> lines of text, by the core's own tellers, so that a transcript says what the chat said and knows no
more than it. Never: the form of a file.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import UNSET, Struct

from adapters.export.extract import Extract
from core.evolve import Table, replay
from core.grammar.text import BIDI
from core.language import Language, language, line, say
from core.render import letters
from core.secrecy import HIDDEN
from core.telling import hidden_roll
from core.vocabulary import phrase_book
from core.zones import Zone
from events.envelope import Envelope
from events.log import EventLog
from events.types import LineSpoken


class Heard(Struct, frozen=True):
    """One act: its place, time, session, who did it, what was heard. `by` took it back; `person` is an opaque id.

    `at` is by the clock of the extract: RFC 3339, with the offset from UTC.

    `talk`: somebody said it, as the character `name`, in character or out of it.
    """

    seq: int
    at: str
    session: int | None
    person: str
    name: str
    lines: tuple[str, ...]
    by: int | None = None
    talk: Literal["", "in_character", "out_of_character"] = ""


def heard(log: EventLog, extract: Extract, names: Mapping[str, str]) -> Iterator[Heard]:
    """The acts of an extract. What was taken back has no lines unless the extract shows it."""
    table, asked_for = Table(extract.table), extract.part(log)
    for act in extract.acts(log):
        before, table = table, replay(table, act.envelopes)
        first = act.envelopes[0]
        if not asked_for(first):
            continue
        if all(isinstance(one.data, LineSpoken) for one in act.envelopes):
            speech = language(table.play.language)
            yield from (_said(one, names, speech, extract.zone) for one in act.envelopes)
            continue
        left_out = act.by is not None and not extract.undone
        lines = () if left_out else told(act.envelopes, before, table, names, extract)
        name = plain(names.get(first.actor, first.actor))
        yield Heard(first.seq, extract.zone.local(first.at), first.session, first.actor, name, lines, act.by)


def _said(one: Envelope, names: Mapping[str, str], speech: Language, zone: Zone) -> Heard:
    name, lines, ooc = said(one, names, speech)
    talk: Literal["in_character", "out_of_character"] = "out_of_character" if ooc else "in_character"
    at = zone.local(said_at(one))
    return Heard(one.seq, at, one.session, one.actor, name, lines, talk=talk)


def said_at(one: Envelope) -> str:
    """When it was said, as another program's log has it; else when it was recorded."""
    at = getattr(one.data, "said_at", UNSET)
    return at if isinstance(at, str) else one.at


def said(one: Envelope, names: Mapping[str, str], speech: Language) -> tuple[str, tuple[str, ...], bool]:
    """A line of talk: who is heard to say it, its lines, whether it is out of character."""
    line_spoken = one.data if isinstance(one.data, LineSpoken) else LineSpoken()
    gone = say(line("talk.gone"), speech, phrase_book(""))
    text = line_spoken.text if isinstance(line_spoken.text, str) else gone
    if line_spoken.source == "foreign" and line_spoken.roll is True:
        text = say(line("talk.foreign", text=text), speech, phrase_book(""))
    name = line_spoken.character or names.get(one.actor, one.actor)
    return plain(name), tuple(map(plain, text.split("\n"))), line_spoken.ooc


def told(
    act: Sequence[Envelope], before: Table, after: Table, names: Mapping[str, str], extract: Extract
) -> tuple[str, ...]:
    """What everybody heard of an act, and what was said in private if these eyes may see it, a line each."""
    events = [one.data for one in act]
    roll = hidden_roll(events, before.acts, before.ledger)
    seen = extract.eyes != "player" and (roll is None or roll.secret not in HIDDEN[extract.eyes])
    public, *private = letters.of_events(events, before, after, names, act[0].actor)
    shown = (public, *private[:1]) if seen else (public,)
    return tuple(plain(text) for letter in shown for text in letter.text.split("\n"))


def plain(text: str) -> str:
    """A line without what could steer a reader's screen, or turn round the text beside it."""
    return "".join(sign for sign in text if sign not in BIDI and unicodedata.category(sign) not in ("Cc", "Cs"))

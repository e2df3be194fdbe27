"""A session played again from its log alone, act by act, with the state that each left.

Here: acts -> steps of text; it rolls no die and needs no seed. Never: printing, waiting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import groupby
from typing import Literal, TypeAlias

from msgspec import Struct

from adapters.export.words import TRANSCRIPT
from adapters.terminal.wire import plain
from adapters.terminal.words import POOL, STATE
from core.evolve import Table, replay
from core.language import Language, language, say
from core.render import letters
from core.telling import called, hidden_roll
from core.zones import UTC, Zone
from events import talk
from events.codec import decode
from events.envelope import Envelope
from events.log import EventLog
from events.types import Event, Undone

Role: TypeAlias = Literal["player", "gm", "audit"]
OPEN: dict[Role, tuple[str | None, ...]] = {"player": (), "gm": ("both", "gm"), "audit": ("both", "gm", "me")}
UNTOLD = ("out", "drawn")  # the cards in hand say it
MOST_LISTED = 8  # entries of a list of state worth reading at a glance


class Step(Struct, frozen=True):
    """One act: its place, time and actor, the lines that were heard, the state that changed, who took it back."""

    seq: int
    at: str
    actor: str
    heard: tuple[str, ...]
    changed: tuple[str, ...]
    undone: str = ""


def steps(
    log: EventLog, table: str, role: Role = "player", session: int | None = None, to: int | None = None,
    speech: Language = "en", zone: Zone = UTC,
) -> Iterator[Step]:  # fmt: skip
    """The acts of a table, or of one session of it, up to that of event `to`, by this clock.

    Somebody may be playing on meanwhile.
    """
    end = end_of_act(log, table, to)
    undone = _taken_back(map(decode, log.read(table, to=end)))
    names, before = called(log.names(), speech), Table(table)
    found = talk.recorded(log, table, to=end) if role == "audit" else talk.latest(log, table, end)
    for _, group in groupby(found, key=lambda one: one.cause):
        act = tuple(group)
        after = replay(before, act)
        if session in (None, act[0].session):
            yield _step(act, before, after, names, role, undone, zone)
        before = after


def end_of_act(log: EventLog, table: str, to: int | None) -> int:
    """The last event of the act that `to` belongs to: an act is heard as a whole, and half of it was never told."""
    end = log.head(table).seq
    if to is None or to >= end:
        return end
    causes = ((one.seq, decode(one).cause) for one in log.read(table, after=to - 1, to=end))
    _, cause = next(causes, (to, ""))
    return next((seq - 1 for seq, other in causes if other != cause), end)


def _taken_back(envelopes: Iterable[Envelope]) -> dict[int, int]:
    """First seq of an act -> seq of what took it back."""
    return {one.data.event: one.seq for one in envelopes if isinstance(one.data, Undone)}


def _step(
    act: tuple[Envelope, ...], before: Table, after: Table, names: Mapping[str, str], role: Role,
    undone: dict[int, int], zone: Zone,
) -> Step:  # fmt: skip
    first, speech = act[0], language(after.play.language)
    by, events = undone.get(first.seq), [one.data for one in act]
    roll = hidden_roll(events, before.acts, before.ledger)
    open_to_us = roll is None or roll.secret in OPEN[role]
    public, *private = letters.of_events(events, before, after, names, first.actor)
    heard = (public, *private[:1]) if open_to_us else (public,)
    changed = _changed(before.play.rules, after.play.rules, names, speech) if open_to_us else ()
    return Step(
        first.seq, plain(zone.local(first.at)), plain(names.get(first.actor, first.actor)),
        tuple(plain(text) for letter in heard for text in letter.text.split("\n")), tuple(map(plain, changed)),
        say(TRANSCRIPT["undone"], speech, {}).format(by=by) if by else "",
    )  # fmt: skip


# ---- state


def _changed(before: object, after: object, names: Mapping[str, str], speech: Language) -> Iterator[str]:
    """`Bennies Ann: 3 → 2` for each small part of a rule system's state that is another than before."""
    old, new = dict(_parts(before)), dict(_parts(after))
    for part in dict.fromkeys((*old, *new)):
        was, now = _value(old.get(part)), _value(new.get(part))
        if was != now:
            called = " ".join(filter(None, (_called(part[0], speech), _whose(part, names, speech))))
            yield f"{called}: {was} → {now}"


def _whose(part: tuple[str, str], names: Mapping[str, str], speech: Language) -> str:
    return say(POOL, speech, {}) if part == ("bennies", "pool") else names.get(part[1], part[1])


def _called(field: str, speech: Language) -> str:
    return say(STATE.get(field, field), speech, STATE)


def _parts(state: object) -> Iterator[tuple[tuple[str, str], object]]:
    """(field, key) -> value, for what can be read at a glance: rolls and other records are told as events."""
    if not isinstance(state, Struct):
        return
    for field in (one for one in state.__struct_fields__ if one not in UNTOLD):
        value = getattr(state, field)
        if isinstance(value, dict):
            yield from (((field, str(key)), one) for key, one in value.items() if _short(one))
        elif isinstance(value, Struct) and not isinstance(value, Event):
            yield from _parts(value)
        elif _short(value):
            yield (field, ""), value


def _short(value: object) -> bool:
    if isinstance(value, tuple | frozenset):
        return len(value) <= MOST_LISTED and all(isinstance(one, str) for one in value)
    return isinstance(value, str | int)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "✓" if value else "–"
    if isinstance(value, tuple | frozenset):
        value = ", ".join(sorted(value) if isinstance(value, frozenset) else value)
    return "–" if value in (None, "") else str(value)


def seconds_between(one: Step, other: Step) -> float:
    """The time that went by between two steps, never less than none."""
    try:
        gap = datetime.fromisoformat(other.at) - datetime.fromisoformat(one.at)
    except (ValueError, TypeError):  # a time that is none, or one without a zone: only in a log that others wrote
        return 0.0
    return max(0.0, gap.total_seconds())

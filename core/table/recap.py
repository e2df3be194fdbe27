"""What a session came to: who did what, the best and the worst roll, what has changed, what is open.

Here: facts of the record -> Lines, in the words in which the table heard them. Never: a secret, what was taken back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from core.evolve import Table, evolve_play, replay
from core.language import Line, line
from core.record import Act, Record, acts
from core.stats import CRITICAL, SUCCESSES, Figures, Tally, figures
from core.table.state import Play
from core.table.tell import session_name
from core.telling import View, tell, view_of
from core.zones import UTC, Zone
from events import types as e

MOST = 8  # lines of one kind
Key: TypeAlias = tuple[str, ...]  # what a fact is about: a later one about the same takes its place


class Noted(Struct, frozen=True):
    """A fact worth telling again, and the play and the view in which it is told."""

    event: e.Event
    before: Play
    view: View

    def told(self) -> list[Line]:
        return tell([self.event], self.before, self.view)


class _Session(Struct):
    """What is gathered while the record is read: the state that facts have left, what they left open, and the rolls."""

    began: str = ""
    ended: str = ""
    title: Line | str = ""
    changed: dict[Key, Noted] = {}
    open: dict[Key, Noted] = {}
    best: Noted | None = None
    worst: Noted | None = None


def recap(
    record: Record, table: str, names: Mapping[str, str], session: int | None, zone: Zone = UTC
) -> list[Line]:
    """A session of this table, or all of its record, by this clock; nothing that is still secret."""
    found, now, shut = _Session(), Table(table), set[int]()
    for act in acts(record):
        before, now = now, replay(now, act.envelopes)
        if act.hidden:
            shut |= {one.data.choice for one in act.envelopes if isinstance(one.data, e.ChoiceOffered)}
        elif session in (None, act.envelopes[0].session):
            _gather(found, act, before.play, view_of(now, names))
    counted, view = figures(record, session), view_of(now, names)
    latest = session in (None, *(one.number for one in now.ledger.sessions[-1:]))
    open_now = _choices(view, shut) if latest else []
    return [
        _head(found, counted, zone),
        *(tally_row(one, view) for one in counted.by[:MOST]),
        *_extremes(found),
        *_section(line("recap.changed"), _told(found.changed)),
        *_section(line("recap.open"), [*_told(found.open), *open_now]),
    ]


def _gather(found: _Session, act: Act, play: Play, view: View) -> None:
    found.began, found.ended = found.began or act.envelopes[0].at, act.envelopes[0].at
    for one in act.envelopes:
        if act.by is None:
            _note(found, Noted(one.data, play, view))
        play = evolve_play(play, one.data)


def _note(found: _Session, noted: Noted) -> None:
    event = noted.event
    if isinstance(event, e.SessionStarted):
        found.title = session_name(event.number, event.title)
    if isinstance(event, e.RollMade):
        _note_roll(found, noted, event)
    if key := _state(event):
        _put(found.changed, key, noted, stands=_stands(event))
    if key := _business(event):
        _put(found.open, key, noted, stands=_unfinished(event))


def _put(where: dict[Key, Noted], key: Key, noted: Noted, *, stands: bool) -> None:
    where.pop(key, None)
    if stands:
        where[key] = noted


def _note_roll(found: _Session, noted: Noted, event: e.RollMade) -> None:
    """The best success and the worst failure of all rolls that were decided; the first of equals."""
    if event.outcome in SUCCESSES and (found.best is None or _merit(event) > _merit(found.best.event)):
        found.best = noted
    failed = event.outcome and event.outcome not in SUCCESSES
    if failed and (found.worst is None or _merit(event) < _merit(found.worst.event)):
        found.worst = noted


def _merit(event: Any) -> tuple[int, int, int]:
    """How well a roll came out: its outcome, its raises, how far it is above its target."""
    rank = {"exceptional": 2, "strong_hit": 2, "weak_hit": 0, "success": 1}.get(event.outcome, -1)
    return (-2 if event.outcome in CRITICAL else rank, event.raises or 0, event.total - (event.target or 0))


# ---- which facts leave something behind


def _state(event: e.Event) -> Key:
    """What state of whom a fact is about; empty: of nobody's."""
    match event:
        case e.ConditionMarked() | e.ConditionCleared():
            return ("condition", event.character, event.condition)
        case e.WoundsChanged() | e.ShakenChanged() | e.HpChanged() | e.LevelGained() | e.XpMarked():
            return (type(event).__name__, event.character)
        case e.DepthChanged():
            return ("depth", event.character, event.other)
    return ()


def _stands(event: e.Event) -> bool:
    match event:
        case e.ConditionCleared() | e.WoundsChanged(wounds=0, incapacitated=False) | e.ShakenChanged(shaken=False):
            return False
    return True


def _business(event: e.Event) -> Key:
    """Which longer undertaking a fact is about; empty: none."""
    match event:
        case e.ExtendedStarted() | e.ExtendedProgress() | e.ExtendedRetried():
            return ("extended", event.action)
        case e.ContestOpened() | e.ContestResolved():
            return ("contest", event.contest)
        case e.RitualStarted() | e.RitualCompleted():
            return ("ritual", event.ritual)
    return ()


def _unfinished(event: e.Event) -> bool:
    ended = isinstance(event, e.ContestResolved | e.RitualCompleted)
    return not ended and not (isinstance(event, e.ExtendedProgress) and event.status != "running")


# ---- lines


def _head(found: _Session, counted: Figures, zone: Zone) -> Line:
    title = found.title or line("recap.all")
    times = {"began": zone.minute(found.began), "ended": zone.minute(found.ended), "zone": zone.name}
    if not counted.total.rolls:
        return line("recap.title_alone", session=title, **times)
    return line("recap.title", session=title, rolls=counted.total.rolls, **times)


def _extremes(found: _Session) -> list[Line]:
    best = [line("recap.best", roll=found.best.told()[0])] if found.best else []
    return [*best, line("recap.worst", roll=found.worst.told()[0])] if found.worst else best


def _told(noted: Mapping[Key, Noted]) -> list[Line]:
    return [told for one in noted.values() for told in one.told()[:1]]


def _choices(view: View, shut: set[int]) -> list[Line]:
    offered = (one for one in view.play.choices.values() if one.open and one.number not in shut)
    return [line("choice.offered", number=one.number, owner=view.person(one.owner)) for one in offered]


def _section(heading: Line, told: list[Line]) -> list[Line]:
    """What was told last, under its heading; of more than there is room for, how many."""
    if not told:
        return []
    left = [line("recap.more", count=len(told) - MOST)] if len(told) > MOST else []
    return [heading, *told[-MOST:], *left]


def tally_row(tally: Tally, view: View) -> Line:
    """One person's figures on one line."""
    decided = line("stats.decided", **_outcomes(tally)) if tally.decided else ""
    bennies = line("stats.bennies", awarded=tally.awarded, spent=tally.spent) if tally.awarded or tally.spent else ""
    name = line("stats.pool") if tally.who == "pool" else view.name(tally.who)
    return line("stats.row", name=name, rolls=tally.rolls, decided=decided, bennies=bennies)


def _outcomes(tally: Tally) -> dict[str, int]:
    return {"successes": tally.successes, "decided": tally.decided, "critical": tally.critical}

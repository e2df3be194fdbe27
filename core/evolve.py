"""The state of a table, and the table after one more event.

Here: what is never taken back (Ledger), what an undo gives back (Play), and how an undo is carried out.
Never: a decision, a rule, dice, a refusal. A replay is `reduce(evolve, envelopes, Table(id))`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from core.registry import rooms
from core.table.state import Play
from events import types as e
from events.envelope import Envelope

TALK = (e.LineSpoken, e.LineEdited, e.LineDeleted)  # is no act: nothing is built on it and nothing takes it back
MAX_ACTS = 200  # acts that an undo can reach back over


class Act(Struct, frozen=True):
    """All events of one command: seqs `first` to `last`, who did it, the play before it, whether it was taken back."""

    first: int
    last: int
    actor: str
    cause: str
    at: str
    events: tuple[e.Event, ...]
    before: Play
    undone: bool = False


class PastSession(Struct, frozen=True):
    """A session in the record: seqs from `first`; `last` is null while it runs."""

    number: int
    title: str
    first: int
    at: str
    last: int | None = None


class TalkLog(Struct, frozen=True):
    """A log of the table's talk: opened `at`, kept `since` it was last asked for; `lines` were said so far."""

    number: int
    name: str
    at: str
    since: str
    status: Literal["running", "paused", "ended"] = "running"
    lines: int = 0


class Ledger(Struct, frozen=True):
    """What no undo touches: the chain's head, the dice used, the seed period, counters, secret rolls still sealed.

    `current` is the number of the log of talk that runs, or is paused and goes on when asked; 0: none.
    """

    seq: int = 0
    head: str = "0" * 64
    roll: int = 0
    choice: int = 0
    period: int = 0
    commitment: str = ""
    next_die: int = 0
    luck: tuple[str, ...] = ()
    sealed: tuple[e.RollMade, ...] = ()
    sessions: tuple[PastSession, ...] = ()
    logs: tuple[TalkLog, ...] = ()
    current: int = 0
    forgotten: tuple[str, ...] = ()

    @property
    def log(self) -> TalkLog | None:
        return self.logs[self.current - 1] if 0 < self.current <= len(self.logs) else None


class Table(Struct, frozen=True):
    """A table as a replay of its log gives it."""

    id: str
    ledger: Ledger = Ledger()
    play: Play = Play()
    acts: tuple[Act, ...] = ()

    @property
    def opened(self) -> bool:
        return self.ledger.seq > 0


def evolve(table: Table, envelope: Envelope) -> Table:
    """The table after this event. Total: it decides nothing and refuses nothing."""
    event = envelope.data
    ledger = _ledger(table.ledger, envelope, event)
    if isinstance(event, TALK):
        return replace(table, ledger=ledger)
    acts = _acts(table, envelope, event)
    if isinstance(event, e.Undone):
        return _undo(Table(table.id, ledger, table.play, acts), event.event)
    return Table(table.id, ledger, evolve_play(table.play, event), acts)


def evolve_play(play: Play, event: e.Event) -> Play:
    """What the table and its rule system make of one fact."""
    table_room, *_ = rooms("", "state")
    after: Play = table_room.evolve(play, event)
    for system in rooms(after.system, "state")[1:]:
        after = replace(after, rules=system.evolve(after.rules, event, after))
    return after


def replay(table: Table, envelopes: Iterable[Envelope]) -> Table:
    for envelope in envelopes:
        table = evolve(table, envelope)
    return table


def _acts(table: Table, envelope: Envelope, event: e.Event) -> tuple[Act, ...]:
    """The list of acts with this event in it: events of one cause are one act."""
    last = table.acts[-1] if table.acts else None
    if last and last.cause == envelope.cause and last.last == envelope.seq - 1:
        return (*table.acts[:-1], replace(last, last=envelope.seq, events=(*last.events, event)))
    act = Act(envelope.seq, envelope.seq, envelope.actor, envelope.cause, envelope.at, (event,), table.play)
    return (*table.acts[-MAX_ACTS + 1 :], act)


def _undo(table: Table, first: int) -> Table:
    """Play as if the act had not been: from before it, all later acts that still stand are laid on again."""
    place = next((n for n, act in enumerate(table.acts) if act.first == first), None)
    if place is None:
        return table
    play, acts = table.acts[place].before, list(table.acts[:place])
    for n, act in enumerate(table.acts[place:]):
        undone = act.undone or n == 0
        acts.append(replace(act, before=act.before if act.undone else play, undone=undone))
        if not undone:
            for event in act.events:
                play = evolve_play(play, event)
    return replace(table, play=play, acts=tuple(acts))


def _ledger(ledger: Ledger, envelope: Envelope, event: e.Event) -> Ledger:
    ledger = replace(ledger, seq=envelope.seq, head=envelope.hash)
    match event:
        case e.TableOpened() | e.PeriodOpened():
            return _period(ledger, event.period, event.commitment)
        case e.SessionStarted():
            past = PastSession(event.number, event.title, envelope.seq, envelope.at)
            return replace(_period(ledger, event.period, event.commitment), sessions=(*ledger.sessions, past))
        case e.SessionEnded():
            ended = replace(ledger.sessions[-1], last=envelope.seq)
            return replace(ledger, sessions=(*ledger.sessions[:-1], ended))
        case e.LuckAdded():
            return replace(ledger, luck=(*ledger.luck, event.text))
        case e.SeedRevealed():
            return replace(ledger, sealed=())
        case e.ChoiceOffered():
            return replace(ledger, choice=event.choice)
        case e.RollMade() | e.CardDealt():
            return _thrown(ledger, event)
        case e.PersonForgotten():
            return replace(ledger, forgotten=(*ledger.forgotten, event.person))
    return _talked(ledger, envelope, event)


def _talked(ledger: Ledger, envelope: Envelope, event: e.Event) -> Ledger:
    match event:
        case e.LogOpened():
            opened = TalkLog(len(ledger.logs) + 1, event.name, envelope.at, envelope.at)
            return replace(ledger, logs=(*ledger.logs, opened), current=opened.number)
        case e.LogResumed():
            return _logged(replace(ledger, current=event.number), status="running", since=envelope.at)
        case e.LogPaused():
            return _logged(ledger, status="paused")
        case e.LogEnded():
            return replace(_logged(ledger, status="ended"), current=0)
        case e.LineSpoken() if log := ledger.log:
            return _logged(ledger, lines=log.lines + 1)
    return ledger


def _logged(ledger: Ledger, **changes: Any) -> Ledger:
    """The current log with these changes."""
    if ledger.log is None:
        return ledger
    logs = (*ledger.logs[: ledger.current - 1], replace(ledger.log, **changes), *ledger.logs[ledger.current :])
    return replace(ledger, logs=logs)


def _period(ledger: Ledger, period: int, commitment: str) -> Ledger:
    return replace(ledger, period=period, commitment=commitment, next_die=0, luck=())


def _thrown(ledger: Ledger, event: e.RollMade | e.CardDealt) -> Ledger:
    if isinstance(event, e.RollMade):
        sealed = (*ledger.sealed, event) if event.secret else ledger.sealed
        ledger = replace(ledger, roll=event.roll, sealed=sealed)
    return ledger if event.next is None else replace(ledger, next_die=event.next)

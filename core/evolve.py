"""The state of a table, and the table after one more event.

Here: what is never taken back (Ledger), what an undo gives back (Play), and how an undo is carried out.
Never: a decision, a rule, dice, a refusal. A replay is `reduce(evolve, envelopes, Table(id))`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from core.registry import SYSTEMS, room
from core.table import state
from core.table.state import Play
from events import types as e
from events.envelope import Envelope

TALK = frozenset(
    {e.LineSpoken, e.LineEdited, e.LineDeleted}
)  # is no act: nothing is built on it and nothing takes it back
OF_LOGS = frozenset({e.LogOpened, e.LogResumed, e.LogPaused, e.LogEnded})
MAX_ACTS = 200  # acts that an undo can reach back over


class Act(Struct, frozen=True, gc=False):
    """All events of one command: seqs `first` to `last`, who did it, the play before it, whether it was taken back."""

    first: int
    last: int
    actor: str
    cause: str
    at: str
    events: tuple[e.Event, ...]
    before: Play
    undone: bool = False


class PastSession(Struct, frozen=True, gc=False):
    """A session in the record: seqs from `first`; `last` is null while it runs."""

    number: int
    title: str
    first: int
    at: str
    last: int | None = None


class TalkLog(Struct, frozen=True, gc=False):
    """A log of the table's talk: opened `at`, kept `since` it was last asked for; `lines` were said so far."""

    number: int
    name: str
    at: str
    since: str
    status: Literal["running", "paused", "ended"] = "running"
    lines: int = 0


class Ledger(Struct, frozen=True, gc=False):
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


class Table(Struct, frozen=True, gc=False):
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
    return replay(table, (envelope,))


def evolve_play(play: Play, event: e.Event) -> Play:
    """What the table and its rule system make of one fact."""
    if step := state.EVOLVE.get(type(event)):
        play = step(play, event)
    if evolve_rules := _evolve_rules(play.system):
        rules = evolve_rules(play.rules, event, play)
        if rules is not play.rules:
            play = replace(play, rules=rules)
    return play


@cache
def _evolve_rules(system: str) -> Callable[[Any, e.Event, Play], Any] | None:
    """What a rule system makes of a fact: its part of the table, the fact, the table after it; None: there is none."""
    return room(system, "state").evolve if system in SYSTEMS else None


def replay(table: Table, envelopes: Iterable[Envelope]) -> Table:
    """`reduce(evolve, envelopes, table)`, quicker by what it does not make anew for each event."""
    ledger, play, acts, last, said = table.ledger, table.play, deque(table.acts, MAX_ACTS), None, 0
    for last in envelopes:
        event, kind = last.data, type(last.data)
        if kind is e.LineSpoken:
            said += 1
            continue
        if step := LEDGER.get(kind):
            if said and kind in OF_LOGS:
                ledger, said = _said(ledger, said), 0
            ledger = step(ledger, event, last)
        if kind in TALK:
            continue
        _enter(acts, play, last)
        if isinstance(event, e.Undone):
            table = _undo(Table(table.id, ledger, play, tuple(acts)), event.event)
            play, acts = table.play, deque(table.acts, MAX_ACTS)
        else:
            play = evolve_play(play, event)
    return table if last is None else Table(table.id, _behind(_said(ledger, said), last), play, tuple(acts))


def _enter(acts: deque[Act], play: Play, envelope: Envelope) -> None:
    """The event in the list of acts: events of one cause are one act."""
    last = acts[-1] if acts else None
    if last and last.cause == envelope.cause and last.last == envelope.seq - 1:
        acts[-1] = replace(last, last=envelope.seq, events=(*last.events, envelope.data))
    else:
        seq = envelope.seq
        acts.append(Act(seq, seq, envelope.actor, envelope.cause, envelope.at, (envelope.data,), play))


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


def _behind(ledger: Ledger, envelope: Envelope) -> Ledger:
    return replace(ledger, seq=envelope.seq, head=envelope.hash)


def _period(ledger: Ledger, event: e.TableOpened | e.PeriodOpened, envelope: Envelope) -> Ledger:
    return replace(ledger, period=event.period, commitment=event.commitment, next_die=0, luck=())


def _started(ledger: Ledger, event: e.SessionStarted, envelope: Envelope) -> Ledger:
    past = PastSession(event.number, event.title, envelope.seq, envelope.at)
    sessions = (*ledger.sessions, past)
    return replace(
        ledger, period=event.period, commitment=event.commitment, next_die=0, luck=(), sessions=sessions
    )  # fmt: skip


def _ended(ledger: Ledger, event: e.SessionEnded, envelope: Envelope) -> Ledger:
    ended = replace(ledger.sessions[-1], last=envelope.seq)
    return replace(ledger, sessions=(*ledger.sessions[:-1], ended))


def _rolled(ledger: Ledger, event: e.RollMade, envelope: Envelope) -> Ledger:
    sealed = (*ledger.sealed, event) if event.secret else ledger.sealed
    next_die = ledger.next_die if event.next is None else event.next
    return replace(ledger, roll=event.roll, sealed=sealed, next_die=next_die)


def _dealt(ledger: Ledger, event: e.CardDealt, envelope: Envelope) -> Ledger:
    return ledger if event.next is None else replace(ledger, next_die=event.next)


def _log_opened(ledger: Ledger, event: e.LogOpened, envelope: Envelope) -> Ledger:
    opened = TalkLog(len(ledger.logs) + 1, event.name, envelope.at, envelope.at)
    return replace(ledger, logs=(*ledger.logs, opened), current=opened.number)


def _log_resumed(ledger: Ledger, event: e.LogResumed, envelope: Envelope) -> Ledger:
    return _logged(replace(ledger, current=event.number), status="running", since=envelope.at)


def _said(ledger: Ledger, lines: int) -> Ledger:
    """So many lines more in the current log; a replay lays them on together."""
    log = ledger.log if lines else None
    return ledger if log is None else _logged(ledger, lines=log.lines + lines)


def _logged(ledger: Ledger, **changes: Any) -> Ledger:
    """The current log with these changes."""
    if ledger.log is None:
        return ledger
    logs = (*ledger.logs[: ledger.current - 1], replace(ledger.log, **changes), *ledger.logs[ledger.current :])
    return replace(ledger, logs=logs)


LEDGER: dict[type[e.Event], Callable[[Ledger, Any, Envelope], Ledger]] = {
    e.TableOpened: _period,
    e.PeriodOpened: _period,
    e.SessionStarted: _started,
    e.SessionEnded: _ended,
    e.LuckAdded: lambda ledger, event, envelope: replace(ledger, luck=(*ledger.luck, event.text)),
    e.SeedRevealed: lambda ledger, event, envelope: replace(ledger, sealed=()),
    e.ChoiceOffered: lambda ledger, event, envelope: replace(ledger, choice=event.choice),
    e.RollMade: _rolled,
    e.CardDealt: _dealt,
    e.PersonForgotten: lambda ledger, event, envelope: replace(ledger, forgotten=(*ledger.forgotten, event.person)),
    e.LogOpened: _log_opened,
    e.LogResumed: _log_resumed,
    e.LogPaused: lambda ledger, event, envelope: _logged(ledger, status="paused"),
    e.LogEnded: lambda ledger, event, envelope: replace(_logged(ledger, status="ended"), current=0),
}

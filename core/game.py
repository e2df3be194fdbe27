"""The game: `decide(command, turn) -> events` and `evolve(table, event) -> table`. Start reading here.

Here: which room decides a command, and what follows from its events. Never: a rule, a sentence, storage.
    history => command => events: `decide` looks at the table as `evolve` left it and answers with facts or a Refusal.
"""

from __future__ import annotations

from functools import cache

from core.decider import Turn
from core.evolve import Table, evolve, replay
from core.grammar.verb import Command, Question
from core.language import Line
from core.registry import rooms
from core.telling import Reply
from events.types import Event, TableOpened

__all__ = ["Table", "answer", "decide", "evolve", "replay"]


def decide(command: Command, turn: Turn) -> list[Event]:
    """The facts that the command makes true, in order; or a Refusal, and then none."""
    room = next(room for room in reversed(rooms(turn.play.system, "decide")) if type(command) in room.DECIDE)
    events: list[Event] = room.DECIDE[type(command)](command, turn)
    return [*events, *_consequences(events, turn)]


def _consequences(events: list[Event], turn: Turn) -> list[Event]:
    """What a rule system adds to facts of the table: Bennies when a session starts (SW-17, SW-20)."""
    if not any(type(event) in _followed(turn.play.system) for event in events):
        return []
    after = turn.after(events)
    found: list[Event] = []
    for room in rooms(after.play.system, "decide")[1:]:
        for event in events:
            if follow := room.FOLLOWS.get(type(event)):
                found += follow(event, after.after(found))
    return found


@cache
def _followed(system: str) -> frozenset[type[Event]]:
    """The facts that another may follow; a table's first, since it says which system the others are of."""
    return frozenset({TableOpened, *(kind for room in rooms(system, "decide")[1:] for kind in room.FOLLOWS)})


def answer(question: Question, turn: Turn) -> list[Line]:
    """What is told to somebody who asks; nothing is recorded."""
    return list(reply(question, turn).lines)


def reply(question: Question, turn: Turn) -> Reply:
    """The same with the file that goes with it, and whether it is for everybody."""
    room = next(room for room in reversed(rooms(turn.play.system, "answer")) if type(question) in room.ANSWER)
    told = room.ANSWER[type(question)](question, turn)
    return told if isinstance(told, Reply) else Reply(tuple(told))

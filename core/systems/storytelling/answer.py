"""Storytelling: questions about extended actions, sheets and odds. They record nothing.

Here: question + table -> Lines. Never: a fact, a change of state, the sentences themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.decider import Turn, who
from core.grammar.verb import Question
from core.language import Line, line
from core.pools import odds_told, read_odds
from core.systems.storytelling import rules
from core.systems.storytelling import verbs as v
from core.systems.storytelling.decide import storytelling
from core.systems.storytelling.tell import contest_facts, facts, totals_told, waiting
from core.table.answer import odds_asked
from core.table.state import Character
from core.table.verbs import ShowOdds
from core.telling import view_of


def list_extended(question: v.ListExtended, turn: Turn) -> list[Line]:
    """Every extended action of the table, those running first."""
    known = sorted(storytelling(turn).extended.values(), key=lambda one: not one.open)
    rows = [
        Line(
            "extended.row",
            {
                **facts(one),
                "attempt": line("extended.attempt", attempt=one.attempt) if one.attempt > 1 else "",
                "status": line(f"status.{one.status}"),
            },
        )
        for one in known
    ]
    return rows or [line("extended.none")]


def list_contests(question: v.ListContests, turn: Turn) -> list[Line]:
    """The contests that are going on, where they stand, and for whom they wait."""
    view, told = view_of(turn.table, turn.names), []
    for one in storytelling(turn).contests.values():
        if one.open:
            totals = totals_told(one.totals, view)
            standing = line("contest.standing", totals=totals) if totals else ""
            told.append(Line("contest.row", {**contest_facts(one, view), "standing": standing}))
            told += [still] if (still := waiting(one, view)) else []
    return told or [line("contest.none")]


def list_stored(question: v.ListStored, turn: Turn) -> list[Line]:
    view = view_of(turn.table, turn.names)
    rows = [
        line("stored.row", title=one.title, successes=one.successes, by=view.name(one.by))
        for one in storytelling(turn).stored.values()
    ]
    return rows or [line("stored.none")]


def sheet(character: Character, turn: Turn) -> list[Line]:
    """This system adds nothing to a sheet."""
    return []


def odds(question: ShowOdds, turn: Turn) -> list[Line]:
    """`pool 7 again=9 need=3`: the exact chance of so many successes."""
    arguments = odds_asked(question, "pool", "骰池", "p")
    return odds_told(read_odds(arguments, who(turn, question), rules.trait_name))


ANSWER: dict[type, Callable[[Any, Turn], list[Line]]] = {
    v.ListExtended: list_extended,
    v.ListContests: list_contests,
    v.ListStored: list_stored,
}

# What shows, together with the sheets, where the table stands.
BOARD: dict[str, Question] = {
    "extended": v.ListExtended(), "contests": v.ListContests(), "stored": v.ListStored(),
}  # fmt: skip

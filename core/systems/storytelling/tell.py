"""Storytelling: which sentence each of its facts gets.

Here: fact -> Lines. Never: the sentences themselves (words.py), a rule, a decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from core.language import Line, line
from core.pools import throw_told
from core.systems.storytelling.state import Contest, Extended, Storytelling
from core.table.state import Character, Play
from core.table.tell import again, roll_made
from core.telling import Button, View, step
from events import types as e

ROLLED = ("pool", "extended", "contest", "store", "challenge")
BAR = 10  # signs of a progress bar


def _state(view: View) -> Storytelling:
    return view.play.rules or Storytelling()


def character_name(character: Character, play: Play) -> object:
    return character.name


BUTTONS: dict[str, Callable[[e.RollMade, Play, str], list[Button]]] = {"pool": again}


def option_label(kind: str, option: str) -> object:
    """What an option of a choice is called on a button or in a list."""
    return option


def quoted(title: str) -> str:
    """A title as it is typed in a command: in quotes where it has spaces."""
    return f'"{title}"' if " " in title else title


# ---- pools


def _roll(event: e.RollMade, view: View) -> list[Line]:
    if event.kind not in ROLLED:
        return roll_made(event, view)
    plain = event.kind == "contest" and event.outcome == "exceptional"  # what is exceptional there the end says (ST-13)
    outcome = "success" if plain else event.outcome
    told = [throw_told(event, view, line(f"pool.{outcome}", successes=event.total))]
    return [*told, line("pool.reflexive")] if event.reflexive else told


# ---- extended actions


def bar(total: int, target: int) -> str:
    """`▓▓▓░░░░░░░`: how much of the target is there."""
    full = min(BAR, total * BAR // target)
    return "▓" * full + "░" * (BAR - full)


def duration(seconds: int) -> Line:
    """The largest unit, and the next one where it is needed."""
    parts = []
    for unit, size in (("days", 86_400), ("hours", 3600), ("minutes", 60), ("seconds", 1)):
        if seconds >= size:
            parts.append(line(f"time.{unit}", n=seconds // size))
            seconds %= size
    if not parts:
        return line("time.seconds", n=0)
    return parts[0] if len(parts) == 1 else line("time.both", first=parts[0], second=parts[1])


def _started(event: e.ExtendedStarted, view: View) -> list[Line]:
    limit: object = line("extended.limit", limit=event.limit) if event.limit else ""
    target = line("extended.hidden") if event.secret else event.target
    return [
        line(
            "extended.started", title=event.action, target=target, every=duration(event.every_s),
            limit=line("extended.limit_traits") if event.by_traits else limit,
        )
    ]  # fmt: skip


def facts(action: Extended) -> dict[str, object]:
    """What is told of an action wherever it is told; a secret target stays with the ST until it is reached."""
    hidden = action.secret and action.status != "complete"
    return {
        "title": action.title, "total": action.total, "rolls": action.rolls, "elapsed": duration(action.elapsed_s),
        "bar": "" if hidden else line("extended.bar", bar=bar(action.total, action.target)),
        "target": line("extended.hidden") if hidden else action.target,
        "limit": line("extended.of_limit", limit=action.limit) if action.limit else "",
    }  # fmt: skip


def _progress(event: e.ExtendedProgress, view: View) -> list[Line]:
    told = [] if event.status == "ended" else [Line("extended.progress", facts(_state(view).extended[event.action]))]
    if event.exceptional:
        told.append(line(f"extended.by_{event.exceptional}"))
    if event.status != "running":
        told.append(line(f"extended.{event.status}", title=event.action, quoted=quoted(event.action)))
    return told


def _modified(event: e.ExtendedModified, view: View) -> list[Line]:
    return [line("extended.modified", title=event.action, step=step(e.Modifier(event.name, event.value)))]


# ---- contests


def _opened(event: e.ContestOpened, view: View) -> list[Line]:
    every: object = line("contest.every", every=duration(event.every_s)) if event.every_s else ""
    contest = _state(view).contests[event.contest]
    return [Line("contest.opened", {**contest_facts(contest, view), "every": every, "quoted": quoted(event.contest)})]


def contest_facts(contest: Contest, view: View) -> dict[str, object]:
    """What is told of a contest when it is opened and in a list."""
    names = [view.name(name) for name in contest.names]
    return {
        "title": contest.title, "size": contest.size,
        "target": line("contest.target", target=contest.target) if contest.target else "",
        "names": line("contest.between", names=names) if names else "",
    }  # fmt: skip


def totals_told(totals: Mapping[str, int], view: View) -> list[Line]:
    return [line("contest.side", name=view.name(name), total=total) for name, total in totals.items()]


def waiting(contest: Contest, view: View) -> Line | None:
    """For whom a contest waits; None if it is over or nobody has rolled."""
    if not contest.open or not contest.rolls or not contest.missing:
        return None
    if contest.sides:
        return line("contest.waiting", names=[view.name(name) for name in contest.sides if name not in contest.rolls])
    return line("contest.waiting_any", count=contest.missing)


def _contest_roll(event: e.RollMade, view: View) -> list[Line]:
    told, contest = _roll(event, view), _state(view).contests.get(event.against)
    still = waiting(contest, view) if event.kind == "contest" and contest else None
    return [*told, still] if still else told


def _stage(event: e.ContestStageEnded, view: View) -> list[Line]:
    leader = view.name(event.leader) if event.leader else line("contest.nobody")
    every_s = _state(view).contests[event.contest].every_s
    elapsed: object = line("contest.elapsed", elapsed=duration(every_s * event.stage)) if every_s else ""
    totals = totals_told(event.totals, view)
    fallen = [line("contest.fallen", names=[view.name(name) for name in event.fallen])] if event.fallen else []
    return [line("contest.stage", stage=event.stage, elapsed=elapsed, totals=totals, leader=leader), *fallen]


def _resolved(event: e.ContestResolved, view: View) -> list[Line]:
    key = "contest.won_exceptional" if event.outcome == "exceptional" else "contest.won"
    if event.status == "void":
        key = "contest.void"
    elif event.status == "draw":
        goal = _state(view).contests[event.contest].target
        key = "contest.draw_there" if goal and max(event.totals.values()) >= goal else "contest.draw"
    winner, totals = view.name(event.winner) if event.winner else "", totals_told(event.totals, view)
    return [line(key, title=event.contest, quoted=quoted(event.contest), winner=winner, totals=totals)]


def _challenged(event: e.OppositionResolved, view: View) -> list[Line]:
    """The record says who won; the stored roll's number says which of the two is the stored one."""
    titles = {one.roll: one for one in _state(view).stored.values()}
    stored = titles[event.defending]
    key = "challenge.lost" if event.winner == stored.title else "challenge.won"
    if event.outcome == "exceptional":
        key = "challenge.lost_exceptional" if event.winner == stored.title else "challenge.won_exceptional"
    names = {"winner": view.name(event.winner), "loser": view.name(event.loser)}
    return [line(key, title=stored.title, successes=stored.successes, **names)]


def _stored(event: e.OppositionStored, view: View) -> list[Line]:
    return [line("stored", title=event.title, quoted=quoted(event.title), successes=event.successes)]


TELL: dict[type[e.Event], Callable[[Any, View], list[Line]]] = {
    e.RollMade: _contest_roll,
    e.ExtendedStarted: _started,
    e.ExtendedProgress: _progress,
    e.ExtendedRetried: lambda event, view: [
        line("extended.retried", title=event.action, attempt=event.attempt, penalty=event.penalty)
    ],
    e.ExtendedModified: _modified,
    e.ContestOpened: _opened,
    e.ContestStageEnded: _stage,
    e.ContestResolved: _resolved,
    e.ContestReopened: lambda event, view: [line("contest.again", title=event.contest)],
    e.OppositionStored: _stored,
    e.OppositionRemoved: lambda event, view: [line("stored.removed", title=event.title)],
    e.OppositionResolved: _challenged,
}


def _target(event: e.ExtendedStarted | e.ExtendedProgress, view: View) -> list[Line]:
    action = _state(view).extended[event.action]
    told = line("extended.for_gm", title=action.title, total=action.total, target=action.target)
    return [told] if action.secret else []


# What the ST alone hears besides: how far a secret target still is.
TELL_GM: dict[type[e.Event], Callable[[Any, View], list[Line]]] = {
    e.ExtendedStarted: _target,
    e.ExtendedProgress: _target,
}

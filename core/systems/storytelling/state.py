"""Storytelling: what its facts leave behind at a table.

Here: extended actions, contests, stored opposition, and the plain consequence of each fact. Never: a decision,
a rule, dice, a refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from core.table.state import Footprint, Play
from events import types as e


class Extended(Struct, frozen=True, gc=False):
    """An extended action as its last roll left it; `steps` wait for the next roll (ST-17)."""

    title: str
    target: int
    every_s: int
    limit: int | None
    by_traits: bool
    pool: str
    secret: bool
    total: int = 0
    rolls: int = 0
    elapsed_s: int = 0
    attempt: int = 1
    status: str = "running"
    scene: int = 0
    steps: tuple[e.Modifier, ...] = ()

    @property
    def open(self) -> bool:
        return self.status in ("running", "reset")


class Thrown(Struct, frozen=True, gc=False):
    """One side's roll in the stage that is under way."""

    roll: int
    successes: int
    dramatic: bool


class Contest(Struct, frozen=True, gc=False):
    """`names` are the sides asked for by name, `size` of them; `rolls` is this stage, `totals` all stages.

    `out` have failed dramatically; `goes_on`: it was a draw, and the ST let it go on (ST-16).
    """

    title: str
    size: int
    names: tuple[str, ...] = ()
    target: int | None = None
    every_s: int | None = None
    stage: int = 1
    rolls: dict[str, Thrown] = {}
    totals: dict[str, int] = {}
    out: tuple[str, ...] = ()
    goes_on: bool = False
    status: str = "running"

    @property
    def open(self) -> bool:
        return self.status == "running"

    @property
    def sides(self) -> tuple[str, ...]:
        """Who rolls, where that is known: by name, or because they have rolled in a stage that is over."""
        return tuple(name for name in self.names or self.totals if name not in self.out)

    @property
    def missing(self) -> int:
        """How many sides have not rolled in this stage."""
        return self.size - len(self.out) - len(self.rolls)


class Stored(Struct, frozen=True, gc=False):
    """Successes kept under a name, who made them, and the roll."""

    title: str
    by: str
    successes: int
    roll: int


class Storytelling(Struct, frozen=True, gc=False):
    """Everything by its title."""

    extended: dict[str, Extended] = {}
    contests: dict[str, Contest] = {}
    stored: dict[str, Stored] = {}


def _extended(state: Storytelling, title: str, **changes: Any) -> Storytelling:
    return replace(state, extended={**state.extended, title: replace(state.extended[title], **changes)})


def _contest(state: Storytelling, title: str, **changes: Any) -> Storytelling:
    return replace(state, contests={**state.contests, title: replace(state.contests[title], **changes)})


def _started(state: Storytelling, event: e.ExtendedStarted, play: Play) -> Storytelling:
    action = Extended(event.action, event.target, event.every_s, event.limit, event.by_traits, event.pool, event.secret)
    return replace(state, extended={**state.extended, event.action: action})


def _progressed(state: Storytelling, event: e.ExtendedProgress, play: Play) -> Storytelling:
    return _extended(
        state, event.action, total=event.total, rolls=event.rolls, elapsed_s=event.elapsed_s, attempt=event.attempt,
        status=event.status, limit=event.limit, scene=play.scene.number if play.scene else 0, steps=(),
    )  # fmt: skip


def _retried(state: Storytelling, event: e.ExtendedRetried, play: Play) -> Storytelling:
    return _extended(
        state, event.action, attempt=event.attempt, total=0, rolls=0, elapsed_s=0, status="running", limit=event.limit
    )


def _modified(state: Storytelling, event: e.ExtendedModified, play: Play) -> Storytelling:
    steps = state.extended[event.action].steps
    return _extended(state, event.action, steps=(*steps, e.Modifier(event.name, event.value)))


def _opened(state: Storytelling, event: e.ContestOpened, play: Play) -> Storytelling:
    contest = Contest(event.contest, event.size, event.sides, event.target, event.every_s)
    return replace(state, contests={**state.contests, event.contest: contest})


def _rolled(state: Storytelling, event: e.RollMade, play: Play) -> Storytelling:
    if event.kind != "contest":
        return state
    rolls = state.contests[event.against].rolls
    thrown = Thrown(event.roll, event.total, event.outcome == "dramatic_failure")
    return _contest(state, event.against, rolls={**rolls, event.character: thrown})


def _staged(state: Storytelling, event: e.ContestStageEnded, play: Play) -> Storytelling:
    out = (*state.contests[event.contest].out, *event.fallen)
    return _contest(state, event.contest, stage=event.stage + 1, rolls={}, totals=event.totals, out=out)


def _resolved(state: Storytelling, event: e.ContestResolved, play: Play) -> Storytelling:
    return _contest(state, event.contest, status=event.status, totals=event.totals)


def _reopened(state: Storytelling, event: e.ContestReopened, play: Play) -> Storytelling:
    now = state.contests[event.contest]
    there = now.target is not None and max(now.totals.values(), default=0) >= now.target
    fallen = tuple(name for name, one in now.rolls.items() if one.dramatic)
    fallen = fallen if len(fallen) < len(now.rolls) else ()  # all of them: it is a plain tie
    return _contest(
        state, event.contest, status="running", rolls={}, goes_on=now.goes_on or there, out=(*now.out, *fallen)
    )


def _stored(state: Storytelling, event: e.OppositionStored, play: Play) -> Storytelling:
    stored = Stored(event.title, event.by, event.successes, event.roll)
    return replace(state, stored={**state.stored, event.title: stored})


def _removed(state: Storytelling, event: e.OppositionRemoved, play: Play) -> Storytelling:
    return replace(state, stored={title: one for title, one in state.stored.items() if title != event.title})


EVOLVE: dict[type[e.Event], Callable[[Storytelling, Any, Play], Storytelling]] = {
    e.ExtendedStarted: _started,
    e.ExtendedProgress: _progressed,
    e.ExtendedRetried: _retried,
    e.ExtendedModified: _modified,
    e.ContestOpened: _opened,
    e.RollMade: _rolled,
    e.ContestStageEnded: _staged,
    e.ContestResolved: _resolved,
    e.ContestReopened: _reopened,
    e.OppositionStored: _stored,
    e.OppositionRemoved: _removed,
}


CONTESTED = ("house:contested-exceptional", "house:contested-dramatic")  # what every contest's result was built on


STATE = Storytelling  # what `evolve` gives


def evolve(state: Storytelling | None, event: e.Event, play: Play) -> Storytelling:
    """Storytelling's part of the table after one fact; `play` is the table after it."""
    state = state or Storytelling()
    step = EVOLVE.get(type(event))
    return step(state, event, play) if step else state


def footprint(event: e.Event, play: Play) -> Footprint:
    """What a fact of this system wrote and what it was built on (for undo)."""
    match event:
        case e.ExtendedStarted():
            return Footprint.of(f"extended:{event.action}", sets=True, needs=("house:players-extended",))
        case e.ExtendedRetried():
            needs = ("house:retry", e.SceneStarted.__name__)
            return Footprint.of(f"extended:{event.action}", sets=True, needs=needs)
        case e.ExtendedProgress() | e.ExtendedModified():
            return Footprint.of(f"extended:{event.action}", sets=True)
        case e.ContestOpened():
            sides = tuple(f"character:{side}" for side in event.sides)
            return Footprint.of(f"contest:{event.contest}", sets=True, needs=sides)
        case e.ContestResolved():
            return Footprint.of(f"contest:{event.contest}", sets=True, needs=CONTESTED)
        case e.ContestStageEnded() | e.ContestReopened():
            return Footprint.of(f"contest:{event.contest}", sets=True)
        case e.OppositionStored() | e.OppositionRemoved():
            return Footprint.of(f"stored:{event.title}", sets=True)
        case e.OppositionResolved():
            return Footprint.of(needs=(f"stored:{event.winner}", f"stored:{event.loser}", *CONTESTED))
        case e.RollMade():
            contest = (f"contest:{event.against}",) if event.kind == "contest" else ()
            needs = (f"character:{event.character}", f"sheet:{event.character}", *contest)
            return Footprint.of(*contest, needs=needs)
    return Footprint()

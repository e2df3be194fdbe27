"""Storytelling: what its commands make true.

Here: command + table + dice -> facts, or a refusal. Never: arithmetic of the rules (rules.py), a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from core.decider import ON, Turn, Who, roll_made, someone_named, who
from core.dice import pool as d10
from core.grammar.pool import pool_terms
from core.grammar.text import fold
from core.grammar.verb import Command
from core.pools import Pool, pool_of
from core.refusal import Refusal
from core.systems.storytelling import rules
from core.systems.storytelling import verbs as v
from core.systems.storytelling.state import Contest, Extended, Stored, Storytelling, Thrown
from core.systems.storytelling.words import TRAIT_NAMES
from core.table.state import Choice
from events import types as e
from events.types import Modifier, RollMade

MOST_OPEN = 100  # extended actions, contests, or stored successes at one table


def storytelling(turn: Turn) -> Storytelling:
    """This system's part of the table."""
    return turn.play.rules or Storytelling()


# ---- pools


def _pool(text: str, actor: Who, steps: Iterable[Modifier] = ()) -> Pool:
    return pool_of(text, actor, rules.trait_name, steps)


def _made(kind: str, label: str, pool: Pool, command: Any, turn: Turn, actor: Who, against: str = "") -> RollMade:
    """The pool thrown, as a fact."""
    dice, again = turn.dice(command), command.again or d10.SIDES
    thrown = d10.throw_pool(dice, pool.size, again, command.rote)
    dice.finish()
    count = d10.successes(thrown)
    return roll_made(
        turn, command, dice, thrown, kind=kind, label=label, character=actor.name, results=(count,),
        modifiers=pool.steps, outcome=rules.outcome(thrown), successes=count, extra=0, again=again, against=against,
        reflexive=getattr(command, "reflexive", False), rote=command.rote,
    )  # fmt: skip


def roll_pool(command: v.RollPool, turn: Turn) -> list[e.Event]:
    actor = who(turn, command)
    return [_made("pool", command.pool, _pool(command.pool, actor), command, turn, actor)]


# ---- extended actions


T = TypeVar("T")


def _called(title: str, known: Mapping[str, T]) -> T | None:
    """What is called so, in any case and width; one that is going on before one that is over."""
    found = [one for name, one in known.items() if fold(name) == fold(title)]
    return next((one for one in found if getattr(one, "open", True)), found[-1] if found else None)


def _contest(title: str, turn: Turn) -> Contest:
    known = storytelling(turn).contests
    if found := _called(title, known):
        return found
    raise Refusal("not_found", "contest", title=title, titles=list(known))


def _stored(title: str, turn: Turn) -> Stored:
    known = storytelling(turn).stored
    if found := _called(title, known):
        return found
    raise Refusal("not_found", "stored", title=title, titles=list(known))


def _check_title(title: str, known: Iterable[str]) -> None:
    titles = list(known)
    if fold(title) in map(fold, titles):
        raise Refusal("already_done", "title", title=title)
    if len(titles) >= MOST_OPEN:
        raise Refusal("limit_reached", "actions", limit=MOST_OPEN)


def start_extended(command: v.StartExtended, turn: Turn) -> list[e.Event]:
    """Started by the ST, or by a player where the house allows it (ST-05, ST-08, ST-10, ST-11)."""
    if not turn.is_gm and turn.rule("players-extended") != ON:
        raise Refusal("not_allowed", "players_extended", gm=turn.names.get(turn.play.gm, turn.play.gm))
    known = storytelling(turn).extended
    again = () if turn.is_gm else ("failed",)  # its next attempt is the ST's to allow, and has a penalty (ST-09)
    _check_title(command.title, (title for title, one in known.items() if one.open or one.status in again))
    traits = _traits_of(command.pool)
    by_traits = fold(command.limit) in rules.BY_TRAITS and traits is None
    limit = rules.limit(command.limit, command.every_s, traits) if command.limit and not by_traits else None
    started = e.ExtendedStarted(
        action=command.title, target=command.target, every_s=command.every_s, limit=limit, by_traits=by_traits,
        pool=command.pool, secret=command.hidden, by=turn.actor,
    )  # fmt: skip
    return [started]


def _traits_of(pool: str) -> int | None:
    """Attribute + skill of a pool that is all numbers; names stand on the sheet of whoever will roll."""
    if not pool or any(term.trait for term in pool_terms(pool)):
        return None
    return _pool(pool, Who("", "")).traits


def _action(words: tuple[str, ...], turn: Turn) -> tuple[Extended, tuple[str, ...]]:
    """The action that the first word names, or the only one running; and the words behind it."""
    known = storytelling(turn).extended
    named = _called(words[0], known) if words else None
    if named:
        return named, words[1:]
    running = [one for one in known.values() if one.open]
    if words and not _is_pool(words[0]):
        raise Refusal("not_found", "extended", title=words[0], titles=list(known))
    if not running:
        raise Refusal("not_found", "no_extended")
    if len(running) > 1:
        raise Refusal("bad_argument", "which_action", titles=[one.title for one in running])
    return running[0], words


def _is_pool(word: str) -> bool:
    """Whether a first word is more likely a pool than a title: it has a number, a sign, or a trait's name."""
    return any(char.isdigit() or char in "+-" for char in word) or rules.trait_name(word) in TRAIT_NAMES


def _open_action(action: Extended) -> Extended:
    if action.status == "failed":
        raise Refusal("already_done", "failed", title=action.title)
    if not action.open:
        raise Refusal("already_done", "extended", title=action.title)
    return action


def roll_extended(command: v.RollExtended, turn: Turn) -> list[e.Event]:
    """One roll of an extended action and where it stands then (ST-05 to ST-09, ST-17)."""
    named, words = _action(command.words, turn)
    action, actor = _open_action(named), who(turn, command)
    text = _pool_text(action, words)
    penalty = rules.retry_penalty(action.attempt)
    steps = (*action.steps, *((Modifier("retry", penalty),) if penalty else ()))
    pool = _pool(text, actor, steps)
    roll = _made("extended", text, pool, command, turn, actor, action.title)
    return [roll, _progress(action, roll, _limit(action, pool))]


def _pool_text(action: Extended, words: tuple[str, ...]) -> str:
    """The pool that is rolled: the action's own where none is given; steps alone go on top of that."""
    text = " ".join(words)
    if action.pool and text[:1] in ("", "+", "-"):
        text = f"{action.pool} {text}".strip()
    if not action.pool and text[:1] in ("", "+", "-"):
        raise Refusal("not_found", "no_pool", title=action.title)
    return text


def _limit(action: Extended, pool: Pool) -> int | None:
    """The limit in force; one by traits is that of whoever rolls first (ST-08)."""
    if action.by_traits and not action.rolls:
        return rules.limit("traits", action.every_s, pool.traits)
    return action.limit


def _progress(action: Extended, roll: RollMade, limit: int | None) -> e.ExtendedProgress:
    dramatic = roll.outcome == "dramatic_failure"
    after = rules.progress(action.total, roll.total, dramatic, action.target, action.rolls + 1, limit)
    return e.ExtendedProgress(
        action=action.title, successes=roll.total, total=after.total, target=action.target, rolls=action.rolls + 1,
        elapsed_s=action.elapsed_s + action.every_s, attempt=action.attempt, status=after.status,
        exceptional=after.exceptional, limit=limit,
    )  # fmt: skip


def modify_extended(command: v.ModifyExtended, turn: Turn) -> list[e.Event]:
    """The ST's step on the next roll alone (ST-17)."""
    turn.require_gm()
    named, words = _action(command.words, turn)
    action = _open_action(named)
    terms = pool_terms(" ".join(words))
    if any(term.trait for term in terms):
        raise Refusal("bad_argument", "missing", what="modifier")
    return [e.ExtendedModified(action=action.title, name=one.name, value=one.sign * one.number) for one in terms]


def retry_extended(command: v.RetryExtended, turn: Turn) -> list[e.Event]:
    """Another attempt at a failed action, at a growing penalty (ST-09)."""
    turn.require_gm()
    action = _failed(command.title, turn)
    if action.open:
        raise Refusal("already_done", "running", title=action.title)
    if action.status != "failed":
        raise Refusal("already_done", "extended", title=action.title)
    now = turn.play.scene.number if turn.play.scene else 0
    if turn.rule("retry") == "scene" and now <= action.scene:
        raise Refusal("not_allowed", "retry_scene", title=action.title)
    attempt = action.attempt + 1
    penalty = rules.retry_penalty(attempt)
    return [e.ExtendedRetried(action=action.title, attempt=attempt, penalty=penalty, limit=action.limit)]


def _failed(title: str, turn: Turn) -> Extended:
    known = storytelling(turn).extended
    if found := _called(title, known):
        return found
    if title:
        raise Refusal("not_found", "extended", title=title, titles=list(known))
    failed = [one for one in known.values() if one.status == "failed"]
    if len(failed) != 1:
        raise Refusal("bad_argument", "missing", what="title")
    return failed[0]


def end_extended(command: v.EndExtended, turn: Turn) -> list[e.Event]:
    turn.require_gm()
    named, _ = _action((command.title,) if command.title else (), turn)
    action = _open_action(named)
    ended = e.ExtendedProgress(
        action=action.title, successes=0, total=action.total, target=action.target, rolls=action.rolls,
        elapsed_s=action.elapsed_s, attempt=action.attempt, status="ended", exceptional=None, limit=action.limit,
    )  # fmt: skip
    return [ended]


# ---- contests


def open_contest(command: v.OpenContest, turn: Turn) -> list[e.Event]:
    """Two or more sides, for one roll or toward a target (ST-12, ST-16)."""
    turn.require_player()
    known = storytelling(turn).contests
    _check_title(command.title, (title for title, one in known.items() if one.open))
    sides = tuple(someone_named(turn, side) for side in command.sides)
    if len(set(sides)) < len(sides):
        raise Refusal("bad_argument", "number", what="sides", got=len(set(sides)), least=2, most=v.MOST_SIDES)
    return [
        e.ContestOpened(
            contest=command.title, size=command.size, sides=sides, target=command.target, every_s=command.every_s
        )
    ]


def _running(title: str, turn: Turn) -> Contest:
    contest = _contest(title, turn)
    if not contest.open:
        raise Refusal("already_done", "contest", title=contest.title)
    return contest


def roll_contest(command: v.RollContest, turn: Turn) -> list[e.Event]:
    """One side's roll; the last side's ends the stage and may end the contest (ST-12 to ST-14, ST-16)."""
    contest, actor = _running(command.title, turn), who(turn, command)
    _check_side(contest, actor, turn)
    roll = _made("contest", command.pool, _pool(command.pool, actor), command, turn, actor, contest.title)
    thrown = Thrown(roll.roll, roll.total, roll.outcome == "dramatic_failure")
    rolls = {**contest.rolls, actor.name: thrown}
    return [roll, *(_settled(contest, rolls, turn) if contest.missing == 1 else [])]


def _check_side(contest: Contest, actor: Who, turn: Turn) -> None:
    """Sides are those named when it was opened, else those that rolled in the first stage; the fallen are out."""
    name = turn.names.get(actor.name, actor.name)
    if actor.name in contest.out:
        raise Refusal("not_allowed", "fallen_side", name=name, title=contest.title)
    if contest.sides and actor.name not in contest.sides:
        shown = [turn.names.get(side, side) for side in contest.sides]
        raise Refusal("not_allowed", "not_a_side", name=name, names=shown)
    if actor.name in contest.rolls and not contest.sides:
        raise Refusal("already_done", "side_any", name=name, count=contest.missing)
    if actor.name in contest.rolls:
        waiting = [turn.names.get(side, side) for side in contest.sides if side not in contest.rolls]
        raise Refusal("already_done", "side", name=name, names=waiting)


def _settled(contest: Contest, rolls: dict[str, Thrown], turn: Turn) -> list[e.Event]:
    """What the stage comes to, now that every side has rolled."""
    sides = {name: rules.Side(one.successes, one.dramatic) for name, one in rolls.items()}
    if contest.target is not None:
        return _stage(contest, contest.target, sides, turn)
    totals = {name: side.successes for name, side in sides.items()}
    return [_resolved(contest, totals, rules.contest(sides, *_contested(turn)))]


def _contested(turn: Turn) -> tuple[bool, bool]:
    """The house's word on exceptional success and dramatic failure in contests (ST-13, ST-14)."""
    return turn.rule("contested-exceptional") == "margin", turn.rule("contested-dramatic") == "exceptional"


def _stage(contest: Contest, goal: int, sides: dict[str, rules.Side], turn: Turn) -> list[e.Event]:
    """An extended contest's stage: totals, who leads, and whether somebody is there (ST-16)."""
    gained = {name: contest.totals.get(name, 0) + side.successes for name, side in sides.items()}
    totals = {**contest.totals, **gained}
    stage = rules.stage(sides, totals, goal, contest.goes_on, *_contested(turn))
    ended = e.ContestStageEnded(
        contest=contest.title, stage=contest.stage, totals=totals, leader=stage.leader, fallen=stage.fallen
    )
    return [ended, _resolved(contest, totals, stage.result)] if stage.result else [ended]


def _resolved(contest: Contest, totals: dict[str, int], result: rules.Result) -> e.ContestResolved:
    return e.ContestResolved(
        contest=contest.title, winner=result.winner, totals=totals, outcome=result.outcome,
        status="resolved" if result.winner else "draw",
    )  # fmt: skip


def void_contest(command: v.VoidContest, turn: Turn) -> list[e.Event]:
    turn.require_gm()
    contest = _running(command.title, turn)
    return [e.ContestResolved(contest=contest.title, winner=None, totals=contest.totals, outcome=None, status="void")]


def reopen_contest(command: v.ReopenContest, turn: Turn) -> list[e.Event]:
    """The ST has a tie rolled again, or lets a drawn race go on (ST-12, ST-16)."""
    turn.require_gm()
    contest = _contest(command.title, turn)
    if contest.open:
        raise Refusal("already_done", "contest_runs", title=contest.title)
    if contest.status != "draw":
        raise Refusal("already_done", "contest", title=contest.title)
    return [e.ContestReopened(contest=contest.title)]


# ---- stored opposition


def store(command: v.Store, turn: Turn) -> list[e.Event]:
    """Successes kept under a name for whoever comes later (ST-15)."""
    _check_title(command.title, storytelling(turn).stored)
    actor = who(turn, command)
    roll = _made("store", command.pool, _pool(command.pool, actor), command, turn, actor, command.title)
    return [roll, e.OppositionStored(title=command.title, successes=roll.total, by=actor.name, roll=roll.roll)]


def remove_stored(command: v.RemoveStored, turn: Turn) -> list[e.Event]:
    """The firewall is taken down: its title is free again."""
    turn.require_gm()
    return [e.OppositionRemoved(title=_stored(command.title, turn).title)]


def challenge(command: v.Challenge, turn: Turn) -> list[e.Event]:
    """A roll against what is stored: it takes more (ST-15)."""
    stored, actor = _stored(command.title, turn), who(turn, command)
    if actor.name in (stored.by, stored.title):
        raise Refusal("not_allowed", "own_store", title=stored.title)
    roll = _made("challenge", command.pool, _pool(command.pool, actor), command, turn, actor, stored.title)
    side = rules.Side(roll.total, roll.outcome == "dramatic_failure")
    result = rules.challenge(actor.name, side, stored.title, stored.successes, *_contested(turn))
    loser = stored.title if result.winner == actor.name else actor.name
    resolved = e.OppositionResolved(
        winner=result.winner or stored.title, loser=loser, outcome=result.outcome, raises=0, active=roll.roll,
        defending=stored.roll,
    )  # fmt: skip
    return [roll, resolved]


def chosen(choice: Choice, command: Command, turn: Turn) -> list[e.Event]:
    """This system offers no choices."""
    return []


FOLLOWS: dict[type[e.Event], Callable[[Any, Turn], list[e.Event]]] = {}

DECIDE: dict[type, Callable[[Any, Turn], list[e.Event]]] = {
    v.RollPool: roll_pool, v.StartExtended: start_extended, v.RollExtended: roll_extended,
    v.ModifyExtended: modify_extended, v.RetryExtended: retry_extended, v.EndExtended: end_extended,
    v.OpenContest: open_contest, v.RollContest: roll_contest, v.VoidContest: void_contest,
    v.ReopenContest: reopen_contest, v.Store: store, v.RemoveStored: remove_stored,
    v.Challenge: challenge,
}  # fmt: skip

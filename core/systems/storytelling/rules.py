"""Storytelling: successes in, outcome out; durations, targets, limits, contests.

Here: the rules as pure functions, each naming the row of the rules it carries out. Never: state, dice being
thrown, a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

from core.dice.pool import is_dramatic, successes
from core.grammar.arguments import whole
from core.grammar.text import check_name, fold
from core.pools import dots
from core.refusal import Refusal
from core.systems.storytelling.words import TRAIT_NAMES
from events.types import Die, Outcome, RollMade, Value

EXCEPTIONAL = 5  # ST-02, ST-07, ST-13
BY_TRAITS = ("traits", "属性", "属性技能", "特性")
MOST_TARGET = 1000
MOST_ROLLS = 1000
MOST_TRAIT = 100
MOST_SECONDS = 100 * 365 * 86_400  # a hundred years
TARGETS = {
    "easy": 5, "简单": 5, "complex": 10, "复杂": 10, "hard": 15, "困难": 15, "arduous": 20, "艰巨": 20,
    "extreme": 25, "艰苦卓绝": 25,
}  # fmt: skip
INTERVALS = {
    "turn": 3, "轮": 3, "一轮": 3, "短暂": 3, "short": 600, "较短": 600, "long": 1800, "较长": 1800,
    "very-long": 3600, "很长": 3600, "day": 86_400, "漫长": 86_400, "week": 604_800, "极端漫长": 604_800,
    "month": 2_592_000, "hour": 3600,
}  # fmt: skip
UNITS = {
    "s": 1, "sec": 1, "秒": 1, "秒钟": 1, "turn": 3, "turns": 3, "轮": 3, "m": 60, "min": 60, "分": 60, "分钟": 60,
    "h": 3600, "小时": 3600, "时": 3600, "d": 86_400, "day": 86_400, "days": 86_400, "天": 86_400, "日": 86_400,
    "w": 604_800, "week": 604_800, "weeks": 604_800, "周": 604_800, "星期": 604_800,
    "month": 2_592_000, "months": 2_592_000, "月": 2_592_000, "个月": 2_592_000,
}  # fmt: skip
DURATION = re.compile(r"(\d{1,6})\s*([^\W\d]+)")
STATE_TRAITS: frozenset[str] = frozenset()  # none is told from the state
_CANONICAL = {fold(name): trait for trait, names in TRAIT_NAMES.items() for name in (trait, *names)}


# ---- traits


def trait_name(key: str) -> str:
    """The canonical name of a trait in either language; an unknown one is its own name, folded."""
    name = fold(check_name(key))
    return _CANONICAL.get(name, _CANONICAL.get(name.replace(" ", "-"), name))


def trait_value(trait: str, text: str, sign: str, traits: Mapping[str, Value]) -> Value:
    """A number of dots, 0 to 100."""
    return dots(trait, text, sign, traits, MOST_TRAIT)


# ---- rolls


def outcome(dice: tuple[Die, ...]) -> Outcome:
    """None fails, 1 succeeds, 5 are exceptional; a chance die's 1 is a dramatic failure (ST-02, ST-03)."""
    if is_dramatic(dice):
        return "dramatic_failure"
    count = successes(dice)
    return "exceptional" if count >= EXCEPTIONAL else "success" if count else "failure"


# ---- extended actions


def seconds(text: str) -> int:
    """A duration by name (ST-10) or as a number with a unit (`15m`, `2天`), in seconds."""
    word = fold(text)
    if word in INTERVALS:
        return INTERVALS[word]
    match = DURATION.fullmatch(word)
    value = int(match[1]) * UNITS[match[2]] if match and match[2] in UNITS else 0
    if not 0 < value <= MOST_SECONDS:
        raise Refusal("bad_argument", "duration", got=text)
    return value


def target(text: str) -> int:
    """A target by name (ST-11) or as a number, 1 to 1000."""
    word = fold(text)
    if word in TARGETS:
        return TARGETS[word]
    if not re.fullmatch(r"\d{1,6}", word) or not 1 <= int(word) <= MOST_TARGET:
        raise Refusal("bad_argument", "target", got=text)
    return int(word)


def limit(text: str, every_s: int, traits: int | None) -> int:
    """Rolls allowed: a number; a deadline, which is deadline / interval rounded down; or `traits` (ST-08)."""
    word = fold(text)
    if word in BY_TRAITS:
        if not traits or traits < 0:
            raise Refusal("bad_argument", "limit_traits")
        return min(traits, MOST_ROLLS)
    if re.fullmatch(r"\d{1,6}", word):
        return whole(word, "limit", 1, MOST_ROLLS)
    try:
        deadline = seconds(text)
    except Refusal as refusal:
        raise Refusal("bad_argument", "limit", got=text) from refusal
    if deadline < every_s:
        raise Refusal("bad_argument", "deadline")
    return min(deadline // every_s, MOST_ROLLS)


class Progress(Struct, frozen=True):
    """Where an extended action stands after a roll; `exceptional` is roll, total or None (ST-07)."""

    total: int
    status: Literal["running", "complete", "failed", "reset"]
    exceptional: Literal["roll", "total"] | None


def progress(total: int, gained: int, dramatic: bool, goal: int, rolls: int, most: int | None) -> Progress:
    """The action after a roll of `gained` successes, the `rolls`-th of at most `most` (ST-05 to ST-08)."""
    if dramatic:
        spent = most is not None and rolls >= most
        return Progress(0, "failed" if spent else "reset", None)
    total += gained
    by_roll: Literal["roll"] | None = "roll" if gained >= EXCEPTIONAL else None
    if total >= goal:
        return Progress(total, "complete", "total" if total >= goal + EXCEPTIONAL else by_roll)
    return Progress(total, "failed" if most is not None and rolls >= most else "running", by_roll)


def retry_penalty(attempt: int) -> int:
    """The second attempt at -1, the third at -2, and so on (ST-09)."""
    return 1 - attempt


# ---- contests


class Side(Struct, frozen=True):
    """One side's throw in a contest."""

    successes: int
    dramatic: bool


class Result(Struct, frozen=True):
    """Who won and how; no winner: a tie."""

    winner: str | None
    outcome: Outcome


def contest(sides: Mapping[str, Side], margin: bool = False, dramatic_lifts: bool = False) -> Result:
    """More successes win; a tie fails for all; a dramatic failure loses outright (ST-12 to ST-14).

    `margin`: exceptional is 5 more than the best loser. `dramatic_lifts`: it makes the other's win exceptional.
    """
    standing = {name: side.successes for name, side in sides.items() if not side.dramatic}
    fallen = len(standing) < len(sides)
    if not standing:
        return Result(None, "failure")
    best = max(standing.values())
    leaders = [name for name, count in standing.items() if count == best]
    alone = fallen and len(standing) == 1
    if len(leaders) > 1 or (best == 0 and not alone):
        return Result(None, "failure")
    beaten = max((side.successes for name, side in sides.items() if name != leaders[0]), default=0)
    gained = best - beaten if margin else best
    lifted = dramatic_lifts and fallen
    return Result(leaders[0], "exceptional" if lifted or gained >= EXCEPTIONAL else "success")


class Stage(Struct, frozen=True):
    """A stage of an extended contest: who is ahead, who fell out of it, and its result if it was the last."""

    leader: str | None
    fallen: tuple[str, ...]
    result: Result | None


def stage(
    sides: Mapping[str, Side],
    totals: Mapping[str, int],
    goal: int,
    goes_on: bool = False,
    margin: bool = False,
    dramatic_lifts: bool = False,
) -> Stage:
    """Whether somebody is there; a dramatic failure is out, and whoever is left alone has won (ST-14, ST-16).

    `goes_on`: the ST let a draw go on, so who is ahead alone wins. `margin` and `dramatic_lifts` as in `contest`.
    """
    fallen = tuple(name for name, side in sides.items() if side.dramatic)
    standing = {name: totals[name] for name in sides if name not in fallen}
    if not standing:
        return Stage(None, (), Result(None, "failure"))
    ahead = leader(standing)
    there = [name for name, total in standing.items() if total >= goal] if len(standing) > 1 else list(standing)
    if not there:
        return Stage(ahead, fallen, None)
    winner = there[0] if len(there) == 1 else ahead if goes_on else None
    if winner is None:
        return Stage(ahead, fallen, Result(None, "failure"))
    lifted = dramatic_lifts and bool(fallen)
    return Stage(ahead, fallen, race(winner, totals, sides[winner].successes, margin, lifted))


def race(winner: str, totals: Mapping[str, int], last: int, margin: bool = False, lifted: bool = False) -> Result:
    """An extended contest's winner: exceptional with 5 in the last roll, or 5 ahead where the house says so (ST-13)."""
    beaten = max((total for name, total in totals.items() if name != winner), default=0)
    gained = totals[winner] - beaten if margin else last
    return Result(winner, "exceptional" if lifted or gained >= EXCEPTIONAL else "success")


def leader(totals: Mapping[str, int]) -> str | None:
    """Who is ahead in an extended contest, if one alone is (ST-16)."""
    best = max(totals.values(), default=0)
    ahead = [name for name, total in totals.items() if total == best]
    return ahead[0] if len(ahead) == 1 else None


def challenge(
    challenger: str, side: Side, title: str, stored: int, margin: bool = False, dramatic_lifts: bool = False
) -> Result:
    """A challenger must get more than what is stored under `title`; else that holds (ST-13 to ST-15)."""
    if side.successes > stored:
        gained = side.successes - stored if margin else side.successes
        return Result(challenger, "exceptional" if gained >= EXCEPTIONAL else "success")
    return Result(title, "exceptional" if dramatic_lifts and side.dramatic else "success")


# ---- verification


def recount(roll: RollMade) -> int | None:
    """The successes on these faces; None for other kinds of roll."""
    return successes(roll.dice) if roll.dice and roll.dice[0].role in ("pool", "chance") else None


# ---- what a reader of the record is told


def applied(roll: RollMade) -> tuple[str, ...]:
    """The ids of the rules that this roll shows at work, in their order."""
    return tuple(rule for rule, shows in SHOWN if shows(roll))


def _role(roll: RollMade) -> str:
    return roll.dice[0].role if roll.dice else ""


SHOWN: tuple[tuple[str, Callable[[RollMade], bool]], ...] = (
    ("ST-01", lambda roll: _role(roll) == "pool"),
    ("ST-02", lambda roll: roll.kind == "pool" and _role(roll) == "pool"),
    ("ST-03", lambda roll: _role(roll) == "chance"),
    ("ST-04", lambda roll: roll.reflexive),
    ("ST-05", lambda roll: roll.kind == "extended"),
    ("ST-06", lambda roll: roll.kind == "extended" and roll.outcome == "dramatic_failure"),
    ("ST-07", lambda roll: roll.kind == "extended" and roll.outcome == "exceptional"),
    ("ST-09", lambda roll: any(step.name == "retry" for step in roll.modifiers)),
    ("ST-12", lambda roll: roll.kind == "contest"),
    ("ST-13", lambda roll: roll.kind == "contest" and roll.outcome == "exceptional"),
    ("ST-14", lambda roll: roll.kind == "contest" and roll.outcome == "dramatic_failure"),
    ("ST-15", lambda roll: roll.kind in ("store", "challenge")),
)

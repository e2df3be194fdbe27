"""Adventure moves: faces in, outcome out; what each move offers.

Here: the rules as pure functions and tables, each naming its row. Never: state, dice being thrown, a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

from core.grammar.text import check_name, fold
from core.language import Phrase
from core.refusal import Refusal
from core.systems.adventure.words import CONDITION_NAMES, MOVE_NAMES, TRAIT_NAMES
from events.types import Outcome, RollMade, Value

STRONG, WEAK = 10, 7  # AD-01
STATS = ("STR", "DEX", "INT", "WIS", "CHA")
CONDITIONS = tuple(CONDITION_NAMES)
MOST_FROM_LEVELS = 10  # AD-16
MOST_STAT = 10
MOST_HP = 999
STRONG_QUESTIONS, WEAK_QUESTIONS = 2, 1  # AD-09
WAY_STATS = {"melee": "STR", "ranged": "DEX", "finesse": "DEX"}  # AD-12
PACES = {"fast": -1, "normal": 1, "careful": 2}  # AD-20
STATE_TRAITS = frozenset({"hp", "max_hp"})  # told from the state, not from the sheet
_TRAITS = {fold(name): trait for trait, names in TRAIT_NAMES.items() for name in (trait, *names)}
_CONDITIONS = {fold(name): key for key, names in CONDITION_NAMES.items() for name in (key, *names)}
_MOVES = {fold(name): key for key, names in MOVE_NAMES.items() for name in (key, *names)}

Advantage = Literal["adv", "dis"]


class Offer(Struct, frozen=True):
    """Options of a result, and whether the GM picks; else the roller's player does."""

    options: tuple[str, ...]
    by_gm: bool = False


class Move(Struct, frozen=True):
    """`stats` that it may be rolled with; what its results offer."""

    key: str
    stats: tuple[str, ...]
    offers: dict[str, Offer] = {}


MOVES: dict[str, Move] = {
    move.key: move
    for move in (
        Move("defy", STATS, {"weak_hit": Offer(("condition", "attention", "sacrifice"))}),  # AD-07
        Move("influence", ("CHA",)),  # AD-08
        Move("read", ("WIS",)),  # AD-09
        Move("sneak", ("DEX",), {"weak_hit": Offer(("suspicion", "condition", "little_time"), by_gm=True)}),  # AD-10
        Move("recall", ()),  # AD-11
        Move(
            "clash",
            ("STR", "DEX"),
            {  # AD-12
                "strong_hit": Offer(("ally_opening", "max_dealt", "min_taken")),
                "weak_hit": Offer(("condition", "foe_opening", "lose_item")),
                "miss": Offer(("min_dealt", "max_taken")),
            },
        ),
        Move("uncover", ("INT",), {"weak_hit": Offer(("clue", "risk", "condition"))}),  # AD-13
        Move("cast", STATS, {"weak_hit": Offer(("source", "condition", "twist"))}),  # AD-05
        Move("journey", (), {"weak_hit": Offer(("followed", "unpleasant", "upper_hand"))}),  # AD-20
        Move("death", (), {"weak_hit": Offer(("lose_part", "die_after"))}),  # AD-15
    )
}


# ---- names and sheets


def trait_name(key: str) -> str:
    """The canonical name of a trait in either language; an unknown one is its own name, folded."""
    name = fold(check_name(key))
    return _TRAITS.get(name, name)


def move_named(word: str) -> str | None:
    return _MOVES.get(fold(word))


def condition_named(word: str) -> str:
    """A condition in either language; none: bad_argument.condition."""
    if found := _CONDITIONS.get(fold(word)):
        return found
    raise Refusal("bad_argument", "condition", got=word)


def stat_phrase(stat: str) -> Phrase:
    return Phrase(TRAIT_NAMES[stat][0], stat)


def stat_named(word: str) -> str:
    """A stat in either language; none: bad_argument.stat."""
    found = _TRAITS.get(fold(word))
    if found not in STATS:
        raise Refusal("bad_argument", "stat", got=word)
    return found


def trait_value(trait: str, text: str, sign: str, traits: Mapping[str, Value]) -> Value:
    """Stats from -10 to 10, HP from 0, a damage die, and short texts. Refuses with bad_argument, limit_reached."""
    if trait in STATS:
        return _number(trait, text, sign, traits, -MOST_STAT, MOST_STAT)
    if trait in STATE_TRAITS:
        return _hp(trait, text, sign, traits)
    if trait == "damage":
        return f"d{damage_die(text)}"
    if sign != "=":
        return _number(trait, text, sign, traits, -MOST_HP, MOST_HP)
    return check_name(text)


def _hp(trait: str, text: str, sign: str, traits: Mapping[str, Value]) -> int:
    """HP from 0 to their maximum, which is never below them."""
    value = _number(trait, text, sign, traits, 0 if trait == "hp" else 1, MOST_HP)
    hp, most = (value, traits.get("max_hp")) if trait == "hp" else (traits.get("hp"), value)
    if isinstance(hp, int) and isinstance(most, int) and hp > most:
        raise Refusal("limit_reached", "hp_above", hp=hp, max_hp=most)
    return value


def _number(trait: str, text: str, sign: str, traits: Mapping[str, Value], least: int, most: int) -> int:
    now = traits.get(trait, 0)
    if not re.fullmatch(r"[+-]?\d{1,4}", text.strip()) or not isinstance(now, int):
        raise Refusal("bad_argument", "trait_range", trait=trait, got=text, least=least, most=most)
    value = {"=": int(text), "+=": now + int(text), "-=": now - int(text)}[sign]
    if not least <= value <= most:
        raise Refusal("bad_argument", "trait_range", trait=trait, got=str(value), least=least, most=most)
    return value


def damage_die(text: str) -> int:
    """Sides of `d8`; others than d4 to d20: bad_argument.damage_die."""
    match = re.fullmatch(r"1?d(\d{1,2})", fold(text))
    if not match or int(match[1]) not in (4, 6, 8, 10, 12, 20):
        raise Refusal("bad_argument", "damage_die", got=text)
    return int(match[1])


# ---- moves


def advantage(adv: bool, dis: bool) -> Advantage | None:
    """Both at once cancel (AD-02)."""
    return None if adv == dis else "adv" if adv else "dis"


def kept(faces: tuple[int, ...], held: Advantage | None) -> tuple[int, ...]:
    """The two dice that count: the best with ADV, the worst with DIS (AD-02)."""
    return tuple(sorted(faces, reverse=held != "dis")[:2])


def outcome(total: int) -> Outcome:
    """10+ strong hit, 7 to 9 weak hit, 6- miss (AD-01)."""
    return "strong_hit" if total >= STRONG else "weak_hit" if total >= WEAK else "miss"


def marks_xp(roll: RollMade, against_player: bool) -> bool:
    """A miss does (AD-01), but for Face Death, and for Read when the player asks instead (AD-09)."""
    instead = roll.label == "death" or (roll.label == "read" and against_player)
    return roll.kind == "move" and roll.outcome == "miss" and not instead


def questions(result: Outcome) -> int:
    return {"strong_hit": STRONG_QUESTIONS, "weak_hit": WEAK_QUESTIONS}.get(result, 0)


def half(max_hp: int) -> int:
    """Half of maximum HP, rounded down, at least 1 (AD-15)."""
    return max(1, max_hp // 2)


def free(taken: Mapping[str, str]) -> tuple[str, ...]:
    """Conditions neither marked nor locked."""
    return tuple(one for one in CONDITIONS if one not in taken)


def unlocked(taken: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(one for one in CONDITIONS if taken.get(one) != "locked")


def marked(taken: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(one for one in CONDITIONS if taken.get(one) == "marked")


# ---- verification


def recount(roll: RollMade) -> int | None:
    """What the dice that count and the steps come to; None for other kinds of roll."""
    faces = tuple(face for die in roll.dice for face in die.faces)
    if roll.kind == "move":
        return sum(kept(faces, roll.advantage)) + roll.modifier
    return sum(faces) if roll.kind == "damage" else None


# ---- what a reader of the record is told


def applied(roll: RollMade) -> tuple[str, ...]:
    """The ids of the rules that this roll shows at work, in their order."""
    return tuple(rule for rule, shows in SHOWN if shows(roll))


MOVE_RULES = {
    "cast": "AD-05", "defy": "AD-07", "influence": "AD-08", "read": "AD-09", "sneak": "AD-10", "recall": "AD-11",
    "clash": "AD-12", "uncover": "AD-13", "death": "AD-15", "journey": "AD-20",
}  # fmt: skip
SHOWN: tuple[tuple[str, Callable[[RollMade], bool]], ...] = (
    ("AD-01", lambda roll: roll.kind == "move"),
    ("AD-02", lambda roll: roll.advantage is not None),
    *((rule, lambda roll, move=move: roll.kind == "move" and roll.label == move) for move, rule in MOVE_RULES.items()),
)

"""What systems of d10 pools share: a pool read off a sheet, its steps, its odds, and how a throw is told.

Here: traits and numbers into a size, a throw into a Line. Never: what successes are worth (each system's rules).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Literal

from msgspec import Struct

from core.decider import Who, near
from core.dice import odds
from core.dice import pool as d10
from core.grammar.arguments import Arguments
from core.grammar.pool import Term, again_key, pool_terms, pool_text, rote_flag
from core.language import Line, line
from core.refusal import Refusal
from core.telling import View, percent, step
from events.types import Modifier, RollMade, Value

TraitName = Callable[[str], str]


class Pool(Struct, frozen=True):
    """A pool before it is thrown: its traits added up, which they were, and the steps on it."""

    traits: int
    named: tuple[tuple[str, int], ...]
    steps: tuple[Modifier, ...]

    @property
    def modifier(self) -> int:
        return sum(step.value for step in self.steps)

    @property
    def size(self) -> int:
        return self.traits + self.modifier


def pool_of(text: str, actor: Who, trait_name: TraitName, steps: Iterable[Modifier] = ()) -> Pool:
    """Traits from the sheet and numbers, every modifier with its name (ST-01, IT-01). Over 1,000 dice: too_large.

    `steps` come on top. A trait that is not on the sheet: not_found.
    """
    terms = pool_terms(text)
    worth = [(term, _worth(term, actor, trait_name)) for term in terms]
    named = tuple((trait_name(term.trait), value) for term, value in worth if term.trait and not term.step)
    written = tuple(Modifier(term.name or term.trait, term.sign * value) for term, value in worth if term.step)
    pool = Pool(sum(value for term, value in worth if not term.step), named, (*written, *steps))
    d10.check_size(pool.size)
    return pool


def _worth(term: Term, actor: Who, trait_name: TraitName) -> int:
    if not term.trait:
        return term.number
    trait = trait_name(term.trait)
    if actor.character is None:
        raise Refusal("not_found", "no_sheet", trait=trait)
    value = actor.character.traits.get(trait)
    if value is None:
        sheet = list(actor.character.traits)
        nearest = [line(f"trait.{one}", name=one) for one in near(trait, sheet, sheet)]
        raise Refusal("not_found", "trait", trait=trait, nearest=nearest)
    if not isinstance(value, int):
        raise Refusal("bad_argument", "not_a_pool", trait=trait, value=value)
    return value


def dots(trait: str, text: str, sign: str, traits: Mapping[str, Value], most: int) -> int:
    """What a sheet of numbers may hold, 0 to `most`; `+=` and `-=` count it up and down (bad_argument.trait_number)."""
    now = traits.get(trait, 0)
    if not re.fullmatch(r"\d{1,6}", text.strip()) or not isinstance(now, int):
        raise Refusal("bad_argument", "trait_number", trait=trait, got=text, most=most)
    value = {"=": int(text), "+=": now + int(text), "-=": now - int(text)}[sign]
    if not 0 <= value <= most:
        raise Refusal("bad_argument", "trait_number", trait=trait, got=str(value), most=most)
    return value


# ---- odds


class PoolOdds(Struct, frozen=True):
    """`at_least(n)` is the exact chance of n rolled successes; a pool of 0 or less is a chance die."""

    size: int
    again: int
    need: int
    rote: bool = False
    text: str = ""

    def at_least(self, need: int) -> Fraction:
        goes: dict[int, Literal[8, 9, 10]] = {8: 8, 9: 9, 10: 10}
        return odds.pool_odds(self.size, goes.get(self.again), need, self.rote)

    @property
    def dramatic(self) -> Fraction:
        return odds.pool_dramatic(self.size)


def read_odds(arguments: Arguments, actor: Who, trait_name: TraitName) -> PoolOdds:
    """`7 again=9 rote need=3` behind the verb of an odds question."""
    again, need = again_key(arguments) or d10.SIDES, arguments.number_key("need", "需要", least=1, most=1000) or 1
    rote = rote_flag(arguments)
    text = pool_text(arguments)
    return PoolOdds(pool_of(text, actor, trait_name).size, again, need, rote, text)


# ---- telling


def odds_told(pool: PoolOdds) -> list[Line]:
    """The chance asked for, and that of 5 or more; of a chance die also that of a dramatic failure."""
    if pool.size <= 0:
        return [line("odds.chance_die", chance=percent(pool.at_least(pool.need)), dramatic=percent(pool.dramatic))]
    chance, five = percent(pool.at_least(pool.need)), percent(pool.at_least(5))
    rule = again_told(pool.again, pool.rote)
    return [line("odds.pool", size=pool.size, rule=rule, need=pool.need, chance=chance, five=five)]


def again_told(again: int | None, rote: bool) -> Line | str:
    """How dice go again, where it is not the usual way."""
    told: Line | str = ""
    if again == d10.NO_AGAIN:
        told = line("pool.no_again")
    elif again not in (None, d10.SIDES):
        told = line("pool.rule", again=again)
    return line("pool.rote", rule=told) if rote else told


def throw_told(event: RollMade, view: View, count: Line) -> Line:
    """A throw of a pool: its faces, its again dice, its steps, and what they count."""
    first, again = event.dice[0], [die for die in event.dice if die.role == "again"]
    return line(
        "pool.chance" if first.role == "chance" else "pool.thrown", name=view.name(event.character), label=event.label,
        size=len(first.faces), rule=again_told(event.again, event.rote), faces=_faces(first.faces),
        again=line("pool.again", faces=_faces(again[0].faces)) if again else "",
        steps=line("pool.steps", steps=[step(one) for one in event.modifiers]) if event.modifiers else "", count=count,
    )  # fmt: skip


def _faces(faces: tuple[int, ...]) -> str:
    return f"[{' '.join(map(str, faces))}]"

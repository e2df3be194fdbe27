"""无限恐怖: questions about sheets, odds and stacking. They record nothing.

Here: question + table -> Lines. Never: a fact, a change of state, the sentences themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from core.decider import Turn, who
from core.grammar.verb import Question
from core.language import Line, line
from core.pools import odds_told, read_odds
from core.systems.infinite import rules
from core.systems.infinite.decide import extras_of_check, infinite
from core.systems.infinite.state import Defence
from core.systems.infinite.words import ATTRIBUTES
from core.table import answer as table
from core.table.state import Character
from core.table.verbs import Calculate, ShowOdds


def sheet(character: Character, turn: Turn) -> list[Line]:
    """Extra successes of high attributes, and the defence extras that are left."""
    told: list[Line] = []
    numbers = {trait: value for trait, value in character.traits.items() if isinstance(value, int)}
    extras = [
        line("check.part", name=line(f"trait.{trait}", name=trait), value=rules.extra_of(numbers[trait]))
        for trait in ATTRIBUTES
        if rules.extra_of(numbers.get(trait, 0))
    ]
    told += [line("sheet.extras", extras=extras)] if extras else []
    if most := rules.defence_extras(character.traits):
        used = infinite(turn).defence.get(character.name, Defence()).used
        told.append(line("sheet.defence", left=max(0, most - used), most=most))
    return told


def odds(question: ShowOdds, turn: Turn) -> list[Line]:
    """`check 力量+运动 dc=5`: the chance of reaching the DC, extras counted; `need=3`: of so many rolled successes."""
    arguments = table.odds_asked(question, "check", "检定", "pool", "骰池", "c")
    dc = arguments.number_key("dc", "难度", least=1, most=1000)
    extra = arguments.number_key("extra", "附加", "附加成功", least=0, most=1000) or 0
    actor = who(turn, question)
    pool = read_odds(arguments, actor, rules.trait_name)
    if dc is None:
        return odds_told(pool)
    counted = extras_of_check(pool.text, actor, extra) if pool.size > 0 else 0
    return odds_told(replace(pool, need=max(1, dc - counted)))


def calculate(question: Calculate, turn: Turn) -> list[Line]:
    """Stacking with its working shown step by step; `plain` is ordinary arithmetic (IT-15 to IT-17)."""
    if question.plain:
        return table.calculate(question, turn)
    working = rules.calculate(question.expression)
    steps = [line("calc.step", working=one) for one in working.steps]
    return [line("calc.result", label=question.expression, total=working.value), *steps]


ANSWER: dict[type, Callable[[Any, Turn], list[Line]]] = {Calculate: calculate}

# What shows, together with the sheets, where the table stands.
BOARD: dict[str, Question] = {}

"""Adventure moves: questions about sheets, XP, relationships, rituals and odds. They record nothing.

Here: question + table -> Lines. Never: a fact, a change of state, the sentences themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.decider import Turn
from core.dice import odds as chances
from core.grammar.verb import Question
from core.language import Line, line
from core.refusal import Refusal
from core.systems.adventure import rules
from core.systems.adventure import verbs as v
from core.systems.adventure.decide import adventure
from core.systems.adventure.state import Adventure, Growth, Held
from core.systems.adventure.tell import condition, why
from core.table.answer import odds_asked
from core.table.state import Character
from core.table.verbs import ShowOdds
from core.telling import View, percent, view_of


def _bonds(name: str, state: Adventure, view: View) -> list[Line]:
    return [
        line("sheet.bond", name=view.name(other), depth=depth) for other, depth in state.depth.get(name, {}).items()
    ]


GIVEN_BY = {"recall": "recall", "opening": "clash", "suspicion": "sneak"}  # why something is held -> the move


def _asking(state: Adventure, name: str) -> list[tuple[str, int]]:
    """What may be asked of whom; not while a secret Read of theirs is sealed, since that would tell how it came out."""
    if any(one.label == "read" and name in (one.character, one.against) for one in state.secret):
        return []
    return [(about, left) for about, left in state.questions.get(name, {}).items() if about]


def _holding(state: Adventure, name: str) -> list[Held]:
    """What somebody has in hand; not what may come of a secret move that is still sealed."""
    sealed = {one.label for one in state.secret}
    return [one for one in state.held.get(name, ()) if GIVEN_BY.get(one.why) not in sealed]


def sheet(character: Character, turn: Turn) -> list[Line]:
    """HP, level and XP, conditions, relationships, what is held, and whether it still stands."""
    state, name, view = adventure(turn), character.name, view_of(turn.table, turn.names)
    told: list[Line] = []
    if hp := state.hp.get(name):
        told.append(line("sheet.hp", hp=hp.hp, max_hp=hp.max_hp))
    grown = state.growth.get(name, Growth())
    advances = line("sheet.advances", count=grown.advances) if grown.advances else ""
    told.append(line("sheet.level", level=grown.level, xp=grown.xp, track=turn.rule("xp-track"), advances=advances))
    taken = [
        condition(one) if how == "marked" else line("sheet.locked", condition=condition(one))
        for one, how in state.conditions.get(name, {}).items()
    ]
    told.append(line("sheet.conditions", conditions=taken or line("sheet.no_conditions")))
    if bonds := _bonds(name, state, view):
        told.append(line("sheet.bonds", bonds=bonds))
    if held := [line(f"held.{one.kind}_short", why=why(one, view)) for one in _holding(state, name)]:
        told.append(line("sheet.held", held=held))
    if left := [line("sheet.question", about=view.name(who), count=n) for who, n in _asking(state, name)]:
        told.append(line("sheet.questions", questions=left))
    told += [line("sheet.incapacitated")] if name in state.down else []
    told += [line("sheet.doomed")] if name in state.sealed else []
    return [*told, line("sheet.dead")] if name in state.dead else told


def show_xp(question: v.ShowXp, turn: Turn) -> list[Line]:
    state, view = adventure(turn), view_of(turn.table, turn.names)
    rows = []
    for one in turn.play.characters.values():
        if not one.gm and not one.retired:
            grown = state.growth.get(one.name, Growth())
            track = turn.rule("xp-track")
            rows.append(line("xp.row", name=view.name(one.name), xp=grown.xp, track=track, level=grown.level))
    return rows or [line("xp.none")]


def show_bonds(question: v.ShowBonds, turn: Turn) -> list[Line]:
    """Who stands how with whom."""
    state, view = adventure(turn), view_of(turn.table, turn.names)
    rows = [
        line("bonds.row", name=view.name(name), bonds=_bonds(name, state, view))
        for name in state.depth
        if state.depth[name]
    ]
    return rows or [line("bonds.none")]


def list_rituals(question: v.ListRituals, turn: Turn) -> list[Line]:
    rows = [
        line("rituals.row", title=one.title, mag=one.mag, needs=_needs(one) or line("nobody"))
        for one in adventure(turn).rituals.values()
    ]
    return rows or [line("rituals.none")]


def _needs(ritual: Any) -> list[Line]:
    return [
        line("rituals.need", mark="✔" if number in ritual.met else "□", number=number, text=text)
        for number, text in enumerate(ritual.needs, 1)
    ]


def odds(question: ShowOdds, turn: Turn) -> list[Line]:
    """`move +1 adv`: the exact chances of the three bands."""
    arguments = odds_asked(question, "move", "动作", "m")
    adv, dis = arguments.flag("adv", "优势"), arguments.flag("dis", "劣势")
    modifier = sum(step.value for step in arguments.modifiers({}))
    arguments.finish()
    if abs(modifier) > rules.MOST_STAT * 2:
        raise Refusal("bad_argument", "odds", got=question.expression)
    found = chances.move_odds(modifier, adv, dis)
    bands = {"strong": found.strong_hit, "weak": found.weak_hit, "miss": found.miss}
    return [Line("odds.move", {"label": question.expression, **{band: percent(one) for band, one in bands.items()}})]


ANSWER: dict[type, Callable[[Any, Turn], list[Line]]] = {
    v.ShowXp: show_xp, v.ShowBonds: show_bonds, v.ListRituals: list_rituals,
}  # fmt: skip

# What shows, together with the sheets, where the table stands.
BOARD: dict[str, Question] = {"rituals": v.ListRituals()}

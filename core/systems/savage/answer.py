"""Savage Worlds: questions about Bennies, sheets, initiative and odds. They record nothing.

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
from core.systems.savage import rules
from core.systems.savage import verbs as v
from core.systems.savage.decide import plan_of, savage, speaker
from core.systems.savage.state import POOL, holder
from core.systems.savage.tell import card_name
from core.table.answer import odds_asked
from core.table.state import Character
from core.table.verbs import ShowOdds
from core.telling import View, percent, view_of


def _view(turn: Turn) -> View:
    return view_of(turn.table, turn.names)


def list_bennies(question: v.ListBennies, turn: Turn) -> list[Line]:
    """Everybody's Bennies, the pool's, and those of the GM's Wild Cards."""
    play, state, view = turn.play, savage(turn), _view(turn)
    if play.session is None:
        return [line("bennies.none")]
    rows = [
        (view.name(speaker(play, player)), state.bennies.get(player, 0)) for player in play.players if player != play.gm
    ]
    rows.append((line("pool"), state.bennies.get(POOL, 0)))
    rows += [
        (view.name(one.name), state.bennies.get(one.name, 0))
        for one in play.characters.values()
        if one.gm and one.kind == "wild" and not one.retired
    ]
    return [line("bennies.row", name=name, count=count) for name, count in rows]


def show_initiative(question: v.ShowInitiative, turn: Turn) -> list[Line]:
    """The round in the order of its cards, and who has acted."""
    fight, view = savage(turn).fight, _view(turn)
    if fight is None:
        return [line("init.none")]
    order = rules.order(fight.cards)
    names = [*order, *(name for name in fight.combatants if name not in order)]
    rows = [
        line(
            "init.row", name=view.name(name),
            mark=line("init.now" if name == fight.turn else "init.done" if name in fight.acted else "init.waiting"),
            card=card_name(fight.cards[name]) if name in fight.cards else line("init.no_card"),
        )
        for name in names
    ]  # fmt: skip
    return [line("init.title", round=fight.round), *rows]


def sheet(character: Character, turn: Turn) -> list[Line]:
    """What this system adds to a sheet: Bennies, wounds, Shaken."""
    state, name = savage(turn), character.name
    told: list[Line] = []
    if turn.play.session and (character.kind == "wild" or not character.gm):
        told.append(line("sheet.bennies", count=state.bennies.get(holder(turn.play, name), 0)))
    if wounds := state.wounds.get(name, 0):
        told.append(line("sheet.wounds", wounds=wounds, penalty=min(wounds, rules.WILD_WOUNDS)))
    told += [line("sheet.down")] if name in state.down else []
    told += [line("sheet.shaken")] if name in state.shaken else []
    return [line("sheet.state", state=told or line("sheet.fine"))]


def odds(question: ShowOdds, turn: Turn) -> list[Line]:
    """`trait d8 +1 [tn=4] [extra]`: chances of a success, of raises and of a critical failure, exact."""
    arguments = odds_asked(question, "trait", "特性", "t", "group", "团队骰")
    command = v.read_trait(arguments)
    arguments.finish()
    if command.count > 1 or command.crit:
        raise Refusal("bad_argument", "odds", got=question.expression)
    plan = plan_of(command, turn)
    target = question.target or plan.target
    found = chances.trait_odds(plan.sides, plan.wild or None, plan.modifier, target)
    one, two, three = found.raises[:3]
    return [
        line(
            "odds.trait", label=question.expression, target=target, success=percent(found.success), one=percent(one),
            two=percent(two), three=percent(three), critical=percent(found.critical_failure),
        )
    ]  # fmt: skip


ANSWER: dict[type, Callable[[Any, Turn], list[Line]]] = {
    v.ListBennies: list_bennies,
    v.ShowInitiative: show_initiative,
}

# What shows, together with the sheets, where the table stands.
BOARD: dict[str, Question] = {"bennies": v.ListBennies(), "initiative": v.ShowInitiative()}

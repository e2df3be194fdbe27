"""Questions that every table answers: help, sheets, lists, history, odds. They record nothing.

Here: question + table -> Lines. Never: a fact, a change of state, the sentences themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from core.decider import Turn, character_named, own_or_gm
from core.dice import expression, odds
from core.dice.source import GivenFaces
from core.grammar.arguments import Arguments
from core.grammar.parse import DICE, nearest
from core.grammar.text import fold, normalise, tokenise
from core.grammar.verb import Question, Verb, VerbTable
from core.language import Line, Phrase, line
from core.refusal import Refusal
from core.registry import room, rooms
from core.table import verbs as v
from core.table.decide import option_named, options
from core.table.files import export, show_replay, show_stats
from core.table.state import Character
from core.table.tell import log_name, session_name
from core.telling import Reply, View, is_sealed, percent, secret_of, summary, view_of
from core.vocabulary import verb_table
from core.zones import TIME_ZONE
from events.types import ChoiceOffered

PRIVATE = ("private", "私聊")
SETUP = ("setup", "接入", "安装", "privacy", "隐私模式")  # topics of help that are no verbs


def _view(turn: Turn) -> View:
    return view_of(turn.table, turn.names)


def show_table(question: v.ShowTable, turn: Turn) -> list[Line]:
    play, view = turn.play, _view(turn)
    running = (
        line("table.in_session", session=session_name(play.session.number, play.session.title))
        if play.session
        else None
    )
    players = [view.person(player) for player in play.players if player != play.gm]
    return [
        line(
            "table.shown", title=play.title or line(f"system.{play.system}"), system=line(f"system.{play.system}"),
            gm=view.person(play.gm),
            players=players or line("nobody"), session=running or line("table.no_session"), id=turn.table.id,
        )
    ]  # fmt: skip


# ---- help


def show_help(question: v.Help, turn: Turn) -> list[Line]:
    table = verb_table(turn.play.system)
    if fold(question.topic) in PRIVATE:
        return [line("help.private")]
    if fold(question.topic) in SETUP:
        return [line("help.setup_telegram"), line("help.setup_matrix"), line("help.setup_both")]
    if question.topic:
        return _help_of(question.topic.lstrip("/!.。"), table)
    rows = [line("help.row", verb=_called(verb), says=verb.says) for verb in table.verbs]
    start = [] if turn.table.opened else [line("help.start")]
    return [*start, line("help.title"), *rows, line("help.more")]


def _called(verb: Verb) -> Phrase:
    return Phrase(f"{verb.zh[0]} {verb.name}", f"{verb.name} {verb.zh[0]}")


def _help_of(topic: str, table: VerbTable) -> list[Line]:
    verb = table.find(topic)
    if verb is None:
        raise Refusal("not_found", "topic", name=topic, nearest=nearest(topic, table))
    names = [name for name in verb.names() if name not in (verb.name, verb.zh[0])]
    usage = line("help.usage", usage=verb.usage, says=verb.says, example=verb.example)
    also = [line("help.also", names=names)] if names else []
    taken = [line(f"help.{option}") for option in ("as", "dice", "secret") if option in verb.takes]
    return [usage, *also, *([line("help.options", options=taken)] if taken else [])]


# ---- lists


def show_house_rules(question: v.ShowHouseRules, turn: Turn) -> list[Line]:
    system = turn.play.system
    wanted = (option_named(system, question.key),) if question.key else options(system)
    return [line("house.title"), *(_house_row(option, turn) for option in wanted)]


def _house_row(option: Any, turn: Turn) -> Line:
    key = Phrase(option.zh, option.key)
    choices = line("house.choices", values=option.values) if option.values else ""
    usual = turn.zones.default.name if option.key == TIME_ZONE else option.default
    value, default = (line(f"value.{one}", name=one) for one in (turn.play.house.get(option.key, usual), usual))
    return line("house.row", key=key, value=value, default=default, choices=choices, says=option.says)


def list_sessions(question: v.ListSessions, turn: Turn) -> list[Line]:
    rows = [
        line(
            "sessions.row" if past.last else "sessions.running",
            session=session_name(past.number, past.title), at=turn.zone.minute(past.at),
            first=past.first, last=past.last,
        )
        for past in turn.table.ledger.sessions
    ]  # fmt: skip
    return rows or [line("sessions.none")]


def list_logs(question: v.ListLogs, turn: Turn) -> list[Line]:
    rows = [
        line(
            "log.row", log=log_name(one.number, one.name), at=turn.zone.minute(one.at),
            status=line(f"log.{one.status}"), lines=one.lines,
        )
        for one in turn.table.ledger.logs
    ]  # fmt: skip
    return rows or [line("log.none")]


def list_characters(question: v.ListCharacters, turn: Turn) -> list[Line]:
    view, active = _view(turn), set(turn.play.active.values())
    rows = [
        line(
            "characters.row", name=view.name(one.name), kind=line(f"kind.{one.kind}"), owner=view.person(one.owner),
            ally=line("characters.ally") if one.ally else "",
            active=line("characters.active") if one.name in active else "",
        )
        for one in turn.play.characters.values()
        if not one.retired
    ]  # fmt: skip
    return rows or [line("characters.none")]


def show_sheet(question: v.ShowSheet, turn: Turn) -> list[Line]:
    name = question.name or question.as_
    character = character_named(turn.play, name or own_or_gm(turn, question).name)
    return [*_sheet(character, turn), *room(turn.play.system, "answer").sheet(character, turn)]


def _sheet(character: Character, turn: Turn) -> list[Line]:
    view = _view(turn)
    rules = room(turn.play.system, "rules")
    title = line(
        "sheet.title",
        name=view.name(character.name),
        kind=line(f"kind.{character.kind}"),
        owner=view.person(character.owner),
    )
    traits = [
        line("sheet.trait", trait=line(f"trait.{trait}", name=trait), value=value)
        for trait, value in sorted(character.traits.items())
        if trait not in rules.STATE_TRAITS
    ]
    return [title, line("sheet.traits", traits=traits) if traits else line("sheet.empty")]


def show_choices(question: v.ShowChoices, turn: Turn) -> list[Line]:
    view = _view(turn)
    rows = [
        line("choices.row", number=one.number, owner=view.person(one.owner), options=_options(one, turn))
        for one in turn.play.choices.values()
        if one.open and one.number not in _secret_choices(turn)
    ]
    return rows or [line("choices.none")]


def _secret_choices(turn: Turn) -> set[int]:
    """Choices that a roll offered which this person may not know yet: that there is one tells how it came out."""
    hidden: set[int] = set()
    for act in turn.table.acts:
        roll = secret_of(act.events)
        if roll is None or not is_sealed(act, turn.table.ledger):
            continue
        readers = {"both": (act.actor, turn.play.gm), "gm": (turn.play.gm,), "me": (act.actor,)}[roll.secret or "both"]
        if turn.actor not in readers:
            hidden |= {event.choice for event in act.events if isinstance(event, ChoiceOffered)}
    return hidden


def _options(choice: Any, turn: Turn) -> list[Line]:
    label = rooms(turn.play.system, "tell")[-1].option_label
    return [line("choices.option", n=n, label=label(choice.kind, option)) for n, option in enumerate(choice.options, 1)]


def show_history(question: v.ShowHistory, turn: Turn) -> list[Line]:
    """The latest acts, oldest first, each with the number that `/undo` takes."""
    view = _view(turn)
    rows = []
    for act in turn.table.acts[-question.count :]:
        key = "history.undone" if act.undone else "history.row"
        time, what = turn.zone.minute(act.at)[11:], summary(act, view)
        rows.append(line(key, number=act.first, time=time, actor=view.person(act.actor), what=what[:1]))
    return rows or [line("history.none")]


# ---- odds and arithmetic


def show_odds(question: v.ShowOdds, turn: Turn) -> list[Line]:
    """Exact chances of a plain expression, or of what the rule system can roll."""
    if question.of == "roll" or DICE.fullmatch(question.expression):
        return _expression_odds(question)
    found: list[Line] = room(turn.play.system, "answer").odds(question, turn)
    return found


def odds_asked(question: v.ShowOdds, *verbs: str) -> Arguments:
    """What stands behind the roll that is asked about, which has to be one of `verbs`."""
    tokens, _ = tokenise(normalise(question.expression))
    arguments = Arguments(tokens)
    if not arguments.one_of(verbs):
        raise Refusal("bad_argument", "odds", got=question.expression)
    return arguments


def _expression_odds(question: v.ShowOdds) -> list[Line]:
    parsed = expression.parse(question.expression)
    chances = odds.expression_odds(parsed)
    mean = sum((total * chance for total, chance in chances.items()), Fraction(0))
    told = [
        line("odds.roll", label=question.expression, mean=f"{float(mean):.2f}", least=min(chances), most=max(chances))
    ]
    if question.target is not None:
        chance = sum((one for total, one in chances.items() if total >= question.target), Fraction(0))
        told.append(line("odds.target", label=question.expression, target=question.target, chance=percent(chance)))
    return told


def calculate(question: v.Calculate, turn: Turn) -> list[Line]:
    """Arithmetic alone; fractions are rounded down."""
    parsed = expression.parse(question.expression)
    if parsed.repeat > 1 or parsed.dice:
        raise Refusal("bad_argument", "calc_dice", got=question.expression)
    return [line("calc.result", label=question.expression, total=expression.throw(parsed, GivenFaces(())).total)]


ANSWER: dict[type, Callable[[Any, Turn], list[Line] | Reply]] = {
    v.ShowTable: show_table, v.Help: show_help, v.ShowHouseRules: show_house_rules, v.ListSessions: list_sessions,
    v.ListLogs: list_logs,
    v.ListCharacters: list_characters, v.ShowSheet: show_sheet, v.ShowChoices: show_choices,
    v.ShowHistory: show_history, v.ShowOdds: show_odds, v.Calculate: calculate,
    v.Export: export, v.ShowReplay: show_replay, v.ShowStats: show_stats,
}  # fmt: skip

# What shows, together with the sheets and the system's own, where the table stands.
BOARD: dict[str, Question] = {"choices": v.ShowChoices()}

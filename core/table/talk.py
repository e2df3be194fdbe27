"""What is made true about the table's talk: its logs, its lines, and who is forgotten.

Here: command + table -> facts, or a refusal. A line comes with its text and salt; what is stored of it is its digest.
Never: a sentence, and nothing about chats: which messages are talk is known where they come in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from core.decider import Turn, plays
from core.evolve import TalkLog
from core.grammar.spoken import out_of_character
from core.grammar.text import fold
from core.refusal import Refusal
from core.table import verbs as v
from events import types as e
from events.talk import digest

SALT = 16  # bytes
MAX_LOGS = 500  # of one table


def keep_talk(command: v.KeepTalk, turn: Turn) -> list[e.Event]:
    """Go on with the log that is paused, or with the one of that name; where there is none, begin one."""
    turn.require_gm()
    _check_quiet(turn)
    log = log_called(command.name, turn) if command.name else turn.table.ledger.log
    if log is None:
        return _opened(turn, "")
    return [e.LogResumed(number=log.number)]


def open_log(command: v.OpenLog, turn: Turn) -> list[e.Event]:
    turn.require_gm()
    _check_quiet(turn)
    logs = turn.table.ledger.logs
    if command.name and any(fold(command.name) in (fold(one.name), str(one.number)) for one in logs):
        raise Refusal("already_done", "log_name", name=command.name)
    return _opened(turn, command.name)


def _opened(turn: Turn, name: str) -> list[e.Event]:
    number = len(turn.table.ledger.logs) + 1
    if number > MAX_LOGS:
        raise Refusal("limit_reached", "logs", limit=MAX_LOGS)
    return [e.LogOpened(number=number, name=name)]


def pause_log(command: v.PauseLog, turn: Turn) -> list[e.Event]:
    """Anybody's of the table: it is their talk."""
    turn.require_player()
    log = turn.table.ledger.log
    if log is None or log.status != "running":
        raise Refusal("already_done", "log_off")
    return [e.LogPaused(number=log.number)]


def end_log(command: v.EndLog, turn: Turn) -> list[e.Event]:
    turn.require_gm()
    log = turn.table.ledger.log
    if log is None:
        raise Refusal("already_done", "log_off")
    return [e.LogEnded(number=log.number)]


def _check_quiet(turn: Turn) -> None:
    log = turn.table.ledger.log
    if log is not None and log.status == "running":
        raise Refusal("already_done", "log_runs", number=log.number)


def log_called(name: str, turn: Turn) -> TalkLog:
    """The log with this number, or of this name; else not_found."""
    logs = turn.table.ledger.logs
    number = number_called(name, {one.number: one.name for one in logs})
    if found := next((one for one in logs if one.number == number), None):
        return found
    if not logs:
        raise Refusal("not_found", "any_log", name=name)
    raise Refusal("not_found", "log", name=name, known=[one.name or str(one.number) for one in logs])


def number_called(name: str, logs: Mapping[int, str]) -> int | None:
    """The number of the log that is called so, by its number or its name, among number -> name; None: there is none."""
    numbers = {str(number): number for number in logs}
    return numbers.get(fold(name)) or next((one for one, called in logs.items() if fold(called) == fold(name)), None)


def speak(command: v.Speak, turn: Turn) -> list[e.Event]:
    active = turn.play.characters.get(turn.play.active.get(turn.actor, ""))
    character = active.name if active and not active.retired and plays(turn, active) else ""
    text, salt = command.text, turn.fresh[:SALT].hex()
    ooc = out_of_character(text)
    return [e.LineSpoken(character=character, ooc=ooc, digest=digest(salt, text), text=text, salt=salt)]


def edit_line(command: v.EditLine, turn: Turn) -> list[e.Event]:
    text, salt = command.text, turn.fresh[:SALT].hex()
    ooc = out_of_character(text)
    return [e.LineEdited(line=command.line, ooc=ooc, digest=digest(salt, text), text=text, salt=salt)]


def delete_line(command: v.DeleteLine, turn: Turn) -> list[e.Event]:
    return [e.LineDeleted(line=command.line)]


def forget_person(command: v.ForgetPerson, turn: Turn) -> list[e.Event]:
    return [e.PersonForgotten(person=command.person, lines=command.lines)]


DECIDE: dict[type, Callable[[Any, Turn], list[e.Event]]] = {
    v.KeepTalk: keep_talk, v.OpenLog: open_log, v.PauseLog: pause_log, v.EndLog: end_log,
    v.Speak: speak, v.EditLine: edit_line, v.DeleteLine: delete_line, v.ForgetPerson: forget_person,
}  # fmt: skip

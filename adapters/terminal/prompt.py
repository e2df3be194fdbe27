"""The terminal for a person: history, completion, colour, a line of state at the bottom.

Here: prompt_toolkit. Never: what a line means (wire.py, core), the sentences (words.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from shutil import get_terminal_size
from zlib import crc32

from prompt_toolkit import PromptSession, print_formatted_text
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText, StyleAndTextTuples
from prompt_toolkit.history import FileHistory
from prompt_toolkit.lexers import Lexer
from prompt_toolkit.utils import get_cwidth

from adapters.terminal import wire
from adapters.terminal.completion import offers
from adapters.terminal.play import Seat
from adapters.terminal.words import NO_SESSION, NO_TABLE, POOL, ROUND, SESSION, TURN
from core.decider import POOL as POOL_KEY
from core.evolve import Table
from core.language import Language, Phrase, language, say
from core.messages import Answer
from events.beside import MessageKey
from events.log import LogUnusable
from events.types import RollMade

LEAVE = ("exit", "quit", "退出")
PREFIXES = "/!.。！．／"  # leaving is no command of a chat, but is typed like one
SPEAKERS = ("ansicyan", "ansigreen", "ansiblue", "ansimagenta", "ansibrightcyan", "ansibrightgreen", "ansibrightblue")
OUTCOMES = {
    "critical_failure": "bold ansired", "dramatic_failure": "bold ansired", "failure": "ansired", "miss": "ansired",
    "weak_hit": "ansiyellow", "success": "ansigreen", "strong_hit": "bold ansigreen", "exceptional": "bold ansigreen",
}  # fmt: skip
SEPARATOR = " · "
MARK, REFUSED, PRIVATE = "bold ansiyellow", "ansired", "italic ansimagenta"


def converse(seat: Seat, speech: Language, history: Path) -> None:
    """Read lines until Ctrl-D, Ctrl-C on an empty line, or a word of leave."""
    history.touch(mode=0o600)  # what is typed in secret stays the player's
    session: PromptSession[str] = PromptSession(
        history=FileHistory(str(history)), completer=_Words(seat), complete_while_typing=False, lexer=_Speaker(),
        bottom_toolbar=lambda: toolbar(_table(seat), speech, seat.app.name, get_terminal_size().columns),
    )  # fmt: skip
    _show_unprinted(seat)
    while (typed := _line(session, seat.speaker)) is not None:
        for line in typed.splitlines() or [""]:  # a paste is many lines at once, of many speakers
            _answer(seat, line)


def _line(session: PromptSession[str], speaker: str) -> str | None:
    """The next line; None to leave. Ctrl-C throws away what was typed, or leaves where nothing was."""
    while True:
        try:
            line = session.prompt(f"{speaker}> ")
        except EOFError:
            return None
        except KeyboardInterrupt:
            if not session.default_buffer.text:
                return None
        else:
            return None if line.strip().lstrip(PREFIXES).casefold() in LEAVE else line


def _answer(seat: Seat, line: str) -> None:
    """Hear one line and print what it led to. A log that is full or held just now is told of, not left."""
    try:
        _, answers = seat.hear(line)
        show(answers, seat.app.name, seat.kept)
        seat.printed(answers)
    except LogUnusable as error:
        print_formatted_text(FormattedText([(REFUSED, str(error))]))


def _show_unprinted(seat: Seat) -> None:
    left = seat.unprinted()
    for one in left:
        for text in (*wire.letter_lines(one.letter, seat.app.name), *seat.kept(one.letter)):
            print_formatted_text(FormattedText(_coloured(text, "")))
    seat.sent(left)


def show(answers: Sequence[Answer], name: Callable[[str], str], kept: wire.Kept = lambda letter: []) -> None:
    for one in answers:
        style = REFUSED if one.error else outcome_style(one)
        for text in wire.as_text([one], name, kept):
            print_formatted_text(FormattedText(_coloured(text, style)))


def outcome_style(answer: Answer) -> str:
    """The colour of how the last roll of an answer came out; none where nothing was decided or it is secret."""
    rolls = [one.data for one in answer.events if isinstance(one.data, RollMade)]
    return OUTCOMES.get(rolls[-1].outcome or "", "") if rolls and not rolls[-1].secret else ""


def _coloured(text: str, style: str) -> StyleAndTextTuples:
    """A line in its colour, the Wild Card's mark in its own."""
    if text.startswith("[to "):
        style = PRIVATE
    before, *after = text.split("★")
    parts: StyleAndTextTuples = [(style, before)]
    for one in after:
        parts += [(MARK, "★"), (style, one)]
    return parts


def toolbar(table: Table | None, speech: Language, name: Callable[[str], str], columns: int = 80) -> str:
    """Title, session and, where the rule system has them, the fight and who holds how many Bennies.

    What finds no room in so many columns is left out, the Bennies first.
    """
    if table is None:
        return _cut(say(NO_TABLE, speech, {}), columns)
    play, speech = table.play, language(table.play.language)
    session: Phrase | str = NO_SESSION
    if play.session:
        session = say(SESSION, speech, {}).format(number=play.session.number)
    title, parts = play.title or table.id, [*_fight(play.rules, speech), say(session, speech, {})]
    purses = getattr(play.rules, "bennies", {})
    called = {POOL_KEY: say(POOL, speech, {})}
    if bennies := ", ".join(f"{called.get(holder) or name(holder)} {count}" for holder, count in purses.items()):
        parts.append(bennies)
    while parts and get_cwidth(SEPARATOR.join((title, *parts))) > columns:
        parts.pop()
    return _cut(SEPARATOR.join((title, *parts)), columns)


def _fight(rules: object, speech: Language) -> Iterator[str]:
    """The round and whose turn it is, while there is a fight."""
    fight = getattr(rules, "fight", None)
    if number := getattr(fight, "round", 0):
        yield say(ROUND, speech, {}).format(round=number)
    if turn := getattr(fight, "turn", ""):
        yield say(TURN, speech, {}).format(name=turn)


def _cut(text: str, columns: int) -> str:
    text = wire.plain(text)
    if get_cwidth(text) <= columns:
        return text
    while text and get_cwidth(text) >= columns:
        text = text[:-1]
    return f"{text}…"


def _table(seat: Seat) -> Table | None:
    return seat.app.table_at(MessageKey(wire.PLATFORM, seat.chat, ""))


class _Words(Completer):
    def __init__(self, seat: Seat) -> None:
        self.seat = seat

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:  # noqa: ARG002
        table = _table(self.seat) or Table("")
        for one in offers(document.text_before_cursor, table, self.seat.speaker, self.seat.app.name):
            yield Completion(one.text, -one.length, display_meta=one.says)


class _Speaker(Lexer):
    """Each speaker's name before the colon in a colour that stays theirs."""

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        return lambda number: speaker_coloured(document.lines[number])


def speaker_coloured(line: str) -> StyleAndTextTuples:
    named = None if line.lstrip().startswith(tuple(wire.PREFIXES)) else wire.NAMED.fullmatch(line)
    if named is None:
        return [("", line)]
    end = len(named[1])
    return [(SPEAKERS[crc32(named[1].strip().encode()) % len(SPEAKERS)], line[:end]), ("", line[end:])]

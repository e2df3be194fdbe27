"""Where a table stands after each act: what anybody at it could have asked, and only what is another than before.

Here: a table -> the parts of its board in both languages. Never: a secret (nobody asks, and is told what nobody may
know), a sentence of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from adapters.export.transcript import plain
from core.decider import Turn
from core.evolve import Table
from core.game import answer
from core.grammar.verb import Question
from core.language import Line, line
from core.registry import rooms
from core.render.letters import Voice
from core.table.state import Play
from core.table.tell import session_name
from core.table.verbs import ShowSheet

Both: TypeAlias = tuple[str, str]  # Chinese, English
NOTHING = ".none"  # how the key of an answer ends that says there is nothing to tell


class Board:
    """The board as it was looked at last; `people` are called by `names`."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._play = Play()
        self._parts: dict[str, Sequence[Line]] = {}

    def changes(self, table: Table) -> dict[str, Both | None]:
        """The parts that are another than at the last look, by their keys; null: there is no longer anything in it."""
        if table.play is self._play:
            return {}
        before, now = self._parts, dict(_parts(table, self._names))
        self._play, self._parts = table.play, now
        gone = {key: None for key in before if key not in now}
        new = (key for key, lines in now.items() if before.get(key) != lines)
        return {**gone, **{key: both(now[key], table.play.system) for key in new}}


def both(what: Sequence[object], system: str) -> Both:
    """Facts in both languages, a line each."""
    zh, en = (
        "\n".join(plain(text) for one in what for text in voice.say(one).split("\n") if text.strip())
        for voice in (Voice("zh", system), Voice("en", system))
    )
    return zh, en


def _parts(table: Table, names: Mapping[str, str]) -> Iterator[tuple[str, Sequence[Line]]]:
    turn = Turn(table=table, actor="", names=names, seed=None, fresh=b"")
    if where := _where(table.play):
        yield "where", where
    for one in table.play.characters.values():
        if not one.retired:
            yield f"sheet:{one.name}", answer(ShowSheet(name=one.name), turn)
    for key, question in _questions(table.play.system):
        told = answer(question, turn)
        if not told[0].key.endswith(NOTHING):
            yield key, told


def _questions(system: str) -> list[tuple[str, Question]]:
    """What is asked of the rule system, and then of every table."""
    return [one for room in reversed(rooms(system, "answer")) for one in room.BOARD.items()]


def _where(play: Play) -> list[Line]:
    session = [session_name(play.session.number, play.session.title)] if play.session else []
    scene = [line("scene.started", number=play.scene.number, title=play.scene.title)] if play.scene else []
    return [*session, *scene]

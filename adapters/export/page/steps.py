"""A record as the steps of a page: each act with what was heard in both languages, its rolls, and what it changed.

Here: acts -> Steps, one after the other. Never: markup, what a page looks like.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from adapters.export.extract import Extract
from adapters.export.page.board import Board, Both, both
from adapters.export.transcript import plain, said, said_at, told
from core.evolve import Table, replay
from core.language import Language, line
from core.record import Act, people
from core.registry import SYSTEMS, room
from core.telling import step as modifier_told
from events.log import EventLog
from events.types import CardDealt, Event, LineSpoken, RollMade

Names: TypeAlias = Mapping[str, str]
Kind: TypeAlias = Literal["talk", "roll", "aside", "system"]
SPEECHES: tuple[Language, ...] = ("zh", "en")


class Roll(Struct, frozen=True, omit_defaults=True):
    """What a page cannot read off the event `seq` by itself: names in both languages, and the rules at work."""

    seq: int
    label: Both
    outcome: Both | None = None
    modifiers: tuple[Both, ...] = ()
    rules: tuple[str, ...] = ()


class Step(Struct, frozen=True, omit_defaults=True):
    """One act. `en` is left out where it is `zh` word for word. `by` took it back.

    `board` are the parts that changed, null those that are gone; `bennies` who has how many, where that changed.
    """

    seq: int
    at: str
    person: str
    name: str
    kind: Kind
    zh: tuple[str, ...] = ()
    en: tuple[str, ...] = ()
    session: int = 0
    by: int | None = None
    rolls: tuple[Roll, ...] = ()
    board: dict[str, Both | None] = {}
    bennies: dict[str, int] | None = None


def steps(log: EventLog, extract: Extract, names: Names) -> Iterator[Step]:
    """The acts of an extract. What was taken back has no lines unless the extract shows it."""
    teller, table = _Teller(extract, names, people(extract.envelopes(log))), Table(extract.table)
    for act in extract.acts(log):
        before, table = table, replay(table, act.envelopes)
        if extract.session in (None, act.envelopes[0].session):
            yield teller.step(act, before, table)


class _Teller:
    """Turns acts into Steps; holds what the page was told last of the board and of Bennies.

    `joined` are ids that are another person's by now: whoever has two accounts speaks in one colour.
    """

    def __init__(self, extract: Extract, names: Names, joined: Names) -> None:
        self._extract, self._names, self._joined = extract, names, joined
        self._board = Board(names)
        self._bennies: dict[str, int] = {}

    def step(self, act: Act, before: Table, after: Table) -> Step:
        first, events = act.envelopes[0], [one.data for one in act.envelopes]
        name = plain(self._names.get(first.actor, first.actor))
        if isinstance(first.data, LineSpoken):
            name, *_ = said(first, self._names, "en")
        shown = act.by is None or self._extract.undone
        zh, en = self._lines(act, before, after) if shown else ((), ())
        person = self._joined.get(first.actor, first.actor)
        return Step(
            first.seq, plain(self._extract.zone.local(said_at(first))), person, name, kind_of(events),
            zh, () if zh == en else en, first.session or 0, act.by,
            rolls=() if act.hidden or not shown else _rolls(act, after.play.system),
            board={} if act.hidden else self._board.changes(after),
            bennies=None if act.hidden else self._purses(after.play.rules),
        )  # fmt: skip

    def _lines(self, act: Act, before: Table, after: Table) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if all(isinstance(one.data, LineSpoken) for one in act.envelopes):
            return self._said(act, "zh"), self._said(act, "en")
        heard = (told(act.envelopes, before, _in(after, speech), self._names, self._extract) for speech in SPEECHES)
        zh, en = (tuple(filter(str.strip, lines)) for lines in heard)
        return zh, en

    def _said(self, act: Act, speech: Language) -> tuple[str, ...]:
        return tuple(text for one in act.envelopes for text in said(one, self._names, speech)[1])

    def _purses(self, rules: Any) -> dict[str, int] | None:
        """Who has how many Bennies, if that is another than before; null in systems without them too."""
        now = getattr(rules, "bennies", {})
        if now == self._bennies:
            return None
        self._bennies = now
        return {plain(self._names.get(who, who)): count for who, count in now.items()}


def kind_of(events: Sequence[Event]) -> Kind:
    """Under which filter an act falls."""
    if any(isinstance(one, RollMade | CardDealt) for one in events):
        return "roll"
    spoken = [one for one in events if isinstance(one, LineSpoken)]
    if not spoken:
        return "system"
    return "aside" if spoken[0].ooc else "talk"


def _in(table: Table, speech: str) -> Table:
    """The table as if it spoke this language."""
    return replace(table, play=replace(table.play, language=speech))


def _rolls(act: Act, system: str) -> tuple[Roll, ...]:
    return tuple(_roll(one.seq, one.data, system) for one in act.envelopes if isinstance(one.data, RollMade))


def _roll(seq: int, roll: RollMade, system: str) -> Roll:
    label = line(f"{'move' if roll.kind == 'move' else 'trait'}.{roll.label}", name=roll.label)
    outcome = both([line(f"outcome.{roll.outcome}", name=roll.outcome)], system) if roll.outcome else None
    modifiers = tuple(both([modifier_told(one)], system) for one in roll.modifiers)
    rules = room(system, "rules").applied(roll) if system in SYSTEMS else ()
    return Roll(seq, both([label], system), outcome, modifiers, rules)

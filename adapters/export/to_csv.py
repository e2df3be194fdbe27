"""The rolls of a record as a table for spreadsheet programs: one row a roll.

Here: RollMade -> cells -> lines. Never: a roll that is still secret from whom the file is for; of it stands only that
it was made, as the table heard.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from adapters.export.extract import Extract
from adapters.export.transcript import plain
from adapters.export.words import CELLS, COLUMNS, SEALED
from core.language import Language, line, say
from core.record import Act
from core.vocabulary import phrase_book, verb_table
from core.zones import Zone
from events.envelope import Envelope
from events.log import EventLog
from events.types import Die, Modifier, RollMade

Cell: TypeAlias = str | int | None
MARK = "\ufeff"  # without it, spreadsheet programs take Chinese for something else
# What a spreadsheet program may take for a formula; our own mark of text too, so that it can be taken off again.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'")
TEXT = "'"


def lines(log: EventLog, extract: Extract, names: Mapping[str, str], speech: Language) -> Iterator[bytes]:
    """The file line by line, without line ends."""
    zone = extract.zone
    heads = [say(line(column, zone=zone.name), speech, COLUMNS) for column in COLUMNS]
    yield (MARK + row(heads)).encode()
    asked_for = extract.part(log)
    for act in extract.acts(log):
        if asked_for(act.envelopes[0]):
            for one in act.envelopes:
                if isinstance(one.data, RollMade):
                    yield row(_cells(one, one.data, act, names, speech, zone)).encode()


def row(cells: Sequence[Cell]) -> str:
    """One line: texts in quotes and none of them a formula, numbers as they are."""
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="").writerow([_safe(one) for one in cells])
    return out.getvalue()


def _safe(cell: Cell) -> str | int:
    if isinstance(cell, int):
        return cell
    text = plain(cell or "")
    return f"{TEXT}{text}" if text.startswith(FORMULA) else text


def _cells(
    one: Envelope, roll: RollMade, act: Act, names: Mapping[str, str], speech: Language, zone: Zone
) -> list[Cell]:
    """In the order of COLUMNS."""
    told: dict[str, Cell] = {
        "seq": one.seq, "at": zone.local(one.at)[:19].replace("T", " "), "session": one.session,
        "person": names.get(one.actor, one.actor), "character": names.get(roll.character, roll.character),
        "undone": act.by,
    }  # fmt: skip
    known = {"secret": say(SEALED, speech, {})} if act.hidden else _known(roll, speech)
    return [{**told, **known}.get(column) for column in COLUMNS]


def _known(roll: RollMade, speech: Language) -> dict[str, Cell]:
    book = {**CELLS, **phrase_book(roll.system)}

    def word(group: str, name: str | None) -> str | None:
        return name and say(line(f"{group}.{name}", name=name), speech, book)

    return {
        "kind": _verb(roll, speech) or word("kind", roll.kind),
        "label": word("move" if roll.kind == "move" else "trait", roll.label),
        "dice": "; ".join(map(_dice, roll.dice)),
        "modifiers": "; ".join(_modifier(one, word("step", one.name)) for one in roll.modifiers),
        "modifier": roll.modifier, "target": roll.target, "results": " ".join(map(str, roll.results)),
        "rolled": roll.rolled_total, "total": roll.total, "outcome": word("outcome", roll.outcome),
        "raises": roll.raises, "successes": roll.successes, "reroll_of": roll.reroll_of, "roll": roll.roll,
        "source": word("source", roll.source), "secret": word("secret", roll.secret),
        "comment": roll.comment if isinstance(roll.comment, str) else None,
    }  # fmt: skip


def _verb(roll: RollMade, speech: Language) -> str | None:
    """The verb that rolls so, as people type it."""
    return next((verb.called(speech) for verb in verb_table(roll.system).verbs if verb.name == roll.kind), None)


def _dice(die: Die) -> str:
    return f"d{die.sides}: {' '.join(map(str, die.faces))}"


def _modifier(modifier: Modifier, name: str | None) -> str:
    return f"{modifier.value:+d} {name or ''}".strip()

"""Everything that a log holds about one person, as one JSON object: for that person to have.

Here: names, accounts, letters and acts of theirs. Never: what is still secret from them, or what others did and said.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.json import encode
from msgspec.structs import replace

from adapters.export.tables import title_of
from core.evolve import Table, replay
from core.grammar.text import fold
from core.record import people
from core.secrecy import Role, Withheld, withheld
from events import talk
from events.beside import FORGOTTEN
from events.codec import decode
from events.envelope import Envelope
from events.log import EventLog
from events.types import RollMade


class WhichPerson(Exception):
    """Nobody is called so, or more than one; str() says who there is."""


def person_named(log: EventLog, name: str) -> str:
    """The person with this id or this name. Else WhichPerson."""
    names = log.names()
    if name in names or log.accounts(name):
        return name
    found = [person for person, called in names.items() if called != FORGOTTEN and fold(called) == fold(name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise WhichPerson(f"More than one person is called {name}; say --person with one of: {', '.join(found)}.")
    raise WhichPerson(f"Nobody in this log is called {name}.")


def lines(log: EventLog, person: str) -> Iterator[bytes]:
    """The object line by line, without line ends: an event is a line, of long records a few are in memory."""
    yield b'{"person":' + encode(person) + b","
    yield b'"name":' + encode(log.names().get(person, "")) + b","
    yield b'"accounts":' + encode([{"platform": one.platform, "id": one.id} for one in log.accounts(person)]) + b","
    letters = [{"platform": one.platform, "text": one.letter.text} for one in log.written_to(person)]
    yield b'"letters":' + encode(letters) + b","
    yield b'"tables":['
    separator = b""
    for table in log.tables():
        for first, line in enumerate(_table(log, table, person)):
            yield separator + line if first == 0 else line
            separator = b","
    yield b"]}"


def _table(log: EventLog, table: str, person: str) -> Iterator[bytes]:
    """Nothing of a table where this person did nothing."""
    now = replay(Table(table), map(decode, log.read(table)))
    others = people(map(decode, log.read(table)))
    theirs = {person, *(was for was, one in others.items() if one == person)}
    hidden = _hidden(log, now, theirs)
    separator = b""
    for one in talk.recorded(log, table):
        if one.actor in theirs:
            yield (separator or _head(log, now, person)) + encode(_shown(one, hidden))
            separator = b","
    if separator:
        yield b"]}"


def _head(log: EventLog, table: Table, person: str) -> bytes:
    own = [one.name for one in table.play.characters.values() if one.owner == person]
    about = encode({"table": table.id, "title": title_of(log, table.id), "characters": own})
    return about[:-1] + b',"events":['


def _hidden(log: EventLog, table: Table, theirs: set[str]) -> Withheld:
    """What is still secret from these: a roller sees what is no blind roll."""
    role: Role = "gm" if table.play.gm in theirs else "player"
    own = {
        one.cause
        for one in map(decode, log.read(table.id))
        if one.actor in theirs and isinstance(one.data, RollMade) and one.data.secret in ("both", "me")
    }
    found = withheld(map(decode, log.read(table.id)), role)
    return replace(found, causes=found.causes - own)


def _shown(one: Envelope, hidden: Withheld) -> Any:
    return {"seq": one.seq, "at": one.at, "sealed": True} if hidden.hides(one) else one

"""Facts, answers and refusals as letters: who is told what, in the table's language.

Here: text is made, from Lines and the phrase book. Never: a platform's markup, escaping or length limit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.evolve import Table
from core.language import Language, Line, Phrase, language, line, say
from core.refusal import Refusal
from core.registry import rooms
from core.table.tell import head
from core.telling import secret_of, tell, view_of
from core.vocabulary import phrase_book
from events.beside import Letter
from events.types import ChoiceOffered, Event, RollMade, SeedRevealed, SessionEnded, SessionStarted

TABLE = "table"
MOST_QUOTED = 64  # characters of what somebody wrote that a refusal repeats
TERMS = ("what", "trait", "system")  # facts of a refusal that have names of their own


def text(lines: Sequence[Line], speech: Language) -> str:
    return "\n".join(say(one, speech, phrase_book()) for one in lines)


def of_events(events: Sequence[Event], before: Table, after: Table, names: Mapping[str, str]) -> tuple[Letter, ...]:
    """What the table hears of these facts, and who hears of a secret roll in private."""
    speech, view = language(after.play.language), view_of(after, names)
    closing = [head(view)] if any(isinstance(event, SessionStarted | SessionEnded) for event in events) else []
    told = text([*tell(events, before.play, view), *closing], speech)
    secret = secret_of(events)
    if secret is None:
        opened = _opened_secrets(events, before, names, speech)
        return (Letter(TABLE, "\n".join((told, *opened)), _choices(events, after, speech)),)
    public = Letter(TABLE, text([line("secret.rolled", name=view.name(secret.character))], speech))
    private = text([line("secret.private")], speech) + "\n" + told
    readers = _readers(secret, before)
    return (public, *(Letter(person, private, _choices(events, after, speech)) for person in readers))


def _readers(secret: RollMade, table: Table) -> tuple[str, ...]:
    """Roller and GM, the GM alone (a blind roll), or the roller alone; each once."""
    gm, roller = table.play.gm, table.play.owner_of(secret.character)
    by_kind = {"both": (roller, gm), "gm": (gm,), "me": (roller,)}
    return tuple(dict.fromkeys(by_kind[secret.secret or "both"]))


def _opened_secrets(events: Sequence[Event], before: Table, names: Mapping[str, str], speech: Language) -> list[str]:
    """With the seed the secret rolls of its period are open to anybody, so the table hears them all."""
    if not any(isinstance(event, SeedRevealed) for event in events):
        return []
    return [text(tell([roll], before.play, view_of(before, names)), speech) for roll in before.ledger.sealed]


def _choices(events: Sequence[Event], table: Table, speech: Language) -> tuple[tuple[int, str], ...]:
    """The options of the last choice offered, numbered from 1."""
    offered = next((event for event in reversed(events) if isinstance(event, ChoiceOffered)), None)
    if offered is None:
        return ()
    label = rooms(table.play.system, "tell")[-1].option_label
    named = (say(label(offered.kind, option), speech, phrase_book()) for option in offered.options)
    return tuple(enumerate(named, 1))


def of_refusal(refusal: Refusal, speech: Language, example: str = "") -> str:
    """The one friendly sentence of a refusal. `example` shows the verb that was tried."""
    book = phrase_book()
    facts = {name: _shown(name, fact) for name, fact in refusal.facts.items()}
    return say(line(refusal.key, **{"example": example, **facts}), speech, book)


def _shown(name: str, fact: object) -> object:
    """A fact of a refusal as its sentence shows it: terms by their names, long quotations cut, an empty list said."""
    if isinstance(fact, str):
        return line(f"{name}.{fact}", name=_cut(fact)) if name in TERMS else _cut(fact)
    if isinstance(fact, Sequence) and not isinstance(fact, Phrase):
        return [_shown("", one) for one in fact] or line("nobody")
    return fact


def _cut(text: str) -> str:
    return text if len(text) <= MOST_QUOTED else f"{text[:MOST_QUOTED]}…"

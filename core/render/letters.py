"""Facts, answers and refusals as letters: who is told what, in the table's language.

Here: text is made, from Lines and the phrase book. Never: a platform's markup, escaping or length limit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from core.evolve import Table
from core.language import SIGNS, Language, Line, Phrase, Signs, language, line, say
from core.refusal import Refusal
from core.registry import rooms
from core.table.tell import head
from core.telling import Reply, View, hidden_roll, tell, view_of
from core.vocabulary import phrase_book
from events.beside import TABLE, Letter, Offer
from events.types import ChoiceOffered, Event, PeriodOpened, RollMade, SeedRevealed, SessionEnded, SessionStarted

MOST_QUOTED = 64  # characters of what somebody wrote that a refusal repeats
TERMS = ("expected", "what", "trait", "system", "condition")  # facts of a refusal that have names of their own


class Voice(NamedTuple):
    """In which language, and with the words of which rule system, things are said; `sign` begins a command there."""

    speech: Language
    system: str
    sign: Signs = SIGNS

    def say(self, what: object) -> str:
        return say(what, self.speech, phrase_book(self.system), self.sign)

    def text(self, lines: Sequence[Line]) -> str:
        """Each Line on a line of its own."""
        return "\n".join(map(self.say, lines))


def voice_of(table: Table, sign: Signs = SIGNS) -> Voice:
    return Voice(language(table.play.language), table.play.system, sign)


def of_events(
    events: Sequence[Event], before: Table, after: Table, names: Mapping[str, str], actor: str, sign: Signs = SIGNS,
    command: str = "",
) -> tuple[Letter, ...]:
    """What the table hears of these facts by `actor`, and who hears of a secret roll in private.

    `command` is the line that led to them: a button under a roll says it again.
    """
    voice, view = voice_of(after, sign), view_of(after, names)
    closing = [head(view)] if any(map(_tells_head, events)) else []
    told = voice.text([*tell(events, before.play, view), *_opened_secrets(events, before, view), *closing])
    secret = hidden_roll(events, before.acts, before.ledger)
    if secret is None:
        offers = _offers(events, after, actor, command, voice)
        return (Letter(TABLE, told, _choices(events, after, voice), offers), *_for_gm(events, after, view, voice))
    public = Letter(TABLE, voice.say(line("secret.rolled", name=view.name(secret.character))))
    private = voice.say(line(f"secret.for_{secret.secret}")) + "\n" + told
    readers = _readers(secret, before.play.gm, actor)
    return (public, *(Letter(person, private, _choices(events, after, voice)) for person in readers))


def _tells_head(event: Event) -> bool:
    """Whether the chat is told where the record stands, as a copy of its end outside the log."""
    restored = isinstance(event, PeriodOpened) and event.reason == "restored"
    return restored or isinstance(event, SessionStarted | SessionEnded)


def of_reply(reply: Reply, voice: Voice, asker: str, name: str) -> tuple[Letter, ...]:
    """What somebody asked for, with its file. What is for the asker alone (called `name`) the table hears only of."""
    told = Letter(TABLE, voice.text(reply.lines), attached=reply.attached)
    if not reply.private:
        return (told,)
    return (Letter(TABLE, voice.say(line("answer.private", name=name))), replace(told, to=asker))


def _for_gm(events: Sequence[Event], table: Table, view: View, voice: Voice) -> tuple[Letter, ...]:
    """What the GM alone hears of these facts: the target of an extended action that the table may not know."""
    private = getattr(rooms(table.play.system, "tell")[-1], "TELL_GM", {})
    told = [told for event in events if type(event) in private for told in private[type(event)](event, view)]
    return (Letter(table.play.gm, voice.text(told)),) if told else ()


def _readers(secret: RollMade, gm: str, roller: str) -> tuple[str, ...]:
    """Roller and GM, the GM alone (a blind roll), or the roller alone; each once."""
    by_kind = {"both": (roller, gm), "gm": (gm,), "me": (roller,)}
    return tuple(dict.fromkeys(by_kind[secret.secret or "both"]))


def _opened_secrets(events: Sequence[Event], before: Table, view: View) -> list[Line]:
    """With the seed the secret rolls of its period are open to anybody, so the table hears them all."""
    sealed = before.ledger.sealed
    if not sealed or not any(isinstance(event, SeedRevealed) for event in events):
        return []
    return [line("secret.opened"), *tell(sealed, before.play, replace(view, acts=before.acts))]


def _choices(events: Sequence[Event], table: Table, voice: Voice) -> tuple[tuple[int, str], ...]:
    """The options of the last choice offered, numbered from 1."""
    offered = next((event for event in reversed(events) if isinstance(event, ChoiceOffered)), None)
    if offered is None:
        return ()
    label = rooms(table.play.system, "tell")[-1].option_label
    named = (voice.say(label(offered.kind, option)) for option in offered.options)
    return tuple(enumerate(named, 1))


def _offers(events: Sequence[Event], table: Table, actor: str, command: str, voice: Voice) -> tuple[Offer, ...]:
    """The buttons under one open roll of fair dice; a press counts if it is the roller's."""
    rolls = [event for event in events if isinstance(event, RollMade)]
    if len(rolls) != 1 or rolls[0].source != "fair" or not command:
        return ()
    for room in reversed(rooms(table.play.system, "tell")):
        if buttons := room.BUTTONS.get(rolls[0].kind):
            found = buttons(rolls[0], table.play, command)
            return tuple(Offer(one.sign, voice.say(one.label), f"/{one.command}", actor) for one in found)
    return ()


def of_refusal(refusal: Refusal, voice: Voice, example: str = "") -> str:
    """The one friendly sentence of a refusal. `example` shows the verb that was tried."""
    facts = {name: _shown(name, fact) for name, fact in refusal.facts.items()}
    return voice.say(line(refusal.key, **{"example": example, **facts}))


def _shown(name: str, fact: object) -> object:
    """A fact of a refusal as its sentence shows it: terms by their names, long quotations cut, an empty list said."""
    if isinstance(fact, str):
        return line(f"{name}.{fact}", name=_cut(fact)) if name in TERMS else _cut(fact)
    if isinstance(fact, Sequence) and not isinstance(fact, Phrase):
        return [_shown(name if name == "expected" else "", one) for one in fact] or line("nobody")
    return fact


def _cut(text: str) -> str:
    return text if len(text) <= MOST_QUOTED else f"{text[:MOST_QUOTED]}…"

"""What a foreign log must keep to before a table of ours is made of it.

Here: the limits of the program itself, and a dry run: every act replayed and told, every verb tried at its end.
Never: the chain, seeds and dice (core/verify.py), files, the log. What this lets through cannot bring down `play`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from core.decider import Turn
from core.evolve import Table, evolve
from core.game import answer, decide
from core.grammar import spoken
from core.grammar.parse import parse
from core.grammar.text import BIDI, MAX_MESSAGE, check_name
from core.grammar.verb import Question
from core.refusal import Refusal
from core.registry import SYSTEMS, room
from core.render import letters
from core.table.decide import MAX_CHARACTERS, MAX_TRAITS, option_named
from core.table.verbs import MAX_LUCK, MAX_TITLE
from core.vocabulary import verb_table
from events import types as e
from events.beside import Said
from events.codec import UnreadableEvent, decode
from events.envelope import Envelope, Stored

MOST_IN_ACT = 500  # events of one command
MOST_LUCK_LINES = 100  # in one seed period
MOST_ID = 255  # characters of a person's id or a table's
MOST_CAUSE = 1000
MOST_TEXT = {"working": 100_000}  # the faces of a thousand dice; of any other text MAX_MESSAGE
MOST_COUNT = 2**31  # of anything counted …
MOST_AMOUNT = 10**15  # … but what dice give may be more
AMOUNTS = frozenset({"total", "rolled_total", "results", "elapsed_s", "every_s"})
MOST_LAID_AGAIN = 1_000_000  # events that all undos together lay on again: seconds, not hours
AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
# What may hide something: an escape in the JSON other than of quote and backslash, and control marks as they stand.
SUSPICIOUS = re.compile(r'\\[^"\\/]|[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]')


class Unacceptable(Exception):
    """Event `seq` is none that this program could have written, or could live with; `why` is a clause in English."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(seq, why)
        self.seq, self.why = seq, why


class Vetting:
    """Looks at a table's events one after the other, from the first. `names` are what people are called here."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.table, self.before = Table(""), Table("")
        self._names = names
        self._act: list[Envelope] = []
        self._laid_again = 0

    def take(self, stored: Stored) -> None:
        """The next event. Unacceptable: see there."""
        try:
            self._take(decode(stored), stored)
        except UnreadableEvent as flaw:
            raise Unacceptable(stored.seq, flaw.reason) from flaw
        except Refusal as refusal:
            raise Unacceptable(stored.seq, f"it has a value that is not allowed ({refusal.key})") from refusal

    def heard(self, said: Said) -> Said:
        """What was said, if it is kept in the way in which we keep it."""
        if spoken.kept(said.text) != said.text:
            raise Unacceptable(said.seq, "what was said is not kept in this way")
        return said

    def end(self) -> None:
        """After the last one: the table must be able to play on."""
        self._tell()
        if self.table.opened:
            self._try_verbs()

    def _take(self, envelope: Envelope, stored: Stored) -> None:
        if not self.table.opened:
            self.table = self.before = Table(envelope.table)
            self._begin(envelope)
        if self._act and self._act[0].cause != envelope.cause:
            self._tell()
        self._act.append(envelope)
        check_envelope(envelope, stored)
        self._check_fits(envelope)
        try:
            self.table = evolve(self.table, envelope)
        except Exception as flaw:
            raise Unacceptable(envelope.seq, f"it cannot be replayed ({type(flaw).__name__})") from flaw

    def _begin(self, envelope: Envelope) -> None:
        table = envelope.table
        if not table or table != table.strip() or not table.isprintable() or len(table) > MOST_ID:
            raise Unacceptable(envelope.seq, "its table's id is none")
        if isinstance(envelope.data, e.TableOpened) and envelope.data.system not in SYSTEMS:
            raise Unacceptable(envelope.seq, "its rule system is not known here")

    def _check_fits(self, envelope: Envelope) -> None:
        """What an event may be depends on the table before it."""
        seq, event, play = envelope.seq, envelope.data, self.table.play
        if envelope.table != self.table.id:
            raise Unacceptable(seq, "it is of another table")
        if len(self._act) > MOST_IN_ACT:
            raise Unacceptable(seq, f"its act has more than {MOST_IN_ACT} events")
        match event:
            case e.LuckAdded() if len(self.table.ledger.luck) >= MOST_LUCK_LINES:
                raise Unacceptable(seq, f"its seed period has more than {MOST_LUCK_LINES} lines of luck")
            case e.HouseRuleSet():
                check_house_rule(seq, event, play.system)
            case e.CharacterAdded() if len(play.characters) >= MAX_CHARACTERS:
                raise Unacceptable(seq, f"its table has more than {MAX_CHARACTERS} characters")
            case e.TraitSet():
                self._check_trait(seq, event)
            case e.Undone():
                self._check_undo(seq, event)

    def _check_trait(self, seq: int, event: e.TraitSet) -> None:
        """The sheet's value is of the kind that the rules make of such a text."""
        sheet = self.table.play.characters.get(event.character)
        if sheet is None:
            raise Unacceptable(seq, "its character is not at the table")
        if event.trait not in sheet.traits and len(sheet.traits) >= MAX_TRAITS:
            raise Unacceptable(seq, f"its sheet has more than {MAX_TRAITS} entries")
        rules = room(self.table.play.system, "rules")
        value = rules.trait_value(event.trait, str(event.value), "=", {})
        if type(value) is not type(event.value):
            raise Unacceptable(seq, "its value is no value of this trait")

    def _check_undo(self, seq: int, event: e.Undone) -> None:
        self._laid_again += sum(len(act.events) for act in self.table.acts if act.first >= event.event)
        if self._laid_again > MOST_LAID_AGAIN:
            raise Unacceptable(seq, "there are too many undos to replay")

    def _tell(self) -> None:
        """The act that ends here, as the chat would hear it."""
        act, before, self.before, self._act = self._act, self.before, self.table, []
        if not act:
            return
        try:
            letters.of_events([one.data for one in act], before, self.table, self._names, act[0].actor)
        except Exception as flaw:
            raise Unacceptable(act[0].seq, f"it cannot be told ({type(flaw).__name__})") from flaw

    def _try_verbs(self) -> None:
        """The example of every verb by the GM and by a player: refused or not, none of it may fail."""
        play, seed = self.table.play, bytes(32)
        turn = Turn(table=self.table, actor=play.gm, names=self._names, seed=seed, fresh=seed)
        for actor in (play.gm, *play.players[:1]):
            for line in _examples(play.system):
                try:
                    _tried(line, replace(turn, actor=actor))
                except Refusal:
                    continue
                except Exception as flaw:
                    why = f"the table that it leaves cannot be played on ({line.split()[0]}: {type(flaw).__name__})"
                    raise Unacceptable(self.table.ledger.seq, why) from flaw


def _examples(system: str) -> Iterator[str]:
    for verb in verb_table(system).verbs:
        yield verb.name
        yield verb.example.en


def _tried(line: str, turn: Turn) -> None:
    command = parse(line, verb_table(turn.play.system)).command
    if isinstance(command, Question):
        letters.voice_of(turn.table).text(answer(command, turn))
    elif type(command) in _decided(turn.play.system):
        events = decide(command, turn)
        letters.of_events(events, turn.table, replace(turn.table, play=turn.after(events).play), turn.names, turn.actor)


def _decided(system: str) -> frozenset[type]:
    """The commands that a table decides; the app itself carries out the others."""
    return frozenset((*room("", "decide").DECIDE, *room(system, "decide").DECIDE))


# ---- one event by itself


def check_envelope(envelope: Envelope, stored: Stored) -> None:
    """Sizes, numbers, times and characters, as the program itself writes them. Unacceptable: see there."""
    seq = envelope.seq
    if not AT.fullmatch(envelope.at) or not _is_time(envelope.at):
        raise Unacceptable(seq, "its time is not written like 2026-11-30T05:00:00.000Z")
    if len(envelope.actor) > MOST_ID or len(envelope.cause) > MOST_CAUSE:
        raise Unacceptable(seq, "its actor or cause is too long")
    if envelope.session is not None and not 0 <= envelope.session < MOST_COUNT:
        raise Unacceptable(seq, "its session has no such number")
    if SUSPICIOUS.search(stored.body.decode("utf-8", "replace")):
        _check_characters(envelope)
    for name, value in _values("", to_builtins(envelope.data)):
        _check_size(seq, name, value)
    _check_known(seq, envelope.data)


def check_house_rule(seq: int, event: e.HouseRuleSet, system: str) -> None:
    """A rule of this system with a value that it allows, as it is kept; a Refusal says which not."""
    option = option_named(system, event.key)
    if (option.key, option.read(event.value)) != (event.key, event.value):
        raise Unacceptable(seq, "its house rule is not kept in this way")


def _check_known(seq: int, event: e.Event) -> None:
    match event:
        case e.TableOpened() | e.SessionStarted() | e.SceneStarted() if len(event.title) > MAX_TITLE:
            raise Unacceptable(seq, f"its title has more than {MAX_TITLE} characters")
        case e.LuckAdded() if len(event.text) > MAX_LUCK:
            raise Unacceptable(seq, f"its luck has more than {MAX_LUCK} characters")
        case e.CharacterAdded() if check_name(event.character) != event.character:
            raise Unacceptable(seq, "its character's name is none")
        case (
            e.PlayerJoined() | e.GmNamed() | e.TableOpened() | e.CharacterActivated() | e.CharacterAdded()
            | e.AccountLinked()
        ):  # fmt: skip
            people = (getattr(event, name, "") for name in ("player", "gm", "was", "owner", "person"))
            if any(isinstance(one, str) and len(one) > MOST_ID for one in people):
                raise Unacceptable(seq, "it names somebody by too long an id")


def _is_time(at: str) -> bool:
    try:
        datetime.fromisoformat(at)
    except ValueError:
        return False
    return True


def _check_characters(envelope: Envelope) -> None:
    for name, value in _values("", to_builtins(envelope)):
        for text in (name, value):
            if isinstance(text, str) and any(map(_hides, text)):
                raise Unacceptable(envelope.seq, "there are control characters in its text")


def _hides(sign: str) -> bool:
    return sign in BIDI or (unicodedata.category(sign) in ("Cc", "Cs") and sign != "\t")


def _check_size(seq: int, name: str, value: str | int | None) -> None:
    if isinstance(value, str) and len(value) > MOST_TEXT.get(name, MAX_MESSAGE):
        raise Unacceptable(seq, f"its {name} is too long")
    if isinstance(value, int) and abs(value) >= (MOST_AMOUNT if name in AMOUNTS else MOST_COUNT):
        raise Unacceptable(seq, f"its {name} is too large a number")


def _values(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Every text and number in it, with the name of its field; keys of mappings stand for themselves."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _values(str(key), one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _values(name, one)
    else:
        yield name, value

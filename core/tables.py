"""The tables of a log, and commands carried out on them: load, decide, seal, evolve, render; all but the append.

Here: a command as an Outcome, a question as what is Told; `settle` alone appends, at a table that nobody is asking.
Never: a rule, a sentence, a platform.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from core.decider import Turn
from core.evolve import Table, replay
from core.game import decide, reply
from core.grammar.verb import Command, Question
from core.language import Language, Signs, language, language_of
from core.messages import Incoming, manner
from core.refusal import Refusal
from core.render import letters
from core.render.letters import Voice
from core.snapshot import restored, taken
from core.table.decide import reopen
from core.telling import called
from core.zones import UTC_ALONE, Zones
from events import chain, codec, talk
from events.beside import FORGOTTEN, TABLE, Account, Beside, Letter, MessageKey, Parcel, Receipt, Standing
from events.envelope import Envelope, Head, Stored
from events.log import Conflict, EventLog, LogUnusable
from events.types import Event, PeriodOpened, SeedRevealed, SessionStarted, TableOpened

MOST_TABLES = 256  # held in memory
WORTH_A_SNAPSHOT = 500  # events laid on one after another when a table was opened
TRIES = 20  # another process may write to the same table between our look and our append


class Outcome(Struct, frozen=True, gc=False):
    """A command carried out but not yet stored: its events, the table after them, what is kept beside.

    `told` gives what they say, for a platform on which this sign begins a command; `aside` is said behind it, but only
    where the command was.
    """

    table: Table
    sealed: tuple[Stored, ...]
    events: tuple[Envelope, ...]
    told: Callable[[Signs], tuple[Letter, ...]]
    beside: Beside
    aside: str = ""


class Told(Struct, frozen=True, gc=False):
    """What leads to no event: the receipt of an answer, and what is kept beside with it."""

    receipt: Receipt
    beside: Beside = Beside()


class Tables:
    """`clock`, `entropy`, `schema` and `zones`: see App."""

    def __init__(
        self, log: EventLog, clock: Callable[[], str], entropy: Callable[[int], bytes], language: Language,
        schema: str = "", zones: Zones = UTC_ALONE,
    ) -> None:  # fmt: skip
        self.log, self.clock, self.entropy, self.language = log, clock, entropy, language
        self.names: dict[str, str] = {}
        self.forgotten: frozenset[str] = frozenset()
        self.meet()
        self.schema, self.zones = schema, zones
        self._tables: dict[str, Table] = {}  # the one that was played at last stands last
        self._seeds: dict[str, tuple[int, bytes]] = {}  # of the period of each table in which dice fell last

    def table(self, name: str, seq: int | None = None) -> Table:
        """The table as its log stands now; `seq`: where it stands is known already."""
        held = self._tables.get(name)
        if held is not None and held.ledger.seq == seq:
            self.keep(held)
            return held
        before = held or self._restored(name) or Table(name)
        table = replay(before, map(codec.decode, self.log.read(name, after=before.ledger.seq)))
        self.keep(table)
        if table.ledger.seq - before.ledger.seq >= WORTH_A_SNAPSHOT:
            self._take_snapshot(table)
        if table.ledger.forgotten != before.ledger.forgotten or self._has_strangers(table, before):
            self.meet()  # another process may have forgotten them, or met them
        return table

    def _has_strangers(self, table: Table, before: Table) -> bool:
        """Whether others have written to the table, and somebody is there whose name is not known here."""
        if table.ledger.seq == before.ledger.seq:
            return False
        return not self.names.keys() >= {table.play.gm, *table.play.players}

    def meet(self) -> None:
        """Who is called what, as the log says now."""
        found = self.log.names()
        self.names = {person: name for person, name in found.items() if name != FORGOTTEN}
        self.forgotten = frozenset(found.keys() - self.names.keys())

    def at(self, key: MessageKey) -> Table | None:
        """The table that is open in this chat."""
        return self.open_at(self.log.standing(key))

    def open_at(self, standing: Standing) -> Table | None:
        """The table that is open in the chat of a message that meets this."""
        return None if standing.table is None else self.table(standing.table, standing.seq)

    def keep(self, table: Table) -> None:
        """The table as it is now that its events are stored. One that nobody has played at for long is let go."""
        self._tables.pop(table.id, None)
        self._tables[table.id] = table
        if len(self._tables) > MOST_TABLES:
            del self._tables[next(iter(self._tables))]

    def _restored(self, name: str) -> Table | None:
        kept = self.log.snapshot(name) if self.schema else None
        return None if kept is None else restored(kept, self.schema, name, partial(self.log.read, name))

    def _take_snapshot(self, table: Table) -> None:
        """A log that cannot be written does without."""
        if self.schema:
            with suppress(LogUnusable):
                self.log.keep_snapshot(table.id, taken(table, self.schema))

    def person(self, platform: str, account: str) -> str:
        """The opaque id of whoever has this account on a platform; made when first asked for."""
        return self.log.person(Account(platform, account), f"p{self.entropy(8).hex()}")

    def name(self, person: str) -> str:
        """What a person is called; an id without a name is its own."""
        return self.names.get(person, person)

    def turn(self, incoming: Incoming, table: Table) -> Turn:
        speech = self.speech(table, incoming.text)
        return Turn(
            table=table, actor=incoming.person, names=self._names(incoming, speech), seed=self._seed(table),
            fresh=self.entropy(32), language=speech, record=lambda: self._record(table), zones=self.zones,
        )  # fmt: skip

    def _names(self, incoming: Incoming, speech: Language) -> Mapping[str, str]:
        """What people are called: who speaks as the message says, a word for those who are forgotten."""
        if not self.forgotten and self.names.get(incoming.person) == incoming.name:
            return self.names
        forgotten = called(dict.fromkeys(self.forgotten, FORGOTTEN), speech)
        return ChainMap({incoming.person: incoming.name}, self.names, forgotten)

    def _seed(self, table: Table) -> bytes | None:
        """Of the open period. It stays what it is until the period is closed, so it is asked for once."""
        period, seed = self._seeds.get(table.id, (0, None))
        if period != table.ledger.period:
            seed = self.log.seed(table.id, table.ledger.period) if table.opened else None
        if seed is not None:
            self._seeds[table.id] = table.ledger.period, seed
        return seed

    def _record(self, table: Table) -> Iterable[Envelope]:
        """All that led to the table as it stands in this turn."""
        return map(codec.decode, self.log.read(table.id, to=table.ledger.seq))

    def speech(self, table: Table | None, text: str) -> Language:
        """The table's language; where there is none, that of the text."""
        if table is not None and table.opened:
            return language(table.play.language)
        return "zh" if language_of(text) == "zh" else self.language

    def voice(self, incoming: Incoming, table: Table | None) -> Voice:
        """In which an answer to this message is given."""
        system = table.play.system if table else ""
        return Voice(self.speech(table, incoming.text), system, manner(incoming.key.platform).sign)

    def say(self, table: Table | None, text: str, beside: Beside = Beside()) -> Told:
        """A text for everybody in the chat."""
        return Told(Receipt(table.id if table and table.opened else "", 1, 0, None, (Letter(TABLE, text),)), beside)

    def answered(self, question: Question, turn: Turn, incoming: Incoming) -> Told:
        """What somebody asked for; for the asker alone, if it is, and not in a chat that is the asker's own anyway."""
        given, voice = reply(question, turn), self.voice(incoming, turn.table)
        told = letters.of_reply(given, voice, incoming.person, incoming.name)
        if incoming.key.chat == incoming.person:
            told = (replace(told[-1], to=TABLE),)
        return Told(Receipt(turn.table.id if turn.table.opened else "", 1, 0, None, told))

    def done(self, command: Command, turn: Turn, incoming: Incoming) -> Outcome:
        """Decide, seal, evolve: everything but the append."""
        decided, turn = self._decided(command, turn)
        before = turn.table
        named = _with_note(decided, command.note)
        sealed, envelopes, after = self._sealed([talk.bare(event) for event in named], before, incoming)
        texts = [
            said for event, one in zip(named, sealed, strict=True)
            if (said := talk.said_of(event, one.seq, incoming.person))
        ]  # fmt: skip
        if texts:
            envelopes = tuple(talk.with_texts(envelopes, {said.seq: said for said in texts}))
        stored = [one.data for one in envelopes]  # told as a replay will tell it, to the order of names

        def told(sign: Signs) -> tuple[Letter, ...]:
            return letters.of_events(stored, before, after, turn.names, incoming.person, sign, incoming.text)

        beside = replace(_kept(named, turn), texts=tuple(texts))
        return Outcome(after, sealed, envelopes, told, beside)

    def settle(
        self,
        id: str,
        meant: Callable[[Table], Command | None],
        incoming: Incoming,
        beside: Callable[[Outcome], Beside] = lambda outcome: Beside(),
    ) -> None:
        """What a message makes true at a table beside the one that answers it; None meant: it is true there already.

        Refusal: others write to the table without a pause.
        """
        for _ in range(TRIES):
            table = self.table(id)
            if (command := meant(table)) is None:
                return None
            outcome = self.done(command, self.turn(incoming, table), incoming)
            try:
                return self.log.append(id, table.ledger.seq, outcome.sealed, beside(outcome))
            except Conflict:
                continue
        raise Refusal("limit_reached", "busy")

    def copies(
        self, outcome: Outcome, here: tuple[str, str], chats: Iterable[tuple[str, str]] | None = None
    ) -> tuple[Parcel, ...]:  # fmt: skip
        """What the table hears, for its other chats. Facts are told so; questions and refusals not. `chats`: all that
        the table has, where they are known already."""
        bound = self.log.chats(outcome.table.id) if chats is None else chats
        others = [one for one in bound if one != here and manner(one[0]).posts]
        return tuple(
            Parcel(platform, chat, letter)
            for platform, chat in others
            for letter in outcome.told(manner(platform).sign)
            if letter.to == TABLE
        )

    def _decided(self, command: Command, turn: Turn) -> tuple[list[Event], Turn]:
        """The command's facts. A table whose seed is not at hand opens a new period with its first throw."""
        try:
            return decide(command, turn), turn
        except Refusal as refusal:
            if refusal.key != "not_found.seed":
                raise
        opened = reopen(turn)
        ledger = replace(turn.table.ledger, period=opened.period, commitment=opened.commitment, next_die=0, luck=())
        throwing = replace(turn, table=replace(turn.table, ledger=ledger), seed=turn.fresh)
        return [opened, *decide(command, throwing)], turn

    def _sealed(
        self, events: Sequence[Event], before: Table, incoming: Incoming
    ) -> tuple[tuple[Stored, ...], tuple[Envelope, ...], Table]:
        """The events in their chain, as they will be read again, and the table after them."""
        actor, key = incoming.person, incoming.key
        cause = f"{key.platform}:{key.chat}:{key.message}"
        session = before.play.session.number if before.play.session else None
        started = [event.number for event in events if isinstance(event, SessionStarted)]
        head = Head(before.ledger.seq, before.ledger.head)
        sealed = chain.seal(head, before.id, self.clock(), actor, cause, started[0] if started else session, events)
        envelopes = tuple(map(codec.decode, sealed))
        return sealed, envelopes, replay(before, envelopes)


def title(table: Table) -> str:
    """What a table is called where somebody has to know which is meant."""
    return table.play.title or table.id


def _with_note(events: Sequence[Event], note: str) -> list[Event]:
    """The comment behind `#` goes with the first fact, unless one already holds it as its reason."""
    if not note or any(getattr(event, "reason", None) == note for event in events):
        return list(events)
    return [replace(events[0], comment=note), *events[1:]]


def _kept(events: Sequence[Event], turn: Turn) -> Beside:
    """Which seed to keep and which to drop with these events."""
    opened = [event for event in events if isinstance(event, TableOpened | SessionStarted | PeriodOpened)]
    revealed = [event.period for event in events if isinstance(event, SeedRevealed)]
    return Beside(seed=(opened[-1].period, turn.fresh) if opened else None, reveal=revealed[-1] if revealed else None)

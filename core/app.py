"""The adapters' only door: seen before? -> parse -> load -> decide -> evolve -> append -> render.

Here: one message in, its answers out, and the one place that catches a Refusal. Never: a rule, a sentence, a
platform. Clock and entropy are handed in. An answer exists only once it is in the log.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from core.decider import Turn
from core.evolve import Table, replay
from core.game import answer, decide, evolve
from core.grammar.parse import Invocation, addressed_elsewhere, command_lines, parse, verb_known
from core.grammar.verb import Command, Question
from core.language import Language, language, language_of, line
from core.messages import Answer, Incoming
from core.refusal import Refusal
from core.registry import SYSTEMS
from core.render import letters
from core.table.decide import reopen
from core.table.verbs import Calculate, Help, OpenTable, UseTable
from core.vocabulary import verb_table
from events import chain, codec
from events.beside import TABLE, Account, Beside, Letter, MessageKey, Parcel, Receipt
from events.envelope import Envelope, Head, Stored
from events.log import Conflict, EventLog, SeenBefore
from events.types import ChoiceOffered, Event, PeriodOpened, SeedRevealed, SessionStarted, TableOpened

WITHOUT_TABLE = (OpenTable, UseTable, Help, Calculate)
SILENT = ("terminal",)  # shows what is answered there; nobody is there to be sent anything else
TRIES = 20  # another process may write to the same table between our look and our append


class Outcome(Struct, frozen=True):
    """A command carried out but not yet stored: its events as stored, what they say, the table they are for."""

    table: Table
    sealed: tuple[Stored, ...]
    events: tuple[Envelope, ...]
    letters: tuple[Letter, ...]
    beside: Beside


class App:
    """One log, all its tables. `clock` gives the time as RFC 3339 in UTC, `entropy(n)` n random bytes.

    `language` is spoken where no table has said otherwise and the message has no Chinese in it.
    """

    def __init__(
        self, log: EventLog, clock: Callable[[], str], entropy: Callable[[int], bytes], language: Language = "en"
    ) -> None:
        self.log, self.clock, self.entropy, self.language = log, clock, entropy, language
        self._tables: dict[str, Table] = {}
        self._names = log.names()
        self._people: dict[Account, str] = {}
        self._on_post: list[Callable[[], None]] = []

    # ---- what adapters call

    def hear(self, incoming: Incoming) -> list[Answer]:
        """Take up a message: one Answer for each command in it, none for talk.

        A message whose key was taken up before appends nothing and gives the answer it had. One that comes too late
        is refused as a whole.
        """
        try:
            ours = _commands(incoming)
        except Refusal as refusal:
            refused = self._refused(incoming, refusal, self.table_at(incoming.key))
            return [self._once(incoming, incoming.key, lambda: refused)]
        return [self._command(incoming, key, one) for key, one in _keyed(incoming.key, ours)]

    def on_post(self, call: Callable[[], None]) -> None:
        """Call this whenever something was written that may have put letters into the outbox."""
        self._on_post.append(call)

    def post(self, beside: Beside, table: str = "", expected: int = 0, events: Sequence[Stored] = ()) -> None:
        """Append, and say that there may be letters. Raises what `EventLog.append` raises."""
        self.log.append(table, expected, events, beside)
        for call in self._on_post:
            call()

    def table(self, name: str) -> Table:
        """The table as its log stands now."""
        table = self._tables.get(name, Table(name))
        table = replay(table, map(codec.decode, self.log.read(name, after=table.ledger.seq)))
        self._tables[name] = table
        return table

    def table_at(self, key: MessageKey) -> Table | None:
        """The table that is open in this chat."""
        name = self.log.table_of(key.platform, key.chat)
        return None if name is None else self.table(name)

    def person(self, platform: str, account: str) -> str:
        """The opaque id of whoever has this account on a platform; made when first asked for."""
        key = Account(platform, account)
        if key not in self._people:
            self._people[key] = self.log.person(key, f"p{self.entropy(8).hex()}")
        return self._people[key]

    def choice_of(self, key: MessageKey) -> int | None:
        """The number of the choice that the answer to this message offers; None if it offers none."""
        seen = self.log.receipt(key)
        events = self._repeated(key, seen).events if seen else ()
        offered = [one.data.choice for one in events if isinstance(one.data, ChoiceOffered)]
        return offered[-1] if offered else None

    def name(self, person: str) -> str:
        """What a person is called; an id without a name is its own."""
        return self._names.get(person, person)

    # ---- one command

    def _command(self, incoming: Incoming, key: MessageKey, text: str) -> Answer:
        return self._once(incoming, key, lambda: self._carry_out(incoming, key, text))

    def _once(self, incoming: Incoming, key: MessageKey, attempt: Callable[[], Outcome | Receipt]) -> Answer:
        """Carry out and store, or repeat what this message led to before. Answers leave here only when stored."""
        for _ in range(TRIES):
            if seen := self.log.receipt(key):
                return self._repeated(key, seen)
            try:
                return self._store(incoming, key, attempt())
            except SeenBefore as before:
                return self._repeated(key, before.receipt)
            except Conflict:
                continue
        busy = letters.of_refusal(Refusal("limit_reached", "busy"), letters.Voice(self.language, ""))
        return Answer(key=key, error=("limit_reached", busy))

    def _carry_out(self, incoming: Incoming, key: MessageKey, text: str) -> Outcome | Receipt:
        table = self.table_at(incoming.key)
        invocation: Invocation | None = None
        try:
            invocation = self._parse(text, table)
            command = invocation.command
            if isinstance(command, OpenTable):
                speech: Language = "zh" if invocation.chinese else self.language
                return self._open(incoming, key, replace(command, language=speech), table)
            if isinstance(command, UseTable):
                return self._use(incoming, command, table)
            turn = self._turn(incoming, table or Table(""))
            if isinstance(command, Question):
                return self._answered(command, turn, incoming)
            return self._done(command, turn, incoming, key)
        except Refusal as refusal:
            return self._refused(incoming, refusal, table, text)

    def _parse(self, text: str, table: Table | None) -> Invocation:
        """The command as this table's verbs read it; without a table only a few make sense."""
        if table is not None:
            return parse(text, verb_table(table.play.system))
        try:
            invocation = parse(text, verb_table(""))
        except Refusal as refusal:
            known = refusal.code == "unknown_command" and any(verb_known(text, verb_table(one)) for one in SYSTEMS)
            raise Refusal("no_table", "here") if known else refusal from None
        if not isinstance(invocation.command, WITHOUT_TABLE):
            raise Refusal("no_table", "here")
        return invocation

    def _turn(self, incoming: Incoming, table: Table) -> Turn:
        return Turn(
            table=table, actor=incoming.person, names={**self._names, incoming.person: incoming.name},
            seed=self.log.seed(table.id, table.ledger.period) if table.opened else None,
            fresh=self.entropy(32), language=self._speech(table, incoming.text),
        )  # fmt: skip

    def _speech(self, table: Table | None, text: str) -> Language:
        if table is not None and table.opened:
            return language(table.play.language)
        return "zh" if language_of(text) == "zh" else self.language

    def _open(self, incoming: Incoming, key: MessageKey, command: OpenTable, former: Table | None) -> Outcome:
        """A new table in this chat; one that is open here is its GM's to replace, and not during a session."""
        self._check_free(incoming, former)
        turn = self._turn(incoming, Table(f"t{self.entropy(6).hex()}"))
        outcome = self._done(command, turn, incoming, key)
        told = outcome.letters
        if former:
            kept = letters.voice_of(outcome.table).say(line("table.former", title=_title(former), id=former.id))
            told = (replace(told[0], text=f"{told[0].text}\n{kept}"), *told[1:])
        chat = (incoming.key.platform, incoming.key.chat)
        beside = replace(outcome.beside, chat=chat, former=former.id if former else None)
        return replace(outcome, letters=told, beside=beside)

    def _check_free(self, incoming: Incoming, table: Table | None) -> None:
        """Whether this person may put another table in place of the one that is open here."""
        if table and (table.play.gm != incoming.person or table.play.session):
            raise Refusal("not_allowed", "new_table", title=_title(table), gm=self.name(table.play.gm))

    def _use(self, incoming: Incoming, command: UseTable, former: Table | None) -> Receipt:
        """Back to a table of this GM's. The chat is bound before the answer is stored: twice does no harm."""
        self._check_free(incoming, former)
        table = self.table(command.id) if command.id in self.log.tables() else None
        if table is None or table.play.gm != incoming.person:
            raise Refusal("not_found", "table", id=command.id)
        chat = (incoming.key.platform, incoming.key.chat)
        self.log.append(table.id, 0, (), Beside(chat=chat, former=former.id if former else None))
        told = letters.voice_of(table).say(line("table.used", title=_title(table)))
        return Receipt(table.id, 1, 0, None, (Letter(TABLE, told),))

    def _answered(self, question: Question, turn: Turn, incoming: Incoming) -> Receipt:
        voice = letters.Voice(self._speech(turn.table, incoming.text), turn.play.system)
        told = voice.text(answer(question, turn))
        return Receipt(turn.table.id if turn.table.opened else "", 1, 0, None, (Letter(TABLE, told),))

    def _done(self, command: Command, turn: Turn, incoming: Incoming, key: MessageKey) -> Outcome:
        """Decide, seal, evolve, render: everything but the append."""
        decided, turn = self._decided(command, turn)
        before = turn.table
        named = _with_note(decided, command.note)
        sealed, after = self._sealed(named, before, incoming.person, f"{key.platform}:{key.chat}:{key.message}")
        envelopes = tuple(map(codec.decode, sealed))
        stored = [one.data for one in envelopes]  # told as a replay will tell it, to the order of names
        told = letters.of_events(stored, before, after, turn.names, incoming.person)
        return Outcome(after, sealed, envelopes, told, _kept(named, turn))

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
        self, events: Sequence[Event], before: Table, actor: str, cause: str
    ) -> tuple[tuple[Stored, ...], Table]:
        """The events in their chain, and the table after them."""
        session = before.play.session.number if before.play.session else None
        started = [event.number for event in events if isinstance(event, SessionStarted)]
        head = Head(before.ledger.seq, before.ledger.head)
        sealed = chain.seal(head, before.id, self.clock(), actor, cause, started[0] if started else session, events)
        after = before
        for one in sealed:
            after = evolve(after, codec.decode(one))
        return sealed, after

    # ---- storing and repeating

    def _store(self, incoming: Incoming, key: MessageKey, result: Outcome | Receipt) -> Answer:
        known = self._names.get(incoming.person) == incoming.name
        names = {} if known else {incoming.person: incoming.name}
        if isinstance(result, Receipt):
            self.post(Beside(names=names, key=key, receipt=result), result.table)
            answered = Answer(key=key, table=result.table, letters=_replies(result), error=result.error)
        else:
            answered = self._append(key, result, names)
        self._names.update(names)
        return answered

    def _append(self, key: MessageKey, outcome: Outcome, names: dict[str, str]) -> Answer:
        first, last = outcome.sealed[0].seq, outcome.sealed[-1].seq
        told = tuple(self._reached(key.platform, one) for one in outcome.letters)
        receipt = Receipt(outcome.table.id, first, last, None, told)
        also = self._copies(key, outcome)
        beside = replace(outcome.beside, names=names, key=key, receipt=receipt, also=also)
        self.post(beside, outcome.table.id, first - 1, outcome.sealed)
        self._tables[outcome.table.id] = outcome.table
        return Answer(key=key, table=outcome.table.id, events=outcome.events, letters=told)

    def _reached(self, platform: str, letter: Letter) -> Letter:
        """Somebody who has accounts, but none on the platform that is answered, is reached where one is."""
        platforms = [] if letter.to == TABLE else [one.platform for one in self.log.accounts(letter.to)]
        return replace(letter, via=platforms[0]) if platforms and platform not in platforms else letter

    def _copies(self, key: MessageKey, outcome: Outcome) -> tuple[Parcel, ...]:
        """What the table hears, for its other chats. Facts are told so; questions and refusals not."""
        others = [one for one in self.log.chats(outcome.table.id) if one != (key.platform, key.chat)]
        public = [one for one in outcome.letters if one.to == TABLE]
        return tuple(Parcel(*chat, one) for chat in others if chat[0] not in SILENT for one in public)

    def _refused(self, incoming: Incoming, refusal: Refusal, table: Table | None, text: str = "") -> Receipt:
        speech = self._speech(table, incoming.text)
        voice = letters.Voice(speech, table.play.system if table else "")
        sentence = letters.of_refusal(refusal, voice, self._example(text, table, speech))
        told = (Letter(TABLE, sentence),)
        return Receipt(table.id if table else "", 1, 0, (refusal.code, sentence), told)

    def _example(self, text: str, table: Table | None, speech: Language) -> str:
        """The right form of the verb that was tried."""
        verb = verb_known(text, verb_table(table.play.system if table else ""))
        example = verb.example if verb else verb_table("").by_name["help"].example
        return example.zh if speech == "zh" else example.en

    def _repeated(self, key: MessageKey, seen: Receipt) -> Answer:
        events: tuple[Envelope, ...] = ()
        if seen.last >= seen.first:
            events = tuple(map(codec.decode, self.log.read(seen.table, after=seen.first - 1, to=seen.last)))
        return Answer(key=key, table=seen.table, events=events, letters=_replies(seen), error=seen.error, new=False)


def _replies(receipt: Receipt) -> tuple[Letter, ...]:
    """What an Answer hands on as its letters: a refusal is handed on as such, and lies in the outbox all the same."""
    return () if receipt.error else receipt.letters


def _title(table: Table) -> str:
    return table.play.title or table.id


def _commands(incoming: Incoming) -> list[str]:
    """The command lines of a message that are for us. Refused as a whole: too_large, and one that comes too late."""
    lines = command_lines(incoming.text, incoming.prefixes)
    ours = [one for one in lines if not addressed_elsewhere(one, incoming.bots)]
    if ours and incoming.late:
        raise Refusal("limit_reached", "late")
    return ours


def _keyed(key: MessageKey, lines: Sequence[str]) -> list[tuple[MessageKey, str]]:
    """Each command of a message under a key of its own: each is carried out once, whatever happened to the others."""
    return [(replace(key, message=f"{key.message}#{n}") if n > 1 else key, one) for n, one in enumerate(lines, 1)]


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

"""The adapters' only door: seen before? -> parse -> load -> decide -> evolve -> append -> render.

Here: one message in, its answers out, and the one place that catches a Refusal. Never: a rule, a sentence, a
platform. Clock and entropy are handed in. An answer exists only once it is in the log.

A message is taken up in `Steps`: they give what is to be appended, or looked up in a whole record, and go on when it
is there. A program with many chats carries out those of one while it waits for the disk in another; `hear` waits.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from core.decider import Turn
from core.evolve import Table
from core.grammar.parse import Invocation, addressed_elsewhere, command_lines, parse, verb_known
from core.grammar.text import plain_name
from core.grammar.verb import Command, Question, Verb
from core.language import Language
from core.messages import Answer, Deleted, Edited, Incoming, manner
from core.refusal import Refusal
from core.registry import SYSTEMS
from core.render import letters
from core.seating import Seating
from core.table import verbs as v
from core.tables import TRIES, Outcome, Tables, Told
from core.talk import Talk, deletion_of
from core.vocabulary import verb_table
from core.zones import UTC_ALONE, Zones
from events import talk
from events.beside import TABLE, Beside, Letter, MessageKey, Receipt, Standing
from events.envelope import Envelope, Stored
from events.log import Conflict, Entry, EventLog, SeenBefore
from events.types import ChoiceOffered

Given = TypeVar("Given")
LONG = (v.ShowReplay, v.ShowStats)  # questions for which a whole record is read


class Work(Struct, frozen=True):
    """What appends nothing and takes its time, so that it is best done aside."""

    do: Callable[[], Told]


Steps: TypeAlias = Generator[Entry | Work, Any, Given]  # sent in: what a Work gives; thrown in: what either raises
EVEN_LATE = (v.PauseLog,)  # commands to do with less: nobody is surprised by one, and what it wishes stays wished
WITHOUT_TABLE = (v.OpenTable, v.UseTable, v.JoinTable, v.ListTables, v.LinkMe, v.ForgetMe, v.Help, v.Calculate)


class App:
    """One log, all its tables. `clock` gives the time as RFC 3339 in UTC, `entropy(n)` n random bytes.

    `language` is spoken where no table has said otherwise and the message has no Chinese in it. `schema` names this
    version of the program, so that it knows its own snapshots of tables; without it there are none. `zones` are the
    clocks by which people can be told times.
    """

    def __init__(
        self, log: EventLog, clock: Callable[[], str], entropy: Callable[[int], bytes], language: Language = "en",
        schema: str = "", zones: Zones = UTC_ALONE,
    ) -> None:  # fmt: skip
        self.log, self.language, self.zones = log, language, zones
        self.tables = Tables(log, clock, entropy, language, schema, zones)
        self.seating, self.talk = Seating(self.tables), Talk(self.tables)
        self._on_post: list[Callable[[], None]] = []

    # ---- what adapters call

    def hear(self, incoming: Incoming) -> list[Answer]:
        """Take up a message: one Answer for each command in it; one without letters for talk that is kept, else none.

        A message whose key was taken up before appends nothing and gives the answer it had. Of one that comes too late
        only what stops the keeping of talk is carried out.
        """
        return self.now(self.hearing(incoming))

    def hearing(self, incoming: Incoming) -> Steps[list[Answer]]:
        """`hear`, for whoever carries out the steps. Those of one chat go one after another."""
        incoming = replace(incoming, name=plain_name(incoming.name))
        try:
            lines = command_lines(incoming.text, incoming.prefixes)
            ours = self._ours(incoming, lines)
        except Refusal as refusal:
            refused = self._refused(incoming, refusal, self.table_at(incoming.key))
            return [(yield from self._once(incoming, lambda _: refused))]
        if not lines:
            line = replace(incoming, key=replace(incoming.key, message=incoming.line or incoming.key.message))
            said = yield from self._attempted(line, lambda standing: self.talk.said(line, standing))
            return [said] if said else []
        answers = []
        for key, text in _keyed(incoming.key, ours):
            answers.append((yield from self._command(replace(incoming, key=key, text=text))))
        return answers

    def takes_late(self, incoming: Incoming) -> bool:
        """Whether something in this message is carried out however late it comes."""
        try:
            lines = command_lines(incoming.text, incoming.prefixes)
        except Refusal:
            return False
        return self._any_even_late(incoming, [one for one in lines if not addressed_elsewhere(one, incoming.bots)])

    def now(self, steps: Steps[Given]) -> Given:
        """Carry out at once; each append is there before the next step."""
        try:
            step = next(steps)
            while True:
                try:
                    done = self._do(step)
                except Exception as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(done)
        except StopIteration as ended:
            given: Given = ended.value
            return given

    def _do(self, step: Entry | Work) -> Told | None:
        if isinstance(step, Work):
            return step.do()
        return self.log.append(step.table, step.expected, step.events, step.beside)  # type: ignore[func-returns-value]

    def edited(self, edited: Edited) -> Answer | None:
        """A message reads otherwise now: nothing is carried out again, and talk that is kept reads so from here on."""
        who = Incoming(key=edited.change, person=edited.person, name="", text="")
        return self.now(self._attempted(who, lambda _: self.talk.edited(edited)))

    def deleted(self, deleted: Deleted) -> Answer | None:
        """A message is gone from its chat: talk that is kept is left out of what people read from here on."""
        who = Incoming(key=deletion_of(deleted.key), person=deleted.person, name="", text="")
        return self.now(self._attempted(who, lambda _: self.talk.deleted(deleted)))

    def on_post(self, call: Callable[[], None]) -> None:
        """Call this whenever something was written that may have put letters into the outbox."""
        self._on_post.append(call)

    def post(self, beside: Beside, table: str = "", expected: int = 0, events: Sequence[Stored] = ()) -> None:
        """Append, and say that there may be letters. Raises what `EventLog.append` raises."""
        self.now(self._posted(Entry(table, expected, events, beside)))

    def table(self, name: str) -> Table:
        """The table as its log stands now."""
        return self.tables.table(name)

    def table_at(self, key: MessageKey) -> Table | None:
        """The table that is open in this chat."""
        return self.tables.at(key)

    def person(self, platform: str, account: str) -> str:
        """The opaque id of whoever has this account on a platform; made when first asked for."""
        return self.tables.person(platform, account)

    def name(self, person: str) -> str:
        """What a person is called; an id without a name is its own."""
        return self.tables.name(person)

    def accounts(self, person: str, platform: str) -> list[str]:
        """The accounts that a person has on a platform, oldest first."""
        return [one.id for one in self.log.accounts(person) if one.platform == platform]

    def choice_of(self, key: MessageKey) -> int | None:
        """The number of the choice that the answer to this message offers; None if it offers none."""
        seen = self.log.receipt(key)
        events = self._repeated(key, seen).events if seen else ()
        offered = [one.data.choice for one in events if isinstance(one.data, ChoiceOffered)]
        return offered[-1] if offered else None

    def _ours(self, incoming: Incoming, lines: Sequence[str]) -> list[str]:
        """The command lines of a message that are for us. Refused as a whole: too late with all of it, a button's press
        by somebody else, or at another table."""
        ours = [one for one in lines if not addressed_elsewhere(one, incoming.bots)]
        if ours and incoming.late and not self._any_even_late(incoming, ours):
            raise Refusal("limit_reached", "late")
        if incoming.owner not in ("", incoming.person):
            raise Refusal("not_yours", "button")
        if incoming.at and incoming.at != self.log.table_of(incoming.key.platform, incoming.key.chat):
            raise Refusal("already_done", "button")
        return ours

    def _any_even_late(self, incoming: Incoming, lines: Sequence[str]) -> bool:
        table = self.table_at(incoming.key)
        return any(self._even_late(one, table) for one in lines)

    def _even_late(self, text: str, table: Table | None) -> bool:
        try:
            return isinstance(self._parse(text, table).command, EVEN_LATE)
        except Refusal:
            return False

    # ---- one command

    def _posted(self, entry: Entry) -> Steps[None]:
        yield entry
        for call in self._on_post if entry.beside.receipt and entry.beside.receipt.letters else ():
            call()

    def _command(self, incoming: Incoming) -> Steps[Answer]:
        called: list[str] = []
        answer = yield from self._once(incoming, lambda standing: self._carry_out(incoming, standing, called))
        return replace(answer, verb=called[-1]) if called else answer

    def _once(self, incoming: Incoming, attempt: Callable[[Standing], Outcome | Told | Work]) -> Steps[Answer]:
        """Carry out and store, or repeat what this message led to before. Answers leave here only when stored."""
        if answer := (yield from self._attempted(incoming, attempt)):
            return answer
        busy = self._refused(incoming, Refusal("limit_reached", "busy"), None)  # needs no head, so nobody can be faster
        try:
            return (yield from self._store(incoming, busy))
        except SeenBefore as before:
            return self._repeated(incoming.key, before.receipt)

    def _attempted(
        self, incoming: Incoming, attempt: Callable[[Standing], Outcome | Told | Work | None]
    ) -> Steps[Answer | None]:
        """None: there was nothing to store, or others stored something each time."""
        for _ in range(TRIES):
            standing = self.log.standing(incoming.key)
            if standing.receipt:
                return self._repeated(incoming.key, standing.receipt)
            try:
                if (result := attempt(standing)) is None:
                    return None
                if isinstance(result, Work):
                    result = yield result
                return (yield from self._store(incoming, result, standing))
            except SeenBefore as before:
                return self._repeated(incoming.key, before.receipt)
            except Conflict:
                continue
        return None

    def _carry_out(
        self, incoming: Incoming, standing: Standing, called: list[str]
    ) -> Outcome | Told | Work:  # fmt: skip
        """`called` is given the name of the verb, if there is one."""
        text, table = incoming.text, self.tables.open_at(standing)
        try:
            invocation = self._parse(text, table)
            called.append(invocation.verb.name)
            command = self._spoken(invocation)
            _check_late(command, incoming)
            self.talk.check(command, incoming)
            if self.seating.carries_out(command):
                return self.seating.carry_out(command, incoming, table)
            turn = self.tables.turn(incoming, table or Table(""))
            if isinstance(command, LONG):
                aside = replace(turn, names=dict(turn.names))  # others may be met meanwhile
                return Work(lambda: self._answered(command, aside, incoming))
            if isinstance(command, Question):
                return self.tables.answered(command, turn, incoming)
            return self.tables.done(command, turn, incoming)
        except Refusal as refusal:
            if not called and (verb := self._tried(text, table)):
                called.append(verb.name)
            return self._refused(incoming, refusal, table, text)

    def _answered(self, question: Question, turn: Turn, incoming: Incoming) -> Told:
        try:
            return self.tables.answered(question, turn, incoming)
        except Refusal as refusal:
            return self._refused(incoming, refusal, turn.table, incoming.text)

    def _spoken(self, invocation: Invocation) -> Command:
        """A table speaks the language in which it was opened."""
        command = invocation.command
        if isinstance(command, v.OpenTable):
            return replace(command, language="zh" if invocation.chinese else self.language)
        return command

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

    # ---- storing and repeating

    def _store(self, incoming: Incoming, result: Outcome | Told, standing: Standing | None = None) -> Steps[Answer]:
        known = not incoming.name or self.tables.names.get(incoming.person) == incoming.name
        names = {} if known or result.beside.forget else {incoming.person: incoming.name}
        if isinstance(result, Told):
            entry, answer = self._kept_answer(incoming.key, result, names)
        else:
            entry, answer = self._appended(incoming.key, result, names, standing)
        yield from self._posted(entry)
        if isinstance(result, Outcome):
            self.tables.keep(result.table)
        self.tables.names.update(names)
        if result.beside.forget:
            self.tables.meet()
        return answer

    def _kept_answer(self, key: MessageKey, told: Told, names: dict[str, str]) -> tuple[Entry, Answer]:
        receipt = replace(told.receipt, letters=self._reached(key.platform, told.receipt.letters))
        entry = Entry(receipt.table, 0, (), replace(told.beside, key=key, receipt=receipt, names=names))
        return entry, Answer(key=key, table=receipt.table, letters=_replies(receipt), error=receipt.error)

    def _appended(
        self, key: MessageKey, outcome: Outcome, names: dict[str, str], standing: Standing | None
    ) -> tuple[Entry, Answer]:  # fmt: skip
        id = outcome.table.id
        chats = standing.chats if standing and standing.table == id else None
        first, last = outcome.sealed[0].seq, outcome.sealed[-1].seq
        told = self._reached(key.platform, _with_aside(outcome.told(manner(key.platform).sign), outcome.aside))
        receipt = Receipt(id, first, last, None, told)
        also = self.tables.copies(outcome, (key.platform, key.chat), chats)
        beside = replace(outcome.beside, key=key, receipt=receipt, also=also, names=names)
        answer = Answer(key=key, table=id, events=outcome.events, letters=told)
        return Entry(id, first - 1, outcome.sealed, beside), answer

    def _reached(self, platform: str, told: Sequence[Letter]) -> tuple[Letter, ...]:
        """Somebody who has accounts, but none on the platform that is answered, is reached where one is."""
        return tuple(one if one.to == TABLE else replace(one, via=self._way(platform, one.to)) for one in told)

    def _way(self, platform: str, person: str) -> str:
        platforms = [one.platform for one in self.log.accounts(person)]
        return platforms[0] if platforms and platform not in platforms else ""

    def _refused(self, incoming: Incoming, refusal: Refusal, table: Table | None, text: str = "") -> Told:
        voice = self.tables.voice(incoming, table)
        sentence = letters.of_refusal(refusal, voice, self._example(text, table, voice.speech))
        told = (Letter(TABLE, sentence),)
        return Told(Receipt(table.id if table else "", 1, 0, (refusal.code, sentence), told))

    def _example(self, text: str, table: Table | None, speech: Language) -> str:
        """The right form of the verb that was tried."""
        verb = self._tried(text, table)
        example = verb.example if verb else verb_table("").by_name["help"].example
        return example.zh if speech == "zh" else example.en

    def _tried(self, text: str, table: Table | None) -> Verb | None:
        return verb_known(text, verb_table(table.play.system if table else ""))

    def _repeated(self, key: MessageKey, seen: Receipt) -> Answer:
        events: tuple[Envelope, ...] = ()
        if seen.last >= seen.first:
            events = tuple(talk.recorded(self.log, seen.table, after=seen.first - 1, to=seen.last))
        return Answer(key=key, table=seen.table, events=events, letters=_replies(seen), error=seen.error, new=False)


def _with_aside(told: tuple[Letter, ...], aside: str) -> tuple[Letter, ...]:
    return (replace(told[0], text=f"{told[0].text}\n{aside}"), *told[1:]) if aside else told


def _replies(receipt: Receipt) -> tuple[Letter, ...]:
    """What an Answer hands on as its letters: a refusal is handed on as such, and lies in the outbox all the same."""
    return () if receipt.error else receipt.letters


def _check_late(command: Command, incoming: Incoming) -> None:
    """What else is in a message of which something is carried out however late."""
    if incoming.late and not isinstance(command, EVEN_LATE):
        raise Refusal("limit_reached", "late")


def is_talk(incoming: Incoming) -> bool:
    """Whether there is no command in a message, for nobody."""
    try:
        return not command_lines(incoming.text, incoming.prefixes)
    except Refusal:
        return False


def _keyed(key: MessageKey, lines: Sequence[str]) -> list[tuple[MessageKey, str]]:
    """Each command of a message under a key of its own: each is carried out once, whatever happened to the others."""
    return [(replace(key, message=f"{key.message}#{n}") if n > 1 else key, one) for n, one in enumerate(lines, 1)]

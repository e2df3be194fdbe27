"""The EventLog port, what it raises, and MemoryLog.

A log keeps the events of many tables, each a chain of its own, and beside them what one append writes in
the same transaction (`Beside`). An append writes all of it or nothing. Every log passes the same contract
suite, `tests/events/log_contract.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from typing import Literal, Protocol, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from events.beside import (
    FORGOTTEN,
    TABLE,
    Account,
    Beside,
    Invitation,
    Letter,
    MessageKey,
    Parcel,
    Pending,
    Receipt,
    Said,
    Standing,
)
from events.envelope import Head, Stored

Unusable: TypeAlias = Literal[
    "not_a_log", "other_program", "newer", "read_only", "locked", "full", "no_access", "missing", "damaged", "failed",
    "unknown",
]


class Conflict(Exception):
    """Another append came between: the table's head is `actual`, the caller decided on `expected`. Decide again."""

    def __init__(self, table: str, expected: int, actual: int) -> None:
        super().__init__(f"Table {table!r} stands at {actual}, not at {expected}: another append came between.")
        self.table = table
        self.expected = expected
        self.actual = actual


class Rebound(Conflict):
    """The chat has been given another table than the caller saw there (`Beside.former`). Decide again."""

    def __init__(self, table: str, former: str | None, actual: str | None) -> None:
        Exception.__init__(self, f"The chat has table {actual!r}, not {former!r}: another append came between.")
        self.table = table


class Outrun(Conflict):
    """The invitation was accepted by somebody else, or another took its place. Decide again."""

    def __init__(self, table: str) -> None:
        Exception.__init__(self, "The invitation is no longer there: another append came between.")
        self.table = table


class SeenBefore(Exception):
    """The message was taken up already. `receipt` is what it led to; nothing was written."""

    def __init__(self, receipt: Receipt) -> None:
        super().__init__("This message was taken up before.")
        self.receipt = receipt


class LogUnusable(Exception):
    """The log cannot be opened or written; `reason` is a key for the sentence, str() an English one.

    Nothing of the append was kept, but after "unknown", where it cannot be found out: then it may have been.
    """

    def __init__(self, reason: Unusable, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class Entry(Struct, frozen=True, gc=False):
    """One append, as `EventLog.append` takes it."""

    table: str
    expected: int
    events: Sequence[Stored]
    beside: Beside = Beside()


class EventLog(Protocol):
    """Where events are kept. Every method but `close` may raise LogUnusable."""

    def append(self, table: str, expected: int, events: Sequence[Stored], beside: Beside = Beside()) -> None:
        """Put `events` behind the head `expected` and write `beside`, all or nothing; durable when it returns.

        The first events of a table open it. Without events, `expected` is ignored and `table` may be '', unless
        a chat or a seed is to be kept. SeenBefore: `beside.key` was taken up already (told before a Conflict).
        Conflict: the head is another, the chat has another table than `beside.former`, or the invitation accepted is
        gone. ValueError: the call does not fit together; see `check`. LogUnusable("damaged"): a seed of that period is
        kept already.
        """

    @property
    def local(self) -> bool:
        """Whether an append waits for nothing but this machine's disk."""

    def append_many(self, entries: Sequence[Entry]) -> list[Exception | None]:
        """Append each, in order, for the price of one; durable when it returns.

        What `append` raises for each of them; None: it is there. ValueError for one that does not fit together is
        raised at once.
        """

    def submit(self, table: str, expected: int, events: Sequence[Stored], beside: Beside = Beside()) -> Future[None]:
        """The same, done later: many that are asked for at once are as durable for the price of one.

        Appends to one table are carried out in the order in which they were asked for. The future raises what `append`
        raises, but ValueError for a call that does not fit together, which is raised at once.
        """

    def read(self, table: str, after: int = 0, to: int | None = None) -> Iterator[Stored]:
        """The events with after < seq <= to, in order, a few at a time in memory. None of an unknown table."""

    def head(self, table: str) -> Head:
        """The end of the table's chain; seq 0 of an unknown table."""

    def tables(self) -> list[str]:
        """Every table, in the order in which they were opened."""

    def table_of(self, platform: str, chat: str) -> str | None:
        """The table that was last bound to this chat."""

    def standing(self, key: MessageKey) -> Standing:
        """`receipt`, `table_of`, `head` and `chats` of a message that comes in, asked at once."""

    def chats(self, table: str) -> list[tuple[str, str]]:
        """Every (platform, chat) that is bound to this table, sorted."""

    def seed(self, table: str, period: int) -> bytes | None:
        """The seed of a period that is not yet revealed."""

    def texts(self, table: str, after: int = 0, to: int | None = None) -> dict[int, Said]:
        """What is kept of the talk in the events with after < seq <= to, by seq."""

    def versions(self, table: str, line: int) -> list[Said]:
        """What was said in the event `line`, oldest first: as it was first, and each edit."""

    def said_by(self, person: str) -> dict[str, list[Said]]:
        """All that is kept of what this person said, by table."""

    def names(self) -> dict[str, str]:
        """What each person is called now, by id; FORGOTTEN for those who were forgotten."""

    def person(self, account: Account, fresh: str) -> str:
        """The opaque id of the person with this account; `fresh` becomes it if the account is new here.

        Durable when it returns, and the same for all who ask at once. ValueError: `fresh` is somebody's already.
        """

    def known(self, account: Account) -> str | None:
        """The opaque id of the person with this account, who need not become known by it."""

    def accounts(self, person: str) -> list[Account]:
        """The accounts of this person, oldest first; none of somebody unknown."""

    def move(self, platform: str, chat: str, to: str) -> None:
        """The chat has a new id: its table is open there from now on, and no longer here.

        Twice does no harm. A table that is open there already stays, and so does what was said.
        """

    def receipt(self, key: MessageKey) -> Receipt | None:
        """What this message led to, or None: it was not taken up."""

    def pending(self, platform: str | None = None, chat: str | None = None) -> list[Pending]:
        """The letters not yet sent, oldest first; of one platform, or of one chat there, if asked."""

    def waiting(self, platform: str) -> list[str]:
        """The chats for which letters are pending there."""

    def letter(self, id: int) -> Pending | None:
        """The letter with this id, sent or not."""

    def written_to(self, person: str) -> list[Pending]:
        """The letters for this person alone, sent or not, oldest first."""

    def sent(self, letter: int) -> None:
        """The letter with this id went out. Once is enough, twice does no harm. LookupError: there is none.

        Outlives this process; a power cut right behind it may undo it, until the next append at the latest.
        """

    def invitation(self, code: str) -> Invitation | None:
        """The invitation with this code that was not yet accepted; it may be too old."""

    def bookmark(self, name: str) -> str | None:
        """Where a reader of something outside had got to when it last set this bookmark."""

    def set_bookmark(self, name: str, value: str) -> None:
        """Durable when it returns."""

    def snapshot(self, table: str) -> bytes | None:
        """What was last kept as the table's snapshot."""

    def keep_snapshot(self, table: str, body: bytes) -> None:
        """Keep it in place of an earlier one. A cache: it may be lost. Nothing happens where there is no such table."""

    def sole(self, task: str) -> bool:
        """Whether this log is, of all that are open on the same events, the one that does this task.

        Who asks first has it until `close` or the end of the process.
        """

    def close(self) -> None:
        """Let go of the log. Twice does no harm."""


def check(entry: Entry) -> None:
    """ValueError where the parts of an append do not fit together; the same for every log."""
    beside = entry.beside
    if entry.events and not entry.table:
        raise ValueError("Events belong to a table.")
    if any(event.seq != seq for seq, event in enumerate(entry.events, entry.expected + 1)):
        raise ValueError(f"The events do not count up from {entry.expected + 1}.")
    if (beside.key is None) != (beside.receipt is None):
        raise ValueError("A message's key and its receipt go together.")
    if beside.also and beside.key is None:
        raise ValueError("A copy belongs to an answer.")
    if beside.invite is not None and bool(beside.invite.table) == bool(beside.invite.person):
        raise ValueError("An invitation is to a table or to a person.")
    if beside.seed is not None and len(beside.seed[1]) != 32:
        raise ValueError("A seed has 32 bytes.")
    if beside.seed is not None and beside.seed[0] == beside.reveal:
        raise ValueError("A period is not opened and revealed at once.")


def submitted(log: EventLog, entries: Sequence[Entry]) -> list[Exception | None]:
    """`append_many` for a log whose `submit` gathers: all are asked for before the first is waited for."""
    for one in entries:
        check(one)
    done = [log.submit(one.table, one.expected, one.events, one.beside) for one in entries]
    return [cast(Exception | None, one.exception()) for one in done]


def settle(done: Future[None], raised: BaseException | None) -> None:
    """Tell whoever waits for an append how it ended."""
    if raised is None:
        done.set_result(None)
    else:
        done.set_exception(raised)


def seed_kept(table: str, period: int) -> LogUnusable:
    """A period is opened once, so the event that opened it is gone. Its seed is not written over: dice hang on it."""
    why = f"The log has lost events of table {table}: a seed of period {period} is kept already."
    return LogUnusable("damaged", why)


def taken(person: str) -> ValueError:
    """An id that was to be new is not: whoever drew it had too little entropy."""
    return ValueError(f"{person!r} is somebody's already.")


def needs_table(beside: Beside) -> bool:
    """Whether something is to be kept that belongs to a table."""
    parts = (beside.chat, beside.seed, beside.reveal, beside.leave, beside.texts, beside.drop_texts)
    return any(part not in (None, ()) for part in parts)


def parcels(key: MessageKey, receipt: Receipt, also: Sequence[Parcel]) -> list[tuple[Parcel, bool]]:
    """Where each letter of an answer goes, and whether it is a copy: all may read it, or one person."""
    own = [
        Parcel(key.platform, key.chat, one) if one.to == TABLE else Parcel(one.via or key.platform, one.to, one)
        for one in receipt.letters
    ]
    return [*((one, False) for one in own), *((one, True) for one in also)]


class MemoryLog:
    """An EventLog that is gone with the process: for tests and for trying things out. For one thread."""

    local = True

    def __init__(self) -> None:
        self._events: dict[str, list[Stored]] = {}
        self._chats: dict[tuple[str, str], str] = {}
        self._seeds: dict[tuple[str, int], bytes] = {}
        self._names: dict[str, str] = {}
        self._texts: dict[str, dict[int, Said]] = {}
        self._persons: dict[Account, str] = {}
        self._receipts: dict[MessageKey, tuple[Receipt, tuple[int, ...]]] = {}  # with the ids of its letters
        self._invitations: dict[str, Invitation] = {}
        self._bookmarks: dict[str, str] = {}
        self._snapshots: dict[str, bytes] = {}
        self._posted: dict[int, Pending] = {}
        self._unsent: set[int] = set()

    def append(self, table: str, expected: int, events: Sequence[Stored], beside: Beside = Beside()) -> None:
        check(Entry(table, expected, events, beside))
        if beside.key is not None and (before := self.receipt(beside.key)):
            raise SeenBefore(before)
        actual = self.head(table).seq
        if events and actual != expected:
            raise Conflict(table, expected, actual)
        self._check_chat(table, beside)
        if beside.accept is not None and beside.accept not in self._invitations:
            raise Outrun(table)
        self._check_beside(table, opens=bool(events), beside=beside)
        if events:
            self._events.setdefault(table, []).extend(events)
        self._keep(table, beside)

    def append_many(self, entries: Sequence[Entry]) -> list[Exception | None]:
        return submitted(self, entries)

    def submit(self, table: str, expected: int, events: Sequence[Stored], beside: Beside = Beside()) -> Future[None]:
        check(Entry(table, expected, events, beside))
        done: Future[None] = Future()
        try:
            self.append(table, expected, events, beside)
        except Exception as error:
            settle(done, error)
        else:
            settle(done, None)
        return done

    def read(self, table: str, after: int = 0, to: int | None = None) -> Iterator[Stored]:
        return iter(self._events.get(table, [])[after:to])

    def head(self, table: str) -> Head:
        events = self._events.get(table)
        return Head(events[-1].seq, events[-1].hash) if events else Head()

    def tables(self) -> list[str]:
        return list(self._events)

    def table_of(self, platform: str, chat: str) -> str | None:
        return self._chats.get((platform, chat))

    def standing(self, key: MessageKey) -> Standing:
        table = self.table_of(key.platform, key.chat)
        seq, chats = (self.head(table).seq, tuple(self.chats(table))) if table else (0, ())
        return Standing(self.receipt(key), table, seq, chats)

    def chats(self, table: str) -> list[tuple[str, str]]:
        return sorted(chat for chat, one in self._chats.items() if one == table)

    def seed(self, table: str, period: int) -> bytes | None:
        return self._seeds.get((table, period))

    def texts(self, table: str, after: int = 0, to: int | None = None) -> dict[int, Said]:
        kept = self._texts.get(table, {})
        return {seq: one for seq, one in kept.items() if after < seq and (to is None or seq <= to)}

    def versions(self, table: str, line: int) -> list[Said]:
        return [one for one in self._texts.get(table, {}).values() if one.line == line]

    def said_by(self, person: str) -> dict[str, list[Said]]:
        found = {table: [one for one in kept.values() if one.person == person] for table, kept in self._texts.items()}
        return {table: said for table, said in found.items() if said}

    def names(self) -> dict[str, str]:
        return dict(self._names)

    def person(self, account: Account, fresh: str) -> str:
        if account not in self._persons and fresh in self._persons.values():
            raise taken(fresh)
        return self._persons.setdefault(account, fresh)

    def known(self, account: Account) -> str | None:
        return self._persons.get(account)

    def accounts(self, person: str) -> list[Account]:
        return [account for account, one in self._persons.items() if one == person]

    def move(self, platform: str, chat: str, to: str) -> None:
        if chat != to and (table := self._chats.pop((platform, chat), None)) is not None:
            self._chats.setdefault((platform, to), table)

    def receipt(self, key: MessageKey) -> Receipt | None:
        if key not in self._receipts:
            return None
        receipt, letters = self._receipts[key]
        return replace(receipt, letters=tuple(self._posted[id].letter for id in letters))

    def pending(self, platform: str | None = None, chat: str | None = None) -> list[Pending]:
        return [
            one
            for id, one in self._posted.items()
            if id in self._unsent and platform in (None, one.platform) and chat in (None, one.chat)
        ]

    def waiting(self, platform: str) -> list[str]:
        return sorted({one.chat for one in self.pending(platform)})

    def letter(self, id: int) -> Pending | None:
        return self._posted.get(id)

    def written_to(self, person: str) -> list[Pending]:
        return [one for one in self._posted.values() if one.chat == person]

    def sent(self, letter: int) -> None:
        if letter not in self._posted:
            raise LookupError(f"There is no letter {letter}.")
        self._unsent.discard(letter)

    def invitation(self, code: str) -> Invitation | None:
        return self._invitations.get(code)

    def bookmark(self, name: str) -> str | None:
        return self._bookmarks.get(name)

    def set_bookmark(self, name: str, value: str) -> None:
        self._bookmarks[name] = value

    def snapshot(self, table: str) -> bytes | None:
        return self._snapshots.get(table)

    def keep_snapshot(self, table: str, body: bytes) -> None:
        if table in self._events:
            self._snapshots[table] = body

    def sole(self, task: str) -> bool:  # noqa: ARG002  nobody else can open it
        return True

    def close(self) -> None:
        """There is nothing to let go of."""

    def _check_chat(self, table: str, beside: Beside) -> None:
        if beside.chat is not None and (actual := self._chats.get(beside.chat)) != beside.former:
            raise Rebound(table, beside.former, actual)

    def _check_beside(self, table: str, *, opens: bool, beside: Beside) -> None:
        """All that could fail is looked at before anything is written: that is what makes an append all or nothing."""
        known = self._events.keys() | ({table} if opens else set())
        if needs_table(beside) and table not in known:
            raise ValueError(f"There is no table {table!r}.")
        if beside.receipt is not None and beside.receipt.table and beside.receipt.table not in known:
            raise ValueError(f"There is no table {beside.receipt.table!r}.")
        if beside.seed is not None and (table, beside.seed[0]) in self._seeds:
            raise seed_kept(table, beside.seed[0])

    def _keep(self, table: str, beside: Beside) -> None:
        self._names |= beside.names
        for chat in beside.leave:
            if self._chats.get(chat) == table:
                del self._chats[chat]
        if beside.chat is not None:
            self._chats[beside.chat] = table
        self._invite(beside)
        if beside.reveal is not None:
            self._seeds.pop((table, beside.reveal), None)
        if beside.seed is not None:
            self._seeds[table, beside.seed[0]] = beside.seed[1]
        self._keep_texts(table, beside)
        if beside.forget is not None:
            self._forget(beside.forget)
        if beside.key is not None and beside.receipt is not None:
            self._receipts[beside.key] = beside.receipt, self._post(beside.key, beside.receipt, beside.also)
        if beside.join is not None:  # last: the answer itself goes along
            self._join(*beside.join)

    def _keep_texts(self, table: str, beside: Beside) -> None:
        kept = self._texts.setdefault(table, {})
        kept.update((one.seq, one) for one in beside.texts)
        for seq in beside.drop_texts:
            kept.pop(seq, None)

    def _forget(self, person: str) -> None:
        """As `_FORGET` of SqliteLog says it."""
        name = self._names.get(person)
        self._names[person] = FORGOTTEN
        self._persons = {one: whose for one, whose in self._persons.items() if whose != person}
        self._texts = {
            table: {seq: one for seq, one in kept.items() if one.person != person}
            for table, kept in self._texts.items()
        }
        self._invitations = {code: one for code, one in self._invitations.items() if one.person != person}
        self._chats = {chat: table for chat, table in self._chats.items() if chat[1] != person}
        self._bookmarks = {one: value for one, value in self._bookmarks.items() if not one.endswith(f":{person}")}
        self._unsent -= {id for id in self._unsent if self._posted[id].chat == person}
        for id, one in self._posted.items():
            if id not in self._unsent and (one.chat == person or (name and name in one.letter.text)):
                self._posted[id] = replace(one, letter=Letter(one.letter.to, ""))
        for key, (receipt, letters) in self._receipts.items():
            if name and receipt.error and name in receipt.error[1]:
                self._receipts[key] = replace(receipt, error=(receipt.error[0], "")), letters

    def _join(self, was: str, now: str) -> None:
        self._persons = {one: now if person == was else person for one, person in self._persons.items()}
        self._texts = {
            table: {seq: replace(one, person=now) if one.person == was else one for seq, one in kept.items()}
            for table, kept in self._texts.items()
        }
        for platform in [platform for platform, chat in self._chats if chat == was]:
            self.move(platform, was, now)
        for key in [key for key in self._receipts if key.chat == was]:
            self._receipts[replace(key, chat=now)] = self._receipts.pop(key)
        for id, one in self._posted.items():
            self._posted[id] = self._joined(one, was, now, waits=id in self._unsent)

    @staticmethod
    def _joined(one: Pending, was: str, now: str, *, waits: bool) -> Pending:
        key = replace(one.key, chat=now) if one.key.chat == was else one.key
        offers = tuple(replace(offer, owner=now) if offer.owner == was else offer for offer in one.letter.offers)
        one = replace(one, key=key, letter=replace(one.letter, offers=offers))
        if one.chat != was or not waits:
            return one
        return replace(one, chat=now, letter=replace(one.letter, to=now if one.letter.to == was else TABLE))

    def _invite(self, beside: Beside) -> None:
        if beside.accept is not None:
            del self._invitations[beside.accept]
        if (new := beside.invite) is not None:
            old = self._invitations.values()
            others = [one for one in old if (one.table, one.person) != (new.table, new.person)]
            self._invitations = {one.code: one for one in (*others, new)}

    def _post(self, key: MessageKey, receipt: Receipt, also: Sequence[Parcel]) -> tuple[int, ...]:
        """The ids of the receipt's own letters."""
        own = []
        for id, (one, is_copy) in enumerate(parcels(key, receipt, also), len(self._posted) + 1):
            self._posted[id] = Pending(id, key, one.letter, one.platform, one.chat)
            self._unsent.add(id)
            own += [] if is_copy else [id]
        return tuple(own)

"""Many appends in one transaction: what they are decided on, and the rows that those come to which hold.

A batch first takes a lock on everything it decides on, in one order for all writers, so that none waits for another
in a circle. What it then reads stays so until it is committed, and each append is decided on that and on those before
it in the batch. So one that does not hold is refused alone, and nothing in the database can turn down the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import astuple
from psycopg import Cursor

from events.beside import FORGOTTEN, Beside, Invitation, MessageKey, Parcel, Receipt
from events.log import Conflict, Entry, Outrun, Rebound, SeenBefore, needs_table, parcels, seed_kept
from events.postgres.link import Conn
from events.postgres.schema import LOCK, lock_key
from events.rows import LETTER, as_row, letter_of, quoted

_HEADS = """SELECT name, id, coalesce(head.seq, 0) FROM tables LEFT JOIN LATERAL (
        SELECT seq FROM events WHERE table_id = tables.id ORDER BY seq DESC LIMIT 1
    ) AS head ON true WHERE name = ANY(%s)"""
_CHATS = """SELECT platform, chat, name FROM chats JOIN tables ON tables.id = table_id
    JOIN unnest(%b::text[], %b::text[]) AS asked (platform, chat) USING (platform, chat)"""
_SEEDS = """SELECT name, period FROM seeds JOIN tables ON tables.id = table_id
    JOIN unnest(%b::text[], %b::bigint[]) AS asked (name, period) USING (name, period)"""
_INVITED = "SELECT code, of_table, of_person FROM invitations WHERE code = ANY(%s)"
_RECEIPTS = """SELECT inbox.id, platform, chat, message, coalesce(tables.name, ''), first, last, error_code, error_text
    FROM inbox JOIN unnest(%b::text[], %b::text[], %b::text[]) AS asked (platform, chat, message)
    USING (platform, chat, message) LEFT JOIN tables ON tables.id = table_id"""
_LETTERS = f"SELECT inbox_id, {LETTER} FROM outbox WHERE inbox_id = ANY(%s) AND NOT copy ORDER BY id"  # noqa: S608
_TABLE_IDS = "SELECT nextval(pg_get_serial_sequence('tables', 'id')) FROM generate_series(1, %s)"
_INBOX_IDS = "SELECT nextval(pg_get_serial_sequence('inbox', 'id')) FROM generate_series(1, %s)"

_CUT_OFF = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity JOIN pg_locks USING (pid)
    WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND database = datid AND datname = current_database()
    AND (classid::bigint << 32 | objid::bigint) = ANY(%s::bigint[])
    AND wait_event = 'ClientRead' AND query_start < clock_timestamp() - make_interval(secs => %s)"""

# Rows go as one array for each column; `%b` sends them in PostgreSQL's binary form, which saves a quarter of the time.
_TABLES = "INSERT INTO tables (id, name) SELECT * FROM unnest(%b::bigint[], %b::text[])"
_EVENTS = """INSERT INTO events (era, table_id, seq, body, hash)
    SELECT (SELECT max(era) FROM eras), * FROM unnest(%b::bigint[], %b::bigint[], %b::bytea[], %b::text[])"""
_NAMES = """INSERT INTO names SELECT * FROM unnest(%b::text[], %b::text[])
    ON CONFLICT (person) DO UPDATE SET name = excluded.name"""
_TEXTS = """INSERT INTO texts (table_id, seq, line, person, salt, text)
    SELECT * FROM unnest(%b::bigint[], %b::bigint[], %b::bigint[], %b::text[], %b::text[], %b::bytea[])"""
_DROP_TEXTS = "DELETE FROM texts WHERE table_id = %s AND seq = ANY(%s)"
_INBOX = """INSERT INTO inbox (id, platform, chat, message, table_id, first, last, error_code, error_text)
    SELECT * FROM unnest(%b::bigint[], %b::text[], %b::text[], %b::text[], %b::bigint[], %b::bigint[], %b::bigint[],
        %b::text[], %b::text[])"""
_OUTBOX = f"""INSERT INTO outbox (inbox_id, ordinal, platform, chat, copy, {LETTER})
    SELECT * FROM unnest(%b::bigint[], %b::integer[], %b::text[], %b::text[], %b::boolean[], %b::text[], %b::text[],
        %b::text[], %b::text[], %b::text[], %b::text[])"""  # noqa: S608
_LEAVE = "DELETE FROM chats WHERE platform = %s AND chat = %s AND table_id = %s"
_CHAT = "INSERT INTO chats VALUES (%s, %s, %s) ON CONFLICT (platform, chat) DO UPDATE SET table_id = excluded.table_id"
_REVEAL = "DELETE FROM seeds WHERE table_id = %s AND period = %s"
_SEED = "INSERT INTO seeds VALUES (%s, %s, %s)"
_ACCEPT = "DELETE FROM invitations WHERE code = %s"
_REPLACE = "DELETE FROM invitations WHERE code = %s OR (of_table, of_person) = (%s, %s)"
_INVITE = "INSERT INTO invitations VALUES (%s, %s, %s, %s, %s)"
_JOIN = (  # a table that is open in the private chat of `now` stays
    "UPDATE accounts SET person = %(now)s WHERE person = %(was)s",
    """UPDATE chats SET chat = %(now)s WHERE chat = %(was)s AND NOT EXISTS (
        SELECT FROM chats AS other WHERE other.platform = chats.platform AND other.chat = %(now)s)""",
    "DELETE FROM chats WHERE chat = %(was)s AND %(was)s::text <> %(now)s::text",
    """UPDATE inbox SET chat = %(now)s WHERE chat = %(was)s AND NOT EXISTS (
        SELECT FROM inbox AS other WHERE (other.platform, other.chat, other.message) =
            (inbox.platform, %(now)s, inbox.message))""",
    """UPDATE outbox SET chat = %(now)s, recipient = CASE recipient WHEN %(was)s THEN %(now)s ELSE recipient END
        WHERE NOT sent AND chat = %(was)s""",
    """UPDATE outbox SET offers = replace(offers, %(was_quoted)s, %(now_quoted)s)
        WHERE offers <> '[]' AND strpos(offers, %(was_quoted)s) > 0""",
    "UPDATE texts SET person = %(now)s WHERE person = %(was)s",
)
_UNSAID = "UPDATE outbox SET text = '', choices = '[]', offers = '[]', attached = 'null'"
_IS_NAMED = f"(SELECT name FROM names WHERE person = %(person)s AND name <> '{FORGOTTEN}')"  # noqa: S608
_FORGET = (  # what was written and tells of the name is blank from now on; so the name itself goes last
    "DELETE FROM accounts WHERE person = %(person)s",
    "DELETE FROM texts WHERE person = %(person)s",
    "DELETE FROM invitations WHERE of_person = %(person)s",
    "DELETE FROM chats WHERE chat = %(person)s",
    "DELETE FROM bookmarks WHERE right(name, length(%(person)s::text) + 1) = ':' || %(person)s::text",
    f"{_UNSAID}, sent = true WHERE chat = %(person)s OR recipient = %(person)s",
    f"{_UNSAID} WHERE sent AND strpos(text, {_IS_NAMED}) > 0",
    f"UPDATE inbox SET error_text = '' WHERE strpos(error_text, {_IS_NAMED}) > 0",  # noqa: S608
    f"""INSERT INTO names VALUES (%(person)s, '{FORGOTTEN}')
        ON CONFLICT (person) DO UPDATE SET name = excluded.name""",  # noqa: S608
)


def sweeps(entry: Entry) -> bool:
    """Whether it changes rows that others have written: then it is a batch of its own."""
    return entry.beside.join is not None or entry.beside.forget is not None or bool(entry.beside.drop_texts)


def locks_of(entry: Entry) -> Iterator[tuple[str, ...]]:
    """What it is decided on, or writes so that two who did it at once would meet."""
    beside = entry.beside
    if entry.table:
        yield "table", entry.table
    if beside.key is not None:
        yield "message", *astuple(beside.key)
    for chat in (beside.chat, *beside.leave):
        if chat is not None:
            yield "chat", chat[1]  # of whatever platform: who joins two people moves them all
    for person in (*beside.names, *(beside.join or ()), *([beside.forget] if beside.forget else ())):
        yield from (("person", person), ("chat", person))
    for code in (beside.accept, beside.invite and beside.invite.code):
        if code:
            yield "code", code
    if beside.invite is not None:
        yield "invited", beside.invite.table, beside.invite.person
    if sweeps(entry):
        yield ("sweep",)


class Standing:
    """How things stand for the next append of a batch: as it was read, and as those before it have made it."""

    def __init__(self) -> None:
        self.ids: dict[str, int] = {}
        self.heads: dict[str, int] = {}
        self.chats: dict[tuple[str, str], str] = {}
        self.seeds: set[tuple[str, int]] = set()
        self.invited: dict[str, tuple[str, str]] = {}
        self.seen: dict[MessageKey, Receipt] = {}
        self.table_ids: Iterator[int] = iter(())  # not used so far
        self.inbox_ids: Iterator[int] = iter(())

    def check(self, entry: Entry) -> None:
        """Raises what `EventLog.append` raises where it does not hold. Nothing is changed by asking."""
        table, beside = entry.table, entry.beside
        if beside.key is not None and (before := self.seen.get(beside.key)):
            raise SeenBefore(before)
        if entry.events and (actual := self.heads.get(table, 0)) != entry.expected:
            raise Conflict(table, entry.expected, actual)
        if beside.chat is not None and (bound := self.chats.get(beside.chat)) != beside.former:
            raise Rebound(table, beside.former, bound)
        if beside.accept is not None and beside.accept not in self.invited:
            raise Outrun(table)
        self._check_tables(entry)
        if beside.seed is not None and (table, beside.seed[0]) in self.seeds:
            raise seed_kept(table, beside.seed[0])

    def _check_tables(self, entry: Entry) -> None:
        known = {*self.ids, *([entry.table] if entry.events else ())}
        named = [entry.table] if needs_table(entry.beside) else []
        if entry.beside.receipt is not None and entry.beside.receipt.table:
            named.append(entry.beside.receipt.table)
        for table in named:
            if table not in known:
                raise ValueError(f"There is no table {table!r}.")

    def change(self, entry: Entry) -> None:
        """It is written: what comes behind it stands on that."""
        table, beside = entry.table, entry.beside
        if entry.events:
            self.heads[table] = entry.events[-1].seq
        for chat in beside.leave:
            if self.chats.get(chat) == table:
                del self.chats[chat]
        if beside.chat is not None:
            self.chats[beside.chat] = table
        self._change_codes(beside.accept, beside.invite)
        if beside.reveal is not None:
            self.seeds.discard((table, beside.reveal))
        if beside.seed is not None:
            self.seeds.add((table, beside.seed[0]))
        if beside.key is not None and beside.receipt is not None:
            self.seen[beside.key] = beside.receipt

    def _change_codes(self, accepted: str | None, invite: Invitation | None) -> None:
        if accepted is not None:
            del self.invited[accepted]
        if invite is not None:
            to = (invite.table, invite.person)
            self.invited = {code: one for code, one in self.invited.items() if one != to} | {invite.code: to}


class Rows:
    """What a batch writes: rows for all its appends together, and statements of those that do something rarer."""

    def __init__(self, standing: Standing) -> None:
        self._standing = standing
        self._tables: list[tuple[Any, ...]] = []
        self._events: list[tuple[Any, ...]] = []
        self._rarer: list[tuple[str, Any]] = []
        self._names: dict[str, str] = {}
        self._texts: list[tuple[Any, ...]] = []
        self._forget: list[tuple[str, Any]] = []
        self._inbox: list[tuple[Any, ...]] = []
        self._outbox: list[tuple[Any, ...]] = []
        self._join: list[tuple[str, Any]] = []

    def statements(self) -> Iterator[tuple[str, Any]]:
        """In the order in which they are to be executed."""
        yield from _together(_TABLES, self._tables)
        yield from _together(_EVENTS, self._events)
        yield from self._rarer
        yield from _together(_NAMES, list(self._names.items()))
        yield from _together(_TEXTS, self._texts)
        yield from self._forget
        yield from _together(_INBOX, self._inbox)
        yield from _together(_OUTBOX, self._outbox)
        yield from self._join  # last: the answer itself goes along

    def add(self, entry: Entry) -> None:
        """An append that holds."""
        beside = entry.beside
        if entry.events:
            id = self._table_id(entry.table)
            self._events.extend((id, one.seq, one.body, one.hash) for one in entry.events)
        self._names |= beside.names
        if needs_table(beside):
            self._keep_for_table(self._standing.ids[entry.table], beside)
        self._invite(beside)
        if beside.forget is not None:
            self._forget.extend((statement, {"person": beside.forget}) for statement in _FORGET)
        if beside.key is not None and beside.receipt is not None:
            self._take_up(beside.key, beside.receipt, beside.also)
        if beside.join is not None:
            self._join = list(_joining(*beside.join))

    def _table_id(self, table: str) -> int:
        """The table's id; it is opened where it is not there."""
        ids = self._standing.ids
        if table not in ids:
            ids[table] = next(self._standing.table_ids)
            self._tables.append((ids[table], table))
        return ids[table]

    def _keep_for_table(self, id: int, beside: Beside) -> None:
        self._rarer.extend((_LEAVE, (*chat, id)) for chat in beside.leave)
        if beside.chat is not None:
            self._rarer.append((_CHAT, (*beside.chat, id)))
        if beside.reveal is not None:
            self._rarer.append((_REVEAL, (id, beside.reveal)))
        if beside.seed is not None:
            self._rarer.append((_SEED, (id, *beside.seed)))
        self._texts.extend((id, one.seq, one.line, one.person, one.salt, one.text.encode()) for one in beside.texts)
        if beside.drop_texts:
            self._forget.append((_DROP_TEXTS, (id, list(beside.drop_texts))))

    def _invite(self, beside: Beside) -> None:
        if beside.accept is not None:
            self._rarer.append((_ACCEPT, (beside.accept,)))
        if (one := beside.invite) is not None:
            self._rarer.append((_REPLACE, (one.code, one.table, one.person)))
            self._rarer.append((_INVITE, astuple(one)))

    def _take_up(self, key: MessageKey, receipt: Receipt, also: Sequence[Parcel]) -> None:
        id, table_id = next(self._standing.inbox_ids), self._standing.ids.get(receipt.table)
        error = receipt.error or (None, None)
        self._inbox.append((id, *astuple(key), table_id, receipt.first, receipt.last, *error))
        self._outbox.extend(
            (id, ordinal, one.platform, one.chat, is_copy, *as_row(one.letter))
            for ordinal, (one, is_copy) in enumerate(parcels(key, receipt, also))
        )


def decided(standing: Standing, entries: Sequence[Entry]) -> tuple[Rows, list[Exception | None]]:
    """The rows of all appends that hold, and for each append why it does not (None: it does)."""
    rows, failed = Rows(standing), list[Exception | None]()
    for entry in entries:
        try:
            standing.check(entry)
        except Exception as error:  # it goes to whoever asked for this append
            failed.append(error)
        else:
            rows.add(entry)
            standing.change(entry)
            failed.append(None)
    return rows, failed


def locked(conn: Conn, schema: str, entries: Sequence[Entry]) -> None:
    """Take the locks of these appends; they are let go with the transaction."""
    keys = sorted({lock_key(schema, *one) for entry in entries for one in locks_of(entry)})
    if keys:
        conn.execute(LOCK, (keys,))


def freed(conn: Conn, schema: str, entries: Sequence[Entry], still_s: float) -> bool:
    """Whether somebody held a lock of these appends who has stood still in the middle of a batch, and is cut off.

    PostgreSQL sees to it by itself only between batches of a pipeline.
    """
    keys = [lock_key(schema, *one) for entry in entries for one in locks_of(entry)]
    return bool(conn.execute(_CUT_OFF, (keys, still_s)).fetchall())


class Reading:
    """The questions that a batch asks, sent together in a pipeline, and what the answers come to."""

    def __init__(self, conn: Conn, entries: Sequence[Entry]) -> None:
        self._conn = conn
        besides = [one.beside for one in entries]
        self._seen = self._receipts([one.key for one in besides if one.key is not None])
        tables = {one.table for one in entries} | {one.receipt.table for one in besides if one.receipt is not None}
        self._heads = self._asked(_HEADS, sorted(tables - {""}))
        chats = {chat for one in besides for chat in (one.chat, *one.leave) if chat is not None}
        self._chats = self._asked_for(_CHATS, chats)
        self._seeds = self._asked_for(_SEEDS, {(one.table, one.beside.seed[0]) for one in entries if one.beside.seed})
        self._invited = self._asked(_INVITED, [one.accept for one in besides if one.accept is not None])
        opened = {one.table for one in entries if one.events and not one.expected}  # at most these
        self._table_ids = self._numbers(_TABLE_IDS, len(opened))
        self._inbox_ids = self._numbers(_INBOX_IDS, sum(one.key is not None for one in besides))

    def standing(self) -> Standing:
        """To be asked behind the pipeline."""
        found = Standing()
        for name, id, seq in _rows(self._heads):
            found.ids[name], found.heads[name] = id, seq
        found.chats = {(platform, chat): name for platform, chat, name in _rows(self._chats)}
        found.seeds = set(_rows(self._seeds))
        found.invited = {code: (table, person) for code, table, person in _rows(self._invited)}
        found.table_ids = (id for (id,) in _rows(self._table_ids))
        found.inbox_ids = (id for (id,) in _rows(self._inbox_ids))
        found.seen = dict(receipts_in(self._conn, _rows(self._seen)))
        return found

    def _receipts(self, keys: Sequence[MessageKey]) -> Cursor[tuple[Any, ...]] | None:
        return self._asked_for(_RECEIPTS, {astuple(key) for key in keys})

    def _asked(self, sql: str, values: Sequence[str]) -> Cursor[tuple[Any, ...]] | None:
        return self._conn.execute(sql, (values,)) if values else None

    def _asked_for(self, sql: str, rows: Iterable[tuple[Any, ...]]) -> Cursor[tuple[Any, ...]] | None:
        columns = [list(column) for column in zip(*rows, strict=True)]
        return self._conn.execute(sql, columns) if columns else None

    def _numbers(self, sql: str, count: int) -> Cursor[tuple[Any, ...]] | None:
        return self._conn.execute(sql, (count,)) if count else None


def receipts(conn: Conn, keys: Sequence[MessageKey]) -> dict[MessageKey, Receipt]:
    """What these messages led to; of those that were taken up."""
    columns = [list(column) for column in zip(*map(astuple, keys), strict=True)]
    return dict(receipts_in(conn, conn.execute(_RECEIPTS, columns).fetchall()))


def receipts_in(conn: Conn, rows: Sequence[tuple[Any, ...]]) -> Iterator[tuple[MessageKey, Receipt]]:
    if not rows:
        return
    letters: dict[int, list[Any]] = {id: [] for id, *_ in rows}
    for id, *columns in conn.execute(_LETTERS, (list(letters),)):
        letters[id].append(letter_of(columns))
    for id, platform, chat, message, table, first, last, code, text in rows:
        error = None if code is None else (code, text)
        yield MessageKey(platform, chat, message), Receipt(table, first, last, error, tuple(letters[id]))


def _joining(was: str, now: str) -> Iterator[tuple[str, Any]]:
    names = {"was": was, "now": now, "was_quoted": quoted(was), "now_quoted": quoted(now)}
    return ((statement, names) for statement in _JOIN)


def _together(sql: str, rows: Sequence[tuple[Any, ...]]) -> Iterator[tuple[str, Any]]:
    """One statement for all the rows, column by column."""
    if rows:
        yield sql, [list(column) for column in zip(*rows, strict=True)]


def _rows(cursor: Cursor[tuple[Any, ...]] | None) -> list[tuple[Any, ...]]:
    return [] if cursor is None else cursor.fetchall()

"""One append with everything that it may have: each part looked at, then written, in the writer's transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from msgspec.structs import astuple

from events.beside import FORGOTTEN, Beside, MessageKey, Parcel, Receipt
from events.log import Conflict, Entry, Outrun, Rebound, SeenBefore, needs_table, seed_kept
from events.sqlite.rows import EVENTS, INBOX, OUTBOX, inbox_row, outbox_rows, receipt

TABLE_OF = "SELECT name FROM chats JOIN tables ON tables.id = table_id WHERE platform = ? AND chat = ?"
_HEAD = """SELECT id, coalesce(seq, 0), hash FROM tables LEFT JOIN events ON table_id = id
    WHERE name = ? ORDER BY seq DESC LIMIT 1"""
_NAME = "INSERT INTO names VALUES (?, ?) ON CONFLICT DO UPDATE SET name = excluded.name"
_CHAT = "INSERT INTO chats VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET table_id = excluded.table_id"
_LEAVE = "DELETE FROM chats WHERE platform = ? AND chat = ? AND table_id = ?"
_INVITE = "INSERT OR REPLACE INTO invitations VALUES (?, ?, ?, ?, ?)"
_ACCEPT = "DELETE FROM invitations WHERE code = ?"
_TEXT = "INSERT INTO texts (table_id, seq, line, person, salt, text) VALUES (?, ?, ?, ?, ?, ?)"
_DROP_TEXT = "DELETE FROM texts WHERE table_id = ? AND seq = ?"
_JOIN = (  # ?1 was, ?2 now; a table that is open in the private chat of `now` stays
    "UPDATE accounts SET person = ?2 WHERE person = ?1",
    "UPDATE OR IGNORE chats SET chat = ?2 WHERE chat = ?1",
    "DELETE FROM chats WHERE chat = ?1 AND ?2 <> ?1",
    "UPDATE OR IGNORE inbox SET chat = ?2 WHERE chat = ?1",
    """UPDATE outbox SET chat = ?2, recipient = CASE recipient WHEN ?1 THEN ?2 ELSE recipient END
        WHERE sent = 0 AND chat = ?1""",
    """UPDATE outbox SET offers = replace(offers, json_quote(?1), json_quote(?2))
        WHERE offers <> '[]' AND instr(offers, json_quote(?1))""",
    "UPDATE texts SET person = ?2 WHERE person = ?1",
)
_UNSAID = "UPDATE outbox SET text = '', choices = '[]', offers = '[]', attached = 'null'"
_FORGET = (  # `name` until now: what was written and tells of it is blank from now on
    f"INSERT INTO names VALUES (:person, '{FORGOTTEN}') ON CONFLICT DO UPDATE SET name = excluded.name",  # noqa: S608
    "DELETE FROM accounts WHERE person = :person",
    "DELETE FROM texts WHERE person = :person",
    "DELETE FROM invitations WHERE of_person = :person",
    "DELETE FROM chats WHERE chat = :person",
    "DELETE FROM bookmarks WHERE substr(name, -length(:person) - 1) = ':' || :person",
    f"{_UNSAID}, sent = 1 WHERE chat = :person OR recipient = :person",
    f"{_UNSAID} WHERE sent = 1 AND :name <> '' AND instr(text, :name)",
    "UPDATE inbox SET error_text = '' WHERE :name <> '' AND instr(error_text, :name)",
)


class Heads(dict[str, tuple[int, int]]):
    """The row id and the last seq of each table that was asked for: true as long as nobody else writes to the file."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        super().__init__()
        self._conn = conn

    def __missing__(self, table: str) -> tuple[int, int]:
        """KeyError: there is no such table."""
        row = self._conn.execute(_HEAD, (table,)).fetchone()
        if row is None:
            raise KeyError(table)
        self[table] = found = (row[0], row[1])
        return found


def write(conn: sqlite3.Connection, heads: Heads, entry: Entry) -> None:
    """Write it, and move `heads` on. Raises what `EventLog.append` raises; what is half written then is rolled back by
    whoever asked, and `heads` with it."""
    beside = entry.beside
    if beside.key is not None and (before := receipt(conn, beside.key)):
        raise SeenBefore(before)
    if entry.events:
        _put(conn, heads, entry)
    if beside.chat is not None:
        _check_chat(conn, entry.table, beside.chat, beside.former)
    _keep(conn, heads, entry.table, beside)


def id_of(heads: Heads, table: str) -> int:
    """ValueError: there is no such table."""
    try:
        return heads[table][0]
    except KeyError:
        raise ValueError(f"There is no table {table!r}.") from None


def _put(conn: sqlite3.Connection, heads: Heads, entry: Entry) -> None:
    try:
        table_id, actual = heads[entry.table]
    except KeyError:
        table_id, actual = None, 0
    if actual != entry.expected:
        raise Conflict(entry.table, entry.expected, actual)
    if table_id is None:
        table_id = conn.execute("INSERT INTO tables (name) VALUES (?)", (entry.table,)).lastrowid or 0  # never 0
    EVENTS.into(conn, [(table_id, event.seq, event.body, event.hash) for event in entry.events])
    heads[entry.table] = (table_id, entry.events[-1].seq)


def _check_chat(conn: sqlite3.Connection, table: str, chat: tuple[str, str], former: str | None) -> None:
    row = conn.execute(TABLE_OF, chat).fetchone()
    if (actual := row[0] if row else None) != former:
        raise Rebound(table, former, actual)


def _keep(conn: sqlite3.Connection, heads: Heads, table: str, beside: Beside) -> None:
    if beside.names:
        conn.executemany(_NAME, beside.names.items())
    if needs_table(beside):
        _keep_for_table(conn, table, id_of(heads, table), beside)
    if beside.accept is not None and not conn.execute(_ACCEPT, (beside.accept,)).rowcount:
        raise Outrun(table)
    if (invite := beside.invite) is not None:
        conn.execute(_INVITE, astuple(invite))
    if beside.forget is not None:
        _forget(conn, beside.forget)
    if beside.key is not None and beside.receipt is not None:
        _take_up(conn, heads, beside.key, beside.receipt, beside.also)
    for statement in _JOIN if beside.join is not None else ():  # last: the answer itself goes along
        conn.execute(statement, beside.join or ())


def _keep_for_table(conn: sqlite3.Connection, table: str, table_id: int, beside: Beside) -> None:
    if beside.leave:
        conn.executemany(_LEAVE, [(*chat, table_id) for chat in beside.leave])
    if beside.chat is not None:
        conn.execute(_CHAT, (*beside.chat, table_id))
    if beside.reveal is not None:
        conn.execute("DELETE FROM seeds WHERE table_id = ? AND period = ?", (table_id, beside.reveal))
    if beside.seed is not None:
        try:
            conn.execute("INSERT INTO seeds VALUES (?, ?, ?)", (table_id, *beside.seed))
        except sqlite3.IntegrityError as error:
            raise seed_kept(table, beside.seed[0]) from error
    conn.executemany(_TEXT, [(table_id, *astuple(one)) for one in beside.texts])
    conn.executemany(_DROP_TEXT, [(table_id, seq) for seq in beside.drop_texts])


def _forget(conn: sqlite3.Connection, person: str) -> None:
    row = conn.execute("SELECT name FROM names WHERE person = ?", (person,)).fetchone()
    for statement in _FORGET:
        conn.execute(statement, {"person": person, "name": row[0] if row else ""})


def _take_up(conn: sqlite3.Connection, heads: Heads, key: MessageKey, receipt: Receipt, also: Sequence[Parcel]) -> None:
    table_id = id_of(heads, receipt.table) if receipt.table else None
    inbox_id = INBOX.into(conn, [inbox_row(key, receipt, table_id)])
    OUTBOX.into(conn, outbox_rows(inbox_id, key, receipt, also))

"""What is appended in groups leaves the same log as what is appended one by one."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from events.beside import Account, Beside, Invitation, Letter, MessageKey, Parcel, Receipt, Said
from events.envelope import Head
from events.log import Entry, EventLog, MemoryLog
from events.sqlite import SqliteLog
from tests.events.log_contract import SEED, seen
from tests.events.records import spoken

TABLES, MESSAGES, PEOPLE = ("green", "red"), ("1", "2", "3", "4", "5", "6"), ("p1", "p2")
CHATS = tuple(("terminal", f"chat-{number}") for number in (1, 2))
people, tables, chats = st.sampled_from(PEOPLE), st.sampled_from(TABLES), st.sampled_from(CHATS)
letters = st.tuples(st.sampled_from(["table", *PEOPLE]), st.sampled_from(["Yes.", "骰子"])).map(
    lambda one: Letter(*one)
)


@st.composite
def besides(draw: st.DrawFn, table: str) -> Beside:
    """Usual ones mostly: an answer and no more."""
    message = draw(st.none() | st.sampled_from(MESSAGES))
    chat = draw(chats)
    if message is None:
        given: dict[str, object] = {}
    else:
        told = tuple(draw(st.lists(letters, max_size=2)))
        given = {
            "key": MessageKey(*chat, message),
            "receipt": Receipt(draw(st.sampled_from(["", table])), 1, 0, None, told),
        }
        given["also"] = tuple(draw(st.lists(st.just(Parcel("matrix", "!a", Letter("table", "Yes."))), max_size=1)))
    if draw(st.integers(0, 3)) == 0:
        given |= draw(st.sampled_from(_rare(draw(people), table, chat)))
    return Beside(**given)  # type: ignore[arg-type]


def _rare(person: str, table: str, chat: tuple[str, str]) -> list[dict[str, object]]:
    return [
        {"names": {person: "Rosalind"}}, {"chat": chat, "former": None}, {"chat": chat, "former": table},
        {"seed": (1, SEED)}, {"reveal": 1}, {"leave": (chat,)}, {"accept": "ABCD"},
        {"invite": Invitation("ABCD", "2026-11-30T05:00:00.000Z", person=person)},
        {"forget": person}, {"join": PEOPLE}, {"drop_texts": (1, 7)},
    ]  # fmt: skip


@st.composite
def entries(draw: st.DrawFn) -> list[Entry]:
    """Appends to two tables, some of them on a head that is not there."""
    found, heads = [], dict.fromkeys(TABLES, 0)
    for _ in range(draw(st.integers(1, 12))):
        table, count = draw(tables), draw(st.integers(0, 3))
        expected = max(0, heads[table] + draw(st.sampled_from([0, 0, 0, 0, 0, 1, -1])))
        beside = draw(besides(table))
        said = tuple(
            Said(expected + 1, expected + 1, draw(people), "aa", "hello") for _ in range(draw(st.integers(0, 1)))
        )
        beside = replace(beside, texts=said if count else ())
        found.append(Entry(table, expected, spoken(count, Head(expected), table), beside))
        heads[table] = expected + count
    return found


def one_by_one(log: EventLog, appended: Sequence[Entry]) -> list[type[Exception] | None]:
    return [_outcome(log, one) for one in appended]


def _outcome(log: EventLog, one: Entry) -> type[Exception] | None:
    try:
        return log.append(one.table, one.expected, one.events, one.beside)
    except Exception as error:
        return type(error)


def submitted(log: SqliteLog, appended: Sequence[Entry]) -> list[type[Exception] | None]:
    """All while the writer cannot write: they go as one group then."""
    with log._writer.lock:
        done = [log.submit(one.table, one.expected, one.events, one.beside) for one in appended]
    return [kind_of(one.exception(60)) for one in done]


def together(log: SqliteLog, appended: Sequence[Entry]) -> list[type[Exception] | None]:
    return [kind_of(error) for error in log.append_many(appended)]


def kind_of(error: BaseException | None) -> type[Exception] | None:
    return None if error is None else type(error)  # type: ignore[return-value]


@pytest.mark.parametrize("at_once", [submitted, together])
@settings(max_examples=100, deadline=None)
@given(groups=st.lists(entries(), min_size=1, max_size=3))
def test_a_group_leaves_what_its_entries_one_by_one_leave(
    at_once: Callable[[SqliteLog, Sequence[Entry]], list[type[Exception] | None]], groups: list[list[Entry]]
) -> None:
    memory = MemoryLog()
    with tempfile.TemporaryDirectory() as folder:
        log = SqliteLog(Path(folder) / "rollbook.db")
        for person in PEOPLE:
            for each in (memory, log):
                each.person(Account("telegram", person), person)
        for group in groups:
            assert at_once(log, group) == one_by_one(memory, group)
            assert seen(log) == seen(memory)
        log.close()

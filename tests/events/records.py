"""Events, chains of them and what lies beside, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from hypothesis import strategies as st
from msgspec import UNSET, UnsetType

from events.beside import Letter, MessageKey, Receipt
from events.chain import seal
from events.codec import split_line
from events.envelope import Head, Stored
from events.types import EVENT_TYPES, Event, LineSpoken

AT = "2026-11-30T05:00:00.000Z"
SAMPLES = Path(__file__).parent / "samples"

st.register_type_strategy(UnsetType, st.just(UNSET))
events: st.SearchStrategy[Event] = st.sampled_from(sorted(EVENT_TYPES)).flatmap(
    lambda name: st.from_type(EVENT_TYPES[name])
)


def spoken(count: int, head: Head = Head(), table: str = "green") -> tuple[Stored, ...]:
    """`count` sealed lines of talk behind `head`."""
    lines = [LineSpoken(text=f"line {number}") for number in range(head.seq + 1, head.seq + count + 1)]
    return sealed(lines, head, table)


def sealed(said: Sequence[Event], head: Head = Head(), table: str = "green") -> tuple[Stored, ...]:
    return seal(head, table, AT, "terminal:red", "terminal:-1:7", 3, said)


def message(number: int = 1) -> MessageKey:
    return MessageKey("terminal", "chat-1", str(number))


def receipt(table: str = "green", first: int = 1, last: int = 1, letters: int = 1) -> Receipt:
    return Receipt(table, first, last, None, tuple(Letter("table", f"answer {n} 好") for n in range(1, letters + 1)))


def samples() -> Iterator[tuple[str, int, Stored]]:
    """(type, version, sample) of every frozen sample."""
    for path in sorted(SAMPLES.glob("*.json")):
        name, version = path.stem.split(".")
        yield name, int(version), split_line(path.read_bytes())

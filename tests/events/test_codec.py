"""Events to bytes and back, lines of an export and back."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.codec import UnreadableEvent, UnreadableLine, decode, encode, line_of, split_line
from events.envelope import Stored
from events.types import EVENT_TYPES, BennySpent, Event, LineSpoken
from tests.events.records import AT, events, sealed, spoken

GOOD = spoken(1)[0]


NESTED = b"[" * 100_000 + b"]" * 100_000


def stored(**changed: object) -> Stored:
    """GOOD with fields of its body changed."""
    return Stored(GOOD.seq, msgspec.json.encode(msgspec.json.decode(GOOD.body) | changed), GOOD.hash)


@pytest.mark.parametrize("kind", EVENT_TYPES.values(), ids=list(EVENT_TYPES))
@given(data=st.data())
def test_every_event_comes_back_as_it_went_in(kind: type[Event], data: st.DataObject) -> None:
    event = data.draw(st.from_type(kind))
    kept = sealed([event])[0]
    envelope = decode(kept)
    assert envelope.data == event
    assert type(envelope.data) is kind
    assert (envelope.type, envelope.v) == (kind.__name__, kind.version)
    assert (envelope.hash, envelope.seq) == (kept.hash, 1)


@given(st.integers(1, 2**63 - 1), st.text(), st.text(), st.text(), st.none() | st.integers(0, 2**31), events)
def test_the_envelope_comes_back_as_it_went_in(
    seq: int, table: str, actor: str, cause: str, session: int | None, event: Event
) -> None:
    body = encode(
        seq=seq, table=table, at=AT, actor=actor, cause=cause, session=session, event=event, prev="ab" * 32
    )  # fmt: skip
    envelope = decode(Stored(seq, body, "cd" * 32))
    assert (envelope.seq, envelope.table, envelope.at) == (seq, table, AT)
    assert (envelope.actor, envelope.cause, envelope.session) == (actor, cause, session)
    assert (envelope.prev, envelope.hash, envelope.data) == ("ab" * 32, "cd" * 32, event)


def test_the_bytes_are_those_of_the_contract() -> None:
    event = BennySpent(character="阿红", purpose="reroll", source="pool", left=2, comment="…")
    body = encode(
        seq=12, table="t", at=AT, actor="a", cause="telegram:-100123:456", session=None, event=event, prev="0" * 64
    )  # fmt: skip
    assert body.decode() == (
        '{"seq":12,"table":"t","type":"BennySpent","v":1,"at":"2026-11-30T05:00:00.000Z","actor":"a",'
        '"cause":"telegram:-100123:456","session":null,'
        '"data":{"character":"阿红","purpose":"reroll","from":"pool","left":2,"comment":"…"},'
        '"prev":"' + "0" * 64 + '"}'
    )


class Tallied(Event, frozen=True):
    """An event with a mapping; no event in the vocabulary has one so far."""

    marks: dict[str, int]


def test_the_order_of_a_mapping_does_not_change_the_bytes() -> None:
    one, other = (sealed([Tallied(marks=dict(marks))]) for marks in ([("a", 1), ("b", 2)], [("b", 2), ("a", 1)]))
    assert one == other


def test_half_a_surrogate_pair_cannot_be_stored() -> None:
    with pytest.raises(UnicodeEncodeError):
        sealed([LineSpoken(text="\ud83c")])


@given(events)
def test_a_line_is_the_body_with_its_hash_last_and_splits_into_the_same_bytes(event: Event) -> None:
    kept = sealed([event])[0]
    line = line_of(kept)
    fields = msgspec.json.decode(line)
    assert list(fields)[-2:] == ["prev", "hash"]
    assert fields["hash"] == kept.hash
    assert b"\n" not in line
    assert split_line(line) == split_line(line + b"\n") == split_line(line + b"\r\n") == kept


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"{}",
        GOOD.body,
        line_of(GOOD)[:-1],
        line_of(GOOD)[1:],
        line_of(GOOD) + b" ",
        line_of(Stored(1, GOOD.body, GOOD.hash.upper())),
        line_of(Stored(1, GOOD.body, GOOD.hash[:-1])),
        line_of(Stored(1, b"{}", GOOD.hash)),
        line_of(Stored(1, b'{"seq":"one","prev":""}', GOOD.hash)),
        line_of(Stored(1, b"\xff\xfe}", GOOD.hash)),
        b"[" * 100_000 + line_of(GOOD),
    ],
)
def test_what_is_not_such_a_line_is_unreadable(line: bytes) -> None:
    with pytest.raises(UnreadableLine, match=r"^The line cannot be read: .+\.$"):
        split_line(line)


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (stored(type="DragonTamed"), "DragonTamed"),
        (stored(v=3), "version 3"),
        (stored(v=0), "version 0"),
        (stored(type="CardDealt", v=3), "version 3"),
        (stored(type="CardDealt", v=1, data=[]), "not an object"),
        (stored(type="CardDealt", v=1, data={"character": "Red"}), "card"),
        (stored(seq=2), "its body says 2"),
        (stored(type="LineDeleted", v=1, data={}), "line"),
        (stored(data={"text": 5}), "text"),
        (stored(session="three"), "session"),
        (Stored(1, b"", GOOD.hash), "truncated"),
        (Stored(1, b"\x00\xff", GOOD.hash), "malformed"),
        (Stored(1, GOOD.body.replace(b"line 1", b"\xff"), GOOD.hash), "UTF-8"),
        (Stored(1, GOOD.body.replace(b'"line 1"', b"[" * 100_000), GOOD.hash), "."),
        (Stored(1, GOOD.body.replace(b'"data":', b'"data":' + NESTED), GOOD.hash), "recursion"),
    ],
)
def test_an_event_that_cannot_be_read_says_which_and_why(event: Stored, reason: str) -> None:
    with pytest.raises(UnreadableEvent, match=reason) as told:
        decode(event)
    assert told.value.seq == event.seq

"""The chain shows what was changed, removed, moved, put in or cut off."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.chain import Break, first_break, head_of, seal
from events.codec import UnreadableLine, line_of, split_line
from events.envelope import Head, Stored
from events.types import Event, LineSpoken
from tests.events.records import AT, events, sealed, spoken

TEN = spoken(10)
END = head_of(TEN, Head())
chains = st.lists(events, min_size=2, max_size=6).map(sealed)


def found(chain: Iterable[Stored], expect: Head | None = None) -> tuple[int, str] | None:
    """Where the chain breaks, and why."""
    broken = first_break(chain, expect=expect)
    return None if broken is None else (broken.seq, broken.flaw)


def test_events_are_sealed_one_behind_the_other() -> None:
    first = seal(Head(), "green", AT, "a", "c", None, [LineSpoken(text="1"), LineSpoken(text="2")])
    later = seal(head_of(first, Head()), "green", AT, "a", "c", None, [LineSpoken(text="3")])
    assert [event.seq for event in first + later] == [1, 2, 3]
    assert all(event.hash == sha256(event.body).hexdigest() for event in first + later)
    assert first[0].body.endswith(b',"prev":"' + b"0" * 64 + b'"}')
    assert later[0].body.endswith(b',"prev":"' + first[1].hash.encode() + b'"}')
    assert first_break(first + later) is None


def test_nothing_sealed_leaves_the_head_where_it_was() -> None:
    assert seal(END, "green", AT, "a", "c", None, []) == ()
    assert head_of((), END) == END


@given(chains)
def test_a_chain_that_nobody_touched_holds(chain: tuple[Stored, ...]) -> None:
    assert first_break(chain, expect=head_of(chain, Head())) is None


@given(chains, st.data())
def test_one_changed_byte_of_an_export_is_found_at_its_event(chain: tuple[Stored, ...], data: st.DataObject) -> None:
    which = data.draw(st.integers(0, len(chain) - 1))
    line = bytearray(line_of(chain[which]))
    line[data.draw(st.integers(0, len(line) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        changed = split_line(bytes(line))
    except UnreadableLine:
        return  # found before the chain is looked at
    broken = first_break([*chain[:which], changed, *chain[which + 1 :]])
    assert broken is not None
    assert broken.seq == which + 1


@given(chains, st.data())
def test_one_changed_byte_in_the_log_is_found_at_its_event(chain: tuple[Stored, ...], data: st.DataObject) -> None:
    which = data.draw(st.integers(0, len(chain) - 1))
    body = bytearray(chain[which].body)
    body[data.draw(st.integers(0, len(body) - 1))] ^= data.draw(st.integers(1, 255))
    changed = Stored(which + 1, bytes(body), chain[which].hash)
    assert first_break([*chain[:which], changed, *chain[which + 1 :]]) == Break(which + 1, "hash_differs")


@given(chains, st.data())
def test_a_changed_event_with_a_new_hash_is_found_at_the_next(chain: tuple[Stored, ...], data: st.DataObject) -> None:
    which = data.draw(st.integers(0, len(chain) - 2))
    forged = seal(
        head_of(chain[:which], Head()), "green", AT, "terminal:cheat", "c", 3, [LineSpoken(text="I won")]
    )  # fmt: skip
    assert first_break([*chain[:which], *forged, *chain[which + 1 :]]) == Break(which + 2, "prev_differs")


@given(chains, st.data())
def test_one_removed_event_is_found(chain: tuple[Stored, ...], data: st.DataObject) -> None:
    which = data.draw(st.integers(0, len(chain) - 1))
    last = which == len(chain) - 1
    left = [*chain[:which], *chain[which + 1 :]]
    assert found(left, expect=head_of(chain, Head())) == (which + 1, "cut_off" if last else "seq_missing")


@given(chains, st.data())
def test_two_swapped_events_are_found_at_the_first_of_them(chain: tuple[Stored, ...], data: st.DataObject) -> None:
    first, second = sorted(data.draw(st.permutations(range(len(chain))))[:2])
    moved = list(chain)
    moved[first], moved[second] = moved[second], moved[first]
    assert found(moved) == (first + 1, "seq_missing")
    renumbered = [Stored(seq, event.body, event.hash) for seq, event in enumerate(moved, 1)]
    assert found(renumbered) == (first + 1, "seq_out_of_order")


@given(chains, st.data())
def test_a_repeated_event_is_found(chain: tuple[Stored, ...], data: st.DataObject) -> None:
    which = data.draw(st.integers(0, len(chain) - 1))
    repeated = [*chain[: which + 1], *chain[which:]]
    assert found(repeated) == (which + 2, "seq_out_of_order")


@given(chains, st.data())
def test_a_cut_off_end_is_found_against_a_noted_head(chain: tuple[Stored, ...], data: st.DataObject) -> None:
    left = data.draw(st.integers(0, len(chain) - 1))
    noted = Head(len(chain), chain[-1].hash[: data.draw(st.integers(8, 64))])
    assert first_break(chain[:left]) is None
    assert first_break(chain[:left], expect=noted) == Break(left + 1, "cut_off")


def test_a_log_that_grew_since_its_head_was_noted_holds() -> None:
    assert first_break(TEN, expect=Head(4, TEN[3].hash[:12])) is None
    assert first_break(TEN, expect=Head(10, END.hash[:12].upper())) is None


@given(events, events)
def test_a_log_written_anew_is_found_against_a_noted_head(one: Event, other: Event) -> None:
    noted = sealed([one, LineSpoken(text="before")])
    anew = sealed([other, LineSpoken(text="after")])
    assert first_break(anew) is None
    assert first_break(anew, expect=head_of(noted, Head())) == Break(2, "head_differs")


def test_a_part_of_a_chain_is_checked_from_the_head_before_it() -> None:
    before = head_of(TEN[:4], Head())
    assert first_break(TEN[4:], before) is None
    assert first_break(TEN[4:]) == Break(1, "seq_missing", "5 stands there")
    assert first_break(TEN[4:], Head(4, "f" * 64)) == Break(5, "prev_differs")
    assert first_break((), before, expect=before) is None
    assert first_break((), before, expect=Head(4, "f" * 8)) == Break(4, "head_differs")


def test_a_head_noted_before_the_part_that_is_checked_says_nothing_and_is_refused() -> None:
    with pytest.raises(ValueError, match="lies before"):
        first_break(TEN[4:], head_of(TEN[:4], Head()), expect=Head(3, TEN[2].hash))


def test_bytes_that_are_no_envelope_are_unreadable_even_with_a_right_hash() -> None:
    broken = first_break([Stored(1, b"no envelope", sha256(b"no envelope").hexdigest())])
    assert broken is not None
    assert (broken.seq, broken.flaw) == (1, "unreadable")
    assert broken.detail


def test_the_chain_is_read_once_and_no_further_than_its_first_break() -> None:
    reading = iter([*TEN[:3], *TEN[4:]])
    assert found(reading) == (4, "seq_missing")
    assert next(reading) == TEN[5]

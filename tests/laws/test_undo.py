"""What is taken back is as if it had never been, and the record keeps both lines."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import to_builtins

from core.evolve import Ledger, evolve_play
from core.table.state import Play
from events import codec
from events.types import CardDealt, ChoiceOffered, LuckAdded, RollMade, Undone
from tests.laws.played import DEEDS, LINES, THROWS, begun, games, said
from tests.story import Story, refused

# What a throw was numbered and where its dice came from: an undone throw's number stays used.
COUNTED = {"roll", "reroll_of", "period", "first", "next", "damage", "soak", "wounding", "number"}
COUNTED |= {"choices", "comforts"}  # kept by their numbers


def plain(value: Any) -> Any:
    """A play as plain values, without the numbers that are never used twice."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items() if key not in COUNTED}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


def play_of(story: Story) -> Any:
    return plain(to_builtins(story.table.play, str_keys=True))


def as_if_it_had_never_been(story: Story, other: Story, lines: list[str], data: st.DataObject) -> None:
    """If one of the acts may be taken back, the table is the `other`, on which it never happened."""
    acts = [(line, answer.events[0].seq) for line in lines for answer in story.hear(line) if answer.events]
    taken_back = data.draw(st.sampled_from(acts or [("", 0)]), "taken back")
    (answer,) = story.hear(f"{story.table.play.gm}: /undo {taken_back[1]}")
    if answer.error is None:
        for act in acts:
            if act != taken_back:
                other.hear(act[0])
        assert play_of(story) == play_of(other)


# Dice rolled by hand fall the same on both tables.
BY_HAND = st.sampled_from(
    (
        "/trait agility dice=5,2",
        "/trait spirit -1 dice=3,3",
        "/trait stealth dice=1,4 crit",
        "/trait agility dice=3 extra",
        "/roll d6 dice=4",
        "/damage 2d6 vs=Ann dice=5,4",
        "/damage 2d6 vs=Boss dice=5,5",
        "/damage 2d6 vs=Guard dice=4,4",
        "/unshake dice=5,2",
        "/reroll dice=4,2",
        "/oppose d8 dice=5,2",
        "/resist d8 dice=5,3",
        "/benny spend soak dice=4,2",
    )
)
# Who acts for whom is no part of a fact: `/char use` says how later words are read, and what they led to stands.
ACTS = st.one_of(DEEDS, DEEDS, BY_HAND).filter(lambda line: not line.startswith(("/char use", "/char retire")))


@given(games(st.one_of(THROWS, DEEDS), most=8), said(st.one_of(THROWS, DEEDS)))
def test_an_act_taken_back_at_once_leaves_the_play_as_it_was(lines: list[str], act: str) -> None:
    story = begun()
    for line in lines:
        story.hear(line)
    before = story.table
    (done,) = story.hear(act)
    assume(bool(done.events) and not isinstance(done.events[0].data, LuckAdded))
    (answer,) = story.hear(f"{story.table.play.gm}: /undo {done.events[-1].seq}")
    assert answer.error is None, answer.error
    assert story.table.play == before.play
    assert [type(one.data) for one in answer.events] == [Undone]
    assert story.log.head(story.table.id).seq == done.events[-1].seq + 1


@given(games(ACTS, most=10), st.data())
def test_an_act_taken_back_later_is_as_if_it_had_never_been(lines: list[str], data: st.DataObject) -> None:
    """If the undo is allowed, the table is the one on which the act never happened."""
    as_if_it_had_never_been(begun(), begun(), lines, data)


@given(games())
def test_the_play_is_what_all_acts_that_stand_have_made_of_it(lines: list[str]) -> None:
    story = begun()
    for line in lines:
        story.hear(line)
    play = Play()
    for act in story.table.acts:
        for event in () if act.undone else act.events:
            play = evolve_play(play, event)
    assert play == story.table.play


@given(games())
def test_counters_and_dice_never_go_back(lines: list[str]) -> None:
    story = begun()
    for line in lines:
        before: Ledger = story.table.ledger
        story.hear(line)
        after = story.table.ledger
        assert after.seq >= before.seq
        assert after.roll >= before.roll
        assert after.choice >= before.choice
        assert (after.period, after.next_die) >= (before.period, before.next_die)
        assert len(after.sessions) >= len(before.sessions)


@given(games())
def test_no_die_of_a_period_is_used_twice_and_no_number_given_twice(lines: list[str]) -> None:
    story = begun()
    for line in lines:
        story.hear(line)
    used: dict[int, int] = {}
    rolls, choices = [], []
    for stored in story.app.log.read(story.table.id):
        event = _event(stored)
        if isinstance(event, RollMade | CardDealt) and event.period is not None:
            assert event.first == used.get(event.period, 0)
            assert event.next is not None
            assert event.next >= event.first
            used[event.period] = event.next
        rolls += [event.roll] if isinstance(event, RollMade) else []
        choices += [event.choice] if isinstance(event, ChoiceOffered) else []
    assert rolls == list(range(1, len(rolls) + 1))
    assert choices == list(range(1, len(choices) + 1))


def _event(stored: Any) -> Any:
    return codec.decode(stored).data


@given(games(LINES, most=15))
def test_what_is_undone_stays_in_the_record(lines: list[str]) -> None:
    story = begun()
    record = list(story.log.read(story.table.id))
    for line in lines:
        story.hear(line)
        now = list(story.log.read(story.table.id))
        assert now[: len(record)] == record
        record = now


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("/init join Ann", "/init leave Ann"),  # nobody leaves who never came
        ("/damage 2d6 vs=Boss dice=5,5", "/damage 2d6 vs=Boss dice=5,5"),  # a wound because Shaken already (SW-27)
    ],
)
def test_what_a_later_fact_was_built_on_is_not_taken_back(first: str, then: str) -> None:
    story = begun()
    number = story.when(f"gm: {first}").events[-1].seq
    story.given(f"gm: {then}")
    assert refused(story.when(f"gm: /undo {number}")) == "not_allowed"

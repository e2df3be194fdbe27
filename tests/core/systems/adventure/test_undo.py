"""Each kind of act is taken back as a whole, and the table is as it was."""

from __future__ import annotations

import pytest

from tests.core.systems.adventure.tables import LOCK_FIVE, MARK_FOUR, OGRE, conditions, open_choices, party, state
from tests.story import refused

DOWN = "ann: /hp -7"
ACTS = [
    ((), "ann: /move defy STR dice=1,2"),
    ((), "ann: /move sneak dice=4,4"),
    (("ann: /move sneak dice=4,4",), "gm: /choose 1"),
    ((), "ann: /move recall yes=3 dice=5,5"),
    ((), "ann: /move read vs=Ogre dice=6,6"),
    (("ann: /move read vs=Ogre dice=6,6",), "ann: /ask Why?"),
    ((), "ann: /move clash melee vs=Ogre dice=6,6"),
    (("ann: /move clash melee vs=Ogre dice=6,6",), "ann: /choose 2 dice=3"),
    (("ann: /move clash melee vs=Ogre dice=6,6",), "ann: /choose 1 dice=3,4"),
    (("ann: /move defy DEX dice=4,4",), "ann: /choose 1 mark=angry"),
    ((), "bob: /aid Ash expose"),
    (("bob: /bond Ash +1",), "bob: /aid Ash depth"),
    ((), "bob: /aid Ash mark=angry"),
    (("bob: /aid Ash expose",), "ann: /move defy DEX dice=4,4,1"),
    ((), "ann: /mark angry"),
    (("ann: /mark angry",), "ann: /clear angry"),
    (MARK_FOUR, "ann: /mark insecure"),
    ((*MARK_FOUR, "ann: /mark insecure"), "ann: /choose 4"),
    ((), "gm: /lock angry as=Ash"),
    (("gm: /lock angry as=Ash",), "gm: /unlock angry as=Ash"),
    ((), "ann: /xp 5"),
    (("ann: /xp 5",), "ann: /advance STR +1"),
    ((), "ann: /bond Bo +1"),
    ((), DOWN),
    ((DOWN,), "ann: /hp +2"),
    ((DOWN,), "ann: /death gamble dice=6,5"),
    ((DOWN,), "ann: /death gamble dice=4,4"),
    ((DOWN,), "ann: /death gamble dice=1,2"),
    ((DOWN,), "ann: /death glory"),
    ((DOWN, "ann: /death gamble dice=4,4"), "ann: /choose 1"),
    ((DOWN, "ann: /death gamble dice=4,4"), "ann: /choose 2"),
    ((DOWN, "ann: /death gamble dice=4,4", "ann: /choose 2"), "ann: /move defy STR dice=6,6"),
    ((DOWN, "ann: /death gamble dice=1,2"), "gm: /scene After"),
    (("ann: /hp -2", "ann: /mark angry"), "bob: /camp"),
    ((), "ann: /comfort Bo yes=1,2 new"),
    (("ann: /comfort Bo yes=1",), "bob: /choose 2"),
    ((), "gm: /endsession yes=2"),
    ((), "ann: /journey Peaks leader=Ash fast dice=1,2"),
    (("ann: /journey Peaks leader=Ash careful dice=4,3", "ann: /choose 1 1"), "ann: /choose 2 2"),
    ((), "ann: /ritual new Seal mag=1"),
    (("ann: /ritual new Seal mag=1",), "gm: /ritual need Seal moon"),
    (("ann: /ritual new Seal mag=1", "gm: /ritual need Seal moon"), "gm: /ritual done Seal 1"),
    ((), "gm: /hold Ash adv sneak"),
    (("gm: /hold Ash adv",), "gm: /hold Ash none"),
    ((), "ann: /set hp=3 STR+=1"),
    ((), "gm: /house xp-track 3"),
    (LOCK_FIVE[:4], LOCK_FIVE[4]),
]


@pytest.mark.parametrize(("before", "act"), ACTS, ids=[act for _, act in ACTS])
def test_AD_03_an_act_is_taken_back_with_all_that_it_brought(before: tuple[str, ...], act: str) -> None:
    story = party(OGRE, *before)
    play = story.table.play
    story.given(act)
    assert story.table.play != play
    story.given("gm: /undo")
    assert story.table.play == play


def test_AD_03_a_choice_taken_back_can_be_made_again() -> None:
    story = party("ann: /move defy DEX dice=4,4", "ann: /choose 1 mark=angry", "ann: /undo")
    assert open_choices(story) == [1]
    assert conditions(story) == {}
    story.given("ann: /choose 1 mark=insecure")


def test_AD_21_a_limit_that_was_used_by_mistake_is_free_again() -> None:
    story = party(
        "ann: /comfort Bo yes=1", "ann: /undo", "ann: /comfort Cat yes=1", "gm: /camp", "gm: /undo", "gm: /camp"
    )
    assert state(story).used == {"comfort:Ash", "camp"}


def test_AD_21_one_comfort_does_not_hold_another_in_the_record() -> None:
    story = party("ann: /comfort Bo yes=2")
    first = story.table.acts[-1].first
    story.given("cat: /comfort Bo yes=2", f"gm: /undo {first}")
    assert state(story).used == {"comfort:Cat"}


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("bob: /aid Ash expose", "ann: /move defy STR dice=6,5,1"),  # the roll had the ADV
        ("ann: /move defy DEX dice=4,4", "ann: /choose 2"),
        ("ann: /mark angry", "ann: /clear angry"),
        ("ann: /hp -7", "ann: /death gamble dice=6,6"),
        ("ann: /bond Bo +1", "ann: /aid Bo depth"),
        ("ann: /xp 4", "ann: /xp 1"),
        ("ann: /set STR=3", "ann: /move defy STR dice=3,4"),
        ("ann: /hp -2", "gm: /camp"),
        ("ann: /ritual new Seal mag=1", "gm: /ritual need Seal moon"),
        ("gm: /house xp-track 2", "ann: /xp 2"),
    ],
)
def test_AD_03_what_a_later_act_was_built_on_is_not_taken_back(first: str, then: str) -> None:
    story = party()
    number = story.when(first).events[0].seq
    story.given(then)
    assert refused(story.when(f"gm: /undo {number}")) == "not_allowed"

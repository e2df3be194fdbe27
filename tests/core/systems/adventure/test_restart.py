"""The program may end at any moment: choices, what is held, and every limit outlive it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.evolve import Table, replay
from events import codec
from events.sqlite import SqliteLog
from events.types import ConditionMarked, RollMade
from tests.core.systems.adventure.tables import (
    OGRE,
    conditions,
    held,
    open_choices,
    party,
    state,
)
from tests.core.systems.kept import goes_on
from tests.story import one_of, refused, restarted

EVENING = (
    OGRE, "bob: /aid Ash expose", "ann: /move clash melee vs=Ogre dice=4,3,1", "ann: /choose 1 mark=angry dice=3,2",
    "bob: /choose 3", "cat: /move sneak dice=4,4", "gm: /choose 1", "ann: /comfort Bo yes=1,2 new",
    "bob: /choose 4 2", "bob: /move recall yes=3 dice=4,4", "bob: /choose 6 3", "ann: /hp -9",
    "ann: /death gamble dice=4,4", "ann: /choose 7 1", "ann: /ritual new Seal mag=2", "gm: /ritual need Seal moon",
    "cat: /move read vs=Ogre dice=6,6,1", "cat: /move defy STR secret dice=1,2", "gm: /camp",
)  # fmt: skip
REST = (
    "ann: /choose 8 2",
    "cat: /ask Why?",
    "gm: /ritual done Seal 1",
    "cat: /move sneak dice=6,6,1",
    "gm: /session end",
)


@pytest.mark.parametrize("cut", [2, 3, 4, 6, 8, 10, 13, len(EVENING)])
def test_AD_03_a_table_on_the_same_log_goes_on_as_if_nothing_had_been(cut: int) -> None:
    goes_on(party, EVENING, REST, cut)


def test_AD_03_open_choices_outlive_a_restart() -> None:
    story = restarted(party("ann: /move defy DEX dice=4,4"))
    assert open_choices(story) == [1]
    assert refused(story.when("bob: /choose 1 1")) == "not_yours"
    assert one_of(story.when("ann: /choose 1 mark=angry"), ConditionMarked).condition == "angry"
    assert refused(restarted(story).when("ann: /choose 1 2")) == "already_done"


def test_AD_12_a_clash_goes_on_with_its_dice_after_a_restart() -> None:
    story = restarted(party(OGRE, "ann: /move clash melee vs=Ogre dice=6,6"))
    story.given("ann: /choose 2 dice=4")
    assert (state(story).hp["Ogre"].hp, state(story).hp["Ash"].hp) == (1, 3)


def test_AD_21_limits_and_what_is_held_outlive_a_file_closed_and_opened(tmp_path: Path) -> None:
    file = tmp_path / "evening.db"
    log = SqliteLog(file)
    story = party("ann: /comfort Bo yes=1", "gm: /camp", "gm: /hold Ash adv", "ann: /mark angry", log=log)
    before = story.table
    log.close()
    reopened = SqliteLog(file)
    again = restarted(story, reopened)
    assert again.table == before
    assert refused(again.when("ann: /comfort Cat yes=1")) == "already_done"
    assert refused(again.when("gm: /camp")) == "already_done"
    assert (open_choices(again), held(again), conditions(again)) == ([1], [("adv", "gm")], {"angry": "marked"})
    assert one_of(again.given("bob: /choose 1 2").when("ann: /move defy STR dice=1,6,6"), RollMade).total == 13
    again.given("gm: /session end", "gm: /session start", "gm: /camp")
    reopened.close()


def test_AD_03_a_replay_of_the_log_alone_gives_the_same_table() -> None:
    story = party(*EVENING, *REST)
    name = story.table.id
    assert replay(Table(name), map(codec.decode, story.log.read(name))) == story.table


def test_AD_03_a_message_that_comes_twice_makes_one_choice() -> None:
    story = party("ann: /move defy DEX dice=4,4")
    (once,) = story.hear("ann: /choose 1 mark=angry", message="same")
    (twice,) = restarted(story).hear("ann: /choose 1 mark=angry", message="same")
    assert (once.new, twice.new) == (True, False)
    assert twice.events == once.events

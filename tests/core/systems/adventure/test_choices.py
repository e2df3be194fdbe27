"""Choices: offered to whom they belong, answered once, and what picking them does in the same append."""

from __future__ import annotations

import pytest

from core.systems.adventure import rules
from events.types import AdvantageHeld, ChoiceMade
from tests.core.systems.adventure.tables import (
    MARK_FOUR,
    OGRE,
    changes,
    conditions,
    held,
    kinds,
    offered,
    open_choices,
    party,
    sentence,
)
from tests.story import Story, one_of, refused, told

WEAK = "ann: /move defy DEX dice=4,4"


def test_AD_03_the_record_holds_what_was_offered_and_what_was_chosen() -> None:
    story = party()
    assert offered(story.when(WEAK)) == [(1, "ann", "move.defy", ("condition", "attention", "sacrifice"))]
    assert one_of(story.when("ann: /choose 2"), ChoiceMade) == ChoiceMade(choice=1, option=2)


def test_AD_03_choosing_to_mark_a_condition_marks_it_in_the_same_act() -> None:
    story = party(WEAK)
    answer = story.when("ann: /choose 1 mark=angry")
    assert kinds(answer) == ["ChoiceMade", "ConditionMarked"]
    assert conditions(story) == {"angry": "marked"}


def test_AD_03_without_a_condition_named_the_player_is_asked_which() -> None:
    story = party(WEAK)
    assert offered(story.when("ann: /choose 1")) == [(2, "ann", "condition", rules.CONDITIONS)]
    assert changes(story.when("ann: /choose 2 3")) == [("marked", "Ash", "exhausted")]


def test_AD_03_the_only_free_condition_needs_no_asking() -> None:
    story = party(*MARK_FOUR, WEAK)
    assert ("marked", "Ash", "insecure") in changes(story.when("ann: /choose 1"))


@pytest.mark.parametrize("person", ["bob", "gm", "dan"])
def test_AD_03_a_choice_that_is_anothers_is_refused(person: str) -> None:
    story = party(WEAK)
    answer = story.when(f"{person}: /choose 1 2")
    assert refused(answer) == "not_yours"
    assert "ann" in sentence(answer)
    assert open_choices(story) == [1]


def test_AD_03_a_choice_is_made_once() -> None:
    story = party(WEAK, "ann: /choose 1 2")
    assert refused(story.when("ann: /choose 1 1")) == "already_done"
    assert refused(story.when("ann: /choose 2")) == "not_found"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("ann: /choose 4", "bad_argument"),
        ("ann: /choose 0", "bad_argument"),
        ("ann: /choose", "bad_argument"),
        ("ann: /choose x", "bad_argument"),
        ("ann: /choose 99 1", "not_found"),
        ("ann: /choose 2 mark=angry", "bad_argument"),
        ("ann: /choose 1 mark=hungry", "bad_argument"),
        ("ann: /choose 2 dice=3", "dice_mismatch"),
        ("bob: /choose 1", "not_found"),
    ],
)
def test_AD_03_a_choice_that_cannot_be_is_refused(line: str, code: str) -> None:
    story = party(WEAK)
    assert refused(story.when(line)) == code
    assert open_choices(story) == [1]


def test_AD_03_a_condition_that_is_taken_cannot_be_picked() -> None:
    story = party("ann: /mark angry", "gm: /lock insecure as=Ash", WEAK)
    assert refused(story.when("ann: /choose 1 mark=angry")) == "already_done"
    assert refused(story.when("ann: /choose 1 mark=insecure")) == "already_done"
    story.given("ann: /choose 1", "ann: /mark distracted")
    assert refused(story.when("ann: /choose 2 1")) == "already_done"
    story.given("ann: /choose 2 2")


def test_AD_03_with_several_open_one_says_which() -> None:
    story = party(WEAK, "ann: /move uncover dice=4,3")
    answer = story.when("ann: /choose 2")
    assert refused(answer) == "bad_argument"
    assert "1, 2" in sentence(answer)
    story.given("ann: /choose 2 1", "ann: /choose 3")
    assert open_choices(story) == []


@pytest.mark.parametrize(
    ("speech", "ask", "label"), [("zh", "。待选", "标记一个状态"), ("en", "/choices", "mark a condition")]
)
def test_AD_03_open_choices_are_listed_with_their_owner_and_options(speech: str, ask: str, label: str) -> None:
    story = party(WEAK, "ann: /move sneak dice=4,4", speech=speech)
    shown = told(story.when(f"bob: {ask}"))
    assert label in shown
    assert "ann" in shown
    assert "gm" in shown
    story.given("ann: /choose 2", "gm: /choose 3")
    assert label not in told(story.when(f"bob: {ask}"))


@pytest.mark.parametrize(
    ("speech", "labels"),
    [
        ("zh", ["标记一个状态", "引来注意，或局势升级", "为此牺牲某样东西"]),
        ("en", ["mark a condition", "draw attention, or things escalate", "give something up for it"]),
    ],
)
def test_AD_03_the_options_are_told_and_given_as_buttons_in_the_tables_language(speech: str, labels: list[str]) -> None:
    answer = party(speech=speech).when(WEAK)
    assert [label for _, label in answer.letters[0].choices] == labels
    assert all(f"{n}) {label}" in told(answer) for n, label in enumerate(labels, 1))


@pytest.mark.parametrize("line", ["ann: 。选择 1 mark=愤怒", "ann: 。选 １ 标记＝愤怒", "ann: /CHOOSE 1 状态=angry"])
def test_AD_03_a_choice_is_made_in_either_language(line: str) -> None:
    assert changes(party(WEAK).when(line)) == [("marked", "Ash", "angry")]


def test_AD_03_an_opening_for_an_ally_is_held_by_the_one_picked() -> None:
    story = party(OGRE, "ann: /move clash melee vs=Ogre dice=6,5")
    assert offered(story.when("ann: /choose 1 dice=3,2")) == [(2, "ann", "ally", ("Bo", "Cat"))]
    given = one_of(story.when("ann: /choose 2 2"), AdvantageHeld)
    assert (given.character, given.why, given.by) == ("Cat", "opening", "")
    assert held(story, "Cat") == [("adv", "opening")]


def test_AD_03_when_a_character_dies_its_open_choices_are_over() -> None:
    story = party(WEAK, "ann: /hp -7", "ann: /death glory")
    assert open_choices(story) == []
    assert refused(story.when("ann: /choose 1 1")) == "already_done"


def test_AD_03_a_pick_on_a_secret_move_stays_among_those_who_know_the_move() -> None:
    story = Story().given("gm: /table new adventure", "gm: /house physical-dice on", "ash: /char new Ash STR=1")
    story.given("bo: /char new Bo", "ash: /move defy STR dice=3,4 secret")
    assert "escalate" not in told(story.when("bo: /choices"))
    answer = story.when("ash: /choose 2")
    assert {letter.to for letter in answer.letters} == {"table", "ash", "gm"}
    assert "attention" not in told(answer)
    assert "attention" not in told(story.when("bo: /history"))


def test_AD_03_a_pick_that_a_secret_pick_has_offered_is_secret_too() -> None:
    story = Story().given("gm: /table new adventure", "gm: /house physical-dice on", "ash: /char new Ash STR=1")
    story.given("bo: /char new Bo", "ash: /move defy STR dice=3,4 secret")
    first = story.when("ash: /choose 1")
    assert any(letter.choices for letter in first.letters)
    second = story.when("ash: /choose 1")
    assert {letter.to for letter in second.letters} == {"table", "ash", "gm"}
    assert told(second) == told(first)
    shown = told(story.when("bo: /history"))
    assert "angry" not in shown
    assert "marks" not in shown
    story.given("gm: /reveal")
    assert "angry" in told(story.when("bo: /history"))


def test_AD_03_the_gms_choices_go_with_the_chair() -> None:
    story = Story().given("gm: /table new adventure", "gm: /house physical-dice on", "ash: /char new Ash DEX=1")
    story.given("ash: /move sneak dice=3,4", "bo: /join", "gm: /gm bo")
    assert refused(story.when("gm: /choose 1")) in ("not_found", "not_yours")
    story.given("bo: /choose 1")

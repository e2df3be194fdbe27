"""Which rules a roll shows at work: each named, each of the system, and the right ones on played rolls."""

from __future__ import annotations

import pytest

from core.registry import SYSTEMS, room
from events.types import RollMade
from tests.house.test_rule_ids import ids
from tests.story import Story, one_of

PREFIX = {"savage": "SW", "storytelling": "ST", "infinite": "IT", "adventure": "AD"}
SHOWN = [
    ("savage", "gm: /trait d8 dice=8,4,3", ("SW-03", "SW-06", "SW-08", "SW-09")),
    ("savage", "gm: /trait d6 x2 -2(dark) dice=3,5,2", ("SW-03", "SW-04", "SW-05", "SW-06", "SW-07")),
    ("savage", "gm: /trait d6 dice=1,1", ("SW-03", "SW-06", "SW-11")),
    ("savage", "gm: /group d6 dice=3,4", ("SW-03", "SW-06", "SW-16")),
    ("savage", "gm: /damage 2d6 dice=3,4", ("SW-27",)),
    ("savage", "gm: /roll 2d6! dice=6,1,2", ()),
    ("storytelling", "gm: /pool 2 dice=8,3", ("ST-01", "ST-02")),
    ("storytelling", "gm: /pool 0 reflexive dice=1", ("ST-03", "ST-04")),
    ("infinite", "gm: /check 2 dc=1 extra=2 dice=10,3,4", ("IT-01", "IT-02", "IT-03", "IT-05")),
    ("infinite", "gm: /oppose 1 dice=9", ("IT-01", "IT-06")),
    ("adventure", "ann: /move recall adv dice=2,6,5", ("AD-01", "AD-02", "AD-11")),
]


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_rule_that_a_roll_can_show_has_a_name_and_is_one(system: str) -> None:
    shown = [rule for rule, _ in room(system, "rules").SHOWN]
    assert shown == sorted(set(shown))
    assert shown == list(room(system, "words").RULES)
    assert set(shown) <= set(ids(PREFIX[system]))


@pytest.mark.parametrize(("system", "line", "rules"), SHOWN, ids=[line for _, line, _ in SHOWN])
def test_a_roll_shows_the_rules_that_apply(system: str, line: str, rules: tuple[str, ...]) -> None:
    story = Story().given(f"gm: /table new {system} T", "gm: /house physical-dice on", "ann: /char new Ann")
    assert room(system, "rules").applied(one_of(story.when(line), RollMade)) == rules


@pytest.mark.parametrize("system", SYSTEMS)
def test_where_a_table_stands_is_asked_by_questions_that_are_answered(system: str) -> None:
    for of in ("", system):
        answers = room(of, "answer")
        assert {type(question) for question in answers.BOARD.values()} <= answers.ANSWER.keys()

"""Opposed rolls (IT-06): hiding and searching, racing, pushing."""

from __future__ import annotations

import pytest

from events.types import OppositionResolved, RollMade
from tests.core.systems.infinite.tables import GUARD, OGRE, ZHANG, table
from tests.story import Story, one_of, refused, told

HIDDEN = "a: /oppose 2 dice=8,9"  # hidden with 2


def search(story: Story, line: str) -> OppositionResolved:
    return one_of(story.when(line), OppositionResolved)


@pytest.mark.parametrize(("given", "winner"), [("8,2,2", "张三"), ("8,8,2", "张三"), ("8,8,9", "守")])
def test_IT_06_hidden_with_2_a_searcher_with_2_does_not_find_and_with_3_does(given: str, winner: str) -> None:
    found = search(table(ZHANG, GUARD, HIDDEN), f"d: /resist 3 dice={given}")
    assert found.winner == winner
    assert found.loser == ({"张三", "守"} - {winner}).pop()


@pytest.mark.parametrize("setting", ["gm: /house opposed-tie challenger", "gm: 。房规 对抗平手 challenger"])
def test_IT_06_by_house_rule_as_much_is_enough(setting: str) -> None:
    story = table(ZHANG, GUARD, setting, HIDDEN)
    assert search(story, "d: /resist 3 dice=8,8,2").winner == "守"
    assert search(story.given(HIDDEN), "d: /resist 3 dice=8,2,2").winner == "张三"


@pytest.mark.parametrize("tie", ["first", "challenger"])
def test_IT_06_where_nobody_has_a_success_the_first_side_stands(tie: str) -> None:
    story = table(ZHANG, GUARD, f"gm: /house opposed-tie {tie}", "a: /oppose 1 dice=2")
    assert search(story, "d: /resist 1 dice=3").winner == "张三"


def test_IT_06_extras_count_for_both_sides() -> None:
    story = table(ZHANG, GUARD, "a: /oppose 敏捷+潜行 dice=8,2,2,2,2,2,2,2")  # 1 + 1 for dexterity 6
    assert search(story, "d: /resist 感知+调查 dice=8,8,2,2,2,2").winner == "张三"
    story.given("a: /oppose 敏捷+潜行 dice=8,2,2,2,2,2,2,2")
    assert search(story, "d: /resist 感知+调查 extra=1 dice=8,8,2,2,2,2").winner == "守"


def test_IT_06_the_rolls_outcome_is_that_of_the_contest() -> None:
    story = table(ZHANG, GUARD, HIDDEN)
    lost = one_of(story.when("d: /resist 3 dice=8,8,2"), RollMade)
    assert (lost.total, lost.outcome, lost.against) == (2, "failure", "张三")
    won = one_of(story.given(HIDDEN).when("d: /resist 3 dice=8,8,8"), RollMade)
    assert (won.total, won.outcome) == (3, "success")
    bad = one_of(story.given(HIDDEN).when("d: /resist 0 dice=1"), RollMade)
    assert bad.outcome == "dramatic_failure"


def test_IT_06_the_event_names_both_rolls() -> None:
    story = table(ZHANG, GUARD)
    first = one_of(story.when(HIDDEN), RollMade)
    answer = story.when("d: /resist 3 dice=8,8,8")
    found = one_of(answer, OppositionResolved)
    assert (found.active, found.defending) == (first.roll, one_of(answer, RollMade).roll)


@pytest.mark.parametrize(
    ("speech", "waiting", "settled"),
    [
        ("zh", "难度就是 2；等对方 。抵抗", "🏁 守 胜过 张三。"),
        ("en", "The DC is 2; waiting for /resist", "🏁 守 beats 张三."),
    ],
)
def test_IT_06_the_reply_says_the_dc_and_who_won(speech: str, waiting: str, settled: str) -> None:
    story = table(ZHANG, GUARD, language=speech)
    assert waiting in told(story.when(HIDDEN))
    assert settled in told(story.when("d: 。抵抗 ３ dice＝8，8，9"))


def test_IT_06_in_chinese() -> None:
    story = table(ZHANG, GUARD, "a: 。对抗 敏捷＋潜行－６（满月） dice=8，9")
    assert search(story, "d: 。抵抗 感知＋调查 对=张三 dice=8,2,2,2,2,2").winner == "张三"


def test_IT_06_people_without_sheets_oppose_too() -> None:
    assert search(table("a: /oppose 4 dice=8,8,3,2"), "b: /resist 4 dice=8,8,3,2").winner == "a"


def test_IT_06_nobody_resists_an_own_roll() -> None:
    story = table(ZHANG, HIDDEN)
    assert refused(story.when("a: /resist 3")) == "not_allowed"
    assert refused(story.when("a: /resist 3 vs=张三")) == "not_allowed"


def test_IT_06_another_character_of_the_same_player_may() -> None:
    story = table(ZHANG, "a: /char new 李四 感知=3", HIDDEN)
    assert search(story, "a: /resist 3 as=李四 dice=8,8,8").winner == "李四"


def test_IT_06_nothing_waits_to_be_resisted() -> None:
    story = table(ZHANG, GUARD)
    assert refused(story.when("d: /resist 3")) == "not_found"
    story.given(HIDDEN, "d: /resist 3 dice=8,8,8")
    assert refused(story.when("gm: /resist 3")) == "not_found"


def test_IT_06_without_a_name_the_latest_open_roll_is_meant() -> None:
    story = table(ZHANG, OGRE, GUARD, HIDDEN, "gm: /oppose 1 as=巨魔 dice=2")
    assert search(story, "d: /resist 1 dice=8").loser == "巨魔"
    assert search(story, "d: /resist 3 dice=8,8,8").loser == "张三"


def test_IT_06_others_may_search_for_the_same_hidden_one_by_name_and_each_once() -> None:
    story = table(ZHANG, OGRE, GUARD, HIDDEN, "d: /resist 3 dice=8,8,2")
    assert search(story, "gm: /resist 3 vs=张三 as=巨魔 dice=8,8,8").winner == "巨魔"
    assert refused(story.when("d: /resist 3 vs=张三")) == "already_done"
    assert refused(story.when("gm: /resist 3 vs=a as=巨魔")) == "already_done"


def test_IT_06_a_new_opposed_roll_takes_the_place_of_the_old() -> None:
    story = table(ZHANG, GUARD, HIDDEN, "d: /resist 3 dice=8,8,2", "a: /oppose 1 dice=2")
    assert search(story, "d: /resist 1 dice=8").winner == "守"


def test_IT_06_a_secret_first_roll_does_not_leak_through_the_answer() -> None:
    story = table(ZHANG, GUARD, "gm: /char new 影 dex=16", "gm: /oppose dex secret as=影")
    hidden = story.table.play.rules.opposed["影"].total
    answer = story.when("d: /resist 1 dice=2")
    assert one_of(answer, RollMade).target is None
    assert hidden > 3
    assert str(hidden) not in told(answer)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("3 vs=Nobody", "not_found"),
        ("3 vs=巨魔", "not_found"),
        ("3 dc=2", "bad_argument"),
        ("", "bad_argument"),
        ("3 reflexive", "bad_argument"),
        ("1001", "too_large"),
        ("3 again=7", "bad_argument"),
        ("3 vs=", "bad_argument"),
    ],
)
def test_IT_06_a_resist_that_does_not_fit_is_refused(line: str, code: str) -> None:
    story = table(ZHANG, OGRE, GUARD, HIDDEN)
    assert refused(story.when(f"d: /resist {line}")) == code


@pytest.mark.parametrize("line", ["2 dc=3", "", "2 target=守", "2 vs=守"])
def test_IT_06_the_first_side_has_no_dc_and_names_nobody(line: str) -> None:
    assert refused(table(ZHANG, GUARD).when(f"a: /oppose {line}")) == "bad_argument"

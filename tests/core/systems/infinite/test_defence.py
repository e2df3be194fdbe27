"""Defence: declared before the attack, set against what was rolled, gone until the next action (IT-12 to IT-14)."""

from __future__ import annotations

import pytest

from events.types import AttackResolved, DefenceDeclared, DefenceRestored, RollMade
from tests.core.systems.infinite.tables import (
    GUARD,
    KNIGHT,
    OGRE,
    ZHANG,
    ZOMBIE,
    attacks,
    left,
    numbers,
    state,
    table,
)
from tests.story import Story, all_of, one_of, refused, told

LATE = "gm: /house late-defence on"


def fight(*lines: str, language: str = "en") -> Story:
    return table(ZHANG, GUARD, OGRE, *lines, language=language)


# ---- IT-12


def test_IT_12_what_is_declared_is_gone_used_or_wasted() -> None:
    story = fight()
    declared = one_of(story.when("d: /defend 5"), DefenceDeclared)
    assert (declared.character, declared.declared, declared.left, declared.attacks) == ("守", 5, 2, (5,))
    assert numbers(story.when("a: /attack 3 extra=4 target=守 dice=8,2,3")) == [(1, 1, 0, 0)]
    assert left(story, "守") == 2


def test_IT_12_undeclared_means_none() -> None:
    assert numbers(fight().when("a: /attack 3 target=守 dice=8,2,3")) == [(1, 0, 0, 1)]


def test_IT_12_a_number_meets_one_attack_whatever_it_rolls() -> None:
    story = fight("d: /defend 3")
    assert numbers(story.when("a: /attack 1 target=守 dice=2")) == [(0, 0, 0, 0)]
    assert numbers(story.when("a: /attack 1 target=守 dice=8")) == [(1, 0, 0, 1)]


@pytest.mark.parametrize("line", ["d: /defend 1,2", "d: 。防御 １，２", "d: /defend 1、2", "gm: /defend 1,2 as=守"])
def test_IT_12_several_numbers_meet_several_attacks_in_order(line: str) -> None:
    story = fight(line)
    answer = story.when("a: /attack 3 target=守 split=0,0,0 dice=8,8,8,8,8,8,8,8,8")
    assert [(one.declared, one.total) for one in attacks(answer)] == [(1, 2), (2, 1), (0, 3)]


def test_IT_12_what_is_put_up_waits_for_an_attack_on_oneself() -> None:
    story = fight("d: /defend 2")
    assert numbers(story.when("a: /attack 1 target=巨魔 dice=8")) == [(1, 0, 0, 1)]
    assert numbers(story.when("a: /attack 1 dice=8")) == [(1, 0, 0, 1)]
    assert numbers(story.when("gm: /attack 1 as=巨魔 target=守 dice=8")) == [(1, 1, 0, 0)]


def test_IT_12_a_second_declaration_waits_behind_the_first() -> None:
    story = fight("d: /defend 1", "d: /defend 2")
    assert [one.declared for one in attacks(story.when("a: /attack 1 target=守 split=0,0 dice=2,2"))] == [1, 2]


@pytest.mark.parametrize("line", ["8", "4,4", "7,1", "1000"])
def test_IT_12_nobody_puts_up_more_than_there_is(line: str) -> None:
    assert refused(fight().when(f"d: /defend {line}")) == "nothing_to_spend"
    assert refused(fight("d: /defend 1", "a: /attack 1 target=守").when("d: /defend 7")) == "nothing_to_spend"


@pytest.mark.parametrize(
    ("who", "line", "code"),
    [
        ("d", "", "bad_argument"),
        ("d", "x", "bad_argument"),
        ("d", "-1", "bad_argument"),
        ("d", "1,,2", "bad_argument"),
        ("d", "1.5", "bad_argument"),
        ("d", "1001", "too_large"),
        ("d", "9999999", "too_large"),
        ("d", ",".join("0" * 21), "too_large"),
        ("d", "1 2", "bad_argument"),
        ("d", "1 secret", "bad_argument"),
        ("d", "1 dice=2", "bad_argument"),
        ("a", "1", "nothing_to_spend"),
        ("a", "1 as=守", "not_yours"),
        ("b", "1", "not_found"),
        ("gm", "1 as=nobody", "not_found"),
    ],
)
@pytest.mark.parametrize("speech", ["zh", "en"])
def test_IT_12_a_defence_that_does_not_fit_is_refused(who: str, line: str, code: str, speech: str) -> None:
    assert refused(fight(language=speech).when(f"{who}: /defend {line}")) == code


@pytest.mark.parametrize(
    "action",
    [
        "d: /check 2",
        "d: /attack 2 target=巨魔",
        "d: /attack 2",
        "d: /oppose 2",
        "d: /defend off",
        "d: 。防御 恢复",
        "gm: /check 1 as=守",
    ],
)
def test_IT_12_with_the_next_action_they_come_back(action: str) -> None:
    story = fight("gm: /char use 巨魔", "d: /defend 5", "a: /attack 1 target=守")
    if action.startswith("gm: /check"):
        action = "d: /check 1 as=守"
    answer = story.when(action)
    assert one_of(answer, DefenceRestored).left == 7
    assert left(story, "守") == 7
    assert "the defence extras are back at 7" in told(answer)


@pytest.mark.parametrize(
    "other",
    [
        "d: /resist 2",
        "d: /check 2 reflexive",
        "d: 。检定 ２ 反射",
        "d: /oppose 2 reflexive",
        "a: /check 2",
        "d: /roll d10",
    ],
)
def test_IT_12_with_a_reaction_or_somebody_elses_action_they_do_not(other: str) -> None:
    story = fight("d: /defend 5", "a: /attack 1 target=守", "gm: /oppose 2 as=巨魔")
    answer = story.when(other)
    assert all_of(answer, DefenceRestored) == []
    assert left(story, "守") == 2


def test_IT_12_an_action_also_ends_what_was_put_up_and_never_met() -> None:
    story = fight("d: /defend 5", "d: /check 1")
    assert numbers(story.when("a: /attack 1 target=守 dice=8")) == [(1, 0, 0, 1)]
    assert left(story, "守") == 7


def test_IT_12_whoever_used_nothing_has_nothing_back() -> None:
    assert all_of(fight().when("d: /check 1"), DefenceRestored) == []


def test_IT_12_a_new_scene_gives_them_back_too() -> None:
    story = fight("d: /defend 5", "gm: /scene 走廊")
    assert left(story, "守") == 7
    assert numbers(story.when("a: /attack 1 target=守 dice=8")) == [(1, 0, 0, 1)]


@pytest.mark.parametrize(
    ("speech", "shown"),
    [
        ("zh", ("🛡️ 守 宣言防御 5（还剩 2）", "骰出 1，防去 1（宣言 5、浪费 4） → 未命中，附加成功和命中效果都不算")),
        (
            "en",
            (
                "🛡️ 守 puts up 5 (2 left)",
                "rolled 1, 1 cancelled (5 put up, 4 wasted) → a miss; extras and effects are void",
            ),
        ),
    ],
)
def test_IT_12_the_reply_says_what_was_put_up_and_wasted(speech: str, shown: tuple[str, str]) -> None:
    story = fight(language=speech)
    assert shown[0] in told(story.when("d: /defend 5"))
    assert shown[1] in told(story.when("a: /attack 3 extra=4 target=守 dice=8,2,3"))


# ---- late defence


@pytest.mark.parametrize("setting", [LATE, "gm: 。房规 事后防御 开", "gm: /house late-defence=on"])
def test_IT_12_by_house_rule_defence_may_come_after_the_roll(setting: str) -> None:
    story = fight(setting, "a: /attack 3 extra=4 target=守 dice=8,8,8")
    answer = story.when("d: /defend 2")
    found = one_of(answer, AttackResolved)
    assert (found.late, found.declared, found.cancelled, found.extra, found.total, found.hit) == (
        True,
        2,
        2,
        4,
        5,
        True,
    )
    assert left(story, "守") == 5
    assert "(late defence)" in told(answer)


def test_IT_12_late_defence_that_cancels_all_makes_it_a_miss() -> None:
    found = one_of(fight(LATE, "a: /attack 3 extra=4 target=守 dice=8,8,2").when("d: /defend 2"), AttackResolved)
    assert (found.hit, found.total, found.extra) == (False, 0, 0)


def test_IT_12_late_defence_comes_on_top_of_what_abilities_took_and_of_what_was_declared() -> None:
    story = fight(LATE, "d: /defend 1", "a: /attack 3 lose=1 extra=4 target=守 dice=8,8,8")
    found = one_of(story.when("d: /defend 1"), AttackResolved)
    assert (found.lost, found.declared, found.cancelled, found.total) == (1, 2, 3, 0)


def test_IT_12_late_defence_meets_the_hits_of_the_last_action_in_order() -> None:
    story = fight(LATE, "a: /attack 2 target=守,巨魔,守,守 split=0,0,0 dice=8,8,8,8,2,2,8,2")
    found = all_of(story.when("d: /defend 1,1"), AttackResolved)
    assert [(one.nth, one.declared, one.total) for one in found] == [(1, 1, 1), (4, 1, 0)]


def test_IT_12_late_defence_meets_the_last_action_and_no_earlier_one() -> None:
    story = fight(LATE, "a: /attack 1 target=守 dice=8", "gm: /attack 2 as=巨魔 target=守 dice=8,8")
    found = one_of(story.when("d: /defend 1"), AttackResolved)
    assert (found.attacker, found.total) == ("巨魔", 1)


def test_IT_12_each_attack_is_met_late_once() -> None:
    story = fight(LATE, "a: /attack 3 target=守 dice=8,8,8", "d: /defend 1")
    assert all_of(story.when("d: /defend 1"), AttackResolved) == []
    assert numbers(story.when("a: /attack 2 target=守 dice=8,8")) == [(2, 1, 0, 1)]


@pytest.mark.parametrize("between", ["d: /check 1", "gm: /scene", "d: /defend off"])
def test_IT_12_once_one_has_acted_it_is_too_late(between: str) -> None:
    story = fight(LATE, "a: /attack 3 target=守 dice=8,8,8", between)
    assert all_of(story.when("d: /defend 1"), AttackResolved) == []


def test_IT_12_while_something_is_still_put_up_a_declaration_is_for_attacks_to_come() -> None:
    story = fight(LATE, "d: /defend 1,2", "a: /attack 3 target=守 dice=8,8,8")
    assert all_of(story.when("d: /defend 3"), AttackResolved) == []
    answer = story.when("a: /attack 1 target=守 split=0,0 dice=8,8")
    assert [one.declared for one in attacks(answer)] == [2, 3]


def test_IT_12_a_miss_needs_no_late_defence() -> None:
    story = fight(LATE, "a: /attack 1 target=守 dice=2")
    assert all_of(story.when("d: /defend 3"), AttackResolved) == []
    assert numbers(story.when("a: /attack 1 target=守 dice=8")) == [(1, 1, 0, 0)]


def test_IT_12_without_the_house_rule_a_late_declaration_is_for_the_next_attack() -> None:
    story = fight("a: /attack 1 target=守 dice=8")
    assert all_of(story.when("d: /defend 3"), AttackResolved) == []
    assert numbers(story.when("a: /attack 1 target=守 dice=8")) == [(1, 1, 0, 0)]


# ---- IT-13


@pytest.mark.parametrize(
    ("declared", "dice", "lose", "expected"),
    [
        (5, "8,2,3", 0, (1, 1, 0, 0)),  # the seed's five against one
        (2, "8,8,8", 0, (3, 2, 4, 5)),
        (3, "8,8,8", 0, (3, 3, 0, 0)),
        (1, "8,8,8", 1, (3, 2, 4, 5)),
        (1, "8,8,8", 2, (3, 3, 0, 0)),
        (0, "8,8,8", 3, (3, 3, 0, 0)),
        (0, "8,8,8", 0, (3, 0, 4, 7)),
        (0, "2,2,2", 0, (0, 0, 0, 0)),
    ],
)
def test_IT_13_declared_defence_and_abilities_meet_the_rolled_successes_before_extras(
    declared: int, dice: str, lose: int, expected: tuple[int, int, int, int]
) -> None:
    story = fight(f"d: /defend {declared}")
    answer = story.when(f"a: /attack 3 extra=4 lose={lose} target=守 dice={dice}")
    assert numbers(answer) == [expected]
    (found,) = attacks(answer)
    assert (found.hit, found.declared, found.lost) == (expected[3] > 0, declared, lose)


def test_IT_13_the_roll_says_what_the_attack_came_to() -> None:
    story = fight("d: /defend 2")
    roll = one_of(story.when("a: /attack 3 extra=4 target=守 dice=8,8,8"), RollMade)
    assert (roll.successes, roll.extra, roll.total, roll.outcome, roll.against) == (3, 4, 5, "success", "守")
    story.given("d: /defend 3")
    roll = one_of(story.when("a: /attack 3 extra=4 target=守 dice=8,8,8"), RollMade)
    assert (roll.successes, roll.extra, roll.total, roll.outcome) == (3, 0, 0, "failure")


def test_IT_13_attribute_extras_of_the_attacker_are_void_with_a_miss_too() -> None:
    story = fight("d: /defend 1")
    assert numbers(story.when("a: /attack 力量-9 target=守 dice=8,2")) == [(1, 1, 0, 0)]


@pytest.mark.parametrize(("speech", "shown"), [("zh", "能力减去 1"), ("en", "1 taken by abilities")])
def test_IT_13_the_reply_says_what_abilities_took(speech: str, shown: str) -> None:
    assert shown in told(fight(language=speech).when("a: /attack 2 lose=1 target=守 dice=8,8"))


# ---- IT-14: 2 plain extras, 3 and 1 legendary, base defence 3


def knights(*lines: str, language: str = "en") -> Story:
    return table(ZHANG, KNIGHT, *lines, language=language)


def test_IT_14_the_legendary_extras_are_there_while_there_is_base_defence() -> None:
    assert left(knights(), "骑士") == 6
    assert refused(knights().when("d: /defend 7")) == "nothing_to_spend"


@pytest.mark.parametrize("cause", ["d: /set 基础防御=0", "d: /set 基础防御-=3", "gm: /set 骑士 base-defence=0"])
def test_IT_14_at_base_defence_0_they_are_lost(cause: str) -> None:
    story = knights(cause)
    assert left(story, "骑士") == 2
    assert refused(story.when("d: /defend 3")) == "nothing_to_spend"
    story.given("d: /defend 2", "d: /set 基础防御=1")
    assert left(story, "骑士") == 4


@pytest.mark.parametrize(("speed", "counts"), [(0, 6), (1, 6), (2, 6), (3, 2), (4, 2)])
@pytest.mark.parametrize("word", ["speed", "高速"])
def test_IT_14_high_speed_takes_base_defence_and_with_it_what_was_declared(speed: int, counts: int, word: str) -> None:
    story = knights("d: /defend 6")
    dice = ",".join("8" * 7)
    (found,) = attacks(story.when(f"a: /attack 7 {word}={speed} target=骑士 dice={dice}"))
    assert (found.declared, found.void, found.cancelled, found.total) == (counts, 6 - counts, counts, 7 - counts)
    assert found.speed == speed
    assert left(story, "骑士") == 0


def test_IT_14_what_is_void_is_void_for_each_attack_of_the_action() -> None:
    story = knights("d: /defend 1,3")
    answer = story.when("a: /attack 3 speed=3 target=骑士 split=0,0 dice=8,8,8,8,8,8")
    assert [(one.declared, one.void) for one in attacks(answer)] == [(1, 0), (1, 2)]


def test_IT_14_what_was_spent_before_counts_against_what_there_still_is() -> None:
    story = knights("d: /defend 2", "a: /attack 1 target=骑士", "d: /defend 3")
    assert [(one.declared, one.void) for one in attacks(story.when("a: /attack 1 speed=5 target=骑士"))] == [(0, 3)]


def test_IT_14_base_defence_lost_after_the_declaration_counts_too() -> None:
    story = knights("d: /defend 6", "d: /set 基础防御=0")
    assert [(one.declared, one.void) for one in attacks(story.when("a: /attack 1 target=骑士"))] == [(2, 4)]


def test_IT_14_a_late_defence_against_high_speed_has_no_legendary_extras_either() -> None:
    story = knights(LATE, "a: /attack 4 speed=3 target=骑士 dice=8,8,8,8")
    found = one_of(story.when("d: /defend 4"), AttackResolved)
    assert (found.declared, found.void, found.cancelled, found.total) == (2, 2, 2, 2)


def test_IT_14_late_numbers_are_spent_one_after_the_other() -> None:
    story = knights(LATE, "a: /attack 3 speed=3 target=骑士 split=0,0 dice=8,8,8,8,8,8")
    found = all_of(story.when("d: /defend 1,3"), AttackResolved)
    assert [(one.declared, one.void) for one in found] == [(1, 0), (1, 2)]


def test_IT_14_a_sheet_without_a_base_defence_loses_nothing() -> None:
    story = table(ZHANG, "d: /char new 骑士 传奇敏捷=3", "d: /defend 3")
    assert numbers(story.when("a: /attack 3 speed=9 target=骑士 dice=8,8,8")) == [(3, 3, 0, 0)]


@pytest.mark.parametrize(
    ("speech", "shown"), [("zh", "基础防御归零，4 点失效"), ("en", "base defence is 0, so 4 more are void")]
)
def test_IT_14_the_reply_says_what_is_void(speech: str, shown: str) -> None:
    story = knights("d: /defend 6", language=speech)
    assert shown in told(story.when("a: /attack 1 speed=3 target=骑士"))


# ---- what the state keeps


def test_IT_12_an_attack_on_somebody_without_a_sheet_leaves_nothing_behind() -> None:
    story = table(ZOMBIE)
    before = state(story)
    story.given("a: /attack 3", "gm: /attack 3 as=丧尸")
    assert state(story) == before

"""Attacks and where their extras go (IT-08 to IT-11)."""

from __future__ import annotations

import pytest

from events.types import Extra
from tests.core.systems.infinite.tables import GUARD, OGRE, ZHANG, ZOMBIE, attacks, numbers, rolls, table
from tests.story import Story, refused, told

FIGHTER = "a: /char new 战士 力量=11 格斗=2 攻击附加=3"  # 2 + 3 attack extras with 力量, 3 with a number
AXEMAN = "a: /char new 斧手 格斗=2 巨斧附加=4"


def fight(*lines: str, language: str = "en") -> Story:
    return table(*lines, GUARD, OGRE, ZOMBIE, language=language)


# ---- IT-08


def test_IT_08_an_attack_uses_all_extras_of_attributes_sheet_and_command() -> None:
    answer = fight(FIGHTER).when("a: /attack 力量-9 extra=4 target=丧尸 dice=8,2")
    assert numbers(answer) == [(1, 0, 9, 10)]
    assert rolls(answer)[0].extras == (Extra("strength", 2, 11), Extra("extra", 4), Extra("attack-extra", 3))


def test_IT_08_each_attack_action_has_all_of_them_again() -> None:
    story = fight(FIGHTER)
    for _ in range(3):
        assert numbers(story.when("a: /attack 2 target=丧尸 dice=8,2")) == [(1, 0, 3, 4)]


@pytest.mark.parametrize("split", ["2,2", "4,0", "0,4", "1,1", "0,0", "３，１", "2、2"])
def test_IT_08_several_attacks_on_one_target_share_them(split: str) -> None:
    answer = fight(ZHANG).when(f"a: /attack 2 extra=4 target=丧尸 split={split} dice=8,2,8,8")
    one, two = (int(part) for part in split.replace("，", ",").replace("、", ",").split(","))
    assert numbers(answer) == [(1, 0, one, 1 + one), (2, 0, two, 2 + two)]
    assert [one.nth for one in attacks(answer)] == [1, 2]


def test_IT_08_a_share_is_lost_with_a_miss_and_goes_to_no_other_attack() -> None:
    answer = fight(ZHANG).when("a: /attack 2 extra=4 target=丧尸,丧尸 split=3,1 dice=2,2,8,2")
    assert numbers(answer) == [(0, 0, 0, 0), (1, 0, 1, 2)]
    assert [one.hit for one in attacks(answer)] == [False, True]


def test_IT_08_the_target_may_be_named_once_or_each_time_or_not_at_all() -> None:
    for target, named in ((" target=丧尸", "丧尸"), (" 目标=丧尸,丧尸", "丧尸"), (" vs=丧尸、丧尸", "丧尸"), ("", "")):
        answer = fight(ZHANG).when(f"a: /attack 1 extra=4{target} split=1,3 dice=8,8")
        assert [(one.target, one.extra) for one in attacks(answer)] == [(named, 1), (named, 3)]


def test_IT_08_a_single_attack_may_use_less_than_all() -> None:
    assert numbers(fight(FIGHTER).when("a: /attack 1 target=丧尸 split=1 dice=8")) == [(1, 0, 1, 2)]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("extra=4 target=丧尸 split=3,2", "limit_reached"),
        ("extra=4 split=5", "limit_reached"),
        ("split=1,0", "limit_reached"),
        ("extra=4 target=丧尸,丧尸", "bad_argument"),  # the split comes before the roll
        ("extra=4 target=丧尸,丧尸 split=2", "bad_argument"),
        ("extra=4 target=丧尸,丧尸 split=2,1,1", "bad_argument"),
        ("extra=4 target=丧尸,丧尸 split=2,x", "bad_argument"),
        ("extra=4 target=丧尸,丧尸 split=2,", "bad_argument"),
        ("extra=4 target=丧尸,丧尸 split=", "bad_argument"),
        ("extra=4 target=丧尸,丧尸 split=-1,2", "bad_argument"),
        ("extra=4 target=丧尸,丧尸 split=2.5,1", "bad_argument"),
        ("extra=4 target=nobody", "not_found"),
        ("target=", "bad_argument"),
        ("extra=4 split=" + ",".join("0" * 21), "too_large"),
        ("target=" + ",".join(["丧尸"] * 21), "too_large"),
        ("dc=2", "bad_argument"),
        ("reflexive", "bad_argument"),
    ],
)
@pytest.mark.parametrize("speech", ["zh", "en"])
def test_IT_08_a_declaration_that_does_not_fit_is_refused(line: str, code: str, speech: str) -> None:
    assert refused(fight(ZHANG, language=speech).when(f"a: /attack 3 {line}")) == code


def test_IT_08_one_action_throws_at_most_1000_dice() -> None:
    story = fight(ZHANG)
    assert refused(story.when("a: /attack 501 target=丧尸,巨魔")) == "too_large"
    assert refused(story.when("a: /attack 1001")) == "too_large"
    assert len(attacks(story.when("a: /attack 500 target=丧尸,巨魔"))) == 2


def test_IT_08_physical_dice_of_an_action_lie_one_attack_after_the_other() -> None:
    story = fight(ZHANG)
    answer = story.when("a: /attack 2 target=丧尸 split=0,0 dice=10,2,9,1,8")
    assert [[die.faces for die in roll.dice] for roll in rolls(answer)] == [[(10, 2), (9,)], [(1, 8)]]
    assert refused(story.when("a: /attack 2 target=丧尸 split=0,0 dice=1,2,3")) == "dice_mismatch"
    assert refused(story.when("a: /attack 2 target=丧尸 split=0,0 dice=1,2,3,4,5")) == "dice_mismatch"


def test_IT_08_the_rolls_of_an_action_are_numbered_and_their_dice_follow_each_other() -> None:
    story = fight(ZHANG)
    first, second = rolls(story.when("a: /attack 3 target=丧尸,巨魔"))
    assert (first.roll, second.roll) == (1, 2)
    assert second.first == first.next
    assert [one.roll for one in attacks(story.when("a: /attack 3 target=丧尸,巨魔"))] == [3, 4]


@pytest.mark.parametrize(
    ("speech", "shown"),
    [
        ("zh", ("附加成功 +5（力量 11 得 2、攻击附加 3）", "💢 战士 对 丧尸：骰出 1，防去 0，附加 5 → 命中 6")),
        (
            "en",
            (
                "extra successes +5 (strength 11 gives 2, attack-extra 3)",
                "💢 战士 at 丧尸: rolled 1, 0 cancelled, extra 5 → hit for 6",
            ),
        ),
    ],
)
def test_IT_08_the_reply_shows_where_the_extras_come_from(speech: str, shown: tuple[str, ...]) -> None:
    text = told(fight(FIGHTER, language=speech).when("a: 。攻击 力量－９ 目标＝丧尸 dice=8,2"))
    assert all(one in text for one in shown), text


@pytest.mark.parametrize(("speech", "shown"), [("zh", "附加成功 +3（分得 3）"), ("en", "extra successes +3 (share 3)")])
def test_IT_08_a_share_is_told_as_one(speech: str, shown: str) -> None:
    assert shown in told(fight(language=speech).when("a: /attack 1 extra=4 target=丧尸 split=3,1 dice=8,2"))


# ---- IT-09


def test_IT_09_one_attack_on_each_of_several_targets_has_all_of_them() -> None:
    answer = fight(FIGHTER).when("a: /attack 2 extra=1 target=丧尸,巨魔,守 dice=8,2,8,8,2,2")
    assert [one.target for one in attacks(answer)] == ["丧尸", "巨魔", "守"]
    assert numbers(answer) == [(1, 0, 4, 5), (2, 0, 4, 6), (0, 0, 0, 0)]


def test_IT_09_targets_struck_once_have_all_and_one_struck_twice_splits() -> None:
    answer = fight(FIGHTER).when("a: /attack 1 extra=1 target=丧尸,巨魔,丧尸 split=1,3 dice=8,8,8")
    assert [(one.target, one.extra) for one in attacks(answer)] == [("丧尸", 1), ("巨魔", 4), ("丧尸", 3)]


def test_IT_09_a_split_may_also_name_a_number_for_every_attack() -> None:
    answer = fight(FIGHTER).when("a: /attack 1 extra=1 target=丧尸,巨魔,丧尸 split=1,4,3 dice=8,8,8")
    assert [one.extra for one in attacks(answer)] == [1, 4, 3]


def test_IT_09_each_target_struck_several_times_splits_for_itself() -> None:
    story = fight(FIGHTER)
    answer = story.when("a: /attack 1 target=丧尸,丧尸,巨魔,巨魔 split=1,2,3,0 dice=8,8,8,8")
    assert [one.extra for one in attacks(answer)] == [1, 2, 3, 0]
    assert refused(story.when("a: /attack 1 target=丧尸,丧尸,巨魔,巨魔 split=1,2,3,1")) == "limit_reached"
    assert refused(story.when("a: /attack 1 target=丧尸,丧尸,巨魔 split=1,2,4")) == "limit_reached"
    assert refused(story.when("a: /attack 1 target=丧尸,丧尸,巨魔")) == "bad_argument"


def test_IT_09_names_with_spaces_are_quoted() -> None:
    story = table('gm: /char new "Ice King"', "gm: /char new Wolf")
    answer = story.when('a: /attack 1 extra=2 target="Ice King",Wolf,“ice king” split=1,1 dice=8,8,8')
    assert [(one.target, one.extra) for one in attacks(answer)] == [("Ice King", 1), ("Wolf", 2), ("Ice King", 1)]


# ---- IT-10


def test_IT_10_extras_gained_with_a_hit_go_to_the_next_attack_at_once() -> None:
    answer = fight(ZHANG).when("a: /attack 1 extra=2 gain=3 target=丧尸 split=1,1 dice=8,8")
    assert [one.extra for one in attacks(answer)] == [1, 4]
    assert rolls(answer)[1].extras == (Extra("split", 1), Extra("gain", 3))


def test_IT_10_only_one_time_in_the_action() -> None:
    answer = fight(ZHANG).when("a: /attack 1 获得=3 target=丧尸 split=0,0,0,0 dice=8,8,8,8")
    assert [one.extra for one in attacks(answer)] == [0, 3, 0, 0]


def test_IT_10_a_miss_gains_nothing_and_a_later_hit_does() -> None:
    answer = fight(ZHANG).when("a: /attack 1 gain=3 target=丧尸 split=0,0,0,0 dice=2,8,8,8")
    assert [one.extra for one in attacks(answer)] == [0, 0, 3, 0]


def test_IT_10_used_on_a_miss_they_are_gone() -> None:
    answer = fight(ZHANG).when("a: /attack 1 gain=3 target=丧尸 split=0,0,0 dice=8,2,8")
    assert [one.extra for one in attacks(answer)] == [0, 0, 0]


def test_IT_10_a_hit_on_the_last_attack_gains_nothing_any_more() -> None:
    story = fight(ZHANG)
    assert numbers(story.when("a: /attack 1 gain=3 target=丧尸 split=0,0 dice=2,8"))[1] == (1, 0, 0, 1)
    assert numbers(story.when("a: /attack 1 gain=3 target=丧尸 split=0,0 dice=2,8"))[0] == (0, 0, 0, 0)


def test_IT_10_they_stay_with_the_target_struck_several_times() -> None:
    answer = fight(ZHANG).when("a: /attack 1 gain=3 target=巨魔,丧尸,守,丧尸 split=0,0 dice=8,8,8,8")
    assert [one.extra for one in attacks(answer)] == [0, 0, 0, 3]


def test_IT_10_a_new_action_gains_again() -> None:
    story = fight(ZHANG)
    for _ in range(2):
        answer = story.when("a: /attack 1 gain=3 target=丧尸 split=0,0 dice=8,8")
        assert [one.extra for one in attacks(answer)] == [0, 3]


def test_IT_10_a_chance_die_has_no_use_for_them() -> None:
    answer = fight(ZHANG).when("a: /attack 0 gain=3 target=丧尸 split=0,0 dice=10,2,10,2")
    assert [one.total for one in attacks(answer)] == [1, 1]


@pytest.mark.parametrize("target", ["", " target=丧尸", " target=丧尸,巨魔"])
def test_IT_10_where_no_target_is_struck_twice_nothing_can_be_gained(target: str) -> None:
    assert refused(fight(ZHANG).when(f"a: /attack 1 gain=3{target}")) == "bad_argument"


# ---- IT-11


def test_IT_11_a_weapons_extras_go_to_its_own_attacks_alone() -> None:
    answer = fight(AXEMAN).when("a: /attack 1 target=丧尸 weapon=长剑,巨斧 dice=8,8")
    assert [(one.weapon, one.extra) for one in attacks(answer)] == [("长剑", 0), ("巨斧", 4)]


def test_IT_11_a_weapon_without_a_sheet_says_its_extras_in_the_command() -> None:
    answer = fight(ZHANG).when("a: /attack 1 target=丧尸 武器=长剑、巨斧＋4 dice=8,8")
    assert [(one.weapon, one.extra) for one in attacks(answer)] == [("长剑", 0), ("巨斧", 4)]


def test_IT_11_a_weapon_used_twice_on_one_target_splits_its_own() -> None:
    story = fight(AXEMAN)
    answer = story.when("a: /attack 1 target=丧尸 weapon=巨斧+1,长剑,巨斧+3 dice=8,8,8")
    assert [one.extra for one in attacks(answer)] == [1, 0, 3]
    assert refused(story.when("a: /attack 1 target=丧尸 weapon=巨斧+2,长剑,巨斧+3")) == "limit_reached"
    assert refused(story.when("a: /attack 1 target=丧尸 weapon=巨斧,长剑,巨斧")) == "bad_argument"


def test_IT_11_against_several_targets_a_weapon_gives_all_to_each() -> None:
    answer = fight(AXEMAN).when("a: /attack 1 target=丧尸,巨魔 weapon=巨斧 dice=8,8")
    assert [one.extra for one in attacks(answer)] == [4, 4]
    mixed = fight(AXEMAN).when("a: /attack 1 target=丧尸,巨魔,丧尸 weapon=巨斧+1,巨斧,巨斧+3 dice=8,8,8")
    assert [one.extra for one in attacks(mixed)] == [1, 4, 3]


def test_IT_11_a_weapon_gives_no_more_than_its_sheet_says() -> None:
    assert refused(fight(AXEMAN).when("a: /attack 1 target=丧尸 weapon=巨斧+5")) == "limit_reached"


def test_IT_11_general_extras_are_split_beside_the_weapons() -> None:
    story = fight(AXEMAN)
    answer = story.when("a: /attack 1 extra=2 target=丧尸 weapon=长剑,巨斧 split=2,0 dice=8,8")
    assert [one.extra for one in attacks(answer)] == [2, 4]
    assert refused(story.when("a: /attack 1 extra=2 target=丧尸 weapon=长剑,巨斧")) == "bad_argument"


def test_IT_11_a_weapon_in_the_pool_does_not_give_its_extras_twice() -> None:
    story = table("a: /char new 斧手 格斗=2 巨斧=1 巨斧附加=4", ZOMBIE)
    assert numbers(story.when("a: /attack 格斗+巨斧 target=丧尸 weapon=巨斧 dice=8,2,2")) == [(1, 0, 4, 5)]
    assert numbers(story.when("a: /attack 格斗+巨斧 target=丧尸 dice=8,2,2")) == [(1, 0, 4, 5)]


@pytest.mark.parametrize(
    "line",
    [
        "target=丧尸 split=0,0,0 weapon=巨斧,长剑",
        "target=丧尸,巨魔,守 weapon=巨斧,长剑",
        "weapon=",
        "weapon=+4",
        "weapon=巨斧+",
        "weapon=巨斧+x",
        "weapon=巨斧+1+2",
        "weapon=…",
        "target=丧尸,丧尸 weapon=巨斧+2",
    ],
)
def test_IT_11_weapons_that_do_not_fit_are_refused(line: str) -> None:
    assert refused(fight(ZHANG).when(f"a: /attack 1 {line}")) == "bad_argument"


@pytest.mark.parametrize(("speech", "shown"), [("zh", "对 丧尸（巨斧）：骰出 1"), ("en", "at 丧尸 (巨斧): rolled 1")])
def test_IT_11_the_reply_names_the_weapon(speech: str, shown: str) -> None:
    assert shown in told(fight(AXEMAN, language=speech).when("a: /attack 1 target=丧尸 weapon=巨斧 dice=8"))


# ---- chance dice


def test_IT_07_an_attack_with_a_chance_die_has_no_extras() -> None:
    answer = fight(FIGHTER).when("a: /attack 力量-20 extra=4 target=丧尸 weapon=巨斧+3 dice=10,1")
    assert numbers(answer) == [(1, 0, 0, 1)]
    assert (rolls(answer)[0].outcome, rolls(answer)[0].extra) == ("success", 0)


@pytest.mark.parametrize(("speech", "shown"), [("zh", "💥 大失败"), ("en", "💥 dramatic failure")])
def test_IT_07_an_attacks_dramatic_failure_is_told(speech: str, shown: str) -> None:
    answer = fight(ZHANG, language=speech).when("a: /attack 0 target=丧尸 dice=1")
    assert rolls(answer)[0].outcome == "dramatic_failure"
    assert not attacks(answer)[0].hit
    assert shown in told(answer)


def test_IT_07_defence_cancels_the_success_of_a_chance_die() -> None:
    story = fight(ZHANG).given("d: /defend 1")
    assert numbers(story.when("a: /attack 0 target=守 dice=10,2")) == [(1, 1, 0, 0)]


def test_IT_08_a_secret_attack_is_told_in_private() -> None:
    answer = fight(ZHANG).when("a: /attack 3 target=丧尸 secret")
    assert {letter.to for letter in answer.letters} == {"table", "a", "gm"}
    assert "丧尸" not in told(answer)
    assert "丧尸" in told(answer, "gm")

"""Checks at the table: pools off a sheet, again, extra successes, DCs, chance dice (IT-01 to IT-05, IT-07)."""

from __future__ import annotations

import pytest

from events.types import Extra, Modifier, RollMade
from tests.core.systems.infinite.tables import ZHANG, rolls, table
from tests.story import Story, one_of, refused, told


def faces(successes: int, size: int) -> str:
    """Natural faces of a pool with so many successes, none of which goes again."""
    return ",".join(["8"] * successes + ["2"] * (size - successes))


@pytest.mark.parametrize(
    ("pool", "size"),
    [
        ("力量+运动", 14),
        ("str+athletics", 14),
        ("STR+运动", 14),
        ("力量", 11),
        ("力量+敏捷", 17),
        ("5", 5),
        ("3+1-3", 1),
        ("力量+运动-2", 12),
        ("力量＋运动－２", 12),
        ("str + athletics - 2", 12),
        ("力量+2(绳索)-5(黑暗)", 8),
        ("运动+1 +2", 6),
    ],
)
@pytest.mark.parametrize("verb", ["/check", "。检定", "!c", ".CHECK"])
def test_IT_01_a_pool_is_traits_and_steps_or_a_number(pool: str, size: int, verb: str) -> None:
    roll = one_of(table(ZHANG).when(f"a: {verb} {pool} dice={faces(1, size)}"), RollMade)
    assert [len(die.faces) for die in roll.dice] == [size]
    assert (roll.kind, roll.character, roll.successes) == ("check", "张三", 1)


def test_IT_01_named_modifiers_keep_their_names() -> None:
    roll = one_of(table(ZHANG).when(f"a: /check 力量+运动-2(dark) +1(rope) dice={faces(2, 13)}"), RollMade)
    assert roll.modifiers == (Modifier("dark", -2), Modifier("rope", 1))
    assert roll.modifier == -1


def test_IT_01_somebody_without_a_sheet_rolls_numbers() -> None:
    story = table()
    assert one_of(story.when("a: /check 3 dice=8,2,2"), RollMade).character == "a"
    assert refused(story.when("a: /check 力量")) == "not_found"


def test_IT_01_the_gm_rolls_for_a_gm_character() -> None:
    story = table("gm: /char new Ogre str=5", ZHANG)
    assert one_of(story.when(f"gm: /check str as=Ogre dice={faces(1, 5)}"), RollMade).character == "Ogre"
    assert refused(story.when("a: /check str as=Ogre")) == "not_yours"


def test_IT_01_a_trait_that_is_not_on_the_sheet_is_refused_with_those_that_are() -> None:
    code, sentence = table(ZHANG, language="zh").when("a: /check 力量+游泳").error or ("", "")
    assert code == "not_found"
    assert "力量" in sentence
    assert "strength" not in sentence


@pytest.mark.parametrize(
    ("option", "given", "successes", "thrown"),
    [
        ("", "10,9,10,8", 4, 2),
        (" again=10", "10,9,10,8", 4, 2),
        (" again=9", "10,9,9,8,2", 4, 3),
        (" 加骰=8", "10,8,8,9,1,7", 4, 4),
        (" again=no", "10,9", 2, 0),
    ],
)
def test_IT_02_again(option: str, given: str, successes: int, thrown: int) -> None:
    roll = one_of(table().when(f"a: /check 2{option} dice={given}"), RollMade)
    assert roll.successes == successes
    assert sum(len(die.faces) for die in roll.dice if die.role == "again") == thrown


@pytest.mark.parametrize("again", ["7", "1", "11", "x", ""])
@pytest.mark.parametrize("verb", ["check 5", "oppose 5", "attack 5"])
def test_IT_02_nothing_below_8_goes_again(verb: str, again: str) -> None:
    assert refused(table().when(f"a: /{verb} again={again}")) == "bad_argument"


def test_IT_02_rote_throws_each_failed_die_once_more() -> None:
    roll = one_of(table().when("a: /check 3 rote again=9 dice=2,9,8,10,2,1"), RollMade)
    assert (roll.successes, roll.rote) == (3, True)


@pytest.mark.parametrize(
    ("given", "option", "successes", "extra", "total"),
    [
        (faces(3, 14), "", 3, 2, 5),
        (faces(0, 14), "", 0, 0, 0),
        (faces(1, 14), " lose=1", 1, 0, 0),
        (faces(1, 14), " 失去=3", 1, 0, 0),
        (faces(2, 14), " lose=1", 2, 2, 3),
        (faces(1, 14), " extra=4", 1, 6, 7),
        (faces(0, 14), " 附加=4", 0, 0, 0),
    ],
)
def test_IT_03_extras_stand_only_behind_what_is_left(
    given: str, option: str, successes: int, extra: int, total: int
) -> None:
    roll = one_of(table(ZHANG).when(f"a: /check 力量+运动{option} dice={given}"), RollMade)
    assert (roll.successes, roll.extra, roll.total) == (successes, extra, total)
    assert roll.outcome == ("success" if total else "failure")


@pytest.mark.parametrize(
    ("sheet", "pool", "size", "extras"),
    [
        ("力量=11 运动=3", "力量+运动", 14, (Extra("strength", 2, 11),)),
        ("力量=5 运动=9", "力量+运动", 14, ()),
        ("力量=16 敏捷=6", "力量+敏捷", 22, (Extra("strength", 3, 16), Extra("dexterity", 1, 6))),
        ("力量=6 运动=3 运动附加=2", "str+athletics", 9, (Extra("strength", 1, 6), Extra("athletics", 2))),
        ("力量=2 绳索=1 绳索附加=3", "力量+绳索", 3, (Extra("绳索", 3),)),
        ("力量=11 感知=3", "感知", 3, ()),
        ("力量=11 感知=3 攻击附加=4 防御附加=4", "感知", 3, ()),
    ],
)
def test_IT_04_extras_come_by_themselves_when_the_roll_names_the_trait(
    sheet: str, pool: str, size: int, extras: tuple[Extra, ...]
) -> None:
    story = table(f"a: /char new 张三 {sheet}")
    roll = one_of(story.when(f"a: /check {pool} dice={faces(1, size)}"), RollMade)
    assert roll.extras == extras
    assert roll.extra == sum(one.value for one in extras)


def test_IT_04_an_attribute_that_is_taken_off_gives_nothing() -> None:
    roll = one_of(table(ZHANG).when(f"a: /check 力量-敏捷 dice={faces(1, 5)}"), RollMade)
    assert roll.extras == (Extra("strength", 2, 11),)


def test_IT_04_a_changed_sheet_gives_other_extras_and_the_record_keeps_the_old() -> None:
    story = table(ZHANG)
    before = one_of(story.when(f"a: /check 力量 dice={faces(1, 11)}"), RollMade)
    story.given("a: /set 力量=16")
    after = one_of(story.when(f"a: /check 力量 dice={faces(1, 16)}"), RollMade)
    assert (before.extras, after.extras) == ((Extra("strength", 2, 11),), (Extra("strength", 3, 16),))


@pytest.mark.parametrize(
    ("speech", "option", "given", "shown"),
    [
        ("zh", "", faces(3, 14), ("骰出 3", "附加成功 +2（力量 11 得 2）", "结果 5：成功")),
        ("en", "", faces(3, 14), ("rolled 3", "extra successes +2 (strength 11 gives 2)", "total 5: success")),
        ("zh", "", faces(0, 14), ("附加成功（力量 11 得 2）不算", "结果 0：失败")),
        ("en", "", faces(0, 14), ("the extras (strength 11 gives 2) do not count", "total 0: failure")),
        ("zh", " lose=1", faces(1, 14), ("失去 1，剩 0", "不算", "结果 0：失败")),
        ("en", " lose=1", faces(1, 14), ("1 lost, 0 left", "do not count")),
        ("zh", " extra=1", faces(1, 14), ("附加成功 +3（力量 11 得 2、另加 1）",)),
        ("en", " extra=1", faces(1, 14), ("extra successes +3 (strength 11 gives 2, given 1)",)),
        ("zh", " dc=3", faces(1, 14), ("结果 3，难度 3：成功（超出 0）",)),
        ("en", " dc=3", faces(2, 14), ("total 4 against DC 3: success (margin 1)",)),
        ("zh", " dc=5", faces(1, 14), ("结果 3，难度 5：失败（还差 2）",)),
        ("en", " dc=5", faces(1, 14), ("total 3 against DC 5: failure (2 short)",)),
    ],
)
def test_IT_04_the_reply_says_where_extras_come_from_and_why_they_do_not_count(
    speech: str, option: str, given: str, shown: tuple[str, ...]
) -> None:
    text = told(table(ZHANG, language=speech).when(f"a: /check 力量+运动{option} dice={given}"))
    assert all(one in text for one in shown), text


@pytest.mark.parametrize(
    ("speech", "shown"),
    [("zh", "属性附加成功：力量 2、敏捷 1"), ("en", "extra successes of attributes: strength 2, dexterity 1")],
)
def test_IT_04_the_sheet_shows_what_its_attributes_give(speech: str, shown: str) -> None:
    assert shown in told(table(ZHANG, language=speech).when("a: /sheet"))


@pytest.mark.parametrize("key", ["dc", "难度", "DC"])
@pytest.mark.parametrize(
    ("given", "total", "outcome"), [("8,8,9,2", 3, "success"), ("8,8,3,2", 2, "failure"), ("8,8,8,9", 4, "success")]
)
def test_IT_05_the_total_reaches_the_dc_or_not(key: str, given: str, total: int, outcome: str) -> None:
    roll = one_of(table().when(f"a: /check 4 {key}＝3 dice={given}"), RollMade)
    assert (roll.total, roll.target, roll.outcome) == (total, 3, outcome)


def test_IT_05_without_a_dc_the_total_is_the_result() -> None:
    roll = one_of(table().when("a: /check 3 dice=8,9,2"), RollMade)
    assert (roll.total, roll.target, roll.outcome) == (2, None, "success")


@pytest.mark.parametrize(
    ("line", "total", "outcome"),
    [
        ("/check 0 extra=3 dice=10,1", 1, "success"),
        ("/check 1-2 dice=1", 0, "dramatic_failure"),
        ("/check 力量-11 dice=10,10,3", 2, "success"),
        ("/check 力量-30 dice=9", 0, "failure"),
        ("/check 0 rote again=8 dice=9", 0, "failure"),
        ("/check 0 dc=2 dice=10,1", 1, "failure"),
        ("/check 0 lose=1 dice=10,2", 0, "failure"),
    ],
)
def test_IT_07_a_pool_of_0_or_less_is_a_chance_die(line: str, total: int, outcome: str) -> None:
    roll = one_of(table(ZHANG).when(f"a: {line}"), RollMade)
    assert (roll.dice[0].role, roll.extra, roll.total, roll.outcome) == ("chance", 0, total, outcome)


@pytest.mark.parametrize(
    ("speech", "line", "shown"),
    [
        ("zh", "/check 力量-11 dice=10,1", ("机运骰", "机运骰不算附加成功（力量 11 得 2）", "结果 1：成功")),
        ("en", "/check 力量-11 dice=10,1", ("chance die", "Extras (strength 11 gives 2) do not count on a chance die")),
        ("zh", "/check 0 dice=1", ("💥 大失败",)),
        ("en", "/check 0 dice=1", ("💥 dramatic failure",)),
    ],
)
def test_IT_07_the_reply_names_the_chance_die(speech: str, line: str, shown: tuple[str, ...]) -> None:
    text = told(table(ZHANG, language=speech).when(f"a: {line}"))
    assert all(one in text for one in shown), text


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "bad_argument"),
        ("1001", "too_large"),
        ("600+401", "too_large"),
        ("999999999", "too_large"),
        ("5 dc=0", "bad_argument"),
        ("5 dc=-1", "bad_argument"),
        ("5 dc=x", "bad_argument"),
        ("5 dc=9999", "too_large"),
        ("5 extra=-1", "bad_argument"),
        ("5 lose=-1", "bad_argument"),
        ("5 extra=1001", "too_large"),
        ("5 lose=x", "bad_argument"),
        ("力量++运动", "bad_argument"),
        ("力量 运动", "bad_argument"),
        ("5 split=2", "bad_argument"),
        ("5 target=丧尸", "bad_argument"),
        ("5 nonsense=1", "bad_argument"),
        ("d10", "not_found"),
        ("5 dice=8", "dice_mismatch"),
        ("1 dice=8,8", "dice_mismatch"),
        ("1 dice=11", "dice_mismatch"),
        ("1 dice=10", "dice_mismatch"),
        ("5 as=nobody", "not_found"),
        ("1+" * 25 + "1", "too_large"),
    ],
)
@pytest.mark.parametrize("speech", ["zh", "en"])
def test_IT_01_what_is_no_check_is_refused_in_one_sentence(line: str, code: str, speech: str) -> None:
    assert refused(table(ZHANG, language=speech).when(f"a: /check {line}")) == code


def test_IT_01_a_trait_that_is_no_number_is_no_pool() -> None:
    assert refused(table(ZHANG).when("a: /set 备注=累")) == "bad_argument"


@pytest.mark.parametrize(("kind", "readers"), [("secret", {"a", "gm"}), ("secret=gm", {"gm"}), ("暗骰=我", {"a"})])
def test_IT_01_a_secret_check_is_told_to_the_right_people(kind: str, readers: set[str]) -> None:
    answer = table(ZHANG).when(f"a: /check 力量 {kind} # 听")
    assert {letter.to for letter in answer.letters} == {"table"} | readers
    assert not any(sign.isdigit() for sign in told(answer))


def test_IT_01_fair_dice_are_numbered_and_physical_ones_are_not() -> None:
    story = table()
    fair = one_of(story.when("a: /check 5"), RollMade)
    assert (fair.source, fair.period, fair.first) == ("fair", 1, 0)
    assert fair.next is not None
    assert fair.next >= 5
    given = one_of(story.when("a: /check 1 dice=2"), RollMade)
    assert (given.source, given.period, given.first, given.next) == ("physical", None, None, None)


@pytest.mark.parametrize("word", ["check", "检定", "c", "骰池"])
def test_IT_02_the_odds_of_a_pool(word: str) -> None:
    story = table(ZHANG)
    assert "30.00%" in told(story.when(f"a: /odds {word} 1"))
    assert "51.00%" in told(story.when(f"a: /odds {word} 2 again=no"))
    assert "11 dice" in told(story.when(f"a: /odds {word} 力量 again=9 need=3"))


def test_IT_07_the_odds_of_a_chance_die() -> None:
    assert told(table().when("a: /odds check 0")).count("10.00%") == 2


def test_IT_01_the_roll_counts_on_across_commands() -> None:
    story = table()
    numbers = [rolls(story.when("a: /check 2"))[0].roll for _ in range(3)]
    assert numbers == [1, 2, 3]


def test_IT_04_the_odds_of_a_check_count_the_extras_that_it_would_have() -> None:
    story = Story().given("gm: /table new infinite", "ann: /char new Ann str=11 brawl=4")
    with_extras, rolled = (told(story.when(f"ann: /odds check {what}")) for what in ("str+brawl dc=5", "15 need=3"))
    assert "89.09%" in with_extras
    assert "89.09%" in rolled
    assert told(story.when("ann: /odds check 15 dc=5 extra=2")) == told(story.when("ann: /odds check 15 need=3"))

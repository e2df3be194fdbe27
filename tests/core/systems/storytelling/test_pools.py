"""Pools at a table: line of chat in, facts and words out."""

from __future__ import annotations

import pytest

from core.systems.storytelling.words import TRAIT_NAMES
from events.types import Modifier, TraitSet
from tests.core.systems.storytelling.tables import GHOUL, KAREN, MARCUS, faces, rolled, table
from tests.story import all_of, one_of, refused, told

# ---- ST-01


@pytest.mark.parametrize(
    ("line", "dice", "successes"),
    [
        ("/pool 5", "10,9,8,3,2,10,7", 4),
        ("/pool 5 again=10", "10,9,8,3,2,1", 3),
        ("/pool 3 again=9", "9,8,7,4", 2),
        ("/pool 3 again=9", "10,9,1,9,2,8", 4),
        ("/pool 3 again=8", "8,8,1,8,7,8,2", 4),
        ("/pool 3 again=no", "10,10,8", 3),
        ("/pool 3 again=off", "10,7,1", 1),
        ("。骰池 3 加骰=9", "9,1,1,2", 1),
        ("。骰池 3 加骰=不", "10,1,1", 1),
        ("！ｐｏｏｌ　３　ａｇａｉｎ＝８", "8,1,1,2", 1),
        ("/p 1", "10,10,10,8", 4),
        ("/p1", "10,7", 1),
    ],
)
def test_ST_01_eight_and_more_succeed_and_dice_go_again(line: str, dice: str, successes: int) -> None:
    roll = rolled(table().when(f"ann: {line} dice={dice}"))
    assert (roll.successes, roll.total, roll.rolled_total, roll.extra) == (successes, successes, successes, 0)
    assert roll.source == "physical"


def test_ST_01_the_record_keeps_the_pool_and_the_again_dice_round_by_round() -> None:
    roll = rolled(table().when("ann: /pool 4 again=9 dice=10,1,9,2,10,3,4"))
    assert faces(roll) == [("pool", (10, 1, 9, 2)), ("again", (10, 3, 4))]
    assert {die.sides for die in roll.dice} == {10}
    assert roll.again == 9


def test_ST_01_a_pool_without_tens_has_one_entry() -> None:
    assert faces(rolled(table().when("ann: /pool 2 dice=9,8"))) == [("pool", (9, 8))]


@pytest.mark.parametrize("dice", ["10,9,8", "10,9,8,1,1", "11,1,1", "0,1,1"])
def test_ST_01_natural_faces_must_be_those_that_the_pool_takes(dice: str) -> None:
    assert refused(table().when(f"ann: /pool 3 dice={dice}")) == "dice_mismatch"


@pytest.mark.parametrize(
    ("pool", "size", "modifier"),
    [
        ("3+1-3", 1, -3),
        ("str+athletics-2", 2, -2),
        ("力量+运动-2", 2, -2),
        ("力量＋运动－２", 2, -2),
        ("STR + Athletics", 4, 0),
        ("strength+athletics+2", 6, 2),
        ("3+1+2", 6, 2),
        ("7+3", 10, 0),
        ("7 +3(tools)", 10, 3),
        ("int+crafts +1(tools) -2(dark)", 5, -1),
        ("wits", 5, 0),
        ("5", 5, 0),
    ],
)
def test_ST_01_attribute_and_skill_and_modifiers_make_the_pool(pool: str, size: int, modifier: int) -> None:
    story = table(MARCUS)
    roll = rolled(story.when(f"marcus: /pool {pool} dice={','.join(['2'] * size)}"))
    assert (len(roll.dice[0].faces), roll.modifier, roll.character) == (size, modifier, "Marcus")


def test_ST_01_each_modifier_is_kept_with_its_name() -> None:
    roll = rolled(table(MARCUS).when("marcus: /pool int+crafts +1(tools) -2（黑暗） -1 dice=8,2,2,2"))
    assert roll.modifiers == (Modifier("tools", 1), Modifier("黑暗", -2), Modifier("", -1))
    assert roll.modifier == -2


@pytest.mark.parametrize("trait", sorted(TRAIT_NAMES))
def test_ST_01_a_trait_has_one_value_under_all_its_names(trait: str) -> None:
    """In a pool a hyphen is a minus, so a name with one is for the sheet alone."""
    story = table("ann: /char new Ann")
    for value, name in enumerate((trait, trait.upper(), *TRAIT_NAMES[trait]), 1):
        assert one_of(story.when(f"ann: /set {name}={value}"), TraitSet).trait == trait
        if "-" not in name:
            assert len(rolled(story.when(f"ann: /pool {name} again=no")).dice[0].faces) == value


def test_ST_01_the_seeds_own_words_are_traits() -> None:
    names = ("敏捷", "运动", "机智", "工艺", "盗窃", "智力", "计算", "耐力", "速度")
    story = table("ann: /char new Ann " + " ".join(f"{name}=1" for name in names))
    assert {"dexterity", "larceny", "computer", "speed"} <= story.table.play.characters["Ann"].traits.keys()


def test_ST_01_a_trait_may_be_the_tables_own() -> None:
    story = table("ann: /char new Ann 占卜=3")
    assert len(rolled(story.when("ann: /pool 占卜+1 again=no")).dice[0].faces) == 4


@pytest.mark.parametrize("value", ["-1", "101", "d8", "many", ""])
def test_ST_01_a_trait_is_a_number_of_dots(value: str) -> None:
    assert refused(table(MARCUS).when(f"marcus: /set str={value}")) == "bad_argument"


def test_ST_01_dots_go_up_and_down() -> None:
    story = table(MARCUS)
    changes = [one_of(story.when(f"marcus: /set {step}"), TraitSet).value for step in ("str+=2", "str-=1", "力量=3")]
    assert changes == [5, 4, 3]


@pytest.mark.parametrize(
    ("who", "line", "code"),
    [
        ("marcus", "/pool str+firearms", "not_found"),
        ("bob", "/pool str+2", "not_found"),
        ("marcus", "/pool", "bad_argument"),
        ("marcus", "/pool 3+", "bad_argument"),
        ("marcus", "/pool 3 4", "bad_argument"),
        ("marcus", "/pool 3*2", "bad_argument"),
        ("marcus", "/pool str=3", "bad_argument"),
        ("marcus", "/pool 1001", "too_large"),
        ("marcus", "/pool 1000+1", "too_large"),
        ("marcus", "/pool " + "+".join(["1"] * 21), "too_large"),
        ("marcus", "/pool 999999999999", "too_large"),
        ("marcus", "/pool 5 again=7", "bad_argument"),
        ("marcus", "/pool 5 again=11", "bad_argument"),
        ("marcus", "/pool 5 again=", "bad_argument"),
        ("bob", "/pool 5 as=Marcus", "not_yours"),
        ("marcus", "/pool 5 as=Nobody", "not_found"),
    ],
)
def test_ST_01_what_is_no_pool_is_refused_in_one_sentence(who: str, line: str, code: str) -> None:
    for language in ("zh", "en"):
        assert refused(table(MARCUS, f"gm: /lang {language}").when(f"{who}: {line}")) == code


def test_ST_01_a_refused_pool_appends_nothing_and_uses_no_die() -> None:
    story = table(MARCUS)
    before = story.table
    for line in ("/pool 1001", "/pool 5 again=7", "/pool str+firearms"):
        refused(story.when(f"marcus: {line}"))
    assert story.table == before


def test_ST_01_a_thousand_dice_are_thrown_and_answered() -> None:
    answer = table().when("ann: /pool 1000")
    assert len(rolled(answer).dice[0].faces) == 1000
    assert told(answer)


def test_ST_01_rote_throws_each_failed_die_once_more() -> None:
    roll = rolled(table().when("ann: /pool 4 rote dice=8,3,10,1,7,9,2"))
    assert faces(roll) == [("pool", (8, 3, 10, 1)), ("again", (7, 9, 2))]
    assert (roll.successes, roll.rote) == (3, True)


@pytest.mark.parametrize("word", ["rote", "熟练", "必成骰", "ＲＯＴＥ"])
def test_ST_01_rote_goes_with_any_again(word: str) -> None:
    roll = rolled(table().when(f"ann: /pool 2 {word} again=8 dice=2,8,8,3,5"))
    assert faces(roll) == [("pool", (2, 8)), ("again", (8, 3, 5))]
    assert (roll.successes, roll.again, roll.rote) == (2, 8, True)


def test_ST_01_fair_dice_fall_for_a_pool_of_traits() -> None:
    roll = rolled(table(MARCUS).when("marcus: /pool str+athletics-1"))
    assert (roll.source, roll.period, roll.first) == ("fair", 1, 0)
    assert len(roll.dice[0].faces) == 3


def test_ST_01_physical_dice_need_the_house_rule() -> None:
    assert refused(table("gm: /house physical-dice off").when("ann: /pool 1 dice=8")) == "not_allowed"


def test_ST_01_the_st_rolls_for_any_own_character() -> None:
    story = table(MARCUS, GHOUL)
    assert rolled(story.when("gm: /pool str+brawl as=Ghoul")).character == "Ghoul"
    assert refused(story.when("marcus: /pool str+brawl as=Ghoul")) == "not_yours"


@pytest.mark.parametrize(
    ("line", "dice", "zh", "en"),
    [
        (
            "/pool 5",
            "10,9,8,3,2,10,7",
            "[10 9 8 3 2]，加骰 [10 7] → 4 成功",
            "[10 9 8 3 2], again [10 7] → successes: 4",
        ),
        ("/pool 3 again=9", "1,1,8", "3 骰，9 加骰", "3 dice, 9-again"),
        ("/pool 3 again=no rote", "8,8,8", "3 骰，不加骰，失败重掷", "3 dice, no again, rote"),
        ("/pool 3 rote", "8,8,8", "3 骰，失败重掷", "3 dice, rote"),
        ("/pool 3 -1(雾)", "8,8", "雾", "雾"),
    ],
)
def test_ST_01_the_reply_shows_the_faces_and_how_they_count(line: str, dice: str, zh: str, en: str) -> None:
    for language, text in (("zh", zh), ("en", en)):
        shown = told(table(f"gm: /lang {language}").when(f"ann: {line} dice={dice}"))
        assert text in shown
        assert ", ," not in shown
        assert "、，" not in shown


# ---- ST-02


@pytest.mark.parametrize(
    ("dice", "outcome", "zh", "en"),
    [
        ("1,1,1,1,7", "failure", "失败", "failure"),
        ("8,1,1,1,1", "success", "1 成功", "successes: 1"),
        ("8,8,9,9,1", "success", "4 成功", "successes: 4"),
        ("8,8,9,9,8", "exceptional", "额外成功", "exceptional"),
    ],
)
def test_ST_02_none_fails_one_succeeds_five_are_exceptional(dice: str, outcome: str, zh: str, en: str) -> None:
    for language, text in (("zh", zh), ("en", en)):
        answer = table(f"gm: /lang {language}").when(f"ann: /pool 5 dice={dice}")
        assert rolled(answer).outcome == outcome
        assert text in told(answer)


def test_ST_02_travis_lets_the_china_doll_fall() -> None:
    roll = rolled(table("travis: /char new 特拉维斯 敏捷=3 运动=1").when("travis: 。骰池 敏捷+运动-3(家具) dice=2"))
    assert (roll.outcome, roll.successes, roll.modifiers) == ("failure", 0, (Modifier("家具", -3),))


# ---- ST-03


@pytest.mark.parametrize(
    ("pool", "dice", "outcome", "successes"),
    [
        ("2-5", "1", "dramatic_failure", 0),
        ("2-5", "9", "failure", 0),
        ("0", "8", "failure", 0),
        ("0", "10,9", "success", 1),
        ("0", "10,1", "success", 1),
        ("1-1", "10,10,2", "success", 2),
        ("0 again=8", "9", "failure", 0),
        ("0 again=no", "10,3", "success", 1),
        ("0 rote", "2", "failure", 0),
        ("0", "10,10,10,10,10,4", "exceptional", 5),
    ],
)
def test_ST_03_a_pool_of_nothing_is_a_chance_die(pool: str, dice: str, outcome: str, successes: int) -> None:
    roll = rolled(table().when(f"ann: /pool {pool} dice={dice}"))
    assert (roll.outcome, roll.successes) == (outcome, successes)
    assert roll.dice[0].role == "chance"
    assert len(roll.dice[0].faces) == 1


@pytest.mark.parametrize(
    ("language", "die", "fall"), [("zh", "机运骰", "大失败"), ("en", "chance die", "dramatic failure")]
)
def test_ST_03_the_reply_says_that_it_was_a_chance_die(language: str, die: str, fall: str) -> None:
    shown = told(table(f"gm: /lang {language}").when("ann: /pool 2-5 dice=1"))
    assert die in shown
    assert fall in shown


# ---- ST-04


@pytest.mark.parametrize("word", ["reflexive", "反射", "反射动作", "ＲＥＦＬＥＸＩＶＥ"])
def test_ST_04_a_reflexive_roll_is_marked_and_rolled_like_any_other(word: str) -> None:
    story = table(KAREN)
    plain = rolled(story.when("karen: /pool 耐力+运动 dice=8,2,2,2,2,2"))
    marked = rolled(story.when(f"karen: /pool 耐力+运动 {word} dice=8,2,2,2,2,2"))
    assert (plain.reflexive, marked.reflexive) == (False, True)
    assert (marked.dice, marked.outcome) == (plain.dice, plain.outcome)


@pytest.mark.parametrize(("language", "text"), [("zh", "不占动作"), ("en", "costs no action")])
def test_ST_04_the_reply_says_that_it_costs_no_action(language: str, text: str) -> None:
    story = table(f"gm: /lang {language}")
    assert text in told(story.when("ann: /pool 3 reflexive"))
    assert text not in told(story.when("ann: /pool 3"))


def test_ST_04_a_turn_is_three_seconds_and_the_usual_interval() -> None:
    story = table("gm: /extended new A target=5", "gm: /extended new B target=5 every=turn")
    assert {one.every_s for one in story.table.play.rules.extended.values()} == {3}


# ---- ST-18


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_ST_18_every_count_from_one_to_five_is_said(count: int) -> None:
    dice = ",".join(["8"] * count + ["1"] * (6 - count))
    for language, text in (("zh", f"{count} 成功"), ("en", f"successes: {count}")):
        answer = table(f"gm: /lang {language}").when(f"ann: /pool 6 dice={dice}")
        assert text in told(answer)
        assert rolled(answer).total == count


# ---- secrets, odds


@pytest.mark.parametrize(("word", "readers"), [("secret", {"ann", "gm"}), ("secret=gm", {"gm"}), ("暗骰=我", {"ann"})])
def test_ST_02_a_secret_pool_goes_to_those_who_may_see_it(word: str, readers: set[str]) -> None:
    answer = table().when(f"ann: /pool 5 {word} dice=8,8,1,1,1")
    assert {letter.to for letter in answer.letters} == {"table"} | readers
    assert "8" not in told(answer)
    assert all("[8 8 1 1 1]" in told(answer, reader) for reader in readers)


@pytest.mark.parametrize(
    ("line", "chance"),
    [
        ("/odds pool 1", "30.00%"),
        ("/odds pool 2", "51.00%"),
        ("/odds pool 7 again=9 need=3", "47.72%"),
        ("。概率 骰池 7 加骰=9 需要=3", "47.72%"),
        ("/odds pool 1 again=no need=2", "0.00%"),
        ("/odds pool 1 rote", "51.00%"),
        ("/odds pool str+athletics-2", "51.00%"),
        ("/odds pool 0", "10.00%"),
        ("/odds pool 0 need=2", "1.00%"),
    ],
)
def test_ST_01_odds_of_a_pool_are_exact(line: str, chance: str) -> None:
    answer = table(MARCUS).when(f"marcus: {line}")
    assert answer.error is None
    assert answer.events == ()
    assert chance in told(answer)


@pytest.mark.parametrize("line", ["/odds pool 1001", "/odds pool 7 again=7", "/odds pool 7 need=0", "/odds trait d8"])
def test_ST_01_odds_of_no_pool_are_refused(line: str) -> None:
    assert refused(table().when(f"ann: {line}")) in ("bad_argument", "too_large")


def test_ST_01_several_pools_of_one_message_are_answered_each_on_its_own() -> None:
    answers = table().hear("ann: /pool 1 dice=8\n/pool 1 again=7\n。骰池 1 dice=2")
    assert [answer.error[0] if answer.error else None for answer in answers] == [None, "bad_argument", None]
    assert [len(all_of(answer, TraitSet)) for answer in (answers[0], answers[2])] == [0, 0]

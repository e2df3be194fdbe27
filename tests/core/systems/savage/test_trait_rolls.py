"""Trait rolls at a table: line of chat in, facts out."""

from __future__ import annotations

import pytest

from events.types import CharacterAdded, Modifier, RollMade
from tests.core.systems.savage.tables import GUARD, RED, START, table
from tests.story import one_of, refused, savage, told

GABE = "gabe: /char new Gabe wild fighting=d6 shooting=d6"


def faces(roll: RollMade) -> list[tuple[str, int, tuple[int, ...]]]:
    """Each die as role, sides, faces."""
    return [(die.role, die.sides, die.faces) for die in roll.dice]


# ---- who is a Wild Card


def test_SW_01_a_players_character_is_a_wild_card() -> None:
    added = one_of(table().when("red: /char new Red"), CharacterAdded)
    assert (added.kind, added.gm) == ("wild", False)


@pytest.mark.parametrize(
    ("words", "kind"), [("", "extra"), (" extra", "extra"), (" wild", "wild"), (" 不羁", "wild"), (" 龙套", "extra")]
)
def test_SW_01_the_gm_says_which_others_are(words: str, kind: str) -> None:
    added = one_of(table().when(f"gm: /char new Steel{words}"), CharacterAdded)
    assert (added.kind, added.gm) == (kind, True)


def test_SW_01_nobody_is_a_wild_card_and_an_extra() -> None:
    assert refused(table().when("gm: /char new Steel wild extra")) == "bad_argument"


def test_SW_01_a_wild_cards_name_has_the_mark_and_an_extras_has_none() -> None:
    story = table(RED, GUARD)
    assert "★Red" in told(story.when("red: /trait d8 dice=3,3"))
    assert "★" not in told(story.when("gm: /trait d8 as=Guard dice=3"))


@pytest.mark.parametrize("line", ["gm: /house wild-mark ☠", "gm: 。房规 不羁标记 ☠"])
def test_SW_01_the_table_sets_its_own_mark(line: str) -> None:
    shown = told(table(RED, line).when("red: /trait d8 dice=3,3"))
    assert "☠Red" in shown
    assert "★" not in shown


def test_SW_01_a_mark_is_short_and_the_gms_to_set() -> None:
    story = table(RED)
    assert refused(story.when("gm: /house wild-mark ☠☠☠☠☠☠☠☠☠")) == "too_large"
    assert refused(story.when("red: /house wild-mark ☠")) == "not_allowed"


# ---- total, target, modifiers


@pytest.mark.parametrize(
    ("dice", "total", "outcome"), [("4,1", 4, "success"), ("3,2", 3, "failure"), ("2,5", 5, "success")]
)
def test_SW_03_a_trait_roll_succeeds_at_4(dice: str, total: int, outcome: str) -> None:
    roll = one_of(table(RED).when(f"red: /trait stealth dice={dice}"), RollMade)
    assert (roll.total, roll.outcome, roll.target, roll.label) == (total, outcome, 4, "stealth")


@pytest.mark.parametrize("words", ["tn=6", "目标=6", "目标数=6", "ｔｎ＝６"])
def test_SW_03_another_target_is_given_in_either_language(words: str) -> None:
    roll = one_of(table(RED).when(f"red: /trait stealth {words} dice=5,2"), RollMade)
    assert (roll.target, roll.outcome) == (6, "failure")


@pytest.mark.parametrize("words", ["tn=0", "tn=-4", "tn=x", "tn="])
def test_SW_03_a_target_is_a_whole_number_from_1(words: str) -> None:
    assert refused(table(RED).when(f"red: /trait stealth {words} dice=5,2")) == "bad_argument"


def test_SW_04_modifiers_are_added_behind_all_aces() -> None:
    roll = one_of(table(RED).when("red: /trait stealth -2 dice=8,3,2"), RollMade)
    assert (roll.total, roll.modifier, roll.raises) == (9, -2, 1)


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("+2", [("", 2)]),
        ("+1+1", [("", 1), ("", 1)]),
        ("+ 2", [("", 2)]),
        ("-2(dark) +1(lamp)", [("dark", -2), ("lamp", 1)]),
        ("－2（夜里）", [("夜里", -2)]),
        ("–2", [("", -2)]),
        ("−2", [("", -2)]),
        ("easy", [("easy", 2)]),
        ("hard", [("hard", -2)]),
        ("very-hard", [("very-hard", -4)]),
        ("简单", [("简单", 2)]),
        ("困难 +1(火把)", [("火把", 1), ("困难", -2)]),
        ("非常困难", [("非常困难", -4)]),
    ],
)
def test_SW_04_several_modifiers_add_up_and_each_keeps_its_name(words: str, kept: list[tuple[str, int]]) -> None:
    roll = one_of(table(RED).when(f"red: /trait stealth {words} dice=5,2"), RollMade)
    assert sorted((step.name, step.value) for step in roll.modifiers) == sorted(kept)
    assert roll.modifier == sum(value for _, value in kept)
    assert roll.total == 5 + roll.modifier


def test_SW_04_a_step_may_lean_on_the_die() -> None:
    roll = one_of(table(RED).when("red: /trait d8+2 dice=5,2"), RollMade)
    assert (roll.total, roll.modifiers) == (7, (Modifier("", 2),))


def test_SW_04_a_fixed_bonus_on_the_sheet_is_a_step_of_its_own() -> None:
    roll = one_of(table("red: /char new Red smarts=d12+2").when("red: /trait smarts dice=5,2"), RollMade)
    assert (roll.total, roll.modifiers) == (7, (Modifier("die", 2),))


# ---- several dice, Wild Die, Aces


@pytest.mark.parametrize("words", ["x3", "X3", "×3", "ｘ３"])
def test_SW_05_each_die_of_an_action_is_a_result_of_its_own(words: str) -> None:
    roll = one_of(table(GUARD).when(f"gm: /trait d6 {words} as=Guard dice=5,2,4"), RollMade)
    assert roll.results == (5, 4, 2)
    assert (roll.total, roll.outcome) == (5, "success")


@pytest.mark.parametrize(("words", "code"), [("x0", "bad_argument"), ("x21", "too_large"), ("x9999", "too_large")])
def test_SW_05_an_action_has_one_to_twenty_dice(words: str, code: str) -> None:
    assert refused(table(RED).when(f"red: /trait d6 {words}")) == code


def test_SW_06_a_wild_card_takes_the_higher_of_trait_and_wild_die() -> None:
    roll = one_of(table(RED).when("red: /trait stealth dice=3,5"), RollMade)
    assert faces(roll) == [("trait", 8, (3,)), ("wild", 6, (5,))]
    assert roll.total == 5


@pytest.mark.parametrize("words", ["wild=d10", "wild=10", "不羁骰=d10", "不羁=d10"])
def test_SW_06_the_wild_die_may_be_another(words: str) -> None:
    roll = one_of(table(RED).when(f"red: /trait stealth {words} dice=3,9"), RollMade)
    assert faces(roll)[1] == ("wild", 10, (9,))


@pytest.mark.parametrize("words", ["wild=d7", "wild=d20", "wild=x", "wild=0"])
def test_SW_06_there_is_no_such_wild_die(words: str) -> None:
    assert refused(table(RED).when(f"red: /trait stealth {words} dice=3,3")) == "bad_argument"


def test_SW_06_an_extra_has_no_wild_die() -> None:
    assert faces(one_of(table(GUARD).when("gm: /trait notice as=Guard dice=3"), RollMade)) == [("trait", 6, (3,))]


@pytest.mark.parametrize("word", ["extra", "龙套"])
def test_SW_06_a_roll_can_be_made_as_an_extra(word: str) -> None:
    assert faces(one_of(table(RED).when(f"red: /trait d6 {word} dice=3"), RollMade)) == [("trait", 6, (3,))]


@pytest.mark.parametrize(
    ("words", "results"),
    [
        ("fighting x2 dice=3,5,6,1", (7, 5)),
        ("fighting x2 dice=3,5,2", (5, 3)),
        ("shooting x3 dice=1,1,4,2", (4, 2, 1)),
        ("shooting x3 +1 dice=2,3,4,5", (6, 5, 4)),
    ],
)
def test_SW_07_one_wild_die_stands_in_for_one_result_and_adds_none(words: str, results: tuple[int, ...]) -> None:
    roll = one_of(table(GABE).when(f"gabe: /trait {words}"), RollMade)
    assert roll.results == results
    assert [die.role for die in roll.dice].count("wild") == 1


def test_SW_08_a_die_on_its_highest_face_rolls_again() -> None:
    roll = one_of(table("red: /char new Red athletics=d8").when("red: /trait athletics dice=8,4,6,6,2"), RollMade)
    assert faces(roll) == [("trait", 8, (8, 4)), ("wild", 6, (6, 6, 2))]
    assert (roll.total, roll.outcome, roll.raises, roll.source) == (14, "success", 2, "physical")


def test_SW_08_an_ace_goes_on_without_limit() -> None:
    many = ",".join(["4"] * 50)
    roll = one_of(table(GUARD).when(f"gm: /trait d4 as=Guard dice={many},1"), RollMade)
    assert roll.total == 201


@pytest.mark.parametrize(
    ("dice", "why"),
    [
        ("8,4,6,6", "few"),
        ("8,3", "few"),
        ("5,2,1", "many"),
        ("9,2", "impossible"),
        ("5,7", "impossible"),
        ("0,2", "none"),
    ],
)
def test_SW_08_faces_that_do_not_fit_the_aces_are_refused(dice: str, why: str) -> None:
    assert refused(table(RED).when(f"red: /trait stealth dice={dice}")) == "dice_mismatch", why


def test_SW_08_fair_dice_ace_by_themselves() -> None:
    roll = one_of(table(RED).when("red: /trait d4 x20"), RollMade)
    assert roll.source == "fair"
    for die in roll.dice:
        *aces, last = die.faces
        assert set(aces) <= {die.sides}
        assert 1 <= last < die.sides
    assert any(len(die.faces) > 1 for die in roll.dice)


@pytest.mark.parametrize(
    ("step", "total", "raises"), [("+2", 11, 1), ("+3", 12, 2), ("", 9, 1), ("-2", 7, 0), ("-6", 3, 0)]
)
def test_SW_09_raises_are_counted_after_all_modifiers(step: str, total: int, raises: int) -> None:
    roll = one_of(table("red: /char new Red shooting=d10").when(f"red: /trait shooting {step} dice=9,3"), RollMade)
    assert (roll.total, roll.raises) == (total, raises)


# ---- critical failures


def test_SW_11_snake_eyes_are_a_critical_failure_whatever_the_modifiers() -> None:
    answer = table(RED).when("red: /trait agility +4 dice=1,1")
    roll = one_of(answer, RollMade)
    assert (roll.outcome, roll.raises, roll.total) == ("critical_failure", 0, 5)


def test_SW_12_an_extras_natural_1_is_an_ordinary_failure() -> None:
    roll = one_of(table(GUARD).when("gm: /trait notice as=Guard dice=1"), RollMade)
    assert roll.outcome == "failure"


@pytest.mark.parametrize("word", ["crit", "大失败"])
@pytest.mark.parametrize(("check", "outcome"), [(1, "critical_failure"), (2, "failure"), (6, "failure")])
def test_SW_12_where_it_matters_a_d6_decides(word: str, check: int, outcome: str) -> None:
    roll = one_of(table(GUARD).when(f"gm: /trait notice {word} as=Guard dice=1,{check}"), RollMade)
    assert faces(roll) == [("trait", 6, (1,)), ("check", 6, (check,))]
    assert roll.outcome == outcome


def test_SW_12_no_check_where_no_natural_1_fell() -> None:
    roll = one_of(table(GUARD).when("gm: /trait notice crit as=Guard dice=2"), RollMade)
    assert (faces(roll), roll.outcome) == ([("trait", 6, (2,))], "failure")


def test_SW_12_a_wild_card_has_the_wild_die_instead_of_the_check() -> None:
    assert one_of(table(RED).when("red: /trait agility crit dice=1,2"), RollMade).outcome == "failure"


@pytest.mark.parametrize("line", ["gm: /house extra-crit natural", "gm: 。房规 龙套大失败 natural"])
def test_SW_12_the_house_may_read_the_natural_1_as_critical(line: str) -> None:
    story = table(GUARD, line)
    assert one_of(story.when("gm: /trait notice crit as=Guard dice=1"), RollMade).outcome == "critical_failure"
    assert one_of(story.when("gm: /trait notice as=Guard dice=1"), RollMade).outcome == "failure"


def test_SW_12_the_house_option_has_two_values() -> None:
    assert refused(table().when("gm: /house extra-crit maybe")) == "bad_argument"


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        ("shooting x3 dice=1,1,4,1", "critical_failure"),
        ("shooting x3 dice=1,1,4,2", "success"),
        ("shooting x3 dice=1,3,4,1", "success"),
        ("shooting x2 dice=1,3,1", "failure"),
        ("shooting x2 dice=1,1,1", "critical_failure"),
        ("shooting x4 dice=1,1,2,3,1", "failure"),
    ],
)
def test_SW_13_more_than_half_of_several_dice_and_the_wild_die(words: str, outcome: str) -> None:
    assert one_of(table(GABE).when(f"gabe: /trait {words}"), RollMade).outcome == outcome


def test_SW_13_an_extra_needs_more_than_half_of_the_dice() -> None:
    story = table(GUARD)
    assert one_of(story.when("gm: /trait d6 x3 as=Guard dice=1,1,4"), RollMade).outcome == "critical_failure"
    assert one_of(story.when("gm: /trait d6 x2 as=Guard dice=1,4"), RollMade).outcome == "success"


# ---- unskilled, groups, no sheet


def test_SW_14_without_the_skill_a_d4_at_minus_2_and_the_wild_die() -> None:
    roll = one_of(table(RED).when("red: /trait lockpicking dice=3,5"), RollMade)
    assert faces(roll) == [("trait", 4, (3,)), ("wild", 6, (5,))]
    assert (roll.modifier, roll.total, roll.outcome) == (-2, 3, "failure")
    assert roll.modifiers == (Modifier("unskilled", -2),)


def test_SW_14_an_extra_has_the_d4_alone() -> None:
    roll = one_of(table(GUARD).when("gm: /trait stealth as=Guard dice=3"), RollMade)
    assert (faces(roll), roll.total) == ([("trait", 4, (3,))], 1)


@pytest.mark.parametrize("word", ["unskilled", "拙劣", "拙劣尝试"])
def test_SW_14_an_unskilled_attempt_can_be_said(word: str) -> None:
    roll = one_of(table(RED).when(f"red: /trait stealth {word} dice=3,5"), RollMade)
    assert (faces(roll)[0], roll.total) == (("trait", 4, (3,)), 3)


@pytest.mark.parametrize("line", ["gm: /house unskilled off", "gm: 。房规 拙劣尝试 关"])
def test_SW_14_the_gm_may_forbid_it(line: str) -> None:
    story = table(RED, line)
    assert refused(story.when("red: /trait lockpicking")) == "not_allowed"
    assert refused(story.when("red: /trait stealth unskilled")) == "not_allowed"
    assert one_of(story.when("red: /trait stealth dice=3,3"), RollMade).total == 3


def test_SW_14_an_attribute_is_a_d4_at_least() -> None:
    roll = one_of(table(RED).when("red: /trait smarts dice=3,2"), RollMade)
    assert (faces(roll)[0], roll.modifier) == (("trait", 4, (3,)), 0)


def test_SW_14_a_slip_of_the_pen_is_no_unskilled_attempt() -> None:
    assert refused(table(RED).when("red: /trait stelth")) == "bad_argument"


def test_SW_14_brackets_behind_a_trait_are_a_comment_and_no_other_skill() -> None:
    answer = table(RED).when("red: 。特性 潜行（夜里） dice=7,2")
    roll = one_of(answer, RollMade)
    assert (roll.label, faces(roll)[0], roll.modifier) == ("stealth", ("trait", 8, (7,)), 0)


@pytest.mark.parametrize(
    ("dice", "total", "outcome"), [("2,5", 5, "success"), ("6,1,3", 7, "success"), ("2,3", 3, "failure")]
)
def test_SW_16_a_group_has_one_trait_die_and_one_wild_die(dice: str, total: int, outcome: str) -> None:
    roll = one_of(table().when(f"gm: /group d6 dice={dice}"), RollMade)
    assert [die.role for die in roll.dice] == ["trait", "wild"]
    assert (roll.kind, roll.total, roll.outcome, len(roll.results)) == ("group", total, outcome, 1)


def test_SW_16_a_group_rolls_an_extras_trait_with_a_wild_die() -> None:
    roll = one_of(table(GUARD).when("gm: 。团队骰 察觉 ＋1 as=Guard dice=2,4"), RollMade)
    assert (faces(roll), roll.total) == ([("trait", 6, (2,)), ("wild", 6, (4,))], 5)


def test_SW_16_a_group_has_one_result_so_several_dice_are_refused() -> None:
    assert refused(table().when("gm: /group d6 x3")) == "bad_argument"


def test_SW_28_a_roll_needs_no_sheet() -> None:
    roll = one_of(table().when("stranger: /trait d8 dice=5,2"), RollMade)
    assert (roll.character, roll.total, len(roll.dice)) == ("stranger", 5, 2)


def test_SW_28_without_a_sheet_a_traits_name_says_nothing() -> None:
    assert refused(table().when("stranger: /trait stealth")) == "not_found"


# ---- bare forms


@pytest.mark.parametrize(
    ("line", "sides", "modifier", "wild_die"),
    [
        ("/s8", 8, 0, True), ("/S8", 8, 0, True), ("/sw8", 8, 0, True), ("/sw8+2", 8, 2, True),
        ("/s10-1", 10, -1, True), ("/S8+1(cover)", 8, 1, True),
        ("/d8w", 8, 0, True), ("/d12w+1", 12, 1, True), ("/e8", 8, 0, False), ("/e6+2", 6, 2, False),
        ("/s8 -2(dark)", 8, -2, True), ("。ｓ８＋２", 8, 2, True), ("!s8", 8, 0, True), (".s8 困难", 8, -2, True),
    ],
)  # fmt: skip
def test_SW_28_bare_forms_are_trait_rolls(line: str, sides: int, modifier: int, wild_die: bool) -> None:
    roll = one_of(table().when(f"red: {line}"), RollMade)
    assert (roll.kind, roll.dice[0].sides, roll.modifier) == ("trait", sides, modifier)
    assert any(die.role == "wild" for die in roll.dice) is wild_die


@pytest.mark.parametrize("line", ["/trait d7", "/s7", "/sw20", "/trait d100", "/e5", "/d7w"])
def test_SW_03_there_is_no_such_trait_die(line: str) -> None:
    assert refused(table().when(f"red: {line}")) == "bad_argument"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("/trait", "bad_argument"),
        ("/trait 8", "bad_argument"),
        ("/trait 2d6", "bad_argument"),
        ("/trait d8 d6", "bad_argument"),
        ("/trait d8 stealth", "bad_argument"),
        ("/trait d8 colour=red", "bad_argument"),
        ("/trait d8 –2 潜行（望远镜+20，环境-20）", "bad_argument"),
        ("/trait toughness", "bad_argument"),
        ("/trait d8 as=Boss", "not_found"),
        ("/trait d8 as=Guard", "not_yours"),
        ("/trait d8 secret=bob", "bad_argument"),
        ("/trate d8", "unknown_command"),
    ],
)
def test_SW_03_what_is_not_understood_is_refused_and_never_rolled(line: str, code: str) -> None:
    assert refused(table(RED, GUARD).when(f"red: {line}")) == code


def test_SW_03_faces_by_hand_are_the_houses_to_allow() -> None:
    story = savage(RED, physical=False)
    assert refused(story.when("red: /trait d8 dice=5,2")) == "not_allowed"


def test_SW_03_what_stands_behind_the_roll_is_kept_as_a_comment() -> None:
    roll = one_of(table(RED).when("red: /trait stealth dice=5,2 # 2d6 past the guard"), RollMade)
    assert roll.comment == "2d6 past the guard"


def test_SW_03_a_secret_roll_tells_the_table_no_number() -> None:
    answer = table(RED).when("red: /trait stealth secret dice=7,2")
    assert one_of(answer, RollMade).secret == "both"
    assert "7" not in told(answer)
    assert "7" in told(answer, "gm")
    assert "7" in told(answer, "red")


def test_SW_02_wounds_and_session_do_not_matter_to_who_may_roll() -> None:
    story = table(RED, START, "red: /wound 3")
    roll = one_of(story.when("red: /trait stealth dice=7,2"), RollMade)
    assert (roll.modifiers, roll.total) == ((Modifier("wounds", -3),), 4)

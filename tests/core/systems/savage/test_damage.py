"""Damage, Shaken, wounds and soak rolls."""

from __future__ import annotations

import pytest

from events.types import BennySpent, Modifier, RollMade, ShakenChanged, WoundsChanged
from tests.core.systems.savage.tables import BOB, BOSS, GUARD, RED, START, bennies, state, table
from tests.story import Story, all_of, one_of, refused, told


def wounds(story: Story, name: str) -> int:
    return state(story).wounds.get(name, 0)


def is_shaken(story: Story, name: str) -> bool:
    return name in state(story).shaken


def changes(story: Story, line: str) -> list[int]:
    """The steps of wounds that this line leads to."""
    return [change.change for change in all_of(story.when(line), WoundsChanged)]


# ---- the roll


@pytest.mark.parametrize(
    ("words", "total"),
    [
        ("2d6+1 dice=3,4", 8),
        ("2d6 + 1 dice=3,4", 8),
        ("2d6 dice=6,2,4", 12),
        ("d8 dice=8,8,3", 19),
        ("str+d6 dice=7,2", 9),
        ("力量＋ｄ６ dice=7,2", 9),
        ("2d6+1 raise dice=3,4,5", 13),
        ("2d6+1 优良 dice=3,4,6,2", 16),
        ("2d6-1 dice=3,4", 6),
        ("d6+d8+2 dice=3,4", 9),
        ("2d6+1(魔法剑) dice=3,4", 8),
    ],
)
def test_SW_27_all_dice_ace_and_add_and_a_raise_adds_a_d6(words: str, total: int) -> None:
    roll = one_of(table("red: /char new Red strength=d8").when(f"red: /damage {words}"), RollMade)
    assert (roll.kind, roll.total, roll.target, roll.outcome, roll.raises) == ("damage", total, None, None, None)
    assert {die.role for die in roll.dice} == {"damage"}


def test_SW_23_wounds_that_were_healed_stand_for_no_reroll_and_only_the_last_rolls_are_remembered() -> None:
    story = table(RED, BOSS, START)
    for _ in range(5):
        assert changes(story, "red: /damage 2d6 vs=Boss dice=4,3") == []
        assert changes(story, "red: /damage 2d6 vs=Boss dice=6,3,2") == [1]
        story.given("gm: /wound -1 as=Boss", "gm: /shaken off as=Boss")
    assert refused(story.when("red: /benny spend damage dice=6,6,1,1")) == "already_done"
    assert len(state(story).wounding) == 1


def test_SW_27_the_raises_die_is_a_d6_behind_the_others() -> None:
    roll = one_of(table(RED).when("red: /damage 2d8 raise dice=3,4,5"), RollMade)
    assert [die.sides for die in roll.dice] == [8, 8, 6]


@pytest.mark.parametrize(
    ("dice", "outcome", "raises"),
    [
        ("3,2", "failure", 0),
        ("3,3", "success", 0),
        ("5,4", "success", 0),
        ("5,5", "success", 1),
        ("6,2,6,1", "success", 2),
    ],
)
@pytest.mark.parametrize("against", ["vs=6", "坚韧=6", "对=6"])
def test_SW_27_against_a_number(dice: str, outcome: str, raises: int, against: str) -> None:
    answer = table(RED).when(f"red: /damage 2d6 {against} dice={dice}")
    roll = one_of(answer, RollMade)
    assert (roll.outcome, roll.raises, roll.target) == (outcome, raises, 6)
    assert len(answer.events) == 1


def test_SW_27_against_a_character_the_effect_is_marked() -> None:
    story = table(RED, BOSS)  # Toughness 7
    answer = story.when("red: /damage 2d6+1 vs=Boss dice=6,6,2,6,1")
    assert one_of(answer, RollMade).against == "Boss"
    change = one_of(answer, WoundsChanged)
    assert (change.character, change.wounds, change.change, change.incapacitated) == ("Boss", 3, 3, False)
    assert one_of(answer, ShakenChanged).shaken


def test_SW_27_a_hit_without_a_raise_shakes() -> None:
    story = table(RED, BOSS)
    answer = story.when("red: /damage 2d6 vs=Boss dice=4,4")
    assert all_of(answer, WoundsChanged) == []
    assert one_of(answer, ShakenChanged) == ShakenChanged(character="Boss", shaken=True)


def test_SW_27_too_little_does_nothing() -> None:
    answer = table(RED, BOSS).when("red: /damage 2d6 vs=Boss dice=3,3")
    assert (one_of(answer, RollMade).outcome, len(answer.events)) == ("failure", 1)


def test_SW_27_shaken_twice_is_a_wound() -> None:
    story = table(RED, BOSS, "red: /damage 2d6 vs=Boss dice=4,4")
    answer = story.when("red: /damage 2d6 vs=Boss dice=4,4")
    assert one_of(answer, WoundsChanged).wounds == 1
    assert all_of(answer, ShakenChanged) == []


def test_SW_27_a_wound_of_somebody_shaken_is_no_second_one() -> None:
    story = table(RED, BOSS, "red: /damage 2d6 vs=Boss dice=4,4")
    assert changes(story, "red: /damage 2d6 vs=Boss dice=6,3,2") == [1]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("", "bad_argument"),
        ("5", "bad_argument"),
        ("2d6+", "bad_argument"),
        ("2d6 vs=Ghost", "not_found"),
        ("2d6 vs=Bob", "not_found"),
        ("2d6 vs=0", "bad_argument"),
        ("2d6 vs=1000", "too_large"),
        ("2d6-d4", "bad_argument"),
        ("2d6!", "bad_argument"),
        ("51d6", "too_large"),
        ("9999999d6", "too_large"),
        ("2d1", "bad_argument"),
        ("str+d6", "not_found"),
        ("2d6 dice=3", "dice_mismatch"),
        ("2d6 dice=3,4,5", "dice_mismatch"),
        ("2d6 dice=7,1", "dice_mismatch"),
    ],
)
def test_SW_27_damage_that_does_not_fit_is_refused(words: str, code: str) -> None:
    story = table(RED, BOB, BOSS)
    assert refused(story.when(f"red: /damage {words}")) == code


def test_SW_27_wounds_are_no_penalty_on_damage() -> None:
    story = table(RED, "red: /wound 2")
    roll = one_of(story.when("red: /damage 2d6 dice=3,4"), RollMade)
    assert (roll.total, roll.modifiers) == (7, ())


# ---- wounds


def test_SW_02_wounds_are_a_penalty_on_trait_rolls_of_every_kind() -> None:
    story = table(RED, GUARD, "red: /wound 2", "red: /shaken on")
    for line in ("/trait stealth dice=5,2", "/oppose stealth dice=5,2", "/group d6 dice=5,2", "/unshake dice=5,2"):
        roll = one_of(story.when(f"red: {line}"), RollMade)
        assert roll.modifiers == (Modifier("wounds", -2),), line
        assert roll.total == 3


def test_SW_02_the_penalty_stops_at_3() -> None:
    story = table(RED, "red: /wound 5")
    assert one_of(story.when("red: /trait stealth dice=5,2"), RollMade).modifier == -3


@pytest.mark.parametrize(("count", "down"), [(1, False), (3, False), (4, True), (7, True)])
def test_SW_02_the_fourth_wound_takes_a_wild_card_down(count: int, down: bool) -> None:
    change = one_of(table(RED).when(f"red: /wound {count}"), WoundsChanged)
    assert (change.wounds, change.incapacitated) == (count, down)


def test_SW_02_an_extra_is_down_by_its_first_wound() -> None:
    story = table(RED, GUARD)
    answer = story.when("red: /damage 2d6 vs=Guard dice=5,5")
    assert one_of(answer, WoundsChanged).incapacitated
    assert "Incapacitated" in told(answer)


def test_SW_02_healed_below_the_limit_it_is_up_again() -> None:
    story = table(RED, "red: /wound 4")
    change = one_of(story.when("red: 。损伤 －1"), WoundsChanged)
    assert (change.wounds, change.change, change.incapacitated, change.cause) == (3, -1, False, "healed")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("red: /wound 0", "bad_argument"),
        ("red: /wound -1", "limit_reached"),
        ("red: /wound 21", "too_large"),
        ("red: /wound much", "bad_argument"),
        ("red: /wound 1 as=Boss", "not_yours"),
        ("zoe: /wound 1", "not_found"),
        ("red: /shaken off", "already_done"),
        ("red: /shaken maybe", "bad_argument"),
        ("red: /shaken on as=Boss", "not_yours"),
        ("red: /unshake", "already_done"),
    ],
)
def test_SW_02_wounds_and_shaken_that_do_not_fit_are_refused(line: str, code: str) -> None:
    assert refused(table(RED, BOSS).when(line)) == code


@pytest.mark.parametrize(
    ("on", "off"),
    [("/shaken on", "/shaken off"), ("。动摇 开", "。动摇 关"), ("。动摇 是", "。动摇 解除")],
)
def test_SW_27_shaken_is_marked_by_hand(on: str, off: str) -> None:
    story = table(RED)
    assert one_of(story.when(f"red: {on}"), ShakenChanged).shaken
    assert refused(story.when(f"red: {on}")) == "already_done"
    assert not one_of(story.when(f"red: {off}"), ShakenChanged).shaken


def test_SW_27_the_gm_marks_anybody() -> None:
    story = table(RED, BOSS)
    assert one_of(story.when("gm: /wound 1 as=Red"), WoundsChanged).character == "Red"
    assert one_of(story.when("gm: /shaken on as=Boss"), ShakenChanged).character == "Boss"


@pytest.mark.parametrize(("dice", "free"), [("4,2", True), ("3,2", False), ("1,1", False)])
def test_SW_27_a_spirit_roll_ends_shaken(dice: str, free: bool) -> None:
    story = table(RED, "red: /shaken on")
    answer = story.when(f"red: 。摆脱动摇 dice={dice}")
    assert one_of(answer, RollMade).label == "spirit"
    assert [change.shaken for change in all_of(answer, ShakenChanged)] == ([False] if free else [])
    assert is_shaken(story, "Red") is not free


def test_SW_15_a_spirit_roll_rerolled_ends_shaken() -> None:
    story = table(RED, START, "red: /shaken on", "red: /unshake dice=3,2")
    assert not one_of(story.when("red: /reroll dice=4,2"), ShakenChanged).shaken


# ---- soak


def hit(count: int, *before: str) -> Story:
    """Red (Vigor d8, Toughness 5) is hit for so many wounds and Shaken."""
    story = table(RED, BOSS, START, *before)
    faces = {1: "4,5", 2: "6,2,5", 3: "6,6,2,3", 4: "6,6,6,1,2"}
    return story.given(f"gm: /damage 2d6 vs=Red as=Boss dice={faces[count]}")


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_SW_27_the_hits_of_these_tests_are_what_they_say(count: int) -> None:
    story = hit(count)
    assert (wounds(story, "Red"), is_shaken(story, "Red")) == (count, True)


@pytest.mark.parametrize(
    ("taken", "dice", "left", "still_shaken"),
    [
        (2, "3,2", 2, True),
        (2, "4,2", 1, True),
        (2, "8,1,2", 0, False),
        (3, "8,1,2", 1, True),
        (3, "8,4,2", 0, False),
        (1, "8,8,8,1,2", 0, False),
        (4, "4,2", 3, True),
        (2, "1,1", 2, True),
    ],
)
@pytest.mark.parametrize("line", ["/benny spend soak", "。助力 花 化解"])
def test_SW_24_success_and_each_raise_cancel_one_and_none_left_ends_shaken(
    taken: int, dice: str, left: int, still_shaken: bool, line: str
) -> None:
    story = hit(taken)
    answer = story.when(f"red: {line} dice={dice}")
    assert one_of(answer, BennySpent).purpose == "soak"
    assert (wounds(story, "Red"), is_shaken(story, "Red")) == (left, still_shaken)


def test_SW_24_the_new_wounds_are_no_penalty_on_the_soak_and_old_ones_are() -> None:
    assert one_of(hit(3).when("red: /benny spend soak dice=4,2"), RollMade).modifiers == ()
    older = hit(1, "red: /wound 2")
    roll = one_of(older.when("red: /benny spend soak dice=5,2"), RollMade)
    assert (roll.modifiers, roll.total, roll.outcome) == ((Modifier("wounds", -2),), 3, "failure")


def test_SW_24_a_soak_that_takes_the_last_blow_away_keeps_it_up() -> None:
    story = hit(4)
    assert "Red" in state(story).down
    change = one_of(story.when("red: /benny spend soak +1(armour) dice=4,2"), WoundsChanged)
    assert (change.wounds, change.incapacitated) == (3, False)


def test_SW_24_only_wounds_just_taken_are_cancelled() -> None:
    story = hit(1, "red: /wound 2")
    story.given("red: /benny spend soak dice=8,8,5,2")
    assert wounds(story, "Red") == 2


def test_SW_24_soaked_once_a_reroll_may_better_it() -> None:
    story = hit(2)
    story.given("red: /benny spend soak dice=5,2")
    assert refused(story.when("red: /benny spend soak")) == "already_done"
    answer = story.when("red: /reroll dice=8,3,2")
    assert one_of(answer, WoundsChanged).change == -1
    assert not one_of(answer, ShakenChanged).shaken
    assert (wounds(story, "Red"), bennies(story, "red")) == (0, 1)


def test_SW_24_a_worse_reroll_of_the_soak_changes_nothing() -> None:
    story = hit(2)
    story.given("red: /benny spend soak dice=5,2")
    assert changes(story, "red: /reroll dice=3,2") == []
    assert wounds(story, "Red") == 1


def test_SW_24_a_critical_failure_of_the_soak_cannot_be_rerolled() -> None:
    story = hit(2)
    story.given("red: /benny spend soak dice=1,1")
    assert refused(story.when("red: /reroll dice=8,8,1,2")) == "critical_failure"
    assert refused(story.when("red: /benny spend soak dice=8,8,1,2")) == "already_done"
    assert (wounds(story, "Red"), bennies(story, "red")) == (2, 2)


def test_SW_15_a_critical_failure_on_the_soaks_reroll_is_its_result() -> None:
    story = hit(2)
    story.given("red: /benny spend soak dice=5,2")
    answer = story.when("red: /reroll dice=1,1")
    assert one_of(answer, RollMade).outcome == "critical_failure"
    change = one_of(answer, WoundsChanged)
    assert (change.wounds, change.change) == (2, 1)
    assert refused(story.when("red: /reroll dice=8,8,1,2")) == "critical_failure"


def test_SW_24_with_all_soaked_there_is_nothing_left_to_reroll() -> None:
    story = hit(1)
    story.given("red: /benny spend soak dice=5,2")
    assert refused(story.when("red: /reroll dice=1,1")) == "already_done"
    assert bennies(story, "red") == 2


def test_SW_24_a_new_hit_is_soaked_anew() -> None:
    story = hit(1)
    story.given("red: /benny spend soak dice=3,2", "gm: /damage 2d6 vs=Red as=Boss dice=4,5")
    story.given("red: /benny spend soak dice=8,2,3")  # 10 less 1 for the older wound
    assert wounds(story, "Red") == 1


def test_SW_24_the_moment_passes_with_the_round_and_the_scene() -> None:
    for line in ("gm: /init deal", "gm: /scene The cave"):
        story = hit(1)
        story.given(line)
        assert refused(story.when("red: /benny spend soak")) == "not_found"


def test_SW_24_a_soak_after_another_trait_roll_can_still_be_made_but_not_rerolled_by_it() -> None:
    story = hit(2)
    story.given("red: /benny spend soak dice=5,2", "red: /trait stealth dice=7,2")
    assert changes(story, "red: /reroll dice=8,3,2") == []
    assert wounds(story, "Red") == 1


def test_SW_24_an_extra_soaks_from_the_pool_with_one_die() -> None:
    story = table(RED, GUARD, START, "red: /damage 2d6 vs=Guard dice=5,5")
    answer = story.when("gm: /benny spend soak as=Guard dice=4")
    assert (one_of(answer, BennySpent).source, len(one_of(answer, RollMade).dice)) == ("pool", 1)
    assert "Guard" not in state(story).down


def test_SW_24_wounds_marked_by_hand_are_soaked_too() -> None:
    story = table(RED, START, "red: /wound 1")
    assert one_of(story.when("red: /benny spend soak dice=5,2"), WoundsChanged).wounds == 0


# ---- rerolled damage


def test_SW_23_damage_is_rerolled_with_the_raises_die_and_the_better_stands() -> None:
    story = table(RED, START, "red: /damage 2d6+1 raise vs=6 dice=1,2,1")
    answer = story.when("red: /benny spend damage dice=3,4,5")
    roll = one_of(answer, RollMade)
    assert (len(roll.dice), roll.total, roll.outcome, roll.raises, roll.reroll_of) == (3, 13, "success", 1, 1)
    worse = one_of(story.when("red: 。助力 花 伤害 dice=1,1,1"), RollMade)
    assert (worse.rolled_total, worse.total, worse.raises, worse.reroll_of) == (4, 13, 1, 1)


@pytest.mark.parametrize(
    ("first", "again", "steps", "left"),
    [
        ("3,3", "4,4", [], 0),  # nothing, then Shaken
        ("3,3", "6,1,5", [1], 1),  # nothing, then a wound
        ("4,4", "6,1,5", [1], 1),  # Shaken, then a wound
        ("6,1,5", "6,6,1,2", [1], 2),  # one wound, then two
        ("6,1,5", "4,4", [], 1),  # worse
        ("4,4", "5,4", [], 0),  # Shaken and Shaken is one hit
    ],
)
def test_SW_23_a_damage_reroll_applies_the_difference_alone(
    first: str, again: str, steps: list[int], left: int
) -> None:
    story = table(RED, BOSS, START, f"red: /damage 2d6 vs=Boss dice={first}")
    assert changes(story, f"red: /benny spend damage dice={again}") == steps
    assert (wounds(story, "Boss"), is_shaken(story, "Boss")) == (left, True)


def test_SW_23_a_wound_by_shaken_twice_counts_in_the_difference() -> None:
    story = table(RED, BOSS, START, "gm: /shaken on as=Boss", "red: /damage 2d6 vs=Boss dice=4,4")
    assert changes(story, "red: /benny spend damage dice=6,1,5") == []
    assert changes(story, "red: /benny spend damage dice=6,6,1,2") == [1]
    assert wounds(story, "Boss") == 2


def test_SW_23_soaked_damage_is_not_rerolled() -> None:
    story = table(RED, BOSS, START, "red: /damage 2d6 vs=Boss dice=6,6,1,2", "gm: /benny spend soak as=Boss dice=4,2")
    assert refused(story.when("red: /benny spend damage")) == "already_done"


def test_SW_23_old_damage_never_counts_twice() -> None:
    between = ("gm: /init deal", "gm: /damage 2d6 vs=Boss as=Guard dice=6,1,5", "gm: /scene The cave")
    for line in between:
        story = table(RED, BOSS, GUARD, START, "red: /damage 2d6 vs=Boss dice=6,1,5", line)
        before = wounds(story, "Boss")
        assert refused(story.when("red: /benny spend damage dice=6,6,1,2")) in ("already_done", "not_found"), line
        assert (wounds(story, "Boss"), bennies(story, "red")) == (before, 3)


def test_SW_23_more_wounds_by_a_reroll_are_soaked_together() -> None:
    story = table(RED, BOSS, START, "gm: /damage 2d6 vs=Red as=Boss dice=4,5")
    story.given("gm: /benny spend damage as=Boss dice=6,2,5")
    assert wounds(story, "Red") == 2
    story.given("red: /benny spend soak dice=8,1,2")
    assert (wounds(story, "Red"), is_shaken(story, "Red")) == (0, False)

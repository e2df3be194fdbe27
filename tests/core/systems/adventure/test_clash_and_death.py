"""Clash from the pick to the damage, HP, Face Death and what comes of it."""

from __future__ import annotations

import pytest

from core.messages import Answer
from core.systems.adventure import rules
from events.types import CharacterDied, ClashOpened, DamageDealt, DeathSealed, HpChanged, RollMade, XpMarked
from tests.core.systems.adventure.tables import (
    ASH,
    LOCK_FIVE,
    MARK_FOUR,
    OGRE,
    changes,
    conditions,
    held,
    hp,
    kinds,
    offered,
    open_choices,
    party,
    sentence,
    state,
    table,
)
from tests.story import Story, all_of, one_of, refused, told

STRONG = "ann: /move clash melee vs=Ogre dice=6,5"
WEAK = "ann: /move clash melee vs=Ogre dice=4,3"
MISS = "ann: /move clash melee vs=Ogre dice=1,2"
DOWN = "ann: /hp -7"


def damage(answer: Answer) -> list[tuple[str, int, str]]:
    """Who dealt how much, and whether it was rolled or picked."""
    return [(one.character, one.total, one.how) for one in all_of(answer, DamageDealt)]


# ---- Clash


@pytest.mark.parametrize(
    ("words", "stat"),
    [("melee", "STR"), ("ranged", "DEX"), ("finesse", "DEX"), ("STR", "STR"), ("DEX", "DEX"), ("finesse DEX", "DEX")],
)
def test_AD_12_melee_is_rolled_with_str_and_range_or_finesse_with_dex(words: str, stat: str) -> None:
    roll = one_of(party().when(f"ann: /move clash {words} dice=6,5"), RollMade)
    assert [step.name for step in roll.modifiers] == [stat]


@pytest.mark.parametrize(
    ("line", "options"),
    [
        (STRONG, ("ally_opening", "max_dealt", "min_taken")),
        (WEAK, ("condition", "foe_opening", "lose_item")),
        (MISS, ("min_dealt", "max_taken")),
    ],
)
def test_AD_12_the_pick_comes_before_the_damage(line: str, options: tuple[str, ...]) -> None:
    story = party(OGRE)
    answer = story.when(line)
    assert offered(answer) == [(1, "ann", "move.clash", options)]
    assert one_of(answer, ClashOpened) == ClashOpened(character="Ash", against="Ogre", dealt=8, taken=6)
    assert damage(answer) == []
    assert (hp(story), hp(story, "Ogre")) == ((7, 7), (9, 9))


@pytest.mark.parametrize(
    ("line", "pick", "dealt", "taken"),
    [
        (STRONG, "1 dice=3,2", ("Ash", 3, "rolled"), ("Ogre", 2, "rolled")),
        (STRONG, "2 dice=2", ("Ash", 8, "max"), ("Ogre", 2, "rolled")),
        (STRONG, "3 dice=3", ("Ash", 3, "rolled"), ("Ogre", 1, "min")),
        (WEAK, "1 mark=angry dice=3,2", ("Ash", 3, "rolled"), ("Ogre", 2, "rolled")),
        (WEAK, "2 dice=3,2", ("Ash", 3, "rolled"), ("Ogre", 2, "rolled")),
        (WEAK, "3 dice=3,2", ("Ash", 3, "rolled"), ("Ogre", 2, "rolled")),
        (MISS, "1 dice=2", ("Ash", 1, "min"), ("Ogre", 2, "rolled")),
        (MISS, "2 dice=3", ("Ash", 3, "rolled"), ("Ogre", 6, "max")),
    ],
)
def test_AD_12_both_sides_damage_falls_as_picked(
    line: str, pick: str, dealt: tuple[str, int, str], taken: tuple[str, int, str]
) -> None:
    story = party(OGRE, line)
    answer = story.when(f"ann: /choose {pick}")
    assert damage(answer) == [dealt, taken]
    assert hp(story, "Ogre") == (9 - dealt[1] if dealt[1] < 9 else 0, 9)
    assert hp(story) == (7 - taken[1], 7)
    for roll in all_of(answer, RollMade):
        assert (roll.kind, roll.dice[0].role) == ("damage", "damage")
        assert roll.outcome is None


@pytest.mark.parametrize(
    ("pick", "code"),
    [
        ("2 dice=2,3", "dice_mismatch"),
        ("1 dice=3", "dice_mismatch"),
        ("1 dice=9,2", "dice_mismatch"),
        ("3 dice=3 mark=angry", "bad_argument"),
    ],
)
def test_AD_12_damage_dice_that_cannot_be_are_refused_with_the_pick(pick: str, code: str) -> None:
    story = party(OGRE, STRONG)
    assert refused(story.when(f"ann: /choose {pick}")) == code
    assert open_choices(story) == [1]


def test_AD_12_dice_may_be_named_for_an_enemy_without_a_sheet() -> None:
    story = party("ann: /move clash ranged foe=d10 dmg=d4 dice=6,5")
    answer = story.when("ann: /choose 3 dice=4")
    assert damage(answer) == [("Ash", 4, "rolled"), ("", 1, "min")]
    assert hp(story) == (6, 7)
    assert "the enemy deals minimum damage" in told(answer)


def test_AD_12_fair_damage_dice_follow_each_other() -> None:
    story = table(ASH, OGRE)
    while True:  # until the dice are no miss, on which one side's are not rolled
        story.given("ann: /move clash melee vs=Ogre")
        choice = list(story.table.play.choices.values())[-1]
        if "foe_opening" in choice.options:
            break
        story.given("gm: /undo")
    story.given(f"ann: /choose {choice.number} 2")
    own, foe = [event for event in story.table.acts[-1].events if isinstance(event, RollMade)]
    assert (own.source, own.next, own.roll + 1) == ("fair", foe.first, foe.roll)
    assert (own.dice[0].sides, foe.dice[0].sides) == (8, 6)


def test_AD_12_without_any_damage_die_there_is_only_the_pick() -> None:
    story = table("ann: /char new Ash STR=1", "ann: /move clash melee dice=4,3")
    assert kinds(story.when("ann: /choose 3")) == ["ChoiceMade"]


def test_AD_12_no_second_clash_before_the_pick() -> None:
    story = party(OGRE, STRONG)
    answer = story.when(STRONG)
    assert refused(answer) == "not_allowed"
    assert "1" in sentence(answer)
    story.given("ann: /choose 2 dice=1", STRONG)


@pytest.mark.parametrize(
    ("speech", "words"),
    [("zh", ("造成最大伤害 8", "Ogre 造成 2 伤害")), ("en", ("maximum damage, 8", "Ogre deals 2 damage"))],
)
def test_AD_12_the_damage_is_told(speech: str, words: tuple[str, ...]) -> None:
    shown = told(party(OGRE, STRONG, speech=speech).when("ann: /choose 2 dice=2"))
    assert all(word in shown for word in words)


def test_AD_04_who_shares_all_consequences_is_hurt_as_much() -> None:
    story = party(OGRE, "bob: /aid Ash expose", "ann: /move clash melee vs=Ogre dice=6,5,1")
    answer = story.when("ann: /choose 2 dice=4")
    assert [(one.character, one.hp) for one in all_of(answer, HpChanged)] == [("Ogre", 1), ("Ash", 3), ("Bo", 2)]


# ---- HP


@pytest.mark.parametrize(
    ("english", "chinese", "left"),
    [("/hp -3", "。生命 －３", 4), ("/hp -7", "。生命-7", 0), ("/hp -99", "。生命 -99", 0)],
)
def test_AD_15_hp_are_lost_down_to_zero(english: str, chinese: str, left: int) -> None:
    one, other = party(), party()
    assert one_of(one.when(f"ann: {english}"), HpChanged) == one_of(other.when(f"ann: {chinese}"), HpChanged)
    assert hp(one) == (left, 7)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("ann: /hp +4", "limit_reached"),
        ("ann: /hp 3", "bad_argument"),
        ("ann: /hp 0", "bad_argument"),
        ("ann: /hp x", "bad_argument"),
        ("ann: /hp", "bad_argument"),
        ("ann: /hp -1000", "bad_argument"),
        ("bob: /hp -1 as=Ash", "not_yours"),
        ("gm: /hp -1", "not_found"),
        ("ann: /set hp=8", "limit_reached"),
        ("ann: /set hp+=4", "limit_reached"),
        ("ann: /set max_hp=3", "limit_reached"),
        ("ann: /set hp=-1", "bad_argument"),
        ("gm: /hp -1 as=Nobody", "not_found"),
    ],
)
def test_AD_15_hp_that_cannot_be_are_refused(line: str, code: str) -> None:
    story = party("ann: /hp -3")
    assert refused(story.when(line)) == code
    assert hp(story) == (4, 7)


def test_AD_15_a_sheet_counts_from_the_hp_in_play() -> None:
    story = party("ann: /hp -3", "ann: /set hp+=1")
    assert hp(story) == (5, 7)
    story.given("ann: /xp 5", "ann: /set hp=8")
    assert hp(story) == (8, 8)


def test_AD_15_a_sheet_without_hp_says_so() -> None:
    answer = table("ann: /char new Ash STR=1").when("ann: /hp -1")
    assert refused(answer) == "not_found"
    assert "max_hp" in sentence(answer)


def test_AD_15_a_character_is_made_with_no_more_hp_than_its_maximum() -> None:
    assert refused(table().when("ann: /char new Ash max_hp=7 hp=9")) == "limit_reached"
    assert refused(table().when("ann: /char new Ash hp=9 max_hp=7")) == "limit_reached"
    assert hp(table("ann: /char new Ash max_hp=7")) == (7, 7)
    assert hp(table("ann: /char new Ash hp=5 max_hp=7")) == (5, 7)


@pytest.mark.parametrize(("speech", "words"), [("zh", ("生命 4/7", "无力行动")), ("en", ("HP 4/7", "incapacitated"))])
def test_AD_15_the_sheet_shows_hp_and_who_is_incapacitated(speech: str, words: tuple[str, str]) -> None:
    story = party("ann: /hp -3", speech=speech)
    assert words[0] in told(story.when("ann: /sheet"))
    assert words[1] in told(story.when("ann: /hp -4"))
    assert words[1] in told(story.when("ann: /sheet"))


# ---- incapacitated


def test_AD_15_at_zero_hp_one_is_incapacitated_and_does_nothing_decisive() -> None:
    story = party(OGRE)
    assert one_of(story.when(DOWN), HpChanged).incapacitated
    for line in ("/move defy STR", "/move recall", "/aid Bo expose", "/journey Peaks leader=Ash careful"):
        assert refused(story.when(f"ann: {line}")) == "not_allowed"
    assert kinds(story.when("ann: /comfort Bo yes=2"))[0] == "ComfortGiven"


def test_AD_15_any_hp_lost_then_is_death() -> None:
    story = party(DOWN)
    answer = story.when("gm: /hp -1 as=Ash")
    assert one_of(answer, CharacterDied) == CharacterDied(character="Ash", how="wounds")
    assert state(story).dead == {"Ash"}


def test_AD_15_regaining_hp_ends_it_and_locks_a_condition() -> None:
    story = party("ann: /mark angry", DOWN)
    answer = story.when("ann: /hp +2")
    assert offered(answer) == [(1, "ann", "lock", rules.CONDITIONS)]
    assert changes(story.when("ann: /choose 1")) == [("locked", "Ash", "angry")]
    assert state(story).down == frozenset()
    assert one_of(story.when("ann: /move defy STR dice=6,5"), RollMade).total == 12


def test_AD_15_it_ends_with_the_scene_and_locks_nothing_then() -> None:
    story = party(DOWN, "gm: /scene The next morning")
    assert one_of(story.when("ann: /move defy STR dice=6,5"), RollMade).total == 12
    assert offered(story.when("ann: /hp +2")) == []
    assert one_of(story.given("ann: /hp -2").when("ann: /hp -1"), CharacterDied).how == "wounds"


def test_AD_15_zero_hp_after_the_scene_is_no_death_yet() -> None:
    story = party(DOWN, "gm: /scene The next morning")
    assert one_of(story.when("ann: /hp -1"), HpChanged).incapacitated


def test_AD_15_the_lock_can_be_the_breaking_point() -> None:
    story = party(*MARK_FOUR, DOWN, "ann: /hp +1")
    answer = story.when("ann: /choose 5")
    assert offered(answer) == [(2, "ann", "outburst", rules.CONDITIONS[:4])]


def test_AD_15_with_all_conditions_locked_hp_come_back_all_the_same() -> None:
    story = party(*LOCK_FIVE, DOWN)
    assert offered(story.when("ann: /hp +1")) == []
    assert state(story).down == frozenset()


def test_AD_15_a_character_of_the_gm_is_out_of_it_and_told_so() -> None:
    answer = party(OGRE).when("gm: /hp -9 as=Ogre")
    assert "out of it" in told(answer)
    assert "gamble" not in told(answer)


# ---- the gamble


def test_AD_15_a_strong_hit_gives_half_of_maximum_hp_and_a_condition_is_locked() -> None:
    story = party(DOWN)
    answer = story.when("ann: /death gamble dice=6,4")
    assert one_of(answer, HpChanged) == HpChanged(character="Ash", hp=3, max_hp=7, incapacitated=False)
    assert offered(answer) == [(1, "ann", "lock", rules.CONDITIONS)]
    story.given("ann: /choose 4")
    assert conditions(story) == {"frightened": "locked"}


def test_AD_15_the_gamble_has_no_modifiers_and_marks_no_xp() -> None:
    story = party("gm: /hold Ash adv", DOWN)
    answer = story.when("ann: /death gamble dice=1,2")
    roll = one_of(answer, RollMade)
    assert (roll.modifiers, roll.advantage, roll.total) == ((), None, 3)
    assert all_of(answer, XpMarked) == []
    assert held(story) == [("adv", "gm")]
    assert refused(party(DOWN).when("ann: /death gamble +1 dice=1,2")) == "bad_argument"


def test_AD_15_a_weak_hit_loses_a_part_and_gives_one_hp() -> None:
    story = party(DOWN)
    assert offered(story.when("ann: /death gamble dice=4,3")) == [(1, "ann", "move.death", ("lose_part", "die_after"))]
    assert refused(story.when("ann: /death gamble dice=6,6")) == "not_allowed"
    answer = story.when("ann: /choose 1")
    assert one_of(answer, HpChanged).hp == 1
    assert [kind for _, _, kind, _ in offered(answer)] == ["lock"]


def test_AD_15_or_keeps_it_and_dies_after_the_act() -> None:
    story = party(DOWN, "ann: /death gamble dice=4,3")
    assert one_of(story.when("ann: /choose 2"), DeathSealed) == DeathSealed(character="Ash", when="act")
    assert refused(story.when("gm: /hp +3 as=Ash")) == "not_allowed"
    answer = story.when("ann: /move defy STR dice=6,5")
    assert kinds(answer) == ["RollMade", "CharacterDied"]
    assert one_of(answer, CharacterDied).how == "choice"
    assert refused(story.when("ann: /move defy STR")) == "not_allowed"


def test_AD_15_the_last_act_may_be_a_clash_whose_pick_still_stands() -> None:
    story = party(OGRE, DOWN, "ann: /death gamble dice=4,3", "ann: /choose 2", STRONG)
    assert state(story).dead == {"Ash"}
    answer = story.when("ann: /choose 2 dice=3")
    assert damage(answer) == [("Ash", 8, "max"), ("Ogre", 3, "rolled")]
    assert [one.character for one in all_of(answer, HpChanged)] == ["Ogre"]


def test_AD_15_a_miss_is_death_before_the_scene_ends() -> None:
    story = party(DOWN)
    answer = story.when("ann: /death gamble dice=1,2")
    assert one_of(answer, DeathSealed) == DeathSealed(character="Ash", when="scene")
    for line in ("/death gamble", "/death glory", "/move defy STR", "/hp +1"):
        assert refused(story.when(f"ann: {line}")) == "not_allowed"
    answer = story.when("gm: /scene After")
    assert one_of(answer, CharacterDied) == CharacterDied(character="Ash", how="gamble")


@pytest.mark.parametrize("line", ["/death now # Tell them I ran.", "。面对死亡 此刻"])
def test_AD_15_when_is_the_players_to_say(line: str) -> None:
    story = party(DOWN, "ann: /death gamble dice=1,2")
    assert one_of(story.when(f"ann: {line}"), CharacterDied).how == "gamble"
    assert refused(story.when(f"ann: {line}")) == "not_allowed"


def test_AD_15_nothing_heals_who_has_lost_the_gamble() -> None:
    story = party(DOWN, "ann: /death gamble dice=1,2", "gm: /camp", "gm: /house xp-track 1", "gm: /endsession yes=1")
    assert hp(story) == (0, 8)
    assert [one.character for one in all_of(story.when("gm: /scene"), CharacterDied)] == ["Ash"]


@pytest.mark.parametrize("line", ["/death glory", "。面对死亡 壮烈", "。面对死亡 谢幕"])
def test_AD_15_a_blaze_of_glory_is_a_death(line: str) -> None:
    story = party(DOWN)
    assert one_of(story.when(f"ann: {line}"), CharacterDied) == CharacterDied(character="Ash", how="glory")
    assert refused(story.when("ann: /hp +1")) == "not_allowed"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("bob: /death gamble", "already_done"),
        ("bob: /death glory", "already_done"),
        ("ann: /death", "bad_argument"),
        ("ann: /death run", "bad_argument"),
        ("ann: /death now", "not_allowed"),
        ("ann: /death glory dice=1,2", "dice_mismatch"),
        ("ann: /death gamble dice=1,2,3", "dice_mismatch"),
        ("bob: /death gamble as=Ash", "not_yours"),
        ("gm: /death gamble", "not_found"),
    ],
)
def test_AD_15_a_death_that_cannot_be_is_refused(line: str, code: str) -> None:
    story = party(DOWN)
    assert refused(story.when(line)) == code
    assert state(story).down == {"Ash"}


@pytest.mark.parametrize(
    ("speech", "words"),
    [
        ("zh", ("无力行动", "本场景结束前死去", "命数已定", "死了")),
        ("en", ("incapacitated", "dies before the scene ends", "death is certain", "is dead")),
    ],
)
def test_AD_15_the_way_to_death_is_told(speech: str, words: tuple[str, ...]) -> None:
    story = party(speech=speech)
    assert words[0] in told(story.when(DOWN))
    assert words[1] in told(story.when("ann: /death gamble dice=1,2"))
    assert words[2] in told(story.when("ann: /sheet"))
    assert words[3] in told(story.when("gm: /scene"))


def test_AD_15_the_dead_are_out_of_every_act_of_the_party() -> None:
    story: Story = party(DOWN, "ann: /death glory")
    answer = story.when("gm: /endsession yes=1")
    assert [one.character for one in all_of(answer, XpMarked)] == ["Bo", "Cat"]
    assert refused(story.when("bob: /aid Ash expose")) == "not_allowed"
    assert refused(story.when("bob: /comfort Ash yes=1")) == "not_allowed"

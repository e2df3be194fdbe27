"""Conditions, the Breaking Point, XP and levels, relationships."""

from __future__ import annotations

import pytest

from core.systems.adventure import rules
from events.types import AdvanceTaken, DepthChanged, HpChanged, LevelGained, XpMarked
from tests.core.systems.adventure.tables import (
    LOCK_FIVE,
    MARK_FOUR,
    changes,
    conditions,
    hp,
    kinds,
    offered,
    open_choices,
    party,
    sentence,
    state,
    table,
    xp,
)
from tests.story import Story, all_of, one_of, refused, told

MISS = "ann: /move defy DEX dice=1,2"


# ---- marking, clearing, locking


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("/mark angry", "。标记 愤怒"),
        ("/mark frightened", "。标记害怕"),
        ("/MARK Insecure as=Ash", "。标记 不安 扮演=Ash"),
    ],
)
def test_AD_19_a_condition_is_marked_and_cleared_in_either_language(english: str, chinese: str) -> None:
    one, other = party(), party()
    assert changes(one.when(f"ann: {english}")) == changes(other.when(f"ann: {chinese}"))
    cleared = one.when(f"ann: {english.replace('mark', 'clear').replace('MARK', 'CLEAR')}")
    assert changes(cleared) == changes(other.when(f"ann: {chinese.replace('标记', '消除')}"))
    assert conditions(one) == conditions(other) == {}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("ann: /mark angry", "already_done"),
        ("ann: /mark insecure", "already_done"),
        ("ann: /mark hungry", "bad_argument"),
        ("ann: /mark", "bad_argument"),
        ("ann: /mark angry distracted", "bad_argument"),
        ("ann: /clear distracted", "already_done"),
        ("ann: /clear insecure", "not_allowed"),
        ("gm: /clear insecure as=Ash", "not_allowed"),
        ("ann: /clear hungry", "bad_argument"),
        ("gm: /mark angry", "not_found"),
        ("bob: /mark angry as=Ash", "not_yours"),
        ("dan: /mark angry", "not_found"),
        ("ann: /lock angry", "not_allowed"),
        ("ann: /unlock insecure", "not_allowed"),
        ("gm: /lock insecure as=Ash", "already_done"),
        ("gm: /unlock angry as=Ash", "already_done"),
    ],
)
def test_AD_19_what_cannot_be_marked_cleared_or_locked_is_refused(line: str, code: str) -> None:
    story = party("ann: /mark angry", "gm: /lock insecure as=Ash")
    assert refused(story.when(line)) == code
    assert conditions(story) == {"angry": "marked", "insecure": "locked"}


@pytest.mark.parametrize(("speech", "name"), [("zh", "不安"), ("en", "insecure")])
def test_AD_19_a_refusal_names_the_condition_in_the_tables_language(speech: str, name: str) -> None:
    story = party("gm: /lock insecure as=Ash", speech=speech)
    for line in ("ann: /clear insecure", "ann: /mark insecure", "gm: /lock 不安 as=Ash"):
        assert name in sentence(story.when(line)).split("；")[0]


def test_AD_19_the_gm_unlocks_a_condition_which_is_free_then() -> None:
    story = party("gm: /lock insecure as=Ash")
    assert kinds(story.when("gm: 。解锁 不安 as=Ash")) == ["ConditionUnlocked"]
    assert conditions(story) == {}


# ---- the Breaking Point


def test_AD_19_marking_the_last_free_condition_clears_all_and_locks_the_outburst() -> None:
    story = party(*MARK_FOUR)
    answer = story.when("ann: /mark insecure")
    assert changes(answer)[0] == ("marked", "Ash", "insecure")
    assert {change for change in changes(answer) if change[0] == "cleared"} == {
        ("cleared", "Ash", one) for one in rules.CONDITIONS
    }
    assert offered(answer) == [(1, "ann", "outburst", rules.CONDITIONS)]
    assert changes(story.when("ann: /choose 4")) == [("locked", "Ash", "frightened")]
    assert conditions(story) == {"frightened": "locked"}
    assert len(rules.free(conditions(story))) == 4


def test_AD_19_a_locked_condition_counts_as_taken_and_stays() -> None:
    story = party("gm: /lock insecure as=Ash", *MARK_FOUR[:3])
    answer = story.when(MARK_FOUR[3])
    assert ("cleared", "Ash", "insecure") not in changes(answer)
    assert offered(answer) == [(1, "ann", "outburst", rules.CONDITIONS[:4])]
    story.given("ann: /choose 1")
    assert conditions(story) == {"insecure": "locked", "angry": "locked"}


def test_AD_19_a_lock_that_takes_the_last_free_condition_is_the_breaking_point_too() -> None:
    answer = party(*MARK_FOUR).when("gm: /lock insecure as=Ash")
    assert changes(answer)[0] == ("locked", "Ash", "insecure")
    assert offered(answer) == [(1, "ann", "outburst", rules.CONDITIONS[:4])]


@pytest.mark.parametrize(
    ("speech", "limit", "played"), [("zh", "到达极限", "逃离危险"), ("en", "Breaking Point", "run from the danger")]
)
def test_AD_19_the_limit_and_the_outburst_are_told(speech: str, limit: str, played: str) -> None:
    story = party(*MARK_FOUR, speech=speech)
    assert limit in told(story.when("ann: /mark insecure"))
    assert played in told(story.when("ann: /choose 4"))


@pytest.mark.parametrize(("speech", "words"), [("zh", "五个状态全部锁定"), ("en", "All five conditions")])
def test_AD_19_five_locked_conditions_are_said_and_left_to_the_gm(speech: str, words: str) -> None:
    story = party(*LOCK_FIVE[:4], speech=speech)
    assert words in told(story.when(LOCK_FIVE[4]))
    assert offered(story.when("gm: /history")) == []
    refusal = story.when("ann: /mark angry")
    assert refused(refusal) == "limit_reached"
    assert words in sentence(refusal)
    assert words in told(story.when("ann: /journey Peaks leader=Ash normal dice=6,5"))
    story.given("ann: /move defy DEX dice=4,4")
    assert refused(story.when("ann: /choose 1")) == "limit_reached"
    story.given("ann: /choose 2")


@pytest.mark.parametrize(
    ("speech", "shown"), [("zh", ("愤怒", "不安（锁定）")), ("en", ("angry", "insecure (locked)"))]
)
def test_AD_19_the_sheet_shows_conditions_and_which_are_locked(speech: str, shown: tuple[str, ...]) -> None:
    story = party("ann: /mark angry", "gm: /lock insecure as=Ash", speech=speech)
    assert all(word in told(story.when("ann: /sheet")) for word in shown)


# ---- XP and levels


def test_AD_16_the_last_box_clears_the_track_and_is_a_level() -> None:
    story = party("ann: /hp -3", *[MISS] * 4)
    assert xp(story) == (4, 1)
    answer = story.when(MISS)
    assert one_of(answer, XpMarked) == XpMarked(character="Ash", xp=5, level=1)
    assert one_of(answer, LevelGained) == LevelGained(character="Ash", level=2, max_hp=8, hp_gained=1)
    assert one_of(answer, HpChanged) == HpChanged(character="Ash", hp=5, max_hp=8, incapacitated=False)
    assert xp(story) == (0, 2)


def test_AD_16_the_tracks_length_is_a_house_rule() -> None:
    story = party("gm: /house xp-track 2", MISS)
    assert one_of(story.when(MISS), LevelGained).level == 2
    story.given("gm: 。房规 经验格数 3", MISS, MISS)
    assert xp(story) == (2, 2)
    assert one_of(story.when(MISS), LevelGained).level == 3


@pytest.mark.parametrize("value", ["0", "51", "x", "-1", "1.5"])
def test_AD_16_a_track_that_cannot_be_is_refused(value: str) -> None:
    assert refused(party().when(f"gm: /house xp-track {value}")) in ("bad_argument", "too_large")


def test_AD_16_only_the_gm_sets_the_track_and_anybody_sees_it() -> None:
    story = party("gm: /house xp-track 3")
    assert refused(story.when("ann: /house xp-track 4")) == "not_allowed"
    assert "xp-track = 3" in told(story.when("ann: /house xp-track"))
    assert "1/3" in told(story.when(MISS))


def test_AD_16_levels_give_at_most_ten_hp() -> None:
    story = party("gm: /house xp-track 1")
    for _ in range(10):
        assert one_of(story.when(MISS), LevelGained).hp_gained == 1
    answer = story.when(MISS)
    assert one_of(answer, LevelGained) == LevelGained(character="Ash", level=12, max_hp=17, hp_gained=0)
    assert all_of(answer, HpChanged) == []
    assert hp(story) == (17, 17)


def test_AD_16_a_sheet_without_hp_gains_a_level_all_the_same() -> None:
    story = table("gm: /house xp-track 1", "ann: /char new Ash DEX=0")
    answer = story.when(MISS)
    assert one_of(answer, LevelGained) == LevelGained(character="Ash", level=2, max_hp=0, hp_gained=0)
    assert "HP" not in told(answer)


def test_AD_16_several_xp_at_once_can_be_a_level_and_more() -> None:
    answer = party().when("ann: /xp 7")
    assert [one.xp for one in all_of(answer, XpMarked)] == [1, 2, 3, 4, 5, 1, 2]
    assert one_of(answer, LevelGained).level == 2


@pytest.mark.parametrize(
    ("line", "text"),
    [("ann: /advance STR +1 (the hard way)", "STR +1 (the hard way)"), ("ann: 。成长 力量 +1", "力量 +1")],
)
def test_AD_16_an_advance_is_picked_now_or_later(line: str, text: str) -> None:
    story = party("ann: /xp 5", "gm: /session end")
    assert "advances to pick: 1" in told(story.when("ann: /sheet"))
    assert one_of(story.when(line), AdvanceTaken).text == text
    assert refused(story.when(line)) == "not_found"


@pytest.mark.parametrize("line", ["ann: /xp 0", "ann: /xp x", "ann: /xp -1", "ann: /xp 21", "ann: /advance"])
def test_AD_16_xp_and_advances_that_cannot_be_are_refused(line: str) -> None:
    story = party("ann: /xp 5")
    assert refused(story.when(line)) in ("bad_argument", "too_large")


def test_AD_16_a_character_of_the_gm_has_no_track() -> None:
    assert refused(party("gm: /char new Wolf").when("gm: /xp 1 as=Wolf")) == "not_allowed"


def test_AD_16_xp_shows_everybodys_track_and_level() -> None:
    story = party("ann: /xp 6", "bob: 。经验 2")
    shown = told(story.when("gm: /xp"))
    assert "Ash: 1/5, level 2" in shown
    assert "Bo: 2/5, level 1" in shown
    assert "Ash：1/5，2 级" in told(story.given("gm: /lang zh").when("gm: 。经验"))


@pytest.mark.parametrize(
    ("speech", "words"), [("zh", ("2 级", "生命上限 8", "成长")), ("en", ("level 2", "HP 8", "advance"))]
)
def test_AD_16_a_level_is_told_with_its_hp_and_its_advance(speech: str, words: tuple[str, ...]) -> None:
    shown = told(party(speech=speech).when("ann: /xp 5"))
    assert all(word in shown for word in words)


# ---- relationships


def bonded() -> Story:
    return party("ann: /bond Bo +2", "ann: /bond Cat", "cat: /bond Ash +1")


def test_AD_06_a_relationship_is_made_deepened_and_lessened_by_hand() -> None:
    story = bonded()
    assert state(story).depth == {"Ash": {"Bo": 2, "Cat": 0}, "Cat": {"Ash": 1}}
    changed = one_of(story.when("ann: 。关系 Bo －１"), DepthChanged)
    assert (changed.character, changed.other, changed.depth) == ("Ash", "Bo", 1)


def test_AD_06_depth_never_goes_below_zero() -> None:
    story = bonded()
    answer = story.when("ann: /bond Bo -3")
    assert refused(answer) == "limit_reached"
    assert "2" in sentence(answer)
    assert state(story).depth["Ash"]["Bo"] == 2


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("ann: /bond Nobody +1", "not_found"),
        ("ann: /bond Bo x", "bad_argument"),
        ("ann: /bond Bo +21", "too_large"),
        ("ann: /bond Ash +1", "not_allowed"),
        ("dan: /bond Bo +1", "not_found"),
        ("bob: /bond Cat +1 as=Ash", "not_yours"),
    ],
)
def test_AD_06_a_relationship_that_cannot_be_is_refused(line: str, code: str) -> None:
    assert refused(bonded().when(line)) == code


@pytest.mark.parametrize("ask", ["/bond", "/bond list", "。关系", "。关系 列表"])
def test_AD_06_the_map_says_who_stands_how_with_whom(ask: str) -> None:
    shown = told(bonded().when(f"bob: {ask}"))
    assert "Ash → Bo 2, Cat 0" in shown
    assert "Cat → Ash 1" in shown


@pytest.mark.parametrize("speech", ["zh", "en"])
def test_AD_06_the_sheet_shows_ones_relationships(speech: str) -> None:
    story = bonded().given(f"gm: /lang {speech}")
    assert "Bo 2" in told(story.when("ann: /sheet"))
    assert "Ash 1" in told(story.when("ann: /sheet Cat"))
    assert open_choices(story) == []

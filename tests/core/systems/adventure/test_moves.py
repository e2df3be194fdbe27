"""Moves through a chat: the bands, ADV and DIS, what each move is rolled with, and what each result brings."""

from __future__ import annotations

import pytest

from core.systems.adventure import rules
from events.types import AdvantageHeld, QuestionAsked, QuestionsHeld, RollMade, XpMarked
from tests.core.systems.adventure.tables import (
    ASH,
    LOCK_FIVE,
    OGRE,
    changes,
    held,
    hp,
    kinds,
    offered,
    party,
    sentence,
    state,
    table,
    xp,
)
from tests.story import Story, all_of, one_of, refused, told

STRONG, WEAK, MISS = "dice=6,6", "dice=4,4", "dice=1,2"


# ---- the bands


@pytest.mark.parametrize(
    ("line", "total", "outcome"),
    [
        ("defy STR dice=6,5", 12, "strong_hit"),
        ("defy DEX adv dice=2,6,5", 11, "strong_hit"),
        ("defy INT dis dice=2,6,5", 9, "weak_hit"),
        ("defy DEX adv dis dice=6,3", 9, "weak_hit"),
        ("defy STR +1(rope) dice=4,4", 10, "strong_hit"),
        ("defy CHA -2 dice=4,4", 5, "miss"),
    ],
)
def test_AD_01_the_worked_examples(line: str, total: int, outcome: str) -> None:
    roll = one_of(party().when(f"ann: /move {line}"), RollMade)
    assert (roll.total, roll.rolled_total, roll.outcome) == (total, total, outcome)
    assert (roll.kind, roll.source, roll.results) == ("move", "physical", (total,))
    assert all(die.role == "move" and die.sides == 6 for die in roll.dice)


def test_AD_01_the_record_says_which_dice_and_steps_made_the_total() -> None:
    roll = one_of(party().when("ann: /move defy STR +1(rope) -2 dice=4,3"), RollMade)
    assert [(step.name, step.value) for step in roll.modifiers] == [("STR", 1), ("rope", 1), ("", -2)]
    assert (roll.modifier, roll.total, roll.label, roll.character) == (0, 7, "defy", "Ash")


@pytest.mark.parametrize("move", ["defy STR", "influence deceive", "sneak", "recall", "uncover", "cast MAG=1 stat=INT"])
def test_AD_01_a_miss_marks_one_xp_and_is_the_gms_move(move: str) -> None:
    answer = party().when(f"ann: /move {move} dice=1,1")
    assert one_of(answer, RollMade).outcome == "miss"
    assert one_of(answer, XpMarked) == XpMarked(character="Ash", xp=1, level=1)
    assert "GM makes a move" in told(answer)


@pytest.mark.parametrize("dice", [STRONG, WEAK])
def test_AD_01_a_hit_marks_none(dice: str) -> None:
    story = party()
    assert all_of(story.when(f"ann: /move defy STR {dice}"), XpMarked) == []
    assert xp(story) == (0, 1)


def test_AD_01_a_characters_of_the_gm_marks_no_xp() -> None:
    story = party("gm: /char new Wolf DEX=1")
    assert all_of(story.when("gm: /move sneak as=Wolf dice=1,1"), XpMarked) == []


def test_AD_01_without_dice_given_fair_dice_fall() -> None:
    roll = one_of(table(ASH).when("ann: /move defy STR"), RollMade)
    assert (roll.source, roll.period, roll.first) == ("fair", 1, 0)
    assert all(1 <= face <= 6 for face in roll.dice[0].faces)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("defy STR dice=1", "dice_mismatch"),
        ("defy STR dice=1,2,3", "dice_mismatch"),
        ("defy STR adv dice=1,2", "dice_mismatch"),
        ("defy STR adv dis dice=1,2,3", "dice_mismatch"),
        ("defy STR dice=7,1", "dice_mismatch"),
        ("defy STR dice=x", "bad_argument"),
    ],
)
def test_AD_02_faces_that_cannot_be_are_refused(line: str, code: str) -> None:
    assert refused(party().when(f"ann: /move {line}")) == code


# ---- ADV and DIS


@pytest.mark.parametrize(
    ("kinds_held", "faces"),
    [(("adv",), 3), (("dis",), 3), (("adv", "dis"), 2), (("adv", "adv"), 3)],
)
def test_AD_02_what_is_held_goes_into_the_next_roll_and_is_used_up(kinds_held: tuple[str, ...], faces: int) -> None:
    story = party(*(f"gm: /hold Ash {kind}" for kind in kinds_held))
    answer = story.when("ann: /move defy DEX dice=" + ",".join("652"[:faces]))
    roll = one_of(answer, RollMade)
    both = len({*kinds_held}) == 2
    assert roll.advantage == (None if both else kinds_held[0])
    assert kinds(answer).count("AdvantageUsed") == len(kinds_held)
    assert held(story) == []
    assert len(one_of(story.when("ann: /move defy DEX dice=6,5"), RollMade).dice[0].faces) == 2


def test_AD_02_a_held_dis_cancels_a_typed_adv() -> None:
    story = party("gm: /hold Ash dis")
    assert one_of(story.when("ann: /move defy DEX adv dice=6,3"), RollMade).advantage is None


def test_AD_02_what_is_held_for_one_move_waits_for_it() -> None:
    story = party("gm: /hold Ash adv sneak")
    assert one_of(story.when("ann: /move defy DEX dice=6,5"), RollMade).advantage is None
    assert held(story) == [("adv", "gm")]
    assert one_of(story.when("ann: /move sneak dice=6,5,1"), RollMade).advantage == "adv"
    assert held(story) == []


@pytest.mark.parametrize(("speech", "shown"), [("zh", ("优势", "劣势")), ("en", ("ADV", "DIS"))])
def test_AD_02_the_sheet_shows_what_is_held(speech: str, shown: tuple[str, str]) -> None:
    story = party("gm: /hold Ash adv", "gm: /hold Ash dis sneak", speech=speech)
    sheet = told(story.when("ann: /sheet"))
    assert all(word in sheet for word in shown)
    story.given("gm: /hold Ash none")
    assert not any(word in told(story.when("ann: /sheet")) for word in shown)


def test_AD_02_only_the_gm_gives_and_takes() -> None:
    assert refused(party().when("ann: /hold Ash adv")) == "not_allowed"


# ---- which move, which stat, which words


@pytest.mark.parametrize("stat", rules.STATS)
def test_AD_07_danger_is_defied_with_the_stat_that_the_gm_names(stat: str) -> None:
    story = party()
    value = story.table.play.characters["Ash"].traits[stat]
    roll = one_of(story.when(f"ann: /move defy {stat} dice=3,3"), RollMade)
    assert [(step.name, step.value) for step in roll.modifiers] == [(stat, value)]


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("/move defy STR adv +1 dice=6,5,1", "。动作 面对危险 力量 优势 ＋１ dice＝６，５，１"),
        ("/move defy danger DEX dis dice=6,5,1", "。动作 面对 敏捷 劣势 点数=6，5，1"),
        ("/move influence deceive dice=6,5", "。动作 施加影响 欺骗 dice=6,5"),
        ("/move influence persuade dice=6,5", "。动作 影响 说服 dice=6,5"),
        ("/move read vs=Bo dice=6,5", "。动作 洞悉动机 对=Bo dice=6,5"),
        ("/move sneak dice=6,5", "。动作悄然行事 dice=6,5"),
        ("/move recall yes=2 dice=6,5", "。动作 忆述见闻 是=2 dice=6,5"),
        ("/move clash melee vs=Ogre dmg=d8 foe=d6 dice=6,5", "。动作 交锋 近战 对=Ogre 伤害=d8 敌=d6 dice=6,5"),
        ("/move clash finesse dice=6,5", "。动作 交锋 精巧 dice=6,5"),
        ("/move uncover dice=6,5", "。动作 发掘秘密 dice=6,5"),
        ("/move cast MAG=2 stat=INT dice=6,5,1", "。动作 施法 ＭＡＧ＝２ 属性=智力 dice=6,5,1"),
        ("/MOVE DEFY str as=Ash secret dice=6,5", "。动作 面对危险 力量 扮演=Ash 暗骰 dice=6,5"),
    ],
)
def test_AD_07_a_move_in_chinese_is_the_same_move(english: str, chinese: str) -> None:
    one, other = party(OGRE), party(OGRE)
    first, second = one.when(f"ann: {english}"), other.when(f"ann: {chinese}")
    assert first.error is None
    assert [event.data for event in first.events] == [event.data for event in second.events]
    assert one.table.play == other.table.play


@pytest.mark.parametrize(
    ("typed", "nearest"), [("defi", "defy"), ("snaek", "sneak"), ("面队危险", "面对危险"), ("交封", "交锋")]
)
def test_AD_07_a_move_that_there_is_not_is_refused_with_the_nearest(typed: str, nearest: str) -> None:
    answer = party().when(f"ann: /move {typed} STR")
    assert refused(answer) == "bad_argument"
    assert nearest in sentence(answer)


@pytest.mark.parametrize(
    "words",
    [
        "", "defy", "defy LUCK", "defy STR DEX", "influence STR", "sneak WIS", "read DEX", "uncover melee",
        "recall INT", "defy STR yes=2", "defy STR MAG=2", "sneak foe=d6", "sneak dmg=d6", "defy STR vs=Bo",
        "defy STR deceive", "influence melee", "clash", "clash INT", "clash ranged STR", "clash melee foe=d7", "cast",
        "cast MAG=1", "cast stat=INT", "cast MAG=x stat=INT", "recall yes=-1", "defy STR bravely",
    ],
)  # fmt: skip
def test_AD_07_what_a_move_has_no_use_for_is_refused_and_never_passed_over(words: str) -> None:
    story = party()
    assert refused(story.when(f"ann: /move {words} dice=6,5")) == "bad_argument"
    assert story.table.ledger.roll == 0


def test_AD_07_a_stat_that_is_not_on_the_sheet_is_named() -> None:
    story = table("ann: /char new Ash STR=1")
    answer = story.when("ann: /move defy WIS")
    assert refused(answer) == "not_found"
    assert "WIS" in sentence(answer)


def test_AD_07_somebody_without_a_sheet_makes_no_move() -> None:
    story = party()
    assert refused(story.when("gm: /move defy STR")) == "not_found"
    assert refused(story.when("dan: /move recall yes=1")) == "not_found"
    assert refused(story.when("bob: /move defy STR as=Ash")) == "not_yours"


def test_AD_07_a_weak_hit_offers_three_prices_to_the_player() -> None:
    answer = party().when(f"ann: /move defy DEX {WEAK}")
    assert offered(answer) == [(1, "ann", "move.defy", ("condition", "attention", "sacrifice"))]
    assert [n for n, _ in answer.letters[0].choices] == [1, 2, 3]


# ---- Influence


@pytest.mark.parametrize(
    ("approach", "zh", "en"),
    [("deceive", "秘密", "secret"), ("persuade", "承诺", "price"), ("threaten", "背叛", "betray")],
)
def test_AD_08_a_weak_hit_has_a_complication_of_that_approach(approach: str, zh: str, en: str) -> None:
    for speech, word in (("zh", zh), ("en", en)):
        answer = party(speech=speech).when(f"bob: /move influence {approach} dice=4,3")
        assert one_of(answer, RollMade).way == approach
        assert word in told(answer)
        assert ("主持人" if speech == "zh" else "GM") in told(answer)
        assert offered(answer) == []


def test_AD_08_influence_is_rolled_with_cha_and_may_be_made_without_a_word_of_how() -> None:
    roll = one_of(party().when("bob: /move influence dice=6,5"), RollMade)
    assert (roll.total, roll.way) == (12, "")
    assert one_of(party().when("bob: /move influence CHA dice=6,5"), RollMade).total == 12


# ---- Read Motives


@pytest.mark.parametrize(("dice", "left"), [(STRONG, 2), ("dice=4,3", 1)])
def test_AD_09_a_hit_gives_questions_that_are_counted_down(dice: str, left: int) -> None:
    story = party("gm: /char new Baron")
    answer = story.when(f"ann: /move read vs=Baron {dice}")
    assert one_of(answer, QuestionsHeld) == QuestionsHeld(character="Ash", about="Baron", left=left)
    for one in reversed(range(left)):
        asked = one_of(story.when("ann: /ask What are you afraid of?"), QuestionAsked)
        assert asked == QuestionAsked(character="Ash", about="Baron", text="What are you afraid of?", left=one)
    assert refused(story.when("ann: /ask And now?")) == "not_found"


@pytest.mark.parametrize(("speech", "words"), [("zh", ("你怕什么？", "还剩 1 个")), ("en", ("你怕什么？", "1 left"))])
def test_AD_09_the_question_is_told_with_what_is_left(speech: str, words: tuple[str, ...]) -> None:
    story = party("gm: /char new Baron", f"ann: /move read vs=Baron {STRONG}", speech=speech)
    assert "Baron 2" in told(story.when("ann: /sheet"))
    shown = told(story.when("ann: 。提问 你怕什么？"))
    assert all(word in shown for word in words)


def test_AD_09_a_miss_against_a_player_character_gives_that_player_the_question_and_no_xp() -> None:
    story = party()
    answer = story.when("bob: /move read vs=Ash dice=1,2")
    assert one_of(answer, QuestionsHeld) == QuestionsHeld(character="Ash", about="Bo", left=1)
    assert all_of(answer, XpMarked) == []
    assert "GM makes a move" not in told(answer)
    assert one_of(story.when("ann: /ask Why?"), QuestionAsked).left == 0


@pytest.mark.parametrize("who", ["vs=Ogre", ""])
def test_AD_09_a_miss_against_anybody_else_marks_xp_and_is_the_gms_move(who: str) -> None:
    answer = party(OGRE).when(f"bob: /move read {who} dice=1,2")
    assert one_of(answer, XpMarked).xp == 1
    assert all_of(answer, QuestionsHeld) == []
    assert "GM makes a move" in told(answer)


def test_AD_09_questions_about_several_people_are_kept_apart_and_end_with_the_scene() -> None:
    story = party(OGRE, f"ann: /move read vs=Ogre {STRONG}", f"ann: /move read vs=Bo {WEAK}")
    assert one_of(story.when("ann: /ask Who sent you? vs=Ogre"), QuestionAsked).about == "Ogre"
    assert state(story).questions["Ash"] == {"Ogre": 1, "Bo": 1}
    story.given("gm: /scene Later")
    assert refused(story.when("ann: /ask Who? vs=Ogre")) == "not_found"


def test_AD_09_nobody_asks_who_has_not_read() -> None:
    assert refused(party().when("ann: /ask Why?")) == "not_found"


# ---- Sneak


def sneaking(*lines: str) -> Story:
    return party("ann: /move sneak dice=4,4", *lines)


def test_AD_10_on_a_weak_hit_the_gm_picks() -> None:
    answer = party().when("ann: /move sneak dice=4,4")
    assert offered(answer) == [(1, "gm", "move.sneak", ("suspicion", "condition", "little_time"))]
    assert refused(sneaking().when("ann: /choose 1 1")) == "not_yours"


def test_AD_10_suspicion_is_dis_on_sneak_until_it_changes() -> None:
    story = sneaking("gm: /choose 1")
    assert held(story) == [("dis", "suspicion")]
    for _ in range(2):
        answer = story.when("ann: /move sneak dice=6,6,5")
        assert one_of(answer, RollMade).advantage == "dis"
        assert "AdvantageUsed" not in kinds(answer)
    assert one_of(story.when("ann: /move defy DEX dice=6,6"), RollMade).advantage is None
    story.given("gm: /scene The roof")
    assert one_of(story.when("ann: /move sneak dice=6,6"), RollMade).advantage is None


def test_AD_10_the_gm_can_end_suspicion_and_it_is_never_held_twice() -> None:
    story = sneaking("gm: /choose 1", "ann: /move sneak dice=4,4,4", "gm: /choose 1")
    assert held(story) == [("dis", "suspicion")]
    story.given("gm: /hold Ash none")
    assert held(story) == []


def test_AD_10_a_condition_that_the_gm_picks_is_marked_by_the_sneaker() -> None:
    story = sneaking()
    answer = story.when("gm: /choose 2")
    assert offered(answer) == [(2, "ann", "condition", rules.CONDITIONS)]
    assert changes(story.when("ann: /choose 5")) == [("marked", "Ash", "insecure")]


# ---- Recall Lore


def test_AD_11_there_are_three_questions() -> None:
    assert refused(party().when("ann: /move recall yes=4")) == "too_large"


@pytest.mark.parametrize("yes", [0, 1, 2, 3])
def test_AD_11_each_yes_is_one_more(yes: int) -> None:
    roll = one_of(party().when(f"ann: /move recall yes={yes} dice=3,3"), RollMade)
    assert (roll.total, roll.modifier) == (6 + yes, yes)


def test_AD_11_the_first_to_act_on_a_strong_hit_has_adv_until_it_is_used() -> None:
    story = party()
    answer = story.when("ann: /move recall yes=2 dice=5,4")
    assert offered(answer) == [(1, "ann", "ally", ("Ash", "Bo", "Cat"))]
    picked = one_of(story.when("ann: /choose 3"), AdvantageHeld)
    assert (picked.character, picked.kind, picked.why) == ("Cat", "adv", "recall")
    story.given("gm: /scene", "gm: /session end", "gm: /session start")
    assert one_of(story.when("cat: /move defy STR dice=1,6,6"), RollMade).total == 14
    assert held(story, "Cat") == []


def test_AD_11_who_is_alone_has_the_adv_at_once() -> None:
    story = table(ASH)
    assert one_of(story.when("ann: /move recall yes=2 dice=5,4"), AdvantageHeld).character == "Ash"


@pytest.mark.parametrize("dice", ["dice=4,4", "dice=1,1"])
def test_AD_11_any_other_result_gives_no_adv(dice: str) -> None:
    answer = party().when(f"ann: /move recall yes=1 {dice}")
    assert offered(answer) == []
    assert all_of(answer, AdvantageHeld) == []


# ---- Uncover Secrets


def test_AD_13_secrets_are_uncovered_with_int_and_a_weak_hit_has_three_prices() -> None:
    answer = party().when("ann: /move uncover dice=4,3")
    assert one_of(answer, RollMade).total == 9
    assert offered(answer) == [(1, "ann", "move.uncover", ("clue", "risk", "condition"))]


@pytest.mark.parametrize(("speech", "word"), [("zh", "明确而重要"), ("en", "clear and important")])
def test_AD_13_a_strong_hit_is_clear_and_important(speech: str, word: str) -> None:
    assert word in told(party(speech=speech).when("ann: /move uncover dice=6,6"))


# ---- Cast


@pytest.mark.parametrize(("mag", "faces", "way"), [(0, 2, None), (1, 2, None), (2, 3, "dis")])
def test_AD_05_magic_within_ones_power_is_rolled_plain_and_at_its_edge_with_dis(
    mag: int, faces: int, way: str | None
) -> None:
    roll = one_of(party().when(f"ann: /move cast MAG={mag} stat=INT dice=" + ",".join("651"[:faces])), RollMade)
    assert (len(roll.dice[0].faces), roll.advantage) == (faces, way)
    assert roll.way == f"MAG {mag}"


def test_AD_05_the_worked_examples() -> None:
    story = table("ann: /char new Ash INT=3")
    assert one_of(story.when("ann: /move cast MAG=3 stat=INT dice=6,5,1"), RollMade).advantage == "dis"
    rolls = story.table.ledger.roll
    answer = story.when("ann: /move cast MAG=4 stat=INT dice=6,6")
    assert refused(answer) == "not_allowed"
    assert "MAG 4" in sentence(answer)
    assert story.table.ledger.roll == rolls


def test_AD_05_adv_and_the_dis_of_ones_limit_cancel() -> None:
    assert one_of(party().when("ann: /move cast MAG=2 stat=INT adv dice=6,5"), RollMade).advantage is None


def test_AD_05_a_weak_hit_has_the_sources_own_option_a_condition_or_a_twist() -> None:
    story = party()
    answer = story.when("ann: /move cast MAG=1 stat=INT dice=4,3")
    assert offered(answer) == [(1, "ann", "move.cast", ("source", "condition", "twist"))]
    assert changes(story.when("ann: /choose 2 mark=疲惫")) == [("marked", "Ash", "exhausted")]


# ---- Aid


def test_AD_04_aid_gives_the_other_adv_for_the_next_roll() -> None:
    story = party("bob: /aid Ash expose")
    roll = one_of(story.when("ann: /move defy STR dice=1,5,6"), RollMade)
    assert (roll.advantage, roll.total) == ("adv", 12)
    assert held(story) == []


def test_AD_04_one_cost_is_a_condition() -> None:
    story = party()
    answer = story.when("bob: /aid Ash mark=angry")
    assert kinds(answer) == ["AidGiven", "ConditionMarked", "AdvantageHeld"]
    assert changes(answer) == [("marked", "Bo", "angry")]
    assert held(story) == [("adv", "aid")]


def test_AD_04_one_cost_is_a_point_of_depth_which_one_must_have() -> None:
    story = party()
    answer = story.when("bob: /aid Ash depth")
    assert refused(answer) == "limit_reached"
    assert held(story) == []
    story.given("bob: /bond Ash +1", "bob: /aid Ash depth")
    assert state(story).depth == {"Bo": {"Ash": 0}}
    assert refused(story.when("bob: /aid Ash depth")) == "limit_reached"


def test_AD_04_who_shares_all_consequences_marks_a_condition_too() -> None:
    story = party("bob: /aid Ash expose", "ann: /move defy DEX dice=4,4,1")
    answer = story.when("ann: /choose 1 mark=angry")
    assert changes(answer) == [("marked", "Ash", "angry")]
    assert offered(answer) == [(2, "bob", "condition", rules.CONDITIONS)]
    story.given("bob: /choose 2", "ann: /move defy DEX dice=4,4")
    assert offered(story.when("ann: /choose 1 mark=insecure")) == []


@pytest.mark.parametrize(("speech", "words"), [("zh", "全部后果"), ("en", "shares all consequences")])
def test_AD_04_the_roll_says_who_shares_its_consequences(speech: str, words: str) -> None:
    story = party("bob: /aid Ash expose", speech=speech)
    shown = told(story.when("ann: /move defy DEX dice=1,1,2"))
    assert words in shown
    assert "Bo" in shown


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("bob: /aid Ash", "bad_argument"),
        ("bob: /aid Ash expose mark=angry", "bad_argument"),
        ("bob: /aid Ash mark=hungry", "bad_argument"),
        ("bob: /aid Bo expose", "not_allowed"),
        ("bob: /aid Ogre expose", "not_allowed"),
        ("gm: /aid Ash expose as=Ogre", "not_allowed"),
        ("gm: /aid Ash expose", "not_found"),
        ("bob: /aid Nobody expose", "not_found"),
        ("bob: /aid", "bad_argument"),
    ],
)
def test_AD_04_aid_that_cannot_be_is_refused(line: str, code: str) -> None:
    assert refused(party(OGRE).when(line)) == code


def test_AD_04_who_has_no_condition_left_pays_otherwise() -> None:
    story = party(*LOCK_FIVE)
    answer = story.when("ann: /aid Bo mark=angry")
    assert refused(answer) in ("already_done", "limit_reached")
    assert held(story, "Bo") == []


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("/aid Ash expose", "。援助 Ash 承担"),
        ("/aid Ash mark=angry", "。援助 Ash 标记＝愤怒"),
        ("/aid Ash depth", "。援助 Ash 深度"),
        ("/aid Ash depth as=Bo", "。援助Ash 关系 扮演=Bo"),
    ],
)
def test_AD_04_aid_in_chinese_is_the_same_aid(english: str, chinese: str) -> None:
    one, other = party("bob: /bond Ash +1"), party("bob: /bond Ash +1")
    first, second = one.when(f"bob: {english}"), other.when(f"bob: {chinese}")
    assert first.error is None
    assert [event.data for event in first.events] == [event.data for event in second.events]


# ---- secrets, and who is there


def test_AD_01_a_secret_move_tells_the_table_nothing_but_that() -> None:
    answer = party().when("ann: /move defy STR secret dice=6,5")
    assert "12" not in told(answer)
    assert "12" in told(answer, "ann")
    assert "12" in told(answer, "gm")


MISSES = ("defy STR", "read", "sneak", "uncover")


@pytest.mark.parametrize("kind", ["secret", "secret=gm", "secret=me"])
@pytest.mark.parametrize("move", MISSES)
def test_AD_01_a_secret_miss_marks_its_xp_when_the_seed_is_revealed_and_not_before(move: str, kind: str) -> None:
    story = party()
    before = told(story.when("bob: /xp")), told(story.when("bob: /sheet Ash"))
    answer = story.when(f"ann: /move {move} {kind} dice=1,2")
    assert "XpMarked" not in kinds(answer)
    reader = "gm" if kind == "secret=gm" else "ann"
    assert "Its XP is marked when the secret roll is opened." in told(answer, reader)
    assert (told(story.when("bob: /xp")), told(story.when("bob: /sheet Ash"))) == before
    opened = story.when("gm: /reveal")
    assert one_of(opened, XpMarked) == XpMarked(character="Ash", xp=1, level=1)
    assert "⭐ Ash marks XP: 1/5" in told(opened)
    assert "when the secret roll is opened" not in told(opened)
    assert "XpMarked" not in kinds(story.when("gm: /session end"))


@pytest.mark.parametrize("opening", ["gm: /reveal", "gm: /session end"])
def test_AD_01_the_xp_of_secret_misses_are_marked_in_their_order_and_may_be_a_level(opening: str) -> None:
    story = party("ann: /xp 4", *("ann: /move defy STR secret=me dice=1,2",) * 2, "bob: /move defy DEX secret dice=1,2")
    opened = story.when(opening)
    assert [(one.character, one.xp) for one in all_of(opened, XpMarked)] == [("Ash", 5), ("Ash", 1), ("Bo", 1)]
    assert xp(story) == (1, 2)
    assert hp(story) == (8, 8)


@pytest.mark.parametrize(
    ("move", "dice"), [("defy STR", "6,5"), ("defy STR", "4,3"), ("read vs=Bo", "1,2"), ("defy STR as=Ogre", "1,2")]
)
def test_AD_01_a_secret_move_that_marks_no_xp_marks_none_later_and_promises_none(move: str, dice: str) -> None:
    story = party(OGRE, "gm: /set Ogre STR=1")
    person = "gm" if "Ogre" in move else "ann"
    assert "XP" not in told(story.when(f"{person}: /move {move} secret dice={dice}"), person)
    assert "XpMarked" not in kinds(story.when("gm: /reveal"))


def test_AD_01_a_secret_miss_that_was_taken_back_marks_no_xp() -> None:
    story = party()
    first = story.when("ann: /move defy STR secret dice=1,2").events[0].seq
    story.given(*("bob: /roll d6",) * 3, f"gm: /undo {first}")
    assert "XpMarked" not in kinds(story.when("gm: /reveal"))


def test_AD_01_a_secret_miss_whose_xp_is_marked_is_not_taken_back() -> None:
    story = party()
    first = story.when("ann: /move defy STR secret dice=1,2").events[0].seq
    story.given("gm: /reveal")
    assert refused(story.when(f"gm: /undo {first}")) == "not_allowed"
    assert xp(story) == (1, 1)


def test_AD_15_the_dead_mark_no_xp_for_a_secret_miss() -> None:
    story = party("ann: /move defy STR secret dice=1,2", "ann: /hp -7", "ann: /death glory")
    assert "XpMarked" not in kinds(story.when("gm: /reveal"))


@pytest.mark.parametrize("dice", ["6,6", "4,4", "1,2"])
@pytest.mark.parametrize("move", ["read vs=Ogre", "read vs=Bo", "recall yes=1"])
def test_AD_09_a_sheet_tells_nothing_of_a_secret_move(move: str, dice: str) -> None:
    story = table(ASH, OGRE) if "recall" in move else party(OGRE)
    names = [one.name for one in story.table.play.characters.values()]
    sheets = [told(story.when(f"gm: /sheet {name}")) for name in names]
    story.given(f"ann: /move {move} secret=me dice={dice}")
    assert [told(story.when(f"gm: /sheet {name}")) for name in names] == sheets


@pytest.mark.parametrize("kind", ["secret", "secret=gm", "secret=me"])
@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ((), "ann: /move clash melee foe=d6"),
        ((), "gm: /move clash melee vs=Ash dmg=d6 as=Imp"),
        (("ann: /hp -7",), "ann: /death gamble"),
    ],
)
def test_AD_15_what_everybody_sees_in_the_hp_is_no_secret(lines: tuple[str, ...], line: str, kind: str) -> None:
    story = party("gm: /char new Imp STR=1", *lines)
    assert refused(story.when(f"{line} {kind} dice=6,5")) == "not_allowed"
    assert one_of(story.when(f"{line} dice=6,5"), RollMade).secret is None


def test_AD_12_a_clash_of_those_without_hp_may_be_secret() -> None:
    story = table("ann: /char new Ash STR=1", "gm: /char new Imp")
    assert one_of(story.when("ann: /move clash melee vs=Imp secret dice=6,5"), RollMade).secret == "both"


def test_AD_11_what_a_secret_move_gave_is_on_the_sheet_when_it_is_open() -> None:
    story = table(ASH, OGRE, "ann: /move recall yes=3 secret dice=6,6", "ann: /move read vs=Ogre secret dice=6,6,1")
    before = told(story.when("gm: /sheet Ash"))
    after = told(story.given("gm: /reveal").when("gm: /sheet Ash"))
    assert len(after.splitlines()) > len(before.splitlines())
    assert "Ogre" in after
    assert "Ogre" not in before


@pytest.mark.parametrize("line", ["。面对危险 力量", "/defy STR", "/DEFY str"])
def test_AD_07_the_name_of_a_move_is_that_move(line: str) -> None:
    story = Story().given("gm: /table new adventure", "gm: /house physical-dice on", "ash: /char new Ash STR=1")
    assert one_of(story.when(f"ash: {line} dice=6,5"), RollMade).label == "defy"

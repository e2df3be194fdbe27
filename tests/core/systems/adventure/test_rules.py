"""The rules as pure functions, and the exact chances of a move."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dice.odds import move_odds
from core.refusal import Refusal
from core.systems.adventure import rules
from core.systems.adventure.words import CONDITION_NAMES, MOVE_NAMES
from tests.core.systems.adventure.tables import table
from tests.story import refused, told

FACES = st.lists(st.integers(1, 6), min_size=3, max_size=3).map(tuple)
TAKEN = st.dictionaries(st.sampled_from(rules.CONDITIONS), st.sampled_from(("marked", "locked")))


@pytest.mark.parametrize(
    ("total", "band"),
    [(-3, "miss"), (2, "miss"), (6, "miss"), (7, "weak_hit"), (9, "weak_hit"), (10, "strong_hit"), (15, "strong_hit")],
)
def test_AD_01_ten_is_a_strong_hit_seven_a_weak_one_and_six_a_miss(total: int, band: str) -> None:
    assert rules.outcome(total) == band


@pytest.mark.parametrize(
    ("adv", "dis", "both"),
    [(False, False, None), (True, False, "adv"), (False, True, "dis"), (True, True, None)],
)
def test_AD_02_adv_and_dis_together_cancel(adv: bool, dis: bool, both: str | None) -> None:
    assert rules.advantage(adv, dis) == both


@given(FACES)
def test_AD_02_adv_keeps_the_best_two_and_dis_the_worst_two(faces: tuple[int, ...]) -> None:
    assert sum(rules.kept(faces, "adv")) == sum(faces) - min(faces)
    assert sum(rules.kept(faces, "dis")) == sum(faces) - max(faces)
    assert rules.kept(faces[:2], None) == tuple(sorted(faces[:2], reverse=True))


@pytest.mark.parametrize("modifier", [-3, 0, 1, 4])
@pytest.mark.parametrize(("adv", "dis"), [(False, False), (True, False), (False, True), (True, True)])
def test_AD_02_the_odds_are_those_of_every_throw_counted(modifier: int, adv: bool, dis: bool) -> None:
    way = rules.advantage(adv, dis)
    throws = list(product(range(1, 7), repeat=3 if way else 2))
    bands = [rules.outcome(sum(rules.kept(faces, way)) + modifier) for faces in throws]
    found = move_odds(modifier, adv, dis)
    for band in ("strong_hit", "weak_hit", "miss"):
        assert getattr(found, band) == Fraction(bands.count(band), len(throws))


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("move", ("16.67%", "41.67%", "41.67%")),
        ("move +1", ("27.78%", "44.44%", "27.78%")),
        ("move +1 adv", ("52.31%", "37.04%", "10.65%")),
        ("move dis", ("5.09%", "26.85%", "68.06%")),
        ("move adv dis", ("16.67%", "41.67%", "41.67%")),
        ("动作 ＋１ 优势", ("52.31%", "37.04%", "10.65%")),
        ("move +20", ("100.00%", "0.00%", "0.00%")),
    ],
)
def test_AD_02_odds_are_told_as_per_cent_of_the_three_bands(words: str, shown: tuple[str, ...]) -> None:
    for speech in ("zh", "en"):
        answer = table(speech=speech).when(f"ann: /odds {words}")
        assert answer.events == ()
        assert [part for part in told(answer).replace("；", " ").replace(";", " ").split() if "%" in part] == [*shown]


@pytest.mark.parametrize("words", ["move +21", "move +1 adv x", "trait d8", "move d8"])
def test_AD_02_odds_of_what_is_no_move_are_refused(words: str) -> None:
    assert refused(table().when(f"ann: /odds {words}")) == "bad_argument"


@pytest.mark.parametrize(("result", "count"), [("strong_hit", 2), ("weak_hit", 1), ("miss", 0)])
def test_AD_09_two_questions_on_a_strong_hit_and_one_on_a_weak_one(result: rules.Outcome, count: int) -> None:
    assert rules.questions(result) == count


@pytest.mark.parametrize(("most", "half"), [(7, 3), (8, 4), (2, 1), (1, 1)])
def test_AD_15_half_of_maximum_hp_is_rounded_down_and_at_least_one(most: int, half: int) -> None:
    assert rules.half(most) == half


@given(TAKEN)
def test_AD_19_every_condition_is_free_or_taken_and_a_locked_one_is_never_cleared(taken: dict[str, str]) -> None:
    assert {*rules.free(taken)} | {*taken} == {*rules.CONDITIONS}
    assert not {*rules.free(taken)} & {*taken}
    assert {*rules.marked(taken)} == {one for one, how in taken.items() if how == "marked"}
    assert {*rules.unlocked(taken)} == {*rules.CONDITIONS} - {one for one, how in taken.items() if how == "locked"}


def test_AD_19_there_are_five_conditions() -> None:
    assert rules.CONDITIONS == ("angry", "distracted", "exhausted", "frightened", "insecure")


def test_AD_20_the_paces_are_rolled_with_their_steps() -> None:
    assert rules.PACES == {"fast": -1, "normal": 1, "careful": 2}


@pytest.mark.parametrize("key", MOVE_NAMES)
def test_AD_07_a_move_is_known_by_each_of_its_names(key: str) -> None:
    for name in (key, key.upper(), *MOVE_NAMES[key]):
        assert rules.move_named(name) == key


@pytest.mark.parametrize("key", CONDITION_NAMES)
def test_AD_19_a_condition_is_known_by_each_of_its_names(key: str) -> None:
    for name in (key, key.upper(), *CONDITION_NAMES[key]):
        assert rules.condition_named(name) == key


@pytest.mark.parametrize(
    ("trait", "text", "sign", "value"),
    [
        ("STR", "-1", "=", -1), ("STR", "+2", "=", 2), ("STR", "1", "+=", 2), ("STR", "3", "-=", -2),
        ("hp", "0", "=", 0), ("max_hp", "12", "=", 12), ("damage", "1d8", "=", "d8"), ("look", "tall", "=", "tall"),
        ("gold", "3", "+=", 3),
    ],
)  # fmt: skip
def test_AD_01_a_sheet_takes_stats_hp_a_damage_die_and_words(
    trait: str, text: str, sign: str, value: rules.Value
) -> None:
    assert rules.trait_value(trait, text, sign, {"STR": 1}) == value


@pytest.mark.parametrize(
    ("trait", "text", "why"),
    [
        ("STR", "11", "trait_range"), ("STR", "-11", "trait_range"), ("STR", "d8", "trait_range"),
        ("hp", "-1", "trait_range"), ("max_hp", "0", "trait_range"), ("hp", "8", "hp_above"),
        ("max_hp", "4", "hp_above"), ("damage", "d7", "damage_die"), ("damage", "8", "damage_die"),
    ],
)  # fmt: skip
def test_AD_15_a_sheet_refuses_what_no_rule_knows(trait: str, text: str, why: str) -> None:
    with pytest.raises(Refusal) as refusal:
        rules.trait_value(trait, text, "=", {"hp": 5, "max_hp": 7})
    assert refusal.value.why == why

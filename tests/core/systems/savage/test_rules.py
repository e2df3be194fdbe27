"""The rules as pure functions: faces in, outcome out."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dice import cards
from core.dice.odds import trait_odds
from core.systems.savage import rules
from core.systems.savage.rules import Opposition, Result
from events.types import Die, Outcome

Faces = tuple[int, ...]


def trait(sides: int, *faces: int) -> Die:
    return Die(sides=sides, role="trait", faces=faces)


def wild(*faces: int) -> Die:
    return Die(sides=6, role="wild", faces=faces)


def check(face: int) -> Die:
    return Die(sides=6, role="check", faces=(face,))


def damage(sides: int, *faces: int) -> Die:
    return Die(sides=sides, role="damage", faces=faces)


def success(total: int, raises: int = 0) -> Result:
    return Result((total,), "success", raises)


def failure(total: int) -> Result:
    return Result((total,), "failure", 0)


# ---- wounds


@pytest.mark.parametrize(("wounds", "penalty"), [(1, -1), (2, -2), (3, -3), (4, -3), (9, -3)])
def test_SW_02_each_wound_up_to_three_is_minus_one(wounds: int, penalty: int) -> None:
    found = rules.wound_penalty(wounds)
    assert found is not None
    assert found.value == penalty


def test_SW_02_nobody_unhurt_has_a_penalty() -> None:
    assert rules.wound_penalty(0) is None


@pytest.mark.parametrize(
    ("wounds", "is_wild", "down"),
    [(0, True, False), (3, True, False), (4, True, True), (0, False, False), (1, False, True), (2, False, True)],
)
def test_SW_02_a_wild_card_stands_three_wounds_and_an_extra_none(wounds: int, is_wild: bool, down: bool) -> None:
    assert rules.incapacitated(wounds, is_wild) is down


# ---- trait rolls


@pytest.mark.parametrize(("face", "outcome"), [(2, "failure"), (3, "failure"), (4, "success"), (5, "success")])
def test_SW_03_four_is_a_success(face: int, outcome: Outcome) -> None:
    assert rules.read_trait((trait(8, face),), 0, 4).outcome == outcome


@pytest.mark.parametrize(("target", "outcome"), [(5, "success"), (6, "success"), (7, "failure")])
def test_SW_03_another_target_counts_where_one_is_given(target: int, outcome: Outcome) -> None:
    assert rules.read_trait((trait(8, 6),), 0, target).outcome == outcome


def test_SW_04_modifiers_are_added_behind_the_aces() -> None:
    assert rules.read_trait((trait(6, 6, 6, 1), wild(2)), -2, 4).total == 11


@pytest.mark.parametrize(
    ("word", "step"),
    [
        ("easy", 2), ("hard", -2), ("very-hard", -4),
        ("简单", 2), ("困难", -2), ("非常困难", -4), ("特别困难", -4),
    ],
)  # fmt: skip
def test_SW_04_named_steps_are_plus_2_minus_2_and_minus_4(word: str, step: int) -> None:
    assert rules.STEPS[word] == step


# Each row: trait dice, Wild Die, results best first, outcome, raises of the best.
WORKED = [
    ([(8, 4)], (6, 6, 2), (14,), "success", 2),
    ([(3,), (5,)], (6, 1), (7, 5), "success", 0),
    ([(1,), (1,), (4,)], (1,), (4, 1, 1), "critical_failure", 0),
    ([(1,), (1,), (4,)], (2,), (4, 2, 1), "success", 0),
    ([(1,)], (1,), (1,), "critical_failure", 0),
    ([(7,), (7,), (7,)], (3,), (7, 7, 7), "success", 0),
    ([(2,), (3,), (7,)], (8,), (8, 7, 3), "success", 1),
]


@pytest.mark.parametrize(("faces", "wild_faces", "results", "outcome", "raises"), WORKED)
def test_SW_07_the_worked_examples(
    faces: list[Faces], wild_faces: Faces, results: Faces, outcome: Outcome, raises: int
) -> None:
    dice = (*(trait(8, *one) for one in faces), wild(*wild_faces))
    assert rules.read_trait(dice, 0, 4) == Result(results, outcome, raises)


@given(
    faces=st.lists(st.lists(st.integers(1, 8), min_size=1, max_size=3), min_size=1, max_size=6),
    wild_faces=st.lists(st.integers(1, 6), min_size=1, max_size=3),
    modifier=st.integers(-6, 6),
)
def test_SW_07_the_wild_die_adds_no_result_and_never_hurts(
    faces: list[list[int]], wild_faces: list[int], modifier: int
) -> None:
    alone = tuple(trait(8, *one) for one in faces)
    without = rules.trait_results(alone, modifier)
    with_wild = rules.trait_results((*alone, wild(*wild_faces)), modifier)
    changed = [(a, b) for a, b in zip(without, with_wild, strict=True) if a != b]
    assert len(with_wild) == len(faces)
    assert all(b >= a for a, b in changed)
    assert sum(with_wild) - sum(without) == max(0, sum(wild_faces) + modifier - min(without))


@pytest.mark.parametrize(
    ("result", "target", "raises"),
    [(3, 4, 0), (4, 4, 0), (7, 4, 0), (8, 4, 1), (11, 4, 1), (12, 4, 2), (16, 4, 3), (9, 6, 0), (10, 6, 1), (-3, 4, 0)],
)
def test_SW_09_each_full_four_over_the_target_is_a_raise(result: int, target: int, raises: int) -> None:
    assert rules.raises(result, target) == raises


@pytest.mark.parametrize("modifier", [-4, 0, 2, 4, 20])
def test_SW_11_snake_eyes_fail_whatever_the_modifiers_say(modifier: int) -> None:
    result = rules.read_trait((trait(8, 1), wild(1)), modifier, 4)
    assert (result.outcome, result.raises) == ("critical_failure", 0)


@pytest.mark.parametrize(("face", "wild_face"), [(1, 2), (2, 1), (1, 6), (3, 1)])
def test_SW_11_one_natural_1_alone_is_no_critical_failure(face: int, wild_face: int) -> None:
    assert not rules.is_critical((trait(8, face), wild(wild_face)))


def test_SW_11_a_1_behind_an_ace_is_not_natural() -> None:
    assert not rules.is_critical((trait(6, 6, 1), wild(6, 1)))


@pytest.mark.parametrize(("face", "outcome"), [(1, "critical_failure"), (2, "failure"), (6, "failure")])
def test_SW_12_the_check_die_decides_on_an_extras_natural_1(face: int, outcome: Outcome) -> None:
    assert rules.read_trait((trait(6, 1), check(face)), 0, 4).outcome == outcome


@pytest.mark.parametrize(
    ("face", "is_wild", "matters", "asked"),
    [(1, False, True, True), (1, False, False, False), (2, False, True, False), (1, True, True, False)],
)
def test_SW_12_only_an_extras_natural_1_that_matters_asks_for_the_check(
    face: int, is_wild: bool, matters: bool, asked: bool
) -> None:
    assert rules.needs_check((trait(6, face),), is_wild, matters) is asked


# Each row: trait faces, Wild Die or None for an Extra, critical or not.
SEVERAL = [
    ((1, 1), 1, True), ((1, 3), 1, False), ((1, 1), 2, False),
    ((1, 1, 4), 1, True), ((1, 3, 4), 1, False), ((1, 1, 1), 1, True), ((1, 1, 1), 3, False),
    ((1, 1, 3, 4), 1, False), ((1, 1, 1, 4), 1, True),
    ((1, 1, 4), None, True), ((1, 4), None, False), ((1, 3, 4), None, False), ((1, 1), None, True),
]  # fmt: skip


@pytest.mark.parametrize(("faces", "wild_face", "critical"), SEVERAL)
def test_SW_13_more_than_half_of_the_trait_dice_and_the_wild_die_show_1(
    faces: Faces, wild_face: int | None, critical: bool
) -> None:
    dice = tuple(trait(6, face) for face in faces) + (() if wild_face is None else (wild(wild_face),))
    assert rules.is_critical(dice) is critical


# ---- rerolls


def several(*results: int, target: int = 4) -> Result:
    """A throw of several dice against a target."""
    best = max(results)
    outcome: Outcome = "success" if best >= target else "failure"
    return Result(tuple(sorted(results, reverse=True)), outcome, rules.raises(best, target))


@pytest.mark.parametrize(
    ("new", "old", "stands"),
    [
        (success(8, 1), success(5), success(8, 1)),
        (failure(2), success(5), success(5)),
        (failure(2), failure(3), failure(3)),
        (success(5), success(7), success(7)),
        (several(4, 4, 4), several(7, 2, 1), several(4, 4, 4)),
        (several(12, 1), several(4, 4), several(12, 1)),
        (several(3, 2), several(3, 1), several(3, 2)),
    ],
)
def test_SW_15_the_better_of_all_results_stands(new: Result, old: Result, stands: Result) -> None:
    assert rules.better(new, old, 4) == stands


def test_SW_15_a_critical_failure_on_a_reroll_is_the_result() -> None:
    critical = Result((1,), "critical_failure", 0)
    assert rules.better(critical, success(20, 4), 4) == critical


# ---- opposed rolls

CRITICAL = Result((9,), "critical_failure", 0)


@pytest.mark.parametrize(
    ("active", "defending", "settled"),
    [
        (success(5), success(5), Opposition(False, 0)),
        (success(6), success(5), Opposition(True, 0)),
        (success(11, 1), failure(3), Opposition(True, 2)),
        (success(5), success(13, 2), Opposition(False, 2)),
        (success(4), failure(1), Opposition(True, 0)),
        (failure(3), failure(1), Opposition(False, 0)),
        (failure(3), success(7), Opposition(False, 1)),
        (CRITICAL, failure(2), Opposition(False, 0)),
        (success(4), CRITICAL, Opposition(True, 0)),
    ],
)
def test_SW_10_who_wins_and_by_how_many_raises(active: Result, defending: Result, settled: Opposition) -> None:
    assert rules.oppose(active, defending) == settled


# ---- damage


@pytest.mark.parametrize(
    ("faces", "modifier", "toughness", "expected"),
    [
        ([(3,), (2,)], 0, 6, Result((5,), "failure", 0)),
        ([(4,), (2,)], 0, 6, Result((6,), "success", 0)),
        ([(6, 3), (1,)], 0, 6, Result((10,), "success", 1)),
        ([(6, 6, 1), (1,)], 0, 6, Result((14,), "success", 2)),
        ([(4,), (2,)], 3, 6, Result((9,), "success", 0)),
        ([(4,), (2,)], 0, None, Result((6,), None, None)),
    ],
)
def test_SW_27_all_dice_add_and_each_full_four_over_toughness_is_a_raise(
    faces: list[Faces], modifier: int, toughness: int | None, expected: Result
) -> None:
    assert rules.read_damage(tuple(damage(6, *one) for one in faces), modifier, toughness) == expected


@pytest.mark.parametrize(
    ("result", "shaken", "wounds"),
    [
        (failure(3), True, 0),
        (success(6), False, 0),
        (success(6), True, 1),
        (success(10, 1), True, 1),
        (success(14, 2), False, 2),
    ],
)
def test_SW_27_shaken_twice_is_a_wound(result: Result, shaken: bool, wounds: int) -> None:
    assert rules.wounds_of(result, shaken) == wounds


@pytest.mark.parametrize(
    ("soak", "taken", "cancelled"),
    [(failure(3), 2, 0), (success(4), 2, 1), (success(8, 1), 2, 2), (success(16, 3), 2, 2), (CRITICAL, 2, 0)],
)
def test_SW_24_the_success_and_each_raise_cancel_a_wound_just_taken(soak: Result, taken: int, cancelled: int) -> None:
    assert rules.cancelled(soak, taken) == cancelled


# ---- action cards


def test_SW_25_cards_go_from_the_jokers_down_and_suits_from_spades() -> None:
    wanted = ["red_joker", "black_joker", "AS", "AH", "AD", "AC", "KS", "10S", "9C", "2S", "2H", "2D", "2C"]
    assert rules.order({card: card for card in reversed(wanted)}) == wanted


def test_SW_25_the_deck_has_54_cards_each_once() -> None:
    assert len(cards.DECK) == len(set(cards.DECK)) == 54


@pytest.mark.parametrize(
    ("card", "again"), [("2C", True), ("5S", True), ("6C", False), ("AS", False), ("red_joker", False)]
)
def test_SW_25_quick_draws_again_on_a_5_or_lower(card: str, again: bool) -> None:
    assert rules.wants_quick(card) is again


@pytest.mark.parametrize(
    ("held", "edges", "kept"),
    [
        (("2C", "KS"), ("level-headed",), "KS"),
        (("KS", "2C"), ("hesitant",), "2C"),
        (("KS", "KH"), ("hesitant",), "KH"),
        (("black_joker", "2C"), ("hesitant",), "black_joker"),
        (("2C", "red_joker"), ("level-headed",), "red_joker"),
        (("2C", "3C"), (), "3C"),
    ],
)
def test_SW_25_level_headed_keeps_the_better_and_hesitant_the_worse(
    held: tuple[str, ...], edges: tuple[str, ...], kept: str
) -> None:
    assert rules.kept(held, edges) == kept


# ---- sheets


@pytest.mark.parametrize(
    ("typed", "trait_is"),
    [
        ("潜行", "stealth"),
        ("Stealth", "stealth"),
        ("common knowledge", "common-knowledge"),
        ("STR", "strength"),
        ("锁匠", "锁匠"),
    ],
)
def test_SW_03_a_trait_has_one_name_in_every_language(typed: str, trait_is: str) -> None:
    assert rules.trait_name(typed) == trait_is


def test_SW_12_a_lone_natural_1_of_an_extra_fails_whatever_the_modifiers() -> None:
    one = (Die(6, "trait", (1,)),)
    assert rules.read_trait(one, 5, 4).outcome == "failure"
    assert rules.read_trait((*one, Die(6, "check", (4,))), 5, 4).outcome == "failure"
    assert rules.read_trait((Die(6, "trait", (2,)),), 5, 4).outcome == "success"
    assert trait_odds(6, None, 5, 4).success == Fraction(5, 6)

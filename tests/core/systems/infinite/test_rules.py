"""The rules as pure functions: successes in, outcome out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dice import pool
from core.dice.source import GivenFaces
from core.refusal import Refusal
from core.systems.infinite import rules
from events.types import Die, Extra, Outcome

SMALL = st.integers(0, 40)


def thrown(*faces: int, size: int | None = None, again: int = 10) -> tuple[Die, ...]:
    """A throw of these natural faces; all of them must be needed."""
    source = GivenFaces(faces)
    dice = pool.throw_pool(source, len(faces) if size is None else size, again)
    source.finish()
    return dice


@pytest.mark.parametrize(("faces", "successes"), [((1,), 0), ((7,), 0), ((8,), 1), ((9,), 1), ((10, 1), 1)])
def test_IT_01_eight_nine_and_ten_succeed(faces: tuple[int, ...], successes: int) -> None:
    assert pool.successes(thrown(*faces, size=1)) == successes


@pytest.mark.parametrize(
    ("again", "size", "faces", "successes"),
    [
        (10, 2, (9, 9), 2),
        (10, 1, (10, 10, 10, 3), 3),  # an again die goes again
        (9, 1, (9, 8), 2),
        (9, 1, (9, 10, 9, 7), 3),
        (8, 1, (8, 8, 8, 1), 3),
        (8, 2, (8, 9, 1, 10, 2), 3),  # the pool 8 9, their again dice 1 10, and that ten's again die 2
    ],
)
def test_IT_02_faces_from_the_again_number_up_go_again(
    again: int, size: int, faces: tuple[int, ...], successes: int
) -> None:
    assert pool.successes(thrown(*faces, size=size, again=again)) == successes


@given(SMALL, SMALL, SMALL)
def test_IT_03_extras_count_only_behind_a_rolled_success_that_is_left(rolled: int, lost: int, extra: int) -> None:
    dice = (Die(10, "pool", (8,) * rolled + (1,)),)
    result = rules.check(dice, lost, extra, None)
    left = max(0, rolled - lost)
    assert result.total == (left + extra if left else 0)
    assert result.outcome == ("success" if left else "failure")


@pytest.mark.parametrize(
    ("value", "extra"),
    [(0, 0), (1, 0), (5, 0), (6, 1), (10, 1), (11, 2), (15, 2), (16, 3), (20, 3), (21, 4), (1000, 199)],
)
def test_IT_04_an_attribute_gives_one_extra_at_6_and_another_for_every_5_more(value: int, extra: int) -> None:
    assert rules.extra_of(value) == extra


def test_IT_04_attributes_give_by_value_and_skills_and_gear_what_the_sheet_says() -> None:
    sheet = {"strength": 11, "athletics": 16, "athletics-extra": 1, "长剑附加": 2, "strength-extra": 3}
    named = [("strength", 11), ("athletics", 16), ("长剑", 2), ("绳索", 1)]
    assert rules.extras_of(named, sheet) == (
        Extra("strength", 2, of=11),
        Extra("strength", 3),
        Extra("athletics", 1),
        Extra("长剑", 2),
    )


def test_IT_04_a_trait_named_twice_gives_its_extras_once() -> None:
    assert rules.extras_of([("strength", 11), ("strength", 11)], {}) == (Extra("strength", 2, of=11),)


@pytest.mark.parametrize("name", ["attack", "defence"])
def test_IT_04_attack_and_defence_extras_belong_to_no_trait_of_a_pool(name: str) -> None:
    assert rules.extras_of([(name, 3)], {f"{name}-extra": 5}) == ()


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("力量", "strength"),
        ("STR", "strength"),
        ("感知", "perception"),
        ("运动", "athletics"),
        ("调查", "investigation"),
        ("攻击附加", "attack-extra"),
        ("攻击附加成功", "attack-extra"),
        ("Defense Extra", "defence-extra"),
        ("传奇敏捷", "legendary-dexterity"),
        ("基础防御", "base-defence"),
        ("力量附加", "strength-extra"),
        ("str extra", "strength-extra"),
        ("运动附加成功", "athletics-extra"),
        ("巨斧附加成功", "巨斧附加"),
        ("巨斧-extra", "巨斧附加"),
        ("Axe Extra", "axe-extra"),
        ("附加", "附加"),
        ("巨斧", "巨斧"),
    ],
)
def test_IT_04_a_trait_has_one_name_in_both_languages(typed: str, canonical: str) -> None:
    assert rules.trait_name(typed) == canonical
    assert rules.trait_name(rules.trait_name(typed)) == canonical


@pytest.mark.parametrize(
    ("rolled", "extra", "dc", "outcome"),
    [(3, 0, 3, "success"), (2, 0, 3, "failure"), (1, 2, 3, "success"), (0, 9, 3, "failure"), (1, 0, 1, "success")],
)
def test_IT_05_a_total_as_high_as_the_dc_succeeds(rolled: int, extra: int, dc: int, outcome: Outcome) -> None:
    dice = (Die(10, "pool", (8,) * rolled + (1,)),)
    assert rules.check(dice, 0, extra, dc).outcome == outcome


@given(SMALL, SMALL)
def test_IT_06_the_challenger_needs_more_or_as_much_where_the_house_says_so(challenger: int, first: int) -> None:
    assert rules.beats(challenger, first, tie_wins=False) == (challenger > first)
    assert rules.beats(challenger, first, tie_wins=True) == (challenger >= first and challenger > 0)


def test_IT_06_nobody_wins_with_no_success_at_all() -> None:
    assert not rules.beats(0, 0, tie_wins=True)


@pytest.mark.parametrize(
    ("faces", "total", "outcome"),
    [
        ((1,), 0, "dramatic_failure"),
        ((2,), 0, "failure"),
        ((8,), 0, "failure"),
        ((9,), 0, "failure"),
        ((10, 1), 1, "success"),
        ((10, 9), 1, "success"),
        ((10, 10, 1), 2, "success"),
        ((10, 10, 10, 5), 3, "success"),
    ],
)
@pytest.mark.parametrize("size", [0, -1, -30])
@pytest.mark.parametrize("extra", [0, 3])
def test_IT_07_a_chance_die(faces: tuple[int, ...], total: int, outcome: Outcome, size: int, extra: int) -> None:
    result = rules.check(thrown(*faces, size=size), 0, extra, None)
    assert (result.total, result.extra, result.outcome) == (total, 0, outcome)


@pytest.mark.parametrize("again", [8, 9])
def test_IT_07_no_ability_makes_a_chance_die_go_again_on_less(again: int) -> None:
    assert rules.check(thrown(9, size=0, again=again), 0, 0, None).outcome == "failure"
    assert rules.check(thrown(10, 9, size=0, again=again), 0, 0, None).total == 1


@given(SMALL, SMALL, SMALL, SMALL)
def test_IT_13_defence_is_set_against_the_rolled_successes_alone(
    rolled: int, lost: int, declared: int, extra: int
) -> None:
    cancelled, counted, total = rules.attack(rolled, lost, declared, extra)
    left = max(0, rolled - lost - declared)
    assert cancelled == rolled - left
    assert (counted, total) == ((extra, left + extra) if left else (0, 0))


@pytest.mark.parametrize(
    ("rolled", "declared", "extra", "total"), [(1, 5, 4, 0), (3, 2, 4, 5), (2, 2, 9, 0), (0, 0, 4, 0), (1, 0, 4, 5)]
)
def test_IT_13_worked_examples(rolled: int, declared: int, extra: int, total: int) -> None:
    assert rules.attack(rolled, 0, declared, extra)[2] == total


LEGEND = {"defence-extra": 2, "legendary-dexterity": 3, "legendary-perception": 1}


@pytest.mark.parametrize(
    ("base", "speed", "extras"),
    [(None, 0, 6), (None, 9, 6), (3, 0, 6), (3, 2, 6), (3, 3, 2), (3, 9, 2), (1, 0, 6), (0, 0, 2), (0, 4, 2)],
)
def test_IT_14_at_base_defence_0_the_legendary_extras_are_lost(base: int | None, speed: int, extras: int) -> None:
    sheet = LEGEND if base is None else {**LEGEND, "base-defence": base}
    assert rules.defence_extras(sheet, speed) == extras


@pytest.mark.parametrize(
    ("spent", "declared", "counts"), [(0, 6, 2), (0, 1, 1), (1, 3, 1), (2, 3, 0), (5, 1, 0), (0, 0, 0)]
)
def test_IT_14_of_what_was_declared_only_what_there_still_is_counts(spent: int, declared: int, counts: int) -> None:
    assert rules.in_force({**LEGEND, "base-defence": 3}, spent, declared, speed=3) == counts


@pytest.mark.parametrize(("typed", "sign", "now", "value"), [("7", "=", 0, 7), ("2", "+=", 5, 7), ("5", "-=", 5, 0)])
def test_IT_01_a_sheet_holds_numbers(typed: str, sign: str, now: int, value: int) -> None:
    assert rules.trait_value("strength", typed, sign, {"strength": now}) == value


@pytest.mark.parametrize(
    ("typed", "sign"), [("d8", "="), ("-1", "="), ("1001", "="), ("6", "-="), ("1.5", "="), ("", "=")]
)
def test_IT_01_anything_else_on_a_sheet_is_refused(typed: str, sign: str) -> None:
    with pytest.raises(Refusal) as refused:
        rules.trait_value("strength", typed, sign, {"strength": 5})
    assert refused.value.key == "bad_argument.trait_number"

"""What systems of d10 pools share: a sheet and some steps into a pool, its odds, and how a throw is told."""

from __future__ import annotations

import pytest

from core.decider import Who
from core.dice.odds import pool_odds
from core.grammar.arguments import Arguments
from core.grammar.text import normalise, tokenise
from core.language import Line, line
from core.pools import again_told, dots, odds_told, pool_of, read_odds
from core.refusal import Refusal
from core.table.state import Character
from events.types import Modifier, Value


def sheet(**traits: Value) -> Who:
    return Who("Ann", "ann", Character("Ann", "wild", "ann", False, False, traits=dict(traits)))


ANN = sheet(strength=3, athletics=2, motto="never")
NOBODY = Who("ann", "ann")


def low(name: str) -> str:
    return name.lower()


@pytest.mark.parametrize(
    ("text", "traits", "size", "named", "steps"),
    [
        ("Strength+athletics", 5, 5, (("strength", 3), ("athletics", 2)), ()),
        ("strength+athletics-2", 5, 3, (("strength", 3), ("athletics", 2)), (Modifier("", -2),)),
        ("strength+athletics+2", 5, 7, (("strength", 3), ("athletics", 2)), (Modifier("", 2),)),
        ("strength +1(rope)", 3, 4, (("strength", 3),), (Modifier("rope", 1),)),
        ("strength-athletics", 3, 1, (("strength", 3),), (Modifier("athletics", -2),)),
        ("3+1-3", 4, 1, (), (Modifier("", -3),)),
        ("0-5", 0, -5, (), (Modifier("", -5),)),
    ],
)
def test_ST_01_traits_are_added_up_and_every_step_is_kept(
    text: str, traits: int, size: int, named: tuple[tuple[str, int], ...], steps: tuple[Modifier, ...]
) -> None:
    pool = pool_of(text, ANN, low)
    assert (pool.traits, pool.size, pool.named, pool.steps) == (traits, size, named, steps)


def test_ST_09_steps_of_the_rules_come_on_top() -> None:
    pool = pool_of("strength-1", ANN, low, [Modifier("retry", -2)])
    assert pool.steps == (Modifier("", -1), Modifier("retry", -2))
    assert (pool.modifier, pool.size) == (-3, 0)


@pytest.mark.parametrize(
    ("text", "who", "key"),
    [
        ("brawl", ANN, "not_found.trait"),
        ("strength", NOBODY, "not_found.no_sheet"),
        ("motto", ANN, "bad_argument.not_a_pool"),
        ("1001", NOBODY, "too_large.dice"),
        ("1000 +1(rope)", NOBODY, "too_large.dice"),
    ],
)
def test_ST_01_what_makes_no_pool_is_refused(text: str, who: Who, key: str) -> None:
    with pytest.raises(Refusal) as refused:
        pool_of(text, who, low)
    assert refused.value.key == key


def test_ST_01_a_large_pool_with_a_large_penalty_is_thrown() -> None:
    assert pool_of("1002-2", NOBODY, low).size == 1000


@pytest.mark.parametrize(
    ("text", "sign", "value"), [("4", "=", 4), ("2", "+=", 5), ("3", "-=", 0), (" 7 ", "=", 7), ("9", "=", 9)]
)
def test_ST_01_a_sheet_holds_dots(text: str, sign: str, value: int) -> None:
    assert dots("strength", text, sign, {"strength": 3}, 9) == value


@pytest.mark.parametrize(
    ("text", "sign"), [("10", "="), ("7", "+="), ("4", "-="), ("-1", "="), ("d8", "="), ("", "="), ("1.5", "=")]
)
def test_ST_01_and_no_other_values(text: str, sign: str) -> None:
    with pytest.raises(Refusal) as refused:
        dots("strength", text, sign, {"strength": 3}, 9)
    assert refused.value.key == "bad_argument.trait_number"


def asked(text: str) -> list[Line]:
    tokens, _ = tokenise(normalise(text))
    return odds_told(read_odds(Arguments(tokens), ANN, low))


def test_ST_01_odds_are_read_like_a_roll() -> None:
    (told,) = asked("strength+athletics-2 again=9 need=2 rote")
    assert told.key == "odds.pool"
    assert (told.facts["size"], told.facts["need"]) == (3, 2)
    assert told.facts["chance"] == f"{float(pool_odds(3, 9, 2, True)) * 100:.2f}%"
    assert told.facts["five"] == f"{float(pool_odds(3, 9, 5, True)) * 100:.2f}%"


def test_ST_03_the_odds_of_nothing_are_those_of_a_chance_die() -> None:
    (told,) = asked("strength-3")
    assert told == line("odds.chance_die", chance="10.00%", dramatic="10.00%")


@pytest.mark.parametrize(
    ("again", "rote", "told"),
    [
        (10, False, ""),
        (None, False, ""),
        (9, False, line("pool.rule", again=9)),
        (11, False, line("pool.no_again")),
        (10, True, line("pool.rote", rule="")),
        (8, True, line("pool.rote", rule=line("pool.rule", again=8))),
    ],
)
def test_ST_01_only_an_unusual_again_is_told(again: int | None, rote: bool, told: object) -> None:
    assert again_told(again, rote) == told

"""The expression of `/roll`: what it means, what it refuses, and that nothing else can happen."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.dice.expression import (
    MOST_CHARACTERS,
    MOST_DICE,
    MOST_REPEATS,
    MOST_TOTAL,
    Dice,
    Expression,
    Throw,
    dice_of,
    parse,
    throw,
)
from core.dice.source import FairDice, GivenFaces
from core.refusal import Refusal


def thrown(text: str, *faces: int) -> Throw:
    """The expression thrown with these faces, all of which it must use."""
    source = GivenFaces(faces)
    result = throw(parse(text), source)
    source.finish()
    return result


def refused(text: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        parse(text)
    return caught.value


# ---- what an expression means


@pytest.mark.parametrize(
    ("text", "faces", "total", "working"),
    [
        ("3d6+2", [6, 1, 4], 13, "[6, 1, 4] + 2"),
        ("d20", [17], 17, "[17]"),
        ("d%", [100], 100, "[100]"),
        ("2d%-1", [3, 50], 52, "[3, 50] - 1"),
        ("4d6kh3", [6, 2, 5, 3], 14, "[6, ~2~, 5, 3]"),
        ("4d6k3", [6, 2, 5, 3], 14, "[6, ~2~, 5, 3]"),
        ("2d20kh", [4, 15], 15, "[~4~, 15]"),
        ("2d20kl", [4, 15], 4, "[4, ~15~]"),
        ("4d6dl1", [6, 2, 5, 3], 14, "[6, ~2~, 5, 3]"),
        ("4d6dh", [6, 2, 5, 3], 10, "[~6~, 2, 5, 3]"),
        ("3d6kh3+3", [1, 2, 3], 9, "[1, 2, 3] + 3"),
        ("3d6kl1", [2, 2, 2], 2, "[2, ~2~, ~2~]"),
        ("4dF", [1, 2, 3, 3], 1, "[-1, 0, +1, +1]"),
        ("3dFkh2", [1, 2, 3], 1, "[~-1~, 0, +1]"),
        ("2d6!", [6, 6, 2, 3], 17, "[6+6+2, 3]"),
        ("3d6!kh1", [6, 1, 5, 4], 7, "[6+1, ~5~, ~4~]"),
        ("3d6kh1!", [6, 1, 5, 4], 7, "[6+1, ~5~, ~4~]"),
        ("1d2!", [2, 2, 2, 1], 7, "[2+2+2+1]"),
        ("d6-d4", [2, 4], -2, "[2] - [4]"),
        ("d6*2", [5], 10, "[5] × 2"),
        ("d6×2", [5], 10, "[5] × 2"),
        ("d6x2", [5], 10, "[5] × 2"),
        ("D6X2", [5], 10, "[5] × 2"),
        ("7/d6", [2], 3, "7 ÷ [2]"),
        ("7÷2", [], 3, "7 ÷ 2"),
        ("-7/2", [], -4, "-7 ÷ 2"),
        ("7/-2", [], -4, "7 ÷ -2"),
        ("-(d6+1)", [3], -4, "-([3] + 1)"),
        ("(2d6+3)*2-1", [6, 1], 19, "([6, 1] + 3) × 2 - 1"),
        ("2+3*4", [], 14, "2 + 3 × 4"),
        ("20-5-3", [], 12, "20 - 5 - 3"),
        ("100/5/2", [], 10, "100 ÷ 5 ÷ 2"),
        ("5--2", [], 7, "5 - -2"),
        ("5−2", [], 3, "5 - 2"),
        ("+d6", [3], 3, "[3]"),
        ("2D6KH1", [3, 4], 4, "[~3~, 4]"),
        ("4df", [1, 1, 1, 1], -4, "[-1, -1, -1, -1]"),
        (" 2d6 + 3 ", [1, 1], 5, "[1, 1] + 3"),
        ("4d6 kh3", [1, 2, 3, 4], 9, "[~1~, 2, 3, 4]"),
        ("1d1", [1], 1, "[1]"),
        ("3d1dl1", [1, 1, 1], 2, "[1, 1, ~1~]"),
        ("1000000000", [], 1_000_000_000, "1000000000"),
    ],
)
def test_an_expression_is_worth_what_its_dice_say(text: str, faces: list[int], total: int, working: str) -> None:
    result = thrown(text, *faces)
    assert (result.total, result.working) == (total, working)


def test_the_example_of_the_contract_is_read_whole() -> None:
    expression = parse("3#4d6kh3+2")
    assert expression.repeat == 3
    assert list(dice_of(expression.body)) == [Dice(count=4, sides=6, kept=3)]
    assert throw(expression, GivenFaces([6, 2, 5, 3])).working == "[6, ~2~, 5, 3] + 2"


def test_without_a_repeat_an_expression_is_thrown_once() -> None:
    assert parse("2d6").repeat == 1


def test_every_die_is_an_entry_with_its_aces_behind_it() -> None:
    result = thrown("2d6!kh1+d4+2dF", 6, 3, 5, 4, 1, 3)
    assert [(die.sides, die.role, die.faces) for die in result.dice] == [
        (6, "plain", (6, 3)), (6, "plain", (5,)), (4, "plain", (4,)), (3, "plain", (1,)), (3, "plain", (3,)),
    ]  # fmt: skip
    assert result.kept == (True, False, True, True, True)


# ---- what is refused


@pytest.mark.parametrize(
    ("text", "why", "at", "mark"),
    [
        ("", "expression_empty", 1, ""),
        ("  ", "expression_empty", 3, ""),
        ("2d6 fire", "expression_unknown", 5, "fire"),
        ("2d6 火", "expression_unknown", 5, "火"),
        ("2d6;", "expression_unknown", 4, ";"),
        ("2d6 # three", "expression_unknown", 7, "three"),
        ("2.5", "expression_unknown", 2, "."),
        ("٣d6", "expression_unknown", 1, "٣"),
        ("d²", "expression_unknown", 1, "d²"),
        ("\u212adk", "expression_unknown", 1, "\u212adk"),
        ("2d6+", "value_expected", 5, ""),
        ("*2", "value_expected", 1, "*"),
        ("2+*3", "value_expected", 3, "*"),
        ("()", "value_expected", 2, ")"),
        ("kh3", "value_expected", 1, "kh"),
        ("!", "value_expected", 1, "!"),
        ("3#", "value_expected", 3, ""),
        ("#d6", "value_expected", 1, "#"),
        ("2d6 3", "operator_expected", 5, "3"),
        ("1 0", "operator_expected", 3, "0"),
        ("2 d6 d6", "operator_expected", 6, "d"),
        ("2(3)", "operator_expected", 2, "("),
        ("(2 3)", "operator_expected", 4, "3"),
        ("3#2#d6", "operator_expected", 4, "#"),
        ("2d6d1", "operator_expected", 4, "d"),
        ("5!", "operator_expected", 2, "!"),
        ("5kh1", "operator_expected", 2, "kh"),
        ("4%", "operator_expected", 2, "%"),
        ("2d6)", "parenthesis_close", 4, ")"),
        ("2*(d6+(1)", "parenthesis_open", 3, "("),
        ("2d", "sides_expected", 3, ""),
        ("d(6)", "sides_expected", 2, "("),
        ("ddd", "sides_expected", 2, "d"),
        ("1d0", "sides", 3, "0"),
        ("0d6", "dice_count", 1, "0"),
        ("4d6kh5", "keep_count", 4, "kh"),
        ("4d6k0", "keep_count", 4, "k"),
        ("4d6dl4", "keep_count", 4, "dl"),
        ("4d6dh9", "keep_count", 4, "dh"),
        ("4d6dl0", "keep_count", 4, "dl"),
        ("d6dl", "keep_count", 3, "dl"),
        ("4d6kh3dl1", "given_twice", 7, "dl"),
        ("4d6!!", "given_twice", 5, "!"),
        ("4dF!", "fate_aces", 4, "!"),
        ("1d1!", "endless", 4, "!"),
        ("0#d6", "repeat_count", 1, "0"),
        ("1/0", "zero_division", 2, "/"),
        ("2+1/(3-3)", "zero_division", 4, "/"),
        ("1÷0", "zero_division", 2, "÷"),
    ],
)
def test_what_is_not_understood_is_refused_at_its_place(text: str, why: str, at: int, mark: str) -> None:
    refusal = refused(text)
    assert refusal.key == f"bad_argument.{why}"
    assert (refusal.facts["got"], refusal.facts["at"], refusal.facts["mark"]) == (text, at, mark)


@pytest.mark.parametrize(
    "text",
    ["6/(d6-1)", "6/(d6-6)", "1/dF", "1/(2d6-d12)", "1/(1/2)", "1/-(d4-2)", "1/(d6!-d6)", "1/(4dFkh1*3)", "1/(-d4+2)"],
)
def test_a_divisor_that_may_become_zero_is_refused_before_the_first_die_falls(text: str) -> None:
    assert refused(text).key == "bad_argument.zero_division"


@pytest.mark.parametrize(("text", "faces"), [("6/(d6+1)", [5]), ("6/(0-d6)", [3]), ("6/(dF-2)", [3]), ("6/-d6", [1])])
def test_a_divisor_that_cannot_become_zero_is_fine(text: str, faces: list[int]) -> None:
    assert isinstance(thrown(text, *faces).total, int)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2000d6", "dice"),
        ("9999999d6", "dice"),
        ("1001d6", "dice"),
        ("500d6+501d4", "dice"),
        ("20#51d6", "dice"),
        ("1000d6kh1+d2", "dice"),
        ("1d1000001", "sides"),
        ("1000000001", "number"),
        ("99999999999999999999d6", "number"),
        ("d99999999999999999999", "number"),
        ("d6+" + "9" * 400, "number"),
        ("21#d6", "repeats"),
        ("1000000000*1000000000", "total"),
        ("1000000*(1000000*1001)", "total"),
        ("d1000000*1000000000*2", "total"),
        ("0-1000000000*1000001", "total"),
        ("d1000000!*1000000000", "total"),
        ("(" * 21 + "1" + ")" * 21, "nesting"),
        ("-" * 21 + "1", "nesting"),
        ("1" + "+1" * 250, "expression_length"),
    ],
)
def test_what_is_too_large_is_refused_before_the_first_die_falls(text: str, why: str) -> None:
    refusal = refused(text)
    assert refusal.key == f"too_large.{why}"
    assert isinstance(refusal.facts["most"], int)


@pytest.mark.parametrize(
    "text",
    [
        "1000d6", "20#50d6", "d1000000", "20#d6", "1000000*1000000000", "(" * 20 + "1" + ")" * 20, "-" * 20 + "1",
        "1" + "+1" * 249, "0" * 499 + "1", "1000d1000000!", "d1000000*1000000000", "+".join(["(-1)"] * 50),
    ],
)  # fmt: skip
def test_what_is_just_within_the_limits_is_read(text: str) -> None:
    assert parse(text).text == text


# ---- laws

ANY_TEXT = st.one_of(
    st.text(max_size=40),
    st.text("0123456789dkhlfxDKHLFX%!+-*/×÷()# ", max_size=40),
    st.lists(
        st.sampled_from(["d6", "2d6", "4dF", "d%", "kh", "dl1", "!", "+", "-", "*", "/", "(", ")", "#", "3", "0"])
    ).map("".join),
)


def outcome(text: str) -> Expression | Refusal:
    try:
        return parse(text)
    except Refusal as refusal:
        return refusal


@settings(max_examples=1000)
@given(ANY_TEXT)
def test_any_text_is_read_or_refused_and_a_refusal_points_into_it(text: str) -> None:
    result = outcome(text)
    if isinstance(result, Expression):
        assert result.text == text
    elif "at" in result.facts:
        at, mark = result.facts["at"], result.facts["mark"]
        assert result.facts["got"] == text
        assert isinstance(at, int)
        assert isinstance(mark, str)
        assert text[at - 1 :].startswith(mark)
    else:
        assert result.facts == {"length": len(text), "most": MOST_CHARACTERS}


@settings(max_examples=500)
@given(text=ANY_TEXT, number=st.integers(0, 2**32))
def test_what_was_read_can_be_thrown_and_is_within_the_limits(text: str, number: int, recorder: Any) -> None:
    result = outcome(text)
    if not isinstance(result, Expression):
        return
    source = recorder(number)
    fallen = throw(result, source)
    assert 1 <= result.repeat <= MOST_REPEATS
    assert result.repeat * len(fallen.dice) <= MOST_DICE
    assert abs(fallen.total) <= MOST_TOTAL
    assert [(die.sides, face) for die in fallen.dice for face in die.faces] == source.rolled
    assert throw(result, GivenFaces([face for _, face in source.rolled])) == fallen


HARD = [
    "(" * 2000, ")" * 2000, "-" * 2000, "+" * 2000, "d" * 2000, "1" * 2000, "k" * 2000, "dl" * 1000, "x" * 2000,
    "!" * 2000, " " * 2000, "#" * 2000, "1#" * 1000, "1+" * 1000, "d6+" * 666, "(1+" * 666, "9d9" * 666, "khkl" * 500,
    "dhdl" * 499 + "q", "é" * 2000, "\U0001f3b2" * 2000, "1d1000000!" * 200, "2/" * 1000, "-(" * 1000,
]  # fmt: skip


@pytest.mark.parametrize("cut", [2000, MOST_CHARACTERS])
@pytest.mark.parametrize("text", HARD, ids=lambda text: repr(text[:6]))
def test_a_long_text_is_read_or_refused_at_once(text: str, cut: int) -> None:
    began = time.perf_counter()
    assert isinstance(outcome(text[:cut]), Refusal | Expression)
    assert time.perf_counter() - began < 1


# Expressions made together with what they are worth: (text, the faces they use, the value). Their numbers stay small.
Told = tuple[str, list[int], int]


@st.composite
def told_dice(draw: Callable[..., Any]) -> Told:
    count, sides = draw(st.integers(1, 4)), draw(st.integers(1, 20))
    faces = draw(st.lists(st.integers(1, sides), min_size=count, max_size=count))
    keep, n = draw(st.sampled_from(["", "k", "kh", "kl", "dh", "dl"])), draw(st.integers(1, count))
    if keep in ("dh", "dl") and n == count:
        keep = ""
    ordered = sorted(faces)
    value = {
        "": sum(faces), "k": sum(ordered[count - n :]), "kh": sum(ordered[count - n :]), "kl": sum(ordered[:n]),
        "dh": sum(ordered[: count - n]), "dl": sum(ordered[n:]),
    }[keep]  # fmt: skip
    return f"{count}d{sides}{keep}{n if keep else ''}", faces, value


def joined(parts: tuple[Told, str, Told]) -> Told:
    (left, left_faces, a), sign, (right, right_faces, b) = parts
    if sign == "/":  # the dice of the divisor fall, and it is never 0
        right, b = f"(({right})*0+{abs(b) + 1})", abs(b) + 1
    value = a // b if sign == "/" else {"+": a + b, "-": a - b, "*": a * b}[sign]
    return f"({left}){sign}({right})", left_faces + right_faces, value


TOLD = st.recursive(
    st.one_of(told_dice(), st.integers(0, 30).map(lambda n: (str(n), [], n))),
    lambda part: st.one_of(
        st.tuples(part, st.sampled_from("+-*/"), part).map(joined),
        part.map(lambda told: (f"-({told[0]})", told[1], -told[2])),
    ),
    max_leaves=4,
)


@settings(max_examples=300)
@given(TOLD)
def test_made_up_expressions_are_worth_what_they_were_made_to_be(told: Told) -> None:
    text, faces, value = told
    assert thrown(text, *faces).total == value


PLAIN = st.lists(st.tuples(st.sampled_from("+-*"), st.integers(0, 99)), max_size=8)


@given(first=st.integers(0, 99), rest=PLAIN)
def test_arithmetic_without_parentheses_has_the_usual_precedence(first: int, rest: list[tuple[str, int]]) -> None:
    # Python's own arithmetic is the second opinion; where the product grows beyond our limit there is none.
    text = str(first) + "".join(f"{sign}{number}" for sign, number in rest)
    result = outcome(text)
    if isinstance(result, Expression):
        assert throw(result, GivenFaces([])).total == eval(text)
    else:
        assert result.key == "too_large.total"


def test_dice_of_an_expression_are_fair(dice: Any, fits: Any) -> None:
    source: FairDice = dice(6)
    parsed = parse("2d6")
    counts = Counter(throw(parsed, source).total for _ in range(3600))
    assert fits(counts, {n: Fraction(6 - abs(7 - n), 36) for n in range(2, 13)})

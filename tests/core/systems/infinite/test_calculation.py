"""`/calc`: stacking with its working (IT-15 to IT-17), against a calculation of its own."""

from __future__ import annotations

from fractions import Fraction
from math import trunc

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.refusal import Refusal
from core.systems.infinite import rules
from tests.core.systems.infinite.tables import table
from tests.story import refused, told

BASES = st.integers(-500, 500)
FACTORS = st.lists(st.integers(0, 9), max_size=5)
ADDITIONS = st.lists(st.integers(-60, 60), max_size=5)
SPACES = st.sampled_from(("", " ", "  "))


def added(additions: list[int], space: str = " ") -> str:
    return "".join(f"{space}{'+' if one >= 0 else '-'}{space}{abs(one)}" for one in additions)


@pytest.mark.parametrize(
    ("text", "value"),
    [("7/2", 3), ("1/2", 0), ("99/100", 0), ("-7/2", -3), ("(3-10)/2", -3), ("7/(1-3)", -3), ("-8/2", -4)],
)
def test_IT_15_what_is_behind_the_point_is_dropped(text: str, value: int) -> None:
    """The seed: 无条件舍去小数点后的部分. Below zero that is toward zero."""
    assert rules.calculate(text).value == value


@given(BASES, st.integers(1, 40))
def test_IT_15_a_division_is_never_rounded_up(value: int, by: int) -> None:
    result = rules.calculate(f"{value} / {by}").value
    assert abs(result) * by <= abs(value) < (abs(result) + 1) * by


@given(BASES, st.integers(0, 50))
def test_IT_16_one_multiplier_alone_multiplies(base: int, factor: int) -> None:
    assert rules.calculate(f"{base} x{factor}").value == base * factor


@given(BASES, FACTORS, ADDITIONS, st.sampled_from("xX×*"), SPACES)
def test_IT_16_several_multipliers_add_up_what_each_adds_and_additions_come_last(
    base: int, factors: list[int], additions: list[int], sign: str, space: str
) -> None:
    """Told as the seed tells it: each multiplier raises the value by (m - 1) times itself."""
    text = f"{base}" + "".join(f"{space}{sign}{factor}" for factor in factors) + added(additions, space)
    expected = base
    for factor in factors:
        expected += base * (factor - 1)
    assert rules.calculate(text).value == expected + sum(additions)


@given(BASES, FACTORS, ADDITIONS, FACTORS, ADDITIONS)
def test_IT_16_a_derived_value_is_worked_out_from_a_value_that_is_done(
    base: int, factors: list[int], additions: list[int], more: list[int], then: list[int]
) -> None:
    first = f"{base}" + "".join(f" x{factor}" for factor in factors) + added(additions)
    inner = rules.calculate(first).value
    outer = "".join(f" x{factor}" for factor in more) + added(then)
    assert rules.calculate(f"({first}){outer}").value == rules.calculate(f"{inner}{outer}").value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("30 x2 x4 +50", 200),
        ("30 x4 x2 +50", 200),
        ("30 x2 +50", 110),
        ("30 +50", 80),
        ("(30 x2 +10) x4", 280),
        ("((5 x2) x3 +1) x2", 62),
        ("30", 30),
        ("7 x0 x2", 7),  # 7 x (1 - 1 + 1)
        ("10 x(1+1) x3", 40),
    ],
)
def test_IT_16_worked_examples(text: str, value: int) -> None:
    assert rules.calculate(text).value == value


OPERATIONS = st.lists(st.tuples(st.sampled_from("x*×/÷"), st.integers(1, 12)), min_size=1, max_size=6)


@given(BASES, OPERATIONS, ADDITIONS)
def test_IT_17_with_a_division_everything_goes_in_order_and_then_additions(
    base: int, operations: list[tuple[str, int]], additions: list[int]
) -> None:
    assume(any(sign in "/÷" for sign, _ in operations))
    text = f"{base}" + "".join(f" {sign}{number}" for sign, number in operations) + added(additions)
    expected = base
    for sign, number in operations:
        expected = trunc(Fraction(expected, number)) if sign in "/÷" else expected * number
    assert rules.calculate(text).value == expected + sum(additions)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("40 /2 /2 -1", 9),
        ("40 ÷2 ÷2 −1", 9),
        ("30 x2 x4 /2", 120),  # in order: 60, 240, 120
        ("5 /2 x3", 6),  # each fraction is dropped at once
        ("6/(1+1)", 3),  # the seed's 6/决心附加成功数+1 with an extra of 1: the slash divides by all that follows
    ],
)
def test_IT_17_worked_examples(text: str, value: int) -> None:
    assert rules.calculate(text).value == value


@given(BASES, FACTORS, ADDITIONS)
def test_IT_16_the_working_begins_at_the_base_and_ends_at_the_value(
    base: int, factors: list[int], additions: list[int]
) -> None:
    working = rules.calculate(f"{base}" + "".join(f" x{factor}" for factor in factors) + added(additions))
    assert len(working.steps) == bool(factors) + len(additions)
    value = base
    for step in working.steps:
        sum_, result = step.split(" = ")
        assert sum_.startswith(f"{value} ")
        assert eval(sum_.replace("×", "*").replace("−", "-")) == int(result)  # our own three signs
        value = int(result)
    assert value == working.value


JUNK = [
    ("", "missing"),
    ("x2", "calc_step"),
    ("30 x", "calc_step"),
    ("30 +", "calc_step"),
    ("30 x2 4", "calc_step"),
    ("abc", "calc_step"),
    ("30 x1.5", "calc_step"),
    ("(30 x2", "open_bracket"),
    ("30)", "calc_step"),
    ("()", "calc_step"),
    ("30 ^2", "calc_step"),
    ("2d6", "calc_step"),
    ("30 x²x", "calc_step"),
    ("٣", "calc_step"),
    ("30 +50 x2", "calc_order"),
    ("30 -1 /2", "calc_order"),
    ("5/0", "calc_zero"),
    ("5/(1-1)", "calc_zero"),
    ("5//2", "calc_step"),
    ("1e9", "calc_step"),
    ("力量 x2", "calc_step"),
]


@pytest.mark.parametrize("text", [text for text, why in JUNK if why.startswith("calc")])
def test_IT_16_what_is_no_calculation_is_refused_with_its_reason(text: str) -> None:
    with pytest.raises(Refusal) as found:
        rules.calculate(text)
    assert found.value.why == dict(JUNK)[text]


@pytest.mark.parametrize("text", [text for text, _ in JUNK])
@pytest.mark.parametrize("speech", ["zh", "en"])
def test_IT_16_junk_is_refused_in_one_sentence_and_records_nothing(text: str, speech: str) -> None:
    assert refused(table(language=speech).when(f"a: /calc {text}")) == "bad_argument"


@pytest.mark.parametrize(
    "text",
    [
        "1" + "0" * 13,
        "1000000000000 x2",
        "1000000000000 +1",
        "9" * 3000,
        "1" + " x9" * 30,
        "1+" * 31 + "1",
        "(" * 40 + "1" + ")" * 40,
        "1000000 x1000000 x2 /9",
    ],
)
def test_IT_16_what_is_too_large_is_refused(text: str) -> None:
    assert refused(table().when(f"a: /calc {text}")) == "too_large"


@given(st.text("0123456789 x×*/÷+-()", max_size=30))
def test_IT_16_any_signs_are_a_value_or_a_refusal(text: str) -> None:
    assert outcome(text) in {"a value", "calc_step", "calc_order", "calc_zero", "calc", "terms"}


def outcome(text: str) -> str:
    try:
        value = rules.calculate(text).value
    except Refusal as refusal:
        return refusal.why
    return "a value" if abs(value) <= rules.MOST_CALC else str(value)


# ---- as a command


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("/calc 30 x2 x4 +50", ("30 x2 x4 +50 = 200", "30 × (1+1+3) = 150", "150 + 50 = 200")),
        ("。计算 ３０ ×２ ×４ ＋５０", ("= 200", "30 × (1+1+3) = 150", "150 + 50 = 200")),
        ("/calc (30 x2 +10) x4", ("= 280", "30 × 2 = 60", "60 + 10 = 70", "70 × 4 = 280")),
        ("。计算 （30 x2 ＋10） x4", ("= 280", "70 × 4 = 280")),
        ("/calc 40 /2 /2 -1", ("= 9", "40 ÷ 2 = 20", "20 ÷ 2 = 10", "10 − 1 = 9")),
        ("/calc 40/2/2－1", ("= 9",)),
        ("/calc 7 /2", ("= 3", "7 ÷ 2 = 3")),
    ],
)
@pytest.mark.parametrize("speech", ["zh", "en"])
def test_IT_16_the_working_is_shown_step_by_step(line: str, shown: tuple[str, ...], speech: str) -> None:
    answer = table(language=speech).when(f"a: {line}")
    lines = told(answer).splitlines()
    assert answer.events == ()
    assert all(any(one in text for text in lines) for one in shown)
    assert len(lines) == 1 + told(answer).count("=") - 1


@pytest.mark.parametrize("line", ["/calc plain 30*2*4+50", "。计算 普通 30*2*4＋50", "/calc 30*2*4+50 plain"])
def test_IT_17_money_and_distances_use_plain_arithmetic(line: str) -> None:
    shown = told(table().when(f"a: {line}"))
    assert shown.endswith("= 290")
    assert "\n" not in shown


def test_IT_17_help_names_plain_in_both_languages() -> None:
    for speech, word in (("zh", "普通"), ("en", "plain")):
        assert word in told(table(language=speech).when("a: /help calc"))

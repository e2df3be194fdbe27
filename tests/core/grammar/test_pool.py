"""Pool expressions: text into terms, and the words that go with a pool."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.grammar.arguments import Arguments
from core.grammar.pool import MOST_TERMS, Term, again_key, pool_terms, pool_text, rote_flag
from core.grammar.text import normalise, tokenise
from core.refusal import Refusal


def arguments(text: str) -> Arguments:
    tokens, _ = tokenise(normalise(text))
    return Arguments(tokens)


def terms(text: str) -> list[tuple[int, object, bool]]:
    """Each term as sign, number or trait, and whether it is a modifier."""
    return [(term.sign, term.trait or term.number, term.step) for term in pool_terms(text)]


def key_of(text: str) -> str:
    with pytest.raises(Refusal) as refused:
        pool_terms(text)
    return refused.value.key


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("7", [(1, 7, False)]),
        ("0", [(1, 0, False)]),
        ("3+1-3", [(1, 3, False), (1, 1, False), (-1, 3, True)]),
        ("3+1+2", [(1, 3, False), (1, 1, False), (1, 2, True)]),
        ("7 +3", [(1, 7, False), (1, 3, True)]),
        ("7+3", [(1, 7, False), (1, 3, False)]),
        ("力量+运动-2", [(1, "力量", False), (1, "运动", False), (-1, 2, True)]),
        ("str+athletics+2", [(1, "str", False), (1, "athletics", False), (1, 2, True)]),
        ("str + athletics", [(1, "str", False), (1, "athletics", False)]),
        ("str-athletics", [(1, "str", False), (-1, "athletics", True)]),
        ("-4", [(-1, 4, True)]),
        ("+4", [(1, 4, False)]),
        ("animal_ken+1", [(1, "animal_ken", False), (1, 1, False)]),
    ],
)
def test_ST_01_a_pool_is_traits_and_numbers_with_signs(text: str, read: list[tuple[int, object, bool]]) -> None:
    assert terms(text) == read


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("7+3(tools)", ["", "tools"]),
        ("7 +1(good tools) -2(黑暗)", ["", "good tools", "黑暗"]),
        ("str+armour(worn)", ["", "worn"]),
        ("7+1()", ["", ""]),
        ("7-1(" + "x" * 80 + ")", ["", "x" * 64]),
    ],
)
def test_ST_01_what_stands_in_brackets_names_its_modifier(text: str, names: list[str]) -> None:
    assert [term.name for term in pool_terms(text)] == names


def test_ST_01_a_named_number_is_a_modifier_wherever_it_stands() -> None:
    assert pool_terms("2(luck)+3") == (Term(1, number=2, name="luck", step=True), Term(1, number=3))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "bad_argument.missing"),
        ("   ", "bad_argument.missing"),
        ("3+", "bad_argument.pool_term"),
        ("3 4", "bad_argument.pool_term"),
        ("3++4", "bad_argument.pool_term"),
        ("3*4", "bad_argument.pool_term"),
        ("3+(4", "bad_argument.pool_term"),
        ("(3)", "bad_argument.pool_term"),
        ("str=3", "bad_argument.pool_term"),
        ("3.5", "bad_argument.pool_term"),
        ("+".join(["1"] * (MOST_TERMS + 1)), "too_large.terms"),
        ("100001", "too_large.amount"),
    ],
)
def test_ST_01_what_is_no_pool_is_refused(text: str, key: str) -> None:
    assert key_of(text) == key


@pytest.mark.parametrize(("text", "mark", "at"), [("3+1 x", "x", 4), ("3*2", "*2", 2), ("7 ?", "?", 2)])
def test_ST_01_the_place_that_was_not_understood_is_named(text: str, mark: str, at: int) -> None:
    with pytest.raises(Refusal) as refused:
        pool_terms(text)
    assert (refused.value.facts["mark"], refused.value.facts["at"]) == (mark, at)


@given(st.lists(st.integers(0, 999), min_size=1, max_size=MOST_TERMS), st.data())
def test_ST_01_a_pool_of_numbers_is_their_sum(numbers: list[int], data: st.DataObject) -> None:
    signs = [1, *(data.draw(st.sampled_from((1, -1))) for _ in numbers[1:])]
    text = "".join(f"{'+' if sign > 0 else '-'}{number}" for sign, number in zip(signs, numbers, strict=True))
    read = pool_terms(text.removeprefix("+"))
    assert [term.sign * term.number for term in read] == [a * b for a, b in zip(signs, numbers, strict=True)]
    assert sum(not term.step for term in read) <= 2


@given(st.text(max_size=40))
def test_ST_01_any_text_is_a_pool_or_a_refusal(text: str) -> None:
    with suppress(Refusal):
        assert pool_terms(text)


def test_ST_01_all_words_that_are_left_are_the_pool() -> None:
    left = arguments("str + athletics ＋２（rope）")
    assert pool_text(left) == "str + athletics +2(rope)"
    assert left.tokens == []


@pytest.mark.parametrize(
    ("text", "again"),
    [("5", None), ("5 again=10", 10), ("again=9 5", 9), ("5 again=8", 8), ("5 AGAIN＝8", 8), ("5 加骰=9", 9),
     *((f"5 again={word}", 11) for word in ("no", "No", "off", "none", "无", "不"))],
)  # fmt: skip
def test_ST_01_again_is_ten_nine_eight_or_no(text: str, again: int | None) -> None:
    left = arguments(text)
    assert again_key(left) == again
    assert pool_text(left) == "5"


@pytest.mark.parametrize("value", ["7", "11", "0", "-8", "ten", "8.5", "٩"])
def test_ST_01_no_other_again_is_read(value: str) -> None:
    with pytest.raises(Refusal) as refused:
        again_key(arguments(f"5 again={value}"))
    assert refused.value.key == "bad_argument.again"


@pytest.mark.parametrize(
    ("text", "rote"), [("5", False), ("5 rote", True), ("rote 5", True), ("5 熟练", True), ('5 "rote"', False)]
)
def test_ST_01_rote_is_a_word(text: str, rote: bool) -> None:
    assert rote_flag(arguments(text)) == rote

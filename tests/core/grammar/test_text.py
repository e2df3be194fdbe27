"""Characters in, tokens out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.grammar.text import Token, check_name, fold, normalise, tokenise
from core.refusal import Refusal

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=80)


def words(text: str) -> list[str]:
    return [token.text for token in tokenise(normalise(text))[0]]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("ａｂ　１２", ["ab", "12"]),
        ("a  \t b", ["a", "b"]),
        ("+ 2", ["+2"]),
        ("- 2", ["-2"]),
        ("x = 5", ["x=5"]),
        ("x＝5，2", ["x=5,2"]),
        ("x= 5, 2, 1 y", ["x=5,2,1", "y"]),
        ("5, 2", ["5,2"]),
        ("a, b", ["a,", "b"]),
        ("+2(two words) x", ["+2(two words)", "x"]),
        ("+ x", ["+", "x"]),
        ("x=「a b」", ["x=「a b」"]),
    ],
)
def test_what_belongs_together_is_one_token(text: str, read: list[str]) -> None:
    assert words(text) == read


def test_a_token_knows_where_it_stood_and_how_it_was_typed() -> None:
    assert tokenise(normalise("Ａb 「c d」"))[0] == [Token("Ab", "Ａb", 1), Token("c d", "c d", 4, quoted=True)]


def test_a_bracket_of_its_own_is_an_aside_and_one_in_a_word_is_not() -> None:
    tokens, _ = tokenise(normalise("a (b c) d(e f)"))
    assert [(token.text, token.aside) for token in tokens] == [("a", False), ("(b c)", True), ("d(e f)", False)]


@pytest.mark.parametrize(
    ("one", "other"), [("ANN", "ann"), ("Ａｎｎ", "ann"), (" ann  b ", "Ann B"), ("Straße", "STRASSE"), ("ｶﾞ", "ガ")]
)
def test_names_are_compared_in_any_case_width_and_spacing(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_spaces_in_a_name_are_folded() -> None:
    assert check_name("  Ann   of\tUlm ") == "Ann of Ulm"


@given(ANY_TEXT)
def test_every_text_is_cut_into_tokens_or_refused(text: str) -> None:
    line = normalise(text)
    assert len(line.origin) == len(line.text)
    try:
        tokens, comment = tokenise(line)
    except Refusal as refusal:
        left_open = refusal.key in ("bad_argument.open_quote", "bad_argument.open_bracket")
        tokens, comment = [], "" if left_open else "neither"
    assert comment in line.raw
    assert all(token.text or token.quoted for token in tokens)
    assert all(token.raw for token in tokens if token.text)


@given(ANY_TEXT)
def test_normal_form_is_normal_and_leads_back_to_what_was_typed(text: str) -> None:
    line = normalise(text)
    assert normalise(line.text).text == line.text
    assert list(line.origin) == sorted(line.origin)
    assert line.raw_between(0, len(line.text)) in line.raw

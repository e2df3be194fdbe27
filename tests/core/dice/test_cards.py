"""The action deck."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dice.cards import DECK, draw, is_joker, rank, remaining
from core.dice.source import FairDice, GivenFaces
from core.refusal import Refusal

OUT = st.sets(st.sampled_from(DECK))


def test_SW_25_the_deck_has_54_different_cards_in_its_fixed_order() -> None:
    assert " ".join(DECK) == (
        "2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S 6C 6D 6H 6S 7C 7D 7H 7S 8C 8D 8H 8S 9C 9D 9H 9S "
        "10C 10D 10H 10S JC JD JH JS QC QD QH QS KC KD KH KS AC AD AH AS black_joker red_joker"
    )
    assert len(set(DECK)) == 54


def test_SW_25_jokers_come_first_then_the_rank_and_then_the_suit() -> None:
    order = ["red_joker", "black_joker", "AS", "AH", "AD", "AC", "KS", "QC", "JS", "10S", "10C", "9S", "3C", "2S", "2C"]
    assert all(rank(higher) > rank(lower) for higher, lower in pairwise(order))
    assert sorted(DECK, key=rank)[-4:] == ["AH", "AS", "black_joker", "red_joker"]


def test_SW_25_two_cards_are_jokers() -> None:
    assert [card for card in DECK if is_joker(card)] == ["black_joker", "red_joker"]


def test_what_is_no_card_has_no_rank() -> None:
    with pytest.raises(KeyError):
        rank("1S")


@given(OUT)
def test_the_remaining_cards_are_the_others_in_the_decks_order(out: set[str]) -> None:
    left = remaining(out)
    assert set(left) | out == set(DECK)
    assert not set(left) & out
    assert [rank(card) for card in left] == sorted(rank(card) for card in left)


@given(out=OUT, number=st.integers(0, 2**32))
def test_a_card_is_drawn_as_a_die_with_as_many_sides_as_cards_are_left(out: set[str], number: int) -> None:
    left = remaining(out)
    dice, die = (FairDice(number.to_bytes(32, "big"), [], "t", 1) for _ in range(2))
    if left:
        assert draw(dice, out) == left[die.roll(len(left)) - 1]
        assert dice.next == die.next


def test_the_whole_deck_can_be_drawn_once_and_then_it_is_empty(dice: Any) -> None:
    source = dice(3)
    out: list[str] = []
    for _ in DECK:
        out.append(draw(source, out))
    assert sorted(out, key=rank) == list(DECK)
    with pytest.raises(Refusal) as refused:
        draw(source, out)
    assert (refused.value.key, refused.value.facts) == ("limit_reached.deck_empty", {"cards": 54})


def test_no_card_is_drawn_by_hand() -> None:
    with pytest.raises(Refusal) as refused:
        draw(GivenFaces([1]), ())
    assert refused.value.key == "not_allowed.no_physical_cards"


def test_all_cards_are_equally_likely(dice: Any, fits: Any) -> None:
    source = dice(4)
    counts = Counter(draw(source, ()) for _ in range(5400))
    assert fits(counts, dict.fromkeys(DECK, Fraction(1, 54)))


def test_all_cards_that_are_left_are_equally_likely(dice: Any, fits: Any) -> None:
    source = dice(5)
    out = DECK[::2]
    counts = Counter(draw(source, out) for _ in range(5400))
    assert fits(counts, dict.fromkeys(DECK[1::2], Fraction(1, 27)))

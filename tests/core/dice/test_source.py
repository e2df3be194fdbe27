"""The dice of `rollbook-dice-1`, against a second implementation from the contract's text and frozen vectors."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dice.source import FairDice, GivenFaces, Source, commitment
from core.refusal import Refusal

VECTORS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("rollbook-dice-1.json").read_text(encoding="utf-8"))
vectors = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])


def numbers_of_the_contract(seed: bytes, luck: list[str], table: str, period: int) -> Iterator[int]:
    key = hmac.new(seed, b"".join(word.encode("utf-8") + b"\n" for word in luck), hashlib.sha256).digest()
    k = 0
    while True:
        message = "|".join(["rollbook-dice-1", table, str(period), str(k // 4)])
        block = hmac.new(key, message.encode("utf-8"), hashlib.sha256).digest()
        start = 8 * (k % 4)
        yield int.from_bytes(block[start : start + 8], "big")
        k += 1


def faces_of_the_contract(numbers: Iterator[int], sides: list[int]) -> list[tuple[int, int]]:
    """(face, how many numbers were used so far) for each die."""
    used = 0
    fallen = []
    for die in sides:
        number = 2**64
        while number >= 2**64 // die * die:
            number = next(numbers)
            used += 1
        fallen.append((number % die + 1, used))
    return fallen


def dice_of(vector: dict[str, Any]) -> FairDice:
    seed = bytes.fromhex(vector["seed"])
    return FairDice(seed, vector["luck"], vector["table"], vector["period"], vector["start"])


@vectors
def test_the_frozen_vectors_come_out_face_by_face(vector: dict[str, Any]) -> None:
    dice = dice_of(vector)
    fallen = [(dice.roll(sides), dice.next) for sides in vector["sides"]]
    assert fallen == list(zip(vector["faces"], vector["next"], strict=True))


@vectors
def test_a_commitment_is_the_sha_256_of_the_seed(vector: dict[str, Any]) -> None:
    assert commitment(bytes.fromhex(vector["seed"])) == vector["commitment"]


def test_the_vector_file_itself_has_not_been_edited() -> None:
    text = Path(__file__).with_name("rollbook-dice-1.json").read_bytes()
    assert hashlib.sha256(text).hexdigest() == "b3f8dcd13fa06cd56dd6914e0af6b49d98915cfde9e2e80164cb10c7154dbd49"


# Sides up to the largest that can be drawn; those just above 2^63 discard half of all numbers.
SIDES = st.one_of(st.integers(1, 100), st.integers(2**63 + 1, 2**63 + 9), st.integers(1, 2**64))


@given(
    seed=st.binary(min_size=32, max_size=32),
    luck=st.lists(st.text(st.characters(codec="utf-8"), max_size=8), max_size=3),
    table=st.text(st.characters(codec="utf-8"), max_size=8),
    period=st.integers(0, 10**6),
    sides=st.lists(SIDES, max_size=12),
)
def test_fair_dice_are_those_of_the_contract(
    seed: bytes, luck: list[str], table: str, period: int, sides: list[int]
) -> None:
    dice = FairDice(seed, luck, table, period)
    fallen = [(dice.roll(die), dice.next) for die in sides]
    assert fallen == faces_of_the_contract(numbers_of_the_contract(seed, luck, table, period), sides)


@given(sides=st.lists(SIDES, max_size=20), cut=st.integers(0, 20))
def test_dice_taken_up_again_at_next_go_on_as_if_nothing_had_happened(sides: list[int], cut: int) -> None:
    whole = FairDice(b"s" * 32, ["w"], "t", 3)
    expected = [whole.roll(die) for die in sides]
    before = FairDice(b"s" * 32, ["w"], "t", 3)
    faces = [before.roll(die) for die in sides[:cut]]
    after = FairDice(b"s" * 32, ["w"], "t", 3, before.next)
    assert faces + [after.roll(die) for die in sides[cut:]] == expected
    assert after.next == whole.next


def test_first_is_where_the_throw_began_also_for_the_second_throw_of_a_command() -> None:
    dice = FairDice(bytes(32), [], "t", 1, 5)
    assert dice.first == 5
    dice.roll(6)
    dice.roll(6)
    assert (dice.first, dice.next) == (5, 7)
    dice.begin()
    dice.roll(6)
    assert (dice.first, dice.next) == (7, 8)


def test_discarded_numbers_count() -> None:
    dice = FairDice(bytes(range(32)), [], "t", 1)
    for _ in range(64):
        dice.roll(2**63 + 1)
    assert 96 < dice.next < 160  # about every second number is thrown away


def test_a_pick_is_the_face_less_one() -> None:
    rolled, picked = (FairDice(b"p" * 32, [], "t", 1) for _ in range(2))
    assert [rolled.roll(54) - 1 for _ in range(50)] == [picked.pick(54) for _ in range(50)]


def test_words_of_luck_change_the_dice_and_so_does_their_order() -> None:
    orders: list[list[str]] = [[], ["a"], ["b"], ["a", "b"], ["b", "a"], ["ab"]]
    throws = [FairDice(bytes(32), luck, "t", 1).roll(10**6) for luck in orders]
    assert len(set(throws)) == len(throws)


@pytest.mark.parametrize("sides", [0, -1, 2**64 + 1])
def test_a_die_that_cannot_be_drawn_fails_at_once(sides: int) -> None:
    with pytest.raises(ValueError, match="no die"):
        FairDice(bytes(32), [], "t", 1).roll(sides)


@pytest.mark.parametrize("sides", [2, 3, 4, 6, 8, 10, 12, 20, 54, 100])
def test_all_faces_are_equally_likely(sides: int, dice: Any, fits: Any) -> None:
    source = dice(sides)
    counts = Counter(source.roll(sides) for _ in range(200 * sides))
    assert fits(counts, dict.fromkeys(range(1, sides + 1), Fraction(1, sides)))


def test_successive_faces_do_not_depend_on_each_other(dice: Any, fits: Any) -> None:
    source = dice(1)
    pairs = Counter((source.roll(6), source.roll(6)) for _ in range(7200))
    assert fits(pairs, {(a, b): Fraction(1, 36) for a in range(1, 7) for b in range(1, 7)})


def test_the_chi_square_bound_finds_a_die_that_is_a_little_loaded(dice: Any, fits: Any) -> None:
    source = dice(2)
    loaded = Counter(min(source.roll(25), 24) % 6 + 1 for _ in range(6000))  # one face 5 in 25, the others 4
    assert not fits(loaded, dict.fromkeys(range(1, 7), Fraction(1, 6)))


# ---- given faces


def test_given_faces_come_in_their_order_and_are_physical() -> None:
    faces: Source = GivenFaces([8, 4, 6])
    faces.begin()
    assert [faces.roll(8), faces.roll(8), faces.roll(6)] == [8, 4, 6]
    faces.finish()
    assert (faces.kind, faces.period, faces.first) == ("physical", None, None)


def test_fair_dice_are_fair_and_finish_without_ado() -> None:
    dice: Source = FairDice(bytes(32), [], "t", 4)
    dice.finish()
    assert (dice.kind, dice.period, dice.first) == ("fair", 4, 0)


def test_too_few_faces_are_refused() -> None:
    faces = GivenFaces([3])
    faces.roll(6)
    with pytest.raises(Refusal) as refused:
        faces.roll(6)
    assert (refused.value.key, refused.value.facts) == ("dice_mismatch.too_few", {"given": 1})


@pytest.mark.parametrize("face", [0, 7, -1])
def test_a_face_that_the_die_does_not_have_is_refused(face: int) -> None:
    faces = GivenFaces([1, face])
    faces.roll(6)
    with pytest.raises(Refusal) as refused:
        faces.roll(6)
    assert refused.value.key == "dice_mismatch.impossible_face"
    assert refused.value.facts == {"face": face, "sides": 6, "at": 2}


def test_faces_left_over_are_refused() -> None:
    faces = GivenFaces([1, 2, 3])
    faces.roll(6)
    with pytest.raises(Refusal) as refused:
        faces.finish()
    assert (refused.value.key, refused.value.facts) == ("dice_mismatch.too_many", {"left": 2, "given": 3})


def test_cards_are_not_drawn_by_hand() -> None:
    with pytest.raises(Refusal) as refused:
        GivenFaces([1]).pick(54)
    assert refused.value.key == "not_allowed.no_physical_cards"

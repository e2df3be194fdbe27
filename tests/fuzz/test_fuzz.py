"""A short form of `make fuzz`, for every day: the same targets, on fewer bytes, and on all that once led to a fault."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz import samples
from tests.fuzz.material import Material
from tests.fuzz.targets import TARGETS

FEW = 60  # inputs of a target
FOUND = [  # by `make fuzz`: (target, bytes)
    ("matrix_event", bytes.fromhex("0082ffffff077fffff3f7754")),  # a thread whose root is half a surrogate pair
]
SAID = st.lists(st.sampled_from(samples.commands()).map("/{}".format), min_size=1, max_size=3)
BYTES = st.one_of(
    st.binary(max_size=60),
    st.tuples(st.binary(min_size=18, max_size=18), SAID).map(lambda two: two[0] + "\0".join(two[1]).encode()),
)


@pytest.mark.parametrize("target", TARGETS)
@settings(max_examples=FEW)
@given(data=BYTES)
def test_whatever_comes_from_outside_is_taken_let_be_or_refused(target: str, data: bytes) -> None:
    TARGETS[target](data)


@pytest.mark.parametrize(("target", "data"), FOUND)
def test_what_once_led_to_a_fault_does_so_no_more(target: str, data: bytes) -> None:
    TARGETS[target](data)


def test_the_same_bytes_give_the_same_material() -> None:
    first, second = (Material(bytes(range(200))).bent(samples.UPDATES[0]) for _ in range(2))
    assert first == second != samples.UPDATES[0]

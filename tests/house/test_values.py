"""What is held of many tables for long is spared by Python's garbage collector."""

from __future__ import annotations

import pytest
from msgspec import Struct

from core import evolve
from core.registry import SYSTEMS, room
from events import beside, envelope, types

MODULES = (types, envelope, beside, evolve, *(room(system, "state") for system in ("", *SYSTEMS)))


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_facts_and_states_are_values_without_cycles_and_say_so_to_the_collector(module: object) -> None:
    kinds = [one for one in vars(module).values() if isinstance(one, type) and issubclass(one, Struct)]
    looked_through = [one.__name__ for one in kinds if one is not Struct and one.__struct_config__.gc]
    assert kinds
    assert looked_through == []

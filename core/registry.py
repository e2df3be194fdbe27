"""The rule systems and their rooms, found by name.

A fifth system is one folder in `core/systems/` and one name here. Each room is imported when it is first asked
for, so that a replay, which asks for states alone, loads neither rules nor dice.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

SYSTEMS: tuple[str, ...] = ("savage", "storytelling", "infinite", "adventure")
TABLE = "core.table"


@cache
def room(system: str, name: str) -> Any:
    """A room (verbs, rules, state, decide, answer, words, tell) of a system; of the table where `system` is empty."""
    return import_module(f"core.systems.{system}.{name}" if system else f"{TABLE}.{name}")


@cache
def rooms(system: str, name: str) -> tuple[Any, ...]:
    """The same room of the table and, if a system is named, of the system."""
    return (room("", name), room(system, name)) if system in SYSTEMS else (room("", name),)

"""One person in place of another, wherever a state names them.

Here: that, and nothing else. Never: who may be joined to whom (core/seating.py), or what anybody is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace


def renamed(value: Any, was: str, now: str) -> Any:
    """`value` with the id `now` wherever `was` stood: in Structs, tuples, sets and dicts, as their keys too.

    Where both have something under their ids, `now` keeps its own; in a tuple nobody comes twice.
    """
    match value:
        case str():
            return now if value == was else value
        case Struct():
            changed = {name: renamed(part, was, now) for name, part in asdict(value).items()}
            return replace(value, **changed)
        case Mapping():
            own = {now: value[now]} if now in value else {}
            return {renamed(key, was, now): renamed(part, was, now) for key, part in value.items()} | own
        case tuple():
            parts = tuple(renamed(part, was, now) for part in value)
            return tuple(dict.fromkeys(parts)) if was in value else parts
        case frozenset():
            return frozenset(renamed(part, was, now) for part in value)
    return value

"""From an old version of an event to the next: pure functions over its fields, one version at a time.

Append-only: what is stored is never rewritten, so a step once here stays for ever. Whoever changes the
fields of an event raises its `version`, adds one step here and freezes a sample of the new version under
`tests/events/samples`; the samples of the old versions stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

Fields: TypeAlias = dict[str, Any]


def card_dealt_1(fields: Fields) -> Fields:
    """Version 2 says why a card left the deck and which die numbers drew it; of old cards only a deal is known."""
    return {**fields, "reason": "deal", "period": None, "first": None, "next": None}


def line_spoken_1(fields: Fields) -> Fields:
    """Version 2 says as whom, and keeps a digest where the text was; an old line keeps its text, and has none."""
    ooc = str(fields.get("text")).startswith(("(", "（", "//"))
    return {**fields, "character": "", "ooc": ooc, "digest": ""}


UPCASTS: dict[tuple[str, int], Callable[[Fields], Fields]] = {
    ("CardDealt", 1): card_dealt_1,
    ("LineSpoken", 1): line_spoken_1,
}


def upcast(name: str, version: int, current: int, fields: Fields) -> Fields:
    """The fields of an event `name` as version `current` has them. KeyError: a step is missing."""
    for step in range(version, current):
        fields = UPCASTS[name, step](fields)
    return fields

"""The question by whose clock times are told, with this machine's as the answer that is suggested.

Here: a name of a time zone. Never: which there are (`adapters/zones.py`).
"""

from __future__ import annotations

import warnings

import tzlocal

from adapters.setup.dialogue import Dialogue
from adapters.zones import Iana
from core import zones


def time_zone(dialogue: Dialogue, given: str | None, before: str) -> str:
    """Its name as IANA has it, or an offset; `given` goes before what is asked, `before` is what there was."""
    while True:
        typed = given or dialogue.ask("time_zone", before or of_this_machine())
        if found := Iana().find(typed):
            return found.name
        dialogue.complain("no_time_zone", name=typed, near=Iana().nearest(typed))
        given = None


def of_this_machine() -> str:
    """UTC where it cannot be found out."""
    try:
        with warnings.catch_warnings(action="ignore"):  # that its files do not agree
            found = Iana().find(tzlocal.get_localzone_name() or "")
    except (LookupError, ValueError, OSError):
        return zones.UTC.name
    return found.name if found else zones.UTC.name

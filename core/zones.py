"""By whose clock times are told: what is recorded is UTC, what people read may be their own time.

Here: the shape of a time zone, and which one a table has set. Never: the zones themselves, which are read from files
and are handed in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from core.refusal import Refusal

TIME_ZONE = "time-zone"  # the house option
NAME = re.compile(r"[A-Za-z0-9_+-]{1,32}(?:/[A-Za-z0-9_+-]{1,32}){0,2}|UTC[+-]\d{1,2}:\d\d")
SAMPLES = ("Asia/Shanghai", "Europe/London", "UTC+8")


class Zone(Struct, frozen=True):
    """`local` gives a recorded time (RFC 3339, UTC) by this clock: RFC 3339 too, so to the second it is as long."""

    name: str
    local: Callable[[str], str]

    def minute(self, at: str) -> str:
        """`2026-11-30 13:00`."""
        return self.local(at)[:16].replace("T", " ")


UTC = Zone("UTC", str)


class Zones(Protocol):
    """All that are known; `default` is that of whoever has set none."""

    @property
    def default(self) -> Zone: ...

    def find(self, text: str) -> Zone | None:
        """The one that somebody calls so."""

    def nearest(self, text: str) -> Sequence[str]:
        """Names that may have been meant, or that show how one is written."""


class UtcAlone:
    """No files, no zones."""

    default = UTC

    def find(self, text: str) -> Zone | None:
        return UTC if text.strip().upper() == UTC.name else None

    def nearest(self, text: str) -> Sequence[str]:  # noqa: ARG002  as `Zones` has it
        return (UTC.name,)


UTC_ALONE = UtcAlone()


def zone_name(text: str) -> str:
    """As names are written; whether there is such a zone is another program's to know, or that of another year."""
    if not NAME.fullmatch(text):
        raise Refusal("bad_argument", "time_zone", got=text, nearest=SAMPLES)
    return text


def zone_named(zones: Zones, text: str) -> Zone:
    """Refused where none is called so: bad_argument, with the nearest names."""
    found = zones.find(text)
    if found is None:
        raise Refusal("bad_argument", "time_zone", got=text, nearest=zones.nearest(text))
    return found


def zone_set(zones: Zones, house: Mapping[str, str]) -> Zone:
    """The one that these house rules name; the default where there is none, or none that is known here."""
    return zones.find(house.get(TIME_ZONE, "")) or zones.default

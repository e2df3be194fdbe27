"""Time zones by the names that people have for them: IANA's, a city's, an offset; and the clock that each shows.

Here: a name -> a Zone, from the system's own files or those of the package tzdata. Never: whose zone it is.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from zoneinfo import ZoneInfo, available_timezones

from core import zones
from core.zones import Zone

OFFSET = re.compile(r"(?:utc|gmt)?([+-])(\d{1,2})(?::?([0-5]\d))?")
MOST_OFFSET = timedelta(hours=14)
OF_THE_MACHINE = {"localtime", "Factory", "posixrules"}  # they mean something else on each
MOST_NEAR, LIKENESS = 3, 0.75
CALLED = {
    "北京": "Asia/Shanghai", "北京时间": "Asia/Shanghai", "beijing": "Asia/Shanghai", "上海": "Asia/Shanghai",
    "中国": "Asia/Shanghai", "香港": "Asia/Hong_Kong", "澳门": "Asia/Macau", "台北": "Asia/Taipei",
    "台湾": "Asia/Taipei", "东京": "Asia/Tokyo", "日本": "Asia/Tokyo", "首尔": "Asia/Seoul", "新加坡": "Asia/Singapore",
    "吉隆坡": "Asia/Kuala_Lumpur", "悉尼": "Australia/Sydney", "墨尔本": "Australia/Melbourne",
    "奥克兰": "Pacific/Auckland", "莫斯科": "Europe/Moscow", "柏林": "Europe/Berlin", "巴黎": "Europe/Paris",
    "伦敦": "Europe/London", "纽约": "America/New_York", "多伦多": "America/Toronto", "芝加哥": "America/Chicago",
    "洛杉矶": "America/Los_Angeles", "温哥华": "America/Vancouver", "世界时": "UTC",
}  # fmt: skip


class Iana:
    """The zones of the IANA database, UTC itself and what lies so many hours before or behind it."""

    def __init__(self, default: Zone = zones.UTC) -> None:
        self.default = default

    def find(self, text: str) -> Zone | None:
        """By its name in any case, by its last part where only one has it (`shanghai`), or by an offset (`UTC+8`)."""
        called = _folded(text)
        if offset := OFFSET.fullmatch(called):
            return _ahead(*offset.groups())
        return _zone(name) if (name := _names().get(called)) else None

    def nearest(self, text: str) -> Sequence[str]:
        """At most three, by their last parts: people know the city, not under what it stands."""
        ends = _ends()
        near = difflib.get_close_matches(_end(_folded(text)), ends, MOST_NEAR, LIKENESS)
        return tuple(name for end in near for name in ends[end])[:MOST_NEAR] or zones.SAMPLES


def unknown(text: str) -> str:
    """What there is to say where none is called so."""
    return f"there is no time zone {text}; try {', '.join(Iana().nearest(text))}"


def _folded(text: str) -> str:
    return "_".join(text.casefold().split())


@cache
def _names() -> Mapping[str, str]:
    """What zones are called, folded -> IANA's name."""
    ends = _ends()
    known = {_folded(one): one for names in ends.values() for one in names}
    cities = {end: names[0] for end, names in ends.items() if len(names) == 1}
    spoken = {called: one for called, one in CALLED.items() if _folded(one) in known}
    return {**cities, **spoken, **known}


@cache
def _ends() -> Mapping[str, Sequence[str]]:
    """The last part of names, folded -> all of IANA's that end so."""
    found: dict[str, list[str]] = {}
    for name in sorted({*available_timezones(), zones.UTC.name} - OF_THE_MACHINE):
        found.setdefault(_end(_folded(name)), []).append(name)
    return found


def _end(name: str) -> str:
    return name.rpartition("/")[2]


@lru_cache
def _zone(name: str) -> Zone:
    return zones.UTC if name == zones.UTC.name else Zone(name, _clock(ZoneInfo(name)))


def _ahead(sign: str, hours: str, minutes: str | None) -> Zone | None:
    ahead = timedelta(hours=int(hours), minutes=int(minutes or 0))
    if ahead > MOST_OFFSET:
        return None
    if not ahead:
        return zones.UTC
    past = f":{minutes}" if int(minutes or 0) else ""
    return Zone(f"UTC{sign}{int(hours)}{past}", _clock(timezone(ahead if sign == "+" else -ahead)))


def _clock(zone: tzinfo) -> Callable[[str], str]:
    def local(at: str) -> str:
        try:
            moment = datetime.fromisoformat(at)
            return _aware(moment).astimezone(zone).isoformat(timespec="milliseconds")
        except (ValueError, OverflowError):  # no time at all, or of the year 1: only in a log that others wrote
            return at

    return local


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)

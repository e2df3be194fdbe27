"""Texts as a platform can take them: in parts that fit, and with nobody called by what the bot repeats.

Here: what every chat shares. Never: how long a text may be, or how its length is counted (each adapter's `wire.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from wcwidth import iter_graphemes

MENTION = re.compile(r"@(?=\w)")
Size: TypeAlias = Callable[[str], int]  # of a text, as the platform counts it


def unnamed(text: str) -> str:
    """A word joiner behind each `@`, so that nobody is called by a name or a comment that the bot repeats."""
    return MENTION.sub("@\u2060", text)


def split(text: str, most: int, size: Size, widest: int) -> list[str]:
    """Parts of at most `most` by `size`: at line ends, else at spaces, else between graphemes; never empty.

    `widest` is what one character counts at most.
    """
    parts: list[str] = []
    rest = text.strip("\n")
    while size(rest) > most:
        head = _fitting(rest, most, size, widest)
        cut = max(head.rfind("\n"), 0) or max(head.rfind(" "), 0) or len(head)
        parts.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip("\n ")
    return [one for one in (*parts, rest) if one.strip()] or ["…"]


def _fitting(text: str, most: int, size: Size, widest: int) -> str:
    """As many whole graphemes from the start as fit; at least one, or as much of a monstrous one as fits."""
    length, taken = 0, 0
    for grapheme in iter_graphemes(text):
        taken += size(grapheme)
        if taken > most:
            break
        length += len(grapheme)
    return text[: length or max(1, most // widest)]

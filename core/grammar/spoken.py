"""A line of talk as it is kept: never refused, without what could hide or turn round other text.

Here: what of a message is kept, and whether it is said in character. Never: whether anything is kept at all.
"""

from __future__ import annotations

import unicodedata

from core.grammar.text import BIDI, MAX_MESSAGE

CUT = "…"  # in the place of what was too long
OPENING, CLOSING = ("(", "（"), (")", "）")
ASIDE = ("//", "／／")


def kept(text: str) -> str:
    """The text without control marks and directions, cut where it is longer than a message may be."""
    shown = "".join(sign for sign in text.replace("\r\n", "\n").replace("\r", "\n") if not _hides(sign)).strip()
    return shown if len(shown) <= MAX_MESSAGE else shown[: MAX_MESSAGE - len(CUT)] + CUT


def _hides(sign: str) -> bool:
    return sign in BIDI or (unicodedata.category(sign) in ("Cc", "Cs") and sign not in "\t\n")


def out_of_character(text: str) -> bool:
    """Wholly in round brackets, closed or not, or behind `//`; `(laughs) Come in!` is said in character."""
    if text.startswith(ASIDE):
        return True
    return text.startswith(OPENING) and (text.endswith(CLOSING) or not any(sign in text for sign in CLOSING))

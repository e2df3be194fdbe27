"""A chat line made readable: normal forms, hidden characters, quotes, brackets, comments, tokens.

Here: characters in, tokens out. Never: a verb, a rule, a trait name.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from msgspec import Struct

from core.refusal import Refusal

MAX_MESSAGE = 4000  # characters; Telegram's own limit is 4096
MAX_NAME = 64  # characters, contract: too_large above
QUOTES = {'"': '"', "“": "”", "”": "”", "「": "」", "『": "』"}
BRACKETS = {"(": ")", "[": "]", "【": "】"}
DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹣－"), "-")  # phones write any of these for a minus
INVISIBLE = frozenset("\u200b\u2060\ufeff\u00ad")  # typed by nobody, pasted by many: dropped
VARIANTS = re.compile("[\ufe00-\ufe0f]")  # which picture of a sign to show: no part of a name
BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# `战斗，-2`, `运动=d8，活力=d6`, `战斗。`: but never in `dice=5,2` or `target=甲,乙`.
SEPARATOR = re.compile(r"[,;、。]+(?=\s*(?:$|#|[,;、。]|[+-]\s*\d|[^\s=+\-(),;、。]+\s*[+-]?=))")
REPEAT = re.compile(r"\d{1,4}")
GLUED_REPEAT = re.compile(r"[^\W\d_]+\d{1,4}")  # `骰3` of `骰3#4d6`
DICE_AHEAD = re.compile(r"\d{0,7}d[\d%f]|\(", re.IGNORECASE)


class Token(Struct, frozen=True):
    """A word of a command. `text` is normalised, `raw` as typed, `at` counts from 1 in the normalised command."""

    text: str
    raw: str
    at: int
    quoted: bool = False
    aside: bool = False


class Normal(Struct, frozen=True):
    """A line in normal form; `origin[i]` is the index in `raw` from which character i came."""

    text: str
    raw: str
    origin: tuple[int, ...]

    def raw_between(self, start: int, end: int) -> str:
        """The text as typed that lies behind text[start:end]; a character of which only a part is meant is whole."""
        return "" if start >= end else self.raw[self.origin[start] : self.origin[end - 1] + 1]


def check_characters(text: str) -> None:
    """Refuse what could hide or turn round other text: control characters and direction marks."""
    if len(text) > MAX_MESSAGE:
        raise Refusal("too_large", "message", size=len(text), limit=MAX_MESSAGE)
    for place, char in enumerate(text, 1):
        if char in BIDI or (unicodedata.category(char) in ("Cc", "Cs") and char != "\t"):
            raise Refusal("bad_argument", "hidden_character", at=place, point=f"U+{ord(char):04X}")


def normalise(raw: str) -> Normal:
    """NFKC by character, dashes to minus, invisible characters dropped, and the way back to what was typed."""
    if raw.isascii():  # all of it is in normal form
        return Normal(raw, raw, tuple(range(len(raw))))
    raw = unicodedata.normalize("NFC", raw)
    text, origin = [], []
    for place, char in enumerate(raw):
        if char in INVISIBLE:
            continue
        plain = unicodedata.normalize("NFKC", char).translate(DASHES)
        text.append(plain)
        origin.extend([place] * len(plain))
    return Normal("".join(text), raw, tuple(origin))


def check_name(name: str) -> str:
    """A character's or person's name, 1 to 64 characters, spaces folded; longer: too_large."""
    name = " ".join(VARIANTS.sub("", name).split())
    if len(name) > MAX_NAME:
        raise Refusal("too_large", "name", size=len(name), limit=MAX_NAME)
    if not any(char.isalnum() for char in name):
        raise Refusal("bad_argument", "name", got=name)
    if hidden := next((char for char in name if _default_ignorable(char) or char == "★"), None):
        raise Refusal("bad_argument", "hidden_character", at=name.index(hidden) + 1, point=f"U+{ord(hidden):04X}")
    return name


@lru_cache(maxsize=1_024)  # the same people speak again and again
def plain_name(name: str) -> str:
    """What somebody is called on a platform, as it may be shown in a line with others: nothing hidden, 64 at most."""
    spaced = " ".join(name.split())
    shown = "".join(char for char in spaced if not (_default_ignorable(char) or unicodedata.category(char)[0] == "C"))
    return " ".join(shown.split())[:MAX_NAME].strip() or "?"


def _default_ignorable(char: str) -> bool:
    """Shown as nothing, so that two names look the same; joiners of emoji are among them."""
    return unicodedata.category(char) == "Cf" or char in "\u034f\u3164"


def fold(name: str) -> str:
    """The form in which names are compared: NFKC, case folded, spaces folded."""
    plain = name if name.isascii() else unicodedata.normalize("NFKC", name)
    return " ".join(plain.casefold().split())


class _Reader:
    """Walks over a normalised line once and cuts it into tokens."""

    def __init__(self, line: Normal) -> None:
        self.line, self.text, self.at = line, line.text, 0
        self.tokens: list[Token] = []

    def read(self) -> tuple[list[Token], str]:
        while self.at < len(self.text):
            char = self.text[self.at]
            if char.isspace() or self._separates():
                self.at += 1
            elif char == "#":
                return self.tokens, self._comment()
            else:
                self.tokens.append(self._token())
        return self.tokens, ""

    def _comment(self) -> str:
        return self.line.raw_between(self.at + 1, len(self.text)).strip()

    def _token(self) -> Token:
        start, char = self.at, self.text[self.at]
        if char in QUOTES:
            inside = self._enclosed(QUOTES, "quote")
            return Token(inside, self.line.raw_between(start + 1, self.at - 1), start + 1, quoted=True)
        if char in BRACKETS:
            self._enclosed(BRACKETS, "bracket")
            return self._cut(start, aside=self.at == len(self.text) or self.text[self.at].isspace())
        return self._cut(start)

    def _cut(self, start: int, aside: bool = False) -> Token:
        if not aside:
            self._skip_word(start)
        return Token(self.text[start : self.at], self.line.raw_between(start, self.at), start + 1, aside=aside)

    def _skip_word(self, start: int) -> None:
        """Go to the end of a word; brackets in it and a quote behind `=` may hold spaces."""
        while self.at < len(self.text) and not self.text[self.at].isspace():
            char = self.text[self.at]
            if (char == "#" and not self._repeats(start)) or self._separates():
                return
            if char in BRACKETS:
                self._enclosed(BRACKETS, "bracket")
            elif char in QUOTES and self._quotes(start):
                self._enclosed(QUOTES, "quote")
            else:
                self.at += 1

    def _quotes(self, start: int) -> bool:
        """Whether a quote here holds a value, or one of several: `target="Ice King",守`."""
        before = self.text[start : self.at]
        return before.endswith("=") or ("=" in before and before.endswith((",", "、")))

    def _separates(self) -> bool:
        """Whether this comma or full stop is punctuation between words, and no part of one."""
        return SEPARATOR.match(self.text, self.at) is not None

    def _repeats(self, start: int) -> bool:
        """Whether this # is the one of `3#4d6`, or of `骰3#4d6` at the start, and no comment."""
        before, ahead = self.text[start : self.at], self.text[self.at + 1 :]
        if REPEAT.fullmatch(before):
            return ahead[:1].lower() in tuple("0123456789d(")
        return not self.tokens and bool(GLUED_REPEAT.fullmatch(before) and DICE_AHEAD.match(ahead))

    def _enclosed(self, pairs: dict[str, str], kind: str) -> str:
        start = self.at
        opener, closer = self.text[start], pairs[self.text[start]]
        depth = 0
        for place in range(start, len(self.text)):
            char = self.text[place]
            if char == closer and (depth == 1 or (opener == closer and place > start)):
                self.at = place + 1
                return self.text[start + 1 : place]
            if char == opener:
                depth += 1
            elif char == closer:
                depth -= 1
        raise Refusal("bad_argument", f"open_{kind}", mark=opener, at=start + 1)


def tokenise(line: Normal) -> tuple[list[Token], str]:
    """Tokens and comment of a command without its prefix. An open quote or bracket: bad_argument."""
    tokens, comment = _Reader(line).read()
    return _joined(tokens), comment


def _joined(tokens: list[Token]) -> list[Token]:
    """Put together what people type with spaces: `+ 2`, `dice = 5, 2`."""
    joined: list[Token] = []
    for token in tokens:
        if joined and _belongs(joined[-1], token):
            joined.append(_one(joined.pop(), token))
        else:
            joined.append(token)
    return joined


def _one(last: Token, token: Token) -> Token:
    text = f'"{token.text}"' if token.quoted else token.text
    return Token(last.text + text, last.raw + token.raw, last.at)


def _belongs(last: Token, token: Token) -> bool:
    if last.quoted or last.aside or token.aside:
        return False
    if token.text.startswith("=") or last.text.endswith("="):
        return not token.quoted or last.text.endswith("=")
    number = token.text[:1].isdigit() and not token.quoted
    return number and (last.text in ("+", "-") or (last.text[-1] in ",、" and last.text[-2:-1].isdigit()))

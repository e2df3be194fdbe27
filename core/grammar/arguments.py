"""The words behind a verb, read one after the other: flags, keys, modifiers, positional words.

Here: how a verb takes its words, and the refusal of what nobody took. Never: what the words mean in a rule.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from core.grammar.text import QUOTES, Token, fold
from core.refusal import Refusal
from events.types import Modifier

KEY = re.compile(r"([^\s=+\-()][^\s=()]*?)(\+=|-=|=)(.*)", re.DOTALL)
STEP = re.compile(r"([+-]\d{1,6})(?:\(([^()]*)\))?")
STEPS = re.compile(r"(?:[+-]\d{1,6}(?:\([^()]*\))?)+")
TRAILING = re.compile(r"(.*?[^+\-])((?:[+-]\d{1,6}(?:\([^()]*\))?)+)", re.DOTALL)
NUMBER = re.compile(r"[+-]?\d{1,6}")
MAX_STEPS, MAX_STEP = 20, 1000  # modifiers of one roll, and the most that one of them is
MAX_FACES = 1000


class Arguments:
    """What stands behind a verb. Every method takes what it reads away; `finish` refuses the rest."""

    def __init__(self, tokens: list[Token]) -> None:
        self.asides = [token for token in tokens if token.aside]
        self.tokens = [token for token in tokens if not token.aside]

    def flag(self, *names: str) -> bool:
        """Whether one of these words is there."""
        for place, token in enumerate(self.tokens):
            if not token.quoted and fold(token.text) in names:
                del self.tokens[place]
                return True
        return False

    def key(self, *names: str) -> str | None:
        """The value of `name=value`, quotes taken off; None if it is not there."""
        for place, token in enumerate(self.tokens):
            match = None if token.quoted else KEY.fullmatch(token.text)
            if match and match[2] == "=" and fold(match[1]) in names:
                del self.tokens[place]
                if not match[3]:
                    raise Refusal("bad_argument", "missing", what=names[0])
                return unquoted(match[3])
        return None

    def number_key(self, *names: str, least: int = 1, most: int = 1000) -> int | None:
        """The number behind `name=`, least to most."""
        value = self.key(*names)
        return None if value is None else whole(value, names[0], least, most)

    def changes(self) -> list[tuple[str, str, str]]:
        """Every `key=value`, `key+=n`, `key-=n` that is left, as (key, sign, value)."""
        found, rest = [], []
        for token in self.tokens:
            match = None if token.quoted else KEY.fullmatch(token.text)
            if match:
                found.append((match[1], match[2], unquoted(match[3])))
            else:
                rest.append(token)
        self.tokens = rest
        return found

    def modifiers(self, steps: Mapping[str, int]) -> list[Modifier]:
        """All `+2`, `-1(cover)`, and words named in `steps`; those glued to the first word too (`d8+2`)."""
        found: list[Modifier] = []
        rest: list[Token] = []
        for whole_token in self.tokens:
            token, glued = _split(whole_token)
            found += glued
            word = fold(token.text)
            if word in steps and not token.quoted:
                found.append(Modifier(word, steps[word]))
            elif token.text:
                rest.append(token)
        self.tokens = rest
        if len(found) > MAX_STEPS:
            raise Refusal("too_large", "terms", limit=MAX_STEPS)
        if any(abs(step.value) > MAX_STEP for step in found):
            raise Refusal("too_large", "amount", what="modifier", limit=MAX_STEP)
        return found

    def word(self, what: str) -> str:
        """The next word; none left: bad_argument naming `what` is missing."""
        token = self.next_token()
        if token is None:
            raise Refusal("bad_argument", "missing", what=what)
        return token.text

    def maybe(self) -> str | None:
        """The next word, if any."""
        token = self.next_token()
        return None if token is None else token.text

    def next_token(self) -> Token | None:
        return self.tokens.pop(0) if self.tokens else None

    def peek(self) -> str:
        """The next word without taking it, folded; empty if none."""
        return fold(self.tokens[0].text) if self.tokens else ""

    def one_of(self, choices: Collection[str]) -> str | None:
        """The next word if it is one of these; a Chinese one may be glued to what follows (`给小红`)."""
        if not self.tokens or self.tokens[0].quoted:
            return None
        token, word = self.tokens[0], self.peek()
        if word in choices:
            self.tokens.pop(0)
            return word
        glued = max((one for one in choices if not one.isascii() and word.startswith(one)), key=len, default="")
        if not glued:
            return None
        self.tokens[0] = Token(token.text[len(glued) :], token.raw[len(glued) :], token.at + len(glued))
        return glued

    def number(self, what: str, least: int, most: int, default: int | None = None) -> int:
        """The next word as a whole number, least to most."""
        word = self.maybe()
        if word is None and default is not None:
            return default
        if word is None:
            raise Refusal("bad_argument", "missing", what=what)
        return whole(word, what, least, most)

    def rest(self) -> str:
        """All that is left, as typed; brackets that stand alone belong to it too."""
        words = sorted((*self.tokens, *self.asides), key=lambda token: token.at)
        self.tokens, self.asides = [], []
        return " ".join(token.raw for token in words)

    def finish(self) -> None:
        """Refuse what nobody took: it is never read as something else."""
        if self.tokens:
            raise Refusal("bad_argument", "leftover", mark=self.tokens[0].raw, at=self.tokens[0].at)


def _split(token: Token) -> tuple[Token, list[Modifier]]:
    if token.quoted or KEY.fullmatch(token.text):
        return token, []
    if STEPS.fullmatch(token.text):
        head, tail = "", token.text
    elif match := TRAILING.fullmatch(token.text):
        head, tail = match[1], match[2]
    else:
        return token, []
    steps = [Modifier((step[2] or "").strip()[:64], int(step[1])) for step in STEP.finditer(tail)]
    return Token(head, head, token.at), steps


def unquoted(value: str) -> str:
    if len(value) >= 2 and QUOTES.get(value[0]) == value[-1]:
        return value[1:-1]
    return value


def whole(text: str, what: str, least: int, most: int) -> int:
    """A whole number in its limits: bad_argument if it is none, too_large above, bad_argument below."""
    if not NUMBER.fullmatch(text.strip()):
        if re.fullmatch(r"[+-]?\d+", text.strip()):
            raise Refusal("too_large", "amount", what=what, limit=most)
        raise Refusal("bad_argument", "number", what=what, got=text, least=least, most=most)
    value = int(text)
    if value > most:
        raise Refusal("too_large", "amount", what=what, limit=most)
    if value < least:
        raise Refusal("bad_argument", "number", what=what, got=text, least=least, most=most)
    return value


def faces(value: str) -> tuple[int, ...]:
    """`8,4,6` as natural faces of dice thrown by hand."""
    parts = [part for part in re.split(r"[,、\s]+", value.strip()) if part]
    if len(parts) > MAX_FACES:
        raise Refusal("too_large", "many_dice", limit=MAX_FACES)
    if not parts or not all(re.fullmatch(r"\d{1,7}", part) for part in parts):
        raise Refusal("bad_argument", "faces", got=value)
    return tuple(map(int, parts))

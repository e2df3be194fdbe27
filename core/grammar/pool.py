"""Pool expressions: `3+1-3`, `力量+运动-2`, `str+athletics +1(tools)`.

Here: text into terms, names and numbers with signs. Never: what a name is worth (that stands on a sheet).
"""

from __future__ import annotations

import re

from msgspec import Struct

from core.grammar.arguments import Arguments, whole
from core.refusal import Refusal

TERM = re.compile(r"\s*([+-]?)\s*(?:(\d{1,9})|([^\W\d_][^\s+\-()=]*))(?:\(([^()]*)\))?")
MOST_TERMS = 20
MOST_TRAITS = 2  # attribute and skill: a number behind them is a modifier


class Term(Struct, frozen=True):
    """One part of a pool: a number, or a trait by its name as typed. `name` is what stood in brackets behind it.

    `step`: it is a modifier and no part of the traits: negative, named, written apart with its sign, or a number
    behind attribute and skill (`3+1+2`, `力量+运动+2`).
    """

    sign: int
    number: int = 0
    trait: str = ""
    name: str = ""
    step: bool = False


def pool_terms(text: str) -> tuple[Term, ...]:
    """The terms of a pool; what is none of it is refused with its place (bad_argument.pool_term)."""
    terms: list[Term] = []
    at = 0
    while text[at:].strip():
        match = TERM.match(text, at)
        if not match or (at and not match[1]):
            mark = text[at:].split(maxsplit=1)[0][:20]
            raise Refusal("bad_argument", "pool_term", got=text[:60], mark=mark, at=at + 1)
        traits = sum(not term.step for term in terms)
        terms.append(_term(match, apart=traits >= MOST_TRAITS or (bool(at) and text[at].isspace())))
        at = match.end()
    if not terms:
        raise Refusal("bad_argument", "missing", what="pool")
    if len(terms) > MOST_TERMS:
        raise Refusal("too_large", "terms", limit=MOST_TERMS)
    return tuple(terms)


def _term(match: re.Match[str], apart: bool) -> Term:
    sign, name = -1 if match[1] == "-" else 1, (match[4] or "").strip()[:64]
    if match[3]:
        return Term(sign, trait=match[3], name=name, step=sign < 0)
    number = whole(match[2], "pool", 0, 100_000)
    return Term(sign, number=number, name=name, step=sign < 0 or bool(name) or apart)


def pool_text(arguments: Arguments) -> str:
    """All words that are left, as one pool expression."""
    text = " ".join(token.text for token in arguments.tokens)
    arguments.tokens = []
    return text


def rote_flag(arguments: Arguments) -> bool:
    """`rote`: each die of the pool that fails is thrown once more."""
    return arguments.flag("rote", "熟练", "必成骰", "死记")


def again_key(arguments: Arguments) -> int | None:
    """`again=10|9|8|no`: from which face a die goes again; None where nothing is said, 11 for never."""
    value = arguments.key("again", "加骰")
    if value is None:
        return None
    word = value.casefold()
    if word in ("no", "off", "无", "不", "none"):
        return 11
    if word not in ("8", "9", "10"):
        raise Refusal("bad_argument", "again", got=value)
    return int(word)

"""The dice expression of `/roll`: text -> tokens -> tree -> throw -> working.

Here: reading an expression, its limits, throwing it, and showing how the total came about. Never: chance, and
never a refusal once the first die has fallen. All limits are checked by `parse`, a divisor that could become
zero too: a refused command leaves the dice unused, so a refusal that depended on them would tell the player
what the next die will show.

    expression = [ INTEGER "#" ] sum                       repeats
    sum        = product { ("+" | "-") product }
    product    = signed { ("*" | "/") signed }             also × ÷ x; division rounds down
    signed     = { "+" | "-" } value
    value      = "(" sum ")" | dice | INTEGER
    dice       = [ INTEGER ] "d" ( INTEGER | "%" | "F" ) { "!" | keep }
    keep       = ( "k" | "kh" | "kl" | "dh" | "dl" ) [ INTEGER ]        k is kh, no number is 1
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from typing import Final, Literal, NoReturn, TypeAlias, cast

from msgspec import Struct

from core.dice import throws
from core.dice.source import Source
from core.refusal import Code, Refusal
from events.types import Die

MOST_DICE: Final = 1000
MOST_SIDES: Final = 1_000_000
MOST_REPEATS: Final = 20
MOST_NUMBER: Final = 1_000_000_000
MOST_TOTAL: Final = 10**15  # below 2^53: every reader of JSON keeps it exactly
MOST_NESTING: Final = 20
MOST_CHARACTERS: Final = 500

FATE_SIDES: Final = 3
FATE_ZERO: Final = 2  # the face of a Fate die that counts 0
_LONGEST_ACES: Final = 64  # what a chain of Aces is taken to reach at most, for MOST_TOTAL only

Operator: TypeAlias = Literal["+", "-", "*", "/"]
OPERATIONS: Final[dict[Operator, Callable[[int, int], int]]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv,
}  # fmt: skip


# ---- tree


@dataclass(frozen=True, slots=True)
class Number:
    value: int


@dataclass(frozen=True, slots=True)
class Dice:
    """`count` dice of which `kept` count: the highest, or with `lowest` the lowest; of equal ones the first thrown.

    Fate dice have 3 sides.
    """

    count: int
    sides: int
    kept: int
    lowest: bool = False
    aces: bool = False
    fate: bool = False


@dataclass(frozen=True, slots=True)
class Negative:
    of: Node


@dataclass(frozen=True, slots=True)
class Group:
    """What stands in parentheses."""

    inner: Node


@dataclass(frozen=True, slots=True)
class Step:
    operator: Operator
    node: Node


@dataclass(frozen=True, slots=True)
class Chain:
    """Steps of one precedence, from left to right. Flat, so that a long sum is no deep tree."""

    first: Node
    steps: tuple[Step, ...]


Node: TypeAlias = Number | Dice | Negative | Group | Chain


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression within all limits. `body` is thrown `repeat` times; `text` is what was read.

    `dice` are those of the body in the order in which they are thrown, `shown` is the working with `%s` for each.
    """

    text: str
    repeat: int
    body: Node
    dice: tuple[Dice, ...]
    shown: str


def dice_of(node: Node) -> Iterator[Dice]:
    """The dice of a tree in the order in which they are thrown: as they are read."""
    match node:
        case Dice():
            yield node
        case Negative(inner) | Group(inner):
            yield from dice_of(inner)
        case Chain(first, steps):
            yield from dice_of(first)
            for step in steps:
                yield from dice_of(step.node)


# ---- tokens


@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is number, end, or the canonical sign; `at` counts from 1."""

    kind: str
    text: str
    at: int


_PIECES = re.compile(r"\s+|(?P<number>[0-9]+)|(?P<word>[^\W\d_]+)|(?P<sign>[-+*/×÷−()#%!])|(?P<unknown>.)", re.DOTALL)
_WORD = re.compile(r"(?:d[hl]?|f|k[hl]?|x)+", re.ASCII | re.IGNORECASE)
_SIGN_IN_WORD = re.compile(r"d[hl]?|f|k[hl]?|x", re.ASCII | re.IGNORECASE)
_CANONICAL = {"x": "*", "×": "*", "÷": "/", "−": "-", "k": "kh"}


def _refuse(text: str, token: Token, why: str, code: Code = "bad_argument", **facts: object) -> NoReturn:
    raise Refusal(code, why, got=text, at=token.at, mark=token.text, **facts)


def _tokens(text: str) -> list[Token]:
    tokens = []
    for piece in _PIECES.finditer(text):
        if piece.lastgroup:  # otherwise a space
            tokens += _read(text, piece.lastgroup, Token(piece.lastgroup, piece.group(), piece.start() + 1))
    return [*tokens, Token("end", "", len(text) + 1)]


def _read(text: str, kind: str, piece: Token) -> list[Token]:
    if kind == "unknown" or (kind == "word" and not _WORD.fullmatch(piece.text)):
        _refuse(text, piece, "expression_unknown")
    if kind == "number":
        if int(piece.text) > MOST_NUMBER:
            _refuse(text, piece, "number", "too_large", most=MOST_NUMBER)
        return [piece]
    signs = _SIGN_IN_WORD.finditer(piece.text) if kind == "word" else re.finditer(".", piece.text)
    return [_sign(found.group(), piece.at + found.start()) for found in signs]


def _sign(text: str, at: int) -> Token:
    return Token(_CANONICAL.get(text.lower(), text.lower()), text, at)


# ---- reading


@lru_cache(maxsize=512)  # a table throws the same few again and again
def parse(text: str) -> Expression:
    """Read a whole expression, or refuse it: never a part, and never some other roll.

    bad_argument (got: the text, at: the place from 1, mark: the offending bit): expression_empty,
    expression_unknown, value_expected, operator_expected, parenthesis_open, parenthesis_close,
    sides_expected, sides, dice_count, keep_count (asked, count), given_twice, fate_aces, endless,
    repeat_count, zero_division.
    too_large (most, and the same three): number, sides, dice (dice), repeats, nesting, total; and
    expression_length (length, most).
    """
    if len(text) > MOST_CHARACTERS:
        raise Refusal("too_large", "expression_length", length=len(text), most=MOST_CHARACTERS)
    return _Reader(text).expression()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = _tokens(text)
        self.place = 0
        self.depth = 0

    @property
    def ahead(self) -> Token:
        return self.tokens[self.place]

    def take(self) -> Token:
        token = self.ahead
        self.place += 1
        return token

    def expression(self) -> Expression:
        if self.ahead.kind == "end":
            _refuse(self.text, self.ahead, "expression_empty")
        repeat = self.repeat()
        start = self.ahead
        body = self.sum()
        if self.ahead.kind != "end":
            _refuse(self.text, self.ahead, "parenthesis_close" if self.ahead.kind == ")" else "operator_expected")
        dice = tuple(dice_of(body))
        count = repeat * sum(group.count for group in dice)
        if count > MOST_DICE:
            _refuse(self.text, start, "dice", "too_large", dice=count, most=MOST_DICE)
        return Expression(self.text, repeat, body, dice, _shown(body))

    def repeat(self) -> int:
        if self.ahead.kind != "number" or self.tokens[self.place + 1].kind != "#":
            return 1
        number = self.take()
        self.take()
        if int(number.text) == 0:
            _refuse(self.text, number, "repeat_count")
        if int(number.text) > MOST_REPEATS:
            _refuse(self.text, number, "repeats", "too_large", most=MOST_REPEATS)
        return int(number.text)

    def sum(self) -> Node:
        return self.chain("+-", self.product)

    def product(self) -> Node:
        return self.chain("*/", self.signed)

    def chain(self, signs: str, part: Callable[[], Node]) -> Node:
        first = part()
        span = _span(first)
        steps = []
        while self.ahead.kind in signs:
            sign = self.take()
            step = Step(cast(Operator, sign.kind), part())
            span = self.reach(span, step, sign)
            steps.append(step)
        return Chain(first, tuple(steps)) if steps else first

    def reach(self, span: Span, step: Step, sign: Token) -> Span:
        right = _span(step.node)
        if step.operator == "/" and right[0] <= 0 <= right[1]:
            _refuse(self.text, sign, "zero_division")
        reached = _combine(step.operator, span, right)
        if max(-reached[0], reached[1]) > MOST_TOTAL:
            _refuse(self.text, sign, "total", "too_large", most=MOST_TOTAL)
        return reached

    def signed(self) -> Node:
        if self.ahead.kind not in ("+", "-"):
            return self.value()
        sign = self.take()
        node = self.deeper(sign, self.signed)
        return Negative(node) if sign.kind == "-" else node

    def deeper(self, token: Token, part: Callable[[], Node]) -> Node:
        self.depth += 1
        if self.depth > MOST_NESTING:
            _refuse(self.text, token, "nesting", "too_large", most=MOST_NESTING)
        node = part()
        self.depth -= 1
        return node

    def value(self) -> Node:
        ahead = self.ahead
        if ahead.kind == "(":
            return self.group()
        if ahead.kind == "d" or (ahead.kind == "number" and self.tokens[self.place + 1].kind == "d"):
            return self.dice()
        if ahead.kind != "number":
            _refuse(self.text, ahead, "value_expected")
        return Number(int(self.take().text))

    def group(self) -> Group:
        opening = self.take()
        inner = self.deeper(opening, self.sum)
        if self.ahead.kind == "end":
            _refuse(self.text, opening, "parenthesis_open")
        if self.ahead.kind != ")":
            _refuse(self.text, self.ahead, "operator_expected")
        self.take()
        return Group(inner)

    def dice(self) -> Dice:
        counted = self.ahead
        count = self.number(otherwise=1)
        if count == 0:
            _refuse(self.text, counted, "dice_count")
        self.take()  # the d
        fate = self.ahead.kind == "f"
        sides = self.sides()
        aces, kept, lowest = self.behind_dice(count, sides, fate)
        return Dice(count, sides, kept, lowest, aces, fate)

    def number(self, otherwise: int) -> int:
        return int(self.take().text) if self.ahead.kind == "number" else otherwise

    def sides(self) -> int:
        token = self.ahead
        if token.kind not in ("number", "%", "f"):
            _refuse(self.text, token, "sides_expected")
        self.take()
        sides = {"%": 100, "f": FATE_SIDES}.get(token.kind) or int(token.text)
        if sides == 0:
            _refuse(self.text, token, "sides")
        if sides > MOST_SIDES:
            _refuse(self.text, token, "sides", "too_large", most=MOST_SIDES)
        return sides

    def behind_dice(self, count: int, sides: int, fate: bool) -> tuple[bool, int, bool]:
        """What stands behind the dice: (aces, kept, lowest)."""
        seen = set()
        kept, lowest = count, False
        while self.ahead.kind in ("!", "kh", "kl", "dh", "dl"):
            token = self.take()
            kind = "!" if token.kind == "!" else "keep"
            if kind in seen:
                _refuse(self.text, token, "given_twice")
            seen.add(kind)
            if kind == "!":
                self.check_aces(token, sides, fate)
            else:
                kept, lowest = self.keep(token, count)
        return "!" in seen, kept, lowest

    def check_aces(self, token: Token, sides: int, fate: bool) -> None:
        if fate:
            _refuse(self.text, token, "fate_aces")
        if sides == 1:
            _refuse(self.text, token, "endless")

    def keep(self, token: Token, count: int) -> tuple[int, bool]:
        number = self.number(otherwise=1)
        kept = number if token.kind.startswith("k") else count - number
        if number == 0 or not 1 <= kept <= count:
            _refuse(self.text, token, "keep_count", asked=number, count=count)
        return kept, token.kind in ("kl", "dh")


# ---- limits


Span: TypeAlias = tuple[int, int]  # the lowest and the highest value that can come out


def _span(node: Node) -> Span:
    match node:
        case Number(value):
            return value, value
        case Dice(fate=True):
            return -node.kept, node.kept
        case Dice():
            return node.kept, node.kept * node.sides * (_LONGEST_ACES if node.aces else 1)
        case Negative(of):
            low, high = _span(of)
            return -high, -low
        case Group(inner):
            return _span(inner)
        case Chain(first, steps):
            span = _span(first)
            for step in steps:
                span = _combine(step.operator, span, _span(step.node))
            return span


def _combine(sign: Operator, left: Span, right: Span) -> Span:
    # Each operation rises or falls evenly in either operand (a divisor never spans 0): the corners are enough.
    corners = [OPERATIONS[sign](a, b) for a in left for b in right]
    return min(corners), max(corners)


# ---- throwing


class Throw(Struct, frozen=True, gc=False):
    """What fell. `kept` says of each of `dice` whether it counts; all faces in order are the order of the draws.

    A Fate die is recorded with its natural faces 1, 2, 3, which mean -1, 0, +1.
    `working` shows the dice, dropped ones as ~2~ and Aces as 6+6+2, and the arithmetic: `[6, 5, ~2~] + 3`.
    """

    dice: tuple[Die, ...]
    kept: tuple[bool, ...]
    total: int
    working: str


class _Fallen(Struct, frozen=True, gc=False):
    """The dice of one place in the tree, each with what it is worth and whether it counts."""

    dice: tuple[Die, ...]
    values: tuple[int, ...]
    kept: tuple[bool, ...]


def recount(expression: Expression, source: Source) -> tuple[tuple[Die, ...], int]:
    """The dice and the total of a throw, as `throw` gives them, for whoever needs no more of it."""
    groups = [_fall(dice, source) for dice in expression.dice]
    return tuple([die for group in groups for die in group.dice]), _total(expression.body, iter(groups))


def throw(expression: Expression, source: Source) -> Throw:
    """Throw the dice of a parsed expression once. Only the source can refuse (given faces that do not fit)."""
    groups = [_fall(dice, source) for dice in expression.dice]
    return Throw(
        dice=tuple([die for group in groups for die in group.dice]),
        kept=tuple([kept for group in groups for kept in group.kept]),
        total=_total(expression.body, iter(groups)),
        working=expression.shown % tuple(map(_faces, groups, expression.dice)),
    )


def _fall(dice: Dice, source: Source) -> _Fallen:
    if dice.aces:
        fallen = tuple([throws.ace(source, dice.sides, "plain") for _ in range(dice.count)])
        values = tuple([sum(die.faces) for die in fallen])
    else:
        faces = source.rolls(dice.count, dice.sides)
        fallen = tuple([Die(dice.sides, "plain", (face,)) for face in faces])
        values = tuple([face - FATE_ZERO for face in faces]) if dice.fate else tuple(faces)
    return _Fallen(fallen, values, _choose(values, dice))


def _choose(values: tuple[int, ...], dice: Dice) -> tuple[bool, ...]:
    if dice.kept == dice.count:
        return (True,) * dice.count
    best_first = sorted(range(dice.count), key=values.__getitem__, reverse=not dice.lowest)
    chosen = set(best_first[: dice.kept])
    return tuple([place in chosen for place in range(dice.count)])


def _total(node: Node, groups: Iterator[_Fallen]) -> int:
    match node:
        case Number(value):
            return value
        case Dice():
            group = next(groups)
            return sum(compress(group.values, group.kept))
        case Negative(of):
            return -_total(of, groups)
        case Group(inner):
            return _total(inner, groups)
        case Chain(first, steps):
            total = _total(first, groups)
            for step in steps:
                total = OPERATIONS[step.operator](total, _total(step.node, groups))
            return total


# ---- working

_SHOWN: Final[dict[Operator, str]] = {"+": "+", "-": "-", "*": "×", "/": "÷"}  # a * would start bold text


def _shown(node: Node) -> str:
    match node:
        case Number(value):
            return str(value)
        case Dice():
            return "%s"
        case Negative(of):
            return f"-{_shown(of)}"
        case Group(inner):
            return f"({_shown(inner)})"
        case Chain(first, steps):
            return _shown(first) + "".join(f" {_SHOWN[step.operator]} {_shown(step.node)}" for step in steps)


def _faces(group: _Fallen, dice: Dice) -> str:
    shown = []
    for die, value, kept in zip(group.dice, group.values, group.kept, strict=True):
        text = _fate_face(value) if dice.fate else str(value) if len(die.faces) == 1 else "+".join(map(str, die.faces))
        shown.append(text if kept else f"~{text}~")
    return f"[{', '.join(shown)}]"


def _fate_face(value: int) -> str:
    return f"{value:+d}" if value else "0"

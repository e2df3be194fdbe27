"""What stands in the source of `core`, read from its syntax trees: the refusals raised, the sentences asked for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from events.types import EVENT_TYPES

ROOT = Path(__file__).parents[2]

# A key that is made up while running, and what it can become.
MADE_UP = {
    ("core/grammar/text.py", "open_{}"): ("open_quote", "open_bracket"),
    ("core/systems/savage/decide.py", "purse"): ("own", "pool"),
    ("core/dice/expression.py", "why"): (),  # `_refuse` hands on what its callers say: they are read themselves
}


@dataclass(frozen=True)
class Use:
    """A key that the source names, the facts given with it (`open`: perhaps more), and where."""

    key: str
    facts: frozenset[str]
    place: str
    open: bool = False


@cache
def trees() -> tuple[tuple[str, ast.Module], ...]:
    paths = sorted((ROOT / "core").rglob("*.py"))
    return tuple((str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))) for path in paths)


def values(node: ast.expr, scope: ast.AST, path: str) -> tuple[str, ...]:
    """The strings that an expression can be: a literal, one of two, a name that was given such a value."""
    match node:
        case ast.Constant(value=str(text)):
            return (text,)
        case ast.IfExp(body=one, orelse=other):
            return values(one, scope, path) + values(other, scope, path)
        case ast.JoinedStr(values=parts):
            shape = "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in parts)  # type: ignore[misc]
            return MADE_UP.get((path, shape), (shape,))
        case ast.Name(id=name):
            if (path, name) in MADE_UP:
                return MADE_UP[path, name]
            given = [one.value for one in ast.walk(scope) if isinstance(one, ast.Assign) and _is(one.targets[0], name)]
            return tuple(text for one in given for text in values(one, scope, path))
    return ()


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def calls(*names: str) -> Iterator[tuple[ast.Call, ast.AST, str]]:
    """Every call of a function of these names with the function round it and its file."""
    for path, tree in trees():
        scopes = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)] or [tree]
        seen: set[int] = set()
        for scope in (*sorted(scopes, key=lambda one: getattr(one, "end_lineno", 0) - getattr(one, "lineno", 0)), tree):
            for node in ast.walk(scope):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                    if id(node) not in seen:
                        yield node, scope, path
                    seen.add(id(node))


def _facts(call: ast.Call) -> tuple[frozenset[str], bool]:
    names = [keyword.arg for keyword in call.keywords]
    return frozenset(name for name in names if name), None in names


def refusals() -> list[Use]:
    """Every refusal as `code.why` with its facts, those of the dice expression's own `_refuse` too."""
    found: list[Use] = []
    for call, scope, path in calls("Refusal"):
        facts, more = _facts(call)
        (code,) = values(call.args[0], scope, path) or ("bad_argument",)  # `_refuse` raises for its callers, see below
        found += [
            Use(f"{code}.{why}", facts, f"{path}:{call.lineno}", more) for why in values(call.args[1], scope, path)
        ]
    for call, scope, path in calls("_refuse"):
        facts, more = _facts(call)
        code = values(call.args[3], scope, path) if len(call.args) > 3 else ("bad_argument",)
        found += [
            Use(f"{code[0]}.{why}", facts | {"got", "at", "mark"}, f"{path}:{call.lineno}", more)
            for why in values(call.args[2], scope, path)
        ]
    return found


def unread_refusals() -> list[str]:
    """Where a Refusal is raised of which this reader cannot tell the sentence."""
    return [
        f"{path}:{call.lineno}"
        for call, scope, path in calls("Refusal")
        if not values(call.args[1], scope, path) and ast.unparse(call.args[1]) != "why"
    ]


def lines() -> list[Use]:
    """Every Line that the source makes; a key made up in part has `{}` there."""
    found: list[Use] = []
    for call, scope, path in calls("line", "Line"):
        facts, more = _facts(call)
        if isinstance(call.func, ast.Name) and call.func.id == "Line":
            facts, more = frozenset(), True
        found += [Use(key, facts, f"{path}:{call.lineno}", more) for key in values(call.args[0], scope, path)]
    return found


def events_made() -> dict[str, set[str]]:
    """The event types that the `decide` rooms make, and where."""
    found: dict[str, set[str]] = {}
    for path, tree in trees():
        if not path.endswith("/decide.py"):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (name := ast.unparse(node.func).removeprefix("e.")) in EVENT_TYPES:
                found.setdefault(name, set()).add(path)
    return found

"""Functions stay short enough to be read at a glance."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
MEDIAN_LINES = 10
LONG_LINES = 40
SHARE_BELOW_LONG = 0.9


@dataclass(frozen=True)
class Function:
    """A function and its length in lines, the docstring not counted: explaining costs nothing."""

    lines: int
    place: str


def docstring_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many lines a function's docstring takes, 0 without one."""
    if ast.get_docstring(node) is None:
        return 0
    first = node.body[0]
    return (first.end_lineno or first.lineno) - first.lineno + 1


def functions_of(source: str, name: str) -> list[Function]:
    """Every function in a source text, methods and inner ones too."""
    return [
        Function((node.end_lineno or node.lineno) - node.lineno + 1 - docstring_lines(node), f"{name}:{node.lineno}")
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def functions_of_core_and_events() -> list[Function]:
    """The functions that the law is about, longest first."""
    paths = [path for folder in ("core", "events") for path in sorted((ROOT / folder).rglob("*.py"))]
    found = [
        function
        for path in paths
        for function in functions_of(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT)))
    ]
    return sorted(found, key=lambda function: function.lines, reverse=True)


def test_a_functions_length_is_counted_without_its_docstring() -> None:
    source = 'def f(\n    a,\n):\n    """One.\n\n    Two.\n    """\n    return a\n'
    assert functions_of(source, "f.py") == [Function(4, "f.py:1")]


def test_most_functions_are_under_ten_lines() -> None:
    functions = functions_of_core_and_events()
    assert median(function.lines for function in functions) <= MEDIAN_LINES


def test_nine_functions_in_ten_are_under_forty_lines() -> None:
    functions = functions_of_core_and_events()
    long = [function for function in functions if function.lines >= LONG_LINES]
    assert len(long) <= (1 - SHARE_BELOW_LONG) * len(functions), long

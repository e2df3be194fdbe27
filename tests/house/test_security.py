"""SECURITY.md promises nothing that no test holds, and the same in both languages."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = tuple((ROOT / name).read_text(encoding="utf-8") for name in ("SECURITY.md", "SECURITY.zh.md"))


def named(text: str) -> list[str]:
    """The tests and places of tests that a page names, in order."""
    return re.findall(r"`(test_\w+|tests/[\w/.]+)`", text)


def test_every_test_that_is_named_is_there() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "tests").rglob("*.py")]
    there = {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert named(PAGES[0])
    for name in named(PAGES[0]):
        assert name in there or (ROOT / name).exists(), name


def test_both_languages_promise_the_same() -> None:
    assert named(PAGES[0]) == named(PAGES[1])
    assert [page.count("\n## ") for page in PAGES] == [9, 9]

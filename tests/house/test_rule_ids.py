"""Every rule that a system carries out has a test that begins with its id, and no test names a rule that is none."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEST = re.compile(r"test_([A-Z]{2})_(\d{2})_(\w+)")
RULES = {"SW": 28, "ST": 18, "IT": 18, "AD": 21}  # a system's rules are numbered from 1 to this


def ids(system: str) -> list[str]:
    return [f"{system}-{number:02}" for number in range(1, RULES[system] + 1)]


def names_in(source: str) -> list[str]:
    """The names of all test functions in a source text."""
    return [
        node.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    ]


@cache
def named_by_rule() -> dict[str, list[str]]:
    """Rule id -> the tests that begin with it."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for name in names_in(path.read_text(encoding="utf-8")):
            if match := TEST.fullmatch(name):
                found.setdefault(f"{match[1]}-{match[2]}", []).append(name)
    return found


def test_a_tests_rule_id_is_read_from_its_name() -> None:
    source = "class A:\n    def test_SW_08_an_ace(self): ...\ndef test_other(): ...\ndef help(): ..."
    assert sorted(names_in(source)) == ["test_SW_08_an_ace", "test_other"]
    match = TEST.fullmatch("test_SW_08_an_ace")
    assert match is not None
    assert match.groups() == ("SW", "08", "an_ace")


@pytest.mark.parametrize("rule", [rule for system in RULES for rule in ids(system)])
def test_every_rule_has_a_test_named_with_its_id(rule: str) -> None:
    assert named_by_rule().get(rule, []) != []


def test_no_test_is_named_with_a_rule_that_there_is_not() -> None:
    known = {rule for system in RULES for rule in ids(system)}
    assert {rule for rule in named_by_rule() if rule.split("-")[0] in RULES} <= known

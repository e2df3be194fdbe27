"""An audit says which of three things happened; that nobody could be asked is not a pass."""

from __future__ import annotations

from typing import Any

import pytest

from tests.house.audit import verdict

SOUND = {"name": "click", "version": "8.1", "vulns": []}
FLAWED = {"name": "x", "version": "1", "vulns": [{"id": "CVE-2026-1", "fix_versions": ["1.1"], "aliases": []}]}
UNASKED = {"name": "y", "skip_reason": "Dependency not found"}


@pytest.mark.parametrize(
    ("packages", "code", "word"),
    [
        ([SOUND], 0, "AUDITED: 1"), ([SOUND, FLAWED], 1, "x 1: CVE-2026-1, mended in 1.1"),
        ([SOUND, UNASKED], 2, "NOT AUDITED: 1 of 2"), ([UNASKED, FLAWED], 1, "VULNERABLE"), ([], 2, "NOT AUDITED"),
    ],
)  # fmt: skip
def test_an_audit_tells_sound_vulnerable_and_unasked_apart(packages: list[Any], code: int, word: str) -> None:
    found, lines = verdict({"dependencies": packages})
    assert found == code
    assert word in lines[0]

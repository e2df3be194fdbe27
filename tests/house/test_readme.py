"""The README files list what the verb table has, and what they show is what the program says."""

from __future__ import annotations

import pytest

from core.language import Language
from core.registry import SYSTEMS
from tests.house.readme import FILES, ROOT, written


@pytest.mark.parametrize(("file", "speech"), FILES.items())
def test_the_readme_lists_every_verb_and_house_option(file: str, speech: Language) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    assert text == written(text, speech), "python -m tests.house.readme writes the lists"
    for system in SYSTEMS:
        assert f"<!-- verbs: {system} -->" in text
        assert f"<!-- options: {system} -->" in text


def test_both_readmes_have_the_same_sections() -> None:
    english, chinese = ((ROOT / file).read_text(encoding="utf-8").count("\n## ") for file in FILES)
    assert english == chinese

"""A secret roll: the table learns that one was made, and nothing else, until it is revealed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.types import RollMade
from tests.laws.played import DEEDS, games
from tests.laws.played import begun as at_a_table
from tests.story import Story, all_of

READERS = {"secret": {"ann", "gm"}, "secret=gm": {"gm"}, "secret=me": {"ann"}}
ROLLS = (
    "roll d1000",
    "roll 5#4d6",
    "trait d8",
    "trait agility x3 -2",
    "group d6",
    "oppose d8",
    "damage 3d6",
    "damage 4d12 raise vs=6",
)
KINDS = st.sampled_from(sorted(READERS))


def rolled(start: int, roll: str, kind: str, language: str) -> tuple[Story, dict[str, list[str]]]:
    """Ann's secret roll with some dice, and what everybody hears of it."""
    story = at_a_table("ann: /shaken on", start=start, language=language)
    heard: dict[str, list[str]] = {}
    for letter in story.when(f"ann: /{roll} {kind}").letters:
        heard.setdefault(letter.to, []).append(letter.text)
    return story, heard


@given(st.integers(0, 10_000), st.integers(0, 10_000), st.sampled_from(ROLLS), KINDS, st.sampled_from(("zh", "en")))
def test_the_line_for_the_table_is_the_same_whatever_was_rolled(
    one: int, other: int, roll: str, kind: str, language: str
) -> None:
    _, first = rolled(one, roll, kind, language)
    _, second = rolled(other, roll, kind, language)
    assert first["table"] == second["table"]
    assert len(first["table"]) == 1
    assert not re.search(r"\d|\n", first["table"][0])


@given(st.integers(0, 10_000), st.sampled_from(ROLLS), KINDS)
def test_only_the_right_people_are_told(start: int, roll: str, kind: str) -> None:
    _, heard = rolled(start, roll, kind, "en")
    assert set(heard) == {"table"} | READERS[kind]
    assert all(len(texts) == 1 for texts in heard.values())
    assert all(re.search(r"\d", heard[reader][0]) for reader in READERS[kind])


@pytest.mark.parametrize(("kind", "readers"), [("secret", {"gm"}), ("secret=gm", {"gm"}), ("secret=me", {"gm"})])
def test_the_gms_own_secret_roll_is_told_to_the_gm_once(kind: str, readers: set[str]) -> None:
    letters = at_a_table().when(f"gm: /trait d8 as=Guard {kind}").letters
    assert [letter.to for letter in letters] == ["table", *readers]


@given(games(DEEDS, most=6), KINDS, st.sampled_from(("zh", "en")))
def test_nothing_that_anybody_asks_or_does_shows_a_sealed_roll(lines: list[str], kind: str, language: str) -> None:
    """A d1000000's face is a number that stands nowhere else."""
    story = at_a_table(language=language)
    (roll,) = all_of(story.when(f"ann: /roll d1000000 {kind} # hush"), RollMade)
    secret = re.compile(rf"\b{roll.total}\b|hush")
    for line in (*lines, "bob: /history 50", "bob: /sheet Ann", "bob: /undo", f"{story.table.play.gm}: /undo"):
        for answer in story.hear(line):
            for letter in answer.letters:
                assert not secret.search(letter.text), line


@pytest.mark.parametrize("kind", sorted(READERS))
@pytest.mark.parametrize("opening", ["gm: /reveal", "gm: /session end"])
def test_with_the_seed_every_secret_roll_is_told_to_the_table(kind: str, opening: str) -> None:
    story = at_a_table()
    (roll,) = all_of(story.when(f"ann: /roll d1000000 {kind}"), RollMade)
    (letter,) = story.when(opening).letters
    assert letter.to == "table"
    assert f"d1000000 = [{roll.total}]" in letter.text
    assert str(roll.total) in story.when("bob: /history").letters[0].text
    assert story.table.ledger.sealed == ()

"""What may come next in a line."""

from __future__ import annotations

import pytest

from adapters.terminal.completion import offers
from adapters.terminal.prompt import outcome_style, speaker_coloured, toolbar
from tests.story import Story, savage


@pytest.fixture
def story() -> Story:
    return savage("ann: /char new “Ann Lee” athletics=d8 stealth=d6", "gm: /session start")


def offered(story: Story, before: str) -> list[str]:
    return [one.text for one in offers(before, story.table, "you", story.app.name)]


@pytest.mark.parametrize("prefix", ["/", "!", ".", "。"])
def test_verbs_complete_in_both_languages_after_every_prefix(story: Story, prefix: str) -> None:
    assert "trait" in offered(story, f"{prefix}tr")
    assert "特性" in offered(story, f"{prefix}特")
    assert "trait" in offered(story, f"ann: {prefix}tr")


def test_nothing_typed_offers_each_verb_once_in_the_tables_language(story: Story) -> None:
    english = offered(story, "/")
    assert {"trait", "roll", "session"} <= set(english)
    assert all(one.isascii() for one in english)
    assert "特性" in offered(story.given("gm: /lang zh"), "/")


def test_people_complete_before_the_colon(story: Story) -> None:
    assert offered(story, "an") == ["ann: "]
    assert offered(story, "ann: he") == []


def test_words_characters_and_traits_of_the_active_sheet_complete_behind_a_verb(story: Story) -> None:
    assert "start" in offered(story, "/session st")
    assert '"Ann Lee"' in offered(story, "/benny give ")
    assert {"athletics", "stealth", "运动", "潜行"} <= set(offered(story, "ann: /trait "))
    assert "athletics" not in offered(story, "gm: /trait ")
    assert offered(story, "/nonsense a") == []


def test_the_toolbar_tells_title_session_and_bennies(story: Story) -> None:
    shown = toolbar(story.table, "en", story.app.name)
    assert "Glacier" in shown
    assert "session 1" in shown
    assert "ann 3" in shown
    assert toolbar(None, "zh", str) == "还没开团"


def test_a_secret_roll_has_no_colour_that_would_tell_how_it_came_out(story: Story) -> None:
    assert outcome_style(story.when("ann: /trait athletics dice=5,5")) == "ansigreen"
    assert outcome_style(story.when("ann: /trait athletics dice=5,5 secret")) == ""


def test_a_speaker_has_one_colour() -> None:
    one, other = speaker_coloured("ann: hi"), speaker_coloured("ann: /roll d6")
    assert one[0] == other[0]
    assert speaker_coloured("/roll # a: b") == [("", "/roll # a: b")]

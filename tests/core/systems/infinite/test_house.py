"""House rules stand above the book: events, and shown by `/house` (IT-18)."""

from __future__ import annotations

import pytest

from events.types import HouseRuleSet
from tests.core.systems.infinite.tables import ZHANG, table
from tests.story import one_of, refused, told


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        ("/house opposed-tie challenger", "opposed-tie", "challenger"),
        ("。房规 对抗平手 first", "opposed-tie", "first"),
        ("/house late-defence on", "late-defence", "on"),
        ("。房规 事后防御 关", "late-defence", "off"),
        ("/house late-defence=on", "late-defence", "on"),
        ("。房规 实体骰 开", "physical-dice", "on"),
    ],
)
def test_IT_18_a_house_rule_is_an_event(line: str, key: str, value: str) -> None:
    event = one_of(table().when(f"gm: {line}"), HouseRuleSet)
    assert (event.key, event.value) == (key, value)


@pytest.mark.parametrize(
    ("speech", "rows"),
    [
        (
            "zh",
            ("对抗平手 = challenger（默认 first；可选 first、challenger）", "事后防御 = 关（默认 关", "实体骰 = 开"),
        ),
        (
            "en",
            ("opposed-tie = challenger (default first; one of first, challenger)", "late-defence = off (default off"),
        ),
    ],
)
def test_IT_18_house_shows_each_with_its_value_its_default_and_what_it_changes(
    speech: str, rows: tuple[str, ...]
) -> None:
    text = told(table("gm: /house opposed-tie challenger", language=speech).when("a: /house"))
    assert all(one in text for one in rows), text
    assert all(len(line.partition("：" if speech == "zh" else "): ")[2]) > 3 for line in text.splitlines()[1:])


@pytest.mark.parametrize(
    ("person", "line", "code"),
    [
        ("a", "/house late-defence on", "not_allowed"),
        ("gm", "/house late-defence maybe", "bad_argument"),
        ("gm", "/house opposed-tie on", "bad_argument"),
        ("gm", "/house bennies 5", "not_found"),
    ],
)
def test_IT_18_a_setting_that_is_none_is_refused(person: str, line: str, code: str) -> None:
    assert refused(table(ZHANG).when(f"{person}: {line}")) == code


def test_IT_18_a_setting_taken_back_is_off_again() -> None:
    story = table("gm: /house late-defence on", "gm: /undo")
    assert "late-defence = off" in told(story.when("a: /house"))

"""Help in both languages names every option that a verb reads."""

from __future__ import annotations

import pytest

from tests.core.systems.infinite.tables import table
from tests.story import told

SHARED = ("extra=", "lose=", "again=10|9|8|no", "rote")
OPTIONS = {
    "check": (*SHARED, "dc=", "reflexive", "as=", "dice=", "secret"),
    "oppose": (*SHARED, "reflexive", "as=", "dice=", "secret"),
    "resist": (*SHARED, "vs=", "as=", "dice=", "secret"),
    "attack": (*SHARED, "target=", "split=", "weapon=", "gain=", "speed=", "as=", "dice=", "secret"),
    "defend": ("N[,N…]", "as="),
}
CHINESE = {"check": "检定", "oppose": "对抗", "resist": "抵抗", "attack": "攻击", "defend": "防御"}


@pytest.mark.parametrize("verb", OPTIONS)
@pytest.mark.parametrize("speech", ["zh", "en"])
def test_IT_18_help_names_every_option(verb: str, speech: str) -> None:
    story = table(language=speech)
    for name in (verb, CHINESE[verb]):
        shown = told(story.when(f"a: /help {name}"))
        assert [option for option in OPTIONS[verb] if option not in shown] == []


@pytest.mark.parametrize(
    ("verb", "line"),
    [
        ("check", "2 dc=1 extra=1 lose=0 again=9 rote reflexive secret"),
        ("oppose", "2 extra=1 lose=0 again=8 rote reflexive secret"),
        ("attack", "2 extra=1 lose=0 again=no rote target=乙,乙 split=1,0 weapon=剑 gain=1 speed=1 secret"),
        ("defend", "1,1"),
        ("defend", "off"),
    ],
)
def test_IT_18_and_each_of_them_is_taken(verb: str, line: str) -> None:
    story = table("a: /char new 甲 防御附加=2", "gm: /char new 乙", "gm: /oppose 3 as=乙")
    story.given(f"a: /{verb} {line}")
    story.given("a: /resist 2 extra=1 lose=0 again=9 rote vs=乙 secret")

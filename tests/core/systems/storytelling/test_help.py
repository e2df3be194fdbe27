"""Help and the house options: each option of a verb and of the house is named in both languages."""

from __future__ import annotations

import pytest

from core.systems.storytelling.decide import MOST_OPEN
from core.systems.storytelling.verbs import HOUSE, VERBS
from events.types import HouseRuleSet
from tests.core.systems.storytelling.tables import table
from tests.story import one_of, refused, told

OPTIONS = {
    "pool": ("again=10|9|8|no", "rote", "reflexive", "as=", "dice=", "secret="),
    "extended": ("target=", "every=", "limit=", "traits", "secret", "again=", "rote", "as=", "dice="),
    "contest": ("target=", "every=", "sides=", "again=", "rote", "as=", "dice="),
    "store": ("again=", "rote", "as=", "dice="),
    "challenge": ("again=", "rote", "as=", "dice="),
}
SUBVERBS = {
    "extended": (("new", "roll", "mod", "retry", "list", "end"), ("新建", "掷", "修正", "再试", "列表", "结束")),
    "contest": (("open", "roll", "again", "void", "list"), ("开", "掷", "再来", "作废", "列表")),
    "store": (("list", "drop"), ("列表", "拆除")),
}


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_ST_01_help_names_every_option_of_a_verb(verb: object, language: str) -> None:
    name = verb.name  # type: ignore[attr-defined]
    story = table(f"gm: /lang {language}")
    shown = told(story.when(f"ann: /help {name}"))
    assert all(option in shown for option in OPTIONS[name])
    assert all(word in shown for word in SUBVERBS.get(name, ((), ()))[language == "zh"])


@pytest.mark.parametrize("language", ["zh", "en"])
def test_ST_01_help_names_every_verb(language: str) -> None:
    shown = told(table(f"gm: /lang {language}").when("ann: /help"))
    assert all(verb.name in shown and verb.zh[0] in shown for verb in VERBS)


@pytest.mark.parametrize("option", HOUSE, ids=lambda option: option.key)
def test_ST_13_a_house_option_is_listed_with_what_it_changes_and_set_by_either_name(option: object) -> None:
    key, zh, says = option.key, option.zh, option.says  # type: ignore[attr-defined]
    for place, language in enumerate(("zh", "en")):
        story = table(f"gm: /lang {language}")
        assert says[place] in told(story.when("ann: /house"))
        for name in (key, zh):
            for value in option.values:  # type: ignore[attr-defined]
                set_to = one_of(story.when(f"gm: /house {name} {value}"), HouseRuleSet)
                assert (set_to.key, set_to.value) == (key, value)
        assert refused(story.when(f"ann: /house {key} {value}")) == "not_allowed"


@pytest.mark.parametrize(
    ("line", "more"),
    [
        ("/extended new T{} target=5", "/extended end T0"),
        ("/contest open T{}", "/contest void T0"),
        ("/store T{} 1", "/store drop T0"),
    ],
)
def test_ST_05_there_is_room_for_so_many_at_once(line: str, more: str) -> None:
    story = table(*(f"gm: {line.format(number)}" for number in range(MOST_OPEN)))
    assert refused(story.when(f"gm: {line.format('more')}")) == "limit_reached"
    story.given(f"gm: {more}", f"gm: {line.format('more')}")

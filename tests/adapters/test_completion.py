"""What may come next in a line."""

from __future__ import annotations

import pytest
from prompt_toolkit.utils import get_cwidth

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
    assert "athletics" not in offered(story, "gm: /trait ")
    assert offered(story, "/nonsense a") == []
    assert offered(story, "/session ") == ["start", "end", "list"]


def test_traits_of_the_sheet_come_before_characters(story: Story) -> None:
    found = offered(story, "ann: /trait ")
    assert found.index("athletics") < found.index("stealth") < found.index('"Ann Lee"')
    assert "athletics" not in offered(story, "ann: /benny give ")


def test_words_are_in_the_tables_language_unless_the_other_is_typed(story: Story) -> None:
    for verb in ("trait", "session", "benny", "house"):
        assert all(one.isascii() for one in offered(story, f"ann: /{verb} "))
    assert offered(story, "ann: /trait 运") == ["运动"]
    assert offered(story, "ann: 。场次 ") == ["开始", "结束", "列表"]
    story.given("gm: /lang zh")
    assert offered(story, "ann: /session ") == ["开始", "结束", "列表"]
    assert offered(story, "ann: /session st") == ["start"]
    assert {"运动", "潜行"} <= set(offered(story, "ann: /trait "))
    assert not {"athletics", "stealth"} & set(offered(story, "ann: /trait "))


def test_a_verb_is_offered_once(story: Story) -> None:
    assert offered(story, "/char") == ["char"]
    assert offered(story, "/pc") == ["pc"]


def test_behind_help_come_the_verbs(story: Story) -> None:
    assert {"trait", "session"} <= set(offered(story, "/help "))
    assert offered(story, "/help tr") == ["trait"]
    assert offered(story, "/help 特") == ["特性"]
    assert offered(story, "/help trait ") == []


def test_behind_house_come_the_options_and_behind_one_of_them_its_values(story: Story) -> None:
    assert {"physical-dice", "wild-mark", "bennies"} <= set(offered(story, "/house "))
    assert offered(story, "/house phy") == ["physical-dice"]
    assert offered(story, "/house physical-dice ") == ["on", "off"]
    assert offered(story, "。房规 实体") == ["实体骰"]
    assert offered(story, "。房规 实体骰 ") == ["开", "关"]
    assert offered(story, "/house wild-mark ") == []


def test_a_sub_verb_is_not_offered_behind_another(story: Story) -> None:
    assert offered(story, "/session start ") == []
    assert offered(story, "/init deal ") == ['"Ann Lee"']
    assert "give" not in offered(story, "/benny give ")
    behind = offered(story, "/benny spend ")
    assert {"soak", "card"} <= set(behind)
    assert not {"give", "list", "spend"} & set(behind)
    assert "soak" not in offered(story, "/benny ")
    assert "savage" in offered(story, "/table new ")
    assert "savage" not in offered(story, "/table use ")


@pytest.mark.parametrize("key", ["as", "vs", "对", "扮演"])
def test_names_complete_behind_as_and_vs_in_quotes_where_they_have_spaces(story: Story, key: str) -> None:
    story.given("gm: /char new Wolf wild")
    whole = f'/damage 2d6 {key}="Ann Lee"'
    for typed in (f"{key}=", f"{key}=an", f'{key}="an', f'{key}="ann l'):
        before = f"gm: /damage 2d6 {typed}"
        found = list(offers(before, story.table, "you", story.app.name))
        assert whole in [before[4 : len(before) - one.length] + one.text for one in found]
    assert offered(story, f"/damage 2d6 {key}=w") == [f"{key}=Wolf"]


def test_the_toolbar_tells_title_session_and_bennies(story: Story) -> None:
    shown = toolbar(story.table, "en", story.app.name)
    assert "Glacier" in shown
    assert "session 1" in shown
    assert "ann 3" in shown
    assert toolbar(None, "zh", str) == "还没开团"


def test_the_toolbar_tells_round_and_turn_while_there_is_a_fight(story: Story) -> None:
    story.given("gm: /char new Wolf wild", "gm: /init join Wolf", "gm: /init deal", "gm: /init next")
    shown = toolbar(story.table, "en", story.app.name)
    assert "round 1" in shown
    assert f"{story.table.play.rules.fight.turn}'s turn" in shown
    story.given("gm: /init end")
    assert "round" not in toolbar(story.table, "en", story.app.name)


def test_the_pool_in_the_toolbar_is_in_the_tables_language(story: Story) -> None:
    assert "GM pool" in toolbar(story.table, "en", story.app.name)
    story.given("gm: /lang zh")
    shown = toolbar(story.table, "en", story.app.name)
    assert "主持池" in shown
    assert "pool" not in shown


@pytest.mark.parametrize("columns", [10, 20, 30, 40, 60])
def test_the_toolbar_fits_a_narrow_screen(story: Story, columns: int) -> None:
    story.given("gm: /lang zh", *[f"p{n}: /char new 人物{n}" for n in range(5)])
    shown = toolbar(story.table, "zh", story.app.name, columns)
    assert get_cwidth(shown) <= columns
    assert shown.startswith("Glacier")


def test_a_secret_roll_has_no_colour_that_would_tell_how_it_came_out(story: Story) -> None:
    assert outcome_style(story.when("ann: /trait athletics dice=5,5")) == "ansigreen"
    assert outcome_style(story.when("ann: /trait athletics dice=5,5 secret")) == ""


def test_a_speaker_has_one_colour() -> None:
    one, other = speaker_coloured("ann: hi"), speaker_coloured("ann: /roll d6")
    assert one[0] == other[0]
    assert speaker_coloured("/roll # a: b") == [("", "/roll # a: b")]

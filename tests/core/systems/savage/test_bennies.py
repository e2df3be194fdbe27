"""Bennies: who has how many, who gives them, who pays for whom, and what they buy."""

from __future__ import annotations

import pytest

from events.types import BenniesDiscarded, BennyAwarded, BennySpent, RollMade, ShakenChanged, TraitSet
from tests.core.systems.savage.tables import BOB, BOSS, GUARD, RED, START, bennies, state, table
from tests.story import Story, all_of, one_of, refused, told

ALL_SPENT = ["red: /benny spend story"] * 3


def awards(story: Story, line: str) -> list[tuple[str, int, str]]:
    """Who is awarded how many, and why, by this line."""
    return [(award.to, award.count, award.reason) for award in all_of(story.when(line), BennyAwarded)]


# ---- a session's start and end


def test_SW_17_each_player_has_3_bennies_when_a_session_starts() -> None:
    assert awards(table(RED, BOB), START)[:2] == [("Red", 3, "session"), ("Bob", 3, "session")]


def test_SW_17_what_is_left_is_discarded_when_the_session_ends() -> None:
    story = table(RED, BOB, START, "red: /benny spend story")
    assert one_of(story.when("gm: /session end"), BenniesDiscarded).count == 2 + 3 + 2
    assert state(story).bennies == {}
    assert refused(story.when("red: /benny spend story")) == "nothing_to_spend"


def test_SW_17_nothing_is_carried_into_the_next_session() -> None:
    story = table(RED, START, "gm: /benny give Red 4", "gm: /session end", START)
    assert bennies(story, "red") == 3


def test_SW_17_who_joins_late_has_the_same_start() -> None:
    story = table(RED, START)
    assert awards(story, "bob: /char new Bob") == [("Bob", 3, "session")]
    assert awards(story, "zoe: /join") == [("zoe", 3, "session")]
    assert (bennies(story, "bob"), bennies(story, "zoe")) == (3, 3)


def test_SW_17_a_second_character_of_a_player_brings_no_bennies() -> None:
    assert awards(table(RED, START), "red: /char new Twin") == []


def test_SW_17_a_joined_player_makes_a_character_and_keeps_the_bennies() -> None:
    story = table(RED, START, "zoe: /join")
    assert awards(story, "zoe: /char new Zoe") == []
    assert one_of(story.when("zoe: /benny spend story"), BennySpent).left == 2


def test_SW_17_luck_adds_to_the_start_of_who_is_there_and_of_who_comes_late() -> None:
    story = table("red: /char new Red luck=1")
    assert awards(story, START)[0] == ("Red", 4, "session")
    assert awards(story, "bob: 。角色 新建 阿波 幸运=2") == [("阿波", 5, "session")]


@pytest.mark.parametrize("line", ["gm: /house bennies 5", "gm: 。房规 起始助力点 5", "gm: 。房规 起始助力点=5"])
def test_SW_17_the_house_may_start_with_another_number(line: str) -> None:
    assert awards(table(RED, line), START)[0] == ("Red", 5, "session")


def test_SW_17_the_house_may_start_with_none_for_late_joiners_too() -> None:
    story = table(RED, "gm: /house bennies 0")
    assert awards(story, START) == [("pool", 1, "session")]
    assert awards(story, "bob: /char new Bob") == []


@pytest.mark.parametrize(("value", "code"), [("21", "too_large"), ("-1", "bad_argument"), ("many", "bad_argument")])
def test_SW_17_a_start_is_0_to_20(value: str, code: str) -> None:
    assert refused(table().when(f"gm: /house bennies {value}")) == code


# ---- awards


@pytest.mark.parametrize(
    ("line", "count", "reason"),
    [
        ("/benny give Bob 2 # saved the child", 2, "saved the child"),
        ("/benny give Bob", 1, ""),
        ("/benny give bob 1", 1, ""),
        ("。助力 给 Bob ２ # 救了孩子", 2, "救了孩子"),
        ("。助力 给Bob", 1, ""),
        ("/bennies give Bob 3", 3, ""),
    ],
)
def test_SW_18_the_gm_awards_one_or_more_with_a_reason(line: str, count: int, reason: str) -> None:
    story = table(BOB, START)
    assert awards(story, f"gm: {line}") == [("Bob", count, reason)]
    assert bennies(story, "bob") == 3 + count


def test_SW_18_a_chinese_name_is_a_name() -> None:
    story = table("小红: 。角色 新建 小红 潜行=d8", START)
    assert awards(story, "gm: 。助力 给 小红 2") == [("小红", 2, "")]


def test_SW_18_a_player_without_a_character_can_be_awarded_one() -> None:
    assert awards(table("zoe: /join", START), "gm: /benny give zoe") == [("zoe", 1, "")]


def test_SW_18_only_the_gm_awards() -> None:
    story = table(RED, BOB, START)
    assert refused(story.when("red: /benny give Bob")) == "not_allowed"
    assert refused(story.when("red: /benny give Red 3")) == "not_allowed"
    assert refused(story.when("stranger: /benny give Bob")) == "not_allowed"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("/benny give nobody 3", "not_found"),
        ("/benny give Bob 0", "bad_argument"),
        ("/benny give Bob -2", "bad_argument"),
        ("/benny give Bob 101", "too_large"),
        ("/benny give Bob two", "bad_argument"),
        ("/benny give", "bad_argument"),
        ("/benny give Bob 2 please", "bad_argument"),
        ("/benny take Bob 2", "bad_argument"),
    ],
)
def test_SW_18_an_award_that_does_not_fit_is_refused(line: str, code: str) -> None:
    assert refused(table(BOB, START).when(f"gm: {line}")) == code


def test_SW_18_bennies_belong_to_a_session() -> None:
    assert refused(table(BOB).when("gm: /benny give Bob")) == "no_session"


# ---- the GM's


def test_SW_20_the_pool_starts_with_one_a_player_and_a_gm_wild_card_with_2() -> None:
    assert awards(table(RED, BOB, BOSS, GUARD), START)[2:] == [("pool", 2, "session"), ("Boss", 2, "session")]


def test_SW_20_a_wild_card_that_enters_later_has_2_and_the_pool_stays() -> None:
    story = table(RED, START)
    assert awards(story, BOSS) == [("Boss", 2, "session")]
    assert awards(story, GUARD) == []
    assert bennies(story, "pool") == 1


def test_SW_20_luck_gives_a_gm_wild_card_more() -> None:
    story = table(RED, "gm: /char new Boss wild luck=1", START)
    assert bennies(story, "Boss") == 3
    assert awards(story, "gm: /char new Queen wild luck=2") == [("Queen", 4, "session")]


def test_SW_20_the_pool_does_not_grow_with_a_late_player() -> None:
    story = table(RED, START, BOB)
    assert bennies(story, "pool") == 1


def test_SW_20_own_bennies_first_then_the_pool_then_none() -> None:
    story = table(RED, BOSS, START)
    spent = [one_of(story.when("gm: /benny spend story as=Boss"), BennySpent) for _ in range(3)]
    assert [(one.source, one.left) for one in spent] == [("own", 1), ("own", 0), ("pool", 0)]
    assert refused(story.when("gm: /benny spend story as=Boss")) == "nothing_to_spend"


@pytest.mark.parametrize("words", ["from=pool", "来源=池", "从=主持池"])
def test_SW_20_a_gm_wild_card_may_pay_from_the_pool_at_once(words: str) -> None:
    story = table(RED, BOSS, START)
    spent = one_of(story.when(f"gm: /benny spend story as=Boss {words}"), BennySpent)
    assert (spent.source, spent.left, bennies(story, "Boss")) == ("pool", 0, 2)


def test_SW_20_what_is_to_be_paid_by_its_own_is_not_paid_by_the_pool() -> None:
    story = table(RED, BOSS, GUARD, START)
    story.given(*["gm: /benny spend story as=Boss from=own"] * 2)
    assert refused(story.when("gm: /benny spend story as=Boss from=own")) == "nothing_to_spend"
    assert refused(story.when("gm: /benny spend story as=Guard from=own")) == "nothing_to_spend"
    assert bennies(story, "pool") == 1


def test_SW_20_the_pool_pays_for_extras_too() -> None:
    story = table(RED, GUARD, START, "gm: /trait notice as=Guard dice=2")
    answer = story.when("gm: /reroll as=Guard dice=5")
    assert one_of(answer, BennySpent) == BennySpent(character="Guard", purpose="reroll", source="pool", left=0)
    assert one_of(answer, RollMade).total == 5


def test_SW_20_the_pool_pays_for_a_group_of_the_gms() -> None:
    story = table(RED, START, "gm: /group d6 dice=2,3")
    answer = story.when("gm: /reroll dice=5,3")
    assert (one_of(answer, BennySpent).source, one_of(answer, RollMade).total) == ("pool", 5)


def test_SW_20_nobody_of_the_gms_pays_for_another() -> None:
    story = table(RED, BOSS, GUARD, START, "gm: /benny spend story as=Guard")
    assert refused(story.when("gm: /benny spend story as=Guard")) == "nothing_to_spend"
    assert bennies(story, "Boss") == 2


def test_SW_20_the_pool_pays_for_no_player() -> None:
    story = table(RED, START)
    assert refused(story.when("red: /benny spend story from=pool")) == "not_allowed"
    story.given(*ALL_SPENT)
    assert refused(story.when("red: /benny spend story")) == "nothing_to_spend"
    assert bennies(story, "pool") == 1


@pytest.mark.parametrize("name", ["Boss", "Guard", "gm"])
def test_SW_20_the_gm_never_awards_the_gm(name: str) -> None:
    assert refused(table(RED, BOSS, GUARD, START).when(f"gm: /benny give {name}")) == "not_allowed"


def test_SW_20_a_player_who_became_the_gm_is_not_awarded_by_the_own_hand() -> None:
    story = table(RED, BOB, START, "gm: /gm bob")
    assert refused(story.when("bob: /benny give Bob 2")) == "not_allowed"
    assert awards(story, "bob: /benny give Red 2") == [("Red", 2, "")]


def test_SW_20_the_list_shows_everybody_and_the_pool() -> None:
    story = table(RED, BOB, BOSS, START, "red: /benny spend story", "gm: /benny give Bob 2")
    rows = told(story.when("red: /benny")).splitlines()
    assert [row.rsplit(": ", 1)[1] for row in rows] == ["2", "5", "2", "2"]
    assert "Boss" in rows[3]


def test_SW_17_the_list_outside_a_session_says_how_they_come() -> None:
    assert "session start" in told(table(RED).when("red: /benny list"))
    assert "场次" in told(table(RED, "gm: /lang zh").when("red: 。助力 列表"))


# ---- whose Benny


def test_SW_22_a_benny_pays_only_for_ones_own_character() -> None:
    story = table(RED, BOB, BOSS, START, "gm: /shaken on as=Bob")
    assert refused(story.when("red: /benny spend unshake as=Bob")) == "not_yours"
    assert refused(story.when("red: /benny spend story as=Boss")) == "not_yours"
    assert refused(story.when("gm: /benny spend unshake as=Bob")) == "not_yours"


def test_SW_22_all_characters_of_a_player_draw_on_the_players_bennies() -> None:
    story = table(RED, "red: /char new Twin", START)
    assert one_of(story.when("red: /benny spend story as=Twin"), BennySpent).left == 2
    assert one_of(story.when("red: /benny spend story"), BennySpent).left == 1
    assert bennies(story, "red") == 1


# ---- what it buys


@pytest.mark.parametrize("line", ["/benny spend unshake", "。助力 花 摆脱动摇", "。助力点 用 动摇"])
def test_SW_23_a_benny_ends_shaken_at_once(line: str) -> None:
    story = table(RED, START, "red: /shaken on")
    answer = story.when(f"red: {line}")
    assert one_of(answer, BennySpent).purpose == "unshake"
    assert one_of(answer, ShakenChanged) == ShakenChanged(character="Red", shaken=False)


def test_SW_23_shaken_ends_out_of_turn_too() -> None:
    story = table(
        RED, GUARD, START, "gm: /init join Guard", "gm: /init deal", "gm: /init next Guard", "red: /shaken on"
    )
    assert not one_of(story.when("red: /benny spend unshake"), ShakenChanged).shaken


@pytest.mark.parametrize("line", ["/benny spend story # a rope", "。助力 花 剧情 # 绳子", "。助力 花 影响故事"])
def test_SW_23_a_benny_influences_the_story(line: str) -> None:
    spent = one_of(table(RED, START).when(f"red: {line}"), BennySpent)
    assert (spent.purpose, spent.left) == ("story", 2)


@pytest.mark.parametrize(("now", "after"), [(2, 7), (0, 5), (8, 10)])
def test_SW_23_a_benny_buys_5_power_points_and_not_above_the_maximum(now: int, after: int) -> None:
    story = table(f"red: /char new Red pp={now} max_pp=10", START)
    answer = story.when("red: /benny spend power")
    assert one_of(answer, TraitSet) == TraitSet(character="Red", trait="pp", value=after, was=now)
    assert one_of(answer, BennySpent).purpose == "power"


def test_SW_23_power_points_used_up_from_the_maximum_come_back() -> None:
    story = table("red: 。角色 新建 小红 奇术点上限=10", START, "red: 。设置 奇术点-=7")
    assert one_of(story.when("red: 。助力 花 奇术点"), TraitSet).value == 8


def test_SW_23_no_benny_goes_where_power_points_are_full_or_missing() -> None:
    full = table("red: /char new Red pp=10 max_pp=10", START)
    assert refused(full.when("red: /benny spend power")) == "limit_reached"
    assert bennies(full, "red") == 3
    none = table(RED, START)
    assert refused(none.when("red: /benny spend power")) == "not_found"
    assert bennies(none, "red") == 3


@pytest.mark.parametrize("purpose", ["story", "unshake", "soak", "card", "damage", "power", "reroll"])
def test_SW_23_with_nothing_left_every_purchase_is_refused_and_nothing_recorded(purpose: str) -> None:
    red = "red: /char new Red wild vigor=d8 pp=1 max_pp=10"
    story = table(
        red, START, *ALL_SPENT, "gm: /init deal", "red: /wound 1", "red: /shaken on", "red: /trait d6 dice=2,3",
        "red: /damage 2d6 dice=2,3",
    )  # fmt: skip
    seq = story.table.ledger.seq
    assert refused(story.when(f"red: /benny spend {purpose}")) == "nothing_to_spend"
    assert story.table.ledger.seq == seq


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("/benny spend", "bad_argument"),
        ("/benny spend gold", "bad_argument"),
        ("/benny spend unshake", "already_done"),
        ("/benny spend soak", "not_found"),
        ("/benny spend damage", "not_found"),
        ("/benny spend card", "not_found"),
        ("/benny spend reroll", "not_found"),
        ("/benny spend story now", "bad_argument"),
        ("/benny spend story from=bank", "bad_argument"),
        ("/benny spend story as=Ghost", "not_found"),
    ],
)
def test_SW_23_what_a_benny_cannot_buy_costs_none(line: str, code: str) -> None:
    story = table(RED, START)
    assert refused(story.when(f"red: {line}")) == code
    assert bennies(story, "red") == 3


def test_SW_23_without_a_session_there_is_nothing_to_spend() -> None:
    story = table(RED, "red: /shaken on")
    assert refused(story.when("red: /benny spend unshake")) == "nothing_to_spend"

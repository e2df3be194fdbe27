"""Contests and stored opposition at a table: who rolls, who wins, who waits."""

from __future__ import annotations

import pytest

from core.messages import Answer
from events.types import (
    ContestOpened,
    ContestReopened,
    ContestStageEnded,
    OppositionRemoved,
    OppositionResolved,
    OppositionStored,
)
from tests.core.systems.storytelling.tables import (
    GHOUL,
    KAREN,
    MARCUS,
    resolved,
    rolled,
    state,
    succeeding,
    table,
)
from tests.story import Story, all_of, one_of, refused, told

OPEN = "gm: /contest open Race"
CHASE = "gm: /contest open Chase target=6 every=turn"


def throw(story: Story, who: str, count: int | None, size: int = 5, title: str = "Race", words: str = "") -> Answer:
    """One side's roll with so many successes; None is a dramatic failure."""
    pool, dice = ("0", "1") if count is None else (str(size), succeeding(count, size))
    return story.when(f"{who}: /contest roll {title} {pool}{words} dice={dice}")


def settle(story: Story, first: int | None, second: int | None, title: str = "Race") -> Answer:
    """Ann's roll, then Bob's."""
    throw(story, "ann", first, title=title)
    return throw(story, "bob", second, title=title)


# ---- instant contests


@pytest.mark.parametrize(
    "line",
    [
        "/contest open Race",
        "/contest open Race sides=2",
        "。竞赛 开 Race",
        "。竞赛 新建 Race 各方=2",
        "！ｃｏｎｔｅｓｔ　ｏｐｅｎ　Race",
    ],
)
def test_ST_12_a_contest_has_two_sides_unless_said_otherwise(line: str) -> None:
    opened = one_of(table().when(f"gm: {line}"), ContestOpened)
    assert (opened.contest, opened.size, opened.sides, opened.target, opened.every_s) == ("Race", 2, (), None, None)


@pytest.mark.parametrize(
    ("first", "second", "winner", "outcome", "status"),
    [
        (4, 3, "ann", "success", "resolved"),
        (3, 4, "bob", "success", "resolved"),
        (2, 5, "bob", "exceptional", "resolved"),
        (3, 3, None, "failure", "draw"),
        (0, 0, None, "failure", "draw"),
        (1, 0, "ann", "success", "resolved"),
        (None, 0, "bob", "success", "resolved"),
        (None, None, None, "failure", "draw"),
    ],
)
def test_ST_12_both_roll_and_more_successes_win(
    first: int | None, second: int | None, winner: str | None, outcome: str, status: str
) -> None:
    over = resolved(settle(table(OPEN), first, second))
    assert (over.winner, over.outcome, over.status) == (winner, outcome, status)
    assert over.totals == {"ann": first or 0, "bob": second or 0}


def test_ST_12_the_winners_result_is_its_own_total_and_not_the_difference() -> None:
    story = table(OPEN, "gm: /lang en")
    over = settle(story, 2, 5)
    assert resolved(over).totals["bob"] == 5
    assert "bob wins (ann 2, bob 5)" in told(over)


@pytest.mark.parametrize("line", ["/contest roll Race", "。竞赛 掷 race", "。竞赛 骰 Ｒａｃｅ"])
def test_ST_12_characters_of_different_people_contend(line: str) -> None:
    story = table(KAREN, GHOUL, "gm: /contest open Race sides=卡伦,Ghoul")
    story.given(f"karen: {line} 耐力+运动 +1(speed) dice={succeeding(4, 7)}")
    made = story.when(f"gm: {line} str+brawl as=Ghoul dice={succeeding(3, 7)}")
    assert (rolled(made).kind, rolled(made).against) == ("contest", "Race")
    assert resolved(made).winner == "卡伦"


def test_ST_12_more_than_two_sides_contend() -> None:
    story = table("gm: /contest open Race sides=3")
    for who, count in (("ann", 2), ("bob", 4)):
        assert len(throw(story, who, count).events) == 1
    over = resolved(throw(story, "cat", 1))
    assert (over.winner, over.totals) == ("bob", {"ann": 2, "bob": 4, "cat": 1})


@pytest.mark.parametrize(
    ("language", "any_side", "named"),
    [("zh", "还差 1 方", "还在等：卡伦"), ("en", "Sides still to roll: 1", "Waiting for: 卡伦")],
)
def test_ST_12_the_bot_says_whom_it_waits_for(language: str, any_side: str, named: str) -> None:
    story = table(KAREN, GHOUL, f"gm: /lang {language}", OPEN, "gm: /contest open Grip sides=卡伦,Ghoul")
    assert any_side in told(throw(story, "karen", 2))
    assert named in told(throw(story, "gm", 2, title="Grip", words=" as=Ghoul"))
    assert named in told(story.when("karen: /contest"))


def test_ST_12_nobody_rolls_twice() -> None:
    story = table(KAREN, GHOUL, OPEN, "gm: /contest open Grip sides=卡伦,Ghoul")
    throw(story, "karen", 2)
    throw(story, "karen", 2, title="Grip")
    for language in ("zh", "en"):
        story.given(f"gm: /lang {language}")
        assert refused(story.when("karen: /contest roll Race 5")) == "already_done"
        assert refused(story.when("karen: /contest roll Grip 5")) == "already_done"


def test_ST_12_a_contest_that_is_over_takes_no_roll_and_no_third_side() -> None:
    story = table(OPEN)
    settle(story, 4, 3)
    before = state(story)
    for language in ("zh", "en"):
        story.given(f"gm: /lang {language}")
        for who in ("ann", "cat"):
            assert refused(story.when(f"{who}: /contest roll Race 5")) == "already_done"
    assert state(story) == before


def test_ST_12_a_third_side_has_no_place_in_a_contest_of_two() -> None:
    story = table(KAREN, GHOUL, "gm: /contest open Grip sides=卡伦,Ghoul", CHASE)
    settle(story, 1, 1, title="Chase")
    for language in ("zh", "en"):
        story.given(f"gm: /lang {language}")
        assert refused(story.when("cat: /contest roll Chase 5")) == "not_allowed"
        assert refused(story.when("cat: /contest roll Grip 5")) == "not_allowed"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("/contest open", "bad_argument"),
        ("/contest open Race target=0", "bad_argument"),
        ("/contest open Race every=-5m", "bad_argument"),
        ("/contest open Race sides=1", "bad_argument"),
        ("/contest open Race sides=21", "bad_argument"),
        ("/contest open Race sides=Ghoul,Nobody", "not_found"),
        ("/contest open Race sides=Ghoul,ghoul", "bad_argument"),
        ("/contest open " + "x" * 65, "too_large"),
        ("/contest roll Race", "bad_argument"),
        ("/contest roll Nothing 5", "not_found"),
        ("/contest close Race", "bad_argument"),
        ("/contest void Nothing", "not_found"),
        ("/contest again Nothing", "not_found"),
        ("/contest Race", "bad_argument"),
    ],
)
def test_ST_12_what_is_no_contest_is_refused_in_one_sentence(line: str, code: str) -> None:
    for language in ("zh", "en"):
        assert refused(table(GHOUL, f"gm: /lang {language}").when(f"gm: {line}")) == code


def test_ST_12_a_contest_is_opened_by_people_of_the_table_once() -> None:
    story = table(KAREN)
    assert refused(story.when("stranger: /contest open Race")) == "not_allowed"
    story.given("karen: /contest open Race")
    assert refused(story.when("gm: /contest open RACE")) == "already_done"
    story.given("gm: /contest void Race", "gm: /contest open RACE")
    assert throw(story, "karen", 2, title="race").error is None


@pytest.mark.parametrize("line", ["/contest again Race", "。竞赛 再来 Race", "。竞赛 继续 race"])
def test_ST_12_the_st_may_have_a_tie_rolled_again(line: str) -> None:
    story = table(KAREN, OPEN)
    settle(story, 3, 3)
    assert refused(story.when("ann: /contest again Race")) == "not_allowed"
    assert one_of(story.when(f"gm: {line}"), ContestReopened).contest == "Race"
    assert refused(story.when("gm: /contest again Race")) == "already_done"
    over = resolved(settle(story, 1, 2))
    assert (over.winner, over.totals) == ("bob", {"ann": 1, "bob": 2})


def test_ST_12_a_tie_is_rolled_again_by_those_who_tied() -> None:
    story = table(OPEN)
    settle(story, 0, 0)
    story.given("gm: /contest again Race")
    assert refused(story.when("cat: /contest roll Race 5")) == "not_allowed"


def test_ST_12_a_contest_that_was_won_is_not_rolled_again() -> None:
    story = table(OPEN)
    settle(story, 4, 3)
    assert refused(story.when("gm: /contest again Race")) == "already_done"


@pytest.mark.parametrize(
    ("language", "text"),
    [("zh", "不分胜负，谁也没成（ann 3、bob 3）"), ("en", "a tie, nobody succeeds (ann 3, bob 3)")],
)
def test_ST_12_the_reply_says_that_a_tie_is_a_failure_for_all(language: str, text: str) -> None:
    assert text in told(settle(table(OPEN, f"gm: /lang {language}"), 3, 3))


def test_ST_12_again_and_rote_go_with_a_contest_roll() -> None:
    made = rolled(table(OPEN).when("ann: /contest roll Race 2 again=8 rote dice=8,2,7,8,3"))
    assert (made.again, made.rote, made.total) == (8, True, 2)


# ---- exceptional and dramatic


@pytest.mark.parametrize(
    ("house", "first", "second", "outcome"),
    [
        ("total", 5, 4, "exceptional"),
        ("margin", 5, 4, "success"),
        ("margin", 5, 0, "exceptional"),
        ("total", 4, 0, "success"),
    ],
)
def test_ST_13_the_house_says_when_a_contest_is_won_exceptionally(
    house: str, first: int, second: int, outcome: str
) -> None:
    for key in ("contested-exceptional", "对抗额外成功"):
        over = settle(table(f"gm: /house {key} {house}", OPEN), first, second)
        assert resolved(over).outcome == outcome
        assert ("额外成功！" in told(over).splitlines()[-1] or "exceptional" in told(over).splitlines()[-1]) == (
            outcome == "exceptional"
        )


@pytest.mark.parametrize(("house", "outcome"), [("plain", "success"), ("exceptional", "exceptional")])
@pytest.mark.parametrize("other", [0, 2])
def test_ST_14_a_dramatic_failure_loses_and_the_house_says_how_well_the_other_wins(
    house: str, outcome: str, other: int
) -> None:
    for key in ("contested-dramatic", "对抗大失败"):
        over = resolved(settle(table(f"gm: /house {key} {house}", OPEN), None, other))
        assert (over.winner, over.outcome) == ("bob", outcome)


@pytest.mark.parametrize(
    "line", ["contested-exceptional sometimes", "contested-dramatic on", "retry later", "players-extended gm"]
)
def test_ST_13_a_house_option_takes_its_own_values_alone(line: str) -> None:
    assert refused(table().when(f"gm: /house {line}")) == "bad_argument"


# ---- extended contests


def stages(story: Story, *rolls: tuple[int, int]) -> list[Answer]:
    return [settle(story, first, second, title="Chase") for first, second in rolls]


def test_ST_16_the_race_of_the_seed() -> None:
    answers = stages(table(CHASE), (1, 3), (3, 0), (0, 3))
    ended = [one_of(answer, ContestStageEnded) for answer in answers]
    assert [one.stage for one in ended] == [1, 2, 3]
    assert [one.leader for one in ended] == ["bob", "ann", "bob"]
    assert [one.totals for one in ended] == [{"ann": 1, "bob": 3}, {"ann": 4, "bob": 3}, {"ann": 4, "bob": 6}]
    assert [len(answer.events) for answer in answers] == [2, 2, 3]
    over = resolved(answers[-1])
    assert (over.winner, over.outcome, over.totals) == ("bob", "success", {"ann": 4, "bob": 6})


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("zh", ("第 1 段（3 秒）：ann 1、bob 3，领先：bob", "领先：不分上下", "bob 胜（ann 3、bob 6）")),
        ("en", ("Stage 1 (3 s): ann 1, bob 3; ahead: bob", "ahead: nobody", "bob wins (ann 3, bob 6)")),
    ],
)
def test_ST_16_the_reply_says_who_leads_each_stage(language: str, texts: tuple[str, ...]) -> None:
    answers = stages(table(CHASE, f"gm: /lang {language}"), (1, 3), (2, 0), (0, 3))
    assert all(text in told(answer) for answer, text in zip(answers, texts, strict=True))


def test_ST_16_both_there_in_the_same_stage_is_a_draw() -> None:
    for language, text in (("zh", "没有胜者"), ("en", "nobody wins")):
        (_, last) = stages(table(CHASE, f"gm: /lang {language}"), (3, 4), (3, 3))
        assert (resolved(last).winner, resolved(last).status) == (None, "draw")
        assert text in told(last)


def test_ST_16_the_st_may_let_a_draw_go_on_until_one_is_ahead() -> None:
    story = table(CHASE)
    stages(story, (6 - 2, 4), (2, 2))
    story.given("gm: /contest again Chase")
    (level,) = stages(story, (1, 1))
    assert (resolved(level).status, resolved(level).totals) == ("draw", {"ann": 7, "bob": 7})
    story.given("gm: /contest again Chase")
    (over,) = stages(story, (0, 1))
    assert (resolved(over).winner, resolved(over).totals) == ("bob", {"ann": 7, "bob": 8})


@pytest.mark.parametrize("line", ["/contest void Chase", "。竞赛 作废 chase", "。竞赛 无效 Chase"])
def test_ST_16_the_st_may_end_it_as_void(line: str) -> None:
    story = table(KAREN, CHASE)
    stages(story, (1, 3))
    assert refused(story.when("karen: /contest void Chase")) == "not_allowed"
    over = resolved(story.when(f"gm: {line}"))
    assert (over.winner, over.status, over.outcome, over.totals) == (None, "void", None, {"ann": 1, "bob": 3})
    assert refused(story.when("ann: /contest roll Chase 5")) == "already_done"
    assert refused(story.when("gm: /contest again Chase")) == "already_done"


def test_ST_16_several_contests_run_side_by_side() -> None:
    story = table(CHASE, OPEN)
    throw(story, "ann", 2, title="Chase")
    throw(story, "ann", 3, title="Race")
    assert resolved(throw(story, "bob", 1, title="Race")).contest == "Race"
    assert one_of(throw(story, "bob", 3, title="Chase"), ContestStageEnded).totals == {"ann": 2, "bob": 3}


def test_ST_14_a_dramatic_failure_in_a_race_of_two_loses_it() -> None:
    story = table(CHASE)
    stages(story, (4, 1))
    throw(story, "ann", None, title="Chase")
    last = throw(story, "bob", 0, title="Chase")
    assert one_of(last, ContestStageEnded).fallen == ("ann",)
    assert resolved(last).winner == "bob"


def test_ST_14_in_a_race_of_three_the_others_run_on() -> None:
    story = table("gm: /lang en", "gm: /contest open Chase target=4 sides=3")
    throw(story, "ann", None, title="Chase")
    throw(story, "bob", 2, title="Chase")
    third = throw(story, "cat", 1, title="Chase")
    ended = one_of(third, ContestStageEnded)
    assert (ended.fallen, ended.leader) == (("ann",), "bob")
    assert "ann: dramatic failure, out of the contest" in told(third)
    assert refused(story.when("ann: /contest roll Chase 5")) == "not_allowed"
    assert "Waiting for: cat" in told(throw(story, "bob", 1, title="Chase"))
    over = resolved(throw(story, "cat", 3, title="Chase"))
    assert (over.winner, over.totals) == ("cat", {"ann": 0, "bob": 3, "cat": 4})


@pytest.mark.parametrize("line", ["/contest", "/contest list", "。竞赛 列表"])
def test_ST_16_the_list_shows_what_is_going_on(line: str) -> None:
    story = table("gm: /lang en", CHASE, OPEN)
    stages(story, (1, 3))
    settle(story, 4, 3)
    throw(story, "bob", 1, title="Chase")
    answer = story.when(f"ann: {line}")
    assert answer.events == ()
    assert "“Chase” (first to 6), 2 sides: ann 1, bob 3" in told(answer)
    assert "Waiting for: ann" in told(answer)
    assert "Race" not in told(answer)
    assert told(table().when(f"ann: {line}"))


# ---- stored opposition


@pytest.mark.parametrize("line", ["/store Firewall", "。存放 Firewall", "！ｓｔｏｒｅ　Firewall"])
def test_ST_15_successes_are_kept_under_a_name(line: str) -> None:
    answer = table().when(f"admin: {line} 4 dice=8,8,9,9")
    stored = one_of(answer, OppositionStored)
    assert (stored.title, stored.successes, stored.by, stored.roll) == ("Firewall", 4, "admin", 1)
    assert rolled(answer).kind == "store"


@pytest.mark.parametrize(("count", "winner"), [(0, "Firewall"), (4, "Firewall"), (5, "hacker")])
def test_ST_15_the_firewall_of_the_seed(count: int, winner: str) -> None:
    story = table("admin: /store Firewall 4 dice=8,8,9,9")
    for line in ("/challenge Firewall", "。挑战 ｆｉｒｅｗａｌｌ"):
        answer = story.when(f"hacker: {line} 6 dice={succeeding(count, 6)}")
        over = one_of(answer, OppositionResolved)
        assert over.winner == winner
        assert {over.winner, over.loser} == {"Firewall", "hacker"}
        assert (over.active, over.defending) == (rolled(answer).roll, 1)


@pytest.mark.parametrize(
    ("language", "held", "broken"),
    [
        ("zh", "挡住了 hacker（要多于 4）", "胜过「Firewall」"),
        ("en", "holds against hacker (it takes more than 4)", "overcomes “Firewall”"),
    ],
)
def test_ST_15_the_reply_says_what_it_took(language: str, held: str, broken: str) -> None:
    story = table(f"gm: /lang {language}", "admin: /store Firewall 4 dice=8,8,9,9")
    assert held in told(story.when(f"hacker: /challenge Firewall 6 dice={succeeding(4, 6)}"))
    assert broken in told(story.when(f"hacker: /challenge Firewall 6 dice={succeeding(5, 6)}"))


def test_ST_15_what_is_stored_is_there_in_a_later_session() -> None:
    story = table(
        "gm: /session start", "admin: /store Firewall 4 dice=8,8,9,9", "gm: /session end", "gm: /session start"
    )
    assert one_of(story.when("hacker: /challenge Firewall 5 dice=8,8,8,8,8"), OppositionResolved).winner == "hacker"


def test_ST_15_a_challenger_of_the_same_name_as_another_store_is_told_right() -> None:
    story = table("gm: /lang en", "admin: /store Wall 1 dice=8", "admin: /store hacker 1 dice=8")
    assert "hacker overcomes “Wall”" in told(story.when("hacker: /challenge Wall 2 dice=8,8"))


@pytest.mark.parametrize(
    ("who", "line", "code"),
    [
        ("admin", "/store Firewall 5", "already_done"),
        ("admin", "/store FIREWALL 5", "already_done"),
        ("admin", "/challenge Firewall 5", "not_allowed"),
        ("hacker", "/challenge Nothing 5", "not_found"),
        ("hacker", "/challenge Firewall", "bad_argument"),
        ("hacker", "/challenge", "bad_argument"),
        ("admin", "/store Cache", "bad_argument"),
        ("admin", "/store Cache 1001", "too_large"),
        ("admin", "/store Cache 5 again=7", "bad_argument"),
        ("admin", "/store drop Firewall", "not_allowed"),
        ("gm", "/store drop Nothing", "not_found"),
        ("gm", "/store drop", "bad_argument"),
    ],
)
def test_ST_15_what_cannot_be_stored_or_challenged_is_refused_in_one_sentence(who: str, line: str, code: str) -> None:
    for language in ("zh", "en"):
        story = table(f"gm: /lang {language}", "admin: /store Firewall 4 dice=8,8,9,9")
        assert refused(story.when(f"{who}: {line}")) == code


def test_ST_15_the_list_shows_what_is_stored_and_the_st_takes_it_down() -> None:
    story = table("gm: /lang en", "admin: /store Firewall 4 dice=8,8,9,9")
    for line in ("/store", "/store list", "。存放 列表"):
        assert "“Firewall” 4 (admin)" in told(story.when(f"ann: {line}"))
    assert one_of(story.when("gm: 。存放 拆除 firewall"), OppositionRemoved).title == "Firewall"
    assert refused(story.when("hacker: /challenge Firewall 5")) == "not_found"
    assert "Nothing is stored" in told(story.when("ann: /store"))
    story.given("admin: /store Firewall 4")


def test_ST_15_again_and_rote_go_with_both_rolls() -> None:
    story = table()
    stored = rolled(story.when("admin: /store Cache 2 again=9 rote dice=9,2,8,8"))
    thrown = rolled(story.when("hacker: /challenge Cache 2 again=no rote dice=10,2,8"))
    assert (stored.again, stored.rote, stored.total) == (9, True, 3)
    assert (thrown.again, thrown.rote, thrown.total) == (11, True, 2)


@pytest.mark.parametrize(
    ("house", "count", "outcome"), [("total", 5, "exceptional"), ("margin", 5, "success"), ("margin", 7, "exceptional")]
)
def test_ST_13_the_house_says_when_a_challenger_wins_exceptionally(house: str, count: int, outcome: str) -> None:
    story = table(f"gm: /house contested-exceptional {house}", "admin: /store Wall 2 dice=8,8")
    answer = story.when(f"hacker: /challenge Wall 8 dice={succeeding(count, 8)}")
    assert one_of(answer, OppositionResolved).outcome == outcome


def test_ST_14_a_challengers_dramatic_failure_is_what_the_house_says() -> None:
    story = table("gm: /house contested-dramatic exceptional", "admin: /store Wall 1 dice=2")
    over = one_of(story.when("hacker: /challenge Wall 0 dice=1"), OppositionResolved)
    assert (over.winner, over.outcome) == ("Wall", "exceptional")


def test_ST_12_marcus_rolls_as_himself_in_all_of_them() -> None:
    story = table(MARCUS, OPEN, "marcus: /store Trap wits+crafts", "marcus: /contest roll Race str+athletics")
    assert state(story).stored["Trap"].by == "Marcus"
    assert list(state(story).contests["Race"].rolls) == ["Marcus"]
    assert all_of(story.when("marcus: /store"), OppositionStored) == []

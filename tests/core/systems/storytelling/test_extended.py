"""Extended actions at a table: started, rolled, failed, tried again, ended."""

from __future__ import annotations

import pytest

from events.types import ExtendedModified, ExtendedProgress, ExtendedRetried, ExtendedStarted, Modifier, RollMade
from tests.core.systems.storytelling.tables import (
    CHAINSAW,
    MARCUS,
    progress,
    rolled,
    state,
    succeeding,
    table,
)
from tests.story import Story, one_of, refused, told

SHELTER = "gm: /extended new Shelter target=15 every=1d limit=traits"


def started(line: str, *before: str) -> ExtendedStarted:
    return one_of(table(*before).when(line), ExtendedStarted)


def roll(story: Story, count: int, size: int = 6, title: str = "", words: str = "") -> ExtendedProgress:
    """Marcus rolls a pool of numbers of which so many succeed."""
    line = f"marcus: /extended roll {title} {size}{words} dice={succeeding(count, size)}"
    return progress(story.when(line))


# ---- starting


@pytest.mark.parametrize(
    "line",
    [
        "/extended new Chainsaw target=10 every=15m",
        "/ext new Chainsaw every=15m target=10",
        "。持续 新建 Chainsaw 目标=10 每次=15分钟",
        "。持续 开始 Chainsaw target=复杂 间隔=15m",
        "！ｅｘｔｅｎｄｅｄ　ｎｅｗ　Chainsaw　ｔａｒｇｅｔ＝１０　ｅｖｅｒｙ＝１５ｍ",
        "/extended new Chainsaw target=complex every=900s",
    ],
)
def test_ST_05_an_extended_action_has_a_target_and_an_interval(line: str) -> None:
    action = started(f"gm: {line}")
    assert (action.action, action.target, action.every_s, action.limit) == ("Chainsaw", 10, 900, None)
    assert (action.pool, action.secret, action.by_traits, action.by) == ("", False, False, "gm")


@pytest.mark.parametrize(("word", "seconds"), [("turn", 3), ("短暂", 3), ("较短", 600), ("较长", 1800), ("很长", 3600),
                                               ("漫长", 86_400), ("极端漫长", 604_800), ("1w", 604_800),
                                               ("month", 2_592_000), ("2d", 172_800)])  # fmt: skip
def test_ST_10_an_interval_is_named_or_given(word: str, seconds: int) -> None:
    assert started(f"gm: /extended new A target=5 every={word}").every_s == seconds


@pytest.mark.parametrize(
    ("word", "target"), [("easy", 5), ("复杂", 10), ("hard", 15), ("艰巨", 20), ("艰苦卓绝", 25), ("7", 7)]
)
def test_ST_11_a_target_is_named_or_given(word: str, target: int) -> None:
    assert started(f"gm: /extended new A target={word}").target == target


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("/extended new A", "bad_argument"),
        ("/extended new target=5", "bad_argument"),
        ("/extended new A target=0", "bad_argument"),
        ("/extended new A target=-3", "bad_argument"),
        ("/extended new A target=1001", "bad_argument"),
        ("/extended new A target=soon", "bad_argument"),
        ("/extended new A target=5 every=-5m", "bad_argument"),
        ("/extended new A target=5 every=0m", "bad_argument"),
        ("/extended new A target=5 every=5", "bad_argument"),
        ("/extended new A target=5 limit=0", "bad_argument"),
        ("/extended new A target=5 limit=often", "bad_argument"),
        ("/extended new A target=5 every=1d limit=2h", "bad_argument"),
        ("/extended new A target=5 limit=traits 0", "bad_argument"),
        ("/extended new A target=5 1001", "too_large"),
        ("/extended new A target=5 3 4", "bad_argument"),
        ("/extended new " + "x" * 65 + " target=5", "too_large"),
        ("/extended begin A", "bad_argument"),
    ],
)
def test_ST_05_what_is_no_extended_action_is_refused_in_one_sentence(line: str, code: str) -> None:
    for language in ("zh", "en"):
        assert refused(table(f"gm: /lang {language}").when(f"gm: {line}")) == code


def test_ST_05_players_start_one_where_the_house_allows_it() -> None:
    story = table(MARCUS)
    assert refused(story.when("marcus: /extended new Chainsaw target=10")) == "not_allowed"
    story.given("gm: 。房规 玩家发起持续动作 开")
    action = one_of(story.when("marcus: /extended new Chainsaw target=10"), ExtendedStarted)
    assert (action.action, action.by) == ("Chainsaw", "marcus")


def test_ST_05_two_actions_of_one_name_do_not_run_at_once() -> None:
    story = table(CHAINSAW)
    assert refused(story.when("gm: /extended new ｃｈａｉｎｓａｗ target=5")) == "already_done"
    story.given("gm: /extended end Chainsaw", "gm: /extended new chainsaw target=5")
    assert roll(story, 1, title="CHAINSAW").target == 5


# ---- rolling


def test_ST_05_the_chainsaw_of_the_seed() -> None:
    story = table(MARCUS, CHAINSAW)
    steps = [roll(story, count, title="Chainsaw", size=10) for count in (3, 2, 0, 6)]
    assert [step.successes for step in steps] == [3, 2, 0, 6]
    assert [step.total for step in steps] == [3, 5, 5, 11]
    assert [step.rolls for step in steps] == [1, 2, 3, 4]
    assert [step.elapsed_s for step in steps] == [900, 1800, 2700, 3600]
    assert [step.status for step in steps] == ["running", "running", "running", "complete"]
    assert [step.exceptional for step in steps] == [None, None, None, "roll"]


@pytest.mark.parametrize(
    "line",
    [
        "/extended roll Chainsaw wits+crafts +3(parts)",
        "/ext roll chainsaw 机智+工艺 +3(parts)",
        "/extended roll wits+crafts +3(parts)",
        "。持续 掷 Chainsaw 机智+工艺 ＋３（parts）",
        "。持续 继续 机智＋工艺 +3(parts)",
        '/extended roll "Chainsaw" 7 +3(parts)',
    ],
)
def test_ST_05_a_roll_names_the_action_or_the_only_one_is_meant(line: str) -> None:
    answer = table(MARCUS, CHAINSAW).when(f"marcus: {line} dice={succeeding(3, 10)}")
    made, after = rolled(answer), progress(answer)
    assert (made.kind, made.against, made.character) == ("extended", "Chainsaw", "Marcus")
    assert made.modifiers == (Modifier("parts", 3),)
    assert (after.action, after.total) == ("Chainsaw", 3)


def test_ST_05_an_actions_own_pool_is_rolled_unless_another_is_given() -> None:
    story = table(MARCUS, f"{CHAINSAW} 机智+工艺 +3(parts)")
    assert len(rolled(story.when("marcus: /extended roll again=no")).dice[0].faces) == 10
    assert len(rolled(story.when("marcus: /extended roll Chainsaw 4 again=no")).dice[0].faces) == 4


def test_ST_05_steps_alone_go_on_top_of_the_actions_own_pool() -> None:
    story = table(MARCUS, f"{CHAINSAW} 7 +3(parts)")
    made = rolled(story.when(f"marcus: /extended roll Chainsaw -2(dark) dice={succeeding(1, 8)}"))
    assert made.modifiers == (Modifier("parts", 3), Modifier("dark", -2))
    assert rolled(story.when(f"marcus: /extended roll +1 dice={succeeding(1, 11)}")).modifier == 4


def test_ST_05_several_actions_run_at_once_and_must_then_be_named() -> None:
    story = table(MARCUS, CHAINSAW, "gm: /extended new 研究 target=5 every=1w")
    assert refused(story.when("marcus: /extended roll 7")) == "bad_argument"
    assert roll(story, 1, title="研究").elapsed_s == 604_800
    assert roll(story, 2, title="Chainsaw").elapsed_s == 900
    assert {title: one.total for title, one in state(story).extended.items()} == {"Chainsaw": 2, "研究": 1}


def test_ST_05_again_and_rote_go_with_an_extended_roll() -> None:
    story = table(MARCUS, CHAINSAW)
    made = rolled(story.when("marcus: /extended roll Chainsaw 3 again=9 rote dice=9,2,8,9,2,8"))
    assert (made.again, made.rote, made.total) == (9, True, 4)


@pytest.mark.parametrize("line", ["/extended roll", "/extended roll Chainsaw", "/extended roll Nothing 7"])
def test_ST_05_a_roll_without_a_pool_or_an_action_is_refused(line: str) -> None:
    assert refused(table(MARCUS, CHAINSAW).when(f"marcus: {line}")) == "not_found"
    assert refused(table(MARCUS).when("marcus: /extended roll 7")) == "not_found"


@pytest.mark.parametrize("end", ["complete", "failed", "ended"])
def test_ST_05_an_action_that_is_over_takes_no_roll(end: str) -> None:
    story = table(MARCUS, "gm: /extended new Lock target=3 limit=1")
    if end == "ended":
        story.given("gm: /extended end Lock")
    else:
        assert roll(story, 3 if end == "complete" else 1).status == end
    before = story.table
    for language in ("zh", "en"):
        story.given(f"gm: /lang {language}", "gm: /undo")
        assert refused(story.when("marcus: /extended roll Lock 5")) == "already_done"
    assert state(story) == before.play.rules
    assert refused(story.when("gm: /extended mod Lock -1")) == "already_done"


@pytest.mark.parametrize(
    ("language", "first", "last"),
    [
        ("zh", "Chainsaw ▓▓▓▓▓░░░░░ 5/10 · 3 次 · 45 分钟", "完成"),
        ("en", "Chainsaw ▓▓▓▓▓░░░░░ 5/10 · rolls: 3 · 45 min", "complete"),
    ],
)
def test_ST_05_the_reply_has_a_bar_the_rolls_and_the_clock(language: str, first: str, last: str) -> None:
    story = table(MARCUS, f"gm: /lang {language}", f"{CHAINSAW} 10")
    story.given(*(f"marcus: /extended roll dice={succeeding(count, 10)}" for count in (3, 2)))
    assert first in told(story.when(f"marcus: /extended roll dice={succeeding(0, 10)}"))
    done = told(story.when(f"marcus: /extended roll dice={succeeding(6, 10)}"))
    assert "▓▓▓▓▓▓▓▓▓▓ 11/10" in done
    assert last in done


def test_ST_05_the_list_shows_every_action_those_running_first() -> None:
    story = table(
        MARCUS, CHAINSAW, "gm: /extended new Research target=5 every=1d limit=4", "gm: /extended end Chainsaw"
    )
    assert refused(table().when("gm: /extended list all")) == "bad_argument"
    for line in ("/extended", "/extended list", "。持续 列表"):
        answer = story.when(f"marcus: {line}")
        first, second = told(answer).splitlines()
        assert answer.events == ()
        assert "Research" in first
        assert "0/4" in first
        assert "Chainsaw" in second
    assert told(table().when("ann: /extended"))


# ---- dramatic failures


@pytest.mark.parametrize(("language", "text"), [("zh", "从头开始"), ("en", "starts from nothing")])
def test_ST_06_a_dramatic_failure_loses_all_successes(language: str, text: str) -> None:
    story = table(MARCUS, f"gm: /lang {language}", "gm: /extended new Papers target=complex every=10m")
    assert roll(story, 2).total == 2
    answer = story.when("marcus: /extended roll Papers 4-6 dice=1")
    after = progress(answer)
    assert (after.total, after.status, after.rolls, after.elapsed_s) == (0, "reset", 2, 1200)
    assert text in told(answer)
    assert (roll(story, 1).total, roll(story, 1).status) == (1, "running")


def test_ST_06_a_failed_chance_die_loses_nothing() -> None:
    story = table(MARCUS, "gm: /extended new Papers target=10")
    roll(story, 2)
    after = progress(story.when("marcus: /extended roll Papers 0 dice=9"))
    assert (after.total, after.status) == (2, "running")


def test_ST_06_the_st_may_end_it() -> None:
    story = table(MARCUS, "gm: /extended new Papers target=10", "marcus: /extended roll Papers 0 dice=1")
    assert refused(story.when("marcus: /extended end Papers")) == "not_allowed"
    ended = progress(story.when("gm: 。持续 结束 Papers"))
    assert (ended.status, ended.successes, ended.rolls) == ("ended", 0, 1)
    assert refused(story.when("gm: /extended end Papers")) == "already_done"


# ---- completion


@pytest.mark.parametrize(
    ("counts", "total", "exceptional", "zh", "en"),
    [
        ((3, 3, 3, 1), 10, None, "完成", "complete"),
        ((4, 4, 1, 6), 15, "total", "超出目标 5 个以上", "5 or more over the target"),
        ((4, 1, 5), 10, "roll", "这一次就有 5 个以上", "5 or more successes in this roll"),
    ],
)
def test_ST_07_it_is_said_by_which_rule_it_was_exceptional(
    counts: tuple[int, ...], total: int, exceptional: str | None, zh: str, en: str
) -> None:
    for language, text in (("zh", zh), ("en", en)):
        story = table(MARCUS, f"gm: /lang {language}", "gm: /extended new Councillor target=10 6")
        *_, last = [story.when(f"marcus: /extended roll dice={succeeding(count, 6)}") for count in counts]
        after = progress(last)
        assert (after.total, after.status, after.exceptional) == (total, "complete", exceptional)
        assert text in told(last)


# ---- limits


def test_ST_08_four_days_at_a_day_a_roll_are_four_rolls() -> None:
    story = table(MARCUS, "gm: /extended new Shelter target=15 every=1d limit=4d")
    assert state(story).extended["Shelter"].limit == 4
    steps = [roll(story, 2) for _ in range(4)]
    assert [step.status for step in steps] == ["running", "running", "running", "failed"]
    assert (steps[-1].elapsed_s, steps[-1].limit) == (345_600, 4)


@pytest.mark.parametrize(
    ("every", "limit", "most"),
    [("15m", "1h", 4), ("1m", "3m", 3), ("1d", "5d", 5), ("15m", "59m", 3), ("turn", "7", 7)],
)
def test_ST_08_a_deadline_is_as_many_rolls_as_fit(every: str, limit: str, most: int) -> None:
    assert started(f"gm: /extended new A target=5 every={every} limit={limit}").limit == most


@pytest.mark.parametrize("word", ["traits", "属性", "特性"])
def test_ST_08_a_limit_by_traits_is_attribute_and_skill_without_modifiers(word: str) -> None:
    story = table(MARCUS, f"gm: /extended new Shelter target=15 every=1d limit={word} 智力+工艺 +1(工具)")
    first = progress(story.when(f"marcus: /extended roll dice={succeeding(2, 7)}"))
    assert first.limit == 6
    steps = [progress(story.when(f"marcus: /extended roll dice={succeeding(count, 7)}")) for count in (2, 2, 2, 2, 3)]
    assert [(step.total, step.status) for step in steps[-2:]] == [(10, "running"), (13, "failed")]


def test_ST_08_a_limit_by_traits_of_numbers_is_known_at_once() -> None:
    assert started(f"{SHELTER} 4+2 +1(tools)").limit == 6
    assert started(f"{SHELTER} 6-1").limit == 6
    assert started(f"{SHELTER} 6+1").limit == 7


def test_ST_08_a_limit_by_traits_is_that_of_whoever_rolls_not_of_the_st() -> None:
    boss = "gm: /char new Boss int=9 crafts=9"
    story = table(MARCUS, boss, "gm: /char use Boss", f"{SHELTER} int+crafts")
    assert progress(story.when("marcus: /extended roll again=no")).limit == 6


def test_ST_08_an_action_may_name_traits_that_the_st_has_not() -> None:
    story = table(MARCUS, "gm: /char new Boss int=2", "gm: /char use Boss", "gm: /extended new A target=5 wits+crafts")
    assert len(rolled(story.when("marcus: /extended roll again=no")).dice[0].faces) == 7


def test_ST_08_a_limit_by_traits_needs_traits() -> None:
    assert refused(table(MARCUS, SHELTER).when("marcus: /extended roll 0 dice=10,1")) == "bad_argument"


@pytest.mark.parametrize(("language", "text"), [("zh", "再试"), ("en", "extended retry")])
def test_ST_08_the_reply_says_that_the_attempt_failed_and_what_may_follow(language: str, text: str) -> None:
    story = table(MARCUS, f"gm: /lang {language}", "gm: /extended new Lock target=9 limit=1")
    shown = told(story.when("marcus: /extended roll Lock 3 dice=8,1,1"))
    assert "❌" in shown
    assert "1/1" in shown
    assert text in shown


# ---- trying again


def test_ST_09_the_shelter_is_tried_again_at_minus_one_and_then_minus_two() -> None:
    story = table(MARCUS, f"{SHELTER} int+crafts +1(tools)")
    for attempt, penalty in ((1, 0), (2, -1), (3, -2)):
        made = story.when(f"marcus: /extended roll dice={succeeding(2, 7 + penalty)}")
        assert rolled(made).modifier == 1 + penalty
        assert (progress(made).attempt, progress(made).rolls, progress(made).total) == (attempt, 1, 2)
        steps = [
            progress(story.when(f"marcus: /extended roll dice={succeeding(count, 7 + penalty)}"))
            for count in (2, 2, 2, 2, 3)
        ]
        assert (steps[-1].status, steps[-1].total) == ("failed", 13)
        retried = one_of(story.when("gm: /extended retry Shelter"), ExtendedRetried)
        assert (retried.attempt, retried.penalty) == (attempt + 1, penalty - 1)


def test_ST_09_the_penalty_is_on_every_roll_and_named() -> None:
    story = table(MARCUS, "gm: /extended new Lock target=9 limit=2", "marcus: /extended roll 1 dice=1")
    story.given("marcus: /extended roll 1 dice=1", "gm: 。持续 再试 Lock", "gm: /lang en")
    for _ in range(2):
        answer = story.when(f"marcus: /extended roll 3 dice={succeeding(1, 2)}")
        assert rolled(answer).modifiers == (Modifier("retry", -1),)
        assert "successive attempt" in told(answer)


def test_ST_09_the_st_alone_allows_another_attempt_and_only_after_a_failure() -> None:
    story = table(MARCUS, "gm: /extended new Lock target=9 limit=1")
    assert refused(story.when("gm: /extended retry Lock")) == "already_done"
    roll(story, 1)
    assert refused(story.when("marcus: /extended retry Lock")) == "not_allowed"
    assert refused(story.when("gm: /extended retry Door")) == "not_found"
    story.given("gm: /extended retry")
    assert refused(story.when("gm: /extended retry Lock")) == "already_done"


def test_ST_09_a_completed_action_is_not_tried_again() -> None:
    story = table(MARCUS, "gm: /extended new Lock target=1")
    roll(story, 1)
    assert refused(story.when("gm: /extended retry Lock")) == "already_done"


def test_ST_09_where_the_house_says_so_another_attempt_waits_for_the_next_scene() -> None:
    story = table(MARCUS, "gm: /house retry scene", "gm: /scene One", "gm: /extended new Lock target=9 limit=1")
    roll(story, 1)
    assert refused(story.when("gm: /extended retry Lock")) == "not_allowed"
    story.given("gm: /scene Two", "gm: /extended retry Lock")
    assert roll(story, 1, size=6, words="+1").attempt == 2


def test_ST_09_a_player_does_not_shed_the_penalty_by_starting_anew() -> None:
    story = table(MARCUS, "gm: /house players-extended on", "marcus: /extended new Lock target=9 limit=1")
    roll(story, 1)
    assert refused(story.when("marcus: /extended new Lock target=9")) == "already_done"
    story.given("gm: /extended new Lock target=9")


# ---- ST-17


@pytest.mark.parametrize(
    "line", ["/extended mod Chainsaw -4(fire)", "。持续 修正 Chainsaw －４（fire）", "/ext modify -4(fire)"]
)
def test_ST_17_the_st_puts_a_modifier_on_the_next_roll_alone(line: str) -> None:
    story = table(MARCUS, f"{CHAINSAW} 7")
    modified = one_of(story.when(f"gm: {line}"), ExtendedModified)
    assert (modified.action, modified.name, modified.value) == ("Chainsaw", "fire", -4)
    assert rolled(story.when(f"marcus: /extended roll dice={succeeding(1, 3)}")).modifiers == (Modifier("fire", -4),)
    assert rolled(story.when(f"marcus: /extended roll dice={succeeding(1, 7)}")).modifiers == ()


def test_ST_17_down_to_the_chance_die() -> None:
    story = table(MARCUS, f"{CHAINSAW} 7", "gm: /extended mod -5(fire) -5(smoke)")
    answer = story.when("marcus: /extended roll dice=1")
    assert rolled(answer).dice[0].role == "chance"
    assert rolled(answer).modifier == -10
    assert progress(answer).status == "reset"


@pytest.mark.parametrize(
    ("who", "line", "code"),
    [
        ("marcus", "/extended mod Chainsaw +4", "not_allowed"),
        ("gm", "/extended mod Chainsaw", "bad_argument"),
        ("gm", "/extended mod Chainsaw wits", "bad_argument"),
        ("gm", "/extended mod Nothing -4", "not_found"),
    ],
)
def test_ST_17_only_the_st_does_and_only_with_a_number(who: str, line: str, code: str) -> None:
    assert refused(table(MARCUS, CHAINSAW).when(f"{who}: {line}")) == code


# ---- secret targets


@pytest.mark.parametrize("word", ["secret", "秘密", "暗骰"])
def test_ST_05_players_see_the_progress_towards_a_secret_target_and_not_the_target(word: str) -> None:
    story = table(MARCUS, "gm: /lang en")
    opened = story.when(f"gm: /extended new Curse target=97 every=1h {word} 60")
    assert one_of(opened, ExtendedStarted).secret
    shown = [told(opened)]
    shown += [told(story.when(f"marcus: /extended roll dice={succeeding(count, 60)}")) for count in (3, 2, 45)]
    shown += [told(story.when("marcus: /extended")), told(story.when("marcus: /history 20"))]
    assert all("97" not in text and "▓" not in text for text in shown)
    assert "50/?" in shown[3]
    assert "97" not in told(story.when(f"marcus: /extended roll dice={succeeding(45, 60)}"))
    assert "98/97" in told(story.when(f"marcus: /extended roll dice={succeeding(3, 60)}"))


# ---- what is started is one roll made later


def test_ST_05_each_roll_is_a_roll_of_the_record_too() -> None:
    story = table(MARCUS, f"{CHAINSAW} 10")
    made = one_of(story.when("marcus: /extended roll"), RollMade)
    assert (made.source, made.roll, made.kind) == ("fair", 1, "extended")


def test_ST_05_a_secret_target_is_told_to_the_st_alone() -> None:
    story = table()
    started = story.when("gm: /extended new Code target=15 every=1h secret 5")
    assert "15" in told(started, "gm")
    assert "15" not in told(started)
    rolled = story.when("ann: /extended roll Code dice=8,8,1,2,3")
    assert "2/15" in told(rolled, "gm")
    assert "15" not in told(rolled)

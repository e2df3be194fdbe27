"""The rules as pure functions: successes in, outcome out."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.refusal import Refusal
from core.systems.storytelling import rules
from core.systems.storytelling.rules import Progress, Result, Side
from events.types import Die

COUNTS = st.integers(0, 12)
SIDES = st.dictionaries(st.sampled_from("abcde"), st.builds(Side, COUNTS, st.just(False)), min_size=2)


def key_of(read: object, *words: object) -> str:
    with pytest.raises(Refusal) as refused:
        read(*words)  # type: ignore[operator]
    return refused.value.key


# ---- one roll


@pytest.mark.parametrize(
    ("count", "outcome"),
    [(0, "failure"), (1, "success"), (4, "success"), (5, "exceptional"), (9, "exceptional")],
)
def test_ST_02_one_success_succeeds_and_five_are_exceptional(count: int, outcome: str) -> None:
    assert rules.outcome((Die(10, "pool", (8,) * count + (7, 1, 1)),)) == outcome


@pytest.mark.parametrize(
    ("dice", "outcome"),
    [
        ((1,), "dramatic_failure"),
        ((2,), "failure"),
        ((8,), "failure"),
        ((9,), "failure"),
        ((10, 1), "success"),
        ((10, 9), "success"),
        ((10, 10, 10, 10, 10, 3), "exceptional"),
    ],
)
def test_ST_03_a_chance_die_needs_a_ten_and_fears_a_one(dice: tuple[int, ...], outcome: str) -> None:
    first, *again = dice
    thrown = (Die(10, "chance", (first,)), *([Die(10, "again", tuple(again))] if again else []))
    assert rules.outcome(thrown) == outcome


@given(st.lists(st.integers(1, 10), min_size=1, max_size=30))
def test_ST_03_a_pool_never_fails_dramatically(faces: list[int]) -> None:
    assert rules.outcome((Die(10, "pool", tuple(faces)),)) != "dramatic_failure"


# ---- times and targets


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        (("turn", "轮", "一轮", "短暂", "TURN"), 3),
        (("short", "较短", "10m", "10 min", "10分钟", "10分"), 600),
        (("long", "较长", "30m"), 1800),
        (("very-long", "很长", "hour", "1h", "1小时", "60分钟"), 3600),
        (("day", "漫长", "1d", "1天", "1日"), 86_400),
        (("week", "极端漫长", "1w", "1周", "1星期", "7d"), 604_800),
        (("month", "1个月", "1月", "30d"), 2_592_000),
        (("15m",), 900),
        (("2d",), 172_800),
        (("45s", "45秒"), 45),
        (("2turns", "2轮"), 6),
    ],
)
def test_ST_10_an_interval_has_a_name_or_is_a_number_with_a_unit(words: tuple[str, ...], seconds: int) -> None:
    assert [rules.seconds(word) for word in words] == [seconds] * len(words)


@pytest.mark.parametrize("text", ["", "0m", "-5m", "5", "m", "1.5h", "5 parsecs", "101 years", "40000d"])
def test_ST_10_what_is_no_time_is_refused(text: str) -> None:
    assert key_of(rules.seconds, text) == "bad_argument.duration"


@pytest.mark.parametrize(
    ("words", "target"),
    [
        (("easy", "简单", "5", "EASY"), 5),
        (("complex", "复杂", "10"), 10),
        (("hard", "困难", "15"), 15),
        (("arduous", "艰巨", "20"), 20),
        (("extreme", "艰苦卓绝", "25"), 25),
        (("1",), 1),
        (("7",), 7),
        (("1000",), 1000),
    ],
)
def test_ST_11_a_target_has_a_name_or_is_a_number(words: tuple[str, ...], target: int) -> None:
    assert [rules.target(word) for word in words] == [target] * len(words)


@pytest.mark.parametrize("text", ["0", "-1", "1001", "ten", "", "9" * 30, "1.5"])
def test_ST_11_what_is_no_target_is_refused(text: str) -> None:
    assert key_of(rules.target, text) == "bad_argument.target"


# ---- limits


@pytest.mark.parametrize(
    ("text", "every_s", "limit"),
    [
        ("4", 900, 4),
        ("1h", 900, 4),
        ("4d", 86_400, 4),
        ("5天", 86_400, 5),
        ("3m", 60, 3),
        ("59m", 900, 3),
        ("15m", 900, 1),
        ("month", 604_800, 4),
    ],
)
def test_ST_08_a_limit_is_a_number_or_a_deadline_rounded_down(text: str, every_s: int, limit: int) -> None:
    assert rules.limit(text, every_s, None) == limit


@pytest.mark.parametrize("word", ["traits", "属性", "属性技能", "特性", "TRAITS"])
def test_ST_08_a_limit_by_traits_is_attribute_and_skill(word: str) -> None:
    assert rules.limit(word, 900, 6) == 6


@pytest.mark.parametrize(
    ("text", "traits", "key"),
    [
        ("0", None, "bad_argument.number"),
        ("1001", None, "too_large.amount"),
        ("soon", None, "bad_argument.limit"),
        ("-2", None, "bad_argument.limit"),
        ("14m", None, "bad_argument.deadline"),
        ("traits", 0, "bad_argument.limit_traits"),
        ("traits", -2, "bad_argument.limit_traits"),
    ],
)
def test_ST_08_what_is_no_limit_is_refused(text: str, traits: int | None, key: str) -> None:
    assert key_of(rules.limit, text, 900, traits) == key


# ---- extended actions


def test_ST_05_the_chainsaw_takes_four_rolls() -> None:
    total, steps = 0, []
    for rolls, gained in enumerate((3, 2, 0, 6), 1):
        steps.append(rules.progress(total, gained, False, 10, rolls, None))
        total = steps[-1].total
    assert [(step.total, step.status) for step in steps] == [
        (3, "running"), (5, "running"), (5, "running"), (11, "complete"),
    ]  # fmt: skip
    assert [step.exceptional for step in steps] == [None, None, None, "roll"]


@pytest.mark.parametrize(
    ("total", "gained", "exceptional"),
    [(9, 6, "total"), (9, 5, "roll"), (8, 2, None), (9, 1, None), (0, 15, "total"), (6, 8, "roll"), (0, 10, "roll")],
)
def test_ST_07_exceptional_by_the_total_or_by_one_roll(total: int, gained: int, exceptional: str | None) -> None:
    assert rules.progress(total, gained, False, 10, 2, None) == Progress(total + gained, "complete", exceptional)


def test_ST_07_five_in_one_roll_are_exceptional_on_the_way_too() -> None:
    assert rules.progress(0, 5, False, 25, 1, None) == Progress(5, "running", "roll")


def test_ST_08_the_last_roll_that_does_not_reach_the_target_fails_the_attempt() -> None:
    assert rules.progress(11, 2, False, 15, 5, 6).status == "running"
    assert rules.progress(11, 2, False, 15, 6, 6) == Progress(13, "failed", None)
    assert rules.progress(13, 2, False, 15, 6, 6) == Progress(15, "complete", None)


@given(total=st.integers(0, 100), goal=st.integers(1, 100), rolls=st.integers(1, 5))
def test_ST_06_a_dramatic_failure_leaves_nothing(total: int, goal: int, rolls: int) -> None:
    assert rules.progress(total, 0, True, goal, rolls, None) == Progress(0, "reset", None)
    assert rules.progress(total, 0, True, goal, 5, 5) == Progress(0, "failed", None)


@given(total=st.integers(0, 100), gained=COUNTS, goal=st.integers(1, 100))
def test_ST_05_successes_add_up_and_never_get_lost(total: int, gained: int, goal: int) -> None:
    after = rules.progress(total, gained, False, goal, 1, None)
    assert after.total == total + gained
    assert (after.status == "complete") == (total + gained >= goal)


def test_ST_09_each_attempt_is_one_worse_than_the_one_before() -> None:
    assert [rules.retry_penalty(attempt) for attempt in (1, 2, 3, 4)] == [0, -1, -2, -3]


# ---- contests


def sides(**counts: int | None) -> dict[str, Side]:
    """None: a dramatic failure."""
    return {name: Side(count or 0, count is None) for name, count in counts.items()}


@pytest.mark.parametrize(
    ("counts", "result"),
    [
        ({"a": 4, "b": 3}, Result("a", "success")),
        ({"a": 2, "b": 5}, Result("b", "exceptional")),
        ({"a": 1, "b": 0}, Result("a", "success")),
        ({"a": 3, "b": 3}, Result(None, "failure")),
        ({"a": 0, "b": 0}, Result(None, "failure")),
        ({"a": 7, "b": 7}, Result(None, "failure")),
        ({"a": 1, "b": 2, "c": 4}, Result("c", "success")),
        ({"a": 4, "b": 2, "c": 4}, Result(None, "failure")),
    ],
)
def test_ST_12_more_successes_win_and_a_tie_fails_for_all(counts: dict[str, int], result: Result) -> None:
    assert rules.contest(sides(**counts)) == result


@given(SIDES)
def test_ST_12_the_winner_has_more_than_everyone_else_whatever_the_order(thrown: dict[str, Side]) -> None:
    result = rules.contest(thrown)
    assert {rules.contest(dict(order)) for order in list(permutations(thrown.items()))[:6]} == {result}
    best = max(side.successes for side in thrown.values())
    if result.winner:
        assert [name for name, side in thrown.items() if side.successes == best] == [result.winner]
    else:
        assert best == 0 or [side.successes for side in thrown.values()].count(best) > 1


@pytest.mark.parametrize(
    ("mine", "other", "by_total", "by_margin"),
    [
        (5, 4, "exceptional", "success"),
        (5, 0, "exceptional", "exceptional"),
        (4, 0, "success", "success"),
        (8, 3, "exceptional", "exceptional"),
        (8, 4, "exceptional", "success"),
    ],
)
def test_ST_13_exceptional_is_five_successes_or_five_more(mine: int, other: int, by_total: str, by_margin: str) -> None:
    assert rules.contest(sides(a=mine, b=other)).outcome == by_total
    assert rules.contest(sides(a=mine, b=other), margin=True).outcome == by_margin


@pytest.mark.parametrize("counts", [{"a": None, "b": 0}, {"a": None, "b": 2}])
def test_ST_14_a_dramatic_failure_loses_even_to_a_failure(counts: dict[str, int | None]) -> None:
    assert rules.contest(sides(**counts)) == Result("b", "success")
    assert rules.contest(sides(**counts), dramatic_lifts=True) == Result("b", "exceptional")


def test_ST_14_where_all_fail_dramatically_nobody_wins() -> None:
    assert rules.contest(sides(a=None, b=None), dramatic_lifts=True) == Result(None, "failure")


def test_ST_14_a_dramatic_failure_among_three_leaves_the_others_to_contend() -> None:
    assert rules.contest(sides(a=None, b=0, c=0)) == Result(None, "failure")
    assert rules.contest(sides(a=None, b=1, c=2)) == Result("c", "success")


@pytest.mark.parametrize(("count", "winner"), [(0, "Wall"), (3, "Wall"), (4, "Wall"), (5, "Ann"), (9, "Ann")])
def test_ST_15_a_challenger_needs_more_than_what_is_stored(count: int, winner: str) -> None:
    assert rules.challenge("Ann", Side(count, False), "Wall", 4).winner == winner


@pytest.mark.parametrize(("count", "margin", "outcome"), [(4, False, "success"), (5, False, "exceptional"),
                                                          (5, True, "success"), (7, True, "exceptional")])  # fmt: skip
def test_ST_13_the_house_says_when_a_challenger_is_exceptional(count: int, margin: bool, outcome: str) -> None:
    assert rules.challenge("Ann", Side(count, False), "Wall", 2, margin=margin) == Result("Ann", outcome)  # type: ignore[arg-type]


def test_ST_14_a_challengers_dramatic_failure_may_lift_what_is_stored() -> None:
    fallen = Side(0, True)
    assert rules.challenge("Ann", fallen, "Wall", 0) == Result("Wall", "success")
    assert rules.challenge("Ann", fallen, "Wall", 0, dramatic_lifts=True) == Result("Wall", "exceptional")


def run(*stages: tuple[int, int], goal: int = 6) -> list[rules.Stage]:
    """Stages of a race of a and b, as they come."""
    totals, found = {"a": 0, "b": 0}, []
    for a, b in stages:
        totals = {"a": totals["a"] + a, "b": totals["b"] + b}
        found.append(rules.stage(sides(a=a, b=b), totals, goal))
    return found


def test_ST_16_the_race_goes_to_the_second_side() -> None:
    stages = run((1, 3), (3, 0), (0, 3))
    assert [stage.leader for stage in stages] == ["b", "a", "b"]
    assert [stage.result for stage in stages] == [None, None, Result("b", "success")]


def test_ST_16_both_there_in_the_same_stage_is_a_draw_even_with_different_totals() -> None:
    assert run((3, 3), (3, 3))[-1].result == Result(None, "failure")
    assert run((3, 3), (5, 3))[-1].result == Result(None, "failure")


@pytest.mark.parametrize(("a", "b", "winner"), [(8, 7, "a"), (7, 8, "b"), (8, 8, None)])
def test_ST_16_a_draw_that_goes_on_is_won_by_whoever_is_ahead_alone(a: int, b: int, winner: str | None) -> None:
    stage = rules.stage(sides(a=2, b=2), {"a": a, "b": b}, 6, goes_on=True)
    assert stage.result is not None
    assert stage.result.winner == winner


def test_ST_13_a_race_is_won_exceptionally_with_five_in_the_last_roll_or_five_ahead() -> None:
    totals = {"a": 6, "b": 2}
    assert rules.race("a", totals, last=5).outcome == "exceptional"
    assert rules.race("a", totals, last=4).outcome == "success"
    assert rules.race("a", totals, last=5, margin=True).outcome == "success"
    assert rules.race("a", {"a": 7, "b": 2}, last=1, margin=True).outcome == "exceptional"


def test_ST_14_a_dramatic_failure_puts_a_side_out_of_a_race_and_the_last_one_wins() -> None:
    totals = {"a": 0, "b": 1, "c": 2}
    three = rules.stage(sides(a=None, b=1, c=2), totals, 6)
    assert (three.fallen, three.leader, three.result) == (("a",), "c", None)
    two = rules.stage(sides(a=None, b=1), totals, 6)
    assert (two.fallen, two.result) == (("a",), Result("b", "success"))
    assert rules.stage(sides(a=None, b=1), totals, 6, dramatic_lifts=True).result == Result("b", "exceptional")
    all_of_them = rules.stage(sides(a=None, b=None), totals, 6)
    assert (all_of_them.fallen, all_of_them.result) == ((), Result(None, "failure"))


@pytest.mark.parametrize(
    ("totals", "ahead"),
    [({"a": 2, "b": 1}, "a"), ({"a": 1, "b": 1}, None), ({"a": 0, "b": 0, "c": 3}, "c"), ({}, None)],
)
def test_ST_16_nobody_leads_who_is_not_ahead_alone(totals: dict[str, int], ahead: str | None) -> None:
    assert rules.leader(totals) == ahead

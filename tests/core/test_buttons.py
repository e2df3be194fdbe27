"""Buttons under results: which there are, what a press of them is, whose counts."""

from __future__ import annotations

import pytest

from core.messages import Incoming
from events.beside import MessageKey, Offer
from events.types import BennySpent, RollMade
from tests.story import Story, one_of


def offers(story: Story, line: str) -> tuple[Offer, ...]:
    (answer,) = story.hear(line)
    assert answer.error is None
    assert all(letter.offers == () for letter in answer.letters[1:])
    return answer.letters[0].offers


def table(system: str) -> Story:
    return Story().given(
        f"gm: /table new {system} Night", "ann: /char new Ann", "gm: /house physical-dice on", "gm: /session start"
    )


@pytest.mark.parametrize(
    ("system", "line"),
    [
        ("savage", "/roll 4d6kh3 # luck"), ("savage", "/trait d8 +1"), ("storytelling", "/pool 5"),
        ("infinite", "/check 5 dc=2"), ("adventure", "/roll d20"),
    ],
)  # fmt: skip
def test_a_roll_can_be_made_again_by_its_roller(system: str, line: str) -> None:
    story = table(system)
    again = offers(story, f"ann: {line}")[0]
    assert (again.sign, again.command, again.owner) == ("🔁", line, "ann")
    before = story.table.ledger.roll
    assert offers(story, f"ann: {again.command}")[0] == again
    assert story.table.ledger.roll == before + 1


@pytest.mark.parametrize(
    "line", ["/roll 2d6 secret", "/roll 2d6 dice=3,4", "/3#d20", "/calc 1+1", "/join", "/trait d8 secret=gm"]
)
def test_secrets_given_dice_and_what_is_no_single_roll_have_no_button(line: str) -> None:
    assert offers(table("savage"), f"tom: {line}") == ()


def test_SW_15_a_trait_roll_may_be_rerolled_by_its_button_while_there_is_a_benny() -> None:
    story = table("savage")
    while (found := offers(story, "ann: /trait d12"))[1:] == ():
        pass  # a critical failure
    reroll = found[1]
    assert reroll.sign == "🎟"
    (answer,) = story.hear(f"ann: {reroll.command}")
    assert [type(one.data) for one in answer.events[:2]] == [BennySpent, RollMade]
    assert one_of(answer, RollMade).reroll_of is not None


def test_SW_15_an_old_button_does_not_reroll_what_came_after_it() -> None:
    story = table("savage")
    while (found := offers(story, "ann: /trait d12"))[1:] == ():
        pass
    story.given("ann: /trait d6 dice=2,3")
    (answer,) = story.hear(f"ann: {found[1].command}")
    assert answer.error
    assert answer.error[0] == "already_done"


def test_SW_11_a_critical_failure_and_an_empty_hand_have_no_reroll_button() -> None:
    story = table("savage")
    while [one.sign for one in offers(story, "ann: /trait d4 wild=d4")] == ["🔁", "🎟"]:
        pass
    last = story.table.acts[-1].events[-1]
    assert isinstance(last, RollMade)
    assert last.outcome == "critical_failure"
    for _ in range(3):
        story.given("ann: /benny spend story")
    assert [one.sign for one in offers(story, "ann: /trait d12")] == ["🔁"]


def test_a_press_counts_if_it_is_the_owners() -> None:
    story = table("savage")
    key = MessageKey("test", "test", "pressed")
    for person, refused in (("tom", "not_yours"), ("ann", None)):
        press = Incoming(key=key, person=person, name=person, text="/roll 2d6", owner="ann")
        (answer,) = story.app.hear(press)
        assert (answer.error and answer.error[0]) == refused
        key = MessageKey("test", "test", "pressed again")


def test_a_chinese_table_has_chinese_buttons() -> None:
    story = Story().given("gm: 。开团 狂野 冰川", "ann: 。角色 新建 小红", "gm: 。场次 开始")
    labels = {one.label for _ in range(8) for one in offers(story, "ann: 。特性 d8")}
    assert labels == {"再来一次", "助力点重骰"}

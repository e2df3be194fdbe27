"""What every rule system keeps to: a table outlives the program, and an undo gives back what an act took."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from events.types import Undone
from tests.story import Story, first_of, one_of, refused, restarted


def goes_on(table: Callable[..., Story], evening: Sequence[str], rest: Sequence[str], cut: int) -> None:
    """A table whose program ends after `cut` lines of the evening goes on as one whose program does not."""
    whole = table(*evening, *rest)
    first = table(*evening[:cut])
    again = restarted(first)
    assert again.table == first.table
    again.given(*evening[cut:], *rest)
    assert again.table.play == whole.table.play
    assert again.table.ledger == whole.table.ledger


def own_act_is_taken_back(story: Story, act: str, player: str) -> None:
    """By the player who did it, since it is no roll."""
    play = story.table.play
    number = first_of(story, act)
    assert story.table.play != play
    undone = one_of(story.when(f"{player}: /undo a slip"), Undone)
    assert (undone.event, undone.reason) == (number, "a slip")
    assert story.table.play == play


def roll_stands(story: Story, act: str, player: str) -> None:
    """For players; the GM alone takes it back."""
    play = story.table.play
    number = first_of(story, act)
    after = story.table.play
    assert refused(story.when(f"{player}: /undo")) == "not_allowed"
    assert refused(story.when(f"{player}: /undo {number}")) == "not_allowed"
    assert story.table.play == after != play
    assert one_of(story.when(f"gm: /undo {number}"), Undone).event == number
    assert story.table.play == play


def gms_act_is_taken_back(story: Story, act: str, player: str) -> None:
    """By the GM, once, and not by a player."""
    play = story.table.play
    number = first_of(story, act)
    assert refused(story.when(f"{player}: /undo {number}")) == "not_yours"
    story.given(f"gm: 。撤销 {number} 弄错了")
    assert story.table.play == play
    assert refused(story.when(f"gm: /undo {number}")) == "already_done"


def stands_below(story: Story, act: str, later: str) -> None:
    """An act stands while another is built on it."""
    play = story.table.play
    number = first_of(story, act)
    after = first_of(story, later)
    assert refused(story.when(f"gm: /undo {number}")) == "not_allowed"
    story.given(f"gm: /undo {after}", f"gm: /undo {number}")
    assert story.table.play == play

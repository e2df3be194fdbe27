"""What a verifier counts again: every throw of random games totals what its faces say by the rules."""

from __future__ import annotations

import pytest

from core.registry import room
from events.codec import decode
from events.types import RollMade
from tests.story import Seeds, Story

GAMES = {
    "savage": [
        "ann: /char new Ann wild stealth=d8 vigor=d6 strength=d8",
        "gm: /session start",
        *["ann: /trait stealth x3 +1(rope)", "ann: /reroll", "ann: /trait d6 extra", "ann: /damage str+2d6 raise"] * 8,
    ],
    "storytelling": [*["ann: /pool 9 again=8 rote", "ann: /pool 4 +2(rope)", "ann: /pool 0"] * 10],
    "infinite": [
        "ann: /char new Ann str=11 athletics=3",
        *["ann: /check str+athletics lose=1 dc=3", "ann: /check 0 extra=3", "ann: /attack 5 extra=4"] * 10,
    ],
    "adventure": [
        "ann: /char new Ann STR=2 DEX=1 CHA=0",
        *["ann: /move influence adv", "ann: /move influence dis deceive", "ann: /move influence +1"] * 8,
    ],
}


@pytest.mark.parametrize("system", GAMES)
def test_every_throw_totals_what_its_faces_say(system: str) -> None:
    story = Story(seeds=Seeds(7)).given(f"gm: /table new {system}")
    for line in GAMES[system]:
        story.hear(line)
    rolls = [one.data for one in map(decode, story.log.read(story.table.id)) if isinstance(one.data, RollMade)]
    counted = [(room(system, "rules").recount(roll), roll.rolled_total) for roll in rolls]
    assert len(rolls) >= 20
    assert all(again in (None, total) for again, total in counted)
    assert sum(again is not None for again, _ in counted) >= 20

"""A table has room for so much and no more: nothing that somebody can repeat grows without an end."""

from __future__ import annotations

from core.decider import MOST_SEALED
from core.messages import Incoming
from core.seating import MOST_CHATS
from core.systems.adventure.decide import MOST_KNOWN
from core.table.decide import MAX_PLAYERS
from core.table.talk import MAX_LOGS
from events.beside import MessageKey
from tests.story import Story, code_in, refused, savage, told


def test_there_is_room_for_so_many_players() -> None:
    story = savage().given(*(f"p{n}: /join" for n in range(MAX_PLAYERS)))
    assert refused(story.when("late: /join")) == "limit_reached"
    assert refused(story.when("late: /char new Late")) == "limit_reached"
    story.given("p7: /char new Seven", "gm: /char new Guard")


def test_so_many_secret_rolls_wait_until_they_are_opened() -> None:
    story = savage().given(*["gm: /roll 20#d6 secret"] * (MOST_SEALED // 20))
    assert refused(story.when("ann: /roll d6 secret")) == "limit_reached"
    story.given("ann: /roll d6", "gm: /reveal", "ann: /roll d6 secret")


def test_there_is_room_for_so_many_logs_of_talk() -> None:
    story = savage().given(*(line for n in range(MAX_LOGS) for line in (f"gm: /log new n{n}", "gm: /log end")))
    assert refused(story.when("gm: /log new more")) == "limit_reached"
    assert refused(story.when("gm: /log on")) == "limit_reached"
    story.given("gm: /log on n3")


def test_a_table_is_open_in_so_many_chats() -> None:
    story = savage()

    def joined(chat: str) -> str:
        code = code_in(told(story.when("gm: /table link")))
        key = MessageKey("test", chat, code)
        (answer,) = story.app.hear(Incoming(key=key, person="gm", name="gm", text=f"/table join {code}"))
        return answer.error[0] if answer.error else "ok"

    found = [joined(f"chat {n}") for n in range(MOST_CHATS)]
    assert found == ["ok"] * (MOST_CHATS - 1) + ["limit_reached"]


def test_there_is_room_for_so_many_rituals_the_completed_ones_too() -> None:
    story = Story().given("gm: /table new adventure Forest")
    for n in range(MOST_KNOWN):
        story.given(f"gm: /ritual new R{n} mag=1", f"gm: /ritual need R{n} salt", f"gm: /ritual done R{n} 1")
    assert refused(story.when("gm: /ritual new More mag=1")) == "limit_reached"

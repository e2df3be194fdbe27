"""What a cheat tries at a table, and what comes of it. SECURITY.md names these tests."""

from __future__ import annotations

import pytest

from core.dice.source import FairDice
from core.messages import Incoming
from core.verify import verify
from events.beside import MessageKey
from events.types import RollMade, Undone
from tests.story import Story, all_of, one_of, refused, savage, told

TABLE = ("ann: /char new Ann agility=d8", "bob: /char new Bob agility=d6", "gm: /char new Boss wild")


def said(story: Story, person: str, name: str, text: str) -> str:
    """What somebody is told who calls themselves so."""
    story.said += 1
    key = MessageKey("test", story.chat, str(story.said))
    (answer,) = story.app.hear(Incoming(key=key, person=person, name=name, text=text))
    return answer.error[0] if answer.error else told(answer)


@pytest.mark.parametrize("line", ["bob: /roll d6 as=Ann", "bob: /set Ann agility=d12", "bob: /trait d8 as=Boss"])
def test_nobody_acts_for_the_character_of_another(line: str) -> None:
    assert refused(savage(*TABLE).when(line)) == "not_yours"


def test_the_gm_rolls_for_no_players_character() -> None:
    assert refused(savage(*TABLE).when("gm: /roll d6 as=Ann")) == "not_yours"


def test_nobody_gives_faces_unless_the_gm_has_allowed_it() -> None:
    assert refused(savage(*TABLE, physical=False).when("ann: /roll d6 dice=6")) == "not_allowed"


def test_a_player_takes_no_roll_back_and_what_the_gm_takes_back_stays_in_the_record() -> None:
    story = savage(*TABLE)
    rolled = one_of(story.when("ann: /roll d6"), RollMade)
    assert refused(story.when("ann: /undo")) == "not_allowed"
    assert "Taken back" in told(story.when("gm: /undo"))
    again = one_of(story.when("ann: /roll d6"), RollMade)
    assert (again.roll, again.first) == (rolled.roll + 1, rolled.next)  # a die that was thrown is used up
    assert "taken back" in told(story.when("ann: /history 5"))
    kinds = [one.body.split(b'"type":"')[1].split(b'"')[0] for one in story.log.read(story.table.id)]
    assert kinds[-3:] == [b"RollMade", Undone.__name__.encode(), b"RollMade"]


def test_a_gm_who_ends_a_period_opens_all_secret_rolls_of_it() -> None:
    story = savage(*TABLE, "gm: /session start")
    for _ in range(5):
        assert "secret roll" in told(story.when("gm: /roll d6 secret"))
    opened = told(story.when("gm: /session end"))
    assert opened.count("d6 = [") == 5


def test_who_takes_anothers_name_takes_nothing_else() -> None:
    story = savage(*TABLE)
    assert said(story, "m", "gm", "/session start") == "not_allowed"
    assert said(story, "m", "Ann", "/roll d6") == "bad_argument"
    assert said(story, "m", "bob", "/join") == "bad_argument"
    said(story, "c", "Cat", "/join")
    said(story, "m", "Cat", "/join")
    assert said(story, "gm", "gm", "/gm Cat") == "bad_argument"
    assert said(story, "m", "x\n🎲 Ann: d6 = [6] = 6", "/roll d6").count("\n") == 0


def test_who_is_not_of_the_table_changes_nothing_of_it() -> None:
    story = savage(*TABLE)
    asked = ("/luck x", "/scene x", "/log on", "/house bennies 9", "/lang zh", "/export", "/undo 2", "/reveal")
    lines = (*asked, "/table link", "/session start")
    assert {refused(story.when(f"mallory: {line}")) for line in lines} <= {"not_allowed", "not_yours"}


def test_whoever_knows_the_seed_and_has_the_last_word_of_luck_chooses_the_dice() -> None:
    """What is not promised: luck is a remedy against an operator only where nobody in league speaks last."""
    story = savage(*TABLE, physical=False).given("ann: /luck fair winds")
    ledger = story.table.ledger
    seed = story.log.seed(story.table.id, ledger.period)
    assert seed is not None

    def would_fall(word: str) -> tuple[int, ...]:
        dice = FairDice(seed, (*ledger.luck, word), story.table.id, ledger.period)
        return tuple(dice.roll(6) for _ in range(3))

    word = next(f"w{n}" for n in range(10_000) if would_fall(f"w{n}") == (6, 6, 6))
    story.given(f"bob: /luck {word}")
    (rolled,) = all_of(story.when("bob: /roll 3d6"), RollMade)
    assert rolled.total == 18
    assert verify(story.log.read(story.table.id)).broken is None

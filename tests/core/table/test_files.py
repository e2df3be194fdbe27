"""/export, /replay and /stats: who may have what, where it goes, and what the chat is told of it."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.messages import Answer, Incoming
from events.beside import Attached, MessageKey
from events.types import RollMade
from tests.laws.played import DEEDS, begun, games
from tests.story import Story, all_of, refused, savage, told


def at_a_table(*lines: str) -> Story:
    return savage("ann: /char new Ann agility=d8", "bob: /char new Bob agility=d4", *lines)


def files(answer: Answer) -> dict[str, Attached]:
    """Who gets which file."""
    return {letter.to: letter.attached for letter in answer.letters if letter.attached}


# ---- export


@pytest.mark.parametrize(
    ("words", "form", "session"),
    [
        ("export", "txt", None), ("export CSV", "csv", None), ("导出 md", "md", None),
        ("导出 jsonl 玩家", "jsonl", None),
        ("export session 1 csv", "csv", 1), ("export csv session=1", "csv", 1), ("导出 第1场 csv", "csv", 1),
        ("导出 csv 场次1", "csv", 1), ("导出 场次 1", "txt", 1),
    ],
)  # fmt: skip
def test_a_player_has_the_record_sent_to_the_table(words: str, form: str, session: int | None) -> None:
    story = at_a_table("gm: /session start")
    answer = story.when(f"ann: /{words}")
    seq = story.table.ledger.seq
    assert files(answer) == {"table": Attached("export", form, story.table.id, seq, "player", session)}
    assert answer.events == ()


@pytest.mark.parametrize("audience", ["gm", "audit"])
def test_what_holds_secrets_goes_to_the_gm_alone_and_the_table_hears_that_it_does(audience: str) -> None:
    story = at_a_table()
    answer = story.when(f"gm: /export jsonl {audience}")
    assert files(answer) == {"gm": Attached("export", "jsonl", story.table.id, story.table.ledger.seq, audience)}
    assert told(answer) == "🤫 gm, that comes to you alone."
    assert "keep it to yourself" in told(answer, "gm")


def test_in_the_gms_own_private_chat_the_file_comes_there() -> None:
    story = Story(chat="gm").given("gm: /table new savage Alone")
    (letter,) = story.when("gm: /export gm").letters
    assert letter.to == "table"
    assert letter.attached is not None
    assert letter.attached.audience == "gm"


@pytest.mark.parametrize("audience", ["gm", "audit", "主持", "审计"])
def test_nobody_else_gets_what_the_gm_may_see(audience: str) -> None:
    assert refused(at_a_table().when(f"ann: /export {audience}")) == "not_allowed"


def test_an_export_is_for_people_of_the_table() -> None:
    story = at_a_table()
    assert refused(story.when("eve: /export")) == "not_allowed"
    assert files(story.given("eve: /join").when("eve: /export"))


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("export pdf", "bad_argument"), ("export csv md", "bad_argument"), ("export session", "bad_argument"),
        ("export session x", "bad_argument"), ("export session 2", "not_found"), ("export player gm", "bad_argument"),
        ("replay 7", "not_found"), ("replay x", "bad_argument"), ("stats Nobody", "not_found"),
        ("stats session 3", "not_found"), ("stats Ann Bob", "bad_argument"),
    ],
)  # fmt: skip
def test_what_there_is_not_is_refused_in_a_sentence(words: str, code: str) -> None:
    assert refused(at_a_table("gm: /session start").when(f"gm: /{words}")) == code


def test_without_a_table_there_is_nothing_to_export() -> None:
    for verb in ("export", "replay", "stats"):
        assert refused(Story().when(f"ann: /{verb}")) == "no_table"


def test_asked_again_the_same_message_has_the_same_file() -> None:
    story = at_a_table()
    incoming = Incoming(key=MessageKey("test", "test", "once"), person="ann", name="ann", text="/export csv")
    (first,) = story.app.hear(incoming)
    story.given("ann: /roll d6")
    (again,) = story.app.hear(incoming)
    assert again.letters == first.letters
    assert not again.new


# ---- replay


def test_a_recap_tells_who_did_what_and_what_is_left() -> None:
    story = at_a_table("gm: /session start The first night")
    story.given("ann: /trait agility dice=8,7,3", "bob: /trait agility dice=1,1", "bob: /trait agility dice=2,3")
    story.given("gm: /wound 1 as=Ann", "gm: /shaken on as=Bob", "gm: /shaken on as=Ann", "gm: /shaken off as=Ann")
    heard = told(story.when("bob: /replay"))
    assert "session 1 “The first night”" in heard
    assert "rolls 3" in heard
    assert "★Ann: rolls 1, successes 1/1, critical failures 0, Bennies got 3, spent 0" in heard
    assert "★Bob: rolls 2, successes 0/2, critical failures 1" in heard
    best, worst = (next(line for line in heard.split("\n") if line.startswith(mark)) for mark in ("👍", "👎"))
    assert "★Ann" in best
    assert "8→7" in best
    assert "critical failure" in worst
    after = heard.split("How things stand:")[1]
    assert "Ann" in after.split("😵")[0]
    assert "Bob" in after.split("😵")[1]
    assert after.count("😵") == 1


def test_a_recap_is_of_the_last_session_unless_another_is_named() -> None:
    story = at_a_table("gm: /session start One", "ann: /roll d6", "gm: /session end", "gm: /session start Two")
    assert "“Two”" in told(story.when("ann: /replay"))
    answer = story.when("ann: /replay 1")
    assert "“One”" in told(answer)
    assert files(answer) == {"table": Attached("replay", "md", story.table.id, story.table.ledger.seq, "player", 1)}


def test_a_table_without_sessions_has_a_recap_of_all_of_it() -> None:
    answer = at_a_table("ann: /roll d6").when("bob: /replay")
    assert "the whole record" in told(answer)
    assert files(answer)["table"].session is None


def test_neither_a_secret_nor_what_was_taken_back_is_in_a_recap() -> None:
    story = at_a_table("gm: /session start")
    story.given("ann: /trait agility dice=8,8,8,8,1,2 secret", "gm: /wound 2 as=Bob", "gm: /undo")
    heard = told(story.when("bob: /replay"))
    assert "8→8" not in heard
    assert "rolls" not in heard.split("\n")[0].replace("no rolls", "")
    assert "Bob" not in heard.partition("How things stand:")[2]


def test_an_open_choice_is_told_but_not_that_of_a_secret_roll() -> None:
    story = Story().given(
        "gm: /table new adventure Moors", "gm: /house physical-dice on", "ann: /char new Ann STR=1"
    )
    story.given("gm: /session start", "ann: /move defy STR dice=3,4 secret")
    number = story.table.ledger.choice
    assert number
    assert "Still open" not in told(story.when("gm: /replay"))
    story.given("gm: /reveal")
    assert f"Choice {number}" in told(story.when("gm: /replay")).partition("Still open:")[2]


@pytest.mark.parametrize("kind", ["secret", "secret=gm", "secret=me"])
@given(lines=games(DEEDS, most=6), start=st.integers(0, 10_000))
def test_no_answer_shows_a_sealed_roll(kind: str, lines: list[str], start: int) -> None:
    story = begun(start=start)
    (roll,) = all_of(story.when(f"ann: /roll d1000000 {kind} # hush"), RollMade)
    assume(roll.total > 9999)
    for line in (*lines, "bob: /stats", "bob: /stats Ann", "bob: /replay", "gm: /replay", "bob: /export"):
        for answer in story.hear(line):
            assert not any(re.search(rf"\b{roll.total}\b|hush", letter.text) for letter in answer.letters), line


# ---- stats


def test_figures_come_with_a_picture_and_add_up() -> None:
    story = at_a_table("gm: /session start").given(*["ann: /roll 5d6"] * 6)
    answer = story.when("bob: /stats")
    heard = told(answer)
    assert "📊 the whole record: rolls 6, dice 30" in heard
    assert "🎲 d6 × 30: mean " in heard
    assert "fair dice stray this far" in heard
    assert files(answer) == {"table": Attached("stats", "png", story.table.id, story.table.ledger.seq)}
    assert "too few" in told(at_a_table("ann: /roll 5d6").when("ann: /stats"))


def test_figures_of_a_person_are_those_of_all_their_characters() -> None:
    story = at_a_table("ann: /char new Lise").given("ann: /roll d6 as=Lise", "ann: /roll d6 as=Ann", "bob: /roll d6")
    assert "rolls 2" in told(story.when("bob: /stats ann")).split("\n")[0]
    assert "rolls 1" in told(story.when("bob: /stats Lise")).split("\n")[0]
    assert "rolls 1" in told(story.when("bob: /统计 Bob")).split("\n")[0]


def test_without_rolls_there_are_no_figures_and_no_picture() -> None:
    answer = at_a_table("ann: /roll 3d6 secret").when("bob: /stats")
    assert told(answer).split("\n") == [
        "📊 the whole record: no rolls to count yet.", "🤫 Left out, since they are still secret: 1.",
    ]  # fmt: skip
    assert files(answer) == {}


def test_figures_of_one_person_come_with_a_picture_of_that_person_alone() -> None:
    story = at_a_table("ann: /trait agility", "bob: /trait agility")
    (picture,) = files(story.when("gm: /stats Ann")).values()
    assert picture.only == ("Ann",)
    assert files(story.when("gm: /stats"))["table"].only == ()

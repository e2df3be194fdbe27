"""The laws, tried on games of every rule system of systems.py."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.verify import verify
from events.types import LuckAdded, Undone
from tests.laws.played import ANY_TEXT, PEOPLE
from tests.laws.systems import GAMES, SHARED_ASKED, STARTED, begun, games, junk
from tests.laws.test_any_text import speaks_of_language, try_all
from tests.laws.test_languages import facts
from tests.laws.test_replay import replayed
from tests.laws.test_undo import as_if_it_had_never_been
from tests.story import Story

SYSTEM = pytest.mark.parametrize("system", sorted(GAMES))
TWICE = [
    pytest.param(system, english, chinese, id=f"{system}: {english}")
    for system, game in GAMES.items()
    for english, chinese in game.said_twice
]


def shown(story: Story, system: str) -> list[tuple[object, ...]]:
    """All that anybody can ask; the answer's own key left out."""
    asked = (*SHARED_ASKED, *GAMES[system].asked)
    answers = [story.when(f"{person}: {line}") for person in PEOPLE for line in asked]
    return [(answer.letters, answer.error) for answer in answers]


@SYSTEM
@given(data=st.data())
def test_a_replayed_table_is_the_live_table(system: str, data: st.DataObject) -> None:
    story = begun(system)
    for line in data.draw(games(system)):
        before = story.log.head(story.table.id)
        for answer in story.hear(line):
            assert story.log.head(story.table.id).seq - before.seq == len(answer.events), line
            assert replayed(story.log, story.table.id) == story.table, line


@SYSTEM
@given(data=st.data())
def test_another_process_on_the_same_log_answers_the_same(system: str, data: st.DataObject) -> None:
    story = begun(system)
    for line in data.draw(games(system)):
        story.hear(line)
    other = Story(story.log)
    other.said = story.said + 1000
    assert shown(other, system) == shown(story, system)


@SYSTEM
@given(data=st.data())
def test_the_same_commands_lead_to_the_same_facts_at_a_chinese_and_an_english_table(
    system: str, data: st.DataObject
) -> None:
    said = data.draw(games(system))
    assert facts(begun(system, language="zh"), said) == facts(begun(system, language="en"), said)


@pytest.mark.parametrize("person", ["gm", "ann"])
@pytest.mark.parametrize(("system", "english", "chinese"), TWICE)
def test_a_command_in_chinese_is_the_same_command(system: str, english: str, chinese: str, person: str) -> None:
    one, other = begun(system, *STARTED[system]), begun(system, *STARTED[system])
    told, again = facts(one, [f"{person}: {english}"]), facts(other, [f"{person}: {chinese}"])
    assert [answer[1:] for answer in told] == [answer[1:] for answer in again]
    for (events, _, _), (others, _, _) in zip(told, again, strict=True):
        assert [_unlabelled(event) for event in events] == [_unlabelled(event) for event in others]


def _unlabelled(event: object) -> object:
    """A roll keeps the words that it was typed with; everything else is the same in both languages."""
    return {name: getattr(event, name) for name in type(event).__struct_fields__ if name != "label"}  # type: ignore[attr-defined]


@SYSTEM
@given(data=st.data())
def test_any_text_is_answered_or_let_be(system: str, data: st.DataObject) -> None:
    texts = st.one_of(junk(system), junk(system), ANY_TEXT)
    said = data.draw(st.lists(st.tuples(st.sampled_from(PEOPLE), texts), min_size=1, max_size=8))
    language = data.draw(st.sampled_from(("zh", "en")))
    story = begun(system, *STARTED[system], language=language)
    try_all(story, [one for one in said if not speaks_of_language(one[1])], language)


@SYSTEM
@given(data=st.data())
def test_an_act_taken_back_at_once_leaves_the_play_as_it_was(system: str, data: st.DataObject) -> None:
    game = GAMES[system]
    acts = st.one_of(game.throws, game.deeds, game.by_hand)
    story = begun(system)
    for line in data.draw(games(system, acts, most=10)):
        story.hear(line)
    before = story.table
    (done,) = story.hear(f"{data.draw(st.sampled_from(PEOPLE))}: {data.draw(acts)}")
    assume(bool(done.events) and not isinstance(done.events[0].data, LuckAdded))
    (answer,) = story.hear(f"{story.table.play.gm}: /undo {done.events[-1].seq}")
    assert answer.error is None, answer.error
    assert story.table.play == before.play
    assert [type(one.data) for one in answer.events] == [Undone]


@SYSTEM
@given(data=st.data())
def test_an_act_taken_back_later_is_as_if_it_had_never_been(system: str, data: st.DataObject) -> None:
    """If the undo is allowed, the table is the one on which the act never happened."""
    game = GAMES[system]
    story, other = begun(system), begun(system)
    said = data.draw(games(system, st.one_of(game.deeds, game.by_hand, game.by_hand), most=12))
    as_if_it_had_never_been(story, other, said, data)


@SYSTEM
@given(data=st.data())
def test_every_record_proves_itself_once_its_seeds_are_known(system: str, data: st.DataObject) -> None:
    story = begun(system)
    for line in data.draw(games(system, most=12)):
        story.hear(line)
    story.hear(f"{story.table.play.gm}: /reveal")
    assert verify(list(story.log.read(story.table.id))).broken is None

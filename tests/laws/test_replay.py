"""Law 1: what a log says is the state, and every copy of the state agrees with it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.app import App
from core.evolve import Table, replay
from core.messages import Answer
from events import codec
from events.chain import first_break
from events.codec import line_of, split_line
from events.envelope import Head, Stored
from events.log import EventLog
from events.sqlite import SqliteLog
from tests.laws.played import LINES, OPENING, PEOPLE, begun, games
from tests.story import Clock, Seeds, Story

ASKED = (
    "/history 50",
    "/benny",
    "/sheet",
    "/sheet Boss",
    "/init",
    "/choices",
    "/char list",
    "/house",
    "/table",
    "/session",
)


def replayed(log: EventLog, table: str) -> Table:
    return replay(Table(table), map(codec.decode, log.read(table)))


def shown(story: Story) -> list[tuple[object, ...]]:
    """All that anybody can ask; the answer's own key left out."""
    answers = [story.when(f"{person}: {line}") for person in PEOPLE for line in ASKED]
    return [(answer.letters, answer.error) for answer in answers]


@given(games())
def test_a_replayed_table_is_the_live_table(lines: list[str]) -> None:
    story = begun()
    for line in lines:
        before = story.app.log.head(story.table.id)
        for answer in story.hear(line):
            assert (story.log.head(story.table.id).seq - before.seq) == len(answer.events), line
            assert replayed(story.log, story.table.id) == story.table, line


@given(games())
def test_another_process_on_the_same_log_answers_the_same(lines: list[str]) -> None:
    story = begun()
    for line in lines:
        story.hear(line)
    other = Story(story.log)
    other.said = story.said + 1000
    assert shown(other) == shown(story)


@settings(max_examples=10)
@given(games())
def test_a_file_keeps_what_memory_keeps(lines: list[str]) -> None:
    with TemporaryDirectory() as folder:
        log = SqliteLog(Path(folder) / "rollbook.db")
        story, other = Story(log), Story()
        for line in (*OPENING, "gm: /session start", *lines):
            assert story.hear(line) == other.hear(line)
        assert replayed(log, story.table.id) == story.table == other.table
        kept = list(log.read(story.table.id))
        assert kept == list(other.log.read(story.table.id))
        log.close()
        again = SqliteLog(Path(folder) / "rollbook.db")
        assert App(again, Clock(), Seeds()).table(other.table.id) == other.table
        again.close()


# ---- the record itself


def stored(lines: list[str]) -> list[Stored]:
    story = begun()
    for line in lines:
        story.hear(line)
    return list(story.log.read(story.table.id))


@given(games(most=12))
def test_what_is_exported_comes_back_byte_for_byte(lines: list[str]) -> None:
    for event in stored(lines):
        line = line_of(event)
        assert b"\n" not in line
        assert split_line(line) == event
        assert line_of(split_line(line + b"\r\n")) == line


@given(games(most=12), st.data())
def test_one_change_anywhere_in_a_game_is_found(lines: list[str], data: st.DataObject) -> None:
    record = stored(lines)
    head = Head(record[-1].seq, record[-1].hash)
    assert first_break(record, expect=head) is None
    place = data.draw(st.integers(0, len(record) - 1), "place")
    body = bytearray(record[place].body)
    at = data.draw(st.integers(0, len(body) - 1), "byte")
    body[at] ^= data.draw(st.integers(1, 255), "change")
    changed = [*record]
    changed[place] = Stored(record[place].seq, bytes(body), record[place].hash)
    found = first_break(changed, expect=head)
    assert found is not None
    assert found.seq == place + 1


@given(games(most=12), st.data())
def test_an_event_taken_out_moved_or_cut_off_is_found(lines: list[str], data: st.DataObject) -> None:
    record = stored(lines)
    head = Head(record[-1].seq, record[-1].hash)
    place = data.draw(st.integers(0, len(record) - 1), "place")
    other = data.draw(st.integers(0, len(record) - 1).filter(lambda one: one != place), "other")
    swapped = [*record]
    swapped[place], swapped[other] = swapped[other], swapped[place]
    for damaged in (
        record[:place] + record[place + 1 :],
        record[:place],
        swapped,
        [*record[:place], *record[place - 1 :]] if place else record[1:],
    ):
        assert first_break(damaged, expect=head) is not None


# ---- one message, once


@given(games(most=12), st.data())
def test_a_message_delivered_again_appends_nothing_and_is_answered_the_same(
    lines: list[str], data: st.DataObject
) -> None:
    story = begun()
    first: dict[str, tuple[str, list[Answer]]] = {}
    for number, line in enumerate(lines):
        first[f"m{number}"] = (line, story.hear(line, f"m{number}"))
    if not lines:
        return
    table, head = story.table, story.log.head(story.table.id)
    teller = data.draw(st.sampled_from((story, Story(story.log))), "process")
    for message in data.draw(st.permutations(sorted(first)), "order"):
        line, answers = first[message]
        again = teller.hear(line, message)
        assert not any(answer.new for answer in again)
        assert [told(answer) for answer in again] == [told(answer) for answer in answers]
    assert story.log.head(table.id) == head
    assert teller.table == table


def told(answer: Answer) -> tuple[object, ...]:
    return answer.key, answer.table, answer.events, answer.letters, answer.error


@given(st.lists(LINES, min_size=2, max_size=6), st.data())
def test_a_message_of_which_a_part_was_carried_out_goes_on_where_it_stopped(
    commands: list[str], data: st.DataObject
) -> None:
    """The program died between two commands of one message: what was done stands, the rest is done now, once."""
    done = data.draw(st.integers(1, len(commands) - 1), "done")
    story, whole = begun(), begun()
    story.hear("gm: " + "\n".join(commands[:done]), "m")
    after = Story(story.log, seeds=story.app.tables.entropy)  # type: ignore[arg-type]
    after.app.tables.clock = story.app.tables.clock
    answers = after.hear("gm: " + "\n".join(commands), "m")
    assert [answer.new for answer in answers] == [False] * done + [True] * (len(commands) - done)
    assert [told(answer) for answer in answers] == [
        told(answer) for answer in whole.hear("gm: " + "\n".join(commands), "m")
    ]
    assert list(after.log.read(after.table.id)) == list(whole.log.read(whole.table.id))
    assert not any(answer.new for answer in after.hear("gm: " + "\n".join(commands), "m"))


def test_an_edited_message_never_rolls_again() -> None:
    story = begun()
    (first,) = story.hear("ann: /roll d6", "m")
    (edited,) = story.hear("ann: /roll d20", "m")
    assert told(edited) == told(first)
    assert not edited.new


@pytest.mark.parametrize("chat", ["another"])
def test_the_same_number_in_another_chat_is_another_message(chat: str) -> None:
    story = begun()
    story.hear("ann: /roll d6", "m")
    other = Story(story.log, chat=chat, seeds=Seeds(500))
    (answer,) = other.hear("ann: /roll d6", "m")
    assert answer.error is not None
    assert answer.error[0] == "no_table"

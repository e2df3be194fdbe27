"""A table from its snapshot is the table that a whole replay gives, and what is no good is passed over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.json import decode, encode

from core import evolve, tables
from core.app import App
from core.evolve import Table
from core.snapshot import restored, taken
from events import codec
from events.log import EventLog
from tests.laws import played
from tests.laws.systems import GAMES, begun, games
from tests.laws.test_replay import replayed
from tests.story import Clock, Seeds, Story

SYSTEM = pytest.mark.parametrize("system", ["savage", *sorted(GAMES)])


@contextmanager
def acts_kept(count: int) -> Iterator[None]:
    """As in a game so long that an undo reaches only the last of its acts."""
    before, evolve.MAX_ACTS = evolve.MAX_ACTS, count
    try:
        yield
    finally:
        evolve.MAX_ACTS = before


def read_back(table: Table, log: EventLog, schema: str = "now") -> Table | None:
    return restored(taken(table, "now"), schema, table.id, partial(log.read, table.id))


@SYSTEM
@given(data=st.data())
def test_a_table_from_its_snapshot_is_the_live_table_and_goes_on_as_it(system: str, data: st.DataObject) -> None:
    with acts_kept(data.draw(st.integers(1, 6), "acts")):
        story = played.begun() if system == "savage" else begun(system)
        lines = data.draw(played.games() if system == "savage" else games(system))
        stop = data.draw(st.integers(0, len(lines)), "stop")
        for line in lines[:stop]:
            story.hear(line)
        snapshot = read_back(story.table, story.log)
        assert snapshot == story.table == replayed(story.log, story.table.id)
        for line in lines[stop:]:
            story.hear(line)
        rest = story.log.read(story.table.id, after=snapshot.ledger.seq)
        assert evolve.replay(snapshot, map(codec.decode, rest)) == story.table


def evening() -> Story:
    return played.begun("gm: /char new Red", "gm: /trait d8", "ann: /trait d6+1", "gm: /undo")


def test_a_snapshot_of_another_program_is_passed_over() -> None:
    story = evening()
    assert read_back(story.table, story.log, "now") == story.table
    assert read_back(story.table, story.log, "later") is None


def test_a_snapshot_of_another_record_is_passed_over() -> None:
    story, other = evening(), played.begun("gm: /trait d8", "gm: /trait d8", "gm: /trait d8", "gm: /trait d8")
    kept = taken(story.table, "now")
    for log, table in ((other.log, other.table), (story.log, Table("nowhere"))):
        assert restored(kept, "now", table.id, partial(log.read, table.id)) is None


@given(st.data())
def test_whatever_is_kept_as_a_snapshot_is_no_error(data: st.DataObject) -> None:
    story = evening()
    kept = taken(story.table, "now")
    place = data.draw(st.integers(0, len(kept) - 1))
    broken = kept[:place] + data.draw(st.binary(max_size=3)) + kept[place + 1 :]
    found = restored(broken, "now", story.table.id, partial(story.log.read, story.table.id))
    assert found is None or broken == kept
    good = decode(kept[32:])
    act = {"first": 1, "actor": "", "cause": "", "at": ""}
    others = [{"play": {}}, {"acts": [{**act, "events": [["DragonTamed", {}]]}]}, {"acts": [{**act, "events": []}]}]
    for shape in (b"", b"null", b"[]", *(encode({**good, **other}) for other in others)):
        whole = sha256(shape).digest() + shape
        restored(whole, "now", story.table.id, partial(story.log.read, story.table.id))


def test_a_long_table_is_opened_from_its_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "WORTH_A_SNAPSHOT", 10)
    story = played.begun(*["gm: /trait d8"] * 12)
    log, id = story.log, story.table.id
    opened = App(log, Clock(), Seeds(), schema="now")
    assert (opened.table(id), log.snapshot(id) is not None) == (story.table, True)
    story.given("ann: /trait d6")
    asked: list[int] = []
    read = log.read
    monkeypatch.setattr(log, "read", lambda table, after=0, to=None: asked.append(after) or read(table, after, to))
    with acts_kept(3):
        again = App(log, Clock(), Seeds(), schema="now").table(id)
    behind = asked[-1]
    assert again.ledger == story.table.ledger
    assert again.play == story.table.play
    assert behind == story.table.ledger.seq - 1, "only what came after the snapshot"


def test_a_table_that_was_let_go_is_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_TABLES", 2)
    log = played.begun().log
    stories = [Story(log, f"chat-{number}") for number in range(4)]
    for story in stories:
        story.app = stories[0].app
        story.given("gm: /table new savage Glacier", "gm: /trait d8")
    assert len(stories[0].app.tables._tables) == 2
    for story in stories:
        story.given("gm: /trait d6")
        assert story.table == replayed(log, story.table.id)

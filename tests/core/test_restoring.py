"""A log that was restored goes on: no die falls again, every chat is told, and the record holds."""

from __future__ import annotations

from core import restoring
from core.verify import verify
from events.beside import Beside
from events.codec import decode
from events.log import MemoryLog
from events.types import PeriodOpened, RollMade, SeedRevealed
from tests.story import Story, all_of, one_of, refused, restarted, savage

ROLL = "gm: /roll 20d100"


def faces(story: Story) -> tuple[int, ...]:
    return tuple(face for die in one_of(story.when(ROLL), RollMade).dice for face in die.faces)


def copied(story: Story) -> Story:
    """The same record with all that lies beside it, and nothing of what comes after."""
    log = MemoryLog()
    table, ledger = story.table.id, story.table.ledger
    seed = story.log.seed(table, ledger.period)
    chats = story.log.chats(table)
    log.append(table, 0, list(story.log.read(table)), Beside(chat=chats[0], seed=seed and (ledger.period, seed)))
    for chat in chats[1:]:
        log.append(table, 0, (), Beside(chat=chat))
    return restarted(story, log)


def test_without_a_new_seed_the_dice_that_were_seen_fall_again() -> None:
    story = savage(ROLL)
    copy = copied(story)
    assert faces(story) == faces(copy)


def test_a_restored_table_throws_other_dice_than_those_that_were_seen() -> None:
    story = savage(ROLL)
    copy = copied(story)
    assert restoring.go_on(copy.app.tables, "restored-1") == 1
    assert faces(story) != faces(copy)
    verdict = verify(copy.log.read(copy.table.id))
    assert (verdict.broken, verdict.proved, verdict.open, verdict.lost) == (None, (1,), 2, ())


def test_the_old_seed_is_published_and_a_new_one_is_promised_in_one_act() -> None:
    story = savage(ROLL)
    copy, before = copied(story), story.table.ledger
    restoring.go_on(copy.app.tables, "restored-1")
    revealed, opened = (decode(one) for one in copy.log.read(copy.table.id, after=before.seq))
    assert isinstance(revealed.data, SeedRevealed)
    assert isinstance(opened.data, PeriodOpened)
    assert (revealed.data.period, opened.data.period) == (before.period, before.period + 1)
    assert opened.data.reason == "restored"
    assert (revealed.cause, revealed.actor) == (opened.cause, "rollbook")
    assert copy.log.seed(copy.table.id, before.period) is None
    assert copy.log.seed(copy.table.id, opened.data.period) is not None
    assert refused(copy.when(f"gm: /undo {revealed.seq}")) == "not_allowed"


def test_every_chat_that_can_be_sent_something_is_told_the_promise_and_where_the_record_stands() -> None:
    story = savage("gm: /roll 2d6 secret # behind the screen")
    copy = copied(story)
    for chat in (("telegram", "-100"), ("matrix", "!room"), ("terminal", "main")):
        copy.log.append(copy.table.id, 0, (), Beside(chat=chat))
    restoring.go_on(copy.app.tables, "restored-1")
    told = {one.platform: one.letter.text for one in copy.log.pending()}
    assert told.keys() == {"test", "telegram", "matrix"}
    for text in told.values():
        assert "restored from a backup" in text
        assert copy.table.ledger.commitment in text
        assert f"{copy.table.ledger.seq}:{copy.table.ledger.head[:16]}" in text
        assert "2d6" in text, "what was secret in that period is open now"
    assert copy.table.ledger.sealed == ()


def test_a_table_that_has_no_seed_here_is_left_as_it_is_and_opens_one_with_its_first_throw() -> None:
    story = savage(ROLL)
    log = MemoryLog()
    log.append(story.table.id, 0, list(story.log.read(story.table.id)), Beside(chat=("test", "test")))
    copy = restarted(story, log)
    before = copy.table.ledger
    assert restoring.go_on(copy.app.tables, "restored-1") == 0
    assert copy.table.ledger == before
    (opened,) = all_of(copy.when(ROLL), PeriodOpened)
    assert opened.reason == "seed_missing"


def test_restored_twice_it_has_three_seeds_and_all_that_are_closed_are_proved() -> None:
    story = savage(ROLL)
    for mark in ("restored-1", "restored-2"):
        story = copied(story)
        assert restoring.go_on(story.app.tables, mark) == 1
        story.given(ROLL)
    assert verify(story.log.read(story.table.id)).proved == (1, 2)

"""Messages of many chats on their way into one log at once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from adapters import inbox as arriving
from adapters import wiring
from adapters.inbox import Inbox, carried_out
from core.app import Steps
from core.messages import Answer, Incoming
from core.verify import verify
from events.beside import Beside, MessageKey
from events.log import Entry, LogUnusable
from events.sqlite import SqliteLog

CHATS, ROLLS = 12, 8


def incoming(chat: int, number: int, text: str) -> Incoming:
    key = MessageKey("telegram", f"-{chat}", str(number))
    return Incoming(key=key, person=f"p{chat}", name="Gm", text=text)


async def played(inbox: Inbox, chat: int) -> list[Answer]:
    lines = ["/table new savage Glacier", *["/trait d8"] * ROLLS]
    return [answer for n, text in enumerate(lines) for answer in await inbox.hearing(incoming(chat, n, text))]


@pytest.mark.parametrize("slow", [3600.0, -3600.0], ids=["quick disk", "slow disk"])
def test_chats_that_play_at_once_have_each_their_own_whole_table(
    tmp_path: Path, slow: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arriving, "SLOW_S", slow)
    log = SqliteLog(tmp_path / "rollbook.db")
    inbox = Inbox(wiring.build(log, "en"), "telegram", lambda: 0.0, 60.0)

    async def all_at_once() -> list[list[Answer]]:
        return await asyncio.gather(*(played(inbox, chat) for chat in range(CHATS)))

    answers = asyncio.run(all_at_once())
    assert [[one.error for one in told] for told in answers] == [[None] * (ROLLS + 1)] * CHATS
    assert len({told[0].table for told in answers}) == CHATS
    for told in answers:
        found = verify(log.read(told[0].table))
        assert found.broken is None
        assert found.events == sum(len(one.events) for one in told)
    assert len(log.pending("telegram")) == CHATS * (ROLLS + 1)
    log.close()


def test_a_message_that_comes_twice_at_once_is_taken_up_once(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "rollbook.db")
    inbox = Inbox(wiring.build(log, "en"), "telegram", lambda: 0.0, 60.0)

    async def twice() -> list[list[Answer]]:
        await inbox.hearing(incoming(1, 1, "/table new savage Glacier"))
        return await asyncio.gather(*(inbox.hearing(incoming(1, 2, "/trait d8")) for _ in range(5)))

    told = [answer for answers in asyncio.run(twice()) for answer in answers]
    assert [one.new for one in told].count(True) == 1
    assert len({one.events[0].hash for one in told}) == 1
    log.close()


def test_what_a_whole_record_is_read_for_is_answered_the_same(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "rollbook.db")
    inbox = Inbox(wiring.build(log, "en"), "telegram", lambda: 0.0, 60.0)

    async def asked() -> list[Answer]:
        await played(inbox, 1)
        lines = ("/stats", "/replay", "/stats Nobody", "/replay 7")
        return [answer for n, text in enumerate(lines) for answer in await inbox.hearing(incoming(1, 100 + n, text))]

    told = asyncio.run(asked())
    at_once = [inbox.hear(incoming(1, 200 + n, text))[0] for n, text in enumerate(("/stats", "/replay"))]
    assert [one.letters for one in told[:2]] == [one.letters for one in at_once]
    assert [one.error and one.error[0] for one in told] == [None, None, "not_found", "not_found"]
    log.close()


def test_a_log_that_cannot_be_written_takes_nothing_up(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "rollbook.db")
    inbox = Inbox(wiring.build(log, "en"), "telegram", lambda: 0.0, 60.0)
    log._writer.conn.execute("PRAGMA query_only = ON")
    with pytest.raises(LogUnusable):
        asyncio.run(inbox.hearing(incoming(1, 1, "/table new savage Glacier")))
    log._writer.conn.execute("PRAGMA query_only = OFF")
    (answer,) = asyncio.run(inbox.hearing(incoming(1, 1, "/table new savage Glacier")))
    assert answer.new
    log.close()


def test_an_append_that_does_not_fit_together_fails_alone(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "rollbook.db")
    inbox = Inbox(wiring.build(log, "en"), "telegram", lambda: 0.0, 60.0)

    def odd() -> Steps[None]:
        yield Entry("", 0, (), Beside(seed=(1, b"short")))

    async def both() -> list[list[Answer] | BaseException | None]:
        played_on = inbox.hearing(incoming(1, 1, "/table new savage Glacier"))
        return await asyncio.gather(carried_out(odd(), log), played_on, return_exceptions=True)

    failed, answered = asyncio.run(both())
    assert isinstance(failed, ValueError)
    assert isinstance(answered, list)
    assert answered[0].events
    log.close()


def test_in_a_chat_that_was_told_of_what_came_late_talk_is_kept_no_longer_all_the_same(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "rollbook.db")
    inbox = Inbox(wiring.build(log, "en"), "telegram", lambda: 0.0, 60.0)
    for number, text in enumerate(("/table new savage Glacier", "/log on")):
        inbox.hear(incoming(1, number, text))
    heard = [
        inbox.hear(replace(incoming(1, number, text), late=True))
        for number, text in enumerate(("/roll 2d6", "/roll 2d6", "/log off", "Not kept.", "/roll 2d6"), 10)
    ]
    codes = [[one.error and one.error[0] for one in answers] for answers in heard]
    assert codes == [["limit_reached"], [], [None], [], []]
    assert [type(one.data).__name__ for one in heard[2][0].events] == ["LogPaused"]
    log.close()

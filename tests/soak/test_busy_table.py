"""So many chats of one table at once that not every command finds its turn: whoever did not is told."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from adapters import wiring
from adapters.inbox import Inbox
from core import app
from core.messages import Answer, Incoming
from core.verify import verify
from events.beside import Beside, MessageKey
from events.sqlite import SqliteLog

CHATS = 24


def incoming(chat: int, number: int, text: str) -> Incoming:
    return Incoming(key=MessageKey("telegram", f"-{chat}", str(number)), person=f"p{chat}", name="Gm", text=text)


def test_whoever_finds_no_turn_at_a_busy_table_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "TRIES", 1)
    log = SqliteLog(tmp_path / "rollbook.db")
    inbox = Inbox(wiring.build(log, "en"), "telegram", lambda: 0.0, 60.0)

    async def all_at_once() -> list[list[Answer]]:
        await inbox.hearing(incoming(0, 0, "/table new savage Glacier"))
        (table,) = log.tables()
        for chat in range(1, CHATS):
            log.append(table, 0, (), Beside(chat=("telegram", f"-{chat}")))
        steps = [inbox.hearing(incoming(chat, 1, "/trait d8")) for chat in range(CHATS)]
        with log._writer.lock:  # so that all of them decide on the same head
            asked = [asyncio.create_task(one) for one in steps]
            await asyncio.sleep(0)
        return await asyncio.gather(*asked)

    answers = [answer for told in asyncio.run(all_at_once()) for answer in told]
    (table,) = log.tables()
    rolled = [answer for answer in answers if answer.events]
    busy = [answer for answer in answers if answer.error]
    assert (len(rolled), len(busy)) == (1, CHATS - 1)
    for answer in busy:
        assert answer.error is not None
        (letter,) = log.pending("telegram", answer.key.chat)[-1:]
        assert (letter.key, letter.letter.text) == (answer.key, answer.error[1])
    assert verify(log.read(table)).broken is None
    log.close()

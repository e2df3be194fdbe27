"""A program that plays many tables on one log until it is killed, and says of each answer that it has it.

    python -m tests.soak.player LOG TOLD --way at-once --tables 64

It is what a platform and its adapter are to the log: each chat's messages come one after another, those that were
not told come again at the next start, and so does the last one that was. What a line of `TOLD` says was acknowledged;
the line goes out with one write, behind the answer, so that a kill leaves it whole or leaves it out.
"""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import Thread

from msgspec import Struct
from msgspec.json import decode, encode

from adapters import wiring
from adapters.inbox import Inbox
from core.messages import Answer, Incoming
from events.beside import MessageKey
from events.sqlite import SqliteLog

PLATFORM = "telegram"
PATIENCE_S = 600.0  # for the other program's turn: a busy disk is slow, not wrong
FOREVER = 10**9
OPENING = ("/table new savage Glacier", "/log on")
LINES = (  # mostly what is written in groups, and some of all that is not
    "/trait d8", "/roll 4d100", "/trait d6\n/trait d10", "/roll 2d6", "on we go", "/trait d4", "/calc 1+1", "/trait d7",
    "/roll 3d20", "/session start Night", "/trait d12", "/roll 2d6 secret", "/undo", "/trait d8", "/session end",
)  # fmt: skip


class Told(Struct, frozen=True):
    """An answer as the program had it: its message, the events of it and the hash of the last, what it says."""

    chat: str
    message: str
    first: int
    last: int
    hash: str
    said: tuple[str, ...]

    @property
    def number(self) -> int:
        """How many messages of its chat came before it."""
        return int(self.message.partition("#")[0].lstrip("abs"))


def told_in(path: Path) -> list[Told]:
    return [decode(line, type=Told) for line in path.read_bytes().splitlines()] if path.exists() else []


def told_of(answer: Answer) -> Told:
    seqs = [event.seq for event in answer.events] or [1, 0]
    said = (answer.error[1],) if answer.error else tuple(letter.text for letter in answer.letters)
    last_hash = answer.events[-1].hash if answer.events else ""
    return Told(answer.key.chat, answer.key.message, seqs[0], seqs[-1], last_hash, said)


class Player:
    """`name` is put before the number of each message: programs of one name are brought the same messages."""

    def __init__(self, log: SqliteLog, told: Path, name: str, before: int) -> None:
        self.log, self.name, self.before = log, name, before
        self._told = os.open(told, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self._next: dict[str, int] = {}
        for one in told_in(told):
            self._next[one.chat] = max(self._next.get(one.chat, 0), one.number)

    def inbox(self) -> Inbox:
        return Inbox(wiring.build(self.log, "en"), PLATFORM, lambda: 0.0, 60.0)

    def messages(self, inbox: Inbox, chat: str) -> Iterator[Incoming]:
        for number in range(self._next.get(chat, 0), self.before):
            text = (*OPENING, *LINES)[number] if number < len(OPENING) else LINES[number % len(LINES)]
            key = MessageKey(PLATFORM, chat, f"{self.name}{number}")
            yield Incoming(key=key, person=inbox.person(chat), name=f"Gm of {chat}", text=text)

    def tell(self, chat: str, answers: Iterable[Answer]) -> None:
        for answer in answers:
            os.write(self._told, encode(told_of(answer)) + b"\n")
        for letter in self.log.pending(PLATFORM, chat)[:1]:
            self.log.sent(letter.id)

    async def at_once(self, chats: Iterable[str]) -> None:
        inbox = self.inbox()
        await asyncio.gather(*(self._played(inbox, chat) for chat in chats))

    async def _played(self, inbox: Inbox, chat: str) -> None:
        for message in self.messages(inbox, chat):
            self.tell(chat, await inbox.hearing(message))

    def one_by_one(self, chats: Iterable[str]) -> None:
        """For one thread of several."""
        inbox = self.inbox()
        playing = {chat: self.messages(inbox, chat) for chat in chats}
        while playing:
            for chat in [*playing]:
                if (message := next(playing[chat], None)) is None:
                    del playing[chat]
                else:
                    self.tell(chat, inbox.hear(message))


def main() -> None:
    given = _arguments()
    log = SqliteLog(given.log, PATIENCE_S)
    player = Player(log, given.told, given.name, given.before)
    chats = [f"-{number}" for number in range(given.first, given.first + given.tables)]
    if given.way == "at-once":
        asyncio.run(player.at_once(chats))
    else:
        shares = [chats[one :: given.threads] for one in range(given.threads)]
        threads = [Thread(target=player.one_by_one, args=(share,)) for share in shares]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    log.close()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("log", type=Path)
    parser.add_argument("told", type=Path)
    parser.add_argument("--way", choices=["at-once", "threads"], default="at-once")
    parser.add_argument("--tables", type=int, default=64)
    parser.add_argument("--first", type=int, default=0, help="The number of the first table's chat.")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--name", choices=["a", "b", "s"], default="a")
    parser.add_argument("--before", type=int, default=FOREVER, help="How many messages each chat has.")
    return parser.parse_args()


if __name__ == "__main__":
    main()

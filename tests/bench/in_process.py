"""Commands straight into the core, on a log whose every append is on the disk: no chat, no network, nobody else.

`trait d8` again and again, so that one day can be compared with another; and what people type in an evening, at tables
of the four systems.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from adapters import wiring
from adapters.inbox import carried_out
from core.app import App
from core.messages import Answer, Incoming
from core.registry import SYSTEMS
from events.beside import MessageKey
from events.sqlite import SqliteLog
from tests.bench.evenings import GM, Evenings, Line, again_share
from tests.bench.figures import Figure, Size, rate, taken
from tests.bench.rounds import Round
from tests.bench.serving import COMMAND

BENCHMARK = "in the process"
SHARE = 0.5  # of the rate that is reached when all wait for nothing but their answers


class Lines(Protocol):
    """What is typed at a table: `opening` once, then so many lines as often as asked."""

    @property
    def opening(self) -> Sequence[Line]: ...

    def typed(self, count: int) -> Sequence[Line]: ...


class Same:
    """One line again and again."""

    def __init__(self, number: int) -> None:
        self.opening = (Line(GM, f"/table new savage Glacier {number}"),)

    def typed(self, count: int) -> Sequence[Line]:
        return (Line(GM, f"/{COMMAND}"),) * count


class Chat:
    """One table's chat. Who is offered a choice takes one before anything else is typed."""

    def __init__(self, app: App, number: int, lines: Lines) -> None:
        self.app, self.number, self.lines = app, number, lines
        self.said = self.refused = 0
        self.texts: list[str] = []
        self._ready: Iterator[Line] = iter(lines.opening)
        self._asked: Line | None = None
        for _ in lines.opening:
            assert self.hear().error is None

    def prepare(self, count: int) -> None:
        """So many lines are ready to be typed: to make them up is not measured."""
        self._ready = iter(self.lines.typed(count))

    def next(self) -> Incoming:
        line = self._asked or next(self._ready)
        self.said += 1
        self.texts.append(line.text)
        key = MessageKey("telegram", f"-{self.number}", str(self.said))
        return Incoming(key=key, person=f"p{self.number}{line.who}", name=line.who.upper(), text=line.text)

    def heard(self, said: Incoming, answers: Sequence[Answer]) -> Answer:
        (answer,) = answers
        assert answer.new
        self.refused += answer.error is not None
        choices = [choice for letter in answer.letters for choice in letter.choices]
        self._asked = Line(said.person[-1], f"/choose {choices[self.said % len(choices)][0]}") if choices else None
        return answer

    def hear(self) -> Answer:
        said = self.next()
        return self.heard(said, self.app.hear(said))

    async def hearing(self) -> Answer:
        said = self.next()
        return self.heard(said, await carried_out(self.app.hearing(said), self.app.log))


def one_table(size: Size, folder: Path) -> Iterator[Round]:
    yield from _one_at_a_time(size, folder, f"1 in flight, {COMMAND}", 1, Same)


def one_evening(size: Size, folder: Path) -> Iterator[Round]:
    yield from _one_at_a_time(size, folder, "1 in flight, evenings", len(SYSTEMS), Evenings)


def many_tables(size: Size, folder: Path) -> Iterator[Round]:
    name = f"{size.tables} in flight, {COMMAND}"
    with chats(folder, size.tables, Same) as seated:
        while True:
            yield _figures(name, *_in_flight(seated, size.in_flight))


def many_evenings(size: Size, folder: Path) -> Iterator[Round]:
    """Without a pause, and then with as many as half of that a second."""
    name = f"{size.tables} in flight, evenings"
    with chats(folder, size.tables, Evenings) as seated:
        while True:
            times, took, processor = _in_flight(seated, size.in_flight)
            figures = _figures(name, times, took, processor)
            calm = _at_rate(seated, size.in_flight // 2, SHARE * size.in_flight / took)
            yield [*figures, *taken(BENCHMARK, f"{size.tables} tables, {SHARE:.0%} of that rate", calm), *_mix(seated)]


def _one_at_a_time(
    size: Size, folder: Path, name: str, tables: int, lines: Callable[[int], Lines]
) -> Iterator[Round]:
    with chats(folder, tables, lines) as seated:
        while True:
            _prepare(seated, size.commands)
            processor = time.process_time()
            times = [_heard_s(chat) for chat in itertools.islice(itertools.cycle(seated), size.commands)]
            yield _figures(name, times, sum(times), time.process_time() - processor)


@contextmanager
def chats(folder: Path, tables: int, lines: Callable[[int], Lines]) -> Iterator[list[Chat]]:
    """So many tables on a log of their own."""
    log = SqliteLog(folder / "rollbook.db")
    try:
        app = wiring.build(log, "en")
        gc.collect()
        gc.freeze()  # as `rollbook serve` does
        yield [Chat(app, number, lines(number)) for number in range(tables)]
    finally:
        gc.unfreeze()
        log.close()


def _prepare(chats: Sequence[Chat], count: int) -> None:
    for chat in chats:
        chat.prepare(-(-count // len(chats)))


def _heard_s(chat: Chat) -> float:
    began = time.perf_counter()
    chat.hear()
    return time.perf_counter() - began


def _in_flight(chats: Sequence[Chat], count: int) -> tuple[list[float], float, float]:
    """Each table says the next when it has the answer to the last: what each took, all of it, the processor time."""

    async def one(chat: Chat) -> list[float]:
        return [await _hearing_s(chat, time.perf_counter()) for _ in range(count // len(chats))]

    async def all_of_them() -> tuple[list[float], float, float]:
        began, processor = time.perf_counter(), time.process_time()
        times = await asyncio.gather(*map(one, chats))
        took, used = time.perf_counter() - began, time.process_time() - processor
        return [one for each in times for one in each], took, used

    _prepare(chats, count)
    return asyncio.run(all_of_them())


def _at_rate(chats: Sequence[Chat], count: int, per_s: float) -> list[float]:
    """Messages come by chance, so many a second, whether or not others were answered: from then to the answer."""
    chance = random.Random(count)
    waits = list(itertools.accumulate(chance.expovariate(per_s) for _ in range(count)))

    async def one(chat: Chat, turn: asyncio.Lock, due: float) -> float:
        await asyncio.sleep(due - time.perf_counter())
        async with turn:
            return await _hearing_s(chat, due)

    async def all_of_them() -> list[float]:
        turns = [(chat, asyncio.Lock()) for chat in chats]
        began = time.perf_counter()
        coming = zip(itertools.cycle(turns), waits)
        return await asyncio.gather(*(one(chat, turn, began + wait) for (chat, turn), wait in coming))

    _prepare(chats, count)
    return asyncio.run(all_of_them())


async def _hearing_s(chat: Chat, began: float) -> float:
    await chat.hearing()
    return time.perf_counter() - began


def _figures(name: str, times: Sequence[float], took: float, processor: float) -> Round:
    used = Figure(BENCHMARK, f"{name}, processor time", 1e6 * processor / len(times), "µs")
    return [rate(BENCHMARK, name, len(times), took), *taken(BENCHMARK, name, times), used]


def _mix(chats: Sequence[Chat]) -> Round:
    """What was typed so far."""
    texts = [text for chat in chats for text in chat.texts]
    refused = sum(chat.refused for chat in chats) / len(texts)
    return [
        Figure("evenings", "lines that were typed before at one of the tables", 100 * again_share(texts), "%"),
        Figure("evenings", "lines that were refused", 100 * refused, "%"),
    ]

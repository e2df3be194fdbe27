"""The real program on a real Synapse, in plain and in encrypted rooms: times are those that Synapse gives to events.

Beside it the barest bot there can be, which repeats what is said: what Synapse itself takes of a round trip.
"""

from __future__ import annotations

import itertools
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.adapters.matrix_chat import Encrypted, Json, Person, Settings, answers, bot_on, opened, replied, wait_for
from tests.bench.figures import Figure, Size, rate, round_trips
from tests.bench.serving import COMMAND, Processor, Program, serving
from tests.servers.synapse import running

PATIENCE_S = 600.0
KEYS = ("homeserver", "user", "access_token", "device_id", "store", "pickle_key")


def plain(size: Size, folder: Path) -> list[Figure]:
    return _measured("Matrix, plain room", size, folder, encrypted=False)


def encrypted(size: Size, folder: Path) -> list[Figure]:
    return _measured("Matrix, encrypted room", size, folder, encrypted=True)


def echo(size: Size, folder: Path) -> list[Figure]:
    """Somebody who answers whatever is said, without a thought."""
    gm, other = Encrypted(running(), "gm", folder), Person(running(), "echo")
    settings = Settings(running().base_url, other.account)
    room = gm.room(other.account)
    other.join(room)
    with _repeating(other, room, gm.account):
        times = [_answered_s(gm, room, settings) for _ in range(size.one_by_one_matrix)]
    gm.close()
    return round_trips("Synapse alone, an echo", times)


@contextmanager
def _repeating(one: Person, room: str, of: str) -> Iterator[None]:
    stop = threading.Event()
    since = one.ask("GET", "sync", timeout="0")["next_batch"]
    thread = threading.Thread(target=_repeat, args=(one, room, of, since, stop))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _repeat(one: Person, room: str, of: str, since: str, stop: threading.Event) -> None:
    while not stop.is_set():
        news = one.ask("GET", "sync", timeout="1000", since=since)
        since = news["next_batch"]
        for event in news.get("rooms", {}).get("join", {}).get(room, {}).get("timeline", {}).get("events", ()):
            if (event["sender"], event["type"]) == (of, "m.room.message"):
                relation = {"m.in_reply_to": {"event_id": event["event_id"]}}
                one.say(room, event["content"]["body"], **{"m.relates_to": relation})


def _measured(benchmark: str, size: Size, folder: Path, *, encrypted: bool) -> list[Figure]:
    settings = bot_on(running(), folder)
    variables = {f"ROLLBOOK_MATRIX_{key.upper()}": str(getattr(settings, key)) for key in KEYS}
    with serving(variables | {"ROLLBOOK_DB": str(folder / "rollbook.db")}) as program:
        gm = Encrypted(running(), "gm", folder)
        rooms = [opened(settings, gm, encrypted=encrypted) for _ in range(size.chats)]
        for room in rooms:
            _answered_s(gm, room, settings)  # what is done once for each room is done
        times = [_answered_s(gm, rooms[0], settings) for _ in range(size.one_by_one_matrix)]
        figures = [
            *round_trips(benchmark, times),
            *_at_once(benchmark, "1 room", gm, settings, program, rooms[:1], size.at_once_matrix),
            *_at_once(benchmark, f"{size.chats} rooms", gm, settings, program, rooms, size.at_once_matrix),
        ]
        gm.close()
    return figures


def _answered_s(gm: Person, room: str, settings: Settings) -> float:
    """From a command to its answer."""
    message = gm.say(room, f"!{COMMAND}")
    answer = wait_for(lambda: answers(gm, room, settings, message))[0]
    question = wait_for(lambda: [one for one in gm.seen(room) if one["event_id"] == message])[0]
    return float(answer["origin_server_ts"] - question["origin_server_ts"]) / 1e3


def _at_once(
    benchmark: str, where: str, gm: Person, settings: Settings, program: Program, rooms: Sequence[str], count: int
) -> list[Figure]:
    """The bot stands still while they are written, so that it is not the writing that is measured."""
    program.send_signal(signal.SIGSTOP)
    asked = [(room, gm.say(room, f"!{COMMAND}")) for room in itertools.islice(itertools.cycle(rooms), count)]
    began, processor = time.time(), Processor(program)
    program.send_signal(signal.SIGCONT)
    came = wait_for(lambda: _all_answered(gm, settings, asked), PATIENCE_S)
    name = f"{count} at once in {where}"
    last = max(one["origin_server_ts"] for one in came) / 1e3
    return [rate(benchmark, name, count, last - began), *processor.used(benchmark, name, count)]


def _all_answered(gm: Person, settings: Settings, asked: Sequence[tuple[str, str]]) -> list[Json]:
    """The answers, when there is one to each."""
    rooms, messages = {room for room, _ in asked}, {message for _, message in asked}
    came = [one for room in rooms for one in gm.notices(room, settings.user) if replied(one) in messages]
    return came if {replied(one) for one in came} == messages else []

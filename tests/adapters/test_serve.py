"""`rollbook serve` as a program of its own on the fake Telegram: ended, killed at any moment, started again."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from core.verify import verify
from events.sqlite import SqliteLog
from tests.adapters.terminal import ENVIRONMENT, PROGRAM
from tests.servers.telegram import FakeTelegram

GRACE_S = 15


@contextmanager
def serving(
    server: FakeTelegram, path: Path | str, token: str = "", **more: str
) -> Iterator[subprocess.Popen[str]]:
    """`path` is the log's, or the address of a database; `more` are variables of the environment."""
    environment = {
        **ENVIRONMENT, "NO_PROXY": "127.0.0.1", "ROLLBOOK_DB": str(path),
        "ROLLBOOK_TELEGRAM_TOKEN": token or server.token, "ROLLBOOK_TELEGRAM_BASE_URL": server.base_url,
        "ROLLBOOK_TELEGRAM_BASE_FILE_URL": server.base_file_url, **more,
    }  # fmt: skip
    process = subprocess.Popen([*PROGRAM, "serve"], env=environment, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def ended(process: subprocess.Popen[str], number: int = signal.SIGTERM) -> str:
    """What it wrote to stderr before it left with 0."""
    process.send_signal(number)
    _, said = process.communicate(timeout=GRACE_S)
    assert process.returncode == 0, said
    return said


def table_of(server: FakeTelegram, path: Path) -> tuple[dict[str, Any], int]:
    """A person and a group in which a table is open."""
    gm = server.person("Gm")
    group = server.supergroup("Night", gm)
    with serving(server, path) as process:
        server.text(group, gm, "/table new savage Glacier")
        server.wait_for(lambda: server.of_bot(group), 30)
        ended(process)
    return gm, group


def rolled(path: Path) -> list[str]:
    """The cause of each roll in the log, oldest first; the chain and every die hold."""
    log = SqliteLog(path)
    (table,) = log.tables()
    stored = list(log.read(table))
    assert verify(stored).broken is None
    log.close()
    rolls = [one.body for one in stored if b'"type":"RollMade"' in one.body]
    return [body.split(b'"cause":"')[1].split(b'"')[0].decode() for body in rolls]


def test_serve_answers_and_ends_cleanly_when_asked(server: FakeTelegram, path: Path) -> None:
    gm, group = table_of(server, path)
    with serving(server, path) as process:
        server.text(group, gm, "/roll 2d6")
        server.wait_for(lambda: len(server.of_bot(group)) == 2, 30)
        said = ended(process, signal.SIGINT)
    assert "Traceback" not in said
    assert server.token.split(":")[1] not in said


def test_what_was_accepted_is_answered_before_the_end(server: FakeTelegram, path: Path) -> None:
    gm, group = table_of(server, path)
    with serving(server, path) as process:
        server.text(group, gm, "/calc 1+1")
        server.wait_for(lambda: len(server.of_bot(group)) == 2, 30)
        for _ in range(3):
            server.delay_next("sendMessage", 0.3)
        for _ in range(3):
            server.text(group, gm, "/roll 2d6")
        server.wait_for(lambda: len(rolled(path)) == 3)
        ended(process)
    assert len(server.of_bot(group)) == 5


def test_a_token_that_telegram_does_not_know_is_said_in_one_line(server: FakeTelegram, path: Path) -> None:
    with serving(server, path, "700:wrong") as process:
        _, said = process.communicate(timeout=GRACE_S)
    assert process.returncode == 2
    assert "telegram.token" in said.splitlines()[-1]
    assert "Traceback" not in said
    assert "700:wrong" not in said


def answers(server: FakeTelegram, group: int, messages: list[int]) -> list[list[str]]:
    """What was said below each of these messages."""
    return [[one.text for one in server.of_bot(group) if one.reply_to == message] for message in messages]


def committed(path: Path, count: int) -> Callable[[], bool]:
    return lambda: len(rolled(path)) >= count


MOMENTS = ["taken up and not answered", "answered and not marked", "received and not taken up"]


@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_at_a_certain_moment_it_rolls_once_and_answers(
    server: FakeTelegram, path: Path, moment: str
) -> None:
    gm, group = table_of(server, path)
    with serving(server, path) as process:
        server.text(group, gm, "/calc 1+1")
        server.wait_for(lambda: len(server.of_bot(group)) == 2, 30)
        if moment == "received and not taken up":
            process.send_signal(signal.SIGSTOP)
            message = server.text(group, gm, "/roll 4d100")
            time.sleep(0.1)
        elif moment == "taken up and not answered":
            server.delay_next("sendMessage", 60)
            message = server.text(group, gm, "/roll 4d100")
            server.wait_for(committed(path, 1))
            server.wait_for(lambda: not server._faults)  # it is on its way, and is lost with the program
        else:
            server.lose_answer_next("sendMessage")
            message = server.text(group, gm, "/roll 4d100")
            server.wait_for(lambda: answers(server, group, [message]) != [[]])
        process.kill()
        process.wait()
    with serving(server, path) as process:
        server.wait_for(lambda: answers(server, group, [message]) != [[]], 30)
        last = server.text(group, gm, "/calc 2+2")
        server.wait_for(lambda: answers(server, group, [last]) != [[]], 30)
        ended(process)
    (said,) = answers(server, group, [message])
    assert rolled(path) == [f"telegram:{group}:{message}"]
    assert len(set(said)) == 1
    assert len(said) == 1 or moment == "answered and not marked"


def test_killed_again_and_again_it_rolls_nothing_twice_and_loses_no_answer(server: FakeTelegram, path: Path) -> None:
    gm, group = table_of(server, path)
    messages: list[int] = []
    for wait_ms in (0, 3, 8, 15, 25, 40):
        with serving(server, path) as process:
            messages += [server.text(group, gm, "/roll 4d100") for _ in range(4)]
            first = messages[-4:-3]
            server.wait_for(lambda first=first: answers(server, group, first) != [[]], 30)
            messages += [server.text(group, gm, "/roll 4d100") for _ in range(4)]
            time.sleep(wait_ms / 1000)
            process.kill()
            process.wait()
    with serving(server, path) as process:
        messages.append(server.text(group, gm, "/roll 4d100"))
        server.wait_for(lambda: all(answers(server, group, messages)), 30)
        ended(process)
    assert rolled(path) == [f"telegram:{group}:{message}" for message in messages]
    assert [len(set(said)) for said in answers(server, group, messages)] == [1] * len(messages)
    assert sum(len(said) - 1 for said in answers(server, group, messages)) <= 6, "at most one for each kill"


def test_two_programs_on_one_log_roll_once(server: FakeTelegram, path: Path) -> None:
    gm, group = table_of(server, path)
    with serving(server, path) as one, serving(server, path) as other:
        messages = [server.text(group, gm, "/roll 4d100") for _ in range(10)]
        server.wait_for(lambda: len(rolled(path)) == 10, 30)
        server.wait_for(lambda: all(answers(server, group, messages)), 30)
        ended(one)
        ended(other)
    assert rolled(path) == [f"telegram:{group}:{message}" for message in messages]

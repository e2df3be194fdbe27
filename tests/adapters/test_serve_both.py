"""`rollbook serve` as a program of its own, on a real Synapse and on Telegram: one table in both, killed at will."""

from __future__ import annotations

import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from core.verify import verify
from events.envelope import Stored
from events.sqlite import SqliteLog
from tests.adapters.matrix_chat import Encrypted, Person, Settings, answers, ask, bot_on, opened, said, wait_for
from tests.adapters.terminal import ENVIRONMENT, PROGRAM, run
from tests.servers.synapse import Synapse, running
from tests.servers.telegram import FakeTelegram

GRACE_S = 20
CODE = re.compile(r"[0-9A-Z]{4}-[0-9A-Z]{4}")


@pytest.fixture
def server() -> Synapse:
    return running()


@pytest.fixture
def telegram() -> Iterator[FakeTelegram]:
    with FakeTelegram() as telegram:
        yield telegram


@pytest.fixture
def settings(server: Synapse, tmp_path: Path) -> Settings:
    return bot_on(server, tmp_path)


@contextmanager
def serving(path: Path, settings: Settings, telegram: FakeTelegram | None = None) -> Iterator[subprocess.Popen[str]]:
    """The program, configured by a file; without Telegram it is in Matrix alone."""
    file = path.with_name("rollbook.toml")
    keys = ("homeserver", "user", "access_token", "device_id", "store", "pickle_key")
    matrix = "".join(f'{key} = "{getattr(settings, key)}"\n' for key in keys)
    urls = f'base_url = "{telegram.base_url}"\nbase_file_url = "{telegram.base_file_url}"\n' if telegram else ""
    section = f'[telegram]\ntoken = "{telegram.token}"\n{urls}' if telegram else ""
    file.write_text(f'db = "{path}"\nlanguage = "en"\n[matrix]\n{matrix}{section}')
    environment = {**ENVIRONMENT, "NO_PROXY": "127.0.0.1"}
    process = subprocess.Popen(
        [*PROGRAM, "serve", "--config", str(file)], env=environment, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def ended(process: subprocess.Popen[str]) -> str:
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=GRACE_S)
    assert process.returncode == 0, said
    return said


def stored(path: Path) -> list[Stored]:
    """All that is in the log, which has one table."""
    log = SqliteLog(path)
    (table,) = log.tables()
    found = list(log.read(table))
    log.close()
    return found


def rolled(path: Path) -> list[str]:
    """The cause of each roll in the log, oldest first; the chain and every die hold."""
    assert verify(stored(path)).broken is None
    rolls = [one.body for one in stored(path) if b'"type":"RollMade"' in one.body]
    return [body.split(b'"cause":"')[1].split(b'"')[0].decode() for body in rolls]


def test_a_table_half_in_telegram_and_half_in_matrix_is_one_table(
    server: Synapse, telegram: FakeTelegram, path: Path, settings: Settings, tmp_path: Path
) -> None:
    gm, tom = telegram.person("Gm"), Person(server, "tom")
    group = telegram.supergroup("Night", gm)
    with serving(path, settings, telegram) as process:
        telegram.text(group, gm, "/table new savage Glacier")
        telegram.wait_for(lambda: telegram.of_bot(group), 40)
        telegram.text(group, gm, "/table link")
        code = CODE.findall(telegram.wait_for(lambda: telegram.of_bot(group)[1:])[0].text)[0]
        room = tom.room(settings.user)
        wait_for(lambda: said(tom, room, settings))
        assert "Glacier" in ask(tom, room, settings, f"!table join {code}")
        assert "Glacier" in telegram.wait_for(lambda: telegram.of_bot(group)[2:])[0].text
        telegram.text(group, gm, "/session start Night")
        wait_for(lambda: "Night" in said(tom, room, settings)[-1])
        told = ask(tom, room, settings, "!roll 4d100 # <b>@Gm @room</b>").replace("\u2060", "")
        heard = telegram.wait_for(lambda: telegram.of_bot(group)[4:])[0]
        assert (heard.text.replace("\u2060", ""), heard.reply_to) == (told, None)
        secret = tom.say(room, "!roll 2d6 secret=gm")
        wait_for(lambda: answers(tom, room, settings, secret))
        own = telegram.private(gm)
        telegram.text(own, gm, "/start letters")
        telegram.wait_for(lambda: [one for one in telegram.of_bot(own) if "blind" in one.text.lower()])
        ended(process)
    assert len(rolled(path)) == 2
    checked = run("verify", path)
    assert checked.returncode == 0, checked
    export, copy = tmp_path / "night.jsonl", tmp_path / "copy.db"
    assert run("export", "--db", path, "--as", "audit", "-o", export).returncode == 0
    assert run("import", "--db", copy, export).returncode == 0
    assert stored(copy) == stored(path)
    replayed = run("replay", "--db", path)
    assert replayed.returncode == 0
    assert told in replayed.stdout


KINDS = [pytest.param(Person, id="plain"), pytest.param(Encrypted, id="encrypted")]


@pytest.mark.parametrize("kind", KINDS)
def test_killed_again_and_again_it_rolls_nothing_twice_and_answers_each_command_once(
    server: Synapse, path: Path, settings: Settings, tmp_path: Path, kind: type[Person]
) -> None:
    gm = kind(server, "gm", tmp_path)
    with serving(path, settings) as process:
        room = opened(settings, gm, encrypted=kind is Encrypted)
        ended(process)
    messages: list[str] = []
    for wait_ms in (0, 40, 90, 150):
        with serving(path, settings) as process:
            messages += [gm.say(room, "!roll 4d100") for _ in range(2)]
            first = messages[-2]
            wait_for(lambda first=first: answers(gm, room, settings, first))
            messages += [gm.say(room, "!roll 4d100") for _ in range(2)]
            time.sleep(wait_ms / 1000)  # at another step of the way each time
            process.kill()
            process.wait()
    with serving(path, settings) as process:
        messages.append(gm.say(room, "!roll 4d100"))
        wait_for(lambda: all(answers(gm, room, settings, one) for one in messages))
        ended(process)
    assert rolled(path) == [f"matrix:{room}:{message}" for message in messages]
    assert [len(answers(gm, room, settings, one)) for one in messages] == [1] * len(messages)


def test_a_token_that_the_homeserver_does_not_know_is_said_in_one_line_and_ends_both_chats(
    telegram: FakeTelegram, path: Path, settings: Settings
) -> None:
    wrong = replace(settings, access_token="syt_wrong")
    with serving(path, wrong, telegram) as process:
        _, told = process.communicate(timeout=GRACE_S)
    assert process.returncode == 2
    assert "matrix.access_token" in told.splitlines()[-1]
    assert "Traceback" not in told
    assert "syt_wrong" not in told

"""A backup with the Matrix keys, on a real Synapse: restored elsewhere, the bot reads and writes in encrypted rooms."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.backup import making, restoring
from tests.adapters.matrix_chat import Encrypted, Running, Settings, ask, bot_on, opened, rolls, said, wait_for
from tests.servers.synapse import Synapse, running


@pytest.fixture
def server() -> Synapse:
    return running()


@pytest.fixture
def settings(server: Synapse, tmp_path: Path) -> Settings:
    return bot_on(server, tmp_path)


@pytest.fixture
def gm(server: Synapse, tmp_path: Path) -> Iterator[Encrypted]:
    with closing(Encrypted(server, "gm", tmp_path)) as person:
        yield person


def moved(settings: Settings, backup: Path, to: Path) -> tuple[Settings, Path]:
    """The bot on another machine, from a backup."""
    there, path = to / "keys", to / "rollbook.db"
    done = restoring.restore(backup, path, there, datetime.now(UTC), "en")
    assert (done.found.holds, done.renewed, done.keys) == (True, 1, "back")
    return replace(settings, store=str(there)), path


@pytest.fixture
def ann(server: Synapse, tmp_path: Path) -> Iterator[Encrypted]:
    with closing(Encrypted(server, "ann", tmp_path)) as person:
        yield person


@pytest.mark.parametrize("later", [False, True], ids=["at once", "after the bot has gone on"])
def test_restored_elsewhere_the_bot_reads_and_is_read_in_an_encrypted_room(
    settings: Settings, path: Path, gm: Encrypted, tmp_path: Path, later: bool
) -> None:
    backup, keys = tmp_path / "copy.db", Path(settings.store or "")
    with Running(settings, path) as bot:
        bot.settled()
        room = opened(settings, gm, encrypted=True)
        assert "2d6" in ask(gm, room, settings, "!roll 2d6")
        made = making.make(path, backup, keys, datetime.now(UTC))
        assert made.keys
    if later:
        with Running(settings, path):
            assert "3d6" in ask(gm, room, settings, "!roll 3d6")
    shutil.rmtree(keys)
    path.unlink()
    gm.say(room, "!roll 4d6")
    time.sleep(1)  # the moment of a restore is kept in whole seconds
    new, place = moved(settings, backup, tmp_path / "there")
    with Running(new, place):
        wait_for(lambda: any("it was not carried out" in text for text in said(gm, room, new)))  # so it was read
        wait_for(lambda: any("restored from a backup" in text for text in said(gm, room, new)))
        assert "5d6" in ask(gm, room, new, "!roll 5d6")
    assert rolls(place) == 2, "of what was said before the restore nothing was rolled again"


def test_with_a_password_the_bot_comes_back_as_a_new_device_and_reads_who_came_after_the_backup_too(
    server: Synapse, path: Path, gm: Encrypted, ann: Encrypted, tmp_path: Path
) -> None:
    user = server.register("Rollbook")
    settings = Settings(server.base_url, user["user_id"], password=user["password"], store=str(tmp_path / "keys"))
    backup = tmp_path / "copy.db"
    with Running(settings, path) as bot:
        bot.settled()
        room = opened(settings, gm, ann, encrypted=True)
        making.make(path, backup, tmp_path / "keys", datetime.now(UTC))
        assert "2d6" in ask(ann, room, settings, "!roll 2d6")
        assert "3d6" in ask(gm, room, settings, "!roll 3d6")
        before = bot.bot.client.device_id
    new, place = moved(settings, backup, tmp_path / "there")
    with Running(new, place) as bot:
        bot.settled()
        for person in (gm, ann):
            wait_for(lambda of=person: bot.bot.client.device_id in of.client.device_store[settings.user])
            assert "4d6" in ask(person, room, new, "!roll 4d6")
        after = bot.bot.client.device_id
    with Running(new, place) as bot:
        assert "5d6" in ask(ann, room, new, "!roll 5d6")
        assert bot.bot.client.device_id == after != before

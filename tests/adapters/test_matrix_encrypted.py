"""The bot in encrypted rooms, against a real Synapse and with people whose clients encrypt."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from nio.crypto import decrypt_attachment

from adapters.config import NotConfigured
from events.beside import MessageKey
from tests.adapters.chat_contract import ChatContract, plain
from tests.adapters.matrix_chat import (
    Encrypted,
    Json,
    MatrixChat,
    Person,
    Running,
    Settings,
    answer,
    ask,
    bot_on,
    choice,
    made,
    opened,
    rolls,
    said,
    said_hello,
    wait_for,
)
from tests.servers.proxy import Proxy, times
from tests.servers.synapse import Synapse, running


class TestMatrixEncrypted(ChatContract):
    @pytest.fixture
    def chat(self, tmp_path: Path) -> Iterator[MatrixChat]:
        chat = MatrixChat(tmp_path, encrypted=True)
        yield chat
        chat.close()


@pytest.fixture
def server() -> Synapse:
    return running()


@pytest.fixture
def settings(server: Synapse, tmp_path: Path) -> Settings:
    return bot_on(server, tmp_path)


@pytest.fixture
def bot(settings: Settings, path: Path) -> Iterator[Running]:
    with Running(settings, path) as running:
        yield running.settled()


@pytest.fixture
def gm(server: Synapse, tmp_path: Path) -> Iterator[Encrypted]:
    with closing(Encrypted(server, "gm", tmp_path)) as person:
        yield person


@pytest.fixture
def ann(server: Synapse, tmp_path: Path) -> Iterator[Encrypted]:
    with closing(Encrypted(server, "ann", tmp_path)) as person:
        yield person


def on_server(one: Person, room: str) -> list[Json]:
    """What the server has of the room, as it is."""
    return Person.seen(one, room)


def kept(one: Person, room: str, settings: Settings) -> set[str]:
    """As what the bot's messages lie on the server; reactions are never encrypted."""
    of_bot = [event for event in on_server(one, room) if event["sender"] == settings.user and "state_key" not in event]
    assert all("body" not in event["content"] for event in of_bot)
    return {event["type"] for event in of_bot} - {"m.reaction"}


def test_what_the_bot_says_lies_encrypted_on_the_server(
    bot: Running, settings: Settings, gm: Encrypted, ann: Encrypted
) -> None:
    room = opened(settings, gm, ann, encrypted=True)
    message = gm.say(room, "!roll 2d6")
    assert "2d6" in answer(ann, room, settings, message)["content"]["body"]
    assert kept(gm, room, settings) == {"m.room.encrypted"}


def test_a_secret_opens_an_encrypted_direct_room(
    bot: Running, settings: Settings, gm: Encrypted, ann: Encrypted
) -> None:
    room = opened(settings, gm, ann, encrypted=True)
    ann.say(room, "!roll 2d6 secret=me")
    (own,) = wait_for(ann.invitations)
    ann.join(own)
    wait_for(lambda: said(ann, own, settings))
    wait_for(lambda: not bot.log.pending("matrix"))
    assert kept(ann, own, settings) == {"m.room.encrypted"}


def test_buttons_work_in_an_encrypted_room_and_after_a_restart(
    settings: Settings, path: Path, gm: Encrypted, ann: Encrypted
) -> None:
    with Running(settings, path):
        room, offer = choice(gm, ann, settings, encrypted=True)
    ann.react(room, offer["event_id"], "2️⃣")
    with Running(settings, path):
        wait_for(lambda: made(path) == 1)
        assert "2" in ask(gm, room, settings, "!calc 1+1")


def test_a_thread_is_answered_within_it(bot: Running, settings: Settings, gm: Encrypted) -> None:
    room = opened(settings, gm, encrypted=True)
    root = gm.say(room, "a side talk")
    message = gm.say_in_thread(room, root, "!roll 2d6")
    answer(gm, room, settings, message)
    (relation,) = [
        one["content"]["m.relates_to"] for one in on_server(gm, room)
        if one["sender"] == settings.user and one["content"].get("m.relates_to", {}).get("rel_type") == "m.thread"
    ]  # fmt: skip
    assert relation["event_id"] == root


def test_a_new_device_of_somebody_reads_the_answers(
    bot: Running, settings: Settings, server: Synapse, gm: Encrypted, tmp_path: Path
) -> None:
    room = opened(settings, gm, encrypted=True)
    with closing(gm.another_device()) as phone:
        wait_for(lambda: phone.device_id in bot.bot.client.device_store[gm.account])
        message = gm.say(room, "!roll 2d6")
        answer(phone, room, settings, message)
        answer(gm, room, settings, phone.say(room, "!roll 3d6"))


def test_a_room_may_become_encrypted_later(bot: Running, settings: Settings, gm: Encrypted) -> None:
    room = opened(settings, gm)
    gm.ask("PUT", f"rooms/{quote(room, safe='')}/state/m.room.encryption/", {"algorithm": "m.megolm.v1.aes-sha2"})
    wait_for(lambda: gm.client.rooms[room].encrypted)
    message = gm.say(room, "!roll 2d6")
    answer(gm, room, settings, message)
    assert on_server(gm, room)[-1]["type"] in ("m.room.encrypted", "m.reaction")


def test_an_answer_larger_than_an_event_comes_in_parts(bot: Running, settings: Settings, gm: Encrypted) -> None:
    room = opened(settings, gm, encrypted=True)
    for number in range(48):
        gm.say(room, f"!char new {number}" + "长" * 60)
    gm.say(room, "!roll " + "+".join(["20d100"] * 40))
    message = gm.say(room, "!history 50")
    text = wait_for(lambda: (found := bot.log.receipt(MessageKey("matrix", room, message))) and found.letters[0].text)
    letter = answer(gm, room, settings, message)["content"]["rollbook.letter"]
    wait_for(lambda: not bot.log.pending("matrix"))
    wait_for(lambda: gm.up_to_date(room))
    parts = [one["content"] for one in gm.notices(room, settings.user) if one["content"]["rollbook.letter"] == letter]
    assert len(parts) > 1
    assert plain([one["body"] for one in parts]) == plain([text])


@pytest.mark.parametrize("kind", ["/keys/upload", "/keys/query", "/keys/claim", "/sendToDevice/"])
def test_keys_get_through_a_bad_gateway(
    server: Synapse, settings: Settings, path: Path, gm: Encrypted, ann: Encrypted, kind: str
) -> None:
    with Proxy(server.base_url) as proxy:
        proxy.bad_gateway = times(2, kind)
        with Running(replace(settings, homeserver=proxy.base_url), path):
            room = opened(settings, gm, ann, encrypted=True)
            answer(ann, room, settings, gm.say(room, "!roll 2d6"))
        assert proxy.spoilt == 2


# ---- keys that are missing


def unread(one: Person, room: str, settings: Settings) -> int:
    return sum("cannot read" in text for text in said(one, room, settings))


def test_a_message_whose_key_comes_later_is_read_then(
    bot: Running, settings: Settings, gm: Encrypted, path: Path
) -> None:
    room = opened(settings, gm, encrypted=True)
    place = bot.place
    message = gm.say_before_the_key(room, "!roll 2d6")
    wait_for(lambda: bot.bot.reader.sealed.fresh)
    gm.send_the_keys()
    answer(gm, room, settings, message)
    wait_for(lambda: bot.place > place)
    assert unread(gm, room, settings) == 0
    assert rolls(path) == 1


def test_a_message_whose_key_does_not_come_is_told_once_for_each_key(
    bot: Running, settings: Settings, gm: Encrypted, ann: Encrypted, caplog: pytest.LogCaptureFixture
) -> None:
    room = opened(settings, gm, ann, encrypted=True)
    for _ in range(2):
        gm.say_before_the_key(room, "!roll 2d6")
    wait_for(lambda: unread(ann, room, settings))
    assert "cannot be read" in caplog.text
    assert "2" in ask(ann, room, settings, "!calc 1+1")
    gm.new_key(room)
    assert "3" in ask(gm, room, settings, "!calc 1+2")
    assert unread(ann, room, settings) == 1


def test_a_key_that_comes_after_a_crash_is_not_too_late(settings: Settings, path: Path, gm: Encrypted) -> None:
    with Running(settings, path) as bot:
        room = opened(settings, gm, encrypted=True)
        message = gm.say_before_the_key(room, "!roll 2d6")
        wait_for(lambda: bot.bot.reader.sealed.fresh)
    gm.send_the_keys()
    with Running(settings, path):
        answer(gm, room, settings, message)
    assert rolls(path) == 1


def test_without_its_store_the_bot_says_aloud_that_it_is_deaf(
    settings: Settings, path: Path, tmp_path: Path, gm: Encrypted, caplog: pytest.LogCaptureFixture
) -> None:
    with Running(settings, path):
        room = opened(settings, gm, encrypted=True)
        plain_room = opened(settings, gm)
    shutil.rmtree(tmp_path / "keys")
    for _ in range(2):
        with Running(settings, path):
            wait_for(lambda: [one for one in on_server(gm, room) if "keys are lost" in str(one["content"].get("body"))])
            assert "keys of the bot's Matrix device are lost" in caplog.text
            assert "2" in ask(gm, plain_room, settings, "!calc 1+1")
    assert sum("keys are lost" in str(one["content"].get("body")) for one in on_server(gm, room)) == 1


def test_with_a_password_a_lost_store_leads_to_a_new_device_that_is_told(
    server: Synapse, path: Path, tmp_path: Path, gm: Encrypted, caplog: pytest.LogCaptureFixture
) -> None:
    user = server.register("Rollbook")
    settings = Settings(server.base_url, user["user_id"], password=user["password"], store=str(tmp_path / "keys"))
    with Running(settings, path):
        room = opened(settings, gm, encrypted=True)
    shutil.rmtree(tmp_path / "keys")
    with Running(settings, path) as bot:
        wait_for(lambda: [one for one in said(gm, room, settings) if "new ones" in one])
        assert "new Matrix device" in caplog.text
        wait_for(lambda: bot.bot.client.device_id in gm.client.device_store[settings.user])
        assert "2" in ask(gm, room, settings, "!calc 1+1")
    for lost in (tmp_path / "keys").glob("*.db"):
        lost.unlink()
    with Running(settings, path) as bot:
        wait_for(lambda: sum("new ones" in one for one in said(gm, room, settings)) == 2)
        wait_for(lambda: bot.bot.client.device_id in gm.client.device_store[settings.user])
        assert "2" in ask(gm, room, settings, "!calc 1+1")


def test_with_a_password_a_device_of_a_fixed_name_is_given_up_when_its_keys_are_lost(
    server: Synapse, path: Path, tmp_path: Path, gm: Encrypted, caplog: pytest.LogCaptureFixture
) -> None:
    user = server.register("Rollbook")
    settings = Settings(
        server.base_url, user["user_id"], password=user["password"], device_id="DICE", store=str(tmp_path / "keys")
    )
    with Running(settings, path) as bot:
        room = opened(settings, gm, encrypted=True)
        assert bot.bot.client.device_id == "DICE"
    shutil.rmtree(tmp_path / "keys")
    for _ in range(2):
        with Running(settings, path) as bot:
            bot.settled()
            wait_for(lambda: [one for one in said(gm, room, settings) if "new ones" in one])
            wait_for(lambda: bot.bot.client.device_id in gm.client.device_store[settings.user])
            assert bot.bot.client.device_id != "DICE"
            assert "2" in ask(gm, room, settings, "!calc 1+1")
    assert caplog.text.count("it logs in again, as a new device") == 1
    assert sum("new ones" in one for one in said(gm, room, settings)) == 1


def test_a_wrong_key_to_the_store_is_told(settings: Settings, path: Path, gm: Encrypted) -> None:
    with Running(settings, path) as bot:
        bot.settled()
    with Running(replace(settings, pickle_key="another"), path) as bot:
        wait_for(lambda: bot.failed)
        assert isinstance(bot.failed, NotConfigured)
        assert "matrix.pickle_key" in str(bot.failed)


def test_without_encryption_an_encrypted_room_is_told_so(
    settings: Settings, path: Path, gm: Encrypted, ann: Encrypted
) -> None:
    with Running(replace(settings, encryption=False), path):
        room = gm.room(settings.user, encrypted=True)
        said_hello(gm, room, settings.user)
        gm.say(room, "!help")
        wait_for(lambda: unread(gm, room, settings))


def test_what_is_encrypted_cannot_pretend_to_be_the_servers_word(
    settings: Settings, path: Path, gm: Encrypted, ann: Encrypted
) -> None:
    with Running(settings, path):
        room = opened(settings, gm, ann, encrypted=True)
    message = gm.say(room, "!roll 2d6")
    ann.send_as(room, "m.room.member", {"membership": "join"}, state_key=settings.user)
    ann.send_as(room, "m.room.tombstone", {"replacement_room": room})
    with Running(settings, path) as bot:
        answer(gm, room, settings, message)
        assert "2" in ask(gm, room, settings, "!calc 1+1")
        assert bot.log.table_of("matrix", room)


def test_a_redacted_message_is_no_message_that_cannot_be_read(settings: Settings, path: Path, gm: Encrypted) -> None:
    with Running(settings, path):
        room = opened(settings, gm, encrypted=True)
    gm.redact(room, gm.say(room, "!roll 2d6"))
    with Running(settings, path) as bot:
        assert "2" in ask(gm, room, settings, "!calc 1+1")
        assert not bot.bot.reader.sealed.fresh
    assert rolls(path) == 0


def test_an_export_is_encrypted_too(bot: Running, settings: Settings, server: Synapse, gm: Encrypted) -> None:
    room = opened(settings, gm, encrypted=True)
    ask(gm, room, settings, "!roll 2d6")
    gm.say(room, "!export csv")
    (file,) = wait_for(
        lambda: [one["content"] for one in gm.notices(room, settings.user) if one["content"]["msgtype"] == "m.file"]
    )
    key = file["file"]
    address = key["url"].removeprefix("mxc://")
    lying = server.download(f"/_matrix/client/v1/media/download/{address}", gm.token)
    assert b"2d6" not in lying
    assert b"2d6" in decrypt_attachment(lying, key["key"]["k"], key["hashes"]["sha256"], key["iv"])

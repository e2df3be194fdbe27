"""How updates come in: by polling and by webhook, each taken once, whatever else comes or goes wrong with them."""

from __future__ import annotations

import asyncio
import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adapters.config import NotConfigured, Telegram, read
from adapters.telegram.bot import TelegramBot, Updates
from adapters.telegram.patience import Patience
from adapters.telegram.polling import Polling
from adapters.telegram.webhook import MOST_BYTES, SECRET, Webhook, secret_of
from core.app import App
from events.log import LogUnusable, MemoryLog
from events.sqlite import SqliteLog
from tests.adapters.chat_contract import ChatContract
from tests.adapters.telegram_chat import Running, webhook
from tests.adapters.test_chats import TelegramChat
from tests.servers.telegram import FakeTelegram

Json = dict[str, Any]
UNREADABLE = {"id": "7", "from": {"id": 1001}, "data": "c:1:1"}  # no is_bot, no chat_instance


@pytest.fixture
def group(server: FakeTelegram, gm: Json) -> int:
    return server.supergroup("Night", gm)


@pytest.fixture
def hook() -> Webhook:
    return webhook()


@pytest.fixture
def hooked(server: FakeTelegram, path: Path, hook: Webhook) -> Iterator[Running]:
    with Running(server, path, updates=lambda: hook) as running:
        server.wait_for(lambda: server.called("setWebhook"))
        yield running


def posted(hook: Webhook, body: bytes, secret: str | None = "s3cret", path: str = "/hook") -> int:
    """The status that our webhook answers with."""
    request = urllib.request.Request(f"http://{hook.at}{path}", body, {"Content-Type": "application/json"})
    if secret is not None:
        request.add_header(SECRET, secret)
    return status(request)


def status(request: urllib.request.Request) -> int:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=15) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


def update_of(chat: int, by: Json, text: str, id: int = 900) -> bytes:
    about = {"id": chat, "type": "supergroup", "title": "Night"}
    message = {"message_id": id, "date": int(time.time()), "from": by, "chat": about, "text": text}
    return json.dumps({"update_id": id, "message": message}).encode()


def answered(server: FakeTelegram, group: int, count: int) -> list[str]:
    """What the bot has said there, as soon as it is so much."""
    server.wait_for(lambda: len(server.of_bot(group)) >= count)
    return [one.text for one in server.of_bot(group)]


def rolls(log: SqliteLog) -> int:
    return sum(b'"type":"RollMade"' in one.body for table in log.tables() for one in log.read(table))


# ---- both


@pytest.mark.parametrize("way", [Polling, webhook])
def test_an_update_that_cannot_be_read_is_left_behind_and_all_others_are_taken(
    server: FakeTelegram, path: Path, gm: Json, group: int, way: Callable[[], Updates],
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    server.text(group, gm, "/calc 10+1")
    server.deliver("callback_query", UNREADABLE)
    server.text(group, gm, "/calc 20+2")
    with Running(server, path, updates=way):
        first, second = answered(server, group, 2)
        server.wait_for(lambda: server.pending == 0)
    assert ("11" in first, "22" in second) == (True, True)
    (told,) = [one for one in caplog.records if "cannot be read" in one.message]
    assert re.fullmatch(r"Update \d+ cannot be read: \w+", told.message)


@pytest.mark.parametrize("way", [Polling, webhook])
def test_a_log_that_cannot_be_written_now_takes_the_update_later(
    server: FakeTelegram, path: Path, gm: Json, group: int, way: Callable[[], Updates],
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    with Running(server, path, updates=way) as bot:
        server.text(group, gm, "/table new savage Glacier")
        answered(server, group, 1)
        server.wait_for(lambda: not bot.log.pending("telegram"))
        bot.log._writer.conn.execute("PRAGMA query_only = ON")
        server.text(group, gm, "/roll 2d6")
        server.wait_for(lambda: "The log cannot be written" in caplog.text)
        assert server.pending == 1
        bot.log._writer.conn.execute("PRAGMA query_only = OFF")
        answered(server, group, 2)
        server.wait_for(lambda: server.pending == 0)
        assert rolls(bot.log) == 1
    told = [one for one in caplog.records if one.name.startswith("adapters.telegram") and "written" in one.message]
    assert told
    assert [one for one in told if one.exc_info or "\n" in one.message] == [], "one line for each try"
    assert all(str(path) in one.message for one in told)


def test_what_fails_again_and_again_is_tried_less_and_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    async def slept(wait_s: float) -> None:
        waits.append(wait_s)

    async def failing() -> None:
        patience = Patience()
        for _ in range(10):
            await patience.after(LogUnusable("locked", "The log is locked."))

    monkeypatch.setattr("adapters.telegram.patience.asyncio.sleep", slept)
    asyncio.run(failing())
    assert waits == [0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30.0, 30.0]


def test_polling_takes_over_what_a_webhook_has_left_and_the_other_way_round(
    server: FakeTelegram, path: Path, gm: Json, group: int
) -> None:
    for number, way in enumerate((webhook, Polling, webhook), 1):
        server.text(group, gm, f"/calc {number}+100")
        with Running(server, path, updates=way):
            assert str(number + 100) in answered(server, group, number)[-1]
            server.wait_for(lambda: server.pending == 0)


@pytest.mark.parametrize(("way", "method"), [(Polling, "getUpdates"), (Polling, "getMe"), (webhook, "setWebhook")])
def test_a_token_that_telegram_knows_no_more_ends_the_bot_with_a_word(
    server: FakeTelegram, path: Path, way: Callable[[], Updates], method: str
) -> None:
    server.refuse_next(method, 401, "Unauthorized")
    with pytest.raises(NotConfigured, match=r"telegram\.token"):
        Running(server, path, updates=way).run_here()


# ---- the webhook


def test_telegram_is_told_the_address_the_kinds_and_the_secret(
    server: FakeTelegram, hooked: Running, hook: Webhook
) -> None:
    (call,) = server.called("setWebhook")
    assert call.given["url"] == hook.url
    assert call.given["secret_token"] == "s3cret"
    kinds = {"message", "edited_message", "callback_query", "my_chat_member"}
    assert set(call.given["allowed_updates"]) == kinds
    assert "drop_pending_updates" not in call.given


def test_without_a_secret_all_programs_of_a_bot_make_the_same_one_of_its_token_and_address() -> None:
    made = [
        secret_of(*one) for one in [("7:a", "https://x/hook"), ("7:b", "https://x/hook"), ("7:a", "https://y/hook")]
    ]
    assert len(set(made)) == 3
    assert made[0] == secret_of("7:a", "https://x/hook")
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{64}", one) for one in made)


def test_of_programs_on_one_log_one_tells_telegram_where_the_webhook_is_and_another_when_that_is_gone(
    server: FakeTelegram, path: Path, gm: Json, group: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.telegram.webhook.CLAIM_S", 0.05)
    ours = [True, False]
    hooks = [webhook() for _ in ours]
    for number, hook in enumerate(hooks):
        hook.url, hook._ours = hooks[0].url, lambda number=number: ours[number]
    with Running(server, path, updates=lambda: hooks[1]):
        with Running(server, path, updates=lambda: hooks[0]):
            server.text(group, gm, "/calc 40+2")
            answered(server, group, 1)
            assert len(server.called("setWebhook")) == 1
        ours[:] = [False, True]
        server.wait_for(lambda: len(server.called("setWebhook")) == 2)
    assert {call.given["url"] for call in server.called("setWebhook")} == {hooks[0].url}


@pytest.mark.parametrize("secret", [None, "", "S3CRET", "s3cre", "\xff\xfe"])
def test_nobody_gets_in_without_the_secret(
    hooked: Running, hook: Webhook, gm: Json, group: int, secret: str | None
) -> None:
    assert posted(hook, update_of(group, gm, "/table new savage Glacier"), secret) == 403
    assert hooked.log.tables() == []


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff", b"[]", b"7", b"null", b'{"message": {}}', b'{"update_id": "7"}', b"[" * 100_000],
    ids=str,
)
def test_what_is_no_update_is_a_bad_request(hooked: Running, hook: Webhook, body: bytes) -> None:
    assert posted(hook, body) == 400
    assert posted(hook, b'{"update_id": 1}') == 200


def test_an_update_may_be_only_so_large(hooked: Running, hook: Webhook) -> None:
    assert posted(hook, b'{"update_id": 1, "x": "' + b"x" * MOST_BYTES + b'"}') == 413


def test_there_is_one_door_and_a_look_at_its_health(hooked: Running, hook: Webhook, gm: Json, group: int) -> None:
    assert posted(hook, update_of(group, gm, "/help"), path="/other") == 404
    assert status(urllib.request.Request(f"http://{hook.at}/hook")) == 405
    assert status(urllib.request.Request(f"http://{hook.at}/healthz")) == 200


def test_an_update_is_confirmed_when_it_is_in_the_log_and_taken_once(
    server: FakeTelegram, hooked: Running, hook: Webhook, gm: Json, group: int
) -> None:
    server.text(group, gm, "/table new savage Glacier")
    answered(server, group, 1)
    for _ in range(3):
        assert posted(hook, update_of(group, gm, "/roll 2d6")) == 200
        assert rolls(hooked.log) == 1
    answered(server, group, 2)
    server.wait_for(lambda: not hooked.log.pending("telegram"))
    assert len(server.of_bot(group)) == 2


def test_what_was_accepted_before_the_end_is_answered(server: FakeTelegram, path: Path, gm: Json, group: int) -> None:
    with Running(server, path, updates=webhook):
        server.text(group, gm, "/table new savage Glacier")
        answered(server, group, 1)
        for _ in range(3):
            server.delay_next("sendMessage", 0.2)
        for number in range(3):
            server.text(group, gm, f"/calc {number}+100")
        server.wait_for(lambda: server.pending == 0)
    assert len(server.of_bot(group)) == 4


def test_a_webhook_that_another_program_took_away_is_set_again(
    server: FakeTelegram, path: Path, gm: Json, group: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.telegram.webhook.LOOK_S", 0.05)
    with Running(server, path, updates=webhook):
        server.wait_for(lambda: server.called("getWebhookInfo"))
        server._do(lambda: server._deleteWebhook({}))
        server.text(group, gm, "/calc 40+2")
        assert "42" in answered(server, group, 1)[0]
    assert len(server.called("setWebhook")) == 2


def test_an_address_that_telegram_will_not_have_ends_with_a_word(server: FakeTelegram, path: Path) -> None:
    server.refuse_next("setWebhook", 400, "Bad Request: bad webhook: HTTPS url must be provided for webhook")
    with pytest.raises(NotConfigured, match=r"telegram\.webhook_url: .*https url"):
        Running(server, path, updates=webhook).run_here()


def test_a_port_that_is_taken_ends_with_a_word(
    server: FakeTelegram, path: Path, hooked: Running, hook: Webhook
) -> None:
    other = Running(server, path, updates=lambda: Webhook(hook.url, hook.at, "s3cret"))
    with pytest.raises(NotConfigured, match=r"telegram\.webhook_listen: .*in use"):
        other.run_here()


def test_a_host_that_cannot_be_ends_with_a_word(server: FakeTelegram, path: Path) -> None:
    with pytest.raises(NotConfigured, match=r"telegram\.webhook_listen: .*a\.\.b:8443"):
        Running(server, path, updates=lambda: Webhook("https://x.org/hook", "a..b:8443", "s3cret")).run_here()


class WebhookChat(TelegramChat):
    """The fake's chat with a bot that has a webhook."""

    def _start(self) -> None:
        self.running = Running(self.server, self.path, updates=webhook).__enter__()


class TestTelegramWebhook(ChatContract):
    @pytest.fixture
    def chat(self, server: FakeTelegram, path: Path) -> Iterator[WebhookChat]:
        chat = WebhookChat(server, path)
        yield chat
        chat.running.__exit__()


# ---- configured


def test_without_an_address_the_bot_asks_and_with_one_it_listens() -> None:
    log = MemoryLog()
    app = App(log, lambda: "", bytes)
    by_polling = TelegramBot.of(Telegram(token="1:x"), app, time.time, 900)
    by_webhook = TelegramBot.of(Telegram(token="1:x", webhook_url="https://x.org/hook"), app, time.time, 900)
    assert isinstance(by_polling.updates, Polling)
    assert isinstance(by_webhook.updates, Webhook)
    assert (by_webhook.updates.url, by_webhook.updates.at) == ("https://x.org/hook", "127.0.0.1:8443")


@pytest.mark.parametrize(
    ("key", "value", "right"),
    [
        ("webhook_url", "https://bot.example.org/telegram", True),
        ("webhook_url", "http://127.0.0.1:8080/telegram", True),
        ("webhook_url", "http://bot.example.org/telegram", False),
        ("webhook_url", "https://bot.example.org/telegram?x=1", False),
        ("webhook_url", "bot.example.org", False),
        ("webhook_listen", "0.0.0.0:80", True),
        ("webhook_listen", "[::1]:8443", True),
        ("webhook_listen", "127.0.0.1", False),
        ("webhook_secret", "A-z_9", True),
        ("webhook_secret", "s3cr3t phrase", False),
        ("webhook_secret", "x" * 257, False),
    ],
)
def test_each_key_of_the_webhook_is_looked_at(key: str, value: str, right: bool) -> None:
    environment = {"ROLLBOOK_TELEGRAM_TOKEN": "1:x", f"ROLLBOOK_TELEGRAM_{key.upper()}": value}
    if right:
        telegram = read(None, environment).telegram
        assert getattr(telegram, key) == value
        return
    with pytest.raises(NotConfigured, match=rf"telegram\.{key} .*ROLLBOOK_TELEGRAM_{key.upper()}") as told:
        read(None, environment)
    assert "phrase" not in str(told.value)

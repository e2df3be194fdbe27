"""`rollbook serve` with a webhook, as a program of its own: ended, and killed while Telegram posts to it."""

from __future__ import annotations

import urllib.request
from pathlib import Path

import pytest

from adapters.telegram.webhook import Webhook
from tests.adapters.telegram_chat import webhook
from tests.adapters.terminal import ENVIRONMENT
from tests.adapters.test_serve import answers, ended, rolled, serving, table_of
from tests.servers.telegram import FakeTelegram

SLOW_S = 30  # for a program to start on a busy machine


@pytest.fixture(autouse=True)
def hook(monkeypatch: pytest.MonkeyPatch) -> Webhook:
    hook = webhook()
    monkeypatch.setitem(ENVIRONMENT, "ROLLBOOK_TELEGRAM_WEBHOOK_URL", hook.url)
    monkeypatch.setitem(ENVIRONMENT, "ROLLBOOK_TELEGRAM_WEBHOOK_LISTEN", hook.at)
    return hook


def test_serve_by_webhook_answers_and_ends_cleanly(server: FakeTelegram, tmp_path: Path, hook: Webhook) -> None:
    path = tmp_path / "rollbook.db"
    gm, group = table_of(server, path)
    with serving(server, path) as process:
        server.text(group, gm, "/roll 2d6")
        server.wait_for(lambda: len(server.of_bot(group)) == 2, SLOW_S)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        assert opener.open(f"http://{hook.at}/healthz", timeout=15).read() == b"ok"
        said = ended(process)
    secrets = {str(call.given["secret_token"]) for call in server.called("setWebhook")}
    assert len(secrets) == 1, "the same at each start"
    assert [one for one in (*secrets, server.token.split(":")[1], "Traceback") if one in said] == []
    assert server.called("getUpdates") == []
    assert server._webhook["url"] == hook.url


def test_killed_while_updates_are_posted_it_rolls_nothing_twice_and_loses_nothing(
    server: FakeTelegram, tmp_path: Path
) -> None:
    path = tmp_path / "rollbook.db"
    gm, group = table_of(server, path)
    messages: list[int] = []
    for _ in range(4):
        with serving(server, path) as process:
            first = server.text(group, gm, "/roll 4d100")
            server.wait_for(lambda first=first: all(answers(server, group, [first])), SLOW_S)
            messages += [first, *(server.text(group, gm, "/roll 4d100") for _ in range(5))]
            process.kill()
            process.wait()
    with serving(server, path) as process:
        messages.append(server.text(group, gm, "/roll 4d100"))
        server.wait_for(lambda: all(answers(server, group, messages)), SLOW_S)
        ended(process)
    assert rolled(path) == [f"telegram:{group}:{message}" for message in messages]
    assert [len(set(said)) for said in answers(server, group, messages)] == [1] * len(messages)


def test_an_address_that_cannot_be_had_is_said_in_one_line(
    server: FakeTelegram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENVIRONMENT, "ROLLBOOK_TELEGRAM_WEBHOOK_LISTEN", f"127.0.0.1:{server.port}")
    with serving(server, tmp_path / "rollbook.db") as process:
        _, said = process.communicate(timeout=SLOW_S)
    assert process.returncode == 2
    assert "telegram.webhook_listen" in said.splitlines()[-1]
    assert "Traceback" not in said

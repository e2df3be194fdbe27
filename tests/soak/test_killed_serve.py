"""`rollbook serve` on the fake Telegram, killed at any moment while many groups play: each message is rolled once and
answered, whatever Telegram has to bring again."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from adapters.telegram.webhook import Webhook
from core.verify import verify
from events.sqlite import SqliteLog
from tests.adapters.telegram_chat import webhook
from tests.adapters.terminal import ENVIRONMENT, UNLIMITED
from tests.adapters.test_serve import ended, serving
from tests.servers.telegram import FakeTelegram, Json
from tests.soak.programs import PATIENCE_S, killed, rounds, wait_a_moment
from tests.soak.record import check

Message = tuple[int, int]  # group and id
GROUPS = 16
AT_ONCE = 4  # messages in each group before a kill


@pytest.fixture(params=["polling", "webhook"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    for name, value in UNLIMITED.items():
        monkeypatch.setitem(ENVIRONMENT, name, value)
    if request.param == "webhook":
        hook: Webhook = webhook()
        monkeypatch.setitem(ENVIRONMENT, "ROLLBOOK_TELEGRAM_WEBHOOK_URL", hook.url)
        monkeypatch.setitem(ENVIRONMENT, "ROLLBOOK_TELEGRAM_WEBHOOK_LISTEN", hook.at)
    return str(request.param)


def roll(server: FakeTelegram, groups: Iterable[int], gm: Json) -> list[Message]:
    """A roll in each of these groups, at once."""
    return [(group, server.text(group, gm, "/roll 4d100")) for group in groups]


def replies(server: FakeTelegram, groups: Iterable[int]) -> dict[Message, list[str]]:
    """What was said below each message."""
    found: dict[Message, list[str]] = {}
    for group in groups:
        for one in server.of_bot(group):
            found.setdefault((group, one.reply_to or 0), []).append(one.text)
    return found


def rolls(path: Path) -> Counter[str]:
    """How often each message was rolled; every chain and die holds."""
    log = SqliteLog(path)
    found: Counter[str] = Counter()
    for table in log.tables():
        stored = list(log.read(table))
        assert verify(stored).broken is None
        made = [one.body for one in stored if b'"type":"RollMade"' in one.body]
        found.update(body.split(b'"cause":"')[1].split(b'"')[0].decode() for body in made)
    log.close()
    return found


def test_serve_killed_at_any_moment_rolls_each_message_once_and_answers_it(
    server: FakeTelegram, path: Path, way: str, tally: Counter[str]
) -> None:
    chance = random.Random(way)
    gm = server.person("Gm")
    groups = [server.supergroup(f"Night {number}", gm) for number in range(GROUPS)]
    with serving(server, path) as process:
        for group in groups:
            server.text(group, gm, "/table new savage Glacier")
        server.wait_for(lambda: all(map(server.of_bot, groups)), PATIENCE_S)
        ended(process)
    messages: list[Message] = []
    for _ in range(rounds(20, 1)):
        with serving(server, path) as process:
            messages += (first := roll(server, groups[:1], gm))
            server.wait_for(lambda first=first: set(first) <= replies(server, groups[:1]).keys(), PATIENCE_S)
            for _ in range(AT_ONCE):
                messages += roll(server, groups, gm)
            wait_a_moment(chance)
            killed(process)
        check(path, [])
        tally[f"kills of serve ({way})"] += 1
    with serving(server, path) as process:
        messages += roll(server, groups, gm)
        server.wait_for(lambda: set(messages) <= replies(server, groups).keys(), PATIENCE_S)
        ended(process)
    check(path, [])
    assert rolls(path) == Counter(f"telegram:{group}:{message}" for group, message in messages)
    found = replies(server, groups)
    said = [found[message] for message in messages]
    assert [len(set(one)) for one in said] == [1] * len(messages)
    tally[f"rolls in serve ({way}), none lost, none doubled"] += len(messages)
    tally[f"answers that came twice, between sending and marking ({way})"] += sum(map(len, said)) - len(messages)


"""What is counted and timed as messages come in and letters go out."""

from __future__ import annotations

import asyncio
import time

import pytest
from prometheus_client import REGISTRY

from adapters import config, metrics
from adapters.inbox import Inbox
from adapters.limits import Limits
from adapters.outbox import Held, Outbox
from core.app import App
from core.messages import Answer, Incoming
from core.registry import SYSTEMS
from core.vocabulary import verb_table
from events.beside import Letter, MessageKey, Pending
from events.log import MemoryLog
from tests.story import Clock, Seeds

PLATFORM = "telegram"


def counted(verb: str, outcome: str) -> float:
    return value("rollbook_commands_total", verb=verb, outcome=outcome)


def value(metric: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(metric, {"platform": PLATFORM, **labels}) or 0.0


def heard(inbox: Inbox, number: int, text: str) -> list[Answer]:
    key = MessageKey(PLATFORM, "-5", str(number))
    return asyncio.run(inbox.hearing(Incoming(key=key, person="p1", name="Gm", text=text)))


@pytest.fixture
def app() -> App:
    return App(MemoryLog(), Clock(), Seeds())


@pytest.fixture
def inbox(app: App) -> Inbox:
    return Inbox(app, PLATFORM, time.time, 900.0)


def test_a_command_is_counted_once_by_its_verb_and_how_it_ended(inbox: Inbox) -> None:
    lines = ["/table new savage Glacier", "/trait d8", "/trait d7", "/骰 2d6", "/xyzzy plugh", "only talk"]
    expected = [
        ("table", "ok"), ("trait", "ok"), ("trait", "bad_argument"), ("roll", "ok"), ("unknown", "unknown_command"),
    ]  # fmt: skip
    before = [counted(*one) for one in expected]
    took = value("rollbook_commit_seconds_count")
    for number, line in enumerate(lines):
        heard(inbox, number, line)
    assert [counted(*one) - was for one, was in zip(expected, before, strict=True)] == [1.0] * len(expected)
    assert value("rollbook_commit_seconds_count") == took + 5
    heard(inbox, 1, lines[1])
    assert counted("trait", "ok") == before[1] + 1, "it came twice"


def test_an_answer_is_timed_from_the_log_to_its_chat(app: App, inbox: Inbox) -> None:
    letters: list[Pending] = []

    async def carry(one: Pending) -> Held | None:
        letters.append(one)
        return None

    async def played() -> None:
        outbox = Outbox(app, PLATFORM, carry)
        outbox.open()
        await inbox.hearing(Incoming(key=MessageKey(PLATFORM, "-6", "1"), person="p1", name="Gm", text="/help"))
        await outbox.drained()
        await outbox.stop()

    app.log.sole(f"post-{PLATFORM}")
    before = value("rollbook_delivery_seconds_count")
    asyncio.run(played())
    assert len(letters) >= 1
    assert value("rollbook_delivery_seconds_count") == before + 1


def test_answers_that_are_never_sent_are_forgotten_some_day() -> None:
    for number in range(metrics.MOST_AWAITED + 10):
        key = MessageKey(PLATFORM, "-7", str(number))
        metrics.heard(PLATFORM, [Answer(key=key, letters=(Letter("table", "Hello"),))], time.perf_counter())
    assert len(metrics._awaited) == metrics.MOST_AWAITED


def test_what_is_left_out_of_a_flood_is_counted(app: App) -> None:
    inbox = Inbox(app, PLATFORM, lambda: 1.8e9, 900.0, Limits(config.Limits(person_per_minute=1, person_at_once=2)))
    before = value("rollbook_left_out_total", limit="person")
    for number in range(6):
        heard(inbox, 200 + number, "/calc 1+1")
    assert value("rollbook_left_out_total", limit="person") == before + 4


def test_every_label_is_one_of_a_few_words_of_the_program(inbox: Inbox) -> None:
    for number, line in enumerate(["/table new savage Mara", "/Mara's secret", "/roll Mara", "/table use Mara"]):
        heard(inbox, 100 + number, line)
    verbs = {verb.name for system in ("", *SYSTEMS) for verb in verb_table(system).verbs} | {"unknown"}
    found = [one for family in REGISTRY.collect() for one in family.samples if one.name == "rollbook_commands_total"]
    assert found
    assert {one.labels["verb"] for one in found} <= verbs
    assert [one for one in found if "Mara" in str(one.labels)] == []

"""`rollbook serve` as it is run for years: measured, logging JSON, on a Telegram that is not always well."""

from __future__ import annotations

import json
import socket
import urllib.request
from collections.abc import Iterable
from typing import Any
from urllib.error import HTTPError

import pytest
from msgspec import Struct
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from tests.adapters.terminal import play
from tests.adapters.test_serve import ended, serving
from tests.servers.telegram import FakeTelegram

SLOW_S = 60
GM, ANN, GROUP, SAID = "Gmbert", "Annabel", "Nightwatch", "the-crown-is-false"


class Evening(Struct):
    """What was measured and logged, and what may stand in neither."""

    samples: list[Sample]
    health: tuple[int, bytes]
    logged: list[dict[str, Any]]
    private: list[str]

def free_address() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


def asked(address: str, path: str) -> tuple[int, bytes]:
    """The status and what was answered; no proxy is asked on the way."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        answer = opener.open(f"http://{address}{path}", timeout=30)
    except HTTPError as refused:
        answer = refused
    with answer:
        return answer.status, answer.read()


def scraped(address: str) -> list[Sample]:
    """Every sample, as Prometheus reads them."""
    text = asked(address, "/metrics")[1].decode()
    return [sample for family in text_string_to_metric_families(text) for sample in family.samples]


def value(samples: Iterable[Sample], name: str, **labels: str) -> float:
    """Of the sample of this name with these labels; 0 if there is none."""
    return sum(one.value for one in samples if one.name == name and labels.items() <= one.labels.items())


@pytest.fixture(scope="session")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """A table that plays. Two answers are not taken at first, and a secret is for somebody whom we may not write to."""
    path, address = tmp_path_factory.mktemp("evening") / "rollbook.db", free_address()
    play(path, "gm: /table new savage Earlier", "gm: /roll 2d6")
    with FakeTelegram() as server:
        gm, ann = server.person(GM), server.person(ANN)
        group = server.supergroup(GROUP, gm, ann)
        with serving(server, path, ROLLBOOK_METRICS_LISTEN=address, ROLLBOOK_LOG_FORMAT="json") as process:
            server.text(group, gm, f"/table new savage {GROUP}")
            server.wait_for(lambda: server.of_bot(group), SLOW_S)
            server.refuse_next("sendMessage", 429, "Too Many Requests: retry after 1", retry_after=1)
            server.text(group, ann, "/char new Ann fighting=d8")
            server.wait_for(lambda: len(server.of_bot(group)) == 2, SLOW_S)
            server.drop_connection_next("sendMessage")
            server.text(group, ann, "/trait d7")
            server.text(group, ann, f"/roll 2d6 secret=me # {SAID}")
            server.wait_for(lambda: _settled(scraped(address)), SLOW_S)
            samples, health = scraped(address), asked(address, "/healthz")
            logged = [json.loads(line) for line in ended(process).splitlines()]
        ids = [str(id) for id in (group, gm["id"], ann["id"])]
        private = [server.token.partition(":")[2], GM, ANN, GROUP, SAID, *ids]
    return Evening(samples, health, logged, private)


def _settled(samples: list[Sample]) -> bool:
    letters = [value(samples, "rollbook_outbox_letters", state=state) for state in ("waiting", "held")]
    return letters == [0, 1] and value(samples, "rollbook_chain_checked_timestamp_seconds") > 0

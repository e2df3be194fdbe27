"""Several `rollbook serve` on one PostgreSQL behind one webhook, and what must hold of all that they did."""

from __future__ import annotations

import subprocess
import time
import urllib.request
from collections import Counter
from contextlib import ExitStack
from http import HTTPStatus
from typing import Any

from core.verify import verify
from events.codec import decode
from events.postgres import PostgresLog
from events.talk import Texts
from tests.adapters.terminal import UNLIMITED
from tests.adapters.test_serve import serving
from tests.servers.balancer import Balancer
from tests.servers.postgres import url_of
from tests.servers.telegram import FakeTelegram

Json = dict[str, Any]
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
START_S = 120.0  # for programs to start on a busy machine
PATIENCE_S = 180.0


def _listens(place: str) -> bool:
    try:
        return bool(OPENER.open(f"http://{place}/healthz", timeout=5).status == HTTPStatus.OK)
    except OSError:
        return False


class Workers:
    """`count` programs. Messages are `said` in groups of their own, each with a table."""

    def __init__(self, server: FakeTelegram, conninfo: str, count: int, groups: int) -> None:
        self.server, self.conninfo, self.groups = server, conninfo, groups
        self.balancer = Balancer(count)
        self.said: dict[int, list[int]] = {}  # the rolls asked for, by group
        self.programs: dict[int, subprocess.Popen[str]] = {}
        self._open = ExitStack()

    def __enter__(self) -> Workers:
        server = self.server
        server.connections = 40
        self._open.enter_context(self.balancer)
        for number, _ in enumerate(self.balancer.places):
            self.start(number)
        self.gm = server.person("Gm")
        self.said = {server.supergroup(f"Night {number}", self.gm): [] for number in range(self.groups)}
        for group in self.said:
            server.text(group, self.gm, "/table new savage Glacier")
        server.wait_for(lambda: all(server.of_bot(group) for group in self.said), START_S)
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def start(self, number: int) -> None:
        """One of them, and wait until it listens. It holds leases as `worker-NUMBER …`."""
        place = self.balancer.places[number]
        more = {
            "ROLLBOOK_TELEGRAM_WEBHOOK_URL": self.balancer.url, "ROLLBOOK_TELEGRAM_WEBHOOK_LISTEN": place,
        }  # fmt: skip
        url = f"{url_of(self.conninfo)}&application_name=worker-{number}"
        program = self._open.enter_context(serving(self.server, url, **UNLIMITED, **more))
        self.programs[number] = program
        self.server.wait_for(lambda: program.poll() is not None or _listens(place), START_S)
        assert program.poll() is None, program.communicate()

    def kill(self, number: int) -> None:
        program = self.programs.pop(number)
        program.kill()
        program.wait()

    def say(self, rolls: int) -> None:
        for group, messages in self.said.items():
            messages += [self.server.text(group, self.gm, "/roll 4d100") for _ in range(rolls)]

    def wait_until_answered(self) -> float:
        """Until everything is; how long it took, in seconds."""
        began = time.monotonic()
        self.server.wait_for(lambda: all(map(all, (self.answers(group) for group in self.said))), PATIENCE_S)
        return time.monotonic() - began

    def answers(self, group: int) -> list[list[str]]:
        """What was said below each roll that was asked for in a group."""
        found: dict[int, list[str]] = {message: [] for message in self.said[group]}
        for one in self.server.of_bot(group):
            if one.reply_to in found:
                found[one.reply_to].append(one.text)
        return list(found.values())

    def check(self, kills: int = 0) -> int:
        """Each roll is in the log once, in order, and was answered; all chains and dice hold. How many there are.

        A letter that Telegram had taken and a program had not yet marked when it was killed comes twice: at most one
        of each chat for each kill.
        """
        log, rolls = PostgresLog(self.conninfo, read_only=True), Counter[str]()
        for table in log.tables():
            verdict = verify(log.read(table), texts=Texts(log, table))
            assert (verdict.broken, verdict.head) == (None, log.head(table))
            rolls.update(one.cause for one in map(decode, log.read(table)) if one.type == "RollMade")
        log.close()
        asked = [f"telegram:{group}:{message}" for group, messages in self.said.items() for message in messages]
        assert [cause for cause, count in rolls.items() if count != 1] == [], "rolled twice"
        assert sorted(rolls) == sorted(asked), "lost"
        for group in self.said:
            answers = self.answers(group)
            assert [len(set(said)) for said in answers] == [1] * len(answers)
            assert sum(len(said) - 1 for said in answers) <= kills, "an answer came too often"
        return len(asked)

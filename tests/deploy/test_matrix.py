"""Matrix measured and logged: a real Synapse that limits the bot, which has logged in by password."""

from __future__ import annotations

import json
from pathlib import Path

from tests.adapters.matrix_chat import Person, wait_for
from tests.adapters.test_serve import ended, serving
from tests.deploy.conftest import SLOW_S, free_address, scraped, value
from tests.servers.synapse import running
from tests.servers.telegram import FakeTelegram

SAID = "the-crown-is-false"


def test_a_limited_bot_on_matrix_says_so_and_tells_no_token_and_no_account(tmp_path: Path) -> None:
    server, address, store = running(), free_address(), tmp_path / "keys"
    user, tom = server.register("Rollbook"), Person(server, "Tomasina")
    more = {
        "ROLLBOOK_METRICS_LISTEN": address, "ROLLBOOK_LOG_FORMAT": "json", "ROLLBOOK_MATRIX_STORE": str(store),
        "ROLLBOOK_MATRIX_HOMESERVER": server.base_url, "ROLLBOOK_MATRIX_USER": user["user_id"],
        "ROLLBOOK_MATRIX_PASSWORD": user["password"], "ROLLBOOK_MATRIX_PICKLE_KEY": "a long word",
    }  # fmt: skip
    of = {"platform": "matrix"}
    with FakeTelegram() as telegram, serving(telegram, tmp_path / "rollbook.db", **more) as process:
        room = tom.room(user["user_id"])
        wait_for(lambda: len(tom.members(room)) == 2, SLOW_S)
        server.limit(user["user_id"], 1, 1)
        for line in ("!table new savage Glacier", *[f"!roll 2d6 # {SAID}"] * 5):
            tom.say(room, line)
        wait_for(lambda: value(scraped(address), "rollbook_retries_total", reason="rate_limit", **of) >= 1, SLOW_S)
        server.limit(user["user_id"], 0, 0)
        wait_for(lambda: value(scraped(address), "rollbook_delivery_seconds_count", **of) >= 6, SLOW_S)
        samples = scraped(address)
        said = ended(process)
    assert value(samples, "rollbook_commands_total", verb="roll", outcome="ok", **of) == 5
    assert value(samples, "rollbook_last_contact_timestamp_seconds", **of) > 1.7e9
    token = json.loads((store / "device.json").read_text())["access_token"]
    assert all(json.loads(line)["message"] for line in said.splitlines())
    private = (token, user["password"], tom.account, room, SAID)
    assert [word for word in private if word in said or any(word in str(one.labels) for one in samples)] == []

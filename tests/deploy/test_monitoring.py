"""What Prometheus finds at `[metrics]`, what is answered at /healthz, and what is logged meanwhile."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path

from prometheus_client import REGISTRY

from adapters.monitoring import Monitoring
from events.sqlite import SqliteLog
from tests.adapters.terminal import play, run
from tests.deploy.conftest import Evening, asked, free_address, value


def test_an_evening_is_measured(evening: Evening) -> None:
    of = {"platform": "telegram"}
    assert value(evening.samples, "rollbook_commands_total", verb="char", outcome="ok", **of) == 1
    assert value(evening.samples, "rollbook_commands_total", verb="trait", outcome="bad_argument", **of) == 1
    assert value(evening.samples, "rollbook_commit_seconds_count", **of) == 4
    assert value(evening.samples, "rollbook_delivery_seconds_count", **of) >= 2
    assert value(evening.samples, "rollbook_retries_total", reason="rate_limit", **of) == 1
    assert value(evening.samples, "rollbook_retries_total", reason="platform", **of) >= 1
    assert value(evening.samples, "rollbook_last_contact_timestamp_seconds", **of) > 1.7e9


def test_the_outbox_and_the_log_are_looked_at_when_asked_for(evening: Evening) -> None:
    assert value(evening.samples, "rollbook_outbox_letters", state="held") == 1
    assert value(evening.samples, "rollbook_log_readable") == 1
    assert value(evening.samples, "rollbook_log_bytes") > 100_000
    assert value(evening.samples, "rollbook_log_tables") >= 1
    assert value(evening.samples, "rollbook_log_events") >= 2
    assert value(evening.samples, "rollbook_chain_broken_tables") == 0
    assert value(evening.samples, "rollbook_build_info") == 1
    assert value(evening.samples, "process_resident_memory_bytes") > 10e6


def test_no_metric_tells_who_plays_where_or_what(evening: Evening) -> None:
    labels = {text for one in evening.samples for text in one.labels.values()}
    assert [word for word in evening.private if any(word in text for text in labels)] == []


def test_it_is_healthy_while_it_serves(evening: Evening) -> None:
    assert evening.health == (200, b"ok")


def test_no_entry_of_the_log_has_a_token_a_name_or_a_word_of_what_was_played(evening: Evening) -> None:
    assert [one["message"] for one in evening.logged if one["message"] == "Ended"] == ["Ended"]
    assert all(one["time"] and one["level"] and one["logger"] for one in evening.logged)
    written = str(evening.logged)
    assert [word for word in evening.private if re.search(rf"(?<!\d){re.escape(word)}(?!\d)", written)] == []


def test_an_address_that_cannot_be_had_is_said_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "rollbook.toml"
    path.write_text(f'db = "{tmp_path}/x.db"\n[telegram]\ntoken = "7:x"\n[metrics]\nlisten = "256.0.0.1:9464"\n')
    done = run("serve", "--config", path)
    assert done.returncode == 2
    assert "metrics.listen" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_a_chain_that_does_not_hold_is_found(tmp_path: Path) -> None:
    path = tmp_path / "rollbook.db"
    play(path, "gm: /table new savage Glacier", "gm: /roll 2d6")
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.execute("UPDATE events SET body = CAST(replace(body, '\"v\":1', '\"v\":7') AS BLOB) WHERE seq = 2")
    with closing(SqliteLog(path)) as log:
        asyncio.run(Monitoring(log, (), lambda: True)._check())
    assert REGISTRY.get_sample_value("rollbook_chain_broken_tables") == 1


def test_it_is_not_healthy_when_a_chat_is_not_served_any_more(tmp_path: Path) -> None:
    async def health(log: SqliteLog) -> tuple[int, bytes]:
        address = free_address()
        async with Monitoring(log, (), lambda: False).at(address):
            return await asyncio.to_thread(asked, address, "/healthz")

    with closing(SqliteLog(tmp_path / "rollbook.db")) as log:
        assert asyncio.run(health(log))[0] == 503

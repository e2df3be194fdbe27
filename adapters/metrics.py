"""What is measured, for Prometheus: each metric, and how the program says what happened.

Here: counts, seconds, bytes. Never: an account, a chat, a table, a name or a text, not even as a label: whoever reads
metrics learns nothing of what is played. Every label is one of a few words that stand in the program itself.
"""

from __future__ import annotations

import platform as machine
import time
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import version
from typing import Literal, TypeAlias

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

from core.messages import Answer
from events.beside import MessageKey

Reason: TypeAlias = Literal["rate_limit", "platform", "log"]  # for which something is tried again
Limit: TypeAlias = Literal["person", "chat"]  # of which too much came
SOON_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
LATER_S = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
MOST_AWAITED = 2000  # answers whose sending is timed at once; of more, the oldest is not

# A series more for each, and nobody asks for it.
disable_created_metrics()  # type: ignore[no-untyped-call]
COMMANDS = Counter(
    "rollbook_commands", "Commands by verb and outcome: ok, or the code of a refusal.", ["platform", "verb", "outcome"]
)
COMMIT = Histogram(
    "rollbook_commit_seconds", "From a message received until what it led to is in the log.", ["platform"],
    buckets=SOON_S,
)  # fmt: skip
DELIVERY = Histogram(
    "rollbook_delivery_seconds", "From an answer in the log until its first letter is sent.", ["platform"],
    buckets=LATER_S,
)  # fmt: skip
RETRIES = Counter(
    "rollbook_retries",
    "What had to be tried again: rate_limit (the platform said 429), platform (it is unwell, or out of reach), log.",
    ["platform", "reason"],
)
LEFT_OUT = Counter(
    "rollbook_left_out", "Messages left out because a person, or a chat, wrote more than [limits] allows.",
    ["platform", "limit"],
)  # fmt: skip
CONTACT = Gauge(
    "rollbook_last_contact_timestamp_seconds",
    "When the platform last gave updates, or said that there are none (at first: when we began to ask).",
    ["platform"],
)
LETTERS = Gauge(
    "rollbook_outbox_letters",
    "Letters not sent yet: waiting, or held because their reader has to write to the bot first.", ["platform", "state"],
)  # fmt: skip
OLDEST = Gauge(
    "rollbook_outbox_oldest_seconds", "How long the oldest waiting letter has been seen to wait; held ones aside.",
    ["platform"],
)  # fmt: skip
READABLE = Gauge("rollbook_log_readable", "Whether the log could be read just now.")
BYTES = Gauge("rollbook_log_bytes", "The size of the log.")
TABLES = Gauge("rollbook_log_tables", "Tables in the log at its last check.")
EVENTS = Gauge("rollbook_log_events", "Events in the log at its last check.")
BROKEN = Gauge("rollbook_chain_broken_tables", "Tables whose last events did not hold at the log's last check.")
CHECKED = Gauge("rollbook_chain_checked_timestamp_seconds", "When the last check of the log was done; 0: not yet.")
BUILD = Gauge("rollbook_build_info", "1, with the versions of Rollbook and Python.", ["version", "python"])

_awaited: dict[MessageKey, float] = {}  # answers that are in the log -> since when


def heard(platform: str, answers: Sequence[Answer], began: float) -> None:
    """These are in the log now, and the message came in at `began`, by `time.perf_counter`."""
    now = time.perf_counter()
    for one in answers:
        if not one.new:
            continue
        if one.verb or one.error:
            _command(platform, one.verb or "unknown", one.error[0] if one.error else "ok").inc()
        if one.letters or one.error:
            _awaited[one.key] = now
    if answers:
        _commit(platform).observe(now - began)
    while len(_awaited) > MOST_AWAITED:
        del _awaited[next(iter(_awaited))]


def sent(platform: str, key: MessageKey) -> None:
    """A letter of the answer to this message is there."""
    if (since := _awaited.pop(key, None)) is not None:
        _delivery(platform).observe(time.perf_counter() - since)


def retried(platform: str, reason: Reason) -> None:
    """Something is tried again, for this reason."""
    RETRIES.labels(platform, reason).inc()


def left_out(platform: str, limit: Limit) -> None:
    """A message was not taken up: too many came from this person, or in this chat."""
    LEFT_OUT.labels(platform, limit).inc()


def in_contact(platform: str) -> None:
    """The platform answered when it was asked for what is new, or brought something."""
    _contact(platform).set_to_current_time()


def begin(platforms: Sequence[str]) -> None:
    """These are served from now on: what has not happened yet is shown as 0."""
    BUILD.labels(version("rollbook"), machine.python_version()).set(1)
    for platform in platforms:
        in_contact(platform)
        _commit(platform), _delivery(platform)
        for reason in Reason.__args__:  # type: ignore[attr-defined]
            RETRIES.labels(platform, reason)
        for limit in Limit.__args__:  # type: ignore[attr-defined]
            LEFT_OUT.labels(platform, limit)


# Looking up a metric by its labels takes longer than counting.
_command = lru_cache(maxsize=None)(COMMANDS.labels)
_commit = lru_cache(maxsize=None)(COMMIT.labels)
_delivery = lru_cache(maxsize=None)(DELIVERY.labels)
_contact = lru_cache(maxsize=None)(CONTACT.labels)

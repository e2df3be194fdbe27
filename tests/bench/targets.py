"""What is compared in each round, and the targets: as ratios of one round wherever the machine would matter."""

from __future__ import annotations

from collections.abc import Sequence

from tests.bench.figures import Comparison, Size

SIZE = Size()
ROWS, ROWS_P99 = "raw SQLite, durable: single rows", "raw SQLite, durable: single rows, p99"
ROWS_IN_GROUPS = "raw SQLite, durable: groups of 100"
ONE, MANY = "in the process: 1 in flight", f"in the process: {SIZE.tables} in flight"
MANY_P99 = f"{MANY}, evenings, p99"
CALM_P99 = f"in the process: {SIZE.tables} tables, 50% of that rate, p99"
LOG_ONE, LOG_MANY = "the log alone: 1 table", f"the log alone: {SIZE.tables} tables in flight"
LOG_TOGETHER = f"the log alone: {SIZE.tables} tables, in one call"
HELD, LOADED = "eventsourcing: append, table in memory", "eventsourcing: load a table of 10, command, save"
TUNED = "eventsourcing: replay, msgspec for its JSON"
REPLAY = "replay: read, decode, evolve"
FAIR = "4d6kh3+2: fair dice"
OPENED, BEYOND = "large logs: a table of 1,000 opened from 1,000,000", "memory: beyond it while made"
STARTED = "large logs: start to first answer"

COMPARISONS: Sequence[Comparison] = (
    Comparison("whole command, trait d8, 1 table, to a raw row", f"{ONE}, trait d8", "to", ROWS, ("at least", 0.5)),
    Comparison("whole command, evenings, 1 in flight, to a raw row", f"{ONE}, evenings", "to", ROWS, ("at least", 0.5)),
    Comparison("whole command, trait d8, 64 tables, to a raw row", f"{MANY}, trait d8", "to", ROWS, ("at least", 2.5)),
    Comparison("whole command, evenings, 64 tables, to a raw row", f"{MANY}, evenings", "to", ROWS, ("at least", 2.5)),
    Comparison("p99, evenings, 64 tables, beyond a raw row's", MANY_P99, "beyond", ROWS_P99, ("at most", 10)),
    Comparison("p99 at half that rate, beyond a raw row's", CALM_P99, "beyond", ROWS_P99, ("at most", 10)),
    Comparison("log alone, 1 table, to a raw row", LOG_ONE, "to", ROWS),
    Comparison("log alone, 64 tables, to a raw row", LOG_MANY, "to", ROWS, ("at least", 6)),
    Comparison("log alone, 64 tables in one call, to a raw row", LOG_TOGETHER, "to", ROWS, ("at least", 6)),
    Comparison("log alone, 64 tables, to raw rows in groups of 100", LOG_MANY, "to", ROWS_IN_GROUPS),
    Comparison("log alone, 64 tables, sealing, to eventsourcing", f"{LOG_MANY}, sealed", "to", HELD, ("at least", 12)),
    Comparison("eventsourcing to a raw row", HELD, "to", ROWS),
    Comparison("eventsourcing, loading too, to a raw row", LOADED, "to", ROWS),
    Comparison("replay", REPLAY, target=("at most", 3.5)),
    Comparison("eventsourcing's replay to ours", "eventsourcing: replay", "to", REPLAY, ("at least", 15)),
    Comparison("eventsourcing's replay with msgspec to ours", TUNED, "to", REPLAY),
    Comparison("1,000 events opened from 1,000,000", OPENED, target=("at most", 7)),
    Comparison("1,000 events opened with a snapshot", f"{OPENED}, with a snapshot", target=("at most", 1)),
    Comparison(
        "start on 1,000,000 events to start on 1,000",
        f"{STARTED}, 1,000,000 events", "to", f"{STARTED}, 1,000 events", ("at most", 1.1),
    ),
    Comparison("d20's 4d6kh3+2 to ours", "4d6kh3+2: d20", "to", FAIR, ("at least", 6)),
    Comparison("d20's 4d6kh3+2, total alone, to ours", "4d6kh3+2: d20, total alone", "to", FAIR),
    Comparison("memory beyond the table, 100,000 events", f"{BEYOND} of 100,000 events", target=("at most", 5)),
    Comparison(
        "Synapse's own part of a round trip in a plain room",
        "Synapse alone, an echo: command to answer, median", "to", "Matrix, plain room: command to answer, median",
    ),
)  # fmt: skip

"""SqliteLog, and all that knows SQLite."""

from events.sqlite.backup import content, held_alone, pack, packed
from events.sqlite.log import PATIENCE_S, SqliteLog
from events.sqlite.schema import APPLICATION_ID, MIGRATIONS, migrate

__all__ = [
    "APPLICATION_ID", "MIGRATIONS", "PATIENCE_S", "SqliteLog", "content", "held_alone", "migrate", "pack", "packed",
]  # fmt: skip

"""PostgresLog: the EventLog in a PostgreSQL database, for programs on several machines. The only package that knows it.

Begin with `log.py`. What is written goes through `writer.py`, one thread that takes what is queued and commits it
together; `batch.py` says what such a batch is decided on and comes to. `link.py` is a connection that comes back when
it was lost, and what goes wrong there in a sentence; `leases.py` is who of all does what, `listener.py` hears what they
tell each other; `follow.py` is the order in which nothing is missed; `schema.py` has the tables.

Needs the extra `postgres` (psycopg 3) and PostgreSQL 14 or newer. Settings, and what is listened to, hang on sessions,
so a pooler between us and the server has to keep them (PgBouncer: `pool_mode = session`).
"""

from events.postgres.link import address
from events.postgres.listener import MISSED
from events.postgres.log import PATIENCE_S, PostgresLog
from events.postgres.schema import MIGRATIONS, migrate
from events.postgres.writer import NAMES, NEWS

__all__ = ["MIGRATIONS", "MISSED", "NAMES", "NEWS", "PATIENCE_S", "PostgresLog", "address", "migrate"]

"""What was said in a room since the last sync, whole and in order, and nothing from before the bot came.

A sync brings the newest events alone where there are many (`limited`); those between it and the last one are fetched.
"""

from __future__ import annotations

import logging

from nio import Event, MessageDirection, RoomInfo, RoomMessagesResponse  # type: ignore[import-untyped]

from adapters.matrix import wire
from adapters.matrix.device import Client

PAGE = 100
MOST_PAGES = 50
READ = {"types": [*wire.WRITTEN, "m.room.encrypted", "m.room.member", "m.reaction", "m.room.redaction"]}
NOTHING: dict[str, list[str]] = {"types": []}
FILTER = {
    "presence": NOTHING,
    "room": {"timeline": {"limit": PAGE}, "ephemeral": NOTHING, "account_data": NOTHING},
}
logger = logging.getLogger(__name__)


async def since(client: Client, room_id: str, info: RoomInfo, token: str) -> list[Event]:
    """The events of this room in a sync that was asked for with `token`, the gap before them filled."""
    events: list[Event] = list(info.timeline.events)
    if info.timeline.limited and not _entered(client, events):
        events = [*await _gap(client, room_id, info.timeline.prev_batch, token), *events]
    at = max((number for number, one in enumerate(events) if _entered(client, [one])), default=0)
    return events[at:]


def _entered(client: Client, events: list[Event]) -> bool:
    """What was encrypted is no entrance, whatever it says: only the server lets people in."""
    return any(not one.decrypted and wire.came(one.source, client.user_id) for one in events)


async def _gap(client: Client, room_id: str, start: str, token: str) -> list[Event]:
    """What lies between two syncs, back to the bot's coming."""
    found: list[Event] = []
    for _ in range(MOST_PAGES):
        page = await client.room_messages(room_id, start, token, MessageDirection.back, PAGE, READ)
        if not isinstance(page, RoomMessagesResponse):
            logger.error("What was said in a room in the meantime cannot be fetched: %s", page.status_code)
            return found
        found = [*reversed(page.chunk), *found]
        if not page.end or not page.chunk or _entered(client, page.chunk):
            return found
        start = page.end
    logger.error("More was said in a room in the meantime than can be fetched; the oldest is left out")
    return found

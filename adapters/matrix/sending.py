"""One event or one file to the homeserver: what passes is waited out, a refusal is raised with its code."""

from __future__ import annotations

from io import BytesIO

from nio import RoomSendResponse, UploadResponse  # type: ignore[import-untyped]

from adapters.files import File
from adapters.matrix.device import NO_LONGER_KNOWN, Client
from adapters.matrix.wire import Json

ABSENT = ("M_FORBIDDEN", "M_NOT_FOUND", "M_GUEST_ACCESS_FORBIDDEN", *NO_LONGER_KNOWN)
UNFIT = ("M_TOO_LARGE", "M_BAD_JSON", "M_NOT_JSON", "M_INVALID_PARAM", "M_UNKNOWN")


class Refused(Exception):
    """The server does not take it: str() is its code."""

    @property
    def absent(self) -> bool:
        """We may not write there now."""
        return str(self) in ABSENT

    @property
    def unfit(self) -> bool:
        """It is never taken as it is."""
        return str(self) in UNFIT


async def put(client: Client, room_id: str, content: Json, name: str) -> str:
    """Send a message, encrypted where the room is; `name` makes it once. The event's id."""
    try:
        answer = await client.room_send(room_id, "m.room.message", content, name, ignore_unverified_devices=True)
    except BaseException:
        client.sharing_session.pop(room_id, None)  # or nio would wait for the end of that for ever
        raise
    if isinstance(answer, RoomSendResponse):
        return str(answer.event_id)
    raise Refused(answer.status_code or answer.message)


async def upload(client: Client, room_id: str, file: File) -> tuple[str, Json | None]:
    """Where the server has the file now, and with what it is encrypted, if the room is."""
    encrypted = client.rooms[room_id].encrypted and client.olm is not None
    answer, keys = await client.upload(
        BytesIO(file.content), file.media_type, file.name, encrypt=encrypted, filesize=len(file.content)
    )
    if not isinstance(answer, UploadResponse):
        raise Refused(answer.status_code or answer.message)
    return str(answer.content_uri), keys

"""Direct rooms: which room is whose, as `m.direct` in the bot's account data says, and how a new one is made.

A direct room serves for secrets only while its person and the bot are alone in it.
"""

from __future__ import annotations

import logging
from typing import Literal, TypeAlias
from urllib.parse import quote

from nio import (  # type: ignore[import-untyped]
    DirectRoomsResponse,
    MatrixRoom,
    RoomCreateResponse,
    RoomInviteError,
    RoomPreset,
)

from adapters.matrix.device import OK, Client

ENCRYPTED = {
    "type": "m.room.encryption", "state_key": "", "content": {"algorithm": "m.megolm.v1.aes-sha2"},
}  # fmt: skip
Way: TypeAlias = Literal["open", "invited", "refused"]
logger = logging.getLogger(__name__)


class Direct:
    """The direct rooms of the bot. `encryption`: whether new ones are encrypted."""

    def __init__(self, client: Client, *, encryption: bool) -> None:
        self.client, self.encryption = client, encryption
        self._rooms: dict[str, list[str]] = {}  # account -> its rooms, the one used last at the end
        self._made: set[str] = set()  # rooms that no sync has shown us yet

    async def load(self) -> None:
        """What the server has kept; nothing on a first start."""
        answer = await self.client.list_direct_rooms()
        if isinstance(answer, DirectRoomsResponse):
            self._rooms = {account: list(rooms) for account, rooms in answer.rooms.items() if isinstance(rooms, list)}

    def whose(self, room_id: str) -> str | None:
        """The account of whom this is the direct room, as long as nobody else is in it."""
        account = self._owner(room_id)
        room: MatrixRoom | None = self.client.rooms.get(room_id)
        alone = room is not None and account is not None and set(room.users) <= {account, self.client.user_id}
        return account if alone else None

    def room_of(self, account: str) -> str | None:
        """Where this person is reached now: the room used last in which we two are, and nobody else."""
        return next((one for one in reversed(self._rooms.get(account, [])) if self._together(one, account)), None)

    def outgrown(self, room_id: str) -> str | None:
        """The account whose direct room this was, where others are in it now, or are invited."""
        known = room_id in self.client.rooms and self.whose(room_id) is None
        return self._owner(room_id) if known else None

    def present(self, room_id: str) -> str | None:
        """The account of whom this is the direct room, who is there now and alone with the bot."""
        account = self._owner(room_id)
        return account if account is not None and self._together(room_id, account) else None

    def used(self, account: str, room_id: str) -> None:
        """This person has just written here."""
        rooms = self._rooms.get(account, [])
        if rooms[-1:] != [room_id] and room_id in rooms:
            rooms.remove(room_id)
            rooms.append(room_id)

    async def add(self, account: str, room_id: str) -> None:
        """This is a direct room of that person's from now on, for every client of the bot's account."""
        rooms = self._rooms.setdefault(account, [])
        if room_id in rooms:
            return
        rooms.append(room_id)
        await self._keep()

    async def forget(self, account: str, room_id: str) -> None:
        """This is a room like any other from now on."""
        self._rooms[account].remove(room_id)
        await self._keep()

    async def _keep(self) -> None:
        path = f"/_matrix/client/v3/user/{quote(self.client.user_id, safe='')}/account_data/m.direct"
        status, answer = await self.client.call("PUT", path, dict(self._rooms))
        if status != OK:
            logger.warning("The homeserver does not keep m.direct: %s", answer.get("error"))

    async def reach(self, account: str) -> tuple[Way, str]:
        """A room with this person, who is invited where there is none yet: how far that is, and the room."""
        if room_id := self.room_of(account):
            return "open", room_id
        for room_id in reversed(self._rooms.get(account, [])):
            if (way := await self._invite(account, room_id)) is not None:
                return way, room_id
        return await self._create(account)

    async def _invite(self, account: str, room_id: str) -> Way | None:
        """Into a room where the bot is alone; None: this room does not serve."""
        room = self.client.rooms.get(room_id)
        if room is None and room_id in self._made:
            return "invited"
        self._made.discard(room_id)
        if room is None or not set(room.users) <= {account, self.client.user_id}:
            return None
        if account in room.users:
            return "invited"
        answer = await self.client.room_invite(room_id, account)
        return None if isinstance(answer, RoomInviteError) else "invited"

    async def _create(self, account: str) -> tuple[Way, str]:
        answer = await self.client.room_create(
            is_direct=True, preset=RoomPreset.private_chat, invite=[account],
            initial_state=[ENCRYPTED] if self.encryption else [],
        )  # fmt: skip
        if not isinstance(answer, RoomCreateResponse):
            logger.warning("No direct room could be made: %s", answer.status_code)
            return "refused", ""
        self._made.add(answer.room_id)
        await self.add(account, answer.room_id)
        return "invited", answer.room_id

    def _owner(self, room_id: str) -> str | None:
        return next((account for account, rooms in self._rooms.items() if room_id in rooms), None)

    def _together(self, room_id: str, account: str) -> bool:
        room: MatrixRoom | None = self.client.rooms.get(room_id)
        if room is None or account in room.invited_users:
            return False
        return set(room.users) == {account, self.client.user_id}

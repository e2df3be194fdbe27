"""The bot's rooms: what they are called in our keys, who is called what in them, whose invitations are accepted."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

from nio import InviteMemberEvent, JoinError, MatrixRoom  # type: ignore[import-untyped]
from nio.responses import InviteInfo  # type: ignore[import-untyped]

from adapters.matrix import wire
from adapters.matrix.device import Client
from adapters.matrix.direct import Direct
from adapters.matrix.wire import Place

JOIN_S = 60.0  # a room of another server may take its time
logger = logging.getLogger(__name__)


class Rooms:
    """`person` gives the opaque id of an account, `allow` says which invitations are accepted."""

    def __init__(self, client: Client, direct: Direct, person: Callable[[str], str], allow: Sequence[str]) -> None:
        self.client, self.direct, self.person, self.allow = client, direct, person, allow

    def chat(self, room_id: str) -> str:
        """The room's name in our keys; a direct room goes by its person."""
        account = self.direct.whose(room_id)
        return room_id if account is None else self.person(account)

    def place(self, room_id: str, account: str) -> Place:
        """Where somebody writes, and what they are called there."""
        room: MatrixRoom | None = self.client.rooms.get(room_id)
        shown = {one.user_id: one.display_name or "" for one in room.users.values()} if room else {}
        mine = shown.pop(account, "")
        return Place(self.chat(room_id), wire.called(mine, account, self.person(account), tuple(shown.values())))

    def encrypted(self) -> list[str]:
        """The encrypted rooms in which the bot is."""
        return [room_id for room_id, room in self.client.rooms.items() if room.encrypted]

    def replaced_by(self, room_id: str) -> list[str]:
        """The rooms whose place this one has taken, as they say themselves."""
        return [old for old, room in self.client.rooms.items() if room.replacement_room == room_id]

    async def invited(self, room_id: str, invitation: InviteInfo) -> None:
        """Go there, or say no. What comes with an invitation the inviter's server can make up, another invitation too:
        so whoever invites by one of them has to be allowed."""
        mine = [one for one in invitation.invite_state if _of_ours(one, self.client.user_id)]
        if not all(wire.allowed(one.sender, self.allow, room_id) for one in mine):
            logger.info("An invitation was declined: nobody of that server or account may invite the bot")
            await self.client.room_leave(room_id)
        elif mine and mine[-1].membership == "invite":
            if mine[-1].content.get("is_direct") is True:
                await self.direct.add(mine[-1].sender, room_id)
            await self._join(room_id)

    async def _join(self, room_id: str) -> None:
        try:
            async with asyncio.timeout(JOIN_S):
                answer = await self.client.join(room_id)
        except TimeoutError:
            return logger.warning("A room to which the bot was invited cannot be entered in time")
        if isinstance(answer, JoinError):
            logger.warning("A room to which the bot was invited cannot be entered: %s", answer.status_code)
        return None


def _of_ours(event: object, account: str) -> bool:
    """Whether this is about the bot's own membership."""
    return isinstance(event, InviteMemberEvent) and event.state_key == account

"""Invitations as a homeserver that means harm can make them up; those of a real one are in test_matrix_bot.py."""

from __future__ import annotations

import asyncio

import pytest
from nio import InviteEvent, JoinResponse, RoomLeaveResponse  # type: ignore[import-untyped]
from nio.responses import InviteInfo  # type: ignore[import-untyped]

from adapters.matrix.device import Client
from adapters.matrix.direct import Direct
from adapters.matrix.rooms import Rooms

BOT, RED, MALLORY = "@bot:home", "@red:home", "@mallory:elsewhere"


class Noting(Client):
    """The homeserver's end: what the bot asks of it is noted, and granted."""

    def __init__(self) -> None:
        super().__init__("http://home.invalid", BOT)
        self.user_id, self.asked = BOT, list[str]()

    async def join(self, room_id: str) -> JoinResponse:
        self.asked.append("join")
        return JoinResponse(room_id)

    async def room_leave(self, room_id: str) -> RoomLeaveResponse:  # noqa: ARG002  nio's signature
        self.asked.append("leave")
        return RoomLeaveResponse()


def invitation(sender: str) -> InviteEvent:
    content = {"membership": "invite"}
    return InviteEvent.parse_event({"type": "m.room.member", "state_key": BOT, "sender": sender, "content": content})


@pytest.mark.parametrize(
    ("senders", "asked"),
    [([RED], ["join"]), ([MALLORY], ["leave"]), ([RED, MALLORY], ["leave"]), ([MALLORY, RED], ["leave"]), ([], [])],
)
def test_an_invitation_that_somebody_else_is_said_to_have_sent_too_is_declined(
    senders: list[str], asked: list[str]
) -> None:
    async def invited() -> list[str]:
        client = Noting()
        rooms = Rooms(client, Direct(client, encryption=False), str, (RED,))
        await rooms.invited("!den", InviteInfo([invitation(one) for one in senders]))
        await client.close()
        return client.asked

    assert asyncio.run(invited()) == asked

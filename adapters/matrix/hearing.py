"""One event of a room -> the core: a command, a button, a message that cannot be read, somebody who came."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from msgspec.structs import replace
from nio import Event  # type: ignore[import-untyped]

from adapters.inbox import Inbox, said
from adapters.matrix import wire
from adapters.matrix.buttons import Buttons
from adapters.matrix.greet import Greetings
from adapters.matrix.rooms import Rooms
from adapters.matrix.sealed import Sealed
from adapters.matrix.wire import PLATFORM, Json, Reaction, Self
from adapters.sharing import Sharing
from core.app import App

WHAT = "An event of a room"


class Hearing:
    """Everything of it in one place: what is read here is in the log when `read` returns."""

    def __init__(
        self, app: App, me: Self, inbox: Inbox, sharing: Sharing, rooms: Rooms, buttons: Buttons, sealed: Sealed,
        greetings: Greetings,
    ) -> None:  # fmt: skip
        self.app, self.me, self.inbox, self.sharing, self.rooms = app, me, inbox, sharing, rooms
        self.buttons, self.sealed, self.greetings = buttons, sealed, greetings

    async def settle(self, room_id: str) -> None:
        """A direct room in which others are now is a room like any other: the table that was played there stays."""
        direct = self.rooms.direct
        if (account := direct.outgrown(room_id)) is None:
            return
        person = self.inbox.person(account)
        if self.app.log.bookmark(wire.private(person)) == room_id:
            self.app.log.move(PLATFORM, person, room_id)
        await direct.forget(account, room_id)

    async def read(self, room_id: str, event: Event) -> None:
        """An event, until what it led to is in the log."""
        if event.source.get("sender") != self.me.account and wire.sealed(event.source):
            event = self.sealed.open(room_id, event)
        if event is None:
            return
        source: Json = event.source
        if event.decrypted:
            self.sealed.read(room_id, source["sender"])
            await self._kept(lambda: self._hear(room_id, source))
        elif (press := wire.reaction(source)) and press.sender != self.me.account:
            await self._press(room_id, source, press)
        else:
            await self._kept(lambda: self._see(room_id, source))

    async def tell_unread(self) -> None:
        """Say of what cannot be read that it cannot."""
        for one in self.sealed.overdue():
            place = self.rooms.place(*one.about)
            await self._kept(lambda place=place, one=one: self.greetings.unreadable(place, one))  # type: ignore[misc]

    async def _kept(self, take: Callable[[], Awaitable[None] | None]) -> None:
        await self.inbox.until_kept(take, WHAT)

    async def _see(self, room_id: str, source: Json) -> None:
        """What only the server can say, so never what was encrypted; or else a message."""
        if source.get("type") == "m.room.member":
            self._came(room_id, source)
        elif source.get("type") == "m.room.redaction":
            await self._redacted(room_id, source)
        elif new := wire.replacement(source):
            self._moved(room_id, new)
        else:
            await self._hear(room_id, source)

    async def _hear(self, room_id: str, source: Json) -> None:
        sender = wire.writer(source)
        if source.get("type") not in wire.WRITTEN or sender in ("", self.me.account):
            return
        self.rooms.direct.used(sender, room_id)
        place = self.rooms.place(room_id, sender)
        self.sharing.reachable(place.chat)
        incoming = wire.incoming(source, place, self.me, self.inbox.person, self.inbox.late_before)
        self._wrote(room_id, sender)
        if incoming is not None:
            async with self.sharing.turn(place.chat):
                answers = await self.inbox.hearing(incoming)
            if any(map(said, answers)):  # or else it may be of somebody who was just forgotten
                self._wrote(room_id, sender)  # of somebody who is another person from now on, too
        elif edited := wire.edited(source, place, self.me, self.inbox.person):
            async with self.sharing.turn(place.chat):
                self.inbox.edited(edited)

    def _wrote(self, room_id: str, sender: str) -> None:
        """In this direct room its person is written to, until they write in another, by whichever account."""
        if self.rooms.direct.whose(room_id) == sender:
            name = wire.private(self.inbox.person(sender))
            if self.app.log.bookmark(name) != room_id:
                self.app.log.set_bookmark(name, room_id)

    async def _redacted(self, room_id: str, source: Json) -> None:
        if (sender := wire.writer(source)) in ("", self.me.account):
            return  # a button that was taken back
        if deleted := wire.redacted(source, self.rooms.place(room_id, sender), self.inbox.person):
            async with self.sharing.turn(deleted.key.chat):
                self.app.deleted(deleted)

    def _came(self, room_id: str, source: Json) -> None:
        """The bot, who says hello and may write from now on; or somebody whom a direct room was waiting for."""
        if wire.came(source, self.me.account):
            for old in self.rooms.replaced_by(room_id):
                self._moved(old, room_id)
            if wire.followed(source, self.me.account):
                self.greetings.hello(room_id)
            self.sharing.reachable(self.rooms.chat(room_id))
        elif wire.came(source, source.get("state_key", "")) and self.rooms.direct.whose(room_id):
            self.sharing.reachable(self.rooms.chat(room_id))

    def _moved(self, old: str, new: str) -> None:
        """A room in which the bot is was upgraded: its table goes where its people go, once the bot is there too."""
        if new in self.rooms.client.rooms:
            self.app.log.move(PLATFORM, old, new)

    async def _press(self, room_id: str, source: Json, press: Reaction) -> None:
        found = await self.buttons.letter(room_id, press, self.me)
        if found is None:
            return
        one, thread = found
        place = self.rooms.place(room_id, press.sender)
        sent_at = wire.sent_at(source)
        late = sent_at < self.inbox.late_before

        async def take() -> None:
            receipt, choice = self.app.log.receipt(one.key), self.app.choice_of(one.key)
            table = receipt.table if receipt else ""
            incoming = wire.pressed(press, thread, one, table, choice, place, self.inbox.person)
            if incoming is not None:
                async with self.sharing.turn(place.chat):
                    answers = await self.inbox.hearing(replace(incoming, late=late, sent_at=sent_at))
                self.buttons.settle(press, answers)

        await self._kept(take)

"""The bot on Matrix: hands each event to the core; its place is moved on when all that came before it is in the log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from aiohttp import ClientError
from nio import SyncResponse  # type: ignore[import-untyped]

from adapters.config import Matrix
from adapters.files import maker
from adapters.inbox import Inbox
from adapters.matrix import timeline
from adapters.matrix.buttons import Buttons
from adapters.matrix.device import Client, connect
from adapters.matrix.direct import Direct
from adapters.matrix.greet import Greetings
from adapters.matrix.hearing import Hearing
from adapters.matrix.post import Post
from adapters.matrix.rooms import Rooms
from adapters.matrix.sealed import Sealed
from adapters.matrix.sync import MOST_TRIES, Sync, keep_keys
from adapters.matrix.wire import PLATFORM, Self
from adapters.outbox import Held, Outbox
from core.app import App
from events.beside import Pending
from events.log import LogUnusable

ALONE = f"listen-{PLATFORM}"
WAIT_S = 30.0
WAIT_FOR_KEYS_S = 1.0
RETRY_S = 1.0
logger = logging.getLogger(__name__)


class MatrixBot:
    """`clock` gives seconds since 1970; commands that waited longer than `patience_s` are told so and not run."""

    client: Client
    post: Post
    hearing: Hearing

    def __init__(self, app: App, settings: Matrix, clock: Callable[[], float], patience_s: float = 900.0) -> None:
        self.app, self.settings, self.clock = app, settings, clock
        self.inbox = Inbox(app, PLATFORM, clock, patience_s)
        self.outbox = Outbox(app, PLATFORM, self._carry)

    async def run(self, stop: asyncio.Event, drain_s: float = 10.0) -> None:
        """Until `stop` is set; then `drain_s` to empty the outbox. NotConfigured: the server does not take us."""
        running = asyncio.create_task(self._run(drain_s))
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait([running, stopping], return_when=asyncio.FIRST_COMPLETED)
        for task in (running, stopping):
            task.cancel()
        await asyncio.gather(running, stopping, return_exceptions=True)
        if not running.cancelled() and (failed := running.exception()):
            raise failed

    async def _run(self, drain_s: float) -> None:
        await self._alone()
        self.client = await connect(self.settings)
        try:
            await self._settle_in(self.client)
            await self._listen()
        finally:
            await self._end(drain_s)

    async def _alone(self) -> None:
        """Until no other program on this log is the bot: two with one device would spoil each other's keys."""
        if not self.app.log.sole(ALONE):
            logger.warning("Another program is the bot on Matrix already; waiting for its end")
        while not self.app.log.sole(ALONE):
            await asyncio.sleep(RETRY_S)

    async def _settle_in(self, client: Client) -> None:
        me = Self(client.user_id, getattr(await client.get_profile(), "displayname", None) or "")
        direct = Direct(client, encryption=self.settings.encryption)
        await direct.load()
        self.post = Post(self.app, client, direct, maker(self.app.log))
        self.rooms = Rooms(client, direct, self.inbox.person, self.settings.allow)
        self.sealed = Sealed(client, self.clock)
        self.greetings = Greetings(self.app, client, self.rooms, me)
        buttons = Buttons(self.app, client, self.post)
        self.hearing = Hearing(
            self.app, me, self.inbox, self.outbox, self.rooms, buttons, self.sealed, self.greetings
        )  # fmt: skip
        self.place = f"{PLATFORM}:sync:{client.user_id}"
        self.sync = Sync(client, self.app.log.bookmark(self.place))

    async def _end(self, drain_s: float) -> None:
        try:
            async with asyncio.timeout(drain_s):
                await self.outbox.drained()
        except TimeoutError:
            logger.warning("Not everything could be sent; the rest goes out at the next start")
        await self.outbox.stop()
        await self.post.stop()
        await self.client.close()

    async def _carry(self, one: Pending) -> Held | None:
        return await self.post.carry(one)

    async def _listen(self) -> None:
        await self._until_taken(await self.sync.news(0))
        await self.greetings.keys()
        self.outbox.open()
        while True:
            await self._until_taken(await self.sync.news(WAIT_FOR_KEYS_S if self.sealed.fresh else WAIT_S))

    async def _until_taken(self, news: SyncResponse) -> None:
        """What breaks us is tried again, and left behind in the end, or nothing would ever come after it."""
        failures = 0
        while failures < MOST_TRIES:
            try:
                return await self._take(news)
            except (ClientError, TimeoutError, LogUnusable):
                logger.exception("What was said cannot be taken up now; trying again")
            except Exception:
                logger.exception("What the homeserver sent cannot be worked with")
                failures += 1
            await asyncio.sleep(RETRY_S)
        self.sync.token = news.next_batch
        return None

    async def _take(self, news: SyncResponse) -> None:
        """All of it, and only then the place is kept: what a crash leaves out comes again."""
        await keep_keys(self.client)
        for room_id, invitation in news.rooms.invite.items():
            await self.rooms.invited(room_id, invitation)
        for room_id in news.rooms.leave:
            self.client.rooms.pop(room_id, None)
        if self.sync.token:  # without one this is a first start, and all that was said is from before it
            for room_id, info in news.rooms.join.items():
                for event in await timeline.since(self.client, room_id, info, self.sync.token):
                    await self.hearing.read(room_id, event)
        for room_id, event in self.sealed.opened() if news.to_device_events else ():
            await self.hearing.read(room_id, event)
        await self.hearing.tell_unread()
        self.sync.token = news.next_batch
        if not self.sealed.fresh:
            await self.inbox.until_kept(self._keep_place, "The place in the timeline")

    def _keep_place(self) -> None:
        if self.sync.token:
            self.app.log.set_bookmark(self.place, self.sync.token)

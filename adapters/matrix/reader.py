"""What is new, whole and in order, to `hearing.py`; the bot's place is moved on when all before it is in the log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from aiohttp import ClientError
from nio import SyncResponse  # type: ignore[import-untyped]

from adapters.config import Matrix
from adapters.inbox import Inbox
from adapters.matrix import timeline
from adapters.matrix.buttons import Buttons
from adapters.matrix.device import Client, KeysLost, check_keys
from adapters.matrix.greet import Greetings
from adapters.matrix.hearing import Hearing
from adapters.matrix.post import Post
from adapters.matrix.rooms import Rooms
from adapters.matrix.sealed import Sealed
from adapters.matrix.sync import MOST_TRIES, Sync, keep_keys
from adapters.matrix.wire import PLATFORM, Self
from adapters.outbox import Outbox
from adapters.sharing import Sharing
from core.app import App
from events.log import LogUnusable

WAIT_S = 30.0
WAIT_FOR_KEYS_S = 1.0
RETRY_S, LONGEST_RETRY_S = 0.5, 30.0
logger = logging.getLogger(__name__)


class Reader:
    """One login's. `clock` gives seconds."""

    def __init__(
        self, app: App, client: Client, settings: Matrix, inbox: Inbox, outbox: Outbox, sharing: Sharing,
        post: Post, clock: Callable[[], float],
    ) -> None:  # fmt: skip
        self.app, self.client, self.settings = app, client, settings
        self.inbox, self.outbox, self.sharing, self.post = inbox, outbox, sharing, post
        self.rooms = Rooms(client, post.direct, inbox.person, settings.allow)
        self.sealed = Sealed(client, clock)
        self.place = f"{PLATFORM}:sync:{client.user_id}"
        self.sync = Sync(client, app.log.bookmark(self.place))

    async def listen(self) -> None:
        """For ever. NotConfigured: the server has logged us out. KeysLost: there is no reading on with this device."""
        me = Self(self.client.user_id, getattr(await self.client.get_profile(), "displayname", None) or "")
        self.greetings = Greetings(self.app, self.client, self.rooms, me)
        buttons = Buttons(self.app, self.client, self.post)
        self.hearing = Hearing(
            self.app, me, self.inbox, self.sharing, self.rooms, buttons, self.sealed, self.greetings
        )  # fmt: skip
        await self._until_taken(await self.sync.news(0))
        await self._until_kept(self.greetings.renewed)
        self.outbox.open()
        while True:
            await self._until_taken(await self.sync.news(WAIT_FOR_KEYS_S if self.sealed.fresh else WAIT_S))

    async def _until_taken(self, news: SyncResponse) -> None:
        """What breaks us is tried again, and left behind in the end, or nothing would ever come after it."""
        failures, wait_s = 0, RETRY_S
        while failures < MOST_TRIES:
            try:
                return await self._take(news)
            except KeysLost:
                raise
            except (ClientError, TimeoutError, LogUnusable) as error:
                why = str(error) or type(error).__name__
                logger.warning("What was said cannot be taken up now; trying again: %s", why)
            except Exception:
                logger.exception("What the homeserver sent cannot be worked with")
                failures += 1
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, LONGEST_RETRY_S)
        self.sync.token = news.next_batch
        return None

    async def _take(self, news: SyncResponse) -> None:
        """All of it, and only then the place is kept: what a crash leaves out comes again."""
        await self._look_after_keys()
        for room_id, invitation in news.rooms.invite.items():
            await self.rooms.invited(room_id, invitation)
        for room_id in news.rooms.leave:
            self.client.rooms.pop(room_id, None)
        if self.sync.token:  # without one this is a first start, and all that was said is from before it
            for room_id, info in news.rooms.join.items():
                await self.hearing.settle(room_id)
                for event in await timeline.since(self.client, room_id, info, self.sync.token):
                    await self.hearing.read(room_id, event)
        for room_id, event in self.sealed.opened() if news.to_device_events else ():
            await self.hearing.read(room_id, event)
        await self.hearing.tell_unread()
        self.sync.token = news.next_batch
        if not self.sealed.fresh:
            await self._until_kept(self._keep_place)

    async def _look_after_keys(self) -> None:
        await keep_keys(self.client)
        if self.client.deaf:
            check_keys(self.client, self.settings)
            await self.greetings.deaf()

    async def _until_kept(self, take: Callable[[], None]) -> None:
        await self.inbox.until_kept(take, "The bot's place on Matrix")

    def _keep_place(self) -> None:
        if self.sync.token:
            self.app.log.set_bookmark(self.place, self.sync.token)

"""The bot on Matrix, from its login to its last answer. `reader.py` is what it hears, `post.py` what it says."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from adapters.config import Matrix
from adapters.files import maker
from adapters.inbox import Inbox, until
from adapters.limits import Limits
from adapters.matrix.device import Client, KeysLost, connect
from adapters.matrix.direct import Direct
from adapters.matrix.post import Post
from adapters.matrix.reader import Reader
from adapters.matrix.wire import PLATFORM
from adapters.outbox import Held, Outbox
from adapters.sharing import Sharing
from core.app import App
from events.beside import Pending

ALONE = f"listen-{PLATFORM}"
LOOK_S = 1.0
logger = logging.getLogger(__name__)


class MatrixBot:
    """`clock` gives seconds since 1970; commands that waited longer than `patience_s` are told so and not run."""

    client: Client
    post: Post
    reader: Reader

    def __init__(
        self, app: App, settings: Matrix, clock: Callable[[], float], patience_s: float = 900.0,
        limits: Limits | None = None,
    ) -> None:  # fmt: skip
        self.app, self.settings, self.clock = app, settings, clock
        self.inbox = Inbox(app, PLATFORM, clock, patience_s, limits)
        self.outbox = Outbox(app, PLATFORM, self._carry)
        self.sharing = Sharing(app, PLATFORM, self.outbox)

    async def run(self, stop: asyncio.Event, drain_s: float = 10.0) -> None:
        """Until `stop` is set; then `drain_s` to empty the outbox. NotConfigured: the server does not take us."""
        await until(stop, self._run(drain_s))

    async def _run(self, drain_s: float) -> None:
        await self._alone()
        anew = False
        while True:
            try:
                await self._live(drain_s, anew=anew)
            except KeysLost:
                anew = True

    async def _alone(self) -> None:
        """Until no other program on this log is the bot: two with one device would spoil each other's keys."""
        if not self.app.log.sole(ALONE):
            logger.warning("Another program is the bot on Matrix already; waiting for its end")
        while not self.app.log.sole(ALONE):
            await asyncio.sleep(LOOK_S)

    async def _live(self, drain_s: float, *, anew: bool) -> None:
        self.client = await connect(self.settings, anew=anew)
        direct = Direct(self.client, encryption=self.settings.encryption)
        self.post = Post(self.app, self.client, direct, maker(self.app.log, self.app.zones))
        self.reader = Reader(
            self.app, self.client, self.settings, self.inbox, self.outbox, self.sharing, self.post, self.clock
        )  # fmt: skip
        try:
            await direct.load()
            await self.reader.listen()
        finally:
            await self._end(drain_s)

    async def _end(self, drain_s: float) -> None:
        await self.outbox.close(drain_s)
        await self.post.stop()
        await self.client.close()

    async def _carry(self, one: Pending) -> Held | None:
        return await self.post.carry(one)

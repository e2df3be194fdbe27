"""Updates by webhook: Telegram posts each to us, and posts it again until we say 200, which we do when it is taken.

Telegram posts what belongs to one chat one after the other, so the order of arrival is the order in a chat. TLS is the
business of the proxy in front of us. Several programs on one log may listen, each at a port of its own behind that
proxy; one of them tells Telegram where, and sees to it that this stays so.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from hmac import compare_digest, digest
from http import HTTPStatus
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from aiohttp import web
from telegram import Bot
from telegram.error import BadRequest, InvalidToken, TelegramError

from adapters import metrics
from adapters.config import NotConfigured
from adapters.telegram.wire import KINDS, PLATFORM, Json, Lane, Take
from events.log import LogUnusable

SECRET = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105  the header's name
MOST_BYTES = 1 << 20  # of one update; Telegram's own are far smaller
FINISH_S = 1.0  # for requests under way at the end; one that is not yet here comes again
LOOK_S = 300.0  # how often we look whether the webhook is still ours
CLAIM_S = 2.0  # how soon another program sees to it when the one that did is gone
logger = logging.getLogger(__name__)


class Webhook:
    """`url` is what Telegram is told, `listen` (host:port) where we hear it, on the same path, with this `secret`.

    `ours` says whether it is for this program to tell Telegram.
    """

    def __init__(self, url: str, listen: str, secret: str, ours: Callable[[], bool] = lambda: True) -> None:
        self.url, self.at, self._ours = url, listen, ours
        self._host, _, port = listen.rpartition(":")
        self._port = int(port)
        self._secret = secret
        self._told = False  # Telegram, by us
        self._runner: web.AppRunner | None = None
        self._lanes: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # with requests under way

    async def open(self, bot: Bot, take: Take, lane: Lane) -> None:
        """Listens, then tells Telegram where. NotConfigured: the port is not to be had, or the address not taken."""
        self.bot, self.take, self.lane = bot, take, lane
        if self._runner is None:
            self._runner = await self._listening()
        if self._ours():
            await self._set()

    async def listen(self) -> None:
        """Until cancelled. InvalidToken: Telegram knows the token no more."""
        looked_at = asyncio.get_running_loop().time()
        while True:
            await asyncio.sleep(min(CLAIM_S, LOOK_S))
            now = asyncio.get_running_loop().time()
            if not self._is_ours() or (self._told and now < looked_at + LOOK_S):
                continue
            looked_at = now
            try:
                await (self._look() if self._told else self._set())
            except InvalidToken:
                raise
            except TelegramError as error:
                logger.warning("Telegram cannot be asked for its webhook: %s", error.message)
                metrics.retried(PLATFORM, "platform")

    async def close(self) -> None:
        """What was accepted is finished. The webhook stays: what comes now waits at Telegram."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def _listening(self) -> web.AppRunner:
        app = web.Application(client_max_size=MOST_BYTES)
        app.router.add_post(urlsplit(self.url).path or "/", self._posted)
        app.router.add_get("/healthz", _healthy)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=FINISH_S)
        await runner.setup()
        try:
            await web.TCPSite(runner, self._host.strip("[]"), self._port).start()
        except (OSError, UnicodeError) as error:  # a host whose name cannot be one is a UnicodeError
            await runner.cleanup()
            why = getattr(error, "strerror", None) or "there is no such host"
            raise NotConfigured(f"telegram.webhook_listen: nobody can listen at {self.at}: {why}") from None
        return runner

    def _is_ours(self) -> bool:
        try:
            ours = self._ours()
        except LogUnusable:
            ours = False
        self._told = self._told and ours  # who comes back tells it again: others may have told something else
        return ours

    async def _set(self) -> None:
        try:
            await self.bot.set_webhook(self.url, allowed_updates=KINDS, secret_token=self._secret)
        except BadRequest as error:
            raise NotConfigured(f"telegram.webhook_url: Telegram will not have it: {error.message}") from None
        self._told = True

    async def _look(self) -> None:
        """Another program that took the webhook away would leave us deaf without a word."""
        info = await self.bot.get_webhook_info()
        metrics.in_contact(PLATFORM)
        if info.url != self.url:
            logger.warning("Another program has changed this bot's webhook; setting it again")
            await self._set()
        elif info.last_error_message:
            logger.warning("Telegram could not reach the webhook: %s", info.last_error_message)

    async def _posted(self, request: web.Request) -> web.Response:
        given = request.headers.get(SECRET, "").encode(errors="surrogateescape")
        if not compare_digest(given, self._secret.encode()):
            raise web.HTTPForbidden
        update = await _update_in(request)
        metrics.in_contact(PLATFORM)
        try:
            async with self._lanes.setdefault(self.lane(update), asyncio.Lock()):
                await self.take(update)
        except LogUnusable as error:
            logger.warning("The log cannot be written; Telegram brings update %s again: %s", update["update_id"], error)
            metrics.retried(PLATFORM, "log")
            return web.Response(status=HTTPStatus.INTERNAL_SERVER_ERROR)
        return web.Response()


def secret_of(token: str, url: str) -> str:
    """The secret where none is configured: the same for all programs of a bot, and nobody's who has not its token."""
    return digest(token.encode(), f"webhook {url}".encode(), "sha256").hex()


async def _update_in(request: web.Request) -> Json:
    try:
        update = await request.json()
    except (ValueError, LookupError, RecursionError):  # no JSON, no text, an unknown charset, nested too deep
        raise web.HTTPBadRequest from None
    if not isinstance(update, dict) or not isinstance(update.get("update_id"), int):
        raise web.HTTPBadRequest
    return update


async def _healthy(_request: web.Request) -> web.Response:
    return web.Response(text="ok")

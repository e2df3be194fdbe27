"""What is new, from the homeserver: asked for again and again, with our own token, whatever goes wrong on the way.

The token moves on when the bot says so. nio moves its own before anybody has read what came, so it is not used.
"""

from __future__ import annotations

import asyncio
import logging

from aiohttp import ClientError
from nio import AsyncClient, LocalProtocolError, SyncError, SyncResponse  # type: ignore[import-untyped]

from adapters import metrics
from adapters.config import NotConfigured
from adapters.matrix.device import LONGEST_WAIT_S, NO_LONGER_KNOWN, Client, upload_keys
from adapters.matrix.timeline import FILTER
from adapters.matrix.wire import PLATFORM

FIRST_WAIT_S = 0.2
FULL_S = 300.0  # nio would wait for the first answer without an end
MOST_TRIES = 3  # of an answer that nio cannot work with
logger = logging.getLogger(__name__)


class Sync:
    """`token` is up to where everything was taken; none at the very first start."""

    def __init__(self, client: Client, token: str | None) -> None:
        self.client, self.token = client, token
        self._full = True  # or nio would know no room after a restart
        self._failures = 0

    async def news(self, wait_s: float) -> SyncResponse:
        """What is new behind `token`, or nothing after so many seconds. NotConfigured: we are logged out."""
        while True:
            try:
                answer = await self._ask(wait_s)
                if isinstance(answer, SyncResponse):
                    self._full, self._failures = False, 0
                    metrics.in_contact(PLATFORM)
                    return answer
                self._refused(answer)
            except (ClientError, TimeoutError) as error:
                logger.warning("The homeserver cannot be asked for news: %s", str(error) or type(error).__name__)
            except NotConfigured:
                raise
            except Exception:
                logger.exception("What the homeserver sent cannot be worked with")
                self._leave_behind()
            self._failures += 1
            await asyncio.sleep(min(FIRST_WAIT_S * 2**self._failures, LONGEST_WAIT_S))

    async def _ask(self, wait_s: float) -> SyncResponse | SyncError:
        if not self._full:
            return await self.client.sync(int(wait_s * 1000), FILTER, self.token)
        async with asyncio.timeout(FULL_S):
            return await self.client.sync(1, FILTER, self.token, full_state=True)

    def _refused(self, answer: SyncError) -> None:
        if answer.status_code in NO_LONGER_KNOWN:
            raise NotConfigured(f"The homeserver has logged the bot out: {answer.message}.")
        logger.warning("The homeserver refuses to say what is new: %s", answer.status_code or answer.message)
        if self._full and self.token is not None and answer.status_code in ("M_UNKNOWN", "M_INVALID_PARAM"):
            logger.error("The homeserver does not know our place any more; what was said meanwhile is left out")
            self.token = None

    def _leave_behind(self) -> None:
        """One answer that breaks us is left behind in the end, or nothing would ever come after it."""
        if self._failures >= MOST_TRIES and self.client.next_batch:
            self.token = self.client.next_batch


async def keep_keys(client: Client) -> None:
    """What encryption needs after each sync, and nio's `sync` leaves undone: our keys there, others' keys here."""
    try:
        if client.should_upload_keys and not client.deaf:
            await upload_keys(client)
        if client.should_query_keys:
            await client.keys_query()
        if client.should_claim_keys:
            await client.keys_claim(client.get_users_for_key_claiming())
        await AsyncClient.send_to_device_messages(client)
    except (ClientError, TimeoutError, LocalProtocolError) as error:
        logger.warning("Keys could not be exchanged: %s", error)

"""Updates by long polling: asked for in batches, each confirmed by asking for what comes after it."""

from __future__ import annotations

import asyncio
import logging
from typing import cast

from telegram import Bot
from telegram.error import Conflict, EndPointNotFound, InvalidToken, TelegramError

from adapters import metrics
from adapters.telegram.patience import Patience
from adapters.telegram.wire import KINDS, PLATFORM, Json, Lane, Take
from events.log import LogUnusable

POLL_S = 50
READ_S = POLL_S + 5.0
logger = logging.getLogger(__name__)


class Polling:
    """What is of different tables is taken at once. A batch that was cut short comes again, and meets the inbox."""

    def __init__(self) -> None:
        self._next = 0

    async def open(self, bot: Bot, take: Take, lane: Lane) -> None:
        """From now on updates wait to be asked for; those that a webhook has left come too."""
        self.bot, self.take, self.lane = bot, take, lane
        await bot.delete_webhook()

    async def listen(self) -> None:
        """Until cancelled. InvalidToken: Telegram knows the token no more."""
        patience = Patience()
        while True:
            try:
                batch = await self._asked()
            except (InvalidToken, EndPointNotFound) as error:
                raise InvalidToken from error
            except TelegramError as error:
                if isinstance(error, Conflict):
                    logger.warning("Another program asks for this bot's updates, or has set a webhook")
                await patience.after(error)
                continue
            patience = Patience()
            metrics.in_contact(PLATFORM)
            await asyncio.gather(*map(self._take_lane, self._lanes(batch)))
            self._next = max([self._next, *(update["update_id"] + 1 for update in batch)])

    async def close(self) -> None:
        """Nothing is held open."""

    async def _asked(self) -> list[Json]:
        """As they are, since `Bot.get_updates` gives up a whole batch for one that it cannot read.

        Telegram's methods go by any case; under its own name python-telegram-bot would send us back to get_updates.
        """
        asked = {"offset": self._next, "timeout": POLL_S, "allowed_updates": KINDS}
        return cast(list[Json], await self.bot.do_api_request("GetUpdates", asked, read_timeout=READ_S))

    def _lanes(self, batch: list[Json]) -> list[list[Json]]:
        lanes: dict[str, list[Json]] = {}
        for update in batch:
            lanes.setdefault(self.lane(update), []).append(update)
        return list(lanes.values())

    async def _take_lane(self, updates: list[Json]) -> None:
        for update in updates:
            await self._until_taken(update)

    async def _until_taken(self, update: Json) -> None:
        patience = Patience()
        while True:
            try:
                return await self.take(update)
            except LogUnusable as error:
                logger.warning("The log cannot be written; trying again: %s", error)
                await patience.after(error)

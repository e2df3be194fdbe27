"""What whoever presses a button is told there, and which buttons go. The command behind it has gone its usual way."""

from __future__ import annotations

import asyncio
import logging

from telegram import CallbackQuery
from telegram.error import TelegramError

from adapters.telegram.wire import PLATFORM
from core.app import App
from core.messages import Answer

MOST_NOTICE = 200  # characters of what is shown to whoever pressed a button
logger = logging.getLogger(__name__)


class Presses:
    """Answers to presses. They are on their way while the next update is read: nobody waits for Telegram's word."""

    def __init__(self, app: App) -> None:
        self.app = app
        self._telling: set[asyncio.Task[None]] = set()

    def answer(self, query: CallbackQuery, answers: list[Answer]) -> None:
        """A refusal is for whoever pressed alone; after a choice that was made its buttons go."""
        error = next((one.error[1] for one in answers if one.error), None)
        refused = {one.key for one in answers if one.error}
        for letter in [one.id for one in self.app.log.pending(PLATFORM) if one.key in refused]:
            self.app.log.sent(letter)
        task = asyncio.create_task(_tell(query, error))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def told(self) -> None:
        """When every press so far is answered."""
        await asyncio.gather(*self._telling)


async def _tell(query: CallbackQuery, error: str | None) -> None:
    try:
        await query.answer(error and error[:MOST_NOTICE], show_alert=error is not None)
        if error is None:
            await query.edit_message_reply_markup(None)
    except TelegramError as failed:
        logger.info("A button was not answered: %s", failed.message)

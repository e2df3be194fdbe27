"""What whoever presses a button is told there, and which buttons go. The command behind it has gone its usual way."""

from __future__ import annotations

from functools import partial

from telegram import CallbackQuery

from adapters.telegram.errands import Errands
from adapters.telegram.wire import PLATFORM
from core.app import App
from core.messages import Answer

MOST_NOTICE = 200  # characters of what is shown to whoever pressed a button


class Presses:
    """Answers to presses."""

    def __init__(self, app: App, errands: Errands) -> None:
        self.app, self.errands = app, errands

    def answer(self, query: CallbackQuery, answers: list[Answer]) -> None:
        """A refusal is for whoever pressed alone; after a choice that was made its buttons go."""
        error = next((one.error[1] for one in answers if one.error), None)
        refused = {one.key for one in answers if one.error}
        for letter in [one.id for one in self.app.log.pending(PLATFORM) if one.key in refused]:
            self.app.log.sent(letter)
        self.errands.run(partial(_tell, query, error), "A button was not answered")


async def _tell(query: CallbackQuery, error: str | None) -> None:
    await query.answer(error and error[:MOST_NOTICE], show_alert=error is not None)
    if error is None:
        await query.edit_message_reply_markup(None)

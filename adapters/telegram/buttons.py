"""What whoever presses a button is told there, and which buttons go. The command behind it has gone its usual way."""

from __future__ import annotations

from functools import partial

from telegram import CallbackQuery, Message

from adapters.telegram import wire
from adapters.telegram.errands import Errands
from adapters.telegram.wire import PLATFORM, Sent
from core.app import App
from core.messages import Answer

MOST_NOTICE = 200  # characters of what is shown to whoever pressed a button


class Presses:
    """Answers to presses, every one: a button that is not answered seems to hang."""

    def __init__(self, app: App, errands: Errands) -> None:
        self.app, self.errands = app, errands

    def sent(self, letter: int) -> Sent | None:
        """The letter with this id, and what the log knows of it."""
        one = self.app.log.letter(letter)
        receipt = self.app.log.receipt(one.key) if one else None
        if one is None or receipt is None:
            return None
        return Sent(one, receipt.table, self.app.choice_of(one.key) if one.letter.choices else None)

    def answer(self, query: CallbackQuery, answers: list[Answer], chat: str = "") -> None:
        """A refusal is for whoever pressed alone. Buttons that are used up go; `chat` is where they are."""
        error = next((one.error[1] for one in answers if one.error), None)
        refused = {one.key for one in answers if one.error}
        for letter in [one.id for one in self.app.log.pending(PLATFORM) if one.key in refused]:
            self.app.log.sent(letter)
        self.errands.run(partial(_tell, query, error), "A button was not answered")
        if answers and error is None and not self._stays(query, answers, chat):
            self.errands.run(partial(_take_away, query), "A button did not go")

    def _stays(self, query: CallbackQuery, answers: list[Answer], chat: str) -> bool:
        """A button under a roll stays if what it led to offers the very same once more."""
        data = query.data or ""
        offer = wire.offered(data, wire.behind(data, chat, self.sent))
        return offer is not None and any(offer in letter.offers for one in answers for letter in one.letters)


async def _tell(query: CallbackQuery, error: str | None) -> None:
    await query.answer(error and error[:MOST_NOTICE], show_alert=error is not None)


async def _take_away(query: CallbackQuery) -> None:
    data, message = query.data or "", query.message
    markup = message.reply_markup if isinstance(message, Message) else None
    await query.edit_message_reply_markup(wire.without(markup, data))

"""Each update into the log: it is taken when what it led to is there. Then buttons, menus and notices are seen to."""

from __future__ import annotations

import logging

from telegram import Bot, Chat, ChatMember, ChatMemberUpdated, Update

from adapters.inbox import Inbox, said
from adapters.sharing import Sharing
from adapters.telegram import wire
from adapters.telegram.admission import Admission
from adapters.telegram.buttons import Presses
from adapters.telegram.errands import Errands
from adapters.telegram.menu import Menus
from adapters.telegram.notices import Notices
from adapters.telegram.wire import PLATFORM, Json
from core.messages import Answer
from events.beside import MessageKey
from events.log import LogUnusable

ABSENT = (ChatMember.LEFT, ChatMember.BANNED)
logger = logging.getLogger(__name__)


class Hearing:
    """`take` is what `Polling` and `Webhook` hand updates to, in the order of each `lane`."""

    def __init__(
        self, bot: Bot, inbox: Inbox, sharing: Sharing, notices: Notices, errands: Errands, admission: Admission
    ) -> None:
        self.bot, self.inbox, self.sharing, self.notices, self.admission = bot, inbox, sharing, notices, admission
        self.log = inbox.app.log
        self.presses, self.menus = Presses(inbox.app, errands), Menus(inbox.app, bot, errands)

    def lane(self, update: Json) -> str:
        """The chats of one table are one lane: what is said in one of them may be about what was said in another."""
        chat = wire.chat_in(update)
        try:
            return self.log.table_of(PLATFORM, chat) or chat
        except LogUnusable:  # told when the update is taken
            return chat

    async def take(self, raw: Json) -> None:
        """An update into the log. LogUnusable: it must come again. What breaks us is left behind: others wait."""
        try:
            update = Update.de_json(raw, self.bot)
        except Exception as error:  # a library that meets what it does not expect raises whatever comes of it
            return logger.warning("Update %s cannot be read: %s", raw["update_id"], type(error).__name__)
        try:
            await self._read(update)
        except LogUnusable:
            raise
        except Exception:
            logger.exception("Update %s was not understood", update.update_id)

    async def _read(self, update: Update) -> None:
        if not self.admission.admits(update):
            return
        if update.my_chat_member:
            self._came(update.my_chat_member)
        if moved := wire.moved(update.message):
            self.log.move(PLATFORM, *moved)
        inbox = self.inbox
        if edited := wire.edited(update, inbox.person):
            async with self.sharing.turn(edited.key.chat):
                inbox.edited(edited)
        incoming = wire.incoming(update, self.bot.username, inbox.person, self.presses.sent, inbox.late_before)
        if incoming is None or self._before_us(update):
            self._answer_press(update, [])
            return
        self.sharing.reachable(incoming.key.chat)
        self._wrote(update.effective_chat)
        async with self.sharing.turn(incoming.key.chat):
            answers = await inbox.hearing(incoming)
        if any(map(said, answers)):  # or else it may be of somebody who was just forgotten
            self._wrote(update.effective_chat)  # of somebody who is another person from now on, too
        self._answer_press(update, answers, incoming.key.chat)
        self._look_round(update, incoming.key, answers)

    def _answer_press(self, update: Update, answers: list[Answer], chat: str = "") -> None:
        if update.callback_query:
            self.presses.answer(update.callback_query, answers, chat)

    def _wrote(self, chat: Chat | None) -> None:
        """By this account somebody who has several is written to, until another of them writes in private."""
        if chat is not None and chat.type == "private":
            name, account = wire.private(self.inbox.person(str(chat.id))), str(chat.id)
            if self.log.bookmark(name) != account:
                self.log.set_bookmark(name, account)

    def _look_round(self, update: Update, key: MessageKey, answers: list[Answer]) -> None:
        """What the chat may need to be given or told now."""
        if any(map(said, answers)) and update.effective_chat:
            self.menus.look(key, update.effective_chat.id)
        if any(one.events for one in answers if said(one)):
            self.notices.look_for_anonymous_gm(key.chat)

    def _came(self, change: ChatMemberUpdated) -> None:
        if change.old_chat_member.status in ABSENT and change.new_chat_member.status not in ABSENT:
            self.log.set_bookmark(self._joined(change.chat), str(change.date.timestamp()))

    def _before_us(self, update: Update) -> bool:
        if update.message is None:
            return False
        came = self.log.bookmark(self._joined(update.message.chat))
        return came is not None and update.message.date.timestamp() < float(came)

    def _joined(self, chat: Chat) -> str:
        """The bookmark of when we came to a chat; what was written there before is not ours to answer."""
        return f"{PLATFORM}:joined:{wire.chat_named(chat, self.inbox.person)}"

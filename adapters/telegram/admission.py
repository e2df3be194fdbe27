"""Which chats are served where `telegram.allow` names some: these, and what the people in it have vouched for.

Here: looked at before anything else, so that of a chat that is not served nothing is kept, not even an account. It is
told so once; a group is left then. Never: what is heard in a chat that is served.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial

from telegram import Bot, Chat, ChatMember, Update, User

from adapters.telegram import wire, words
from adapters.telegram.errands import Errand, Errands
from adapters.telegram.wire import PLATFORM
from core.app import App
from core.language import Phrase, say
from events.beside import Account

VOUCHED = f"{PLATFORM}:vouched:"  # the bookmark of a group for which somebody stands who is named in the list
MOST_TOLD = 10_000  # strangers and their groups that are remembered as told
logger = logging.getLogger(__name__)


class Admission:
    """`allow` names people and groups, by number or `@name`; none: everybody is served."""

    def __init__(self, app: App, bot: Bot, errands: Errands, allow: Sequence[str]) -> None:
        self.app, self.log, self.bot, self.errands = app, app.log, bot, errands
        self._allow = {one.removeprefix("@").casefold() for one in allow}
        self._told: dict[int, None] = {}

    def admits(self, update: Update) -> bool:
        """Whether this update is of a chat that is served. LogUnusable: it cannot be told."""
        chat, user = update.effective_chat, update.effective_user
        if not self._allow or chat is None:
            return True
        served = self._private(chat) if chat.type == Chat.PRIVATE else self._group(chat, user, update)
        if not served:
            self._decline(chat, update)
        return served

    def moved(self, old: str, new: str) -> None:
        """A group has become a supergroup, and is served as it was."""
        if self._stands(old):
            self._vouch(new)

    def _private(self, chat: Chat) -> bool:
        """Who plays in a group that is served may write in private: secrets have to reach them."""
        return self._listed(chat) or self.log.known(Account(PLATFORM, str(chat.id))) is not None

    def _group(self, chat: Chat, user: User | None, update: Update) -> bool:
        old, new = wire.moved(update.message) or (None, None)  # the same group; whichever of the two is read first
        if not (self._stands(str(chat.id)) or self._listed(chat) or (old and self._stands(old))):
            if not self._listed(user):
                return False
            self._vouch(str(chat.id))
        if new:
            self._vouch(new)
        return True

    def _stands(self, group: str) -> bool:
        """Its number is named, or somebody has vouched for it."""
        return group in self._allow or self.log.bookmark(VOUCHED + group) is not None

    def _vouch(self, group: str) -> None:
        self.log.set_bookmark(VOUCHED + group, "yes")

    def _listed(self, one: Chat | User | None) -> bool:
        return one is not None and not self._allow.isdisjoint((str(one.id), (one.username or "").casefold()))

    def _decline(self, chat: Chat, update: Update) -> None:
        """Said once, and again to who brings us back. Nothing goes through the outbox: of this chat nothing is kept."""
        if _gone(update):
            self._told.pop(chat.id, None)
            return
        if chat.id in self._told:
            return
        self._told[chat.id] = None
        while len(self._told) > MOST_TOLD:
            del self._told[next(iter(self._told))]
        logger.info("A chat was declined: telegram.allow does not name it")
        if chat.type == Chat.PRIVATE:
            self._run(partial(self._say, chat, words.NOT_SERVED))
        elif chat.type != Chat.CHANNEL:
            self._run(partial(self._leave, chat))

    def _run(self, errand: Errand) -> None:
        self.errands.run(errand, "A chat was not told that it is not served")

    async def _say(self, chat: Chat, phrase: Phrase) -> None:
        await self.bot.send_message(chat.id, say(phrase, self.app.language, {}))

    async def _leave(self, chat: Chat) -> None:
        await self._say(chat, words.GROUP_NOT_SERVED)
        await self.bot.leave_chat(chat.id)


def _gone(update: Update) -> bool:
    """Whether the bot is no longer in this chat."""
    change = update.my_chat_member
    return change is not None and change.new_chat_member.status in (ChatMember.LEFT, ChatMember.BANNED)

"""The list of commands behind Telegram's `/` button, in each language, from the verb table: everybody's, and a chat's
own with the verbs of the rule system that is played there."""

from __future__ import annotations

from functools import partial
from hashlib import sha256

from telegram import Bot, BotCommand, BotCommandScopeChat

from adapters.telegram.errands import Errands
from adapters.telegram.wire import PLATFORM
from core.app import App
from core.language import Language, say
from core.vocabulary import verb_table
from events.beside import MessageKey

SPOKEN: dict[str, Language] = {"": "en", "zh": "zh"}  # Telegram's code -> ours; the empty one is everybody else's
MOST_COMMANDS, MOST_SAID = 100, 256


def commands(speech: Language, *systems: str) -> list[BotCommand]:
    """The verbs that every table has, then those of these systems; as many as Telegram takes.

    It takes Latin names alone, so a Chinese menu explains those.
    """
    verbs = {verb.name: verb for system in ("", *systems) for verb in verb_table(system).verbs}
    return [BotCommand(name, say(verb.says, speech, {})[:MOST_SAID]) for name, verb in verbs.items()][:MOST_COMMANDS]


async def show(bot: Bot) -> None:
    """Give Telegram everybody's menus. Doing it again changes nothing."""
    for code, speech in SPOKEN.items():
        await bot.set_my_commands(commands(speech), language_code=code or None)


class Menus:
    """The menus of chats. Telegram is asked again only when a chat plays something else, or our verbs are others."""

    def __init__(self, app: App, bot: Bot, errands: Errands) -> None:
        self.app, self.bot, self.errands = app, bot, errands
        self._asked: dict[str, str] = {}

    def look(self, key: MessageKey, chat: int) -> None:
        """After a command in this chat: give it the menu of the table that is open there now."""
        table = self.app.table_at(key)
        if table is None:
            return
        home, _, topic = key.chat.partition("/")
        name = f"{PLATFORM}:menu:{home}"
        before = self._asked.get(name) or self.app.log.bookmark(name) or ""
        played = {table.play.system} | (_systems(before) if topic else set())  # the topics of a chat share its menu
        wanted = f"{'+'.join(sorted(played))} {_digest(*sorted(played))}"
        if wanted != before:
            self._asked[name] = wanted
            self.errands.run(partial(self._show, name, wanted, chat), "A chat did not get its menu")

    async def _show(self, name: str, wanted: str, chat: int) -> None:
        for code, speech in SPOKEN.items():
            shown = commands(speech, *sorted(_systems(wanted)))
            await self.bot.set_my_commands(shown, BotCommandScopeChat(chat), language_code=code or None)
        self.app.log.set_bookmark(name, wanted)


def _systems(bookmark: str) -> set[str]:
    return set(filter(None, bookmark.partition(" ")[0].split("+")))


def _digest(*systems: str) -> str:
    """Tells one list of commands from another."""
    listed = [(one.command, one.description) for speech in SPOKEN.values() for one in commands(speech, *systems)]
    return sha256(repr(listed).encode()).hexdigest()[:12]

"""The list of commands behind Telegram's `/` button, in each language, from the verb table."""

from __future__ import annotations

from telegram import Bot, BotCommand

from core.language import Language, say
from core.vocabulary import verb_table

SPOKEN: dict[str, Language] = {"": "en", "zh": "zh"}  # Telegram's code -> ours; the empty one is everybody else's
MOST_SAID = 256


def commands(speech: Language) -> list[BotCommand]:
    """The verbs that every table has. Telegram takes Latin names alone, so a Chinese menu explains those."""
    return [BotCommand(verb.name, say(verb.says, speech, {})[:MOST_SAID]) for verb in verb_table("").verbs]


async def show(bot: Bot) -> None:
    """Give Telegram the menus. Doing it again changes nothing."""
    for code, speech in SPOKEN.items():
        await bot.set_my_commands(commands(speech), language_code=code or None)

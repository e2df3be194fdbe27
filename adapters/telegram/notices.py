"""What the bot has to say of its own, in the language of the table, each of it once."""

from __future__ import annotations

from adapters.telegram import words
from adapters.telegram.wire import PLATFORM
from core.app import App
from core.language import Phrase, language, say
from events.beside import TABLE, Beside, Letter, MessageKey, Receipt
from events.log import SeenBefore


class Notices:
    """Sentences of words.py for a chat. They go out from the outbox, so none is lost."""

    def __init__(self, app: App) -> None:
        self.app = app

    def worded(self, phrase: Phrase, key: MessageKey, **facts: str) -> str:
        table = self.app.table_at(key)
        speech = language(table.play.language) if table else self.app.language
        return say(phrase, speech, {}).format(**facts)

    def post(self, phrase: Phrase, key: MessageKey, **facts: str) -> None:
        """Say it in the key's chat; under the same key it is said once."""
        told = Receipt("", 1, 0, None, (Letter(TABLE, self.worded(phrase, key, **facts)),))
        try:
            self.app.post(Beside(key=key, receipt=told))
        except SeenBefore:
            return

    def look_for_anonymous_gm(self, chat: str) -> None:
        """Anonymous admins are all one person to us, whom nothing secret can reach: better to know it as the GM."""
        key = MessageKey(PLATFORM, chat, "")
        table = self.app.table_at(key)
        if table is not None and self.is_anonymous(gm := table.play.gm):
            key = MessageKey(PLATFORM, chat, f"anonymous-{table.id}")
            self.post(words.ANONYMOUS_GM, key, name=self.app.name(gm))

    def is_anonymous(self, person: str) -> bool:
        """Whether somebody has been here as an admin whom Telegram does not name, and as nobody else."""
        accounts = [one.id for one in self.app.log.accounts(person) if one.platform == PLATFORM]
        return bool(accounts) and all(one.startswith("-") for one in accounts)

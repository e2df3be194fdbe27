"""What the bot has to say of its own on Telegram alone: that nobody can be reached as an anonymous admin."""

from __future__ import annotations

from adapters import notices
from adapters.telegram import words
from adapters.telegram.wire import PLATFORM
from events.beside import MessageKey


class Notices(notices.Notices):
    """Sentences of words.py for a chat."""

    def look_for_anonymous_gm(self, chat: str) -> None:
        """Anonymous admins are all one person to us, whom nothing secret can reach: better to know it as the GM."""
        key = MessageKey(PLATFORM, chat, "")
        table = self.app.table_at(key)
        if table is not None and self.is_anonymous(gm := table.play.gm):
            key = MessageKey(PLATFORM, chat, f"anonymous-{table.id}")
            self.post(words.ANONYMOUS_GM, key, name=self.app.name(gm))

    def is_anonymous(self, person: str) -> bool:
        """Whether somebody has been here as an admin whom Telegram does not name, and as nobody else."""
        accounts = self.app.accounts(person, PLATFORM)
        return bool(accounts) and all(one.startswith("-") for one in accounts)

"""What a bot has to say of its own, in the language of the table, each of it once.

Here: what every chat shares. Never: the sentences (each adapter's `words.py`), or when they are said.
"""

from __future__ import annotations

from contextlib import suppress

from core.app import App
from core.language import Language, Phrase, language, say
from events.beside import TABLE, Beside, Letter, MessageKey, Receipt
from events.log import SeenBefore


class Notices:
    """Sentences for a chat. They go out from the outbox, so none is lost."""

    def __init__(self, app: App) -> None:
        self.app = app

    def speech(self, key: MessageKey) -> Language:
        """What is spoken in the key's chat."""
        table = self.app.table_at(key)
        return language(table.play.language) if table else self.app.language

    def worded(self, phrase: Phrase, key: MessageKey, **facts: str) -> str:
        return say(phrase, self.speech(key), {}).format(**facts)

    def post(self, phrase: Phrase, key: MessageKey, **facts: str) -> None:
        """Say it in the key's chat; under the same key it is said once."""
        told = Receipt("", 1, 0, None, (Letter(TABLE, self.worded(phrase, key, **facts)),))
        with suppress(SeenBefore):
            self.app.post(Beside(key=key, receipt=told))

"""The table's talk as it comes in: what is said, edited, deleted, and which of it is kept.

Here: messages -> Outcomes, all but the append. Never: a sentence, an answer (nobody is answered for talking), a
platform. What is kept of a message hangs on its inbox key, so a message is one line, however often it comes.
"""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from core.evolve import Table, TalkLog
from core.grammar import spoken
from core.grammar.verb import Command
from core.language import line, say
from core.messages import Deleted, Edited, Incoming
from core.refusal import Refusal
from core.table import verbs as v
from core.tables import Outcome, Tables
from core.vocabulary import phrase_book
from events.beside import MessageKey, Said, Standing

SLACK_S = 2  # between the platform's clock and ours


class Talk:
    """See `core.tables.Tables` for what it is given."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.log = tables, tables.log
        self._began = tables.clock()

    def check(self, command: Command, incoming: Incoming) -> None:
        """Refused: to keep the talk of a chat in which there is nobody else."""
        if isinstance(command, v.KeepTalk | v.OpenLog) and incoming.private:
            raise Refusal("not_allowed", "private_log")

    def said(self, incoming: Incoming, standing: Standing) -> Outcome | None:
        """A line of the table that is open in this chat; None where it is not kept."""
        found = self._running(incoming, self.tables.open_at(standing))
        if found is None:
            return None
        table, log = found
        text = self._text(incoming, table)
        if not text or self._unasked(log, incoming):
            return None
        return self._kept(v.Speak(text=text), incoming, table)

    def keeps(self, incoming: Incoming) -> bool:
        """Whether talk is kept where this message stands."""
        return self._running(incoming, self.tables.at(incoming.key)) is not None

    def _running(self, incoming: Incoming, table: Table | None) -> tuple[Table, TalkLog] | None:
        """The table that is open there and the log that is being kept of its talk."""
        log = table.ledger.log if table else None
        if table is None or log is None or log.status != "running" or incoming.private:
            return None
        return table, log

    def _unasked(self, log: TalkLog, incoming: Incoming) -> bool:
        """Whether it was said before anybody asked for the log, and comes again after a crash.

        Two clocks are compared, so only where there was one, and not to the second.
        """
        if incoming.sent_at is None or self._began <= log.since:
            return False
        return incoming.sent_at + SLACK_S < datetime.fromisoformat(log.since).timestamp()

    def edited(self, edited: Edited) -> Outcome | None:
        """A line that reads otherwise now. None: it was never kept, is another's, gone, or reads so already."""
        if (found := self._line(edited.key)) is None:
            return None
        table, latest = found
        text = self._text(edited, table)
        if not text or latest.person != edited.person or latest.text == text:
            return None
        command = v.EditLine(line=latest.line, text=text)
        return self._kept(command, self._incoming(edited.change, edited.person), table)

    def deleted(self, deleted: Deleted) -> Outcome | None:
        """A line whose message was deleted, by whomever the platform let. None: it was never kept, or is gone."""
        found = self._line(deleted.key)
        if found is None:
            return None
        table, latest = found
        command = v.DeleteLine(line=latest.line)
        return self._kept(command, self._incoming(deletion_of(deleted.key), deleted.person), table)

    def _text(self, message: Incoming | Edited, table: Table) -> str:
        """What is kept of a message: its words, or a mark for what it shows without any; empty: nothing."""
        if (text := spoken.kept(message.text)) or not message.shown:
            return text
        return say(line(f"shown.{message.shown}"), self.tables.speech(table, ""), phrase_book(""))

    def _line(self, key: MessageKey) -> tuple[Table, Said] | None:
        """The table of a line and how it reads now; None where this message is no line, or none any more."""
        seen = self.log.receipt(key)
        if seen is None or seen.last < seen.first or self.log.receipt(deletion_of(key)):
            return None
        versions = self.log.versions(seen.table, seen.first)
        return (self.tables.table(seen.table), versions[-1]) if versions else None

    def _incoming(self, key: MessageKey, person: str) -> Incoming:
        return Incoming(key=key, person=person, name="", text="")

    def _kept(self, command: Command, incoming: Incoming, table: Table) -> Outcome:
        """No letter goes out of it, in this chat or in another."""
        outcome = self.tables.done(command, self.tables.turn(incoming, table), incoming)
        return replace(outcome, told=lambda sign: ())


def deletion_of(key: MessageKey) -> MessageKey:
    return replace(key, message=f"{key.message}-deleted")

"""Somebody is forgotten: first they see what would go, and so do the GMs; then, confirmed with a code, it goes.

Here: what would go, who has to be asked first, the fact at every table. Never: how a log forgets (events/sqlite.py).
"""

from __future__ import annotations

from core.codes import Codes, shown
from core.evolve import Table
from core.language import line
from core.messages import Incoming
from core.people import renamed
from core.refusal import Refusal
from core.table import verbs as v
from core.table.tell import talk_kept
from core.tables import Tables, Told, title
from events.beside import TABLE, Beside, Letter, Receipt

MINUTES = 15
PURPOSE = "forget"


class Forgetting:
    """See `core.tables.Tables` for what it is given."""

    def __init__(self, tables: Tables, codes: Codes) -> None:
        self.tables, self.log, self.codes = tables, tables.log, codes

    def carry_out(self, command: v.ForgetMe, incoming: Incoming, here: Table | None) -> Told:
        """What would go, or with the code: that it is gone. Refused as long as others need this person as their GM."""
        if incoming.shared:
            raise Refusal("not_allowed", "forget_shared")
        tables = [self.tables.table(id) for id in self.log.tables()]
        for one in tables:
            if one.play.gm == incoming.person and any(player != incoming.person for player in one.play.players):
                raise Refusal("not_allowed", "forget_gm", title=title(one))
        lines = self._lines(incoming.person)
        theirs = [one for one in tables if one.id in lines or renamed(one.play, incoming.person, "") != one.play]
        if command.code:
            return self._confirmed(command.code, incoming, here, theirs, lines)
        return self._asked(incoming, here, theirs, lines)

    def _lines(self, person: str) -> dict[str, int]:
        """Table -> how many lines of this person's are kept there."""
        said = self.log.said_by(person)
        return {table: sum(one.seq == one.line for one in kept) for table, kept in said.items()}

    def _asked(self, incoming: Incoming, here: Table | None, theirs: list[Table], lines: dict[str, int]) -> Told:
        """The person is told in private, since it names tables; the GM of each of these hears what goes there."""
        voice = self.tables.voice(incoming, here)
        invitation = self.codes.invitation(MINUTES, person=incoming.person, purpose=PURPOSE)
        at = [line("forget.at", title=title(one), lines=lines[one.id]) for one in theirs if one.id in lines]
        asked = line(
            "forget.asked", name=incoming.name, accounts=len(self.log.accounts(incoming.person)),
            lines=sum(lines.values()), tables=at or line("nobody"), minutes=MINUTES, code=shown(invitation.code),
        )  # fmt: skip
        public = line("forget.sent", name=incoming.name)
        own = [Letter(TABLE, voice.say(asked))]
        if not incoming.private:
            own = [Letter(TABLE, voice.say(public)), Letter(incoming.person, voice.say(asked))]
        gms = [self._for_gm(one, incoming, lines) for one in theirs if one.play.gm != incoming.person]
        receipt = Receipt(here.id if here else "", 1, 0, None, (*own, *gms))
        return Told(receipt, Beside(invite=invitation))

    def _for_gm(self, table: Table, incoming: Incoming, lines: dict[str, int]) -> Letter:
        told = line("forget.gm", name=incoming.name, title=title(table), lines=lines.get(table.id, 0))
        return Letter(table.play.gm, self.tables.voice(incoming, table).say(told))

    def _confirmed(
        self, code: str, incoming: Incoming, here: Table | None, theirs: list[Table], lines: dict[str, int]
    ) -> Told:
        """The tables come first: said again after a crash, it goes on where it was. In a private chat nobody is left
        to be answered."""
        person = incoming.person
        self.codes.accepted(code, lambda one: (one.person, one.purpose) == (person, PURPOSE))
        for one in theirs:
            self._forgotten_at(one.id, lines.get(one.id, 0), incoming)
        voice = self.tables.voice(incoming, here)
        told = [line("forget.done", lines=sum(lines.values())), *(talk_kept(here.ledger) if here else ())]
        done = Letter(TABLE, "\n".join(map(voice.say, told)))
        receipt = Receipt(here.id if here else "", 1, 0, None, () if incoming.private else (done,))
        return Told(receipt, Beside(accept=code, forget=person))

    def _forgotten_at(self, id: str, lines: int, incoming: Incoming) -> None:
        def meant(table: Table) -> v.ForgetPerson | None:
            gone = incoming.person in table.ledger.forgotten
            return None if gone else v.ForgetPerson(person=incoming.person, lines=lines)

        self.tables.settle(id, meant, incoming)

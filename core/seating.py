"""Which table is open in which chat, and which accounts are one person: the commands that are about this alone.

Here: opening, going back, joining chats by a code, joining accounts by a code. Never: a rule, a sentence, a platform.
A code is good once and for a short time; the one of a person is told to that person alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from core.codes import Codes, shown
from core.evolve import Table
from core.forgetting import Forgetting
from core.grammar.verb import Command
from core.language import Line, line
from core.messages import Incoming
from core.people import renamed
from core.refusal import Refusal
from core.table import verbs as v
from core.table.tell import talk_kept
from core.tables import Outcome, Tables, Told, title
from events.beside import TABLE, Beside, Letter, Receipt

MINUTES = {"table": 60, "person": 15}
MOST_CHATS = 20  # in which one table is open: each is told all that happens in the others


class Seating:
    """Carries out what is about chats and accounts. See `core.tables.Tables` for what it is given."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.log, self.codes = tables, tables.log, Codes(tables)
        self.forgetting = Forgetting(tables, self.codes)

    def carries_out(self, command: Command) -> bool:
        return type(command) in SEATED

    def carry_out(self, command: Command, incoming: Incoming, here: Table | None) -> Outcome | Told:
        """`here` is the table that is open in this chat. Raises Refusal."""
        return SEATED[type(command)](self, command, incoming, here)

    # ---- tables

    def open(self, command: v.OpenTable, incoming: Incoming, here: Table | None) -> Outcome:
        """A new table in this chat; one that is open here is its GM's to replace, and not during a session."""
        self._check_free(incoming, here)
        turn = self.tables.turn(incoming, Table(f"t{self.tables.entropy(6).hex()}"))
        return self._here(self.tables.done(command, turn, incoming), incoming, here)

    def use(self, command: v.UseTable, incoming: Incoming, here: Table | None) -> Outcome | Told:
        """Back to a table of this GM's; where it is open in other chats, they are told."""
        self._check_free(incoming, here)
        table = self.tables.table(command.id) if command.id in self.log.tables() else None
        if table is None or table.play.gm != incoming.person:
            raise Refusal("not_found", "table", id=command.id)
        others = [one for one in self.log.chats(table.id) if one != _chat(incoming)]
        _check_chats(others)
        if others and (here is None or here.id != table.id):
            linking = v.JoinTable(code="", platform=incoming.key.platform)
            return self._here(self.tables.done(linking, self.tables.turn(incoming, table), incoming), incoming, here)
        text = self.tables.voice(incoming, table).say(line("table.used", title=title(table)))
        told = [text, *self._aside(incoming, table, here if here and here.id != table.id else None)]
        return self.tables.say(table, "\n".join(told), Beside(chat=_chat(incoming), former=here.id if here else None))

    def list(self, command: v.ListTables, incoming: Incoming, here: Table | None) -> Told:
        """The tables of which this person is the GM; told in a group too, since an id is of use to its GM alone."""
        own = [one for one in map(self.tables.table, self.log.tables()) if one.play.gm == incoming.person]
        voice = self.tables.voice(incoming, here)
        rows = [voice._replace(system=one.play.system).say(_listed(one)) for one in own]
        return self.tables.say(here, "\n".join([voice.say(line("table.list" if own else "table.listed_none")), *rows]))

    def link(self, command: v.LinkTable, incoming: Incoming, here: Table | None) -> Told:
        """A code for another chat to join this table; its GM's to give."""
        table = _there(here)
        self.tables.turn(incoming, table).require_gm()
        invitation = self.codes.invitation(MINUTES["table"], table=table.id)
        facts = {"title": title(table), "code": shown(invitation.code), "minutes": MINUTES["table"]}
        text = self.tables.voice(incoming, table).say(line("table.link", **facts))
        return self.tables.say(table, text, Beside(invite=invitation))

    def join(self, command: v.JoinTable, incoming: Incoming, here: Table | None) -> Outcome:
        """This chat is the table's from now on too; every chat of the table is told."""
        self._check_free(incoming, here)
        invitation = self.codes.accepted(command.code, lambda one: bool(one.table))
        if here is not None and here.id == invitation.table:
            raise Refusal("already_done", "linked", title=title(here))
        _check_chats(self.log.chats(invitation.table))
        turn = self.tables.turn(incoming, self.tables.table(invitation.table))
        outcome = self.tables.done(replace(command, platform=incoming.key.platform), turn, incoming)
        joined = self._here(outcome, incoming, here)
        return replace(joined, beside=replace(joined.beside, accept=invitation.code))

    def leave(self, command: v.LeaveTable, incoming: Incoming, here: Table | None) -> Outcome:
        """This chat is no longer the table's; the last one stays."""
        table = _there(here)
        if self.log.chats(table.id) == [_chat(incoming)]:
            raise Refusal("not_allowed", "last_chat", title=title(table))
        turn = self.tables.turn(incoming, table)
        outcome = self.tables.done(replace(command, platform=incoming.key.platform), turn, incoming)
        kept = self._kept(incoming, table, table)
        beside = replace(outcome.beside, leave=(_chat(incoming),))
        return replace(outcome, beside=beside, aside=kept)

    def leave_others(self, command: v.LeaveOthers, incoming: Incoming, here: Table | None) -> Outcome:
        """This chat is the only one of the table from now on."""
        table = _there(here)
        others = tuple(one for one in self.log.chats(table.id) if one != _chat(incoming))
        turn = self.tables.turn(incoming, table)
        turn.require_gm()
        if not others:
            raise Refusal("already_done", "alone", title=title(table))
        platforms = tuple(platform for platform, _ in others)
        outcome = self.tables.done(replace(command, platforms=platforms), turn, incoming)
        return replace(outcome, beside=replace(outcome.beside, leave=others))

    def _here(self, outcome: Outcome, incoming: Incoming, former: Table | None) -> Outcome:
        """The table of this outcome is open in this chat from now on."""
        beside = replace(outcome.beside, chat=_chat(incoming), former=former.id if former else None)
        return replace(outcome, beside=beside, aside="\n".join(self._aside(incoming, outcome.table, former)))

    def _aside(self, incoming: Incoming, table: Table, former: Table | None) -> tuple[str, ...]:
        """What a chat hears to which a table comes: how to go back to the former one, and whether its talk is kept."""
        voice = self.tables.voice(incoming, table)
        kept = (self._kept(incoming, table, former),) if former else ()
        return (*kept, *map(voice.say, () if incoming.private else talk_kept(table.ledger)))

    def _kept(self, incoming: Incoming, table: Table, former: Table) -> str:
        return self.tables.voice(incoming, table).say(line("table.former", title=title(former), id=former.id))

    def _check_free(self, incoming: Incoming, here: Table | None) -> None:
        """Whether this person may put another table in place of the one that is open here."""
        if here and (here.play.gm not in (incoming.person, *here.ledger.forgotten) or here.play.session):
            raise Refusal("not_allowed", "new_table", title=title(here), gm=self.tables.name(here.play.gm))

    # ---- people

    def link_me(self, command: v.LinkMe, incoming: Incoming, here: Table | None) -> Told:
        """A code that joins another account to this person, or the use of one."""
        if not self.log.accounts(incoming.person):
            raise Refusal("not_allowed", "no_accounts")
        if incoming.shared:
            raise Refusal("not_allowed", "shared_account")
        return self._joined(command, incoming, here) if command.code else self._invited(incoming, here)

    def _invited(self, incoming: Incoming, here: Table | None) -> Told:
        """The code goes to the person alone: whoever has it becomes this person."""
        invitation = self.codes.invitation(MINUTES["person"], person=incoming.person)
        voice = self.tables.voice(incoming, here)
        text = voice.say(line("me.link", code=shown(invitation.code), minutes=MINUTES["person"]))
        beside = Beside(invite=invitation)
        if incoming.key.chat == incoming.person:
            return self.tables.say(here, text, beside)
        public = Letter(TABLE, voice.say(line("me.link_sent", name=incoming.name)))
        table = here.id if here else ""
        return Told(Receipt(table, 1, 0, None, (public, Letter(incoming.person, text))), beside)

    def _joined(self, command: v.LinkMe, incoming: Incoming, here: Table | None) -> Told:
        """The accounts of whoever says the code are the inviting person's; at every table, too, they are one.

        Asked for twice, since nobody can take it back, and a code may come from somebody else. The tables come first:
        said again after a crash, it goes on where it was.
        """
        invitation = self.codes.accepted(command.code, lambda one: bool(one.person) and not one.purpose)
        now, was = invitation.person, incoming.person
        voice, name = self.tables.voice(incoming, here), self.tables.name(now)
        if now == was:
            raise Refusal("already_done", "same_person")
        if not command.sure:
            return self.tables.say(here, voice.say(line("me.sure", name=name, code=shown(invitation.code))))
        for id in self.log.tables():
            self._one_person(id, was, now, incoming)
        beside = Beside(accept=invitation.code, join=(was, now))
        return self.tables.say(here, voice.say(line("me.joined", name=name)), beside)

    def _one_person(self, id: str, was: str, now: str, incoming: Incoming) -> None:
        def meant(table: Table) -> v.JoinAccounts | None:
            same = renamed(table.play, was, now) == table.play
            return None if same else v.JoinAccounts(person=now, was=was)

        self.tables.settle(id, meant, incoming, lambda outcome: self._told_at(outcome, incoming))

    def _told_at(self, outcome: Outcome, incoming: Incoming) -> Beside:
        """Every chat of a table hears that two people are one there, but for the one where it is said."""
        key = replace(incoming.key, message=f"{incoming.key.message}-joined-{outcome.table.id}")
        first, last = outcome.sealed[0].seq, outcome.sealed[-1].seq
        also = self.tables.copies(outcome, _chat(incoming))
        return Beside(key=key, receipt=Receipt(outcome.table.id, first, last, None, ()), also=also)

    def forget_me(self, command: v.ForgetMe, incoming: Incoming, here: Table | None) -> Told:
        return self.forgetting.carry_out(command, incoming, here)


def _chat(incoming: Incoming) -> tuple[str, str]:
    return (incoming.key.platform, incoming.key.chat)


def _check_chats(others: Sequence[tuple[str, str]]) -> None:
    if len(others) >= MOST_CHATS:
        raise Refusal("limit_reached", "chats", limit=MOST_CHATS)


def _there(table: Table | None) -> Table:
    if table is None:
        raise Refusal("no_table", "here")
    return table


def _listed(table: Table) -> Line:
    return line("table.listed", title=title(table), system=line(f"system.{table.play.system}"), id=table.id)


SEATED: dict[type[Command], Callable[[Seating, Any, Incoming, Table | None], Outcome | Told]] = {
    v.OpenTable: Seating.open, v.UseTable: Seating.use, v.LinkTable: Seating.link, v.JoinTable: Seating.join,
    v.LeaveTable: Seating.leave, v.LeaveOthers: Seating.leave_others, v.ListTables: Seating.list,
    v.LinkMe: Seating.link_me, v.ForgetMe: Seating.forget_me,
}  # fmt: skip

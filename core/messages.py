"""What comes in from a chat and what goes back to it: plain values that every adapter shares.

Here: shapes. Never: a platform's own words, markup or limits (each adapter's `wire.py`).
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from core.language import SIGNS, Signs
from events.beside import Letter, MessageKey
from events.envelope import Envelope

Shown: TypeAlias = Literal["", "picture", "video", "voice", "audio", "file", "sticker"]


class Manner(Struct, frozen=True):
    """How a platform is spoken to: what begins a command there when English, or Chinese, is spoken; `posts`: it can be
    sent what nobody there has asked for; `private`: a chat that goes by a person's id is that person's own."""

    sign: Signs = SIGNS
    posts: bool = True
    private: bool = True


# In Matrix's usual clients `/` begins commands to the client. In a group on Telegram most bots hear nothing else.
# In a terminal nobody waits for anything.
MANNERS = {
    "matrix": Manner(sign=Signs(en="!")), "telegram": Manner(sign=Signs(zh="/")),
    "terminal": Manner(posts=False, private=False),
}  # fmt: skip


def manner(platform: str) -> Manner:
    return MANNERS.get(platform, Manner())


class Incoming(Struct, frozen=True, kw_only=True, gc=False):
    """One chat message. `person` is an opaque id, `name` what that person is called now (empty: not known).

    `prefixes` are the characters that begin a command here; `bots` the names behind `@` that mean us. `late`: it
    waited too long to be carried out. `owner`: a button was pressed, and only this person's press counts. `shared`:
    several people write under this account. `at`: a button was pressed that stands at this table. `line` is what edits
    and deletions will call this message, where that is not the key's own name for it. `sent_at`: in seconds since 1970,
    as the platform says (null: just now). `shown` is what the message shows beside its text, which is then the caption.
    """

    key: MessageKey
    person: str
    name: str
    text: str
    prefixes: str = "/!.。"
    bots: tuple[str, ...] = ()
    late: bool = False
    owner: str = ""
    shared: bool = False
    at: str = ""
    line: str = ""
    sent_at: float | None = None
    shown: Shown = ""

    @property
    def private(self) -> bool:
        """Whether nobody else is in this chat."""
        return manner(self.key.platform).private and self.key.chat == self.person


class Edited(Struct, frozen=True, kw_only=True, gc=False):
    """The message `key` was edited and reads `text` now; `edit` names this change of it, each time it is told.

    `shown` is what it shows beside its text; see Incoming.
    """

    key: MessageKey
    person: str
    text: str
    edit: str
    shown: Shown = ""

    @property
    def change(self) -> MessageKey:
        """The change as a message of its own: it is taken up once."""
        return replace(self.key, message=f"{self.key.message}-edited-{self.edit}")


class Deleted(Struct, frozen=True, kw_only=True, gc=False):
    """The message `key` was deleted, by `person`."""

    key: MessageKey
    person: str


class Answer(Struct, frozen=True, kw_only=True, gc=False):
    """What one command led to: its events, its letters, its refusal (code, sentence); `new` is false on a repeat.

    A refusal has no letters here; its sentence waits in the outbox to be sent, like any other answer. `verb` is the
    name of the verb that was called; empty for talk, an unknown verb, and on most repeats.
    """

    key: MessageKey
    table: str = ""
    events: tuple[Envelope, ...] = ()
    letters: tuple[Letter, ...] = ()
    error: tuple[str, str] | None = None
    new: bool = True
    verb: str = ""

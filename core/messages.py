"""What comes in from a chat and what goes back to it: plain values that every adapter shares.

Here: shapes. Never: a platform's own words, markup or limits (each adapter's `wire.py`).
"""

from __future__ import annotations

from msgspec import Struct

from core.language import SIGNS, Signs
from events.beside import Letter, MessageKey
from events.envelope import Envelope


class Manner(Struct, frozen=True):
    """How a platform is spoken to: what begins a command there when English, or Chinese, is spoken; `posts`: it can be
    sent what nobody there has asked for."""

    sign: Signs = SIGNS
    posts: bool = True


# In Matrix's usual clients `/` begins commands to the client. In a group on Telegram most bots hear nothing else.
# In a terminal nobody waits for anything.
MANNERS = {
    "matrix": Manner(sign=Signs(en="!")), "telegram": Manner(sign=Signs(zh="/")), "terminal": Manner(posts=False),
}  # fmt: skip


def manner(platform: str) -> Manner:
    return MANNERS.get(platform, Manner())


class Incoming(Struct, frozen=True, kw_only=True):
    """One chat message. `person` is an opaque id, `name` what that person is called now.

    `prefixes` are the characters that begin a command here; `bots` the names behind `@` that mean us. `late`: it
    waited too long to be carried out. `owner`: a button was pressed, and only this person's press counts. `shared`:
    several people write under this account. `at`: a button was pressed that stands at this table.
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


class Answer(Struct, frozen=True, kw_only=True):
    """What one command led to: its events, its letters, its refusal (code, sentence); `new` is false on a repeat.

    A refusal has no letters here; its sentence waits in the outbox to be sent, like any other answer.
    """

    key: MessageKey
    table: str = ""
    events: tuple[Envelope, ...] = ()
    letters: tuple[Letter, ...] = ()
    error: tuple[str, str] | None = None
    new: bool = True

"""What is kept beside the log: names, chats, seeds, inbox and outbox in the transaction of their events; accounts."""

from __future__ import annotations

from msgspec import Struct


class MessageKey(Struct, frozen=True):
    """A chat message: platform, chat and message id. Unique: a message is taken up once."""

    platform: str
    chat: str
    message: str


class Account(Struct, frozen=True):
    """Who somebody is on a platform. Only here: an event names a person by an opaque id."""

    platform: str
    id: str


class Letter(Struct, frozen=True):
    """One reply waiting to be sent or sent. `to` is `table` or a person's id; `choices` are (n, label)."""

    to: str
    text: str
    choices: tuple[tuple[int, str], ...] = ()


class Receipt(Struct, frozen=True):
    """What a message led to: the table ('' if none), the seqs appended (last < first: none), refusal and replies."""

    table: str
    first: int
    last: int
    error: tuple[str, str] | None
    letters: tuple[Letter, ...]


class Pending(Struct, frozen=True):
    """A letter not yet sent: its row id, the message it answers, the letter."""

    id: int
    key: MessageKey
    letter: Letter


class Beside(Struct, frozen=True, kw_only=True):
    """All that one append writes beside its events. Every part may be left out.

    `names` maps person ids to what they are called now. `chat` binds (platform, chat) to the table; `former` is the
    table that this chat had when the caller looked (null: none), and another one by now is a Conflict.
    `seed` is (period, 32 bytes) to keep, `reveal` a period whose seed is published and dropped.
    """

    names: dict[str, str] = {}
    chat: tuple[str, str] | None = None
    former: str | None = None
    seed: tuple[int, bytes] | None = None
    reveal: int | None = None
    key: MessageKey | None = None
    receipt: Receipt | None = None

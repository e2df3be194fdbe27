"""What is kept beside the log: names, chats, seeds, inbox and outbox in the transaction of their events; accounts."""

from __future__ import annotations

from msgspec import Struct

FORGOTTEN = ""  # in the place of a name
TABLE = "table"  # whom a letter is for that everybody in the chat may read


class MessageKey(Struct, frozen=True, gc=False):
    """A chat message: platform, chat and message id. Unique: a message is taken up once."""

    platform: str
    chat: str
    message: str


class Account(Struct, frozen=True, gc=False):
    """Who somebody is on a platform. Only here: an event names a person by an opaque id."""

    platform: str
    id: str


class Offer(Struct, frozen=True, gc=False):
    """A button under a letter: its sign, what it is called, the command that a press of it is, whose press counts."""

    sign: str
    label: str
    command: str
    owner: str


class Attached(Struct, frozen=True, gc=False):
    """A file that goes with a letter. Made when it is sent, from the events up to `to`, so always the same file.

    `kind` is what is made (export, replay, stats) and `form` in which form (jsonl, txt, png); `audience` for whom,
    `session` of which session alone (null: of all), `only` of whom alone (nobody named: of all), `log` of which log of
    talk alone.
    """

    kind: str
    form: str
    table: str
    to: int
    audience: str = "player"
    session: int | None = None
    only: tuple[str, ...] = ()
    log: int | None = None


class Letter(Struct, frozen=True, gc=False):
    """One reply waiting to be sent or sent. `to` is `table` or a person's id; `choices` are (n, label).

    `via` is the platform on which a person is reached, where it is not the one that is answered.
    """

    to: str
    text: str
    choices: tuple[tuple[int, str], ...] = ()
    offers: tuple[Offer, ...] = ()
    attached: Attached | None = None
    via: str = ""


class Receipt(Struct, frozen=True, gc=False):
    """What a message led to: the table ('' if none), the seqs appended (last < first: none), refusal and replies."""

    table: str
    first: int
    last: int
    error: tuple[str, str] | None
    letters: tuple[Letter, ...]


class Standing(Struct, frozen=True, gc=False):
    """What a message meets. `receipt` is what it led to before (null: nothing), `table` the one that is open in its
    chat (null: none), `seq` where that stands, `chats` every (platform, chat) that is bound to it, sorted."""

    receipt: Receipt | None
    table: str | None
    seq: int
    chats: tuple[tuple[str, str], ...]


class Parcel(Struct, frozen=True, gc=False):
    """A letter for a chat that is not the answered one: another chat of the same table."""

    platform: str
    chat: str
    letter: Letter


class Pending(Struct, frozen=True, gc=False):
    """A letter in the outbox: its row id, the message it answers, the letter, and where it goes.

    `chat` is a chat's id, or the id of the person who gets it in private. A copy of an answer has a `key` of another
    chat: there is nothing in this one that it replies to.
    """

    id: int
    key: MessageKey
    letter: Letter
    platform: str
    chat: str


class Invitation(Struct, frozen=True, gc=False):
    """A code that joins another chat to a table, or another account to a person; good once, and before `until`.

    Exactly one of `table` and `person` is given. `until` is RFC 3339, UTC. `purpose` is what it is good for where that
    is not joining: forget.
    """

    code: str
    until: str
    table: str = ""
    person: str = ""
    purpose: str = ""


class Said(Struct, frozen=True, gc=False):
    """A text whose digest is in the event `seq`; `line` is the line that it is of: the same event, or an earlier one.

    `person` is who said it, `salt` hex digits.
    """

    seq: int
    line: int
    person: str
    salt: str
    text: str


class Beside(Struct, frozen=True, kw_only=True, gc=False):
    """All that one append writes beside its events. Every part may be left out.

    `names` maps person ids to what they are called now. `chat` binds (platform, chat) to the table; `former` is the
    table that this chat had when the caller looked (null: none), and another one by now is a Conflict. `leave` are
    chats that are no longer the table's. `seed` is (period, 32 bytes) to keep, `reveal` a period whose seed is
    published and dropped. `also` are copies of the receipt's letters for other chats. `invite` is kept in place of an
    earlier invitation to the same, `accept` is the code of one that is used up. `join` is (was, now): all accounts of
    the first person belong to the second from now on, and so do private chats, letters that wait and what was said.
    `texts` are what these events' digests stand for; `drop_texts` are events of this table whose texts go. `forget` is
    a person whose name, accounts, texts and bookmarks (`…:person`) go, and of whom no letter that was sent tells any
    more; there was somebody, the names say then.
    """

    names: dict[str, str] = {}
    chat: tuple[str, str] | None = None
    former: str | None = None
    seed: tuple[int, bytes] | None = None
    reveal: int | None = None
    key: MessageKey | None = None
    receipt: Receipt | None = None
    also: tuple[Parcel, ...] = ()
    leave: tuple[tuple[str, str], ...] = ()
    invite: Invitation | None = None
    accept: str | None = None
    join: tuple[str, str] | None = None
    texts: tuple[Said, ...] = ()
    drop_texts: tuple[int, ...] = ()
    forget: str | None = None

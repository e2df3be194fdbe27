"""Matrix's events -> messages, letters -> what is sent: pure, so that it can be tested on recorded JSON.

Here: who speaks where, what is a command, markup, length, buttons, keys. Never: a connection, the log, a clock.

A chat's name in our keys is the room's id (of room version 12: without a server). A direct room goes by its person's
opaque id, so that no event and no key holds anybody's account. A message's name is its event id: `$a`; `$a|$root` in a
thread; `$a<$b` is the reaction `$b` to our message `$a`. A thread is a side talk of its room, at the same table.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from html import escape
from typing import Any
from unicodedata import normalize

from msgspec import Struct

from adapters import parting
from adapters.files import File
from core.messages import Deleted, Edited, Incoming, Shown
from events.beside import TABLE, Letter, MessageKey, Pending

PLATFORM = "matrix"
PREFIXES = "!.。"
MOST_WEIGHT = 32_000  # bytes of both bodies as JSON: encrypted they are 4/3 of it, and an event holds 65,536
WIDEST = 24  # no character weighs more
MOST_NAME = 64
MOST_BUTTONS = 9  # keycaps go from 1 to 9
LETTER = "rollbook.letter"  # which letter one of our messages is
ACCOUNT = re.compile(r"@[^\s:@]+:\S+")
MESSAGE = re.compile(r"(\$[^|<#\s]+?)(?:\|(\$[^|<#\s]+?))?(?:<\$[^|<#\s]+?)?(?:#\d+)?(?:-(?:held|instead|flood)-\w+)?")
QUOTE = re.compile(r"> (?:\* )?<@[^\n]*\n(?:>[^\n]*\n)*\n?")  # how older clients repeat what a reply answers
WRITTEN = ("m.room.message", "m.sticker")  # the events in which people write and show
SHOWN: dict[str, Shown] = {
    "m.image": "picture", "m.video": "video", "m.audio": "audio", "m.file": "file", "m.sticker": "sticker",
}  # fmt: skip
VOICE = "org.matrix.msc3245.voice"  # of a recording that was spoken for this message

Json = dict[str, Any]
Person = Callable[[str], str]  # a Matrix account -> an opaque id


class Self(Struct, frozen=True):
    """The bot: its account and what it is called."""

    account: str
    name: str = ""

    def names(self) -> tuple[str, ...]:
        """What may stand behind `@` in a command for us."""
        whole = self.account.removeprefix("@")
        return tuple(name for name in (whole, whole.partition(":")[0], self.name) if name)


class Place(Struct, frozen=True):
    """Where an event stands: its chat's name in our keys, and what its writer is called there."""

    chat: str
    name: str


class Reaction(Struct, frozen=True):
    """A sign that somebody put under a message."""

    event: str
    sender: str
    target: str
    sign: str


# ---- what comes in


def incoming(event: Json, place: Place, me: Self, person: Person, late_before: float = 0.0) -> Incoming | None:
    """A new message; None for everything else: our own, notices, edits, reactions, polls, what was redacted.

    A message sent before `late_before` (seconds since 1970) is late.
    """
    sender, content = writer(event), content_of(event)
    if sender in ("", me.account) or event.get("type") not in WRITTEN:
        return None
    said = _said(content.get("msgtype", event["type"]), content, me)
    if said is None or _relation(content).get("rel_type") == "m.replace":
        return None
    key = MessageKey(PLATFORM, place.chat, message_of(event["event_id"], thread_of(content)))
    return Incoming(
        key=key, person=person(sender), name=place.name, text=said[0], prefixes=PREFIXES,
        bots=me.names(), late=sent_at(event) < late_before, line=event["event_id"],
        sent_at=sent_at(event), shown=said[1],
    )  # fmt: skip


def edited(event: Json, place: Place, me: Self, person: Person) -> Edited | None:
    """A message that reads otherwise now; None where the event is no edit. Edits name it without its thread."""
    sender, content = writer(event), content_of(event)
    new, target = content.get("m.new_content"), _id(_relation(content).get("event_id"))
    if sender in ("", me.account) or _relation(content).get("rel_type") != "m.replace" or not isinstance(new, dict):
        return None
    if (said := _said(new.get("msgtype"), new, me)) is None or not target:
        return None
    key = MessageKey(PLATFORM, place.chat, target)
    return Edited(key=key, person=person(sender), text=said[0], edit=event["event_id"], shown=said[1])


def redacted(event: Json, place: Place, person: Person) -> Deleted | None:
    """A message that its writer, or somebody who may, took out of the room; None where the event says no such thing."""
    target = _id(content_of(event).get("redacts", event.get("redacts")))
    if event.get("type") != "m.room.redaction" or not writer(event) or not target:
        return None
    return Deleted(key=MessageKey(PLATFORM, place.chat, target), person=person(writer(event)))


def _said(kind: object, content: Json, me: Self) -> tuple[str, Shown] | None:
    """What a message says, and what it shows beside that; None: neither.

    The body of a picture is what stands below it only where its name stands elsewhere; or else it is its name.
    """
    body = content.get("body")
    if not isinstance(body, str) or not isinstance(kind, str):
        return None
    if kind in ("m.text", "m.emote"):
        text = spoken(body, content, me)
        return (f"* {text}" if kind == "m.emote" else text), ""  # as chats show what somebody does, by `/me`
    if kind not in SHOWN:
        return None
    caption = body if content.get("filename", body) != body else ""
    return spoken(caption, content, me), "voice" if VOICE in content else SHOWN[kind]


def spoken(text: str, content: Json, me: Self) -> str:
    """The text without the quotation of what it replies to, and without our name in front of a command."""
    if "m.in_reply_to" in _relation(content):
        text = QUOTE.sub("", text, count=1) if text.startswith(">") else text
    name, _, rest = text.lstrip().partition(" ")
    called = {name.casefold() for name in (*me.names(), me.account)}
    if name.rstrip(":,").removeprefix("@").casefold() in called or name.rstrip(":,").casefold() in called:
        return rest.lstrip() if normalize("NFKC", rest.lstrip()[:1]) in tuple(PREFIXES) else text
    return text


def reaction(event: Json) -> Reaction | None:
    """A sign under a message; None where the event is none."""
    relation = _relation(content_of(event))
    sender, target, sign = writer(event), _id(relation.get("event_id")), relation.get("key")
    if event.get("type") != "m.reaction" or relation.get("rel_type") != "m.annotation" or not sender:
        return None
    if not target or not isinstance(sign, str):
        return None
    return Reaction(event["event_id"], sender, target, sign)


def content_of(event: Json) -> Json:
    """What was written; nothing once it was redacted."""
    content = event.get("content")
    return content if isinstance(content, dict) else {}


def sealed(event: Json) -> bool:
    """Whether this is a message that was not decrypted; one that was redacted holds nothing to read."""
    return event.get("type") == "m.room.encrypted" and "ciphertext" in content_of(event) and bool(writer(event))


def replacement(event: Json) -> str | None:
    """The room that takes this one's place, where the event says so."""
    room = _id(content_of(event).get("replacement_room"))
    return room if event.get("type") == "m.room.tombstone" and room else None


def thread_of(content: Json) -> str | None:
    """The first message of the thread in which this one stands."""
    relation = _relation(content)
    root = _id(relation.get("event_id"))
    return root if relation.get("rel_type") == "m.thread" and root else None


def letter_of(event: Json, me: Self) -> int | None:
    """Which letter a message of ours is, as it says itself."""
    number = content_of(event).get(LETTER)
    return number if writer(event) == me.account and isinstance(number, int) else None


def sent_at(event: Json) -> float:
    """Seconds since 1970, by the clock of the writer's server."""
    stamp = event.get("origin_server_ts")
    return stamp / 1000 if isinstance(stamp, int) else 0.0


def came(event: Json, account: str) -> bool:
    """Whether this account enters the room by this event; a new name or picture is none of that."""
    if event.get("type") != "m.room.member" or event.get("state_key") != account:
        return False
    return content_of(event).get("membership") == "join" and _before(event) != "join"


def followed(event: Json, account: str) -> bool:
    """Whether this account enters the room because it was invited."""
    return came(event, account) and _before(event) == "invite"


def _before(event: Json) -> object:
    """What a member was before this event."""
    unsigned = event.get("unsigned")
    content = unsigned.get("prev_content") if isinstance(unsigned, dict) else None
    return content.get("membership") if isinstance(content, dict) else None


def allowed(account: str, allow: Sequence[str], room_id: str = "") -> bool:
    """Whether this person may invite us there: by account, `@red:example.org`, by server, or since the room is served,
    whoever invites; no entry allows everybody."""
    return not allow or bool({account, account.partition(":")[2], room_id} & set(allow))


def called(display: str | None, account: str, person: str, others: Sequence[str] = ()) -> str:
    """What somebody is called: the name shown in the room, told apart from `others` who are called the same.

    Never the account itself: names come into the record.
    """
    name = " ".join(ACCOUNT.sub("", display or "").split()) or account.removeprefix("@").partition(":")[0] or "?"
    name = name[:MOST_NAME]
    if name not in {" ".join(one.split())[:MOST_NAME] for one in others}:
        return name
    mark = f" ({person[1:5]})"
    return name[: MOST_NAME - len(mark)] + mark


def writer(event: Json) -> str:
    """The account that an event is of; empty: it is none that anybody could have written."""
    return _id(event.get("sender")) if _id(event.get("event_id")) else ""


def _id(value: object) -> str:
    """What an account, an event or a room is called; empty: that is none. JSON can bring half a surrogate pair, which
    nothing can keep."""
    return value if isinstance(value, str) and value.isprintable() else ""


def _relation(content: Json) -> Json:
    relation = content.get("m.relates_to")
    return relation if isinstance(relation, dict) else {}


# ---- keys


def message_of(event_id: str, thread: str | None = None, reacted: str | None = None) -> str:
    """A message's name in our keys."""
    return event_id + (f"|{thread}" if thread else "") + (f"<{reacted}" if reacted else "")


def answered(message: str) -> tuple[str | None, str | None]:
    """The event that an answer to this message replies to, and its thread; `$a#2` is the second command of `$a`."""
    found = MESSAGE.fullmatch(message)
    return (found[1], found[2]) if found else (None, None)


def private(person: str) -> str:
    """The bookmark of the direct room in which somebody wrote to us last."""
    return f"{PLATFORM}:private:{person}"


# ---- what goes out


def contents(one: Pending) -> list[Json]:
    """A letter as notices, in as many as needed; each says which letter it is."""
    parts = split(parting.unnamed(one.letter.text))
    return [_notice(part) | {LETTER: one.id} | _related(one, first=number == 0) for number, part in enumerate(parts)]


def notice(text: str) -> Json:
    """A short one that is no letter."""
    return _notice(split(parting.unnamed(text))[0])


def file_of(one: Pending, file: File, address: str, keys: Json | None) -> Json:
    """A letter's file; `address` is where the server has it, `keys` what it is encrypted with."""
    image = file.media_type.startswith("image/")
    where = {"url": address} if keys is None else {"file": keys | {"url": address}}
    return {
        "msgtype": "m.image" if image else "m.file", "body": file.name, "filename": file.name, "m.mentions": {},
        "info": {"mimetype": file.media_type, "size": len(file.content)}, LETTER: one.id,
    } | where | _related(one, first=False)  # fmt: skip


def _notice(text: str) -> Json:
    """Shown as it stands, whatever people put into it; `m.mentions` says to newer clients that nobody is called."""
    return {
        "msgtype": "m.notice", "body": text, "m.mentions": {},
        "format": "org.matrix.custom.html", "formatted_body": _html(text),
    }  # fmt: skip


def _html(text: str) -> str:
    return escape(text, quote=False).replace("\n", "<br>")


def _related(one: Pending, *, first: bool) -> Json:
    """To what a letter belongs: the message that it answers, if that stands in the same chat, and its thread."""
    event, root = answered(one.key.message)
    if event is None or one.letter.to != TABLE or (one.key.platform, one.key.chat) != (one.platform, one.chat):
        return {}
    reply = {"m.in_reply_to": {"event_id": event}} if first or root else {}
    thread = {"rel_type": "m.thread", "event_id": root, "is_falling_back": not first} if root else {}
    return {"m.relates_to": thread | reply} if thread or reply else {}


def transaction(one: Pending, part: int | str) -> str:
    """Names one sending: the server takes it once, however often it comes.

    Letters of another log count from 1 too, so the message that is answered is part of the name.
    """
    about = f"{one.key.chat} {one.key.message}"
    return f"rollbook-{one.id}-{part}-{hashlib.sha256(about.encode()).hexdigest()[:16]}"


def split(text: str, most: int = MOST_WEIGHT) -> list[str]:
    """Parts of at most `most` bytes."""
    return parting.split(text, most, weight, widest=WIDEST)


def weight(text: str) -> int:
    """What a text takes in an event, in bytes, as text and as HTML."""
    return sum(len(json.dumps(one)) - 2 for one in (text, _html(text)))


# ---- buttons


def signs(letter: Letter) -> dict[str, int | str]:
    """What the bot puts under a letter: a keycap for each choice, to its number, and what is offered, to its command.

    None in private: a press there would be a command to the private chat, where the table is not.
    """
    if letter.to != TABLE:
        return {}
    choices = letter.choices if len(letter.choices) <= MOST_BUTTONS else ()
    return {keycap(number): number for number, _ in choices} | {one.sign: one.command for one in letter.offers}


def keycap(number: int) -> str:
    """1️⃣ to 9️⃣."""
    return f"{number}\ufe0f\u20e3"


def reacting(target: str, sign: str) -> Json:
    """A reaction's content."""
    return {"m.relates_to": {"rel_type": "m.annotation", "event_id": target, "key": sign}}


def pressed(
    press: Reaction, thread: str | None, one: Pending, table: str, choice: int | None, place: Place, person: Person
) -> Incoming | None:
    """A press as the command that it stands for; the presser is who speaks, so the core knows the owner.

    `table` is the one that this letter belongs to, `choice` the number of the choice that it offers, `thread` where it
    stands. None: no button of ours.
    """
    sign = _bare(press.sign)
    meant = next((meaning for one_sign, meaning in signs(one.letter).items() if _bare(one_sign) == sign), None)
    if meant is None or (isinstance(meant, int) and choice is None):
        return None
    owners = {_bare(offer.sign): offer.owner for offer in one.letter.offers}
    text = f"!choose {choice} {meant}" if isinstance(meant, int) else meant
    key = MessageKey(PLATFORM, place.chat, message_of(press.target, thread, press.event))
    who, owner = person(press.sender), owners.get(sign, "")
    return Incoming(key=key, person=who, name=place.name, text=text, owner=owner, at=table)


def _bare(sign: str) -> str:
    """Some clients leave out the mark that asks for colour."""
    return sign.replace("\ufe0f", "")

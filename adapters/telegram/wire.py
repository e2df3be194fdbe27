"""Telegram's updates -> messages, letters -> what is sent: pure, so that it can be tested on recorded JSON.

Here: who speaks where, what is a command, markup, length, buttons. Never: a connection, the log, a clock.

A chat's name in our keys: `-100123`, and `-100123/45` for a topic of it (each topic may have a table of its own); a
private chat goes by its person's opaque id, so that no event and no key holds anybody's account.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from html import escape
from typing import Any

from msgspec import Struct
from telegram import CallbackQuery, Chat, InlineKeyboardButton, InlineKeyboardMarkup, Message, Update, User
from wcwidth import iter_graphemes

from adapters import parting
from core.messages import Edited, Incoming, Shown
from events.beside import TABLE, Letter, MessageKey, Offer, Pending

PLATFORM = "telegram"
KINDS = ["message", "edited_message", "callback_query", "my_chat_member"]  # of updates that we ask for
PREFIXES = "/.。"
MOST_UNITS, MOST_CAPTION = 4096, 1024  # of UTF-16 in a message, below a file; counted after the markup was read
MOST_LABEL = 60  # characters of a button
BUTTON = re.compile(r"([co]):(\d{1,15}):(\d{1,6})", re.ASCII)  # choice or offer, of which letter, which of it
SHOWN: dict[str, Shown] = {  # a message's part -> what people see; a moving picture has a `document` too
    "photo": "picture", "live_photo": "picture", "animation": "picture", "sticker": "sticker", "video": "video",
    "video_note": "video", "voice": "voice", "audio": "audio", "document": "file",
}  # fmt: skip
START = re.compile(r"/start(?:@\w+)?(?:\s.*)?", re.DOTALL | re.IGNORECASE)  # what the button of a new chat sends

Json = dict[str, Any]
Take = Callable[[Json], Awaitable[None]]  # an update into the log; LogUnusable: it has to come again
Lane = Callable[[Json], str]  # what is of one lane is taken in order
Person = Callable[[str], str]  # a Telegram account -> an opaque id


class Place(Struct, frozen=True):
    """Where something is sent: the chat, its topic (none in General and outside forums), the message it answers."""

    chat: int
    thread: int | None = None
    reply_to: int | None = None


class Sent(Struct, frozen=True):
    """A letter that may have buttons, the table it belongs to ('' if none), the number of the choice that it offers."""

    letter: Pending
    table: str = ""
    choice: int | None = None


Kept = Callable[[int], Sent | None]  # the letter with an id


def chat_in(update: Json) -> str:
    """The chat that an update belongs to, as we call it (a private one by its account); empty: none can be made out."""
    told: Json = next((update[kind] for kind in KINDS if isinstance(update.get(kind), dict)), {})
    message = told.get("message", told)  # a press names the message that it is on
    chat = message.get("chat") if isinstance(message, dict) else None
    id = chat.get("id") if isinstance(chat, dict) else None
    if not isinstance(message, dict) or not isinstance(id, int):
        return ""
    return f"{id}/{message.get('message_thread_id')}" if message.get("is_topic_message") else str(id)


# ---- what comes in


def incoming(update: Update, bot: str, person: Person, kept: Kept, late_before: float = 0.0) -> Incoming | None:
    """A new message or a pressed button; None for everything else: edits, service messages, bots, channels, polls.

    What is forwarded was said elsewhere, by us or by others: it is no command, and no talk of this table. `bot` is our
    username. A message sent before `late_before` (seconds since 1970) is late.
    """
    if update.callback_query:
        return _pressed(update.callback_query, person, kept)
    message = update.message
    if message is None or message.forward_origin or message.via_bot:
        return None
    if (who := _speaker(message)) is None or (said := _said(message)) is None:
        return None
    key = MessageKey(PLATFORM, chat_of(message, person), str(message.message_id))
    return Incoming(
        key=key, person=person(who[0]), name=who[1], text=_spoken(message, said[0]), prefixes=PREFIXES, bots=(bot,),
        late=message.date.timestamp() < late_before, shared=message.sender_chat is not None,
        sent_at=message.date.timestamp(), shown=said[1],
    )  # fmt: skip


def _spoken(message: Message, text: str) -> str:
    """The text; what the Start button of a private chat says is answered by one friendly line."""
    if START.fullmatch(text.strip()):
        return "/help private" if message.chat.type == "private" else "/help"
    return text


def _said(message: Message) -> tuple[str, Shown] | None:
    """What a message says, as text or below a picture, and what it shows beside that; None: neither."""
    text = message.text or message.caption or ""
    shown: Shown = next((shown for part, shown in SHOWN.items() if getattr(message, part)), "")
    return (text, shown) if text or shown else None


def moved(message: Message | None) -> tuple[str, str] | None:
    """The old and the new id of a group that became a supergroup; either of the two may say so."""
    if message is None or not (message.migrate_to_chat_id or message.migrate_from_chat_id):
        return None
    here = message.chat.id
    return str(message.migrate_from_chat_id or here), str(message.migrate_to_chat_id or here)


def private(person: str) -> str:
    """The bookmark of the account by which somebody wrote to us in private last."""
    return f"{PLATFORM}:private:{person}"


def edited(update: Update, person: Person) -> Edited | None:
    """A message that reads otherwise now. Of deleted ones Telegram tells bots nothing."""
    message = update.edited_message
    if message is None or (who := _speaker(message)) is None or (said := _said(message)) is None:
        return None
    key = MessageKey(PLATFORM, chat_of(message, person), str(message.message_id))
    return Edited(key=key, person=person(who[0]), text=said[0], edit=str(update.update_id), shown=said[1])


def _speaker(message: Message) -> tuple[str, str] | None:
    """Account and name. An anonymous admin speaks as the group: all of them are one person to us."""
    if sender := message.sender_chat:
        return (str(sender.id), _named(sender.title)) if sender.id == message.chat.id else None
    if message.from_user is None or message.from_user.is_bot:
        return None
    return str(message.from_user.id), name_of(message.from_user)


def name_of(user: User) -> str:
    return _named(user.full_name)


def _named(name: str | None) -> str:
    """An account that was deleted has no name."""
    return " ".join((name or "").split()) or "?"


def chat_of(message: Message, person: Person) -> str:
    """The chat's name in our keys. A reply outside of forums names a thread too, but is in no topic."""
    in_topic = message.is_topic_message and message.chat.type != "private"
    return chat_named(message.chat, person) + (f"/{message.message_thread_id}" if in_topic else "")


def chat_named(chat: Chat, person: Person) -> str:
    """The same, whatever the topic."""
    return person(str(chat.id)) if chat.type == "private" else str(chat.id)


def _pressed(query: CallbackQuery, person: Person, kept: Kept) -> Incoming | None:
    """A button as the command that it stands for. The presser is who speaks, so the core knows whether it counts."""
    if not isinstance(query.message, Message) or query.from_user.is_bot:
        return None
    key = MessageKey(PLATFORM, chat_of(query.message, person), f"{query.message.message_id}-pressed-{query.id}")
    data = query.data or ""
    sent = behind(data, key.chat, kept)
    offer = offered(data, sent)
    text = offer.command if offer else _chosen(data, sent)
    if sent is None or not text:
        return None
    return Incoming(
        key=key, person=person(str(query.from_user.id)), name=name_of(query.from_user), text=text,
        owner=offer.owner if offer else "", at=sent.table,
    )  # fmt: skip


def behind(data: str, chat: str, kept: Kept) -> Sent | None:
    """The letter of a button; what a button says may be made up, so it counts only in the letter's own chat."""
    found = BUTTON.fullmatch(data)
    sent = kept(int(found[2])) if found else None
    return sent if sent and (sent.letter.platform, sent.letter.chat) == (PLATFORM, chat) else None


def offered(data: str, sent: Sent | None) -> Offer | None:
    """The offer behind a button of this letter."""
    found = BUTTON.fullmatch(data)
    if sent is None or found is None or found[1] != "o":
        return None
    return dict(enumerate(sent.letter.letter.offers)).get(int(found[3]))


def _chosen(data: str, sent: Sent | None) -> str:
    """The command that a choice's button of this letter is."""
    found = BUTTON.fullmatch(data)
    if sent is None or sent.choice is None or found is None or found[1] != "c":
        return ""
    return f"/choose {sent.choice} {found[3]}" if int(found[3]) in dict(sent.letter.letter.choices) else ""


# ---- what goes out


def places(one: Pending, accounts: Callable[[str], Sequence[str]]) -> list[Place]:
    """Where a letter may go, the best place first: to a chat, or to a person's own. Empty: nowhere that we know.

    An anonymous admin's account is the group: what is for that admin alone has no place.
    """
    answers = one.letter.to == TABLE and (one.key.platform, one.key.chat) == (one.platform, one.chat)
    replied = _replied(one.key) if answers else None
    chat, _, thread = one.chat.partition("/")
    if _is_number(chat):
        return [Place(int(chat), int(thread) if thread else None, replied)]
    return [Place(int(own), None, replied) for own in accounts(chat) if _is_number(own) and not own.startswith("-")]


def _replied(key: MessageKey) -> int | None:
    """The message that is answered; `7#2` is the second command of message 7."""
    found = re.match(r"\d+", key.message)
    return int(found[0]) if found else None


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d{1,19}", text) is not None


def texts(letter: Letter) -> list[str]:
    """The letter as HTML that shows as it stands, whatever people have put into it, in as many messages as needed."""
    return [escape(part, quote=False) for part in split(parting.unnamed(letter.text))]


def split(text: str, most: int = MOST_UNITS) -> list[str]:
    """Parts of at most `most` UTF-16 units."""
    return parting.split(text, most, units, widest=2)


def units(text: str) -> int:
    """The length of a text as Telegram counts it."""
    return len(text) + sum(char > "\uffff" for char in text)


def seconds(wait: int | timedelta) -> float:
    """How long Telegram asks us to wait."""
    return wait.total_seconds() if isinstance(wait, timedelta) else float(wait)


def buttons(one: Pending) -> InlineKeyboardMarkup | None:
    """The options of a choice, each in a row of its own, as labels are phrases; what is offered in one.

    None in private: there a button would be a command to the private chat, where the table is not.
    """
    letter = one.letter
    if letter.to != TABLE:
        return None
    rows = [
        [InlineKeyboardButton(_label(f"{n}. {label}"), callback_data=f"c:{one.id}:{n}")] for n, label in letter.choices
    ]
    offers = [
        InlineKeyboardButton(_label(f"{offer.sign} {offer.label}"), callback_data=f"o:{one.id}:{n}")
        for n, offer in enumerate(letter.offers)
    ]
    return InlineKeyboardMarkup([*rows, *([offers] if offers else [])]) if rows or offers else None


def without(markup: InlineKeyboardMarkup | None, used: str) -> InlineKeyboardMarkup | None:
    """The buttons that are left when this one is used: with an option of a choice the others go too. None: no more."""
    found = BUTTON.fullmatch(used)
    used_up = re.compile(f"c:{found[2]}:.*" if found and found[1] == "c" else re.escape(used))
    rows = [
        [one for one in row if not used_up.fullmatch(str(one.callback_data))]
        for row in (markup.inline_keyboard if markup else ())
    ]
    left = [row for row in rows if row]
    return InlineKeyboardMarkup(left) if left else None


def _label(label: str) -> str:
    text = " ".join(label.split())
    return text if len(text) <= MOST_LABEL else "".join(list(iter_graphemes(text))[: MOST_LABEL - 1]) + "…"

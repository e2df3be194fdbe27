"""Each target takes bytes, makes of them what somebody outside could send, and raises where the program does not keep
its word: whatever comes in is taken, let be or refused, and never leads to any other error.

Here: what is tried, and what must hold. Never: a fuzzer (those are in `__main__.py` and `test_fuzz.py`).
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import aiogram
from aiohttp import web
from aiohttp.base_protocol import BaseProtocol
from aiohttp.streams import StreamReader
from aiohttp.test_utils import make_mocked_request
from pydantic import ValidationError
from telegram import Update

from adapters.export import from_jsonl, from_sealdice
from adapters.export.from_jsonl import NotImported
from adapters.matrix import wire as matrix
from adapters.matrix.wire import Place, Self
from adapters.telegram import webhook
from adapters.telegram import wire as telegram
from adapters.telegram.wire import Sent
from core.app import App
from core.evolve import Table, replay
from core.grammar.parse import command_lines, parse
from core.messages import Edited, Incoming
from core.refusal import CODES, Refusal
from core.registry import SYSTEMS
from core.snapshot import restored, taken
from core.verify import verify
from core.vocabulary import verb_table
from events import codec
from events.beside import Letter, MessageKey, Offer, Pending
from events.codec import UnreadableEvent, UnreadableLine
from events.envelope import Stored
from events.log import MemoryLog
from tests.fuzz import samples
from tests.fuzz.material import Material
from tests.laws.played import PEOPLE
from tests.story import Clock, Seeds, Story

Target = Callable[[bytes], None]
ME = Self("@rollbook:example.org", "Rollbook")
CHOICES = ((1, "run"), (2, "stay"))
LETTERS = {
    17: Letter("table", "?", CHOICES), 19: Letter("table", "7", (), (Offer("🔁", "Again", "/roll 2d6", "p1"),)),
}  # fmt: skip


def grammar(data: bytes) -> None:
    """Any text is talk, commands or a refusal."""
    material = Material(data)
    table, prefixes = verb_table(material.one_of(("", *SYSTEMS))), material.one_of(("/!.。", "/.。", "!.。"))
    with suppress(Refusal):
        for line in command_lines(material.text(), prefixes):
            parse(line, table)


def commands(data: bytes) -> None:
    """What people type at a table is answered or refused; a refusal appends nothing; the record holds and replays."""
    material = Material(data)
    story = Story().given(*samples.opening(material.one_of(SYSTEMS)))
    people = [material.one_of(PEOPLE) for _ in range(8)]
    for person, text in zip(people, material.text().split("\0"), strict=False):
        before = story.log.head(story.table.id)
        answers = story.hear(f"{person}: {text}")
        for answer in answers:
            assert answer.error is None or (answer.error[0] in CODES and "\n" not in answer.error[1])
        if all(answer.error for answer in answers) and not is_talk(text):
            assert story.log.head(story.table.id) == before
    for table in story.log.tables():
        sound(story, table)


def is_talk(text: str) -> bool:
    try:
        return not command_lines(text, "/!.。")
    except Refusal:
        return False


def sound(story: Story, table: str) -> None:
    """The record of a table verifies, and gives the table again."""
    stored = list(story.log.read(table))
    assert verify(stored).broken is None
    assert replay(Table(table), map(codec.decode, stored)) == story.app.table(table)


def telegram_update(data: bytes) -> None:
    """What Telegram could send, by another library's reading of its types, is a message, an edit, a press or nothing.

    What it could not send is logged and left behind (`Hearing.take`).
    """
    material = Material(data)
    raw = material.bent(material.one_of(samples.UPDATES))
    if not isinstance(raw, dict) or not isinstance(raw.get("update_id"), int):
        return
    telegram.chat_in(raw)
    try:
        update = Update.de_json(raw)
    except Exception:  # as `Hearing.take` does
        return
    try:
        telegram.moved(update.message)
        heard(telegram.incoming(update, "rollbook_bot", person, sent, 1.0), telegram.edited(update, person))
    except Exception:
        if is_telegrams(raw):
            raise


def is_telegrams(raw: Any) -> bool:
    try:
        aiogram.types.Update.model_validate(raw)
    except ValidationError:
        return False
    return True


def person(account: str) -> str:
    assert isinstance(account, str)
    return "p1" if account == "1001" else "p2"


def sent(letter: int) -> Sent | None:
    found = LETTERS.get(letter)
    key = MessageKey("telegram", "-1000000000007", "7")
    return Sent(Pending(letter, key, found, "telegram", key.chat), "t1", 3) if found else None


def heard(incoming: Incoming | None, edited: Edited | None) -> None:
    """What a wire makes of a message, taken up at a table of its own chat."""
    chat = (incoming or edited).key if incoming or edited else None
    if chat is None:
        return
    app = App(MemoryLog(), Clock(), Seeds())
    opening = MessageKey(chat.platform, chat.chat, "opening")
    app.hear(Incoming(key=opening, person="p1", name="Gm", text="/table new savage Glacier\n/log on", prefixes="/"))
    if incoming:
        app.hear(incoming)
    if edited:
        app.edited(edited)


def matrix_event(data: bytes) -> None:
    """What a homeserver could send, ours or a hostile one, is a message, an edit, a press, a deletion or nothing."""
    material = Material(data)
    event = material.bent(material.one_of(samples.MATRIX))
    if not isinstance(event, dict):
        return
    place = Place("!room", matrix.called(str(event.get("sender")), str(event.get("sender")), "p1234", ("Red",)))
    for look in (matrix.reaction, matrix.sealed, matrix.replacement, matrix.sent_at):
        look(event)
    matrix.came(event, ME.account)
    matrix.followed(event, ME.account)
    matrix.letter_of(event, ME)
    matrix.thread_of(matrix.content_of(event))
    heard(matrix.incoming(event, place, ME, person, 1.0), matrix.edited(event, place, ME, person))
    if deleted := matrix.redacted(event, place, person):
        matrix.answered(deleted.key.message)


def webhook_body(data: bytes) -> None:
    """A body is an update, or refused as a bad request."""
    material = Material(data)
    sample = json.dumps(material.one_of(samples.UPDATES)).encode()
    kind = material.one_of(("application/json", "application/json; charset=utf-16", "text/plain; charset=nope", ""))
    body = material.rest() if material.number(2) else material.damaged(sample)
    asyncio.run(_posted(body, kind))


async def _posted(body: bytes, kind: str) -> None:
    loop = asyncio.get_running_loop()
    stream = StreamReader(BaseProtocol(loop), 2**16, loop=loop)
    stream.feed_data(body)
    stream.feed_eof()
    request = make_mocked_request("POST", "/", {"Content-Type": kind}, payload=stream)
    try:
        update = await webhook._update_in(request)
    except web.HTTPBadRequest:
        return
    telegram.chat_in(update)


def jsonl_import(data: bytes) -> None:
    """A damaged file is refused in a sentence, or what it brings can be replayed, verified and played on."""
    material = Material(data)
    content = material.damaged(samples.exported(material.one_of(SYSTEMS)))
    taken_in(material.rest() if material.number(8) == 1 else content)


def forged_import(data: bytes) -> None:
    """The same of a file by somebody who can compute hashes: an event bent, and the chain written anew."""
    material = Material(data)
    bodies = [json.loads(one.body) for one in samples.stored(material.one_of(SYSTEMS))]
    at = material.number(len(bodies))
    bodies[at] = material.bent(bodies[at])
    taken_in(_chained(bodies))


def taken_in(content: bytes) -> None:
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(content)
        file.flush()
        try:
            record = from_jsonl.vetted(Path(file.name), {})
        except (NotImported, UnreadableLine):
            return
    story = Story()
    from_jsonl.append(story.log, record)
    sound(story, record.table)


def _chained(bodies: list[Any]) -> bytes:
    lines, prev = [], "0" * 64
    for one in bodies:
        if isinstance(one, dict):
            one["prev"] = prev
        body = json.dumps(one, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        prev = sha256(body).hexdigest()
        lines.append(codec.line_of(Stored(0, body, prev)))
    return b"\n".join(lines) + b"\n"


def sealdice_import(data: bytes) -> None:
    """A log of another program is no such log, refused in a sentence, or a table whose record holds."""
    material = Material(data)
    content = json.dumps(material.bent(samples.SEALDICE)).encode()
    if material.number(2):
        content = material.damaged(content)
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(content)
        file.flush()
        try:
            found = from_sealdice.read(Path(file.name))
        except NotImported:
            return
    if found is None:
        return
    story = Story()
    done = from_sealdice.import_into(story.log, found, "a title", "savage", "2026-11-30T00:00:00.000Z", Seeds())
    sound(story, done.table)


def stored_event(data: bytes) -> None:
    """The bytes of an event, of whatever version, are an event or unreadable, and a verifier gives a verdict."""
    material = Material(data)
    stored = list(samples.stored(material.one_of(SYSTEMS)))
    at = material.number(len(stored))
    if material.number(2):
        body = json.dumps(material.bent(json.loads(stored[at].body))).encode()
    else:
        body = material.damaged(stored[at].body)
    stored[at] = Stored(stored[at].seq, body, stored[at].hash)
    with suppress(UnreadableEvent):
        codec.decode(stored[at])
    verify(stored)


def snapshot(data: bytes) -> None:
    """A snapshot is passed over, or gives the table that was taken."""
    material = Material(data)
    story = samples.evening(material.one_of(SYSTEMS))
    table = story.table
    kept = material.damaged(taken(table, "now"))
    found = restored(kept, "now", table.id, lambda after, to: story.log.read(table.id, after, to))
    assert found in (None, table)


TARGETS: Mapping[str, Target] = {
    one.__name__: one
    for one in (
        grammar, commands, telegram_update, matrix_event, webhook_body, jsonl_import, forged_import, sealdice_import,
        stored_event, snapshot,
    )
}  # fmt: skip

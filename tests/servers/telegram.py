"""A Bot API server of our own: strict, in memory, on loopback, with the people who talk to the bot.

It runs in a thread of its own, so that a test may be written straight on and a bot may run anywhere: in this process
or in another. What it checks and how it words it is from general knowledge of the Bot API; nothing was copied.
A parameter that the method does not have fails the test that sent it (`complaints`): Telegram would ignore a typo.

    with FakeTelegram() as server:
        red = server.person("Red")
        chat = server.private(red)
        server.text(chat, red, "/roll 2d6")
        server.wait_for(lambda: server.seen(chat)[1:])
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import unquote

from aiohttp import ClientError, ClientSession, ClientTimeout, web

from tests.servers.telegram_html import Unparsable, found_in, parsed, units

T = TypeVar("T")
Json = dict[str, Any]
PATIENCE_S = 15.0
WEBHOOK_RETRY_S = 0.05
MOST_TEXT, MOST_CAPTION, MOST_CALLBACK = 4096, 1024, 64
GENERAL = 1  # the id of a forum's first topic, which no sent message may name
DEFAULT_UPDATES = {"message", "edited_message", "callback_query", "my_chat_member", "poll_answer"}
ALL_UPDATES = DEFAULT_UPDATES | {"chat_member", "message_reaction"}
ANYWHERE = {
    "chat_id", "message_thread_id", "disable_notification", "protect_content", "reply_parameters", "reply_markup",
    "allow_paid_broadcast", "message_effect_id", "business_connection_id", "direct_messages_topic_id",
}  # fmt: skip
CAPTIONED = ANYWHERE | {"caption", "parse_mode", "caption_entities"}
EDITED = {"business_connection_id", "chat_id", "message_id", "inline_message_id", "reply_markup"}
MENU = {"scope", "language_code"}
PARAMETERS: dict[str, set[str]] = {
    "getMe": set(),
    "getUpdates": {"offset", "limit", "timeout", "allowed_updates"},
    "setWebhook": {
        "url", "certificate", "ip_address", "max_connections", "allowed_updates", "drop_pending_updates",
        "secret_token",
    },
    "deleteWebhook": {"drop_pending_updates"},
    "getWebhookInfo": set(),
    "setMyCommands": {"commands"} | MENU,
    "getMyCommands": MENU,
    "deleteMyCommands": MENU,
    "sendMessage": ANYWHERE | {"text", "parse_mode", "entities", "link_preview_options"},
    "sendPhoto": CAPTIONED | {"photo", "show_caption_above_media", "has_spoiler"},
    "sendDocument": CAPTIONED | {"document", "thumbnail", "disable_content_type_detection"},
    "editMessageText": EDITED | {"text", "parse_mode", "entities", "link_preview_options"},
    "editMessageCaption": EDITED | {"caption", "parse_mode", "caption_entities", "show_caption_above_media"},
    "editMessageReplyMarkup": EDITED,
    "deleteMessage": {"chat_id", "message_id"},
    "answerCallbackQuery": {"callback_query_id", "text", "show_alert", "url", "cache_time"},
    "sendChatAction": {"business_connection_id", "chat_id", "message_thread_id", "action"},
    "getFile": {"file_id"},
    "getChat": {"chat_id"},
    "getChatMember": {"chat_id", "user_id"},
    "getChatAdministrators": {"chat_id"},
    "leaveChat": {"chat_id"},
}  # fmt: skip
COMMAND = re.compile(r"[a-z0-9_]{1,32}")
NO_RIGHTS = (
    "can_be_edited", "is_anonymous", "can_manage_chat", "can_delete_messages", "can_manage_video_chats",
    "can_restrict_members", "can_promote_members", "can_change_info", "can_invite_users", "can_post_stories",
    "can_edit_stories", "can_delete_stories",
)  # fmt: skip


class Refused(Exception):
    """The call is answered with an error."""

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.code, self.description, self.parameters = code, description, parameters


def bad(why: str) -> Refused:
    return Refused(400, f"Bad Request: {why}")


@dataclass
class Chat:
    """A chat: what Telegram tells of it, who is in it, its messages by id, its topics."""

    about: Json
    members: dict[int, str] = field(default_factory=dict)
    messages: dict[int, Json] = field(default_factory=dict)
    topics: set[int] = field(default_factory=set)
    said: int = 0
    migrated_to: int = 0
    sent_at: deque[float] = field(default_factory=lambda: deque(maxlen=20))

    @property
    def id(self) -> int:
        return int(self.about["id"])

    @property
    def kind(self) -> str:
        return str(self.about["type"])


@dataclass(frozen=True)
class Seen:
    """A message as a person sees it: tags gone, edits applied, `marks` what stands out or can be touched."""

    id: int
    by: str
    text: str
    marks: tuple[tuple[str, str], ...] = ()
    buttons: tuple[tuple[str, ...], ...] = ()
    thread: int | None = None
    reply_to: int | None = None
    document: str = ""


@dataclass(frozen=True)
class Call:
    """What the bot asked for: the method, its parameters, and the error it was answered with."""

    method: str
    given: Json
    error: str = ""


@dataclass
class Fault:
    """What happens to the next call of a method (in one chat, if named) instead of, or beside, what it asks for."""

    method: str
    chat: int | None = None
    refusal: Refused | None = None
    drop: bool = False
    lose: bool = False
    delay_s: float = 0.0

    def meets(self, method: str, given: Json) -> bool:
        return self.method == method and self.chat in (None, int(given.get("chat_id", 0)))


class FakeTelegram:
    """The server, and everybody in it. Public methods are the test's; they may be called from any thread."""

    def __init__(self, username: str = "rollbook_bot", token: str = "700:TEST-token") -> None:
        self.token, self.username, self.port = token, username, 0
        self.bot: Json = {"id": 700, "is_bot": True, "first_name": "Rollbook", "username": username}
        self.calls: list[Call] = []
        self.complaints: list[str] = []
        self.notices: dict[str, tuple[str, bool]] = {}
        self.menus: dict[tuple[str, str], list[Json]] = {}
        self.flood = False
        self.connections = 1  # to the webhook at once; Telegram's own has up to 40 unless it is told otherwise
        self._chats: dict[int, Chat] = {}
        self._people: dict[int, Json] = {}
        self._started: set[int] = set()
        self._blocked: set[int] = set()
        self._queries: dict[str, bool] = {}
        self._presses: dict[str, Json] = {}
        self._files: dict[str, bytes] = {}
        self._faults: list[Fault] = []
        self._ids: defaultdict[str, int] = defaultdict(int)
        self._updates: list[tuple[int, str, Json]] = []
        self._allowed = set(DEFAULT_UPDATES)
        self._poll: asyncio.Future[None] | None = None
        self._webhook: Json = {}
        self._webhook_error = ""
        self._posting: set[int] = set()  # chats of which an update is on its way to the webhook
        self._news = asyncio.Event()

    # ---- starting and stopping

    def __enter__(self) -> FakeTelegram:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="fake-telegram", daemon=True)
        self._thread.start()
        self._await(self._start())
        return self

    def __exit__(self, kind: object, *_rest: object) -> None:
        self._await(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        if kind is None:
            assert self.complaints == []

    async def _start(self) -> None:
        app = web.Application(client_max_size=60_000_000)
        app.router.add_route("*", "/bot{token}/{method}", self._called)
        app.router.add_get("/file/bot{token}/{path:.+}", self._file)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = self._runner.addresses[0][1]
        self._poster = asyncio.create_task(self._post_updates())

    async def _stop(self) -> None:
        self._poster.cancel()
        await asyncio.gather(self._poster, return_exceptions=True)
        await self._runner.cleanup()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/bot"

    @property
    def base_file_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/file/bot"

    def _await(self, work: Awaitable[T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_S)  # type: ignore[arg-type]

    def _do(self, work: Callable[[], T]) -> T:
        """In the server's own thread, so that nothing is seen half done."""

        async def done() -> T:
            return work()

        return self._await(done())

    # ---- people and chats

    def person(self, name: str, username: str = "", language: str = "en") -> Json:
        """Somebody new."""
        self._ids["person"] += 1
        about: Json = {"id": 1000 + self._ids["person"], "is_bot": False, "first_name": name, "language_code": language}
        if username:
            about["username"] = username
        self._people[about["id"]] = about
        return about

    def private(self, person: Json) -> int:
        """The chat between a person and the bot, opened by the person (as Telegram's Start button does)."""
        self._do(lambda: self._private(person["id"]))
        return int(person["id"])

    def _private(self, id: int) -> None:
        self._started.add(id)
        names = {name: value for name, value in self._people[id].items() if name in ("first_name", "username")}
        self._chats.setdefault(id, Chat({"id": id, "type": "private", **names}, {id: "member", 700: "member"}))

    def group(self, title: str, *people: Json) -> int:
        return self._do(lambda: self._new_chat(title, "group", people, {}))

    def supergroup(self, title: str, *people: Json, forum: bool = False) -> int:
        return self._do(lambda: self._new_chat(title, "supergroup", people, {"is_forum": True} if forum else {}))

    def _new_chat(self, title: str, kind: str, people: tuple[Json, ...], more: Json) -> int:
        self._ids["chat"] += 1
        id = -(self._ids["chat"] + (1_000_000_000_000 if kind == "supergroup" else 500))
        self._chats[id] = chat = Chat({"id": id, "type": kind, "title": title, **more})
        for number, person in enumerate(people):
            chat.members[person["id"]] = "member" if number else "creator"
        self._bot_is(chat, "member", people[0] if people else self.bot)
        return id

    def topic(self, chat: int, name: str, by: Json) -> int:
        """A new topic of a forum; its thread's id."""
        return self._do(lambda: self._topic(self._chats[chat], name, by))

    def _topic(self, chat: Chat, name: str, by: Json) -> int:
        thread = chat.said + 2  # never that of the General topic
        chat.said = thread - 1
        chat.topics.add(thread)
        made = {"forum_topic_created": {"name": name, "icon_color": 7322096}}
        self._add(chat, by, {**made, "message_thread_id": thread, "is_topic_message": True})
        return thread

    # ---- what people do

    def text(
        self, chat: int, by: Json, text: str, *, thread: int | None = None, reply_to: int | None = None, **more: Any
    ) -> int:
        """Somebody writes; the message's id. `date=` (seconds) and other fields as Telegram names them."""
        return self._do(lambda: self._text(self._chats[chat], by, text, thread, reply_to, more))

    def _text(self, chat: Chat, by: Json, text: str, thread: int | None, reply_to: int | None, more: Json) -> int:
        if chat.kind == "private":
            self._private(chat.id)
        fields: Json = {"text": text, **_in_thread(chat, thread, reply_to), **more}
        if entities := [one for one in found_in(text, []) if one["type"] != "url"]:
            fields["entities"] = entities
        return int(self._add(chat, by, fields)["message_id"])

    def show(self, chat: int, by: Json, part: str, content: Any, caption: str = "", **more: Any) -> int:
        """Somebody shows something: a `photo`, a `sticker`, a `poll` …, as Telegram shapes it; the message's id."""
        fields = {part: content, **({"caption": caption} if caption else {}), **more}
        return int(self._do(lambda: self._add(self._chats[chat], by, fields))["message_id"])

    def edit(self, chat: int, message: int, text: str) -> None:
        """What somebody wrote, as a text or below what they show, reads so now."""

        def edited() -> None:
            stored = self._chats[chat].messages[message]
            stored.update({"text" if "text" in stored else "caption": text}, edit_date=int(time.time()))
            self._update("edited_message", stored)

        self._do(edited)

    def repeat(self, chat: int, message: int) -> None:
        """The same message is delivered once more, as another update."""
        self._do(lambda: self._update("message", self._chats[chat].messages[message]))

    def deliver(self, kind: str, body: Json) -> None:
        """Any update for the bot, also one that no library can read."""
        self._do(lambda: self._update(kind, body))

    def press(self, chat: int, message: int, label: str, by: Json) -> str:
        """Somebody presses a button that the message shows now; the query's id."""
        return self._do(lambda: self._press(self._chats[chat].messages[message], label, by))

    def _press(self, message: Json, label: str, by: Json) -> str:
        rows = message.get("reply_markup", {}).get("inline_keyboard", [])
        (data,) = [button["callback_data"] for row in rows for button in row if button["text"] == label]
        self._ids["query"] += 1
        query = f"{self._ids['query']}00"
        self._queries[query] = True
        about = {"id": query, "from": by, "message": message, "chat_instance": "1", "data": data}
        self._presses[query] = json.loads(json.dumps(about))
        self._update("callback_query", about)
        return query

    def press_again(self, query: str, **changed: Any) -> None:
        """The same press is delivered once more, with some of its fields changed if a test likes."""
        self._do(lambda: self._update("callback_query", self._presses[query] | changed))

    def join(self, chat: int, person: Json) -> None:
        self._do(lambda: self._is(self._chats[chat], person, "member"))

    def leave(self, chat: int, person: Json) -> None:
        self._do(lambda: self._is(self._chats[chat], person, "left"))

    def promote(self, chat: int, person: Json) -> None:
        self._do(lambda: self._is(self._chats[chat], person, "administrator"))

    def _is(self, chat: Chat, person: Json, status: str) -> None:
        was = chat.members.get(person["id"], "left")
        chat.members[person["id"]] = status
        self._update("chat_member", self._change(chat, person, person, was, status))
        if {was, status} == {"left", "member"}:
            kind = "new_chat_members" if status == "member" else "left_chat_member"
            self._add(chat, person, {kind: [person] if status == "member" else person})

    def kick_bot(self, chat: int, by: Json) -> None:
        self._do(lambda: self._bot_is(self._chats[chat], "kicked", by))

    def add_bot(self, chat: int, by: Json) -> None:
        self._do(lambda: self._bot_is(self._chats[chat], "member", by))

    def _bot_is(self, chat: Chat, status: str, by: Json) -> None:
        was = chat.members.get(700, "left")
        chat.members[700] = status
        self._update("my_chat_member", self._change(chat, by, self.bot, was, status))

    def _change(self, chat: Chat, by: Json, of: Json, was: str, status: str) -> Json:
        members = {"old_chat_member": _member(of, was), "new_chat_member": _member(of, status)}
        return {"chat": chat.about, "from": by, "date": int(time.time()), **members}

    def block(self, person: Json) -> None:
        def blocked() -> None:
            self._blocked.add(person["id"])
            self._bot_is(self._chats[person["id"]], "kicked", person)

        self._do(blocked)

    def unblock(self, person: Json) -> None:
        self._do(lambda: self._blocked.discard(person["id"]))

    def migrate(self, chat: int, *, quietly: bool = False, old_tells: bool = True) -> int:
        """The group becomes a supergroup; its new id. `quietly`: the bot does not get the service messages; without
        `old_tells` it gets that of the new group alone."""
        return self._do(lambda: self._migrate(self._chats[chat], not quietly and old_tells, not quietly))

    def _migrate(self, old: Chat, old_tells: bool, new_tells: bool) -> int:
        new = self._new_id_of(old)
        owner = self._people[next(iter(old.members))]
        if old_tells:
            self._add(old, owner, {"migrate_to_chat_id": new.id})
        if new_tells:
            self._add(new, owner, {"migrate_from_chat_id": old.id})
        old.migrated_to = new.id
        return new.id

    def _new_id_of(self, old: Chat) -> Chat:
        self._ids["chat"] += 1
        id = -(self._ids["chat"] + 1_000_000_000_000)
        about = {"id": id, "type": "supergroup", "title": old.about["title"]}
        self._chats[id] = Chat(about, dict(old.members))
        return self._chats[id]

    # ---- what a person sees

    def seen(self, chat: int, thread: int | None = None) -> list[Seen]:
        """The messages of a chat, or of one of its topics, oldest first."""
        found = self._do(lambda: [self._look(one) for one in self._chats[chat].messages.values()])
        return [one for one in found if thread is None or one.thread == thread]

    def of_bot(self, chat: int) -> list[Seen]:
        """What the bot wrote there."""
        return [one for one in self.seen(chat) if one.by == "Rollbook"]

    def _look(self, message: Json) -> Seen:
        text = message.get("text", message.get("caption", ""))
        entities = message.get("entities", message.get("caption_entities", []))
        raw = text.encode("utf-16-le")
        marks = [(one["type"], raw[2 * one["offset"] :][: 2 * one["length"]].decode("utf-16-le")) for one in entities]
        rows = message.get("reply_markup", {}).get("inline_keyboard", [])
        return Seen(
            message["message_id"], message["from"]["first_name"], text, tuple(marks),
            tuple(tuple(button["text"] for button in row) for row in rows),
            message["message_thread_id"] if message.get("is_topic_message") else None,
            message.get("reply_to_message", {}).get("message_id"),
            message.get("document", {}).get("file_name", ""),
        )  # fmt: skip

    def wait_for(self, wanted: Callable[[], T], timeout_s: float = PATIENCE_S) -> T:
        """What `wanted` gives as soon as it is true."""
        deadline = time.monotonic() + timeout_s
        while not (found := wanted()):
            if time.monotonic() > deadline:
                raise TimeoutError(f"still {found!r}; the last calls: {self.calls[-8:]}")
            time.sleep(0.005)
        return found

    def called(self, method: str) -> list[Call]:
        return [call for call in list(self.calls) if call.method == method]

    @property
    def pending(self) -> int:
        """Updates that the bot has not confirmed."""
        return self._do(lambda: len(self._updates))

    # ---- what goes wrong

    def refuse_next(
        self, method: str, code: int, description: str, *, chat_id: int | None = None, **parameters: int
    ) -> None:
        """The next call of it, or the next one for this chat, is answered with this error."""
        self._faults.append(Fault(method, chat_id, Refused(code, description, **parameters)))

    def drop_connection_next(self, method: str) -> None:
        """The next call of it is not carried out: the connection breaks."""
        self._faults.append(Fault(method, drop=True))

    def lose_answer_next(self, method: str) -> None:
        """The next call of it is carried out, and the connection breaks before the answer."""
        self._faults.append(Fault(method, lose=True))

    def delay_next(self, method: str, seconds: float) -> None:
        self._faults.append(Fault(method, delay_s=seconds))

    # ---- the wire

    async def _called(self, request: web.Request) -> web.Response:
        method = request.match_info["method"]
        known = next((name for name in PARAMETERS if name.lower() == method.lower()), "")
        given, fault = await _given(request), Fault("")
        try:
            self._check_call(unquote(request.match_info["token"]), known)
            fault = next((one for one in self._faults if one.meets(known, given)), fault)
            await self._on_its_way(request, fault)
            answer = {"ok": True, "result": await self._answer(known, given, fault)}
            error = Refused(200, "")
        except Refused as refused:
            error = refused
            answer = {"ok": False, "error_code": error.code, "description": error.description}
            answer |= {"parameters": error.parameters} if error.parameters else {}
        if known != "getUpdates":
            self.calls.append(Call(known or method, given, error.description))
        if fault.drop or fault.lose:
            assert request.transport is not None
            request.transport.abort()
        return web.json_response(answer, status=error.code)

    def _check_call(self, token: str, known: str) -> None:
        if token != self.token:
            raise Refused(401, "Unauthorized")
        if not known:
            raise Refused(404, "Not Found: method not found")

    async def _on_its_way(self, request: web.Request, fault: Fault) -> None:
        """What is delayed has not arrived yet: if whoever asked is gone by then, it never does."""
        if fault in self._faults:
            self._faults.remove(fault)
        await asyncio.sleep(fault.delay_s)
        if fault.delay_s and (request.transport is None or request.transport.is_closing()):
            raise Refused(499, "whoever asked is gone")

    async def _answer(self, method: str, given: Json, fault: Fault) -> Any:
        self._check_parameters(method, given)
        if fault.drop:
            raise Refused(500, "dropped")
        if fault.refusal:
            raise fault.refusal
        result = getattr(self, f"_{method}")(given)
        return await result if asyncio.iscoroutine(result) else result

    def _check_parameters(self, method: str, given: Json) -> None:
        if unknown := set(given) - PARAMETERS[method] - {one for one in given if one.startswith("attached")}:
            self.complaints.append(f"{method} has no {sorted(unknown)}")
            raise bad(f"unknown parameters {sorted(unknown)}")

    async def _file(self, request: web.Request) -> web.Response:
        found = self._files.get(request.match_info["path"])
        return web.Response(body=found) if found is not None else web.Response(status=404)

    # ---- updates

    def _update(self, kind: str, body: Json) -> None:
        if kind not in self._allowed:
            return
        self._ids["update"] += 1
        self._updates.append((self._ids["update"], kind, json.loads(json.dumps(body))))
        self._news.set()

    def _add(self, chat: Chat, by: Json, fields: Json) -> Json:
        """A new message in a chat; people's reach the bot."""
        chat.said += 1
        about = {"message_id": chat.said, "date": int(time.time()), "chat": chat.about, "from": by}
        chat.messages[chat.said] = message = {**about, **fields}
        if by is not self.bot and chat.members.get(700) in ("member", "administrator"):
            self._update("message", message)
        return message

    async def _getUpdates(self, given: Json) -> list[Json]:
        if self._webhook:
            raise Refused(409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook first")
        if self._poll and not self._poll.done():
            self._poll.set_result(None)
        self._poll = mine = asyncio.get_running_loop().create_future()
        self._allow(given)
        self._confirm(int(given.get("offset", 0)))
        deadline = time.monotonic() + float(given.get("timeout", 0))
        while not self._updates and (left := deadline - time.monotonic()) > 0:
            self._news.clear()
            news = asyncio.ensure_future(self._news.wait())
            try:
                await asyncio.wait([news, mine], timeout=left, return_when=asyncio.FIRST_COMPLETED)
            finally:
                news.cancel()
            if mine.done():
                why = "terminated by other getUpdates request; make sure that only one bot instance is running"
                raise Refused(409, f"Conflict: {why}")
        limit = int(given.get("limit", 100))
        return [{"update_id": id, kind: body} for id, kind, body in self._updates[:limit]]

    def _allow(self, given: Json) -> None:
        if "allowed_updates" in given:
            if unknown := set(given["allowed_updates"]) - ALL_UPDATES:
                self.complaints.append(f"allowed_updates names {sorted(unknown)}")
            self._allowed = set(given["allowed_updates"]) or set(DEFAULT_UPDATES)

    def _confirm(self, offset: int) -> None:
        if offset < 0:
            self._updates = self._updates[offset:]
        self._updates = [one for one in self._updates if one[0] >= offset]

    def _setWebhook(self, given: Json) -> bool:
        self._allow(given)
        self._webhook = {name: given[name] for name in ("url", "secret_token") if given.get(name)}
        self._drop(given)
        self._news.set()
        return True

    def _deleteWebhook(self, given: Json) -> bool:
        self._webhook = {}
        self._drop(given)
        return True

    def _drop(self, given: Json) -> None:
        if given.get("drop_pending_updates"):
            self._updates.clear()

    def _getWebhookInfo(self, _given: Json) -> Json:
        info = {
            "url": self._webhook.get("url", ""), "has_custom_certificate": False,
            "pending_update_count": len(self._updates),
        }  # fmt: skip
        error = {"last_error_date": int(time.time()), "last_error_message": self._webhook_error}
        return info | (error if self._webhook_error else {})

    async def _post_updates(self) -> None:
        """To the webhook: of each chat one at a time, each until it is taken; of several chats in order of arrival,
        unless there are several connections."""
        async with ClientSession(timeout=ClientTimeout(total=5)) as session, asyncio.TaskGroup() as posts:
            while True:
                self._news.clear()
                for id, kind, body in self._updates if self._webhook else ():
                    lane = _chat_of(body)
                    if lane not in self._posting and len(self._posting) < self.connections:
                        self._posting.add(lane)
                        posts.create_task(self._post(session, lane, id, {"update_id": id, kind: body}))
                await self._news.wait()

    async def _post(self, session: ClientSession, lane: int, id: int, update: Json) -> None:
        if await self._posted(session, update):
            self._updates = [one for one in self._updates if one[0] != id]
        else:
            await asyncio.sleep(WEBHOOK_RETRY_S)
        self._posting.discard(lane)
        self._news.set()

    async def _posted(self, session: ClientSession, update: Json) -> bool:
        secret = self._webhook.get("secret_token")
        headers = {"X-Telegram-Bot-Api-Secret-Token": secret} if secret else {}
        try:
            async with session.post(self._webhook["url"], json=update, headers=headers) as answer:
                error = "" if answer.ok else f"Wrong response from the webhook: {answer.status}"
        except (ClientError, OSError, TimeoutError):
            error = "Connection refused"
        self._webhook_error = error
        return not error

    # ---- methods: about the bot, its chats, its menus

    def _getMe(self, _given: Json) -> Json:
        abilities = ("can_join_groups", "can_read_all_group_messages", "can_connect_to_business", "has_main_web_app")
        return self.bot | {name: name == "can_join_groups" for name in abilities} | {"supports_inline_queries": False}

    def _menu(self, given: Json) -> tuple[str, str]:
        """Whose menu, `default` or `chat -100123`, and in which language."""
        scope = given.get("scope", {"type": "default"})
        chat = f" {self._chat(scope).id}" if "chat_id" in scope else ""
        return f"{scope['type']}{chat}", given.get("language_code", "")

    def _setMyCommands(self, given: Json) -> bool:
        for one in given["commands"]:
            if not COMMAND.fullmatch(one["command"]):
                raise bad("BOT_COMMAND_INVALID")
            if not 1 <= len(one["description"]) <= 256:
                raise bad("BOT_COMMAND_DESCRIPTION_INVALID")
        if len(given["commands"]) > 100:
            raise bad("BOT_COMMANDS_TOO_MUCH")
        self.menus[self._menu(given)] = given["commands"]
        return True

    def _getMyCommands(self, given: Json) -> list[Json]:
        return self.menus.get(self._menu(given), [])

    def _deleteMyCommands(self, given: Json) -> bool:
        self.menus.pop(self._menu(given), None)
        return True

    def _chat(self, given: Json) -> Chat:
        """The chat of a call, if the bot may write there."""
        chat = self._chats.get(id := int(given["chat_id"]))
        if chat is None:
            if id in self._people:
                raise Refused(403, "Forbidden: bot can't initiate conversation with a user")
            raise bad("chat not found")
        if id in self._blocked:
            raise Refused(403, "Forbidden: bot was blocked by the user")
        if chat.migrated_to:
            why = "Bad Request: group chat was upgraded to a supergroup chat"
            raise Refused(400, why, migrate_to_chat_id=chat.migrated_to)
        if chat.members.get(700) not in ("member", "administrator"):
            raise Refused(403, f"Forbidden: bot was kicked from the {chat.kind} chat")
        return chat

    def _getChat(self, given: Json) -> Json:
        more = {"accent_color_id": 0, "max_reaction_count": 11, "accepted_gift_types": _no_gifts()}
        return self._chat(given).about | more

    def _getChatMember(self, given: Json) -> Json:
        id = int(given["user_id"])
        who = self.bot if id == 700 else self._people.get(id)
        if who is None:
            raise bad("user not found")
        return _member(who, self._chat(given).members.get(id, "left"))

    def _getChatAdministrators(self, given: Json) -> list[Json]:
        members = self._chat(given).members.items()
        return [_member(self._people[id], one) for id, one in members if one in ("creator", "administrator")]

    def _leaveChat(self, given: Json) -> bool:
        self._bot_is(self._chat(given), "left", self.bot)
        return True

    def _sendChatAction(self, given: Json) -> bool:
        self._chat(given)
        return True

    # ---- methods: messages

    def _sendMessage(self, given: Json) -> Json:
        chat = self._chat(given)
        self._check_flood(chat)
        return self._add(chat, self.bot, {**self._said(given, "text"), **self._placed(chat, given), **_markup(given)})

    def _sendDocument(self, given: Json) -> Json:
        return self._send_file(given, "document", lambda file: file)

    def _sendPhoto(self, given: Json) -> Json:
        return self._send_file(given, "photo", lambda file: [file | {"width": 90, "height": 90}])

    def _send_file(self, given: Json, kind: str, shape: Callable[[Json], Any]) -> Json:
        chat = self._chat(given)
        self._check_flood(chat)
        name, content = self._uploaded(given, kind)
        self._ids["file"] += 1
        id = f"file-{self._ids['file']}"
        self._files[f"{kind}s/{id}"] = content
        file = {"file_id": id, "file_unique_id": id, "file_size": len(content)}
        file |= {"file_name": name} if kind == "document" else {}
        caption = self._said(given, "caption") if given.get("caption") else {}
        return self._add(chat, self.bot, {kind: shape(file), **caption, **self._placed(chat, given), **_markup(given)})

    def _uploaded(self, given: Json, kind: str) -> tuple[str, bytes]:
        file = given.get(kind)
        if isinstance(file, str) and file.startswith("attach://"):
            file = given.get(file.removeprefix("attach://"))
        if not isinstance(file, tuple):
            raise bad(f"there is no {kind} in the request")
        return file

    def _getFile(self, given: Json) -> Json:
        path = next((one for one in self._files if one.endswith(f"/{given['file_id']}")), None)
        if path is None:
            raise bad("invalid file_id")
        size = len(self._files[path])
        return {"file_id": given["file_id"], "file_unique_id": given["file_id"], "file_size": size, "file_path": path}

    def _said(self, given: Json, part: str) -> Json:
        """Text or caption after parsing, with its entities."""
        text, entities = str(given.get(part, "")), []
        if given.get("parse_mode"):
            if given["parse_mode"] != "HTML":
                raise bad("unsupported parse_mode")
            try:
                text, entities = parsed(text)
            except Unparsable as error:
                raise bad(f"can't parse entities: {error}") from error
        if not text.strip():
            raise bad("message text is empty")
        if units(text) > (MOST_TEXT if part == "text" else MOST_CAPTION):
            raise bad("message is too long" if part == "text" else "message caption is too long")
        entities = entities + found_in(text, entities)
        name = "entities" if part == "text" else "caption_entities"
        return {part: text, **({name: entities} if entities else {})}

    def _placed(self, chat: Chat, given: Json) -> Json:
        """In which thread, and as a reply to what."""
        thread = int(given["message_thread_id"]) if "message_thread_id" in given else None
        if thread is not None and (thread == GENERAL or thread not in chat.topics):
            raise bad("message thread not found")
        reply = given.get("reply_parameters") or {}
        target = reply.get("message_id")
        if target is not None and target not in chat.messages:
            if not reply.get("allow_sending_without_reply"):
                raise bad("message to be replied not found")
            target = None
        return _in_thread(chat, thread, target)

    def _check_flood(self, chat: Chat) -> None:
        """One message a second in a chat, twenty a minute in a group."""
        now, sent = time.monotonic(), chat.sent_at
        if self.flood and sent and now - sent[-1] < 1:
            raise Refused(429, "Too Many Requests: retry after 1", retry_after=1)
        if self.flood and chat.kind != "private" and len(sent) == 20 and now - sent[0] < 60:
            wait = int(61 - (now - sent[0]))
            raise Refused(429, f"Too Many Requests: retry after {wait}", retry_after=wait)
        sent.append(now)

    def _own(self, given: Json) -> tuple[Chat, Json]:
        chat = self._chat(given)
        message = chat.messages.get(int(given["message_id"]))
        if message is None:
            raise bad("message to edit not found")
        if message["from"] is not self.bot:
            raise bad("message can't be edited")
        return chat, message

    def _editMessageText(self, given: Json) -> Json:
        return self._change_message(given, self._said(given, "text"), ("text", "entities"))

    def _editMessageCaption(self, given: Json) -> Json:
        return self._change_message(given, self._said(given, "caption"), ("caption", "caption_entities"))

    def _editMessageReplyMarkup(self, given: Json) -> Json:
        return self._change_message(given, {}, ())

    def _change_message(self, given: Json, fields: Json, parts: tuple[str, ...]) -> Json:
        _, message = self._own(given)
        new = {name: value for name, value in message.items() if name not in (*parts, "reply_markup", "edit_date")}
        new |= {**fields, **_markup(given)}
        if new == {name: value for name, value in message.items() if name != "edit_date"}:
            same = "specified new message content and reply markup are exactly the same as a current content and reply"
            raise bad(f"message is not modified: {same} markup of the message")
        message.clear()
        message.update(new, edit_date=int(time.time()))
        return message

    def _deleteMessage(self, given: Json) -> bool:
        if self._chat(given).messages.pop(int(given["message_id"]), None) is None:
            raise bad("message to delete not found")
        return True

    def _answerCallbackQuery(self, given: Json) -> bool:
        query = given["callback_query_id"]
        if len(given.get("text", "")) > 200:
            raise bad("MESSAGE_TOO_LONG")
        if not self._queries.pop(query, False):
            raise bad("query is too old and response timeout expired or query ID is invalid")
        self.notices[query] = (given.get("text", ""), bool(given.get("show_alert")))
        return True


def _chat_of(body: Json) -> int:
    """Where an update comes from; 0: from no chat."""
    chat: Json = body.get("chat") or body.get("message", {}).get("chat", {})
    return int(chat.get("id", 0))


def _in_thread(chat: Chat, thread: int | None, reply_to: int | None) -> Json:
    """A topic's messages name its thread; so does a reply in a supergroup without topics, without being in one."""
    fields: Json = {}
    if thread is not None and thread != GENERAL:
        fields = {"message_thread_id": thread, "is_topic_message": True}
    if reply_to is not None:
        target = chat.messages[reply_to]
        fields["reply_to_message"] = {name: value for name, value in target.items() if name != "reply_to_message"}
        if chat.kind == "supergroup" and not chat.about.get("is_forum"):
            fields["message_thread_id"] = reply_to
    return fields


def _markup(given: Json) -> Json:
    markup = given.get("reply_markup")
    for row in (markup or {}).get("inline_keyboard", []):
        for button in row:
            if not 1 <= len(str(button.get("callback_data", "")).encode()) <= MOST_CALLBACK:
                raise bad("BUTTON_DATA_INVALID")
            if not button.get("text"):
                raise bad("can't parse inline keyboard button: Text is empty")
    return {"reply_markup": markup} if markup and markup.get("inline_keyboard") else {}


def _member(user: Json, status: str) -> Json:
    about: Json = {"user": user, "status": status}
    if status == "administrator":
        about |= {name: name == "can_manage_chat" for name in NO_RIGHTS}
    if status == "creator":
        about |= {"is_anonymous": False}
    if status == "kicked":
        about |= {"until_date": 0}
    return about


def _no_gifts() -> Json:
    kinds = ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels")
    return dict.fromkeys(kinds, False)


async def _given(request: web.Request) -> Json:
    """The parameters, however they were sent; an upload is (name, bytes)."""
    given: Json = {name: _plain(value) for name, value in request.query.items()}
    if request.content_type == "application/json":
        return given | (await request.json())
    for name, value in (await request.post()).items():
        if isinstance(value, web.FileField):
            given[name] = (value.filename, value.file.read())
        else:
            given[name] = _plain(str(value), name)
    return given


def _plain(value: str, name: str = "") -> Any:
    """A form's field as what it encodes; what people read stays text whatever it looks like."""
    if name in ("text", "caption", "url", "secret_token", "callback_query_id", "file_id"):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value

"""A bot on a real Synapse, in a thread of its own, and the people who talk to it, in plain and in encrypted rooms."""

from __future__ import annotations

import asyncio
import functools
import itertools
import json
import secrets
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import wait
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from nio import AsyncClient, AsyncClientConfig, RoomSendResponse

from adapters import wiring
from adapters.limits import Limits
from adapters.matrix.bot import MatrixBot
from adapters.wiring import Place, now
from core.app import App
from events.beside import MessageKey
from events.log import EventLog
from events.sqlite import SqliteLog
from tests.servers.synapse import Synapse, running

T = TypeVar("T")
Json = dict[str, Any]
PATIENCE_S = 60.0
ENCRYPTION = {"type": "m.room.encryption", "state_key": "", "content": {"algorithm": "m.megolm.v1.aes-sha2"}}


def wait_for(found: Callable[[], T], within_s: float = PATIENCE_S) -> T:
    """What `found` gives as soon as it gives something."""
    deadline = time.monotonic() + within_s
    while not (result := found()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)
    return result


@functools.cache
def loop() -> asyncio.AbstractEventLoop:
    """Where bots and clients run, in a thread of its own. One thread: nio's stores get into each other's way in two."""
    made = asyncio.new_event_loop()
    threading.Thread(target=made.run_forever, daemon=True).start()
    return made


@dataclass(frozen=True)
class Settings:
    """The section [matrix]."""

    homeserver: str
    user: str = ""
    access_token: str | None = None
    password: str | None = None
    device_id: str | None = None
    store: str | None = None
    pickle_key: str | None = "a secret"
    allow: tuple[str, ...] = ()
    encryption: bool = True


class Running:
    """The bot while it runs, on the log in a file or in a database."""

    def __init__(
        self, settings: Settings, path: Place, clock: Callable[[], float] = time.time, patience_s: float = 900.0,
        limits: Limits | None = None,
    ) -> None:  # fmt: skip
        self.settings, self.path, self.clock, self.patience_s = settings, path, clock, patience_s
        self.limits = limits

    def __enter__(self) -> Running:
        self.log = wiring.opened(self.path)
        self.app = App(self.log, now, secrets.token_bytes)
        self.bot = MatrixBot(self.app, self.settings, self.clock, self.patience_s, self.limits)
        self._stop = asyncio.Event()
        self._running = asyncio.run_coroutine_threadsafe(self.bot.run(self._stop, drain_s=5), loop())
        return self

    def __exit__(self, *_: object) -> None:
        loop().call_soon_threadsafe(self._stop.set)
        wait([self._running], PATIENCE_S)
        assert self._running.done()
        self.log.close()

    @property
    def failed(self) -> BaseException | None:
        """What ended it by itself."""
        return self._running.exception() if self._running.done() else None

    def settled(self) -> Running:
        """When it has looked round for the first time."""
        wait_for(lambda: self.failed or self.place)
        assert self.failed is None, self.failed
        return self

    @property
    def place(self) -> int:
        """The number of the last change at the server that it has taken."""
        token = self.log.bookmark(f"matrix:sync:{self.settings.user}")
        return 0 if token is None or not hasattr(self.bot, "reader") else position(token)


def position(token: str) -> int:
    """Of `s12_3_…`: how many events the server has had."""
    return int(token.removeprefix("s").partition("_")[0].partition("~")[0])


def bot_on(server: Synapse, folder: Path, **more: Any) -> Settings:
    """The settings of a new bot with a token, its keys in `folder`."""
    user = server.register("Rollbook")
    token = {"access_token": user["access_token"], "device_id": user["device_id"]}
    return Settings(server.base_url, user["user_id"], store=str(folder / "keys"), **(token | more))


class Person:
    """Somebody without encryption, by plain requests."""

    def __init__(self, server: Synapse, name: str, folder: Path | None = None) -> None:  # noqa: ARG002  see Encrypted
        self.server, self.name = server, name
        user = server.register(name)
        self.account, self.token, self.device_id = user["user_id"], user["access_token"], user["device_id"]
        self._count = itertools.count(1)

    def ask(self, method: str, path: str, body: Json | None = None, **query: str) -> Json:
        """A request to the client API; refusals are raised."""
        asked = f"?{urlencode(query)}" if query else ""
        return self.server.request(method, f"/_matrix/client/v3/{path}{asked}", body, self.token)

    # ---- rooms

    def room(self, *others: str, encrypted: bool = False, direct: bool = False, **more: Any) -> str:
        """A new one, with an invitation to each of these accounts; the creator has power over it."""
        body = {
            "preset": "private_chat", "is_direct": direct, "invite": list(others),
            "initial_state": [ENCRYPTION] if encrypted else [],
        } | more  # fmt: skip
        return str(self.ask("POST", "createRoom", body)["room_id"])

    def join(self, room: str) -> None:
        self.ask("POST", f"join/{quote(room, safe='')}", {})

    def change(self, room: str, what: str, account: str) -> None:
        """invite, kick, ban."""
        self.ask("POST", f"rooms/{quote(room, safe='')}/{what}", {"user_id": account})

    def leave(self, room: str) -> None:
        self.ask("POST", f"rooms/{quote(room, safe='')}/leave", {})

    def invitations(self) -> list[str]:
        """The rooms to which this person is invited now."""
        return list(self._now().get("rooms", {}).get("invite", {}))

    def members(self, room: str, membership: str = "join") -> set[str]:
        found = self.ask("GET", f"rooms/{quote(room, safe='')}/members", membership=membership)["chunk"]
        return {one["state_key"] for one in found}

    # ---- events

    def send(self, room: str, content: Json, kind: str = "m.room.message") -> str:
        path = f"rooms/{quote(room, safe='')}/send/{kind}/t{next(self._count)}"
        return str(self.ask("PUT", path, content)["event_id"])

    def say(self, room: str, text: str, **content: Any) -> str:
        return self.send(room, {"msgtype": "m.text", "body": text, **content})

    def say_in_thread(self, room: str, root: str, text: str) -> str:
        relation = {"rel_type": "m.thread", "event_id": root, "is_falling_back": True}
        return self.say(room, text, **{"m.relates_to": relation | {"m.in_reply_to": {"event_id": root}}})

    def edit(self, room: str, event: str, text: str) -> str:
        new = {"msgtype": "m.text", "body": text}
        return self.say(
            room, f"* {text}", **{"m.new_content": new, "m.relates_to": {"rel_type": "m.replace", "event_id": event}}
        )

    def react(self, room: str, event: str, sign: str) -> str:
        relation = {"rel_type": "m.annotation", "event_id": event, "key": sign}
        return self.send(room, {"m.relates_to": relation}, "m.reaction")

    def redact(self, room: str, event: str) -> None:
        self.ask("PUT", f"rooms/{quote(room, safe='')}/redact/{quote(event, safe='')}/t{next(self._count)}", {})

    def seen(self, room: str) -> list[Json]:
        """Everything that this person can see in the room, oldest first."""
        found: list[Json] = []
        query = {"dir": "b", "limit": "500"}
        while True:
            page = self.ask("GET", f"rooms/{quote(room, safe='')}/messages", **query)
            found = [*reversed(page["chunk"]), *found]
            if not page.get("end") or not page["chunk"]:
                return found
            query["from"] = page["end"]

    def notices(self, room: str, of: str) -> list[Json]:
        """The messages of this account, oldest first."""
        return [one for one in self.seen(room) if one["type"] == "m.room.message" and one["sender"] == of]

    def up_to_date(self, room: str) -> bool:  # noqa: ARG002  see Encrypted
        """Whether `seen` has all that the server has."""
        return True

    def place(self) -> int:
        """How many events the server has had."""
        return position(self._now()["next_batch"])

    def _now(self) -> Json:
        """A first sync, each with another filter: the server keeps its answers for a while."""
        asked = {"room": {"timeline": {"limit": 1}}, "presence": {"types": [], "limit": next(self._count)}}
        return self.ask("GET", "sync", timeout="0", filter=json.dumps(asked))

    def close(self) -> None:
        """Nothing to let go of."""


class Encrypted(Person):
    """Somebody with a client of their own (matrix-nio) that encrypts."""

    def __init__(self, server: Synapse, name: str, folder: Path | None = None) -> None:
        super().__init__(server, name)
        assert folder
        self.folder, self._keys = folder, []
        self._begin()

    def _begin(self) -> None:
        self._events: dict[str, list[Json]] = {}
        self.client = self.do(self._opened())
        self._task = asyncio.run_coroutine_threadsafe(self._listen(), loop())
        wait_for(lambda: self.client.next_batch and not self.client.should_upload_keys)

    async def _opened(self) -> AsyncClient:
        store = self.folder / f"client-{self.device_id}"
        store.mkdir(parents=True)
        config = AsyncClientConfig(pickle_key="another secret", max_timeout_retry_wait_time=1)
        client = AsyncClient(self.server.base_url, self.account, store_path=str(store), config=config)
        client.restore_login(self.account, self.device_id, self.token)
        return client

    def another_device(self) -> Encrypted:
        """The same person, logged in a second time."""
        other = copy(self)
        body = {"type": "m.login.password", "user": self.account, "password": f"{self.name}-password"}
        login = self.ask("POST", "login", body)
        other.token, other.device_id = login["access_token"], login["device_id"]
        other._begin()
        return other

    def new_key(self, room: str) -> None:
        """What is said here from now on has a key of its own."""
        self.do(self._new_key(room))

    async def _new_key(self, room: str) -> None:
        self.client.invalidate_outbound_session(room)

    def say_before_the_key(self, room: str, text: str) -> str:
        """With a key that nobody gets before `send_the_keys`."""
        return self.do(self._say_before_the_key(room, {"msgtype": "m.text", "body": text}))

    async def _say_before_the_key(self, room: str, content: Json) -> str:
        olm, users = self.client.olm, list(self.client.rooms[room].users)
        if missing := self.client.get_missing_sessions(room):
            await self.client.keys_claim(missing)
        olm.create_outbound_group_session(room)
        shared = olm.share_group_session_parallel(room, users, ignore_unverified_devices=True)
        self._keys += [messages for _, messages in shared]
        olm.outbound_group_sessions[room].shared = True
        return await self._sent(room, content, "m.room.message")

    def send_as(self, room: str, kind: str, content: Json, **fields: str) -> str:
        """An encrypted event whose inside is of this kind, as a crafty client might make it."""
        return self.do(self._send_as(room, {"type": kind, "content": content, **fields}))

    async def _send_as(self, room: str, inside: Json) -> str:
        await self._sent(room, {"msgtype": "m.text", "body": "so that the key is shared"}, "m.room.message")
        sealed = self.client.olm.group_encrypt(room, inside)
        path = f"rooms/{quote(room, safe='')}/send/m.room.encrypted/t{next(self._count)}"
        return str((await asyncio.to_thread(self.ask, "PUT", path, sealed))["event_id"])

    def send_the_keys(self) -> None:
        """Of what was said before its key."""
        for messages in self._keys:
            self.ask("PUT", f"sendToDevice/m.room.encrypted/k{next(self._count)}", messages)
        self._keys.clear()

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, loop()).result(PATIENCE_S)

    async def _listen(self) -> None:
        self.client.add_response_callback(self._came)
        await self.client.sync_forever(10_000, {"room": {"timeline": {"limit": 500}}}, full_state=True)

    async def _came(self, response: Any) -> None:
        for room_id, info in getattr(getattr(response, "rooms", None), "join", {}).items():
            self._events.setdefault(room_id, []).extend(
                one.source | {"sealed": one.source["type"] == "m.room.encrypted"} for one in info.timeline.events
            )

    def send(self, room: str, content: Json, kind: str = "m.room.message") -> str:
        wait_for(lambda: room in self.client.rooms)
        return self.do(self._sent(room, content, kind))

    async def _sent(self, room: str, content: Json, kind: str) -> str:
        answer = await self.client.room_send(room, kind, content, ignore_unverified_devices=True)
        assert isinstance(answer, RoomSendResponse), answer
        return str(answer.event_id)

    def seen(self, room: str) -> list[Json]:
        return list(self._events.get(room, []))

    def up_to_date(self, room: str) -> bool:
        last = super().seen(room)[-1]["event_id"]
        return any(one["event_id"] == last for one in self.seen(room))

    def close(self) -> None:
        self._task.cancel()
        self.do(self.client.close())


class MatrixChat:
    """gm, ann and tom with the bot in a room; gm and ann have a direct room with it. Keeps to `chat_contract.Chat`."""

    def __init__(self, folder: Path, *, encrypted: bool = False) -> None:
        self.server, self.path = running(), folder / "rollbook.db"
        self.settings = bot_on(self.server, folder)
        self.me = self.settings.user
        kind = Encrypted if encrypted else Person
        self.people = {name: kind(self.server, name, folder) for name in ("gm", "ann", "tom")}
        self._before: dict[str, str | None] = {}
        self._start()
        gm, ann, tom = self.people.values()
        self.room = gm.room(self.me, ann.account, tom.account, encrypted=encrypted)
        ann.join(self.room)
        tom.join(self.room)
        self.own = {one.name: one.room(self.me, encrypted=encrypted, direct=True) for one in (gm, ann)}
        for name, room in (("gm", self.room), *self.own.items()):
            said_hello(self.people[name], room, self.me)

    def _start(self) -> None:
        self.running = Running(self.settings, self.path).__enter__().settled()

    def _settle(self) -> None:
        place, log = self.people["gm"].place(), self.running.log
        wait_for(lambda: self.running.place >= place)
        wait_for(lambda: not log.pending("matrix"))

    def say(self, name: str, text: str) -> str:
        token = self.running.log.bookmark(f"matrix:sync:{self.me}")
        message = self.people[name].say(self.room, f"!{text[1:]}" if text.startswith("/") else text)
        self._before[message] = token
        self._settle()
        return message

    def again(self, message: str) -> None:
        self._end()
        log = SqliteLog(self.path)
        log.set_bookmark(f"matrix:sync:{self.me}", self._before[message] or "")
        log.close()
        self._start()
        self._settle()

    def edit(self, message: str, text: str) -> None:
        (sender,) = wait_for(lambda: [one for one in self.people.values() if self._wrote(one, message)])
        sender.edit(self.room, message, f"!{text[1:]}" if text.startswith("/") else text)
        self._settle()

    def _wrote(self, one: Person, message: str) -> bool:
        return any((event["event_id"], event["sender"]) == (message, one.account) for event in one.seen(self.room))

    def key(self, message: str) -> MessageKey:
        return MessageKey("matrix", self.room, message)

    def heard(self) -> list[str]:
        return self._texts("gm", self.room)

    def heard_by(self, name: str) -> list[str]:
        return self._texts(name, self.own[name]) if name in self.own else []

    def _texts(self, name: str, room: str) -> list[str]:
        one = self.people[name]
        wait_for(lambda: one.up_to_date(room))
        return [said["content"]["body"] for said in one.notices(room, self.me)][1:]  # the first is hello

    def restart(self) -> None:
        self._end()
        self._start()

    def _end(self) -> None:
        self.running.__exit__()

    def log(self) -> EventLog:
        return self.running.log

    def close(self) -> None:
        self._end()
        for one in self.people.values():
            one.close()


def said_hello(one: Person, room: str, bot: str) -> None:
    """When the bot has come and this person has seen its first words."""
    wait_for(lambda: one.notices(room, bot))


# ---- what tests ask of a room


def opened(settings: Settings, gm: Person, *others: Person, system: str = "savage", **more: Any) -> str:
    room = gm.room(settings.user, *(one.account for one in others), **more)
    for one in others:
        one.join(room)
    said_hello(gm, room, settings.user)
    assert "Glacier" in ask(gm, room, settings, f"!table new {system} Glacier")
    return room


def answers(one: Person, room: str, settings: Settings, message: str) -> list[Json]:
    """What the bot has replied to this message."""
    return [event for event in one.notices(room, settings.user) if replied(event) == message]


def replied(event: Json) -> str | None:
    found: str | None = event["content"].get("m.relates_to", {}).get("m.in_reply_to", {}).get("event_id")
    return found


def ask(one: Person, room: str, settings: Settings, text: str) -> str:
    """A command, and the first thing that the bot says to it."""
    return str(answer(one, room, settings, one.say(room, text))["content"]["body"])


def answer(one: Person, room: str, settings: Settings, message: str) -> Json:
    return wait_for(lambda: answers(one, room, settings, message))[0]


def said(one: Person, room: str, settings: Settings) -> list[str]:
    return [event["content"]["body"] for event in one.notices(room, settings.user)]


def rolls(path: Path) -> int:
    """How many rolls are in the log's file."""
    log = SqliteLog(path)
    found = sum(b'"type":"RollMade"' in one.body for table in log.tables() for one in log.read(table))
    log.close()
    return found


def choice(gm: Person, ann: Person, settings: Settings, **more: Any) -> tuple[str, Json]:
    """A room with a choice of ann's in it, and the message that offers it."""
    room = opened(settings, gm, ann, system="adventure", **more)
    for one, text in ((ann, "!char new Ann DEX=1"), (gm, "!house physical-dice on"), (gm, "!session start")):
        ask(one, room, settings, text)
    offer = answer(ann, room, settings, ann.say(room, "!move defy DEX dice=4,3"))
    assert "1) mark a condition" in offer["content"]["body"]
    wait_for(lambda: len(signs(gm, room, settings, offer)) >= 2)
    return room, offer


def signs(one: Person, room: str, settings: Settings, message: Json) -> list[str]:
    """What the bot has put under a message."""
    relations = [event["content"].get("m.relates_to", {}) for event in one.seen(room) if event["type"] == "m.reaction"]
    return [found["key"] for found in relations if found.get("event_id") == message["event_id"]]


def made(path: Path) -> int:
    log = SqliteLog(path)
    found = sum(b'"type":"ChoiceMade"' in one.body for table in log.tables() for one in log.read(table))
    log.close()
    return found

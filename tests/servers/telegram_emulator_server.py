"""The emulator's process, in its own environment: `lo-bot-api-emulator` with Telegram's ways where they differ.

Run by path from `telegram_emulator.py`; it imports nothing of ours, for there is nothing of ours where it runs.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from html import unescape
from typing import Any

from aiohttp import web
from lo_bot_api_emulator import CONTRACT, ApiRefusal, LoBotApiEmulator, updates

BOT = {"id": 7, "is_bot": True, "first_name": "Rollbook", "username": "rollbook_bot"}
TELEGRAM_ONLY = {"message_thread_id", "link_preview_options", "protect_content"}  # taken, and of no effect here
MORE_UPDATES = {"edited_message", "my_chat_member"}
BY_LOWER_CASE = {name.lower(): name for name in CONTRACT["methods"]}

Json = dict[str, Any]


class Queues(updates.UpdateQueues):
    async def enqueue(self, token: str, update: Json) -> int:
        """Telegram drops the kinds that the bot has not asked for; the emulator would keep them for ever."""
        allowed = self._state(token).allowed
        if allowed and not set(update) & set(allowed):
            return 0
        return int(await super().enqueue(token, update))

    async def poll(self, token: str, fields: Json, **options: Any) -> list[Json]:
        """A bot that ends hangs up; the emulator sees that within 0.1 s and would refuse the next one until then."""
        for _ in range(10):
            if not self._state(token).polling:
                break
            await asyncio.sleep(0.05)
        return await super().poll(token, fields, **options)


class Recording(LoBotApiEmulator):
    """Keeps every call with its contents."""

    def __init__(self) -> None:
        super().__init__(enable_control=True)
        self._update_queues = Queues(record=self._record, insecure_webhooks=True)
        self.calls: list[Json] = []

    async def handle(self, request: web.Request) -> web.Response:
        """Telegram's methods go by any case."""
        method = request.match_info["method"]
        request.match_info["method"] = BY_LOWER_CASE.get(method.lower(), method)
        return await super().handle(request)

    def validate(self, method: str, fields: Json, uploads: Json) -> Any:
        call: Json = {"method": method, "fields": {name: plain(value) for name, value in fields.items()}}
        call["files"] = {name: upload["filename"] for name, upload in uploads.items()}
        if method not in ("getUpdates", "getWebhookInfo"):
            self.calls.append(call)
        for name in TELEGRAM_ONLY & set(fields):
            del fields[name]
        try:
            call["result"] = result = told(method, super().validate(method, _parsed(fields), uploads))
        except ApiRefusal as refusal:
            call["refused"] = refusal.description
            raise
        return result

    async def show_calls(self, _request: web.Request) -> web.Response:
        return web.json_response(self.calls)

    def app(self) -> web.Application:
        app = super().app()
        app.router.add_get("/__fixture/calls", self.show_calls)
        return app


def _parsed(fields: Json) -> Json:
    """Telegram counts what is left when the markup was read."""
    if fields.get("parse_mode") != "HTML" or "text" not in fields:
        return fields
    return fields | {"text": unescape(re.sub(r"<[^>]*>", "", fields["text"]))}


def told(method: str, result: Any) -> Any:
    """A result as Telegram tells it: a bot with a name; messages with sender, time and the true kind of chat."""
    if method == "getMe":
        return result | BOT
    if isinstance(result, dict) and "chat" in result:
        return result | {"from": BOT, "chat": chat_of(result["chat"]["id"]), "date": int(time.time())}
    return result


def chat_of(id: int) -> Json:
    """A chat of the kind that Telegram's ids of this size have."""
    if id > 0:
        return {"id": id, "type": "private", "first_name": f"User {id}"}
    return {"id": id, "type": "supergroup" if id < -1_000_000_000_000 else "group", "title": f"Group {id}"}


def plain(value: Any) -> Any:
    """A form's field as the object that it encodes, where it encodes one."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


if __name__ == "__main__":
    updates.KINDS.update(MORE_UPDATES)
    web.run_app(Recording().app(), host="127.0.0.1", port=int(sys.argv[1]), access_log=None, print=None)

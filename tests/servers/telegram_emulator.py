"""Somebody else's reading of the Bot API, on loopback: the emulator `lo-bot-api-emulator`, and people who write to it.

Its queue, offsets, conflicts, webhooks and checks of parameters and markup are not ours, so it catches what our own
fake server (`telegram.py`) may have taken for granted. It is made for another messenger with the same API, hence
`telegram_emulator_server.py`. It never parses HTML, takes edits of any message, and refuses nobody.

The emulator lives in a virtual environment of its own in the user's cache folder, made at first use.

    with TelegramEmulator() as server:
        message = server.text(group, gm, "/roll 2d6")
        server.wait_for(lambda: server.of_bot(group["id"]))
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from filelock import FileLock

VERSION = "0.3.6"
TOKEN = "123456:TEST-TOKEN"
START_S, PATIENCE_S = 30.0, 15.0
SERVER = Path(__file__).with_name("telegram_emulator_server.py")

T = TypeVar("T")
Json = dict[str, Any]


def installed() -> Path:
    """A Python that has the emulator."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rollbook-test-servers"
    home = cache / f"lo-bot-api-emulator-{VERSION}"
    python, marker = home / "bin/python", home / "installed"
    cache.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{home}.lock"):
        if not marker.exists():
            venv.create(home, with_pip=True, clear=True)
            asked = ["--only-binary", ":all:", f"lo-bot-api-emulator=={VERSION}"]
            subprocess.run([python, "-m", "pip", "install", "-qq", *asked], check=True, stdout=sys.stderr)
            marker.touch()  # last, so that what was interrupted is done again
    return python


def chat_of(id: int) -> Json:
    """A chat of the kind that Telegram's ids of this size have."""
    if id > 0:
        return {"id": id, "type": "private", "first_name": f"User {id}"}
    return {"id": id, "type": "supergroup" if id < -1_000_000_000_000 else "group", "title": f"Group {id}"}


class TelegramEmulator:
    """A process with the emulator, and what people do and see there."""

    def __init__(self) -> None:
        self.token, self._said, self._people = TOKEN, 1_000_000, 1000  # far above the ids of the bot's own messages

    def __enter__(self) -> TelegramEmulator:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._log = tempfile.TemporaryFile()
        command = [installed(), SERVER, str(self.port)]
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log)
        self._until_ready()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._log.close()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/bot"

    @property
    def base_file_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/file/bot"

    def person(self, name: str) -> Json:
        self._people += 1
        return {"id": self._people, "is_bot": False, "first_name": name}

    def text(self, chat: int, by: Json, text: str) -> Json:
        """Somebody writes; the message."""
        self._said += 1
        about = {"message_id": self._said, "date": int(time.time()), "from": by, "chat": chat_of(chat), "text": text}
        self.update({"message": about})
        return about

    def edit(self, message: Json, text: str) -> None:
        self.update({"edited_message": message | {"text": text, "edit_date": int(time.time())}})

    def press(self, call: Json, data: str, by: Json) -> str:
        """Somebody presses a button under a message that the bot sent with this call; the query's id."""
        self._said += 1
        about = {"id": str(self._said), "from": by, "chat_instance": "1", "message": call["result"], "data": data}
        self.update({"callback_query": about})
        return str(self._said)

    def update(self, update: Json) -> None:
        """Any update for the bot."""
        self._asked("/__fixture/updates", {"token": self.token, "update": update})

    def calls(self, method: str) -> list[Json]:
        """The bot's calls that were carried out, oldest first."""
        return [one for one in self._asked("/__fixture/calls") if one["method"] == method and "result" in one]

    def refused(self) -> list[Json]:
        """The calls that the emulator did not take."""
        return [one for one in self._asked("/__fixture/calls") if "refused" in one]

    def of_bot(self, chat: int) -> list[Json]:
        """What the bot sent there."""
        return [one for one in self.calls("sendMessage") if int(one["fields"]["chat_id"]) == chat]

    @property
    def pending(self) -> int:
        """Updates that the bot has not confirmed."""
        return int(self._asked(f"/bot{self.token}/getWebhookInfo", {})["result"]["pending_update_count"])

    def wait_for(self, wanted: Callable[[], T]) -> T:
        """What `wanted` gives as soon as it is true."""
        deadline = time.monotonic() + PATIENCE_S
        while not (found := wanted()):
            if time.monotonic() > deadline:
                raise TimeoutError(f"still {found!r}; the last calls: {self._asked('/__fixture/calls')[-8:]}")
            time.sleep(0.01)
        return found

    def _until_ready(self) -> None:
        deadline = time.monotonic() + START_S
        while True:
            try:
                self._asked("/__fixture/calls")
            except (OSError, ValueError):  # refused, reset, or half an answer
                if self._process.poll() is not None or time.monotonic() > deadline:
                    self._log.seek(0)
                    raise RuntimeError(f"The emulator is not ready:\n{self._log.read().decode()}") from None
                time.sleep(0.02)
            else:
                return

    def _asked(self, path: str, body: Json | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data)
        request.add_header("Content-Type", "application/json")
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # no proxy sees what is on loopback
        with opener.open(request, timeout=30) as answer:
            return json.loads(answer.read())

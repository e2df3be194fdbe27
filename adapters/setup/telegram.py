"""The questions about Telegram: one token, which is shown to Telegram at once.

Here: what [telegram] is to hold. Never: how Telegram is asked (`adapters/telegram/checkup.py`).
"""

from __future__ import annotations

import asyncio
import re
import time

from adapters.config import BOT_TOKEN, SERVER, Telegram
from adapters.setup.allowed import allowed
from adapters.setup.dialogue import Dialogue
from adapters.setup.options import Answers, Known

ALLOWED = re.compile(r"@?[A-Za-z]\w{1,31}|-?\d{1,19}", re.ASCII)  # a person's name, or the number of one or of a group
GROUP = "https://t.me/{bot}?startgroup=true"


def answers(dialogue: Dialogue, known: Known, *, check: bool) -> Answers:
    """What is to be written; nothing where Telegram is not wanted, or stays as it is."""
    if not known.has_any("token", "base_url", "allow") and (dialogue.silent or not _wanted(dialogue, known)):
        return {}
    server, final = _server(dialogue, known), "token" in known.fixed
    token = known.given.get("token") or _kept(dialogue, known)
    while True:
        token = (token or dialogue.ask_secret("telegram.token")).strip()
        if not re.match(BOT_TOKEN, token):
            dialogue.complain("telegram.shape")
        elif not check or _accepted(dialogue, Telegram(token=token, **server), final=final):
            allow = allowed(dialogue, known, "telegram.allow", "telegram.nobody", ALLOWED)
            return {"token": token, "allow": allow} | server
        token = ""


def _wanted(dialogue: Dialogue, known: Known) -> bool:
    has = bool(known.has.get("token"))
    return dialogue.confirm("telegram.change" if has else "telegram.wanted", default=not has)


def _kept(dialogue: Dialogue, known: Known) -> str:
    """The token that is there, where it is to stay."""
    token = str(known.has.get("token") or "")
    return token if token and dialogue.confirm("telegram.keep_token", default=True) else ""


def _server(dialogue: Dialogue, known: Known) -> Answers:
    """Another Bot API server, where one is given."""
    found = {key: known.given.get(key) or known.has.get(key) for key in ("base_url", "base_file_url")}
    if (url := found["base_url"]) and not found["base_file_url"] and "base_url" not in known.fixed:
        found["base_file_url"] = re.sub("/bot$", "/file/bot", url)
    for address in filter(None, found.values()):
        if not re.match(SERVER, address):
            dialogue.stop("telegram.base_url")
    return {key: address for key, address in found.items() if address}


def _accepted(dialogue: Dialogue, settings: Telegram, *, final: bool) -> bool:
    from adapters.telegram.checkup import checked  # its library is slow to load

    found = asyncio.run(checked(settings, time.time))
    accepted = dialogue.accepts(found, final=final)
    if accepted and found.name:
        dialogue.tell("telegram.group", link=GROUP.format(bot=found.name))
    return accepted

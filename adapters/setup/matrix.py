"""The questions about Matrix: an account, where it lives, how it logs in; whom it follows, and what it can read.

Here: what [matrix] is to hold. Never: how a homeserver is asked (`adapters/matrix/credentials.py`).
"""

from __future__ import annotations

import asyncio
import glob
import re
import secrets
import time
from pathlib import Path

from adapters.config import SERVER, Matrix
from adapters.findings import Checked
from adapters.setup.allowed import allowed
from adapters.setup.dialogue import Dialogue
from adapters.setup.options import Answers, Known

ACCOUNT = re.compile(r"@[^:\s]+:[^\s/@]+")
ALLOWED = re.compile(r"@[^:\s]+:[^\s/@]+|![^\s]+|[^\s/@!]+[.:][^\s/@]+|localhost")  # an account, a room, a server
LOGIN = ("user", "homeserver", "password", "access_token")


def answers(dialogue: Dialogue, known: Known, *, check: bool) -> Answers:
    """What is to be written; nothing where Matrix is not wanted, or stays as it is."""
    if not known.has_any(*LOGIN, "allow", "encryption") and (dialogue.silent or not _wanted(dialogue, known)):
        return {}
    login = _login(dialogue, known, check=check) if _anew(dialogue, known) else {}
    allow = allowed(dialogue, known, "matrix.allow", "matrix.nobody", ALLOWED)
    found = login | {"allow": allow, "encryption": _encryption(dialogue, known)}
    user = login.get("user") or known.has["user"]
    if found["encryption"] and (key := _pickle_key(known, user)):
        found["pickle_key"] = key
    dialogue.tell("matrix.room", user=user)
    return found


def _wanted(dialogue: Dialogue, known: Known) -> bool:
    has = bool(known.has.get("user"))
    return dialogue.confirm("matrix.change" if has else "matrix.wanted", default=known.first and not has)


def _anew(dialogue: Dialogue, known: Known) -> bool:
    """Whether the login is asked for, and not the one that is there."""
    has = known.has
    whole = has.get("user") and has.get("homeserver") and (has.get("password") or has.get("access_token"))
    if not whole or known.has_any(*LOGIN):
        return True
    return not dialogue.confirm("matrix.keep_login", default=True, user=has["user"])


# ---- the login


def _login(dialogue: Dialogue, known: Known, *, check: bool) -> Answers:
    given, final = dict(known.given), not known.fixed.keys().isdisjoint({"user", "password", "access_token"})
    before, at = str(known.has.get("user") or ""), ""
    while True:
        user = _account(dialogue, given.pop("user", ""), before)
        if not at or user != before:
            default = str(known.has.get("homeserver") or "") if user == before else ""
            at, reached = _homeserver(dialogue, user, given.pop("homeserver", ""), default, check=check)
        secret = _secret(dialogue, given)
        settings = Matrix(homeserver=at, user=user, store=_store(known), **secret)
        if not reached:
            return _to_write(settings)
        checked = _asked_login(settings)
        if dialogue.accepts(checked, final=final):
            return _to_write(settings) | {"user": checked.name or user}
        given, before = {}, user


def _to_write(settings: Matrix) -> Answers:
    return {key: getattr(settings, key) for key in LOGIN}


def _account(dialogue: Dialogue, given: str, before: str) -> str:
    while True:
        account = given or dialogue.ask("matrix.user", before)
        if ACCOUNT.fullmatch(account):
            return account
        dialogue.complain("matrix.no_account")
        given = ""


def _homeserver(dialogue: Dialogue, user: str, given: str, before: str, *, check: bool) -> tuple[str, bool]:
    """Its address, and whether it was reached: the one given, the one that the account's server tells, or one typed."""
    found = given or (_discovered(user) if check and not before else "")
    default = before or f"https://{user.partition(':')[2]}"
    while True:
        address = _whole_address(found or dialogue.ask("matrix.homeserver", default))
        found = ""
        if not re.match(SERVER, address):
            dialogue.complain("matrix.no_address")
            continue
        if not check:
            return address, False
        checked = _asked_homeserver(address)
        if dialogue.accepts(checked):
            return address, checked.answer == "taken"


def _whole_address(typed: str) -> str:
    return (typed if "://" in typed or not typed else f"https://{typed}").rstrip("/")


def _secret(dialogue: Dialogue, given: Answers) -> Answers:
    """A password or, without one, an access token."""
    token, password = given.get("access_token"), given.get("password")
    if not token and not password:
        password = dialogue.ask_secret("matrix.password")
        while not password and not token:
            token = dialogue.ask_secret("matrix.access_token").strip()
    return {"access_token": token} if token else {"password": password}


# ---- asked at the server; the library is slow to load


def _discovered(user: str) -> str:
    from adapters.matrix import credentials

    return asyncio.run(credentials.discovered(user.partition(":")[2])) or ""


def _asked_homeserver(address: str) -> Checked:
    from adapters.matrix import credentials

    return asyncio.run(credentials.homeserver(address, time.time))


def _asked_login(settings: Matrix) -> Checked:
    from adapters.matrix import credentials

    return asyncio.run(credentials.login(settings))


# ---- the rest


def _encryption(dialogue: Dialogue, known: Known) -> bool:
    from nio.crypto import ENCRYPTION_ENABLED  # type: ignore[import-untyped]

    given = known.given.get("encryption")
    if given is not None:
        return given not in (False, "false", "0")
    if not ENCRYPTION_ENABLED:
        dialogue.tell("matrix.no_library")
    return dialogue.confirm("matrix.encryption", default=bool(known.has.get("encryption", ENCRYPTION_ENABLED)))


def _pickle_key(known: Known, user: str) -> str | None:
    """A new one, unless there is one, or there are keys already, which no new one would open."""
    from adapters.matrix.device import store_of

    if known.has.get("pickle_key") or "pickle_key" in known.given:
        return None
    folder = store_of(Matrix(homeserver="", user=user, store=_store(known)))
    kept = any(folder.glob(f"{glob.escape(user)}_*.db"))
    return None if kept else secrets.token_urlsafe(32)


def _store(known: Known) -> str | None:
    store = known.given.get("store") or known.has.get("store")
    return str(Path(store).expanduser()) if store else None

"""Whether the homeserver knows the bot, and whether the keys of its device are in order: for `rollbook doctor`.

Here: questions alone. Never: a login, a device, a key that is made, an event that is sent.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlencode

from aiohttp import ClientError
from nio import AsyncClientConfig  # type: ignore[import-untyped]
from nio.crypto import ENCRYPTION_ENABLED  # type: ignore[import-untyped]

from adapters.config import Matrix
from adapters.findings import MISSHAPEN, Checkup, Finding, Findings, ServerClock, writable
from adapters.matrix.device import (
    DEVICE_NAME,
    NO_LONGER_KNOWN,
    OK,
    Client,
    kept_login,
    keys_file,
    store_of,
)
from adapters.matrix.words import CHECKUP

Json: TypeAlias = dict[str, Any]
Login: TypeAlias = dict[str, str]  # user_id, device_id, access_token
API = "/_matrix/client/v3"
ANSWER_S, LIMIT_S = 8.0, 20.0  # for one answer, for all of them
OTHERS = 0o077  # rights of everybody but the owner
ENCRYPTED = "m.room.encryption"
NOTHING: Json = {"types": []}
ROOMS: Json = {  # Synapse leaves out rooms of which there is nothing to say; they all have a beginning
    "state": {"types": ["m.room.create", ENCRYPTED]}, "timeline": {"types": [ENCRYPTED], "limit": 1},
    "ephemeral": NOTHING, "account_data": NOTHING,
}  # fmt: skip
found = Findings(CHECKUP)


async def checkup(settings: Matrix, clock: Callable[[], float]) -> Checkup:
    """`clock` gives seconds since 1970."""
    server, findings = ServerClock(clock), list(_store(settings))
    quick = AsyncClientConfig(request_timeout=ANSWER_S, encryption_enabled=False)
    client = Client(settings.homeserver.rstrip("/"), settings.user, config=quick)
    try:
        async with asyncio.timeout(LIMIT_S):
            async for finding in _looked_over(client, settings, server):
                findings.append(finding)  # noqa: PERF401  what was found before a failure counts
    except (ClientError, TimeoutError, OSError) as error:
        findings.append(found.fault("unreached", homeserver=settings.homeserver, why=why(error)))
    except MISSHAPEN:
        findings.append(found.fault("no_homeserver", homeserver=settings.homeserver))
    finally:
        await client.close()
    return Checkup(findings, server.ahead_s)


def why(error: BaseException) -> str:
    """What went wrong on the way to a server."""
    return "Timed out" if isinstance(error, TimeoutError) else str(error) or type(error).__name__


# ---- here


def _store(settings: Matrix) -> Iterator[Finding]:
    """The library and the folder."""
    folder = store_of(settings)
    if settings.encryption:
        yield found.ok("encryption") if ENCRYPTION_ENABLED else found.fault("no_encryption")
        if not settings.pickle_key:
            yield found.warning("no_pickle_key", folder=folder)
    if not writable(folder) or folder.is_file():
        yield found.fault("store_unwritable", folder=folder)
    elif not folder.exists():
        yield found.ok("store_new", folder=folder)
    else:
        open_to_others = os.name == "posix" and folder.stat().st_mode & OTHERS
        yield found.warning("store_open", folder=folder) if open_to_others else found.ok("store", folder=folder)


def _identity(folder: Path, login: Login, pickle_key: str) -> str | None:
    """The public key of the device whose keys are stored.

    ValueError: `pickle_key` does not open them. OSError: they cannot be read.
    """
    from nio.store import MatrixStore  # type: ignore[import-untyped]  # both are there with encryption alone
    from peewee import PeeweeException  # type: ignore[import-untyped]

    try:
        store = MatrixStore(login["user_id"], login["device_id"], str(folder), pickle_key)
        try:
            account = store.load_account()
        finally:
            store.database.close()
    except PeeweeException as error:
        raise OSError(str(error)) from error
    return None if account is None else str(account.identity_keys["curve25519"])


# ---- at the homeserver


async def _looked_over(client: Client, settings: Matrix, server: ServerClock) -> AsyncIterator[Finding]:
    """Of an answer on which the rest depends, only the fault."""
    if not await is_homeserver(client, server):
        yield found.fault("no_homeserver", homeserver=settings.homeserver)
        return
    yield found.ok("reached", homeserver=settings.homeserver)
    kept = kept_login(store_of(settings), settings)
    client.access_token = settings.access_token or (kept["access_token"] if kept else "")
    if not client.access_token:
        yield found.ok("not_entered")
        return
    status, known = await client.ask("GET", f"{API}/account/whoami")
    if status != OK:
        yield _unknown(settings, str(known.get("errcode", status)))
        return
    if settings.access_token and known.get("user_id") != settings.user:
        yield found.fault("other_user", user=known.get("user_id"))
        return
    device = str(known.get("device_id") or settings.device_id or DEVICE_NAME)
    login = {"user_id": str(known["user_id"]), "device_id": device}
    yield found.ok("known", user=login["user_id"], device=device)
    if settings.encryption and ENCRYPTION_ENABLED:
        yield await keys_of(client, settings, login)
    async for finding in _rooms(client, settings):
        yield finding


async def is_homeserver(client: Client, server: ServerClock) -> bool:
    """Whether what answers at this address speaks Matrix."""
    server.asked()
    response = await client.send("GET", "/_matrix/client/versions")
    server.answered(response.headers.get("Date"))
    answer = await client.parse_body(response)
    return response.status == OK and isinstance(answer, dict) and "versions" in answer


def _unknown(settings: Matrix, code: str) -> Finding:
    if code not in NO_LONGER_KNOWN:
        return found.fault("refused", code=code)
    return found.fault("token") if settings.access_token else found.warning("run_out")


async def keys_of(client: Client, settings: Matrix, login: Login) -> Finding:
    """Whether the keys that lie here are those that others encrypt for."""
    return _keys(settings, login, await _published(client, login))


async def _published(client: Client, login: Login) -> str | None:
    """The public key of this device that the server gives to everybody who wants to encrypt for it."""
    user, device = login["user_id"], login["device_id"]
    _, answer = await client.ask("POST", f"{API}/keys/query", {"device_keys": {user: [device]}})
    keys = answer.get("device_keys", {}).get(user, {}).get(device, {}).get("keys", {})
    key: str | None = keys.get(f"curve25519:{device}")
    return key


def _keys(settings: Matrix, login: Login, published: str | None) -> Finding:
    folder, device, mine = store_of(settings), login["device_id"], None
    try:
        if keys_file(folder, login).exists():
            mine = _identity(folder, login, settings.pickle_key or AsyncClientConfig().pickle_key)
    except ValueError:
        return found.fault("sealed", folder=folder)
    except OSError as error:
        return found.fault("keys_unreadable", folder=folder, why=error)
    if published is None:
        return found.ok("keys_unpublished" if mine else "keys_new", device=device)
    if mine == published:
        return found.ok("keys", device=device)
    return found.fault("deaf", device=device) if settings.access_token else found.warning("keys_lost", device=device)


async def _rooms(client: Client, settings: Matrix) -> AsyncIterator[Finding]:
    """A first sync: whatever waits for the device stays there, since nothing is said to have come.

    Each asks a little differently, for Synapse answers the same question with the same for two minutes.
    """
    fresh = NOTHING | {"not_types": [secrets.token_hex(4)]}
    rooms_alone = {"presence": fresh, "account_data": NOTHING, "room": ROOMS}
    query = urlencode({"filter": json.dumps(rooms_alone), "timeout": 0, "set_presence": "offline"})
    try:
        status, answer = await client.ask("GET", f"{API}/sync?{query}")
    except TimeoutError as error:
        yield found.warning("rooms_unknown", why=why(error))
        return
    if status != OK:
        yield found.warning("rooms_unknown", why=answer.get("errcode", status))
        return
    rooms = answer.get("rooms", {})
    joined = rooms.get("join", {})
    yield found.ok("rooms", joined=len(joined), invited=len(rooms.get("invite", {})))
    encrypted = sum(_is_encrypted(room) for room in joined.values())
    if encrypted and not settings.encryption:
        yield found.fault("locked_out", count=encrypted)


def _is_encrypted(room: Json) -> bool:
    events = [event for part in ("state", "timeline") for event in room.get(part, {}).get("events", [])]
    return any(event.get("type") == ENCRYPTED for event in events)

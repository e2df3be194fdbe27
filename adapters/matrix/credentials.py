"""Whether a homeserver takes the bot's account: for `rollbook setup`, before there is a configuration.

Here: one question each about an address, a password, an access token. Never: a device that stays, or anything on the
disk: a password is tried by a login that is ended at once, and the bot's own device is made by `device.py`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from aiohttp import ClientError
from nio import AsyncClientConfig  # type: ignore[import-untyped]
from nio.crypto import ENCRYPTION_ENABLED  # type: ignore[import-untyped]

from adapters.config import SERVER, Matrix
from adapters.findings import MISSHAPEN, Checked, Finding, Findings, ServerClock
from adapters.matrix import checkup
from adapters.matrix.checkup import ANSWER_S, API, LIMIT_S
from adapters.matrix.device import DEVICE_NAME, NO_LONGER_KNOWN, OK, TOO_MANY, Client, store_of
from adapters.matrix.words import CREDENTIALS

BY_PASSWORD = "m.login.password"  # noqa: S105  the name of a kind of login
TROUBLE = (ClientError, TimeoutError, OSError, *MISSHAPEN)
found = Findings(CREDENTIALS)


async def discovered(server: str) -> str | None:
    """The address of the homeserver of `example.org`, as that tells it; None where it tells none, or not by https."""
    try:
        async with asyncio.timeout(ANSWER_S), _asking(f"https://{server}") as client:
            _, answer = await client.ask("GET", "/.well-known/matrix/client")
        address = answer["m.homeserver"]["base_url"]
    except TROUBLE:
        return None
    told = isinstance(address, str) and address.startswith("https://") and re.match(SERVER, address)
    return address.rstrip("/") if told else None


async def homeserver(address: str, clock: Callable[[], float]) -> Checked:
    """Whether there is one. `clock` gives seconds since 1970."""

    async def asked(client: Client) -> Checked:
        if not await checkup.is_homeserver(client, ServerClock(clock)):
            return _no_homeserver(address)
        return Checked("taken", [found.ok("reached", homeserver=address)], address)

    return await _answered(address, asked)


async def login(settings: Matrix) -> Checked:
    """Whether it takes the account with its access token or, without one, its password; the account as it writes it."""

    async def asked(client: Client) -> Checked:
        return await (_by_token(client, settings) if settings.access_token else _by_password(client, settings))

    return await _answered(settings.homeserver, asked)


@asynccontextmanager
async def _asking(address: str) -> AsyncIterator[Client]:
    client = Client(address, config=AsyncClientConfig(request_timeout=ANSWER_S, encryption_enabled=False))
    try:
        yield client
    finally:
        await client.close()


async def _answered(address: str, asked: Callable[[Client], Awaitable[Checked]]) -> Checked:
    try:
        async with asyncio.timeout(LIMIT_S), _asking(address) as client:
            return await asked(client)
    except MISSHAPEN:
        return _no_homeserver(address)
    except TROUBLE as error:
        return Checked("unreached", [found.fault("unreached", homeserver=address, why=checkup.why(error))])


def _no_homeserver(address: str) -> Checked:
    return Checked("refused", [found.fault("no_homeserver", homeserver=address)])


async def _by_password(client: Client, settings: Matrix) -> Checked:
    """By a login that is ended again, so that no device of it is left."""
    _, offered = await client.ask("GET", f"{API}/login")
    if not any(flow["type"] == BY_PASSWORD for flow in offered["flows"]):
        return Checked("refused", [found.fault("no_passwords")])
    identifier = {"type": "m.id.user", "user": settings.user}
    body = {"type": BY_PASSWORD, "identifier": identifier, "password": settings.password}
    status, answer = await client.ask("POST", f"{API}/login", body | {"initial_device_display_name": DEVICE_NAME})
    if status != OK:
        return _refused(status, answer.get("errcode"), "password")
    client.access_token = answer["access_token"]
    with suppress(ClientError, TimeoutError):
        await client.ask("POST", f"{API}/logout", {})
    user = str(answer["user_id"])
    return Checked("taken", [found.ok("known", user=user)], user)


async def _by_token(client: Client, settings: Matrix) -> Checked:
    client.access_token = settings.access_token or ""
    status, answer = await client.ask("GET", f"{API}/account/whoami")
    if status != OK:
        return _refused(status, answer.get("errcode"), "token")
    if (user := str(answer["user_id"])) != settings.user:
        return Checked("refused", [found.fault("other_user", user=user)])
    findings = [found.ok("known", user=user), *await _foreign_keys(client, settings, answer.get("device_id"))]
    return Checked("taken", findings, user)


async def _foreign_keys(client: Client, settings: Matrix, device: str | None) -> list[Finding]:
    """A token whose device has keys that do not lie here is that of another program: nobody can encrypt for both."""
    if not (device and settings.encryption and ENCRYPTION_ENABLED):
        return []
    keys = await checkup.keys_of(client, settings, {"user_id": settings.user, "device_id": device})
    return [found.warning("foreign_keys", device=device, folder=store_of(settings))] if keys.level == "fault" else []


def _refused(status: int, code: object, what: str) -> Checked:
    if status == TOO_MANY:
        return Checked("unreached", [found.fault("too_often")])
    if code == "M_FORBIDDEN" or code in NO_LONGER_KNOWN:
        return Checked("refused", [found.fault(what)])
    return Checked("refused", [found.fault("refused", code=code or status)])

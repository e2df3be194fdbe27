"""The bot's login at its homeserver: a device, which is a token and, with encryption, the keys in its store.

Here: a client that is logged in, or one clear sentence why not. Never: a message. A device lives as long as its store:
with a password the login is made once and kept beside the keys; where the keys are gone, a new device is made.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from aiohttp import ClientConnectionError, ClientResponse
from nio import (  # type: ignore[import-untyped]
    AsyncClient,
    AsyncClientConfig,
    KeysUploadError,
    LoginError,
    WhoamiError,
    WhoamiResponse,
)
from nio.crypto import ENCRYPTION_ENABLED  # type: ignore[import-untyped]
from platformdirs import user_data_path

from adapters import logs, metrics
from adapters.config import Matrix, NotConfigured
from adapters.matrix.wire import PLATFORM

DEVICE_NAME = "Rollbook"
RESTORED = "restored"  # a file in the store, there from a restore until the next login
KEPT = "device.json"  # in the store: user_id, device_id, access_token
RETRY_S = 2.0
LONGEST_WAIT_S = 10.0
OK, TOO_MANY = 200, 429
SERVER_TROUBLE = 500  # an HTTP status from which on it is the server, or one before it, that is unwell
LOST = "The keys of the bot's Matrix device are lost; it logs in again, as a new device"
NO_LONGER_KNOWN = ("M_UNKNOWN_TOKEN", "M_MISSING_TOKEN", "M_USER_DEACTIVATED", "M_USER_LOCKED")
logger = logging.getLogger(__name__)


class Client(AsyncClient):  # type: ignore[misc]  # nio is not typed
    """An AsyncClient that takes trouble at the server's end for what it is: something to wait out.

    `deaf`: our keys are not those that the server knows of this device, so that nobody encrypts for us.
    """

    deaf = False

    async def send(self, *args: Any, **kwargs: Any) -> ClientResponse:
        """Answers of 500 and more are raised as ClientConnectionError; nio waits after these and tries again.

        It would give up on them otherwise, and take keys for shared that nobody has received.
        """
        try:
            response: ClientResponse = await super().send(*args, **kwargs)
        except (ClientConnectionError, TimeoutError):
            metrics.retried(PLATFORM, "platform")
            raise
        if response.status == TOO_MANY:
            metrics.retried(PLATFORM, "rate_limit")
        if response.status >= SERVER_TROUBLE:
            metrics.retried(PLATFORM, "platform")
            response.release()
            raise ClientConnectionError(f"The homeserver answers {response.status}")
        return response

    async def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        """A request that nio has no method for: the status and what was answered. Trouble on the way is raised."""
        headers = {"Content-Type": "application/json"}
        if self.access_token:
            headers["Authorization"] = f"Bearer {self.access_token}"
        response = await self.send(method, path, None if body is None else json.dumps(body), headers)
        answer = await self.parse_body(response)
        return response.status, answer if isinstance(answer, dict) else {}

    async def call(self, method: str, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """The same, and what passes is waited out: trouble on the way, and limits."""
        while True:
            try:
                status, answer = await self.ask(method, path, body)
            except (ClientConnectionError, TimeoutError):
                await asyncio.sleep(RETRY_S)
                continue
            if status != TOO_MANY:
                return status, answer
            await asyncio.sleep(answer.get("retry_after_ms", 1000) / 1000)

    async def put_clear(self, room_id: str, kind: str, content: dict[str, Any], name: str) -> bool:
        """Send an event as it is, also in an encrypted room; `name` makes it once. False: it was refused."""
        return (await self.call("PUT", _sending(room_id, kind, name), content))[0] == OK

    async def put_if_free(self, room_id: str, kind: str, content: dict[str, Any], name: str) -> bool:
        """The same for what is not worth a wait. False: the server wants us to send less."""
        return (await self.ask("PUT", _sending(room_id, kind, name), content))[0] != TOO_MANY


def _sending(room_id: str, kind: str, name: str) -> str:
    return f"/_matrix/client/v3/rooms/{quote(room_id, safe='')}/send/{kind}/{quote(name, safe='')}"


class KeysLost(Exception):
    """The device is good for nothing any more; `connect` has to make a new one."""


async def connect(settings: Matrix, *, anew: bool = False) -> Client:
    """A client that is logged in, `anew` as a device that never was. NotConfigured: it never will be, like this."""
    folder = _made(store_of(settings))
    config = AsyncClientConfig(
        encryption_enabled=settings.encryption and ENCRYPTION_ENABLED,
        pickle_key=settings.pickle_key or "DEFAULT_KEY", max_timeout_retry_wait_time=LONGEST_WAIT_S,
    )  # fmt: skip
    client = Client(settings.homeserver.rstrip("/"), settings.user, store_path=str(folder), config=config)
    try:
        await _reach(client)
        await _log_in(client, settings, folder, "" if anew else settings.device_id or "")
    except BaseException:
        await client.close()
        raise
    return client


def store_of(settings: Matrix) -> Path:
    """The folder of the keys."""
    return Path(settings.store) if settings.store else user_data_path("rollbook") / "matrix"


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise NotConfigured(f"matrix.store: the folder {folder} cannot be made: {error.strerror}.") from None
    return folder


def check_keys(client: Client, settings: Matrix) -> None:
    """KeysLost if we are deaf and know how to become another device."""
    if client.deaf and settings.password and not settings.access_token:
        logger.error(LOST)
        (store_of(settings) / KEPT).unlink(missing_ok=True)
        raise KeysLost


async def _reach(client: Client) -> None:
    """Until the server answers; it may start after us. What answers but is no homeserver is told at once."""
    if urlsplit(client.homeserver).scheme not in ("http", "https") or not urlsplit(client.homeserver).hostname:
        raise NotConfigured(f"matrix.homeserver is no address: {client.homeserver!r}; one begins with https://.")
    while True:
        try:
            status, answer = await client.ask("GET", "/_matrix/client/versions")
        except (ClientConnectionError, TimeoutError) as error:
            if _no_such_name(error):
                raise NotConfigured(f"matrix.homeserver {client.homeserver} has a name that nobody knows.") from None
            logger.warning("matrix.homeserver %s cannot be reached: %s", client.homeserver, error)
            await asyncio.sleep(RETRY_S)
            continue
        if status != OK or "versions" not in answer:
            raise NotConfigured(f"matrix.homeserver {client.homeserver} is no Matrix homeserver.")
        return


def _no_such_name(error: BaseException | None) -> bool:
    """Whether the name of the server does not exist; a resolver that cannot be asked is another matter."""
    while error is not None and not isinstance(error, socket.gaierror):
        error = getattr(error, "os_error", None) or error.__cause__
    return error is not None and error.errno == socket.EAI_NONAME


async def _log_in(client: Client, settings: Matrix, folder: Path, device_id: str) -> None:
    if settings.access_token:
        known = await _whoami(client, settings.access_token)
        if isinstance(known, WhoamiError):
            raise NotConfigured(f"The homeserver does not know matrix.access_token: {known.message}.")
        if settings.user != known.user_id:
            raise NotConfigured(f"matrix.access_token is not one of matrix.user: {known.user_id} has it.")
        _restore(client, known.user_id, known.device_id or settings.device_id or DEVICE_NAME, settings.access_token)
    elif (folder / RESTORED).exists():  # whoever came after the backup would not be read as this device
        await _enter(client, settings, folder, "")
    elif not await _come_back(client, settings, folder):
        await _enter(client, settings, folder, device_id)
    if client.should_upload_keys:
        await upload_keys(client)
    if (folder / RESTORED).exists():
        await _begin_sessions_anew(client)
        (folder / RESTORED).unlink()


async def _begin_sessions_anew(client: Client) -> None:
    """With every device that we have written to: the keys came from a backup, and their ratchets have moved on since.

    What we sent by the old ones nobody could read. So nio takes them for broken, as it does one that cannot be read.
    """
    if client.olm is None:
        return
    sessions = client.olm.session_store
    client.olm.wedged_devices += [one for one in client.device_store if sessions.get(one.curve25519)]
    if client.should_claim_keys:
        await client.keys_claim(client.get_users_for_key_claiming())
        await AsyncClient.send_to_device_messages(client)


async def upload_keys(client: Client) -> bool:
    """Give the server what others need to encrypt for us. False: it has other keys of this device, so we are deaf."""
    answer = await client.keys_upload()
    if isinstance(answer, KeysUploadError) and "already exists" in answer.message:
        client.deaf = True
    elif isinstance(answer, KeysUploadError):
        logger.error("The homeserver does not take the keys of the bot's device: %s", answer.message)
    return not client.deaf


async def _come_back(client: Client, settings: Matrix, folder: Path) -> bool:
    """As the device that was made before, if its login and its keys are still there."""
    kept = kept_login(folder, settings)
    if kept is None:
        return False
    if client.config.encryption_enabled and not keys_file(folder, kept).exists():
        logger.error(LOST)
        return False
    known = await _whoami(client, kept["access_token"])
    if isinstance(known, WhoamiResponse):
        _restore(client, **kept)
        return True
    if known.soft_logout:
        await _enter(client, settings, folder, kept["device_id"])
    return bool(known.soft_logout)


async def _enter(client: Client, settings: Matrix, folder: Path, device_id: str) -> None:
    """By password, as a new device or, where its login alone has run out, as this one."""
    if not settings.password:
        raise NotConfigured("matrix.access_token is missing, or matrix.password.")
    client.access_token, client.device_id = "", device_id
    try:
        answer = await client.login(settings.password, device_name=DEVICE_NAME)
    except ValueError as error:
        raise _sealed(folder, error) from None
    if isinstance(answer, LoginError):
        raise NotConfigured(f"The homeserver does not take matrix.user with matrix.password: {answer.message}.")
    login = {"user_id": client.user_id, "device_id": client.device_id, "access_token": client.access_token}
    logs.hide(client.access_token)
    _keep(folder, login)


async def _whoami(client: Client, token: str) -> WhoamiResponse | WhoamiError:
    client.access_token = token
    return await client.whoami()


def _restore(client: Client, user_id: str, device_id: str, access_token: str) -> None:
    logs.hide(access_token)
    try:
        client.restore_login(user_id, device_id, access_token)
    except ValueError as error:
        raise _sealed(Path(client.store_path), error) from None


def _sealed(folder: Path, error: ValueError) -> NotConfigured:
    logger.error("The keys in %s cannot be opened: %s", folder, error)
    return NotConfigured(f"matrix.pickle_key does not open the keys in {folder}.")


def kept_login(folder: Path, settings: Matrix) -> dict[str, str] | None:
    """The login that was made before; None where it is not there, is damaged or another user's."""
    try:
        kept = json.loads((folder / KEPT).read_text())
        login = {key: str(kept[key]) for key in ("user_id", "device_id", "access_token")}
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return login if login["user_id"] == settings.user else None


def _keep(folder: Path, login: dict[str, str]) -> None:
    """For the owner alone, and whole or not at all."""
    new = folder / f"{KEPT}.new"
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(login, file)
        file.flush()
        os.fsync(file.fileno())
    new.replace(folder / KEPT)


def keys_file(folder: Path, login: dict[str, str]) -> Path:
    """Where nio keeps a device's keys."""
    return folder / f"{login['user_id']}_{login['device_id']}.db"

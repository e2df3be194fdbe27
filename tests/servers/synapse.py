"""A real Matrix homeserver (Synapse) on loopback, for tests: started, stopped, killed, frozen.

Synapse runs in an environment of its own in the user's cache folder, installed at first use. The server listens on
127.0.0.1 only, without TLS, federation or presence, and with rate limits so high that no test meets them unasked.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import hmac
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import venv
from pathlib import Path
from typing import Any

from filelock import FileLock

Json = dict[str, Any]
VERSION = "1.163.2"
SERVER_NAME = "localhost"  # the part of user ids behind the colon; no DNS is involved
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rollbook-test-servers"
START_S = 180.0


def interpreter() -> Path:
    """A Python that has Synapse. SYNAPSE_PYTHON names one; otherwise it is installed at first use.

    Synapse has wheels for every part, so `--only-binary` keeps a missing one from turning into a Rust build.
    """
    if given := os.environ.get("SYNAPSE_PYTHON"):
        return Path(given)
    home = CACHE / f"synapse-{VERSION}"
    python, marker = home / "bin" / "python", home / "installed"
    CACHE.mkdir(parents=True, exist_ok=True)
    with FileLock(CACHE / f"synapse-{VERSION}.lock"):  # several test workers start at once
        if not marker.exists():
            venv.create(home, with_pip=True, clear=True)
            wanted = ["-qq", "--only-binary", ":all:", f"matrix-synapse=={VERSION}"]
            subprocess.run([python, "-m", "pip", "install", *wanted], check=True, stdout=sys.stderr)
            marker.touch()  # last, so that an interrupted installation is done again
    return python


def free_port() -> int:
    """A port that was free a moment ago; another process may still take it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def homeserver_config(folder: Path, port: int, secret: str) -> Json:
    """What stands in homeserver.yaml."""
    unlimited = {"per_second": 100_000, "burst_count": 100_000}
    listener = {"port": port, "bind_addresses": ["127.0.0.1"], "type": "http", "tls": False}
    return {
        "server_name": SERVER_NAME,
        "public_baseurl": f"http://127.0.0.1:{port}/",
        "report_stats": False,
        "listeners": [listener | {"resources": [{"names": ["client"], "compress": False}]}],
        "database": {"name": "sqlite3", "args": {"database": str(folder / "homeserver.db")}},
        "log_config": str(folder / "log.yaml"),
        "pid_file": str(folder / "homeserver.pid"),
        "media_store_path": str(folder / "media"),
        "signing_key_path": str(folder / "signing.key"),  # Synapse makes it at first start
        "registration_shared_secret": secret,
        "macaroon_secret_key": secret,
        "form_secret": secret,
        "bcrypt_rounds": 4,  # or a password would take 0.2 s for each user and login
        "trusted_key_servers": [],
        "federation_domain_whitelist": [],  # no other server is ever contacted
        "presence": {"enabled": False},
        "rc_message": unlimited,
        "rc_registration": unlimited,
        "rc_login": {"address": unlimited, "account": unlimited, "failed_attempts": unlimited},
        "rc_admin_redaction": unlimited,
        "rc_joins": {"local": unlimited, "remote": unlimited},
        "rc_joins_per_room": unlimited,
        "rc_invites": {"per_room": unlimited, "per_user": unlimited, "per_issuer": unlimited},
        "rc_key_requests": unlimited,
        "rc_media_create": unlimited,
        "rc_room_creation": unlimited,
    }


def log_config(folder: Path) -> Json:
    """Warnings and errors to one file."""
    return {
        "version": 1,
        "formatters": {"line": {"format": "%(asctime)s %(name)s %(levelname)s %(message)s"}},
        "handlers": {
            "file": {"class": "logging.FileHandler", "formatter": "line", "filename": str(folder / "homeserver.log")}
        },
        "root": {"level": "WARNING", "handlers": ["file"]},
        "disable_existing_loggers": False,
    }


class Synapse:
    """One server process with its own folder, port and database."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="synapse-")).resolve()
        self.secret = os.urandom(16).hex()
        self.port = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._names = itertools.count(1)
        self._admin: str | None = None

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Synapse:
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    # ---- the process

    def start(self) -> None:
        """Write the configuration and start; again if another process took the port meanwhile."""
        for _ in range(3):
            self.port = free_port()
            # Every JSON document is a YAML document.
            config = homeserver_config(self.folder, self.port, self.secret)
            (self.folder / "homeserver.yaml").write_text(json.dumps(config, indent=1))
            (self.folder / "log.yaml").write_text(json.dumps(log_config(self.folder)))
            try:
                return self.go_on()
            except RuntimeError as error:
                self.stop()
                if "in use" not in str(error):
                    raise
        raise RuntimeError("Synapse found no free port")

    def go_on(self) -> None:
        """Start with the same port, database and users as before, and wait until it answers."""
        command = [interpreter(), "-m", "synapse.app.homeserver", "--config-path", self.folder / "homeserver.yaml"]
        with (self.folder / "stdout.log").open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )  # a session of its own: Ctrl-C in the terminal is for the tests alone
        deadline = time.monotonic() + START_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"Synapse did not start:\n{self.log_tail()}")
            time.sleep(0.05)

    def stop(self) -> None:
        """End it and wait until it is gone."""
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(signal.SIGCONT)
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def kill(self) -> None:
        """End it without a warning."""
        process, self._process = self._process, None
        assert process
        process.kill()
        process.wait()

    def freeze(self) -> None:
        """It keeps its connections and answers nobody, until `thaw`."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process
        self._process.send_signal(signal.SIGCONT)

    def _answers(self) -> bool:
        try:
            self.request("GET", "/_matrix/client/versions")
        except (OSError, ValueError):  # refused, reset, or half an answer
            return False
        return True

    def log_tail(self, size: int = 4000) -> str:
        """The end of what the server printed and logged."""
        files = [self.folder / name for name in ("stdout.log", "homeserver.log")]
        return "\n".join(one.read_text(errors="replace")[-size:] for one in files if one.exists())

    # ---- requests

    def request(self, method: str, path: str, body: Json | None = None, token: str | None = None) -> Json:
        """One request; urllib.error.HTTPError on a refusal."""
        answer: Json = json.loads(self._asked(method, path, body, token))
        return answer

    def download(self, path: str, token: str) -> bytes:
        """A file as it lies on the server."""
        return self._asked("GET", path, None, token)

    def _asked(self, method: str, path: str, body: Json | None, token: str | None) -> bytes:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base_url + path, data, headers, method=method)
        # An empty ProxyHandler: a proxy in the environment must not see loopback traffic.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=60) as response:
            answer: bytes = response.read()
            return answer

    def register(self, name: str, *, admin: bool = False) -> Json:
        """A new user: user_id, password, access_token, device_id. Another test's user may bear the same name."""
        path = "/_synapse/admin/v1/register"
        nonce = self.request("GET", path)["nonce"]
        username, password = f"{name}-{next(self._names)}", f"{name}-password"
        parts = [nonce, username, password, "admin" if admin else "notadmin"]
        mac = hmac.new(self.secret.encode(), "\0".join(parts).encode(), hashlib.sha1).hexdigest()
        body = {"nonce": nonce, "username": username, "password": password, "admin": admin, "mac": mac}
        answer = self.request("POST", path, body | {"displayname": name})
        return {key: answer[key] for key in ("user_id", "access_token", "device_id")} | {"password": password}

    def limit(self, user_id: str, per_second: int, burst: int) -> None:
        """This user meets M_LIMIT_EXCEEDED above so many messages; 0 and 0: never."""
        self._admin = self._admin or self.register("admin", admin=True)["access_token"]
        path = f"/_synapse/admin/v1/users/{user_id}/override_ratelimit"
        self.request("POST", path, {"messages_per_second": per_second, "burst_count": burst}, self._admin)


@functools.cache
def running() -> Synapse:
    """The server that all tests of this process share: a start takes 4 s. Each test has its own users and rooms."""
    server = Synapse().__enter__()
    atexit.register(server.__exit__)
    return server

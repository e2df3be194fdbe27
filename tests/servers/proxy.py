"""A proxy before a server, as homeservers usually have one, that can be unwell in the ways in which proxies are."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

HOP_BY_HOP = ("connection", "keep-alive", "transfer-encoding", "host", "content-length")
TIMEOUT_S = 90


class Proxy:
    """Hands every request on, but for those that `unwell` (method, path) picks.

    `bad_gateway` answers them 502 itself; `lost` hands them on and breaks the connection in place of the answer.
    """

    def __init__(self, behind: str) -> None:
        self.behind = urlsplit(behind).netloc
        self.bad_gateway: Callable[[str, str], bool] = nothing
        self.lost: Callable[[str, str], bool] = nothing
        self.spoilt = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Proxy:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        proxy = self

        class Request(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if proxy.bad_gateway(self.command, self.path):
                    proxy.spoilt += 1
                    return self.say(502, [("Content-Type", "text/html")], b"<html>Bad Gateway</html>")
                try:
                    status, headers, answer = proxy.ask(self.command, self.path, dict(self.headers), body)
                except (OSError, http.client.HTTPException):  # the server is gone
                    return self.say(502, [("Content-Type", "text/html")], b"<html>Bad Gateway</html>")
                if proxy.lost(self.command, self.path):
                    proxy.spoilt += 1
                    self.close_connection = True
                    return self.connection.shutdown(socket.SHUT_RDWR)
                return self.say(status, headers, answer)

            do_GET = do_PUT = do_POST = do_DELETE = answer  # noqa: N815  as http.server looks for them

            def say(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
                self.send_response(status)
                for name, value in headers:
                    if name.lower() not in HOP_BY_HOP:
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                with suppress(OSError):  # whoever asked may have gone
                    self.end_headers()
                    self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Nothing."""

        return Request

    def ask(
        self, method: str, path: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """The server's own answer."""
        connection = http.client.HTTPConnection(self.behind, timeout=TIMEOUT_S)
        try:
            kept = {name: value for name, value in headers.items() if name.lower() not in HOP_BY_HOP}
            connection.request(method, path, body or None, kept | {"Accept-Encoding": "identity"})
            response = connection.getresponse()
            return response.status, response.getheaders(), response.read()
        finally:
            connection.close()


def nothing(_method: str, _path: str) -> bool:
    return False


def times(count: int, kind: str) -> Callable[[str, str], bool]:
    """Picks the next `count` requests whose path holds `kind`."""
    left = iter(range(count))
    return lambda _method, path: kind in path and next(left, None) is not None

"""What stands in front of several programs that serve one webhook: each request goes to the next of them in turn.

As proxies do, it tries another where nobody listens, and says 502 where a program went away in the middle: that one may
have done what it was asked.
"""

from __future__ import annotations

import asyncio
import itertools
import socket
import threading
from collections import Counter

from aiohttp import ClientConnectorError, ClientError, ClientSession, ClientTimeout, TCPConnector, web

PATH = "/hook"


class Balancer:
    """`url` is the one address of all; `places` (host:port) are where they listen, for as many as `count`."""

    def __init__(self, count: int) -> None:
        ports = _free_ports(count + 1)
        self._port = ports.pop()
        self.url = f"http://127.0.0.1:{self._port}{PATH}"
        self.places = [f"127.0.0.1:{port}" for port in ports]
        self.taken: Counter[str] = Counter()  # how many requests each has answered with 200
        self.only = ""  # the place to which all goes, if one is named
        self._turns = itertools.cycle(self.places)

    def __enter__(self) -> Balancer:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="balancer", daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _start(self) -> None:
        self._session = ClientSession(connector=TCPConnector(limit=0), timeout=ClientTimeout(total=10))
        app = web.Application()
        app.router.add_post(PATH, self._hand_on)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()

    async def _stop(self) -> None:
        await self._runner.cleanup()
        await self._session.close()

    async def _hand_on(self, request: web.Request) -> web.Response:
        body = await request.read()
        headers = {name: value for name, value in request.headers.items() if name.startswith(("X-", "Content-Type"))}
        for place in [self.only] if self.only else itertools.islice(self._turns, len(self.places)):
            try:
                async with self._session.post(f"http://{place}{PATH}", data=body, headers=headers) as answer:
                    self.taken[place] += answer.ok
                    return web.Response(status=answer.status)
            except ClientConnectorError:
                continue
            except (ClientError, OSError, TimeoutError):
                break
        return web.Response(status=502)


def _free_ports(count: int) -> list[int]:
    """All at once, so that they are different ones."""
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports

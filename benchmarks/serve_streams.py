"""Streams of the service: what 400 readers get, against sending them bytes; and how soon they get it."""

from __future__ import annotations

import selectors
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import quantiles
from time import perf_counter, sleep

STREAMS = 400
MARK = b"\nid: "
"""Every event comes with it, after the line that ends what came before."""
BARE = """
import asyncio, sys
import uvicorn

CONTENT = sys.stdin.buffer.read()
readers = set()

async def app(scope, receive, send):
    if scope["type"] == "http" and scope["path"] == "/events":
        waiting = asyncio.Queue()
        readers.add(waiting)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
        while True:
            await send({"type": "http.response.body", "body": await waiting.get(), "more_body": True})
    elif scope["type"] == "http":
        if scope["path"] == "/push":
            for waiting in readers:
                waiting.put_nowait(CONTENT)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body"})

uvicorn.run(app, port=int(sys.argv[1]), log_level="error", access_log=False, lifespan="off", timeout_keep_alive=600)
"""


class Readers:
    """Connections that each read a stream, in one thread. They count what comes, and note when it does."""

    def __init__(self, port: int, path: str, headers: dict[str, str], count: int = STREAMS) -> None:
        self.arrived = 0
        self.times: list[float] | None = None
        self._selector = selectors.DefaultSelector()
        self._rest: dict[int, bytes] = {}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{lines}\r\n".encode()
        for _ in range(count):
            self._connect(port, request)

    def _connect(self, port: int, request: bytes) -> None:
        made = socket.create_connection(("127.0.0.1", port))
        made.sendall(request)
        self._rest[made.fileno()] = b""
        while b"\r\n\r\n" not in self._rest[made.fileno()]:
            self._rest[made.fileno()] += made.recv(65536)
        made.setblocking(False)
        self._selector.register(made, selectors.EVENT_READ)

    def read(self) -> None:
        """Whatever came, once something has."""
        for key, _ in self._selector.select(timeout=1):
            made = key.fileobj
            assert isinstance(made, socket.socket)
            data = self._rest[key.fd] + made.recv(1 << 20)
            found = data.count(MARK)
            self._rest[key.fd] = data[1 - len(MARK) :]
            self.arrived += found
            if self.times is not None:
                self.times += [perf_counter()] * found

    def read_until(self, arrived: int) -> None:
        while self.arrived < arrived:
            self.read()

    def close(self) -> None:
        for key in tuple(self._selector.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        self._selector.close()


@contextmanager
def reading(port: int, path: str, headers: dict[str, str], count: int = STREAMS) -> Iterator[Readers]:
    readers = Readers(port, path, headers, count)
    try:
        yield readers
    finally:
        readers.close()


def delivering(readers: Readers, push: Callable[[], int]) -> Callable[[], int]:
    """Have some events recorded, and wait until every reader has all of them."""

    def deliver() -> int:
        before = readers.arrived
        expected = push() * STREAMS
        readers.read_until(before + expected)
        return expected

    return deliver


def slowest_arrival(readers: Readers, commit: Callable[[], int], times: int) -> float:
    """Seconds from a commit by another process until it has arrived, for 99 of 100 events and readers.

    `commit` records something and says how many events it was.
    """
    delays: list[float] = []
    for _ in range(times):
        readers.times, before = [], readers.arrived
        count = commit()
        committed = perf_counter()
        readers.read_until(before + count * STREAMS)
        delays += [at - committed for at in readers.times]
        sleep(0.05)  # not always at the same moment of the follower's own round
    readers.times = None
    return quantiles(delays, n=100)[-1]

"""How fast the service answers commands and questions, and how many events its streams deliver, and how soon."""

from __future__ import annotations

import os
import selectors
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from json import dumps, loads
from statistics import median, quantiles
from time import perf_counter, sleep

from pydantic_core import to_json

import combatlog
from benchmarks.measure import BenchmarkResult, added, compare, rates_in_turns
from benchmarks.sample_fights import STRIKE, open_duel
from combatlog.service.settings import VARIABLE

AIM = 0.5
AIM_OF_STREAMS = 0.7
PATIENCE = 0.15
"""Seconds from a commit until 99 of 100 readers should have it."""
_CLIENTS = 8
_EACH = 10
_COMMITS = 40
_ATTEMPTS = 3
"""To measure what sending takes, each twice as long as the one before."""
_BODY = dumps({"actor": STRIKE.actor, "action": STRIKE.action, "targets": STRIKE.targets})
_BARE = """
import sys
import uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

CONTENT = sys.stdin.buffer.read()

def state(request):
    return Response(CONTENT, media_type="application/json")

app = Starlette(routes=[Route("/state", state), Route("/healthz", state)])
uvicorn.run(app, port=int(sys.argv[1]), log_level="error", access_log=False, timeout_keep_alive=600)
"""
_OURS = """
import sys
import uvicorn
from combatlog.service.app import create_worker

uvicorn.run(create_worker(), port=int(sys.argv[1]), log_level="error", access_log=False, timeout_keep_alive=600)
"""


def run_serve(url: str, seconds: float) -> Iterator[BenchmarkResult]:
    with combatlog.open(url) as ledger, ExitStack() as stack:
        names = [open_duel(ledger.referee) for _ in range(2 * _CLIENTS)]
        paths = [f"/v1/encounters/{ledger.fight(name).id}" for name in names[:_CLIENTS]]
        headers = {"Authorization": f"Bearer {ledger.seats.invite('gm', days=1).token}"}
        settings = dumps({"database": url, "rate": 1e9, "burst": 10**9, "streams_per_seat": STREAMS})
        port = stack.enter_context(_serving(_OURS, {VARIABLE: settings}))
        state = _ask(HTTPConnection("127.0.0.1", port), "GET", f"{paths[0]}/state", headers)
        bare = stack.enter_context(_serving(_BARE, {}, state))
        people = stack.enter_context(ThreadPoolExecutor(_CLIENTS))
        connections = [HTTPConnection("127.0.0.1", port) for _ in range(_CLIENTS)]
        bare_connections = [HTTPConnection("127.0.0.1", bare) for _ in range(_CLIENTS)]

        def everybody(do: Callable[[int], object]) -> int:
            list(people.map(lambda who: [do(who) for _ in range(_EACH)], range(_CLIENTS)))
            return _CLIENTS * _EACH

        def over_http(who: int) -> None:
            _ask(connections[who], "POST", f"{paths[who]}/declarations", headers, _BODY)

        def look(who: int) -> None:
            _ask(connections[who], "GET", f"{paths[0]}/state", headers)

        def look_bare(who: int) -> None:
            _ask(bare_connections[who], "GET", "/state", headers)

        def directly() -> int:
            for name in names[_CLIENTS:]:
                for _ in range(_EACH):
                    ledger.referee.declare(name, STRIKE)
            return _CLIENTS * _EACH

        ours, theirs = compare(lambda: everybody(over_http), directly, seconds)
        yield BenchmarkResult(
            "declare over HTTP with 8 clients, against the referee", "declarations", ours, theirs, AIM
        )
        ours, theirs = compare(lambda: everybody(look), lambda: everybody(look_bare), seconds)
        yield BenchmarkResult("  read the state over HTTP, against a bare route", "requests", ours, theirs, AIM)
        yield from _streams(ledger, port, headers, seconds)


def _streams(ledger: combatlog.Ledger, port: int, headers: dict[str, str], seconds: float) -> Iterator[BenchmarkResult]:
    name = open_duel(ledger.referee)
    path = f"/v1/encounters/{ledger.fight(name).id}"
    connection = HTTPConnection("127.0.0.1", port)

    unwatched = f"/v1/encounters/{ledger.fight(open_duel(ledger.referee)).id}"

    def strike(path: str = path) -> int:
        return len(loads(_ask(connection, "POST", f"{path}/declarations", headers, _BODY))["events"])

    count = strike()
    page = loads(_ask(connection, "GET", f"{path}/events?after=1", headers))["events"][-count:]
    content = b"".join(b"id: %d\ndata: %b\n\n" % (event["seq"], to_json(event)) for event in page)
    accepting = {**headers, "Accept": "text/event-stream"}
    with ExitStack() as stack:
        bare_port = stack.enter_context(_serving(BARE, {}, content))
        bare_connection = HTTPConnection("127.0.0.1", bare_port)
        readers = stack.enter_context(reading(port, f"{path}/events", accepting))
        bare = stack.enter_context(reading(bare_port, "/events", {}))

        def push(path: str = "/push") -> int:
            _ask(bare_connection, "POST", path, {}, "")
            return count

        works = [
            delivering(readers, strike),
            delivering(bare, push),
            lambda: strike(unwatched) * STREAMS,
            lambda: push("/nobody") * STREAMS,
        ]
        ours, theirs, sent, sent_bare = _sending(works, seconds)
        yield BenchmarkResult(
            f"  events to {STREAMS} streams, against sending bytes", "events", sent, sent_bare, AIM_OF_STREAMS
        )
        yield BenchmarkResult(
            f"  declare and send to {STREAMS} streams, against sending bytes", "events", ours, theirs, 0
        )
        slowest = slowest_arrival(readers, lambda: len(ledger.referee.declare(name, STRIKE)), _COMMITS)
        what = f"  from a commit to {STREAMS} streams, 99 of 100 times, against what people notice"
        yield BenchmarkResult(what, "times", 1 / slowest, 1 / PATIENCE, 1)


def _sending(works: list[Callable[[], int]], seconds: float) -> tuple[float, float, float, float]:
    """The rates of works that send, ours and bare, and of sending alone. The last two works are the same for nobody."""
    for attempt in range(_ATTEMPTS):
        ours, theirs, ours_unwatched, theirs_unwatched = rates_in_turns(works, seconds * 2**attempt)
        sent, sent_bare = added(ours, ours_unwatched), added(theirs, theirs_unwatched)
        if sent is not None and sent_bare is not None:
            return median(ours), median(theirs), sent, sent_bare
    raise RuntimeError("The machine is too busy to tell what sending takes from what recording takes; try again later.")


def _ask(connection: HTTPConnection, method: str, path: str, headers: dict[str, str], body: str | None = None) -> bytes:
    sent = headers if body is None else {**headers, "Content-Type": "application/json"}
    connection.request(method, path, body, sent)
    answer = connection.getresponse()
    content = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{path} was answered with {answer.status}: {content.decode()}")
    return content


@contextmanager
def _serving(program: str, environment: dict[str, str], given: bytes = b"") -> Iterator[int]:
    """The port of a server that runs a program, once it answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-c", program, str(port)]
    with subprocess.Popen(
        command, env={**os.environ, **environment}, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as server:
        assert server.stdin is not None
        server.stdin.write(given)
        server.stdin.close()
        try:
            while not _answers(port):
                if server.poll() is not None:
                    raise RuntimeError("the server did not start")
            yield port
        finally:
            server.kill()  # the bare one has no end for its streams


def _answers(port: int) -> bool:
    try:
        _ask(HTTPConnection("127.0.0.1", port, timeout=1), "GET", "/healthz", {})
    except OSError:
        return False
    return True


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

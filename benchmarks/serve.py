"""The service, in four questions: declaring, reading the state, and how many events streams bring, and how soon.

Declaring with 8 clients is compared with calling the referee, the state with a Starlette route that returns the same
bytes, events to 400 streams with sending the same bytes, and their arrival with what people notice. Events have to be
recorded before they are sent: what that takes is measured in a fight that nobody watches, and does not count as
sending. All services run in processes of their own, with one worker; ours writes its log.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from json import dumps, loads
from statistics import median

from pydantic_core import to_json

import combatlog
from benchmarks.duel import STRIKE, open_duel
from benchmarks.measure import Result, added, compare, rates_in_turns
from benchmarks.serve_streams import BARE, STREAMS, delivering, reading, slowest_arrival
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


def run_serve(url: str, seconds: float) -> Iterator[Result]:
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
        yield Result("declare over HTTP with 8 clients, against the referee", "declarations", ours, theirs, AIM)
        ours, theirs = compare(lambda: everybody(look), lambda: everybody(look_bare), seconds)
        yield Result("  read the state over HTTP, against a bare route", "requests", ours, theirs, AIM)
        yield from _streams(ledger, port, headers, seconds)


def _streams(ledger: combatlog.Ledger, port: int, headers: dict[str, str], seconds: float) -> Iterator[Result]:
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
        yield Result(f"  events to {STREAMS} streams, against sending bytes", "events", sent, sent_bare, AIM_OF_STREAMS)
        yield Result(f"  declare and send to {STREAMS} streams, against sending bytes", "events", ours, theirs, 0)
        slowest = slowest_arrival(readers, lambda: len(ledger.referee.declare(name, STRIKE)), _COMMITS)
        what = f"  from a commit to {STREAMS} streams, 99 of 100 times, against what people notice"
        yield Result(what, "times", 1 / slowest, 1 / PATIENCE, 1)


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

"""The service: declaring over HTTP with 8 clients, against calling the referee; and the state, against bare bytes.

Both services run in processes of their own, with one worker. The bare one is a Starlette route that returns the bytes.
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
from json import dumps

import combatlog
from benchmarks.duel import STRIKE, open_duel
from benchmarks.measure import Result, compare
from service.settings import VARIABLE

AIM = 0.5
_CLIENTS = 8
_EACH = 10
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
uvicorn.run(app, port=int(sys.argv[1]), log_level="error", access_log=False)
"""
_OURS = """
import sys
import uvicorn
from service.app import create

uvicorn.run(create(), port=int(sys.argv[1]), log_level="error", access_log=False)
"""


def run(url: str, seconds: float) -> Iterator[Result]:
    with combatlog.open(url) as ledger, ExitStack() as stack:
        names = [open_duel(ledger.referee) for _ in range(2 * _CLIENTS)]
        paths = [f"/v1/encounters/{ledger.fight(name).id}" for name in names[:_CLIENTS]]
        headers = {"Authorization": f"Bearer {ledger.seats.invite('gm', days=1).token}"}
        settings = dumps({"database": url, "rate": 1e9, "burst": 10**9})
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
    with subprocess.Popen(command, env={**os.environ, **environment}, stdin=subprocess.PIPE) as server:
        assert server.stdin is not None
        server.stdin.write(given)
        server.stdin.close()
        try:
            while not _answers(port):
                if server.poll() is not None:
                    raise RuntimeError("the server did not start")
            yield port
        finally:
            server.terminate()


def _answers(port: int) -> bool:
    try:
        _ask(HTTPConnection("127.0.0.1", port, timeout=1), "GET", "/healthz", {})
    except OSError:
        return False
    return True

"""A service on a real socket, its seats as ledgers, and a proxy that loses answers."""

from __future__ import annotations

import socket
import threading
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

import pytest

import combatlog
from tests.service.conftest import FIGHT, Service, fight, make_service, opening, service

__all__ = ["fight", "make_service", "opening", "service"]

QUICK = combatlog.Patience(seconds=5.0, first=0.01, longest=0.05)

Sit = Callable[[str], combatlog.RemoteLedger]


@pytest.fixture
def sit(service: Service) -> Iterator[Sit]:
    """The ledger from a seat of `tests.service.conftest`."""
    with ExitStack() as stack:
        yield lambda seat: stack.enter_context(combatlog.connect(service.url, service.tokens[seat], patience=QUICK))


@pytest.fixture
def gm(sit: Sit) -> combatlog.RecordedFight:
    return sit("host").fight(FIGHT)


class Relay:
    """Stands between a client and a service, each connection in a thread of its own."""

    def __init__(self, url: str) -> None:
        host, _, port = url.removeprefix("http://").partition(":")
        self.to = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    @abstractmethod
    def serve(self, connection: socket.socket) -> None: ...

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()


class Proxy(Relay):
    """Passes requests on to a service. Of the next `lose` answers, it closes the connection instead; of the next
    `lose_posts`, too, if they are to something that records."""

    def __init__(self, url: str) -> None:
        self.lose = self.lose_posts = 0
        self.requests = 0
        super().__init__(url)

    def serve(self, connection: socket.socket) -> None:
        """One request a connection is enough: the answer says that it closes."""
        with connection, suppress(OSError):
            request = _whole_request(connection)
            self.requests += 1
            with socket.create_connection(self.to) as there:
                there.sendall(request)
                answer = b"".join(iter(lambda: there.recv(1 << 16), b""))
            if self.lose_posts and request.startswith(b"POST"):
                self.lose_posts -= 1
                return
            if self.lose:
                self.lose -= 1
                return
            connection.sendall(answer)


def _whole_request(connection: socket.socket) -> bytes:
    """With the header that has the service close the connection when it has answered."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += connection.recv(1 << 16)
    head, _, body = received.partition(b"\r\n\r\n")
    lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
    length = next((int(line[15:]) for line in lines if line.lower().startswith(b"content-length:")), 0)
    while len(body) < length:
        body += connection.recv(1 << 16)
    return b"\r\n".join([*lines, b"Connection: close"]) + b"\r\n\r\n" + body


@pytest.fixture
def proxy(service: Service) -> Iterator[Proxy]:
    made = Proxy(service.url)
    yield made
    made.close()

"""A proxy between client and server that, when told to, hangs up on the client in the middle of a request."""

from __future__ import annotations

import select
import socket
from enum import Enum, auto

from tests.connection_relay import ConnectionRelay

READY = b"Z\x00\x00\x00\x05I"
"""How the server says that a request is done and committed."""


class Fate(Enum):
    """What becomes of the request whose answer the client never gets."""

    DONE = auto()
    LOST = auto()
    LATE = auto()


class CuttingProxy(ConnectionRelay):
    """Forwards everything up to the first request that has `cut` in it."""

    def __init__(self, host: str, port: int) -> None:
        self.cut: bytes | None = None
        self.fate = Fate.DONE
        self.cuts = 0
        self._closing = False
        self._late: list[tuple[socket.socket, bytes]] = []
        super().__init__(host, port)

    def close(self) -> None:
        """Take no more connections; those there are last up to the cut."""
        self._closing = True
        super().close()

    def deliver_late(self) -> bytes:
        """Let the server have the request that it has not got yet; its answer."""
        (server, request) = self._late.pop()
        with server:
            return _answer(server, request)

    def serve(self, client: socket.socket, server: socket.socket) -> None:
        with client:
            request = self._forward(client, server)
            if request and self.fate is Fate.LATE:
                self._late.append((server, request))
            elif request and self.fate is Fate.DONE:
                _answer(server, request)
            if not (request and self.fate is Fate.LATE):
                server.close()
            self.cuts += bool(request)

    def _forward(self, client: socket.socket, server: socket.socket) -> bytes:
        """Pass on what both say until one hangs up; the request to cut, if it came to that."""
        while True:
            for source in select.select([client, server], [], [])[0]:
                message = source.recv(1 << 20)
                if not message or (self._closing and self.cut is None):
                    return b""
                if source is client and self.cut is not None and self.cut in message:
                    self.cut = None
                    return message
                (server if source is client else client).sendall(message)


def _answer(server: socket.socket, request: bytes) -> bytes:
    server.sendall(request)
    answer = b""
    while not answer.endswith((READY, b"Z\x00\x00\x00\x05E")):
        answer += server.recv(1 << 20)
    return answer

"""What stands between clients and a server: it takes their connections and decides what gets through."""

from __future__ import annotations

import select
import socket
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable


class ConnectionRelay(ABC):
    def __init__(self, host: str, port: int) -> None:
        self._server = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Take no more connections."""
        try:
            self._listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # closed before
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(self._server)
            threading.Thread(target=self.serve, args=(client, server), daemon=True).start()

    @abstractmethod
    def serve(self, client: socket.socket, server: socket.socket) -> None:
        """Pass on what the two say, and close both."""


def pass_on(client: socket.socket, server: socket.socket, may_ask: Callable[[], bool] = lambda: True) -> None:
    """Pass on what the two say until one hangs up, or the client asks something that it may not ask any more."""
    while True:
        for source in select.select([client, server], [], [])[0]:
            try:
                message = source.recv(1 << 20)
            except OSError:
                return
            if not message or (source is client and not may_ask()):
                return
            (server if source is client else client).sendall(message)

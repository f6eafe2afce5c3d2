"""A server that falls silent: it hangs up on everybody, then takes connections and answers none."""

from __future__ import annotations

import socket
import threading

from tests.connection_relay import ConnectionRelay, pass_on


class SilentServer(ConnectionRelay):
    def __init__(self, host: str, port: int) -> None:
        self._silent = threading.Event()
        self._closed = threading.Event()
        self._clients: list[socket.socket] = []
        self.unanswered = 0
        """How many have tried to connect since it fell silent."""
        super().__init__(host, port)

    def fall_silent(self) -> None:
        self._silent.set()
        for client in self._clients:
            client.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        super().close()
        self._closed.set()

    def serve(self, client: socket.socket, server: socket.socket) -> None:
        with client, server:
            if self._silent.is_set():
                self.unanswered += 1
                self._closed.wait()
                return
            self._clients.append(client)
            pass_on(client, server)
            self._clients.remove(client)

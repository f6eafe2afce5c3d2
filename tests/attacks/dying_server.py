"""A server that is gone after some requests: it hangs up on everybody and takes no more connections."""

from __future__ import annotations

import socket
from types import TracebackType
from typing import Self

from tests.connection_relay import ConnectionRelay, pass_on


class DyingServer(ConnectionRelay):
    """Stands in front of a server and forwards so many messages of its clients, then none."""

    def __init__(self, host: str, port: int, requests: int) -> None:
        self._left = requests
        super().__init__(host, port)

    @property
    def is_dead(self) -> bool:
        return self._left < 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def serve(self, client: socket.socket, server: socket.socket) -> None:
        with client, server:
            pass_on(client, server, self._may_ask)

    def _may_ask(self) -> bool:
        self._left -= 1
        if self._left < 0:
            self.close()
        return self._left >= 0

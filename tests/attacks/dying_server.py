"""A server that is gone after some requests: it hangs up on everybody and takes no more connections."""

from __future__ import annotations

import select
import socket
import threading
from types import TracebackType
from typing import Self


class DyingServer:
    """Stands in front of a server and forwards so many messages of its clients, then none."""

    def __init__(self, host: str, port: int, requests: int) -> None:
        self._server = (host, port)
        self._left = requests
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def is_dead(self) -> bool:
        return self._left < 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
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
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, socket.create_connection(self._server) as server:
            while True:
                for source in select.select([client, server], [], [])[0]:
                    try:
                        message = source.recv(1 << 20)
                    except OSError:
                        return
                    if not message or (source is client and self._is_last()):
                        return
                    (server if source is client else client).sendall(message)

    def _is_last(self) -> bool:
        self._left -= 1
        if self._left < 0:
            self._close()
        return self._left < 0

"""Start the service as one process, or as several workers on one port, with a limit for the size of request heads."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

import combatlog
from combatlog.service.observability import counted_together, is_wanted, log_as_json, require_packages
from combatlog.service.settings import Settings
from combatlog.service.webhook_delivery import trusting
from ledger.errors import Problem

if TYPE_CHECKING:
    import uvicorn


DAYS = 30
"""Days that the GM's token lasts that the service prints when it starts."""
_GRACE = 5
"""Seconds that requests may take to finish after the service was told to stop."""
_BACKLOG = 2048
"""Connections that may wait to be accepted; uvicorn's own number."""
_NOT_STARTED = 3
"""What the process returns if the service cannot start; uvicorn returns the same."""


def gm_token(database: str | None) -> str:
    """A new token for a GM's seat at all fights."""
    with combatlog.open(database) as ledger:
        return ledger.seats.invite("gm", name=None, days=DAYS).token


def check(settings: Settings) -> None:
    """Refuse settings with which the service could not start, before it announces itself."""
    trusting(settings.webhook_authority)
    combatlog.open(settings.database).close()
    if is_wanted():
        require_packages()


def serve(settings: Settings, host: str, port: int, workers: int, announce: Callable[[], None]) -> None:
    """Run until it is stopped. `announce` is called once the service has its address."""
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    with _listener(host, port) as listener, counted_together(workers), suppress(KeyboardInterrupt):
        _let_go_of_the_silent(listener, settings.send_within)
        listener.listen(_BACKLOG)  # clients that connect while it starts wait, and are not refused
        announce()
        settings.publish()
        log_as_json()
        config = uvicorn.Config(
            "combatlog.service.app:create_worker",
            factory=True,
            http=BoundedHeads,
            workers=workers,
            access_log=False,
            log_config=None,
            server_header=False,
            timeout_graceful_shutdown=_GRACE,
            timeout_keep_alive=30,
        )
        if workers > 1:
            Multiprocess(config, sockets=[listener]).run()
        else:
            _run_alone(uvicorn.Server(config), listener)


def _listener(host: str, port: int) -> socket.socket:
    """A socket that has the address, and that workers take over."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise Problem(
            "serve/address",
            f"The service cannot listen on port {port} of {host}: {error.strerror}.",
            host=host,
            port=port,
        ) from error
    listener.set_inheritable(True)
    return listener


def _run_alone(server: uvicorn.Server, listener: socket.socket) -> None:
    server.run(sockets=[listener])
    if not server.started:
        raise SystemExit(_NOT_STARTED)


def _let_go_of_the_silent(listener: socket.socket, seconds: float) -> None:
    """Unread data stays in memory, even after its stream has ended, until the system gives up the connection.

    Connections inherit this option from the listening socket.
    """
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # other systems have their own timeout
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(seconds * 1000))


LARGEST_HEAD = 64 << 10
"""Bytes of an address and headers after which no more is read."""
_REFUSED = b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class BoundedHeads(HttpToolsProtocol):
    _arrived: int | None = None
    """Bytes of a head that is not complete yet."""

    def on_message_begin(self) -> None:
        self._arrived = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._arrived = None
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._arrived is None or self.transport.is_closing():
            return
        self._arrived += len(data)
        if self._arrived > LARGEST_HEAD:
            self.transport.write(_REFUSED)
            self.transport.close()

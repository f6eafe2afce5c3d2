"""Request heads of a bounded size: neither uvicorn nor httptools has a limit, and both keep all that arrives of one."""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

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

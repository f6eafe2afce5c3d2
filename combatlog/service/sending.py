"""Sending one delivery of a webhook: to the address that was checked, signed, without following redirects."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from threading import Timer

from combatlog.service.addresses import Destination
from ledger.errors import Problem


class NotDelivered(Exception):
    """The receiver did not take it; why, in words."""


class _Pinned(HTTPConnection):
    """Connects to an address that is given, whatever the name of the host stands for by now."""

    def __init__(self, to: Destination, trust: ssl.SSLContext, timeout: float) -> None:
        super().__init__(to.host, to.port, timeout=timeout)
        self._to, self._trust = to, trust

    def connect(self) -> None:
        self.sock = socket.create_connection((self._to.address, self._to.port), self.timeout)
        if self._to.is_encrypted:
            self.sock = self._trust.wrap_socket(self.sock, server_hostname=self._to.host)

    def give_up(self) -> None:
        """However slowly it answers: nobody is kept for longer."""
        with suppress(OSError, AttributeError):
            self.sock.shutdown(socket.SHUT_RDWR)


def trusting(authority: str | None) -> ssl.SSLContext:
    """Trusts those whom the system trusts, and an authority of one's own: a file with its certificate."""
    trust = ssl.create_default_context()
    if authority is not None:
        try:
            trust.load_verify_locations(authority)
        except OSError as error:  # also if there is no certificate in it
            sentence = f"{authority} is no file with the certificate of an authority."
            raise Problem("serve/authority", sentence, path=authority, reason=str(error)) from error
    return trust


def send(to: Destination, trust: ssl.SSLContext, body: bytes, headers: Mapping[str, str], within: float) -> None:
    """Post a body. Anything but a status from 200 to 299 within some seconds is a failure."""
    connection = _Pinned(to, trust, within)
    timer = Timer(within, connection.give_up)
    timer.start()
    try:
        connection.request("POST", to.path, body, dict(headers))
        status = connection.getresponse().status
    except (OSError, HTTPException) as error:
        raise NotDelivered(f"the receiver did not answer: {type(error).__name__}") from error
    finally:
        timer.cancel()
        connection.close()
    if not 200 <= status <= 299:
        raise NotDelivered(f"the receiver answered with {status}")

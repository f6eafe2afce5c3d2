"""Deliver webhooks: what a seat sees of a fight, in order and at least once, by one process at a time.

Deliveries go to public addresses and to networks that the operator has named. A name is resolved once, every
address is checked, and the request goes to exactly the address that was checked, signed and without redirects. The
progress of each webhook is in the database, so any process can continue where another one stopped.
"""

from __future__ import annotations

import logging
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from threading import Event as Flag
from threading import Semaphore, Thread, Timer
from time import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from combatlog.webhooks import Webhook, sign
from ledger.errors import Problem
from ledger.store import seats_and_webhooks as stored
from ledger.store.seats_and_webhooks import ClaimedWebhook

if TYPE_CHECKING:
    import combatlog
    from combatlog.service.runtime import Runtime


_log = logging.getLogger("combatlog.service")
MOST_EVENTS = 100
"""Events of one delivery."""
PAUSE = 0.5
"""Seconds between checks for something to deliver."""
WITHIN = 5.0
"""Seconds that a receiver may take."""
CLAIM = 60.0
"""Seconds after which another process may deliver, if the one that claimed the webhook is gone."""
LONGEST_WAIT = 3600.0
AT_ONCE = 8
"""Deliveries at the same time."""
FAILING_AT_ONCE = 4
"""How many of them may go to receivers that failed before; the rest is reserved for working ones."""
_ANY = 2**30


class WebhookDelivery:
    """Finds webhooks with undelivered events, and delivers to each of them in a thread."""

    def __init__(self, hall: Runtime, ledger: combatlog.Ledger, lost: tuple[type[Exception], ...]) -> None:
        self._hall, self._ledger, self._lost = hall, ledger, lost
        self._allowed = networks(hall.settings.webhook_networks)
        self._trust = trusting(hall.settings.webhook_authority)
        self._stopping = Flag()
        self._pool = ThreadPoolExecutor(AT_ONCE, "webhook")
        self._places, self._places_of_failing = Semaphore(AT_ONCE), Semaphore(FAILING_AT_ONCE)
        self._thread = Thread(target=self._look, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Deliveries that are under way may finish; the next process delivers the rest."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout=WITHIN)
        self._pool.shutdown(cancel_futures=True)

    def _look(self) -> None:
        while not self._stopping.is_set():
            try:
                if self._claim():
                    continue
            except self._lost as error:
                _log.warning("webhooks could not be looked at", extra={"reason": str(error)})
            self._stopping.wait(PAUSE)

    def _claim(self) -> bool:
        """Start one delivery that is due, if there is one and a thread is free."""
        if not self._places.acquire(timeout=PAUSE):
            return False
        takes_failing = self._places_of_failing.acquire(blocking=False)
        try:
            claimed = stored.claim_webhook(self._ledger.store.recorder, CLAIM, _ANY if takes_failing else 0)
        except BaseException:
            self._leave(takes_failing)
            raise
        if claimed is None:
            self._leave(takes_failing)
            return False
        if takes_failing and not claimed.webhook.failures:
            self._places_of_failing.release()
            takes_failing = False
        self._pool.submit(self._tell, claimed, takes_failing)
        return True

    def _leave(self, takes_failing: bool) -> None:
        self._places.release()
        if takes_failing:
            self._places_of_failing.release()

    def _tell(self, claimed: ClaimedWebhook, is_failing: bool) -> None:
        try:
            self._deliver(claimed)
        except self._lost as error:
            _log.warning("a webhook could not be delivered", extra={"reason": str(error)})
        finally:
            self._leave(is_failing)

    def _deliver(self, claimed: ClaimedWebhook) -> None:
        one, recorder = claimed.webhook, self._ledger.store.recorder
        body, delivered, considered = self._news(Webhook(one))
        try:
            if delivered > one.delivered:
                self._send(claimed, body, delivered)
        except (NotPermitted, NotDelivered, OSError) as error:
            wait = min(self._hall.settings.webhook_backoff * 2 ** min(one.failures, 30), LONGEST_WAIT)
            stored.mark_failed(recorder, claimed, str(error), wait)
        else:
            stored.mark_delivered(recorder, claimed, delivered, considered)

    def _news(self, webhook: Webhook) -> tuple[bytes, int, int]:
        """What the seat has seen since the last delivery: the body, its last number, and its seq in the ledger."""
        one = webhook.stored
        desk = self._hall.desk(one.encounter)
        with desk.lock:
            table = desk.tables.at(one.encounter)
            table.catch_up(desk.ledger.store)
            watch = table.watch(webhook.seat, 0)
            start = watch.place_after(one.delivered)
            events = watch.encoded[start : start + MOST_EVENTS]
            delivered = start + len(events)
            is_all = delivered == len(watch.encoded)
            considered = table.seq if is_all else watch.onlooker.recorded(delivered)
        head = b'{"webhook":"%b","encounter":"%b","seq":%d,"events":[' % (
            str(one.id).encode(),
            str(one.encounter).encode(),
            delivered,
        )
        return head + b",".join(events) + b"]}", delivered, considered

    def _send(self, claimed: ClaimedWebhook, body: bytes, delivered: int) -> None:
        one = claimed.webhook
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "combatlog",
            "X-Combatlog-Delivery": f"{one.id}:{delivered}",
            "X-Combatlog-Signature": sign(one.secret, int(time()), body),
        }
        send(destination(one.url, self._allowed), self._trust, body, headers, WITHIN)


class NotDelivered(Exception):
    """The receiver did not accept the delivery; the reason, in words."""


class _Pinned(HTTPConnection):
    """Connects to a given address, even if the host's name resolves to another one by now."""

    def __init__(self, to: Destination, trust: ssl.SSLContext, timeout: float) -> None:
        super().__init__(to.host, to.port, timeout=timeout)
        self._to, self._trust = to, trust

    def connect(self) -> None:
        self.sock = socket.create_connection((self._to.address, self._to.port), self.timeout)
        if self._to.is_encrypted:
            self.sock = self._trust.wrap_socket(self.sock, server_hostname=self._to.host)

    def give_up(self) -> None:
        """End the connection, however slowly the receiver answers."""
        with suppress(OSError, AttributeError):
            self.sock.shutdown(socket.SHUT_RDWR)


def trusting(authority: str | None) -> ssl.SSLContext:
    """Trust the system's authorities and one more, given as a file with its certificate."""
    trust = ssl.create_default_context()
    if authority is not None:
        try:
            trust.load_verify_locations(authority)
        except OSError as error:  # also if it contains no certificate
            sentence = f"{authority} is not a file with the certificate of an authority."
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


Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
Resolve = Callable[[str, int], list[str]]

_NAT64 = IPv6Network("64:ff9b::/96")


class NotPermitted(Exception):
    """The address must not be delivered to."""


@dataclass(frozen=True, slots=True)
class Destination:
    """The target of a delivery: the checked address, and the host name of the receiver."""

    address: str
    port: int
    host: str
    is_encrypted: bool
    path: str


def networks(named: Sequence[str]) -> tuple[Network, ...]:
    return tuple(ip_network(one, strict=False) for one in named)


def is_permitted(address: Address, allowed: Sequence[Network]) -> bool:
    """Whether it is a public address, also inside a wrapping one, or in an allowed network."""
    return all(_is_public(one) or _is_in(one, allowed) for one in _meant(address))


def _is_in(address: Address, allowed: Sequence[Network]) -> bool:
    return any(address.version == network.version and address in network for network in allowed)


def _is_public(address: Address) -> bool:
    kept_back = address.is_multicast or address.is_reserved or address.is_unspecified
    return address.is_global and not kept_back and not getattr(address, "is_site_local", False)


def _meant(address: Address) -> Iterator[Address]:
    """The addresses that packets for this one may reach."""
    if isinstance(address, IPv4Address):
        yield address
        return
    inside: list[Address] = [one for one in (address.ipv4_mapped, address.sixtofour) if one is not None]
    inside += address.teredo or ()
    if address in _NAT64:
        inside.append(IPv4Address(int(address) & 0xFFFFFFFF))
    yield from inside or [address]


def resolve(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]).partition("%")[0] for entry in found))


def destination(url: str, allowed: Sequence[Network], look_up: Resolve = resolve) -> Destination:
    """The target of a URL; refused if any address of its host is not permitted."""
    parts = urlsplit(url)
    host, is_encrypted = parts.hostname or "", parts.scheme == "https"
    port = parts.port or (443 if is_encrypted else 80)
    found = [ip_address(one) for one in look_up(host, port)]
    if not found or not all(is_permitted(one, allowed) for one in found):
        raise NotPermitted("the address is not a public one")
    if not is_encrypted and not _is_in(next(_meant(found[0])), allowed):
        raise NotPermitted("the address has to begin with https")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Destination(str(found[0]), port, host, is_encrypted, path)

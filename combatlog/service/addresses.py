"""Where webhooks may be delivered: to public addresses, and to networks that whoever runs the service has named.

A name is resolved once, every address that it stands for is checked, and the delivery goes to exactly the one that was
checked: a name that means something else a moment later leads nowhere.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
Resolve = Callable[[str, int], list[str]]

_NAT64 = IPv6Network("64:ff9b::/96")


class NotPermitted(Exception):
    """The address must not be delivered to."""


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a delivery goes: the address that was checked, and the name that the receiver is called by."""

    address: str
    port: int
    host: str
    is_encrypted: bool
    path: str


def networks(named: Sequence[str]) -> tuple[Network, ...]:
    return tuple(ip_network(one, strict=False) for one in named)


def is_permitted(address: Address, allowed: Sequence[Network]) -> bool:
    """A public address, whatever it is wrapped in; or one in a network that is allowed."""
    return all(_is_public(one) or _is_in(one, allowed) for one in _meant(address))


def _is_in(address: Address, allowed: Sequence[Network]) -> bool:
    return any(address.version == network.version and address in network for network in allowed)


def _is_public(address: Address) -> bool:
    kept_back = address.is_multicast or address.is_reserved or address.is_unspecified
    return address.is_global and not kept_back and not getattr(address, "is_site_local", False)


def _meant(address: Address) -> Iterator[Address]:
    """The addresses that packets for this one may end up at."""
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
    """The place that a URL leads to; refused if any address of its name is not permitted."""
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

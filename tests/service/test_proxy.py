"""Behind a proxy that speaks TLS: its word counts if its address is trusted, and no one else's."""

from __future__ import annotations

import json
from collections.abc import Callable
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlsplit

import pytest

from tests.service.conftest import FIGHT, Service

PUBLIC = {"Host": "combat.example.org", "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7"}


def ask(service: Service, proxy: str, method: str, path: str, **headers: str) -> tuple[HTTPResponse, bytes]:
    """As a proxy at this address passes a request on."""
    connection = HTTPConnection(urlsplit(service.url).netloc, timeout=60, source_address=(proxy, 0))
    body = json.dumps({"role": "spectator"}) if method == "POST" else None
    connection.request(method, path, body, {**PUBLIC, "Content-Type": "application/json", **headers})
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer, content


@pytest.mark.slow
@pytest.mark.parametrize(
    ("proxy", "trusted", "scheme"),
    [
        ("127.0.0.1", None, "https"),  # on the same machine
        ("127.0.0.2", None, "http"),  # as on another one
        ("127.0.0.2", "127.0.0.3", "http"),
        ("127.0.0.2", "127.0.0.2", "https"),
        ("127.0.0.2", "10.0.0.9,127.0.0.0/8", "https"),
    ],
)
def test_links_and_cookies_are_secure_if_the_proxy_is_trusted(
    make_service: Callable[..., Service],
    monkeypatch: pytest.MonkeyPatch,
    proxy: str,
    trusted: str | None,
    scheme: str,
) -> None:
    if trusted is not None:
        monkeypatch.setenv("FORWARDED_ALLOW_IPS", trusted)
    service = make_service()
    joined, _ = ask(service, proxy, "GET", f"/join?token={service.tokens['gm']}")
    cookie = joined.getheader("set-cookie", "").lower()
    assert (joined.status, "; secure" in cookie) == (303, scheme == "https")
    bearer = {"Authorization": f"Bearer {service.tokens['gm']}"}
    _, invited = ask(service, proxy, "POST", f"/v1/encounters/{FIGHT}/seats", **bearer)
    assert json.loads(invited)["link"].startswith(f"{scheme}://combat.example.org/join?token=")


def test_pages_behind_a_proxy_may_write(service: Service) -> None:
    """The origin of a page is compared with the Host that the proxy passes on."""
    cookie = f"combatlog_seat={service.tokens['gm']}"
    sent = {"Cookie": cookie, "X-Combatlog": "1", "Origin": "https://combat.example.org"}
    path = f"/v1/encounters/{FIGHT}/seats"
    assert ask(service, "127.0.0.1", "POST", path, **sent)[0].status == 201
    assert ask(service, "127.0.0.1", "POST", path, **{**sent, "Host": "127.0.0.1:8321"})[0].status == 403

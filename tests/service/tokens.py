"""Sending tokens in every way there is, without a client that logs them itself."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection
from urllib.parse import urlsplit

from combatlog.service.authentication import COOKIE
from tests.service.conftest import FIGHT

WRONG = "wrong-token-that-nobody-was-given"
STATE = f"/v1/encounters/{FIGHT}/state"
TURNS = f"/v1/encounters/{FIGHT}/turns"


def use_tokens(url: str, tokens: Mapping[str, str]) -> list[int]:
    """The statuses of the answers, in order."""
    connection = HTTPConnection(urlsplit(url).netloc, timeout=60)
    statuses = []
    for method, path, headers, body in (request for token in tokens.values() for request in _requests(token)):
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        answer.read()
        statuses.append(answer.status)
    connection.close()
    for token in tokens.values():
        _say_what_is_not_http(url, token)
    return statuses


def _requests(token: str) -> Iterator[tuple[str, str, dict[str, str], str | None]]:
    cookie, as_json = {"Cookie": f"{COOKIE}={token}"}, {"Content-Type": "application/json"}
    yield "GET", STATE, {"Authorization": f"Bearer {token}"}, None
    yield "GET", STATE, {"Authorization": f"Basic {token}"}, None
    yield "GET", STATE, cookie, None
    yield "POST", TURNS, {**cookie, **as_json}, '{"who": "snig"}'
    yield "POST", TURNS, {**as_json, "Authorization": f"Bearer {token}"}, f'{{"who": "{token}"}}'
    yield "GET", f"/join?token={token}", {}, None
    yield "GET", f"/join?token={token}&token={token * 10}", {}, None
    yield "GET", f"{STATE}?token={token}&at=x", {"Referer": f"http://127.0.0.1/join?token={token}"}, None
    yield "GET", f"/{token}", {}, None
    yield "PUT", f"/v1/{token}", {"X-Request-ID": f"{token} "}, None


def _say_what_is_not_http(url: str, token: str) -> None:
    where = urlsplit(url)
    with socket.create_connection((where.hostname, where.port), timeout=60) as connection:
        connection.sendall(f"GET /join?token={token} HTTP/nine\r\nCookie {token}\r\n\r\n".encode())
        connection.recv(65536)

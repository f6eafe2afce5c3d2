"""Nobody gets around the limits: not with made-up tokens, nor with requests that never arrive whole."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from combatlog.service.authentication import COOKIE
from tests.service.conftest import FIGHT, Service

Make = Callable[..., Service]
SLOWLY = {"rate": 0.001, "burst": 3}


def statuses(service: Service, headers: list[dict[str, str]]) -> list[int]:
    client = service.client()
    return [client.get("/v1/seat", headers=one).status_code for one in headers]


def test_a_cookie_among_others_is_the_same_cookie(make_service: Make) -> None:
    service = make_service(**SLOWLY)
    cookies = [{"Cookie": f"{COOKIE}={service.tokens['gm']}; other={number}"} for number in range(5)]
    assert statuses(service, cookies) == [200, 200, 200, 429, 429]


def test_made_up_tokens_count_for_the_address_that_they_come_from(make_service: Make) -> None:
    service = make_service(**SLOWLY)
    gm = {"Authorization": f"Bearer {service.tokens['gm']}"}
    assert statuses(service, [gm]) == [200]
    guesses = [{"Authorization": f"Bearer guess{number}"} for number in range(4)]
    assert statuses(service, guesses) == [401, 401, 429, 429]
    assert statuses(service, [gm, gm, gm]) == [200, 200, 429]  # its own limit, which nobody else uses up


@contextmanager
def unfinished(service: Service, seat: str) -> Iterator[socket.socket]:
    """A request whose body is announced and does not come."""
    host, port = urlsplit(service.url).netloc.split(":")
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        head = f"POST /v1/encounters/{FIGHT}/notes HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
        token = f"Authorization: Bearer {service.tokens[seat]}\r\n"
        connection.sendall(f"{head}{token}Content-Length: 16\r\nExpect: 100-continue\r\n\r\n".encode())
        assert connection.recv(1000).startswith(b"HTTP/1.1 100")  # it is waited for
        yield connection


def everything(connection: socket.socket) -> bytes:
    return b"".join(iter(lambda: connection.recv(4096), b""))


def test_a_body_that_does_not_arrive_is_given_up(make_service: Make) -> None:
    service = make_service(receive_within=0.2)
    with unfinished(service, "gm") as connection:
        answer = everything(connection)  # up to its end: the connection is closed
    assert answer.startswith(b"HTTP/1.1 408")
    assert b'"code":"request/too-slow"' in answer


def test_a_sender_has_only_so_many_requests_that_have_not_arrived(make_service: Make) -> None:
    service = make_service(arriving=1)
    for seat in ("gm", "host"):
        assert service.get(seat, "/v1/seat").status_code == 200  # known from now on
    with unfinished(service, "gm") as connection:
        refused = service.post("gm", "notes", {"text": "Rain"})
        assert (refused.status_code, refused.json()["code"]) == (429, "request/too-many")
        assert refused.headers["retry-after"] == "1"
        assert service.post("host", "notes", {"text": "Rain"}).status_code == 200
        connection.sendall(b'{"text": "Snow"}')
        assert connection.recv(1000).startswith(b"HTTP/1.1 200")
    assert service.post("gm", "notes", {"text": "Rain"}).status_code == 200

"""Requests that are small to send and costly to read: without a seat nothing is read, with one there are bounds."""

from __future__ import annotations

import json
import re
import socket
from dataclasses import replace

import httpx
import pytest
from fastapi import APIRouter
from pydantic import BaseModel, field_validator

from combatlog.rules.content.limits import MAX_VALUES
from combatlog.service.app import create
from combatlog.service.commands import SMALL, BodyRoute
from combatlog.service.problems import LARGEST_REFUSAL, LONGEST_TEXT, MOST_LISTED
from combatlog.service.workers import LARGEST_HEAD
from tests.cases import each
from tests.service.calls import BODIES, ROUTES
from tests.service.conftest import BOUNDLESS, FIGHT, Service, listening, set_up
from tests.service.conftest import make_service as make_service
from tests.service.conftest import opening as opening
from tests.service.conftest import service as service
from tests.service.processes import running

OPEN = {"/", "/table", "/table/{encounter}", "/replay/{encounter}", "/healthz", "/readyz", "/join", "/openapi.json"}
"""What anybody may ask for, besides the files of the pages."""
SEATED = [call for call in ROUTES if call.split()[1] not in OPEN and "{name:path}" not in call]
JSON = {"Content-Type": "application/json"}


def address(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "x" * 300, path.replace("{encounter}", FIGHT))  # no parameter takes 300 characters


def sent(service: Service, seat: str | None, call: str, content: bytes, **headers: str) -> httpx.Response:
    method, path = call.split()
    return service.client(seat).request(method, address(path), content=content, headers={**JSON, **headers})


def wrong_items(count: int) -> bytes:
    """A correction with that many answers, none of which is one."""
    return b'{"correction":"undo","later_replies":{"1":[' + b",".join([b"0"] * count) + b"]}}"


PLAN = "POST /v1/encounters/{encounter}/corrections/plan"
NOTES = "POST /v1/encounters/{encounter}/notes"


@pytest.mark.parametrize("token", [None, "nonsense"])
def test_without_a_seat_no_request_is_looked_at(service: Service, token: str | None) -> None:
    """Bodies, addresses and queries are all wrong here, and still it is the seat that every answer is about."""
    assert {call.split()[1].split("/")[1] for call in SEATED} == {"v1", "metrics"}
    for call in SEATED:
        refused = sent(service, token, f"{call}?at=0&limit=0&format=none&column=-1", b'{"unknown":')
        assert refused.status_code == 401, (call, refused.text)
        if not call.startswith("HEAD"):
            assert refused.json()["code"] == "seat/no-token"


def test_a_large_body_without_a_seat_is_answered_briefly(service: Service) -> None:
    refused = sent(service, None, PLAN, wrong_items(524_000))
    assert (refused.status_code, len(refused.content) < 1000) == (401, True)


@each("call", BODIES)
def test_only_the_first_errors_are_listed(service: Service, call: str) -> None:
    unknown = {f"unknown{number}": 0 for number in range(MOST_LISTED + 480)}
    path = re.sub(r"\{(?!encounter)[^}]*\}", "1", call)
    refused = sent(service, "gm", path, json.dumps({**unknown, "correction": "redo"}).encode())
    assert refused.status_code == 422
    facts = refused.json()["facts"]
    assert len(facts["wrong"]) == MOST_LISTED
    assert facts["more"] >= 480
    assert refused.json()["detail"].endswith(f" {facts['more']} more errors are not listed.")


@pytest.mark.slow
@each("call", BODIES)
def test_a_body_has_so_many_values(service: Service, call: str) -> None:
    path = re.sub(r"\{(?!encounter)[^}]*\}", "1", call)
    refused = sent(service, "gm", path, b'{"a":[' + b",".join([b"0"] * 520_000) + b"]}")
    assert (refused.status_code, refused.json()["code"]) == (422, "input/too-much")
    assert str(MAX_VALUES) in refused.json()["detail"]
    assert len(refused.content) < 1000


HOSTILE: dict[str, bytes] = {
    "a long name of a field": b'{"text":"x","' + b"k" * 1_000_000 + b'":0}',
    "a long tag": b'{"correction":"' + b"t" * 1_000_000 + b'"}',
    "deep nesting": b'{"text":' + b"[" * 500_000 + b"]" * 500_000 + b"}",
    "deep nesting without an end": b"[" * 1_000_000,
    "a number with a million digits": b'{"text":' + b"9" * 1_000_000 + b"}",
    "an exponent with a million digits": b'{"text":1e' + b"9" * 1_000_000 + b"}",
    "a long text": b'{"text":"' + b"x" * 1_000_000 + b'"}',
    "many unknown fields": b'{"text":"x"' + b"".join(b',"%x":0' % one for one in range(9_000)) + b"}",
    "not UTF-8": b'{"text":"' + b"\xff" * 1_000_000 + b'"}',
    "nothing but space": b" " * 1_000_000,
}


@each("content", HOSTILE.values(), ids=HOSTILE)
@each("call", [PLAN, NOTES])
@each("sent_as", ["application/json", "application/json; charset=utf-8"])
def test_a_refusal_repeats_little_of_what_was_sent(service: Service, call: str, content: bytes, sent_as: str) -> None:
    refused = sent(service, "gm", call, content, **{"Content-Type": sent_as})
    assert refused.status_code == 422
    assert refused.json()["code"] in ("request/invalid", "input/too-much")
    assert len(refused.content) < 2 * MOST_LISTED * LONGEST_TEXT


@pytest.mark.parametrize(
    "path",
    [
        "state?at=" + "9" * 30_000,
        "events?" + "&".join(["after=x"] * 5_000),
        "/v1/statistics/hits?" + "&".join(["fight=x"] * 5_000),
        "combatants/rurik/aim?action=" + "a" * 30_000 + "&column=1&row=1",
        "/v1/statistics/" + "s" * 30_000,
        "/v1/encounters/" + "e" * 30_000 + "/state",
        "events/" + "9" * 30_000 + "/explanation",
    ],
    ids=["digits", "repeated", "repeated in a list", "text", "name", "encounter", "number in the path"],
)
def test_addresses_are_not_repeated_either(service: Service, path: str) -> None:
    refused = service.get("gm", path)
    assert refused.status_code == 422
    assert len(refused.content) < 2 * MOST_LISTED * LONGEST_TEXT


class Elsewhere(BaseModel):
    """A body that can only be read while the service answers another request."""

    url: str
    padding: str

    @field_validator("url")
    @classmethod
    def answers(cls, url: str) -> str:
        assert httpx.get(f"{url}/healthz", timeout=20).status_code == 200
        return url


def test_a_large_body_is_read_while_others_are_answered(database: str) -> None:
    router = APIRouter(route_class=BodyRoute)

    def read(body: Elsewhere) -> dict[str, str]:
        return {"url": body.url}

    router.add_api_route("/v1/elsewhere", read, methods=["POST"])
    settings = replace(BOUNDLESS, database=database)
    app = create(settings)
    app.include_router(router)
    tokens = set_up(database)
    with listening(settings, app) as url:
        body, headers = {"url": url, "padding": "x" * SMALL}, {"Authorization": f"Bearer {tokens['gm']}"}
        answered = httpx.post(f"{url}/v1/elsewhere", json=body, headers=headers, timeout=60)
    assert (answered.status_code, answered.json()) == (200, {"url": url})


def test_what_is_valid_is_read_once_and_kept(service: Service) -> None:
    """FastAPI gets the body as it was read: defaults, numbers as keys and all."""
    body = {
        "correction": "undo",
        "later_replies": {"7": [{"reactor": "osric", "reaction": None}]},
        "reason": "x" * 1999,
    }
    padded = json.dumps(body).encode() + b" " * SMALL
    for content in (json.dumps(body).encode(), padded):
        assert sent(service, "gm", PLAN, content).status_code == 200


def test_a_refusal_without_bounds_loses_its_facts() -> None:
    from combatlog.service.problems import Refused, answer

    large = answer(Refused("request/moved-on", "Something was recorded since.", since=["x" * 1000] * 2000))
    assert json.loads(large.body)["facts"] == {}
    assert json.loads(large.body)["code"] == "request/moved-on"
    small = answer(Refused("request/moved-on", "Something was recorded since.", since=["x" * 1000] * 500))
    assert len(json.loads(small.body)["facts"]["since"]) == 500 < LARGEST_REFUSAL


def test_the_log_does_not_repeat_everything_that_was_sent() -> None:
    import logging
    import sys

    from pydantic import ValidationError

    from combatlog.service.observability import JsonLogFormatter

    class Numbers(BaseModel):
        numbers: list[int]

    try:
        Numbers(numbers=["x" * 100] * 5_000)  # type: ignore[list-item]
    except ValidationError:
        record = logging.LogRecord("combatlog.service", logging.ERROR, "", 0, "broken", None, sys.exc_info())
    line = json.loads(JsonLogFormatter().format(record))
    assert "5000 validation errors for Numbers" in line["error"]
    assert len(line["error"]) <= 20_000


def send_often(connection: socket.socket, piece: bytes, times: int) -> None:
    for _ in range(times):
        connection.sendall(piece)


def test_headers_without_an_end_are_not_read_on(database: str) -> None:
    """Anybody can send them. What is in buffers on the way is a few MiB; the rest finds the connection closed."""
    with running(database) as serving:
        address = httpx.URL(serving.url)
        head = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: "
        with socket.create_connection((address.host, address.port), timeout=60) as connection:
            connection.sendall(head + b"x" * (LARGEST_HEAD // 2) + b"\r\n\r\n")
            assert connection.recv(1000).startswith(b"HTTP/1.1 200")
        with socket.create_connection((address.host, address.port), timeout=60) as connection:
            connection.sendall(head)
            with pytest.raises(ConnectionError):
                send_often(connection, b"x" * (1 << 20), 256)

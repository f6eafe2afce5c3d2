"""The OpenAPI document has examples that are valid, and the headers that calls really take and answers really have."""

from __future__ import annotations

import re
from typing import Any, get_type_hints

import pytest
from pydantic import TypeAdapter

from combatlog.service.openapi import ANSWERED, EXAMPLES, PARAMETERS
from tests.cases import each
from tests.service.calls import BODIES, OPERATIONS, ROUTES, examples_of, resolved, taken
from tests.service.conftest import FIGHT, Service

FIGHTS = "/v1/encounters/{encounter}"
TAGGED = {f"GET {FIGHTS}/{what}" for what in ("state", "combatants", "dice", "events")}


@each("call", BODIES)
def test_every_body_has_examples_that_are_valid(call: str) -> None:
    examples = examples_of(BODIES[call])
    assert examples
    model = TypeAdapter[Any](get_type_hints(ROUTES[call].endpoint, include_extras=True)["body"])
    for example in examples:
        said = model.dump_python(model.validate_python(example), mode="json", exclude_unset=True)
        assert set(said) == set(example)


def test_every_operation_has_a_name_of_its_own() -> None:
    names = [operation["operationId"] for operation in OPERATIONS.values()]
    assert len(set(names)) == len(names)
    assert [name for name in names if not re.fullmatch(r"[a-z]+(_[a-z]+)*", name)] == []


def test_the_examples_of_a_pack_and_a_scenario_can_be_used(service: Service) -> None:
    files, script = (examples_of(BODIES[f"POST /v1/{path}"])[0] for path in ("packs/check", "scenarios"))
    assert service.post("host", "/v1/packs/check", files).json()["problems"] == []
    assert service.post("host", "/v1/scenarios", script).status_code == 201


@each("model", EXAMPLES, ids=lambda model: model.__name__)
def test_examples_of_answers_are_valid(model: Any) -> None:
    assert TypeAdapter(model).validate_python(EXAMPLES[model])


def test_what_most_programs_ask_for_has_an_example() -> None:
    lacking = {
        call
        for call, operation in OPERATIONS.items()
        for status, answer in operation["responses"].items()
        if status in ("200", "201") and "example" not in answer["content"].get("application/json", {})
    }
    assert {call for call in OPERATIONS if call.startswith("POST ")} & lacking <= {
        "POST /v1/encounters/{encounter}/auto",
        "POST /v1/scenarios",
        "POST /v1/verification/seals",
        "POST /v1/imports",
        "POST /v1/imports/logs",
        "POST /v1/packs/check",
    }
    assert not lacking & {"GET /v1/encounters", "GET /v1/seat", *TAGGED} - {f"GET {FIGHTS}/combatants"}


def test_headers_follow_from_what_a_call_is() -> None:
    for call, operation in OPERATIONS.items():
        answer = next(one for status, one in operation["responses"].items() if status in ("200", "201"))
        recorded = "RecordedData" in str(answer.get("content"))
        if recorded:
            assert "Idempotency-Key" in taken(operation), call
        if recorded and "{encounter}" in call and "201" not in operation["responses"]:
            assert "If-Match" in taken(operation), call
        assert ("If-Match" in taken(operation)) is ("412" in operation["responses"]), call
        assert ("If-None-Match" in taken(operation)) is ("304" in operation["responses"]) is (call in TAGGED), call
        assert ("Last-Event-ID" in taken(operation)) is (call == f"GET {FIGHTS}/events"), call
        for status in {"429", "503"} & set(operation["responses"]):
            assert resolved(operation["responses"][status]["headers"]["Retry-After"])["required"], call


def test_no_header_is_described_in_vain() -> None:
    assert {name for operation in OPERATIONS.values() for name in taken(operation)} == set(PARAMETERS)
    answers = [answer for operation in OPERATIONS.values() for answer in operation["responses"].values()]
    assert {name for answer in answers for name in answer.get("headers", ())} == set(ANSWERED)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("header", "wrong", "code"),
    [("If-Match", "yesterday", "request/if-match"), ("Idempotency-Key", "x" * 256, "request/idempotency-key")],
)
def test_a_call_takes_the_headers_that_are_documented_and_no_others(
    service: Service, header: str, wrong: str, code: str
) -> None:
    """A wrong value is refused by whoever reads the header; nobody else minds."""
    found = set()
    for call, operation in OPERATIONS.items():
        if call.startswith("POST "):
            path = call.removeprefix("POST ").format(encounter=FIGHT, proposal=1)
            seat = "rurik" if path.endswith("/answers") else "host"
            body = examples_of(operation)[0] if call in BODIES else {}
            if f'"{code}"' in service.post(seat, path, body, **{header: wrong}).text:
                found.add(call)
    assert found == {call for call, operation in OPERATIONS.items() if header in taken(operation)}


@pytest.mark.slow
@pytest.mark.parametrize("call", sorted(TAGGED))
def test_what_has_a_tag_is_not_sent_again(service: Service, call: str) -> None:
    path = call.removeprefix("GET ").replace("{encounter}", FIGHT)
    seen = service.get("rurik", path)
    assert (seen.status_code, bool(seen.content)) == (200, True)
    again = service.get("rurik", path, **{"If-None-Match": seen.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", seen.headers["etag"])
    service.post("gm", "notes", {"text": "it rains"})
    assert service.get("rurik", path, **{"If-None-Match": seen.headers["etag"]}).status_code == 200


@pytest.mark.slow
@each("said", ["yesterday", "-1", "9" * 19, "1.5", "\u00b2"])
def test_a_stream_resumes_after_the_number_of_an_event_only(service: Service, said: str) -> None:
    sent = {b"accept": b"text/event-stream", b"last-event-id": said.encode("latin-1")}
    refused = service.client("rurik").get(service.at("events"), headers=list(sent.items()))
    assert (refused.status_code, refused.json()["code"]) == (422, "request/last-event-id")

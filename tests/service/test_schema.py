"""The whole contract, tried by schemathesis from every seat: no 500, nothing undocumented, nothing recorded in vain."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import pytest
import schemathesis
from hypothesis import Phase, given
from schemathesis.checks import not_a_server_error
from schemathesis.core import NOT_SET
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

import combatlog
from tests.effort import examples
from tests.service.calls import BODIES, OPERATIONS, examples_of, taken
from tests.service.conftest import FIGHT, Service

pytestmark = pytest.mark.slow

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
)
SEATS = ("nonsense", "elsewhere", "spectator", "auditor", "rurik", "gm", "host")
"""Those with fewer rights first: what they are refused must not be done."""
"""For each call, each from every seat."""
NOW = "the ETag that the seat has now"
HEADERS = {
    "Idempotency-Key": ["", "x" * 255, "x" * 256, "\xe9\xff", "6a3f3c0e-7f0b-4b6e-9d3a-2f5f6f1f9a11", "key"],
    "If-Match": [
        NOW,
        f"W/{NOW}",
        "*",
        "",
        '""',
        '"0"',
        '"1"',
        "yesterday",
        "-1",
        '"1", "2"',
        "9" * 19,
        "\xb2",
        '"1.5"',
    ],
    "If-None-Match": [NOW, f"W/{NOW}", f'"1", {NOW}', "*", "", '"', "yesterday", "\xe9", "," * 500, '"0"'],
    "Last-Event-ID": ["0", "1", "9" * 18, "9" * 19, "", "-1", "yesterday", "\xb2", "1.5"],
}
"""Right ones and wrong ones."""


def test_no_call_breaks_the_contract(service: Service, fight: combatlog.RecordedFight) -> None:
    schema = schemathesis.openapi.from_url(f"{service.url}/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    for operation in sorted(operations, key=_ends_the_fight):
        _try_headers(operation, service, fight)
        _try_examples(operation, service, fight)
        _try(operation, service, fight)
    assert len(operations) == sum(len(methods) for methods in schema.raw_schema["paths"].values())


def _ends_the_fight(operation: Any) -> bool:
    """That comes last: afterwards nearly everything is refused."""
    return bool(operation.path.endswith("/conclude"))


def _try(operation: Any, service: Service, fight: combatlog.RecordedFight) -> None:
    @examples(2, soak=30, phases=[Phase.explicit, Phase.generate])
    @given(case=operation.as_strategy())
    def attempt(case: Any) -> None:
        for seat in SEATS:
            _call(case, seat, service, fight)

    attempt()


def _try_examples(operation: Any, service: Service, fight: combatlog.RecordedFight) -> None:
    """What the document gives as an example of the body, from every seat."""
    for body in _bodies(operation):
        for seat in SEATS:
            _call(_case(operation, body), seat, service, fight)


def _try_headers(operation: Any, service: Service, fight: combatlog.RecordedFight) -> None:
    """Each header that the document mentions, from seats that get as far as reading it."""
    seats = cycle(("gm", "rurik", "host"))
    for name in sorted(taken(OPERATIONS[_name(operation)])):
        for value, seat in zip(HEADERS[name], seats, strict=False):
            said = value.replace(NOW, service.get(seat, "state").headers["etag"])
            body = next(iter(_bodies(operation)), NOT_SET)
            _call(_case(operation, body, {name: said}), seat, service, fight)


def _name(operation: Any) -> str:
    return f"{operation.method.upper()} {operation.path}"


def _bodies(operation: Any) -> list[Any]:
    return examples_of(BODIES[_name(operation)]) if _name(operation) in BODIES else []


def _case(operation: Any, body: Any, headers: dict[str, str] | None = None) -> Any:
    path = {one.name: "1" for one in operation.path_parameters}
    media_type = None if body is NOT_SET else "application/json"
    return operation.Case(path_parameters=path, headers=headers or {}, body=body, media_type=media_type)


def _call(case: Any, seat: str, service: Service, fight: combatlog.RecordedFight) -> None:
    if "encounter" in (case.path_parameters or {}):
        case.path_parameters["encounter"] = FIGHT
    before = _recorded(fight)
    token = {"Authorization": f"Bearer {service.tokens[seat]}"}
    answer = case.call(base_url=service.url, headers=token, timeout=60)
    case.validate_response(answer, checks=CHECKS)
    _check_tag(case, answer)
    if answer.status_code >= 400:
        assert _recorded(fight) == before, f"{case.operation.path} was refused and recorded something"


def _check_tag(case: Any, answer: Any) -> None:
    """An answer has an ETag if the document says so, and else not."""
    described = OPERATIONS[_name(case.operation)]["responses"][str(answer.status_code)].get("headers", {})
    is_earlier = not {"at", "seat"}.isdisjoint(case.query or {})
    assert ("etag" in answer.headers) is ("ETag" in described and not is_earlier), case.operation.path


def _recorded(fight: combatlog.RecordedFight) -> tuple[int, int]:
    """How much there is in the whole ledger: events, of whatever fight, and seats."""
    ledger = fight.ledger
    return ledger.store.recorder.last_notification(), len(ledger.seats.list(FIGHT))

"""The whole contract, tried by schemathesis from every seat: no 500, nothing undocumented, nothing recorded in vain."""

from __future__ import annotations

from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

import combatlog
from tests.faults.conftest import FULL
from tests.service.conftest import FIGHT, Service

CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
SEATS = ("nonsense", "elsewhere", "spectator", "auditor", "rurik", "gm", "host")
"""Those with fewer rights first: what they are refused must not be done."""
EXAMPLES = 30 if FULL else 2
"""For each call, each from every seat."""


def test_no_call_breaks_the_contract(service: Service, fight: combatlog.RecordedFight) -> None:
    schema = schemathesis.openapi.from_url(f"{service.url}/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    for operation in operations:
        _try(operation, service, fight)
    assert len(operations) == sum(len(methods) for methods in schema.raw_schema["paths"].values())


def _try(operation: Any, service: Service, fight: combatlog.RecordedFight) -> None:
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def attempt(case: Any) -> None:
        if "encounter" in (case.path_parameters or {}):
            case.path_parameters["encounter"] = FIGHT
        for seat in SEATS:
            before = _recorded(fight)
            token = {"Authorization": f"Bearer {service.tokens[seat]}"}
            answer = case.call(base_url=service.url, headers=token, timeout=60)
            case.validate_response(answer, checks=CHECKS)
            if answer.status_code >= 400:
                assert _recorded(fight) == before, f"{operation.path} was refused and recorded something"

    attempt()


def _recorded(fight: combatlog.RecordedFight) -> tuple[int, int]:
    """How much there is in the whole ledger: events, of whatever fight, and seats."""
    ledger = fight.ledger
    return ledger.store.recorder.last_notification(), len(ledger.seats.list(FIGHT))

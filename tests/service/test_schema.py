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
from tests.service.conftest import FIGHT, Service

CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
SEATS = ("nonsense", "elsewhere", "spectator", "auditor", "rurik", "gm", "host")
"""Those with fewer rights first: what they are refused must not be done."""
EXAMPLES = 1
"""For each call, each from every seat. Raise it to look for faults."""


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
            before = fight.latest(1)[0].seq
            token = {"Authorization": f"Bearer {service.tokens[seat]}"}
            answer = case.call(base_url=service.url, headers=token)
            case.validate_response(answer, checks=CHECKS)
            if answer.status_code >= 400:
                assert fight.latest(1)[0].seq == before, f"{operation.path} was refused and recorded something"

    attempt()

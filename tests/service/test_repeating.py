"""What is sent twice is done once, also if it is not just one command, or none. What is refused leaves nothing."""

from __future__ import annotations

from typing import Any

import combatlog
from tests.service.conftest import Service

AGAIN = {"Idempotency-Key": "the same"}


def test_automatic_play(service: Service, database: str) -> None:
    with combatlog.open(database) as ledger:
        fight = ledger.new("by itself", dice="random")
        fight.join("ogre", "Oog", (2, 1), side="foes", overrides={"hp": 500})
        fight.join("fighter", "Rurik", (1, 1), overrides={"hp": 500})
        last = fight.start().events[-1].seq
    path = "/v1/encounters/by itself/auto"
    moved_on = service.post("host", path, {}, **{"If-Match": '"1"'})
    assert (moved_on.status_code, moved_on.json()["facts"]["needed"]) == (412, last)
    first = service.post("host", path, {"turns": 2}, **AGAIN, **{"If-Match": f'"{last}"'}).json()
    assert first["steps"]
    assert not first["repeated"]
    again = service.post("host", path, {"turns": 2}, **AGAIN, **{"If-Match": f'"{last}"'}).json()
    assert again == {**first, "repeated": True}
    refused = service.post("host", path, {"turns": 1}, **AGAIN)
    assert (refused.status_code, refused.json()["code"]) == (409, "command/key-reused")
    note = service.post("host", path.replace("/auto", "/notes"), {"text": "It rains."}, **AGAIN)
    assert (note.status_code, note.json()["code"]) == (409, "command/key-reused")
    other = service.post("host", path, {}, **{"Idempotency-Key": "another"}).json()
    assert other["seq"] > first["seq"]


def test_a_seat(service: Service) -> None:
    given = service.post("gm", "seats", {"role": "spectator"}, **AGAIN)
    before = service.get("gm", "seats").json()
    again = service.post("gm", "seats", {"role": "spectator"}, **AGAIN)
    assert (given.status_code, again.status_code) == (201, 409)
    assert (again.json()["code"], again.json()["facts"]["seat"]) == ("seat/repeated", given.json()["seat"])
    assert service.get("gm", "seats").json() == before
    assert service.post("host", "seats", {"role": "spectator"}, **AGAIN).status_code == 201  # another one's key


def test_a_webhook(service: Service) -> None:
    body = {"url": "https://example.org/hook"}
    given = service.post("gm", "webhooks", body, **AGAIN)
    again = service.post("gm", "webhooks", body, **AGAIN)
    assert (given.status_code, again.status_code) == (201, 409)
    assert (again.json()["code"], again.json()["facts"]["webhook"]) == ("webhook/repeated", given.json()["webhook"])
    assert len(service.get("gm", "webhooks").json()) == 1


def test_a_scenario_that_somebody_cannot_join_is_not_even_opened(service: Service) -> None:
    combatants: list[dict[str, Any]] = [{"sheet": "fighter", "as": "A", "at": [1, 1]}, {"sheet": "nosuch", "as": "B"}]
    refused = service.post("host", "/v1/scenarios", {"scenario": {"encounter": "half", "combatants": combatants}})
    assert (refused.status_code, refused.json()["facts"]["combatant"]) == (404, 2)
    assert "half" not in service.get("host", "/v1/encounters").text
    whole = {"scenario": {"encounter": "half", "combatants": combatants[:1]}}
    assert service.post("host", "/v1/scenarios", whole).status_code == 201

"""Who may do what: a table of seats and calls, with what each of them comes to."""

from __future__ import annotations

import re
import time
from typing import Any
from uuid import UUID

import pytest

import combatlog
from tests.service.calls import OPERATIONS
from tests.service.conftest import FIGHT, Service, sit_briefly

SEATS = ("host", "gm", "rurik", "spectator", "auditor", "elsewhere", "nonsense", None)
REMOVE = object()
"""Instead of a body: DELETE."""
NOBODY = UUID(int=1)

CALLS: dict[str, tuple[Any, str]] = {
    # what is called, what it says (None: GET), and the statuses by seat, in the order of SEATS
    "/v1/seat": (None, "200 200 200 200 200 200 401 401"),
    "/v1/encounters": (None, "200 200 200 200 200 200 401 401"),
    "state": (None, "200 200 200 200 200 403 401 401"),
    "state?at=3": (None, "200 200 200 200 200 403 401 401"),
    "combatants": (None, "200 200 200 200 200 403 401 401"),
    "events": (None, "200 200 200 200 200 403 401 401"),
    "dice": (None, "200 200 200 200 200 403 401 401"),
    "combatants/rurik/actions": (None, "200 200 200 403 200 403 401 401"),
    "combatants/rurik/economy": (None, "200 200 200 403 200 403 401 401"),
    "combatants/snig/actions": (None, "200 200 403 403 200 403 401 401"),
    "combatants/snig/economy": (None, "200 200 403 403 200 403 401 401"),
    "combatants/snig/advice": (None, "200 200 403 403 200 403 401 401"),
    "combatants/snig/aim?action=move&column=3&row=3": (None, "409 409 403 403 409 403 401 401"),
    "combatants/snig/way?action=move&column=3&row=3": (None, "200 200 403 403 200 403 401 401"),
    "corrections": (None, "200 200 200 200 200 403 401 401"),
    "events/5/explanation": (None, "200 200 200 200 200 403 401 401"),
    "events/5/why-not?name=protection": (None, "200 200 409 409 200 403 401 401"),
    "diff?at=3&other_at=5": (None, "200 200 200 200 200 403 401 401"),
    "verification": (None, "200 200 403 403 200 403 401 401"),
    "verification ": ({"seals": []}, "200 200 403 403 200 403 401 401"),
    "verification/shown": ({}, "422 422 422 422 422 403 401 401"),  # nobody was shown that
    "/v1/verification/seals": ({"seals": []}, "200 403 403 403 403 403 401 401"),
    "seal": (None, "200 200 403 403 200 403 401 401"),
    "replay": (None, "200 200 200 200 200 403 401 401"),
    "replay?format=html": (None, "200 200 200 200 200 403 401 401"),
    "replay?seat=players": (None, "200 200 403 403 200 403 401 401"),
    "report": (None, "200 200 200 200 200 403 401 401"),
    "difficulty": (None, "200 200 403 403 200 403 401 401"),
    "/v1/campaigns/nowhere/report": (None, "404 403 403 403 403 403 401 401"),
    "/v1/campaigns/nowhere/characters": (None, "404 403 403 403 403 403 401 401"),
    "export": (None, "200 200 200 200 200 403 401 401"),
    "export?format=markdown": (None, "200 200 200 200 200 403 401 401"),
    "export?format=html": (None, "200 200 200 200 200 403 401 401"),
    "export?format=csv": (None, "200 200 403 403 200 403 401 401"),
    "export?format=parquet": (None, "200 200 403 403 200 403 401 401"),
    "/v1/exports?format=csv": (None, "200 403 403 403 403 403 401 401"),
    f"/v1/statistics/hits?fight={FIGHT}": (None, "200 200 403 403 200 403 401 401"),
    "/v1/statistics/hits": (None, "200 403 403 403 403 403 401 401"),
    f"/v1/figures/hits?fight={FIGHT}": (None, "422 422 403 403 422 403 401 401"),  # nobody has struck yet
    "/v1/figures/hits": (None, "422 403 403 403 403 403 401 401"),
    "/v1/verification": (None, "200 403 403 403 403 403 401 401"),
    "seats": (None, "200 200 403 403 403 403 401 401"),
    "/v1/sheets?search=goblin": (None, "200 200 200 200 200 200 401 401"),
    "/v1/sheets/goblin": (None, "200 200 200 200 200 200 401 401"),
    "/v1/packs/archetypes": (None, "200 200 200 200 200 200 401 401"),
    "/v1/messages": (None, "200 200 200 200 200 200 401 401"),
    "/metrics": (None, "200 403 403 403 403 403 401 401"),
    "/healthz": (None, "200 200 200 200 200 200 200 200"),
    "/readyz": (None, "200 200 200 200 200 200 200 200"),
    "/openapi.json": (None, "200 200 200 200 200 200 200 200"),
    "policies": ({"who": "rurik", "policies": {"*": "never"}}, "200 200 200 403 403 403 401 401"),
    "dice/chains": ({"combatants": ["rurik"], "anchor": "ab" * 32}, "409 409 409 403 403 403 401 401"),
    "dice/links": ({"party": "rurik"}, "409 409 409 403 403 403 401 401"),
    "declarations": ({"actor": "osric", "action": "dodge"}, "409 409 403 403 403 403 401 401"),
    "reactions": ({"reactor": "rurik"}, "409 409 409 403 403 403 401 401"),  # nobody is asked
    "hit": ({"actor": "rurik", "dice": [15, 6]}, "409 409 409 403 403 403 401 401"),  # it is Snig's turn
    "cast": ({"actor": "rurik", "spell": "bless"}, "422 422 422 403 403 403 401 401"),
    "move": ({"actor": "rurik", "to": [1, 0]}, "409 409 409 403 403 403 401 401"),
    "move ": ({"actor": "snig", "to": [2, 2]}, "200 409 403 403 403 403 401 401"),
    "time-up": ({}, "409 409 409 403 403 403 401 401"),
    "turns": ({"who": "snig"}, "200 409 403 403 403 403 401 401"),
    "hit ": ({"actor": "rurik", "target": "snig", "dice": [2]}, "200 409 409 403 403 403 401 401"),
    "rulings": ({"note": "it rains", "reason": "mood"}, "200 200 403 403 403 403 401 401"),
    "rolls": ({"notation": "1d20", "dice": [7], "secret": True}, "200 200 403 403 403 403 401 401"),
    "notes": ({"text": "it is dark"}, "200 200 403 403 403 403 401 401"),
    "hurt": ({"who": ["snig"], "amount": 1}, "200 200 403 403 403 403 401 401"),
    "heal": ({"who": ["snig"], "amount": 1}, "200 200 403 403 403 403 401 401"),
    "initiative": ({"values": {"snig": 3}}, "200 200 403 403 403 403 401 401"),
    "start": ({}, "409 409 403 403 403 403 401 401"),
    "combatants ": ({"sheet": "goblin", "dice": [7]}, "200 200 403 403 403 403 401 401"),
    "reveal": ({"who": ["grimjaw"]}, "200 409 403 403 403 403 401 401"),
    "conceal": ({"who": ["grimjaw"]}, "200 409 403 403 403 403 401 401"),
    "labels": ({"add": ["practice"]}, "200 409 403 403 403 403 401 401"),
    "corrections/plan": ({"correction": "undo"}, "200 200 403 403 403 403 401 401"),
    "corrections ": ({"correction": "undo"}, "200 200 403 403 403 403 401 401"),
    "proposals": (None, "200 200 200 200 200 403 401 401"),
    "proposals ": ({"correction": "undo"}, "200 200 403 403 403 403 401 401"),
    "proposals/1/answers": ({"who": "rurik"}, "403 403 404 403 403 403 401 401"),
    "proposals/1/overruling": ({"reason": "so it is"}, "404 404 403 403 403 403 401 401"),
    "webhooks": (None, "200 200 403 403 403 403 401 401"),
    "webhooks ": ({"url": "https://example.org/hook"}, "201 201 403 403 403 403 401 401"),
    f"webhooks/{NOBODY}": (REMOVE, "404 404 403 403 403 403 401 401"),
    f"seats/{NOBODY}": (REMOVE, "404 404 403 403 403 403 401 401"),
    "seats ": ({"role": "spectator"}, "201 201 403 403 403 403 401 401"),
    "forks": ({"name": "what if"}, "201 403 403 403 403 403 401 401"),
    "/v1/encounters ": ({"name": "another"}, "201 403 403 403 403 403 401 401"),
    "auto": ({"turns": 1}, "200 409 403 403 403 403 401 401"),  # the next turn takes dice from the table
    "/v1/packs/check": ({"files": {"sheets.yaml": ""}}, "200 200 200 200 200 200 401 401"),
    "/v1/imports": ({}, "422 403 403 403 403 403 401 401"),
    "/v1/imports/logs?format=dice": ({}, "200 403 403 403 403 403 401 401"),
    "/v1/imports/logs?format=dice&packed=true": ({}, "422 403 403 403 403 403 401 401"),
    "leave": ({"who": "rurik"}, "200 422 422 403 403 403 401 401"),
    "leave ": ({"who": "osric"}, "200 422 403 403 403 403 401 401"),
    "conclude": ({}, "200 409 403 403 403 403 401 401"),
    "rests": ({"kind": "short", "who": ["snig"]}, "200 200 403 403 403 403 401 401"),
    "/v1/scenarios": ({"scenario": {"encounter": "script"}}, "201 403 403 403 403 403 401 401"),
}


def test_every_seat_gets_what_it_may(service: Service, fight: combatlog.RecordedFight) -> None:
    """One after the other, so what a call did is still so for the next one."""
    found = {}
    clients = {seat: service.client(seat) for seat in SEATS}
    for call, (body, _) in CALLS.items():
        statuses = []
        for seat in SEATS:
            before, path = fight.backend.latest(1)[0].seq, service.at(call.strip())
            answer = clients[seat].request(_method(body), path, json=body if _method(body) == "POST" else None)
            statuses.append(answer.status_code)
            if answer.status_code >= 400:
                assert answer.headers["content-type"] == "application/problem+json"
                assert fight.backend.latest(1)[0].seq == before, f"{call} was refused and recorded something"
        found[call] = " ".join(map(str, statuses))
    assert found == {call: expected for call, (_, expected) in CALLS.items()}


def _method(body: Any) -> str:
    return "GET" if body is None else "DELETE" if body is REMOVE else "POST"


def test_the_table_has_every_call() -> None:
    made = [f"{_method(body)} {Service.at(call.strip()).partition('?')[0]}" for call, (body, _) in CALLS.items()]
    patterns = {call: re.sub(r"\\{\w+\\}", "[^/]+", re.escape(call)) for call in OPERATIONS}
    assert [call for call, pattern in patterns.items() if not any(re.fullmatch(pattern, one) for one in made)] == []


def test_a_player_acts_for_its_own_combatant_only(service: Service) -> None:
    assert service.post("gm", "turns", {"who": "snig"}).status_code == 200
    assert (
        service.post("osric", "declarations", {"actor": "rurik", "action": "dodge"}).json()["code"] == "seat/not-yours"
    )
    done = service.post("rurik", "declarations", {"actor": "rurik", "action": "dodge"})
    assert done.status_code == 200
    assert {event["by"] for event in done.json()["events"] if event["kind"] == "declared"} == {"Rurik"}


def test_a_player_does_nothing_that_is_the_gms(service: Service, fight: combatlog.RecordedFight) -> None:
    player, before = service.client("rurik"), fight.backend.latest(1)[0].seq
    for action in ("join", "rule", "close", "hurt", "heal", "start", "reveal", "initiative", "label", "recuperate"):
        for said in (action, f"core:time:{action}", f"core:ruling:{action}"):
            refused = player.post(service.at("declarations"), json={"actor": "rurik", "action": said})
            assert refused.json()["code"] == "seat/not-allowed", said
        refused = player.post(service.at("declarations"), json={"actor": "gm", "action": action})
        assert refused.status_code == 403
    assert fight.backend.latest(1)[0].seq == before


def test_a_player_answers_for_nobody_else(service: Service) -> None:
    body = {"actor": "rurik", "action": "dodge", "replies": [{"reactor": "osric", "reaction": "protection"}]}
    assert service.post("rurik", "declarations", body).json()["code"] == "seat/not-yours"
    assert service.post("rurik", "reactions", {"reactor": "osric"}).json()["code"] == "seat/not-yours"


def test_a_player_cannot_speak_in_another_name(service: Service) -> None:
    said = service.post("rurik", "policies", {"who": "rurik", "policies": {"*": "never"}, "by": "gm"})
    assert {event["by"] for event in said.json()["events"] if event["kind"] == "declared"} == {"Rurik"}


def test_a_seat_that_is_taken_away_is_out_at_once(service: Service) -> None:
    assert service.get("rurik", "state").status_code == 200
    (seat,) = (one for one in service.get("gm", "seats").json() if one["name"] == "Rurik")
    assert service.client("gm").delete(f"/v1/encounters/{FIGHT}/seats/{seat['seat']}").status_code == 200
    assert service.get("rurik", "state").status_code == 401


@pytest.mark.slow
def test_a_seat_that_has_expired_is_out_at_once(service: Service, database: str) -> None:
    sit_briefly(service, database, seconds=1.5)
    assert service.get("brief", "state").status_code == 200
    time.sleep(2)
    refused = service.get("brief", "state")
    assert (refused.status_code, refused.json()["code"]) == (401, "seat/no-token")
    assert service.post("brief", "policies", {"who": "rurik", "policies": {}}).status_code == 401


@pytest.mark.slow
def test_a_seat_with_a_delay_gets_what_the_guide_says(service: Service) -> None:
    late = service.post("gm", "seats", {"role": "spectator", "delay": 1}).json()["token"]
    service.tokens["late"] = late
    time.sleep(1.2)
    values = {"encounter": FIGHT, "who": "rurik", "seq": 1}
    paths = [call.removeprefix("GET ") for call in OPERATIONS if call.startswith("GET /v1/encounters/{encounter}/")]
    asked = "?action=move&column=1&row=1&name=x"
    given = {path: service.get("late", path.format(**values) + asked) for path in paths}
    seen = {path.rpartition("/")[2] for path, answer in given.items() if answer.status_code == 200}
    assert seen == {"state", "combatants", "dice", "events"}
    assert {answer.status_code for answer in given.values()} == {200, 403}
    refused = service.get("late", "report").json()["detail"]
    assert refused == "A seat with a delay sees the state, the combatants, the dice and the events only."


def test_a_campaign_is_for_those_with_a_seat_at_all_fights(service: Service, database: str) -> None:
    with combatlog.open(database) as ledger:
        river = ledger.new("River", options={"campaign": "riverlands"})
        river.join("fighter", "Anselm", (1, 1), controller="player")
        river.conclude()
    report = service.get("host", "/v1/campaigns/riverlands/report").json()
    assert (report["campaign"], [line["fight"] for line in report["fights"]]) == ("riverlands", ["River"])
    members = service.get("host", "/v1/campaigns/riverlands/characters").json()
    assert [(member["name"], member["fight"]) for member in members] == [("Anselm", "River")]
    assert service.get("gm", "/v1/campaigns/riverlands/report").status_code == 403

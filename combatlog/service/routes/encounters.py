"""Encounters: listing them, opening them, forking them; and playing a whole scenario."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

import combatlog
from combatlog.messages.requests import Fork, Open, Script
from combatlog.messages.rights import Right
from combatlog.rules.content.scenario import Scenario, check_entrants, opening_of, play
from combatlog.rules.engine.validation import validated
from combatlog.service.answers import JSON, json_answer, key_of, tag
from combatlog.service.command_route import BodyRoute
from combatlog.service.documented import answers
from combatlog.service.documented_headers import LOCATION
from combatlog.service.recording import recorded
from combatlog.service.results import RecordedData, Scripted
from combatlog.service.seating import in_office, sitting

router = APIRouter(tags=["encounters"], route_class=BodyRoute)


@router.post("/encounters", **answers(RecordedData, 201, about="The encounter is open.", has=(LOCATION,)))
def open_encounter(request: Request, body: Open) -> Response:
    """Open an encounter. Only a GM who has a seat at all encounters can."""
    with in_office(request, Right.DIRECT) as (ledger, held):
        key = key_of(request, held.id)
        rows = tuple(body.map) if body.map is not None else None
        fight = ledger.new(
            body.name,
            body.ruleset,
            dice=body.dice,
            map=rows,
            options=body.options,
            labels=body.labels,
            by=body.by or held.by or "gm",
            command_id=key,
        )
    return _opened(request, fight)


@router.post("/encounters/{encounter}/forks", **answers(RecordedData, 201, about="The fork is open.", has=(LOCATION,)))
def fork(request: Request, encounter: str, body: Fork) -> Response:
    """Open a new encounter that shares the past of this one up to an event. Needs a seat at all encounters."""
    with in_office(request, Right.DIRECT) as (ledger, held):
        key = key_of(request, held.id)
        made = ledger.fight(encounter).fork(body.name, body.at, by=body.by or held.by or "gm", command_id=key)
    return _opened(request, made)


def _opened(request: Request, fight: combatlog.RecordedFight) -> Response:
    repeated = fight.outcome is not None and fight.outcome.repeated
    events = list(fight.outcome.events) if fight.outcome is not None else []
    with sitting(request, str(fight.id), Right.DIRECT) as place:
        if repeated:
            events = [event for event in place.table.events if event.kind in ("encounter_opened", "forked")][-1:]
        headers = {"ETag": tag(place.watch.last), "Location": f"/v1/encounters/{fight.id}/state"}
        return Response(recorded(place, events, repeated=repeated), 201, headers, JSON)


@router.post("/scenarios", **answers(Scripted, 201, about="The scenario was played.", has=(LOCATION,)))
def play_scenario(request: Request, body: Script) -> Response:
    """Play a scenario and record it, and compare it with what it expects."""
    with in_office(request, Right.DIRECT) as (ledger, _):
        scenario = validated(Scenario, body.scenario, "scenario/invalid", "The scenario:")
        check_entrants(scenario)
        fight = ledger.begin(opening_of(scenario, body.name))
        steps = play(scenario, fight)
    data = {"encounter": str(fight.id), "steps": [step.to_json() for step in steps]}
    return json_answer(data, 201, {"Location": f"/v1/encounters/{fight.id}/state"})

"""List, open, fork and import encounters, play whole scenarios, and check the packs they use."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from starlette.requests import Request
from starlette.responses import Response

import combatlog
from combatlog.importers.logs.import_logs import ImportedLog
from combatlog.messages.ledger_commands import ImportFights, Open
from combatlog.messages.requests import Fork, PackFiles, Script
from combatlog.messages.rights import Right
from combatlog.rules.content.pack_files import PackReport, examine
from combatlog.rules.content.scenario import Scenario, check_entrants, opening_of, play
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.options_and_validation import validated
from combatlog.rules.exchange.importing import ImportedEvents
from combatlog.service.authentication import at_fight, require_seat, with_ledger
from combatlog.service.commands import BodyRoute, recorded
from combatlog.service.openapi import LOCATION, answers
from combatlog.service.responses import JSON, RecordedData, ScenarioPlayedData, json_answer, key_of, tag
from combatlog.zip_files import unpacked_logs

router = APIRouter(tags=["encounters"], route_class=BodyRoute)


@router.post("/encounters", **answers(RecordedData, 201, about="The encounter is open.", has=(LOCATION,)))
def open_encounter(request: Request, body: Open) -> Response:
    """Open an encounter. Only a GM who has a seat at all encounters can."""
    with with_ledger(request, Right.DIRECT) as (ledger, held):
        said = body.model_copy(update={"by": body.by or held.by or "gm"})
        fight = ledger.send(said, command_id=key_of(request, held.id))
    return _opened(request, fight)


@router.post("/encounters/{encounter}/forks", **answers(RecordedData, 201, about="The fork is open.", has=(LOCATION,)))
def fork(request: Request, encounter: str, body: Fork) -> Response:
    """Open a new encounter that shares the past of this one up to an event. Needs a seat at all encounters."""
    with with_ledger(request, Right.DIRECT) as (ledger, held):
        said = body.model_copy(update={"by": body.by or held.by or "gm"})
        made = ledger.send(said, fight=encounter, command_id=key_of(request, held.id))
    return _opened(request, made)


def _opened(request: Request, fight: combatlog.RecordedFight) -> Response:
    repeated = fight.outcome is not None and fight.outcome.repeated
    events = list(fight.outcome.events) if fight.outcome is not None else []
    with at_fight(request, str(fight.id), Right.DIRECT) as place:
        if repeated:
            events = [event for event in place.table.events if event.kind in ("encounter_opened", "forked")][-1:]
        headers = {"ETag": tag(place.watch.last), "Location": f"/v1/encounters/{fight.id}/state"}
        return Response(recorded(place, events, repeated=repeated), 201, headers, JSON)


@router.post("/scenarios", **answers(ScenarioPlayedData, 201, about="The scenario was played.", has=(LOCATION,)))
def play_scenario(request: Request, body: Script) -> Response:
    """Play a scenario and record it, and compare it with what it expects."""
    with with_ledger(request, Right.DIRECT) as (ledger, _):
        scenario = validated(Scenario, body.scenario, "scenario/invalid", "The scenario:")
        check_entrants(scenario)
        fight = ledger.begin(opening_of(scenario, body.name))
        steps = play(scenario, fight)
    data = {"encounter": str(fight.id), "steps": [step.to_json() for step in steps]}
    return json_answer(data, 201, {"Location": f"/v1/encounters/{fight.id}/state"})


import_router = APIRouter(tags=["exchange"])
_BYTES: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}
FILE_SENT = {"requestBody": {"required": True, "content": {"application/octet-stream": _BYTES}}}


async def _content(request: Request) -> bytes:
    """The file as it was sent, whatever its media type."""
    return await request.body()


File = Annotated[bytes, Depends(_content)]


@import_router.post(
    "/imports", **answers(ImportedEvents, about="What was imported. All or nothing."), openapi_extra=FILE_SENT
)
def import_fights(
    request: Request,
    file: File,
    rename: Annotated[
        list[str] | None, Query(max_length=100, description="OLD or OLD=NEW, for names that are taken here")
    ] = None,
    rename_taken: bool = False,
    skip_existing: bool = False,
) -> Response:
    """Import fights that another ledger exported. It needs a seat at all encounters; a repetition does nothing."""
    said = {"rename": rename or [], "rename_taken": rename_taken, "skip_existing": skip_existing}
    with with_ledger(request, Right.DIRECT) as (ledger, _):
        done = ledger.send(ImportFights(file=BytesIO(file), **said))
    return json_answer(done.to_json())


@import_router.post(
    "/imports/logs", **answers(ImportedLog, about="What was read and recorded."), openapi_extra=FILE_SENT
)
def import_logs(
    request: Request,
    file: File,
    format: Annotated[str, Query(max_length=100, description="the tool that wrote it, such as `foundry`")],
    name: Annotated[str, Query(pattern=r"^[\w][\w .-]{0,99}$", description="the name of the file")] = "log",
    campaign: Annotated[str | None, Query(max_length=200)] = None,
    dry_run: bool = False,
    packed: Annotated[
        bool, Query(description="the body is a ZIP with a folder for each log: 1/morning.txt, 2/evening.txt")
    ] = False,
) -> Response:
    """Import fights from logs of another tool. It needs a seat at all encounters; a repetition adds what is new."""
    with with_ledger(request, Right.DIRECT) as (ledger, _), TemporaryDirectory() as folder:
        one = Path(folder) / name
        if not packed:
            one.write_bytes(file)
        logs = unpacked_logs(file, Path(folder)) if packed else [one]
        done = ledger.import_log(format, logs, campaign=campaign, dry_run=dry_run)
    return json_answer(done.to_json())


content_router = APIRouter(tags=["content"], route_class=BodyRoute)


@content_router.post(
    "/packs/check", **answers(PackReport, about="What the pack contains, and everything wrong with it.")
)
def check_pack(request: Request, body: PackFiles) -> Response:
    """Nothing is recorded or kept."""
    require_seat(request, Right.LOOK)
    rules = rulesets.find(body.ruleset)
    with TemporaryDirectory() as folder:
        pack = Path(folder) / body.name
        for name, text in body.files.items():
            file = pack / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return json_answer(examine(rules, pack).to_json())

"""Bringing fights here: those of other ledgers, and other logs."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from starlette.requests import Request
from starlette.responses import Response

from combatlog.messages.ledger_commands import ImportFights
from combatlog.messages.rights import Right
from combatlog.rules.engine.importing import Imported
from combatlog.rules.logs.importing import ImportedLog
from combatlog.service.answers import json_answer
from combatlog.service.documented import answers
from combatlog.service.packed_logs import unpacked, written
from combatlog.service.seating import in_office

router = APIRouter(tags=["exchange"])
_BYTES: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}
FILE_SENT = {"requestBody": {"required": True, "content": {"application/octet-stream": _BYTES}}}


async def _content(request: Request) -> bytes:
    """The file as it was sent, whatever its type is said to be."""
    return await request.body()


File = Annotated[bytes, Depends(_content)]


@router.post("/imports", **answers(Imported, about="What was imported. All or nothing."), openapi_extra=FILE_SENT)
def import_fights(
    request: Request,
    file: File,
    rename: Annotated[
        list[str] | None, Query(max_length=100, description="OLD or OLD=NEW, for names that are taken here")
    ] = None,
    rename_taken: bool = False,
    skip_existing: bool = False,
) -> Response:
    """Import fights that another ledger exported. Needs a seat at all encounters; sent again, it does nothing."""
    said = {"rename": rename or [], "rename_taken": rename_taken, "skip_existing": skip_existing}
    with in_office(request, Right.DIRECT) as (ledger, _):
        done = ledger.send(ImportFights(file=BytesIO(file), **said))
    return json_answer(done.to_json())


@router.post("/imports/logs", **answers(ImportedLog, about="What was read and recorded."), openapi_extra=FILE_SENT)
def import_logs(
    request: Request,
    file: File,
    format: Annotated[str, Query(max_length=100, description="the tool that wrote it, such as `foundry`")],
    name: Annotated[str, Query(pattern=r"^[\w][\w .-]{0,99}$", description="what the file is called")] = "log",
    campaign: Annotated[str | None, Query(max_length=200)] = None,
    dry_run: bool = False,
    packed: Annotated[
        bool, Query(description="the body is a ZIP with a folder for each log: 1/morning.txt, 2/evening.txt")
    ] = False,
) -> Response:
    """Import fights from logs of another tool. Needs a seat at all encounters; sent again, it adds what is new."""
    with in_office(request, Right.DIRECT) as (ledger, _), TemporaryDirectory() as folder:
        logs = unpacked(file, Path(folder)) if packed else [written(file, Path(folder) / name)]
        done = ledger.import_log(format, logs, campaign=campaign, dry_run=dry_run)
    return json_answer(done.to_json())

"""Taking fights elsewhere and bringing them here: exports in every format, fights of other ledgers, and other logs."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from starlette.requests import Request
from starlette.responses import Response

import combatlog
from combatlog.documents.ledgers import imported_data
from combatlog.documents.shapes import ImportedData
from combatlog.messages.ledger_commands import ImportFights
from combatlog.messages.questions import ZIP
from combatlog.messages.rights import Right
from combatlog.packing import packed_tables
from combatlog.view import View
from projections.battle_report import battle_report, seen_report
from projections.views import whole_only
from rules.logs.importing import ImportedLog
from service.answers import NDJSON, json_answer
from service.documented import READING, answers
from service.packed_logs import unpacked, written
from service.routes.asking import OtherSeat, seat_meant
from service.routes.reading import Encounter
from service.seating import in_office

router = APIRouter(tags=["exchange"])
_TEXT: dict[str, Any] = {"schema": {"type": "string"}}
_BYTES: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}
MARKDOWN = "text/markdown; charset=utf-8"
HTML = "text/html; charset=utf-8"
FILE_SENT = {"requestBody": {"required": True, "content": {"application/octet-stream": _BYTES}}}


async def _content(request: Request) -> bytes:
    """The file as it was sent, whatever its type is said to be."""
    return await request.body()


File = Annotated[bytes, Depends(_content)]


class Format(StrEnum):
    JSONL = "jsonl"
    MARKDOWN = "markdown"
    HTML = "html"
    CSV = "csv"
    PARQUET = "parquet"


@router.get(
    "/encounters/{encounter}/export",
    **answers(
        about="Lines of JSON for another ledger, a report in Markdown, a page to step through, or the tables in a ZIP.",
        refusals=READING,
        content={NDJSON: _TEXT, MARKDOWN.partition(";")[0]: _TEXT, HTML.partition(";")[0]: _TEXT, ZIP: _BYTES},
    ),
)
def export(request: Request, encounter: Encounter, format: Format = Format.JSONL, seat: OtherSeat = None) -> Response:
    """For a seat that does not see everything: what it was shown, as lines with proofs (docs/views.md).

    The tables of `csv` and `parquet` hold what everybody did, so they are for the GM and the auditor.
    """
    with in_office(request, _NEEDED.get(format, Right.LOOK), encounter) as (ledger, held):
        view = ledger.fight(encounter).seen_by(seat_meant(held, seat))
        if format in _NEEDED and not view.sees_all:
            raise whole_only(seat or held.seat.words)
        content, media_type = _EXPORTS[format](ledger, encounter, view)
        return Response(content, media_type=media_type)


def _lines(ledger: combatlog.Ledger, encounter: str, view: View) -> tuple[bytes, str]:
    lines = ledger.export([encounter]) if view.sees_all else view.export()
    return "".join(f"{line}\n" for line in lines).encode(), NDJSON


def _markdown(ledger: combatlog.Ledger, encounter: str, view: View) -> tuple[bytes, str]:
    text = battle_report(view.seen) if view.sees_all else seen_report(view.onlooker)
    return text.encode(), MARKDOWN


def _page(ledger: combatlog.Ledger, encounter: str, view: View) -> tuple[bytes, str]:
    return view.replay_page().encode(), HTML


def _tables(form: str) -> Callable[[combatlog.Ledger, str, View], tuple[bytes, str]]:
    return lambda ledger, encounter, _: (packed_tables(ledger, form, encounter), ZIP)


_EXPORTS = {
    Format.JSONL: _lines,
    Format.MARKDOWN: _markdown,
    Format.HTML: _page,
    Format.CSV: _tables("csv"),
    Format.PARQUET: _tables("parquet"),
}
_NEEDED = {Format.CSV: Right.KNOW, Format.PARQUET: Right.KNOW}
"""What there is no view of."""


@router.post("/imports", **answers(ImportedData, about="What was imported. All or nothing."), openapi_extra=FILE_SENT)
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
    return json_answer(imported_data(done))


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
    return json_answer(done.model_dump(mode="json"))

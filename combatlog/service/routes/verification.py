"""Verify that fights are as they were recorded, as they were sealed, and as they were shown to a seat."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from gzip import GzipFile
from io import BytesIO
from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from combatlog.messages.requests import Seals
from combatlog.messages.rights import Right
from combatlog.rules.verification.seals_and_seat_records import require_about
from combatlog.rules.verification.verify import VerificationReport
from combatlog.service.authentication import with_ledger
from combatlog.service.commands import BodyRoute
from combatlog.service.openapi import answers
from combatlog.service.problems import Refused
from combatlog.service.responses import json_answer
from combatlog.service.routes.encounters import FILE_SENT, File
from combatlog.service.routes.state_and_events import Encounter
from ledger.exchange.seal import check_signature

router = APIRouter(tags=["verifying"], route_class=BodyRoute)
_GZIP = b"\x1f\x8b"
LARGEST_SHOWN = 16 << 20
"""Bytes of what a seat was shown, after unpacking."""


@router.post(
    "/encounters/{encounter}/verification", **answers(VerificationReport, about="The same, and against these seals.")
)
def verify_sealed(request: Request, encounter: Encounter, body: Seals) -> Response:
    """Nothing is recorded. The holder of a seal decides whether to trust the key that signed it."""
    with with_ledger(request, Right.KNOW, encounter, may_be_gone=True) as (ledger, _):
        for seal in body.seals:
            check_signature(seal)
        require_about(encounter, body.seals, ledger.sealed(body.seals))
        (report,) = ledger.verify([encounter], body.seals)
        return json_answer(report.to_json())


@router.post(
    "/encounters/{encounter}/verification/shown",
    **answers(VerificationReport, about="Whether the log agrees with what a seat was shown."),
    openapi_extra=FILE_SENT,
)
def verify_shown(request: Request, encounter: Encounter, file: File) -> Response:
    """The body is what `export` gave the seat, as it is or packed with gzip. Nothing is recorded.

    A seat that sees everything checks what any seat was shown, and the fight as a whole. Other seats check what they
    were shown themselves, and only learn whether it still agrees, by their own numbers.
    """
    with with_ledger(request, Right.LOOK, encounter) as (ledger, held):
        report = ledger.fight(encounter).seen_by(held.seat).verify_shown(_lines(file))
        return json_answer(report.to_json())


def _lines(file: bytes) -> Iterator[str]:
    """The lines, unpacked as far as they are read, up to the limit."""
    unpacked, left = GzipFile(fileobj=BytesIO(file)) if file.startswith(_GZIP) else BytesIO(file), LARGEST_SHOWN
    try:
        while line := unpacked.readline(left + 1):
            left -= len(line)
            if left < 0:
                sentence = f"What a seat was shown may have at most {LARGEST_SHOWN} bytes once it is unpacked."
                raise Refused("request/too-large", sentence, needed=LARGEST_SHOWN)
            yield line.decode()
    except (zlib.error, OSError, EOFError, UnicodeDecodeError) as error:
        raise Refused("shown/unreadable", "This is not a readable record of what a seat was shown.") from error


@router.post("/verification/seals", **answers(list[UUID], about="The encounter that each seal is about, by its id."))
def find_sealed(request: Request, body: Seals) -> Response:
    """An encounter may have been imported under another name since then. It needs a seat at all encounters."""
    with with_ledger(request, Right.KNOW) as (ledger, _):
        return json_answer(ledger.sealed(body.seals))

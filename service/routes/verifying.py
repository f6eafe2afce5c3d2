"""Guarding the record: whether fights are as they were recorded, as they were sealed, and as they were shown."""

from __future__ import annotations

import zlib
from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from ledger.seal import Seal, check_signature
from rules.engine.sealing import require_about
from rules.engine.verify import Report
from service.answers import json_answer
from service.bodies import Seals
from service.documented import READING, answers
from service.problems import Refused
from service.results import LedgerVerification
from service.rights import Right
from service.routes.exchange import FILE_SENT, File
from service.routes.reading import Encounter
from service.seating import in_office

router = APIRouter(tags=["verifying"])
_GZIP = b"\x1f\x8b"
LARGEST_SHOWN = 32 << 20
"""Bytes of what a seat was shown, once they are unpacked."""


@router.get(
    "/encounters/{encounter}/verification",
    **answers(Report, about="Numbers, hashes, and every declaration resolved again.", refusals=READING),
)
def verify(request: Request, encounter: Encounter) -> Response:
    with in_office(request, Right.KNOW, encounter) as (ledger, _):
        return json_answer(ledger.fight(encounter).verify().model_dump(mode="json"))


@router.post("/encounters/{encounter}/verification", **answers(Report, about="The same, and against these seals."))
def verify_sealed(request: Request, encounter: Encounter, body: Seals) -> Response:
    """Nothing is recorded. Whether to trust the key that signed a seal is for whoever holds the seal to decide."""
    with in_office(request, Right.KNOW, encounter, may_be_gone=True) as (ledger, _):
        for seal in body.seals:
            check_signature(seal)
        require_about(encounter, body.seals, ledger.sealed(body.seals))
        (report,) = ledger.verify([encounter], body.seals)
        return json_answer(report.model_dump(mode="json"))


@router.post(
    "/encounters/{encounter}/verification/shown",
    **answers(Report, about="Whether the log is what a seat was shown of it."),
    openapi_extra=FILE_SENT,
)
def verify_shown(request: Request, encounter: Encounter, file: File) -> Response:
    """The body is what `export` gave the seat, as it is or packed with gzip. Nothing is recorded.

    Whoever sees everything checks what any seat was shown, and the fight as a whole. Others check what they were shown
    themselves, and are told nothing but whether it is still so, by their own numbers.
    """
    with in_office(request, Right.LOOK, encounter) as (ledger, held):
        report = ledger.fight(encounter).verify_shown(_lines(file), held.seat)
        return json_answer(report.model_dump(mode="json"))


def _lines(file: bytes) -> list[str]:
    try:
        return (_unpacked(file) if file.startswith(_GZIP) else file).decode("utf-8").split("\n")
    except (zlib.error, UnicodeDecodeError) as error:
        raise Refused("shown/unreadable", "This is not what a seat was shown; it cannot be read.") from error


def _unpacked(file: bytes) -> bytes:
    unpacking = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    content = unpacking.decompress(file, LARGEST_SHOWN)
    if unpacking.unconsumed_tail:
        sentence = f"What a seat was shown may have at most {LARGEST_SHOWN} bytes."
        raise Refused("request/too-large", sentence, needed=LARGEST_SHOWN)
    return content


@router.get(
    "/encounters/{encounter}/seal", **answers(Seal, about="A signed statement of what it is.", refusals=READING)
)
def seal(request: Request, encounter: Encounter) -> Response:
    with in_office(request, Right.KNOW, encounter) as (ledger, _):
        return json_answer(ledger.fight(encounter).seal().model_dump(mode="json"))


@router.get(
    "/verification",
    **answers(LedgerVerification, about="What guards the ledger, and what there is to verify.", refusals=READING),
)
def verify_ledger(request: Request) -> Response:
    """For a GM or auditor at all encounters. Each encounter is verified by itself."""
    with in_office(request, Right.KNOW) as (ledger, _):
        findings = [finding.model_dump() for finding in ledger.check_guards()]
        return json_answer({"encounters": ledger.ids(), "findings": findings})


@router.post("/verification/seals", **answers(list[UUID], about="The encounter that each seal is about, by its id."))
def sealed(request: Request, body: Seals) -> Response:
    """An encounter may have been imported under another name since. Needs a seat at all encounters."""
    with in_office(request, Right.KNOW) as (ledger, _):
        return json_answer(ledger.sealed(body.seals))

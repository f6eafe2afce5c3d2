"""Content: the sheets that can join by name, and what a pack's entries can be. Any seat may look."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path as FilePath
from tempfile import TemporaryDirectory
from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

import combatlog
from combatlog.documents.content import archetypes_data, card_data, pack_report_data
from combatlog.documents.shapes import ArchetypeData, CardData, PackReport
from combatlog.messages.requests import PackFiles
from combatlog.messages.rights import Right
from rules.content.bestiary import Creature
from rules.content.pack_checks import examine
from rules.engine import ruleset as rulesets
from service.answers import json_answer
from service.command_route import BodyRoute
from service.documented import READING, answers
from service.seating import seated

router = APIRouter(tags=["content"], route_class=BodyRoute)
Ruleset = Annotated[str, Query(max_length=100)]


@router.get("/sheets", **answers(list[Creature], about="Creatures that can join by name.", refusals=READING))
def sheets(
    request: Request,
    search: Annotated[str | None, Query(max_length=200)] = None,
    type: Annotated[str | None, Query(max_length=100)] = None,
    ruleset: Ruleset = "dnd5e",
) -> Response:
    seated(request, Right.LOOK)
    return json_answer([asdict(one) for one in combatlog.creatures(search, type=type, ruleset=ruleset)])


@router.get("/sheets/{name}", **answers(CardData, about="A stat block.", refusals=READING))
def sheet(request: Request, name: Annotated[str, Path(max_length=200)], ruleset: Ruleset = "dnd5e") -> Response:
    seated(request, Right.LOOK)
    return json_answer(card_data(combatlog.creature(name, ruleset=ruleset)))


@router.get(
    "/packs/archetypes", **answers(list[ArchetypeData], about="What a pack's entries can be.", refusals=READING)
)
def archetypes(
    request: Request, name: Annotated[str | None, Query(max_length=200)] = None, ruleset: Ruleset = "dnd5e"
) -> Response:
    seated(request, Right.LOOK)
    return json_answer(archetypes_data(rulesets.find(ruleset), name))


@router.post("/packs/check", **answers(PackReport, about="What the pack contains, and everything wrong with it."))
def check_pack(request: Request, body: PackFiles) -> Response:
    """Nothing is recorded, and nothing is kept."""
    seated(request, Right.LOOK)
    rules = rulesets.find(body.ruleset)
    with TemporaryDirectory() as folder:
        pack = FilePath(folder) / body.name
        for name, text in body.files.items():
            file = pack / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return json_answer(pack_report_data(examine(rules, pack)))

"""Content: the sheets that can join by name, and what a pack's entries can be. Any seat may look."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

import combatlog
from combatlog.documents.content import archetypes_data, card_data
from combatlog.documents.shapes import ArchetypeData, CardData
from rules.content.bestiary import Creature
from rules.engine import ruleset as rulesets
from service.answers import json_answer
from service.documented import READING, answers
from service.rights import Right
from service.seating import seated

router = APIRouter(tags=["content"])
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

"""Content: the sheets that can join by name, and what a pack's entries can be. Any seat may look."""

from __future__ import annotations

from pathlib import Path as FilePath
from tempfile import TemporaryDirectory

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from combatlog.messages.requests import PackFiles
from combatlog.messages.rights import Right
from combatlog.rules.content.pack_checks import PackReport, examine
from combatlog.rules.engine import ruleset as rulesets
from combatlog.service.answers import json_answer
from combatlog.service.command_route import BodyRoute
from combatlog.service.documented import answers
from combatlog.service.seating import seated

router = APIRouter(tags=["content"], route_class=BodyRoute)


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
        return json_answer(examine(rules, pack).to_json())

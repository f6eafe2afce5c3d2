"""Pages: one for every fight, and the files that it is made of. They tell nothing about any fight, so they are open."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from combatlog.service.answers import HTML
from combatlog.service.problems import Refused
from combatlog.web import served

router = APIRouter(include_in_schema=False)
_GUARDED = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}


@router.get("/")
def front() -> Response:
    return RedirectResponse("/table", 307)


@router.get("/table")
@router.get("/table/{encounter}")
@router.get("/replay/{encounter}")
def table() -> Response:
    """The cookie that says who sits here is not needed for this: what the page asks for needs it."""
    headers = {**_GUARDED, "Content-Security-Policy": served.policy(), "Cache-Control": "no-cache"}
    return Response(served.page(), headers=headers, media_type=HTML)


@router.get(f"{served.BASE}/{{name:path}}")
def file(request: Request, name: Annotated[str, Path(max_length=100)]) -> Response:
    found = served.files().get(name)
    if found is None:
        raise Refused("request/not-found", "There is no such file.", name=name)
    headers = {**_GUARDED, "ETag": f'"{found.tag}"', "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match", "").strip('"') == found.tag:
        return Response(status_code=304, headers=headers)
    return Response(found.content, headers=headers, media_type=found.media_type)

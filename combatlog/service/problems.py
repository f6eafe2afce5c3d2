"""Refusals as RFC 9457 has them: `application/problem+json`. One table says which code has which status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from http import HTTPStatus
from typing import Any

from pydantic_core import to_json
from starlette.responses import Response

from combatlog.messages.rights import Unseen
from combatlog.rules.engine.refusal import Refusal
from ledger.errors import DatabaseProblem, Problem

MEDIA_TYPE = "application/problem+json"
TYPES = "urn:combatlog:problem:"

STATUSES: dict[str, int] = {
    # who asks
    "seat/no-token": 401,
    "seat/not-yours": 403,
    "seat/not-here": 403,
    "seat/not-allowed": 403,
    "seat/forged": 403,
    "service/read-only": 403,
    "shown/other-seat": 403,
    "seat/unknown": 404,
    "webhook/unknown": 404,
    "webhook/too-many": 409,
    "webhook/repeated": 409,
    "seat/not-yet": 409,
    "seat/repeated": 409,
    "seat/*": 422,
    # how it is asked
    "request/not-found": 404,
    "request/method": 405,
    "request/not-acceptable": 406,
    "request/moved-on": 412,
    "request/too-large": 413,
    "shown/too-large": 413,
    "message/invalid": 422,
    "request/too-slow": 408,
    "request/media-type": 415,
    "request/too-many": 429,
    "request/busy": 429,
    "request/*": 422,
    # what is asked for
    "ledger/unknown-encounter": 404,
    "*/no-event": 404,
    "consent/no-proposal": 404,
    "sheet/unknown": 404,
    "stats/unknown-campaign": 404,
    "encounter/name": 422,
    "ledger/name-taken": 409,
    "ledger/conflict": 409,
    "service/stopping": 503,
    "service/broken": 500,
    # what is said
    "input/*": 422,
    "dice/source": 422,
    "dice/notation": 422,
    "*/unknown*": 422,
    "*/invalid": 422,
    "*/ambiguous": 422,
    "declaration/*": 422,
    "option/*": 422,
    "stats/*": 422,
    "import-log/*": 422,
    "combatant/*": 422,
}
"""By code, or by a family of codes; the first that fits. Other refusals are 409: the fight does not allow it now."""

MOST_LISTED = 20
"""Errors of one request that its refusal lists."""
LONGEST_TEXT = 200
"""Characters of a text in such an error, which may quote the request."""
LARGEST_REFUSAL = 1 << 20
"""Bytes of a refusal; beyond them it has no facts."""
RETRY_AFTER = 2
"""Seconds to wait after the database did not answer."""


class Refused(Unseen):
    """A problem of the service itself, with headers for its answer."""

    def __init__(self, code: str, sentence: str, headers: Mapping[str, str] | None = None, **facts: Any) -> None:
        super().__init__(code, sentence, **facts)
        self.headers = dict(headers or {})


def status_of(problem: Problem) -> int:
    if isinstance(problem, DatabaseProblem):
        return 503
    for pattern, status in STATUSES.items():
        if fnmatchcase(problem.code, pattern):
            return status
    return 409 if isinstance(problem, Refusal) else 422


def problem_data(problem: Problem) -> dict[str, Any]:
    """`type`, `title`, `status` and `detail` as the standard names them, and `code` and `facts` as everywhere here."""
    status = status_of(problem)
    data = problem.to_json()
    return {
        "type": TYPES + problem.code,
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": data["sentence"],
        "code": problem.code,
        "facts": data["facts"],
    }


def invalid(errors: Sequence[Mapping[str, Any]]) -> Refused:
    """A request that is not valid, by the errors of pydantic: the first ones, and how many more there are."""
    wrong = [
        {"where": [_shortened(part) for part in one["loc"]], "what": _shortened(one["msg"]), "code": one["type"]}
        for one in errors[:MOST_LISTED]
    ]
    where, what = ".".join(map(str, wrong[0]["where"])), wrong[0]["what"]
    more = len(errors) - len(wrong)
    rest = f" {more} more errors are not listed." if more else ""
    return Refused("request/invalid", f"The request is not valid: {where}: {what}.{rest}", wrong=wrong, more=more)


def _shortened(part: str | int) -> str | int:
    return f"{part[:LONGEST_TEXT]}..." if isinstance(part, str) and len(part) > LONGEST_TEXT else part


def answer(problem: Problem, request_id: str | None = None) -> Response:
    data = problem_data(problem)
    if request_id is not None:
        data["request_id"] = request_id
    headers = dict(problem.headers) if isinstance(problem, Refused) else {}
    if data["status"] == 503:
        headers.setdefault("Retry-After", str(RETRY_AFTER))
    if data["status"] == 401:
        headers.setdefault("WWW-Authenticate", "Bearer")
    content = to_json(data, fallback=str)
    if len(content) > LARGEST_REFUSAL:
        content = to_json({**data, "detail": _shortened(data["detail"]), "facts": {}})
    return Response(content, data["status"], headers, MEDIA_TYPE)

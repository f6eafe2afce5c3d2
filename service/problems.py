"""Refusals as RFC 9457 has them: `application/problem+json`. One table says which code has which status."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from http import HTTPStatus
from typing import Any

from pydantic_core import to_json
from starlette.responses import Response

from ledger.errors import DatabaseProblem, Problem
from rules.engine.refusal import Refusal

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

RETRY_AFTER = 2
"""Seconds after which somebody may ask again whom the database did not answer."""


class Refused(Problem):
    """A problem of the service itself, with what else its answer says."""

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
    data = problem.as_data()
    return {
        "type": TYPES + problem.code,
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": data["sentence"],
        "code": problem.code,
        "facts": data["facts"],
    }


def answer(problem: Problem, request_id: str | None = None) -> Response:
    data = problem_data(problem)
    if request_id is not None:
        data["request_id"] = request_id
    headers = dict(problem.headers) if isinstance(problem, Refused) else {}
    if data["status"] == 503:
        headers.setdefault("Retry-After", str(RETRY_AFTER))
    if data["status"] == 401:
        headers.setdefault("WWW-Authenticate", "Bearer")
    return Response(to_json(data, fallback=str), data["status"], headers, MEDIA_TYPE)


def as_seen(problem: Problem, unseen: Iterable[str]) -> Problem:
    """The problem, unless its facts name somebody who is not seen: then only its code is left.

    Names in a request were looked up among those who are seen, so this is the exception. The sentence is not looked at:
    whoever it mentions is among the facts.
    """
    hidden = {name.lower() for name in unseen if name}
    if isinstance(problem, Refused) or hidden.isdisjoint(_texts(problem.as_data()["facts"])):
        return problem
    kind = Refusal if isinstance(problem, Refusal) else Problem
    return kind(problem.code, "That is not possible now.")


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value.lower()
    elif isinstance(value, Mapping):
        for part in (*value.keys(), *value.values()):
            yield from _texts(part)
    elif isinstance(value, Iterable):
        for part in value:
            yield from _texts(part)

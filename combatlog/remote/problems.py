"""What can go wrong between here and a service, and the service's own refusals as the problems that they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from combatlog.contract import OURS, Contract
from ledger.errors import DatabaseProblem, Problem

if TYPE_CHECKING:
    from uuid import UUID

    import httpx

PROBLEM_JSON = "application/problem+json"
_NOT_REFUSALS = (401, 403, 404, 412)
"""What is not about the declaration, but about whoever asks or what they ask for."""


def unreachable(url: str, error: BaseException) -> DatabaseProblem:
    reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return DatabaseProblem(
        "server/unreachable", f"The service at {url} cannot be reached ({reason}).", url=url, reason=reason
    )


def unanswered(url: str, command: UUID) -> DatabaseProblem:
    return DatabaseProblem(
        "server/no-answer",
        f"The service at {url} did not answer, so this may or may not have been recorded. Repeated as the same "
        "command, it is not recorded twice.",
        url=url,
        command=str(command),
    )


def no_token(url: str) -> Problem:
    return Problem("server/no-token", f"The service at {url} needs the token of a seat, and there is none.", url=url)


def not_a_service(url: str, status: int) -> Problem:
    return Problem(
        "server/not-a-service", f"What answers at {url} is not this service (status {status}).", url=url, found=status
    )


def other_contract(url: str, found: Contract) -> Problem | None:
    """Why a service cannot be used from here; None if it can."""
    if found.number < OURS.number:
        sentence = f"The service at {url} is older than this program and lacks what it needs."
        return Problem("server/too-old", sentence, url=url, found=found.number, needed=OURS.number)
    if found.since > OURS.number:
        sentence = f"The service at {url} is newer than this program and no longer serves it."
        return Problem("server/too-new", sentence, url=url, found=OURS.number, needed=found.since)
    return None


def local_only(why: str | None = None) -> Problem:
    """`why` says what to do instead as well."""
    sentence = "This works on the database behind the service; run it on the machine of the service, beside it."
    return Problem("server/local-only", why or sentence)


def not_from_here() -> Problem:
    return Problem("server/not-seen", "This needs a seat that sees everything; yours is told only what it may see.")


def problem_in(answer: httpx.Response, url: str) -> Problem:
    """The refusal that a service answered with: the same code, sentence and facts as it has there."""
    from rules.engine.refusal import Refusal

    data = _data(answer)
    if data is None:
        return not_a_service(url, answer.status_code)
    code, sentence, facts = str(data["code"]), str(data.get("detail", "")), dict(data.get("facts") or {})
    facts = {name: value for name, value in facts.items() if name not in ("code", "sentence")}
    if answer.status_code >= 500:
        return DatabaseProblem(code, sentence, **facts)
    return (Problem if answer.status_code in _NOT_REFUSALS else Refusal)(code, sentence, **facts)


def _data(answer: httpx.Response) -> dict[str, Any] | None:
    if not answer.headers.get("content-type", "").startswith(PROBLEM_JSON):
        return None
    data = answer.json()
    return data if isinstance(data, dict) and "code" in data else None

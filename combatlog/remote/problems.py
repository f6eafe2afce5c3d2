"""What can go wrong between here and a service, and the service's own refusals as the problems that they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from combatlog.contract import OURS, contract_in
from ledger.errors import DatabaseProblem, Problem

if TYPE_CHECKING:
    from uuid import UUID

    import httpx

PROBLEM_JSON = "application/problem+json"
_NOT_REFUSALS = (401, 403, 404, 412)
"""What is not about the declaration, but about whoever asks or what they ask for."""


def unreachable(url: str, error: BaseException) -> DatabaseProblem:
    reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    sentence = f"The service at {url} cannot be reached ({reason})."
    return DatabaseProblem("server/unreachable", sentence, url=url, reason=reason)


def unanswered(url: str, command: UUID) -> DatabaseProblem:
    sentence = (
        f"The service at {url} did not answer, so this may or may not have been recorded. Repeated as the same "
        "command, it is not recorded twice."
    )
    return DatabaseProblem("server/no-answer", sentence, url=url, command=str(command))


def no_token(url: str) -> Problem:
    return Problem("server/no-token", f"The service at {url} needs the token of a seat, and there is none.", url=url)


def check_contract(answer: httpx.Response, url: str) -> None:
    """Whatever it answers, it may mean something else if it is much older or newer than what asks it."""
    found = contract_in(answer.headers)
    if found is not None and found.number < OURS.number:
        sentence = f"The service at {url} is older than this program and lacks what it needs."
        raise Problem("server/too-old", sentence, url=url, found=found.number, needed=OURS.number)
    if found is not None and found.since > OURS.number:
        sentence = f"The service at {url} is newer than this program and no longer serves it."
        raise Problem("server/too-new", sentence, url=url, found=OURS.number, needed=found.since)


def local_only(why: str | None = None) -> Problem:
    """`why` says what to do instead as well."""
    sentence = "This works on the database behind the service; run it on the machine of the service, beside it."
    return Problem("server/local-only", why or sentence)


def not_from_here() -> Problem:
    return Problem("server/not-seen", "This needs a seat that sees everything; yours is told only what it may see.")


def problem_in(answer: httpx.Response, url: str) -> Problem:
    """The refusal that a service answered with: the same code, sentence and facts as it has there."""
    from combatlog.rules.engine.refusal import Refusal

    data: Any = answer.json() if answer.headers.get("content-type", "").startswith(PROBLEM_JSON) else None
    if not isinstance(data, dict) or "code" not in data:
        sentence = f"What answers at {url} is not this service (status {answer.status_code})."
        return Problem("server/not-a-service", sentence, url=url, found=answer.status_code)
    facts = {name: value for name, value in (data.get("facts") or {}).items() if name not in ("code", "sentence")}
    refused = Problem if answer.status_code in _NOT_REFUSALS else Refusal
    kind = DatabaseProblem if answer.status_code >= 500 else refused
    return kind(str(data["code"]), str(data.get("detail", "")), **facts)

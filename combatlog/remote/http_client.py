"""Send requests to a service. Each is repeated for a while until it is answered; refusals are raised as problems."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

import httpx
from pydantic_core import from_json, to_json

from combatlog.remote.protocol import OURS, Address, contract_in
from ledger.errors import DatabaseProblem, Problem

PASSING = (429, 502, 503, 504)
"""Statuses of a service that is busy or restarting, or of a proxy in front of it."""
_HALFWAY = (502, 504)
"""Statuses after which the service may or may not have done what it was asked."""
_NOT_REFUSALS = (401, 403, 404, 412)
"""Statuses that are about the caller or the address, and not about a declaration."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a request is repeated, and the pauses in between: longer each time, up to a limit."""

    seconds: float = 15.0
    first: float = 0.1
    longest: float = 2.0
    answer_within: float = 60.0
    """Seconds that the service may take for one answer."""


class RetryDelay:
    """How often something has failed in a row, and how long to wait before it is tried again."""

    def __init__(self, patience: Patience) -> None:
        self.failed, self._patience, self._give_up = 0, patience, 0.0

    def worked(self) -> None:
        self.failed = 0

    def pause(self, at_least: float = 0.0) -> float | None:
        """Seconds; None: it has been tried for long enough."""
        now = time.monotonic()
        if not self.failed:
            self._give_up = now + self._patience.seconds
        pause = max(min(self._patience.first * 2.0**self.failed, self._patience.longest), at_least)
        self.failed += 1
        return pause if now + pause <= self._give_up else None


class HttpAnswer(NamedTuple):
    content: bytes
    attempts: int
    """How often the request was sent. If more than once, an earlier attempt may have been carried out."""

    @property
    def data(self) -> Any:
        return from_json(self.content)


class HttpClient:
    """The connections to a service, one for each thread that uses it."""

    def __init__(
        self,
        address: Address,
        token: str,
        *,
        patience: Patience | None = None,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url, self.token, self.patience = address.url, token, patience or Patience()
        self.headers = {"Authorization": f"Bearer {token}", "User-Agent": "combatlog"}
        self._wait = wait
        self._client = self._connected()

    def _connected(self) -> httpx.Client:
        timeout = httpx.Timeout(self.patience.answer_within, connect=5.0)
        base, verify = f"{self.url}/v1", is_encrypted(self.url)
        return httpx.Client(base_url=base, headers=self.headers, timeout=timeout, verify=verify)

    def close(self) -> None:
        self._client.close()

    def get(self, path: str, **params: Any) -> Any:
        return self.send("GET", path, params).data

    def send(
        self,
        method: str,
        path: str,
        said: Mapping[str, Any],
        *,
        file: bytes | None = None,
        key: UUID | None = None,
        expected: int | None = None,
        accept: str = "*/*",
    ) -> HttpAnswer:
        """Send a message. Its fields are the body of a POST; otherwise, or with a file, they are in the address.

        What is sent with a `key` is recorded once, however often it is sent. `expected` is the last event of the fight.
        """
        headers, sent = {"Accept": accept}, dict[str, Any]()
        if method == "POST" and file is None:
            sent["content"], headers["Content-Type"] = to_json(said), "application/json"
        else:
            sent["params"] = {name: value for name, value in said.items() if value is not None}
        if file is not None:
            sent["content"], headers["Content-Type"] = file, "application/octet-stream"
        if key is not None:
            headers["Idempotency-Key"] = str(key)
        if expected is not None:
            headers["If-Match"] = f'"{expected}"'
        return self._send(key, method, path, headers=headers, **sent)

    def _send(self, key: UUID | None, method: str, path: str, **sent: Any) -> HttpAnswer:
        trying, may_be_done = RetryDelay(self.patience), False
        while True:
            at_least = 0.0
            try:
                answer = self._request(method, path, **sent)
            except httpx.TransportError as error:
                problem: Problem = unreachable(self.url, error)
                may_be_done = may_be_done or not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
            else:
                check_contract(answer, self.url)
                if answer.status_code < 400:
                    return HttpAnswer(answer.content, trying.failed + 1)
                problem, at_least = problem_in(answer, self.url), retry_after(answer)
                if answer.status_code not in PASSING:
                    raise problem
                may_be_done = may_be_done or answer.status_code in _HALFWAY
            if (pause := trying.pause(at_least)) is None:
                raise unanswered(self.url, key) if key is not None and may_be_done else problem
            self._wait(pause)

    def _request(self, method: str, path: str, **sent: Any) -> httpx.Response:
        """After the ledger was closed, a replay may still ask for a state; that takes a connection of its own."""
        if not self._client.is_closed:
            return self._client.request(method, path, **sent)
        with self._connected() as client:
            return client.request(method, path, **sent)


def is_encrypted(url: str) -> bool:
    """Whether certificates have to be checked. Loading them takes as long as a whole request."""
    return url.startswith("https:")


def retry_after(answer: httpx.Response) -> float:
    """Seconds that the service asks for."""
    said = answer.headers.get("retry-after", "")
    return float(said) if said.isascii() and said.isdigit() else 0.0


# Problems


def unreachable(url: str, error: BaseException) -> DatabaseProblem:
    reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    sentence = f"The service at {url} cannot be reached ({reason})."
    return DatabaseProblem("server/unreachable", sentence, url=url, reason=reason)


def unanswered(url: str, command: UUID) -> DatabaseProblem:
    sentence = (
        f"The service at {url} did not answer, so this may or may not have been recorded. Send it again as the same "
        "command, and it is not recorded twice."
    )
    return DatabaseProblem("server/no-answer", sentence, url=url, command=str(command))


def local_only(why: str | None = None) -> Problem:
    """`why` also says what to do instead."""
    sentence = "This works on the database behind the service; run it on the machine of the service."
    return Problem("server/local-only", why or sentence)


def check_contract(answer: httpx.Response, url: str) -> None:
    """Refuse to talk to a service that is too old or too new: its answers may mean something else."""
    found = contract_in(answer.headers)
    if found is not None and found.number < OURS.number:
        sentence = f"The service at {url} is older than this program and lacks what it needs."
        raise Problem("server/too-old", sentence, url=url, found=found.number, needed=OURS.number)
    if found is not None and found.since > OURS.number:
        sentence = f"The service at {url} is newer than this program and no longer serves it."
        raise Problem("server/too-new", sentence, url=url, found=OURS.number, needed=found.since)


def problem_in(answer: httpx.Response, url: str) -> Problem:
    """The refusal that a service answered with: the same code, sentence and facts as it has there."""
    from combatlog.rules.engine.refusal import Refusal

    is_problem = answer.headers.get("content-type", "").startswith("application/problem+json")
    data: Any = answer.json() if is_problem else None
    if not isinstance(data, dict) or "code" not in data:
        sentence = f"There is something at {url}, but not this service (status {answer.status_code})."
        return Problem("server/not-a-service", sentence, url=url, found=answer.status_code)
    facts = {name: value for name, value in (data.get("facts") or {}).items() if name not in ("code", "sentence")}
    refused = Problem if answer.status_code in _NOT_REFUSALS else Refusal
    kind = DatabaseProblem if answer.status_code >= 500 else refused
    return kind(str(data["code"]), str(data.get("detail", "")), **facts)

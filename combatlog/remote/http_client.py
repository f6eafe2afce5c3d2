"""Send requests to a service. A request is repeated for a while until it is answered, and refusals are raised as
problems.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import httpx
from pydantic_core import from_json, to_json

from combatlog.remote.protocol import OURS, Address, contract_in
from ledger.errors import DatabaseProblem, Problem

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


JSON = "application/json"
NDJSON = "application/x-ndjson"
SSE = "text/event-stream"
PASSING = (429, 502, 503, 504)
"""Answers of a service that has too much to do or is being restarted, or of what stands in front of it."""
_HALFWAY = (502, 504)
"""Those after which nobody knows whether the service did what it was asked to."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a request is tried again, and how long to wait in between: longer each time, up to a limit."""

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
    data: Any
    attempts: int
    """How often it was asked. More than once, and an earlier attempt may have been carried out."""


class HttpClient:
    """The connections to a service, as many as there are threads that ask it something."""

    def __init__(
        self,
        address: Address,
        token: str,
        *,
        patience: Patience | None = None,
        wait: Callable[[float], None] = time.sleep,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.url, self.token, self.patience = address.url, token, patience or Patience()
        self.headers = {"Authorization": f"Bearer {token}", "User-Agent": "combatlog"}
        self._wait, self._transport = wait, transport
        self._client = self._connected()

    def _connected(self) -> httpx.Client:
        return httpx.Client(
            base_url=f"{self.url}/v1",
            headers=self.headers,
            timeout=httpx.Timeout(self.patience.answer_within, connect=5.0),
            transport=self._transport,
            verify=is_encrypted(self.url),
        )

    def close(self) -> None:
        self._client.close()

    def send(
        self, method: str, path: str, said: Mapping[str, Any], key: UUID | None = None, file: bytes | None = None
    ) -> bytes:
        """Ask something; or have something done once, however often it has to be sent. A file is never taken twice."""
        if file is not None:
            headers = {"Content-Type": "application/octet-stream"}
            return self._send(method, path, content=file, params=said, headers=headers)[0].content
        sent = self._post(path, said, key or uuid4()) if method == "POST" else self._send(method, path, params=said)
        return sent[0].content

    def content(self, path: str, *, accept: str = "*/*", **params: Any) -> bytes:
        given = {name: value for name, value in params.items() if value is not None}
        return self._send("GET", path, params=given, headers={"Accept": accept})[0].content

    def get(self, path: str, **params: Any) -> Any:
        return from_json(self.content(path, **params))

    def lines(self, path: str, **params: Any) -> list[bytes]:
        """An answer in lines of JSON."""
        return self.content(path, accept=NDJSON, **params).splitlines()

    def text(self, path: str, **params: Any) -> str:
        return self.content(path, **params).decode()

    def upload(self, path: str, content: bytes) -> Any:
        return from_json(self.send("POST", path, {}, file=content))

    def ask(self, path: str, body: Mapping[str, Any]) -> Any:
        """A question that is too long for an address. Nothing is recorded."""
        return from_json(self._send("POST", path, content=to_json(body), headers={"Content-Type": JSON})[0].content)

    def post(self, path: str, body: Mapping[str, Any], key: UUID, *, expected: int | None = None) -> HttpAnswer:
        """Have something recorded once. `expected` is the last event there is."""
        matched = {} if expected is None else {"If-Match": f'"{expected}"'}
        answer, attempts = self._post(path, body, key, **matched)
        return HttpAnswer(from_json(answer.content), attempts)

    def _post(self, path: str, body: Mapping[str, Any], key: UUID, **headers: str) -> tuple[httpx.Response, int]:
        headers |= {"Idempotency-Key": str(key), "Content-Type": JSON}
        return self._send("POST", path, content=to_json(body), headers=headers, key=key)

    def _request(self, method: str, path: str, **sent: Any) -> httpx.Response:
        """Something may be asked for after the ledger was closed, such as a state in a replay; it is for once."""
        if not self._client.is_closed:
            return self._client.request(method, path, **sent)
        with self._connected() as client:
            return client.request(method, path, **sent)

    def _send(self, method: str, path: str, *, key: UUID | None = None, **sent: Any) -> tuple[httpx.Response, int]:
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
                    return answer, trying.failed + 1
                problem, at_least = problem_in(answer, self.url), retry_after(answer)
                if answer.status_code not in PASSING:
                    raise problem
                may_be_done = may_be_done or answer.status_code in _HALFWAY
            if (pause := trying.pause(at_least)) is None:
                raise unanswered(self.url, key) if key is not None and may_be_done else problem
            self._wait(pause)


def is_encrypted(url: str) -> bool:
    """Whether certificates have to be checked. To load them takes as long as a whole request."""
    return url.startswith("https:")


def retry_after(answer: httpx.Response) -> float:
    """Seconds that the service asks for."""
    said = answer.headers.get("retry-after", "")
    return float(said) if said.isascii() and said.isdigit() else 0.0

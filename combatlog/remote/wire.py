"""Requests to a service: sent again until they are answered, for a while; refusals raised as the problems they are."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import httpx
from pydantic_core import from_json, to_json

from combatlog.remote.address import Address
from combatlog.remote.problems import check_contract, problem_in, unanswered, unreachable
from ledger.errors import Problem

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


class Trying:
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


class Answer(NamedTuple):
    data: Any
    attempts: int
    """How often it was asked. More than once, and an earlier attempt may have been carried out."""


class Wire:
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

    def post(self, path: str, body: Mapping[str, Any], key: UUID, *, expected: int | None = None) -> Answer:
        """Have something recorded once. `expected` is the last event there is."""
        matched = {} if expected is None else {"If-Match": f'"{expected}"'}
        answer, attempts = self._post(path, body, key, **matched)
        return Answer(from_json(answer.content), attempts)

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
        trying, may_be_done = Trying(self.patience), False
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

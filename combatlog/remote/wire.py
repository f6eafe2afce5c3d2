"""Requests to a service: sent again until they are answered, for a while; refusals raised as the problems they are."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
from pydantic_core import from_json, to_json

from combatlog.remote.address import Address
from combatlog.remote.problems import problem_in, unanswered, unreachable

JSON = "application/json"
NDJSON = "application/x-ndjson"
SSE = "text/event-stream"
_PASSING = (502, 503, 504)
"""Answers of a service that is being restarted, or of what stands in front of it."""
_TOO_MANY = 429


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a request is tried again, and how long to wait in between: longer each time, up to a limit."""

    seconds: float = 15.0
    first: float = 0.1
    longest: float = 2.0
    answer_within: float = 60.0
    """Seconds that the service may take for one answer."""

    def pause(self, attempt: int) -> float:
        return float(min(self.first * 2**attempt, self.longest))


@dataclass(frozen=True, slots=True)
class Answer:
    data: Any
    headers: Mapping[str, str]
    attempts: int
    """How often it was asked. More than once, and an earlier attempt may have been carried out."""


class Wire:
    """One connection, for one thread at a time."""

    def __init__(
        self,
        address: Address,
        token: str,
        *,
        patience: Patience | None = None,
        wait: Callable[[float], None] = time.sleep,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.url = address.url
        self.token = token
        self.patience = patience or Patience()
        self._wait = wait
        self._client = httpx.Client(
            base_url=f"{address.url}/v1",
            headers=self.headers,
            timeout=httpx.Timeout(self.patience.answer_within, connect=5.0),
            transport=transport,
            verify=is_encrypted(address.url),
        )

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", "User-Agent": "combatlog"}

    def close(self) -> None:
        self._client.close()

    def get(self, path: str, **params: Any) -> Any:
        given = {name: value for name, value in params.items() if value is not None}
        return from_json(self._send("GET", path, params=given)[0].content)

    def lines(self, path: str, **params: Any) -> list[bytes]:
        """An answer in lines of JSON."""
        answer, _ = self._send("GET", path, params=params, headers={"Accept": NDJSON})
        return answer.content.splitlines()

    def text(self, path: str) -> str:
        return self._send("GET", path)[0].text

    def delete(self, path: str) -> Any:
        return from_json(self._send("DELETE", path)[0].content)

    def post(self, path: str, body: Mapping[str, Any], key: UUID, *, expected: int | None = None) -> Answer:
        """Have something recorded: once, however often it has to be sent. `expected` is the last event there is."""
        headers = {"Idempotency-Key": str(key), "Content-Type": JSON}
        if expected is not None:
            headers["If-Match"] = f'"{expected}"'
        answer, attempts = self._send("POST", path, content=to_json(body), headers=headers, key=key)
        return Answer(from_json(answer.content), answer.headers, attempts)

    def ask(self, path: str, body: Mapping[str, Any]) -> Any:
        """A question that is too long for an address. Nothing is recorded."""
        sent = self._send("POST", path, content=to_json(body), headers={"Content-Type": JSON})
        return from_json(sent[0].content)

    def _send(self, method: str, path: str, *, key: UUID | None = None, **sent: Any) -> tuple[httpx.Response, int]:
        give_up = time.monotonic() + self.patience.seconds
        may_be_done, attempt = False, 0
        while True:
            pause = self.patience.pause(attempt)
            attempt += 1
            try:
                answer = self._client.request(method, path, **sent)
            except httpx.TransportError as error:
                may_be_done = may_be_done or not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
                if time.monotonic() + pause > give_up:
                    if key is not None and may_be_done:
                        raise unanswered(self.url, key) from error
                    raise unreachable(self.url, error) from error
            else:
                if answer.status_code < 400:
                    return answer, attempt
                if answer.status_code not in (_TOO_MANY, *_PASSING):
                    raise problem_in(answer, self.url)
                pause = max(pause, retry_after(answer))
                may_be_done = may_be_done or answer.status_code in (502, 504)
                if time.monotonic() + pause > give_up:
                    raise unanswered(self.url, key) if key is not None and may_be_done else problem_in(answer, self.url)
            self._wait(pause)


def is_encrypted(url: str) -> bool:
    """Whether certificates have to be checked. To load them takes as long as a whole request."""
    return url.startswith("https:")


def retry_after(answer: httpx.Response) -> float:
    """Seconds that the service asks for."""
    said = answer.headers.get("retry-after", "")
    return float(said) if said.isascii() and said.isdigit() else 0.0

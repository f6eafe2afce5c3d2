"""Limits: the size of a request, the rate of each sender, and the number of requests at the same time."""

from __future__ import annotations

from asyncio import timeout
from collections import Counter, OrderedDict
from collections.abc import Mapping
from hashlib import sha256
from math import ceil
from time import monotonic
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from combatlog.messages.rights import Right, has
from combatlog.service.authentication import COOKIE, NO_ENCOUNTER, bearer_token
from combatlog.service.observability import REFUSED
from combatlog.service.problems import Refused, answer
from combatlog.service.settings import Settings
from ledger.errors import Problem

_MOST_KNOWN = 10_000
_IMPORTS = "/v1/imports"
_ALWAYS_OPEN = ("/healthz", "/readyz")


class RateLimiter:
    """A bucket for each sender that fills by `rate` a second, up to `burst`."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: OrderedDict[bytes, tuple[float, float]] = OrderedDict()

    def wait(self, sender: bytes, now: float) -> float:
        """Seconds that the sender has to wait; 0 if it may go on."""
        left, at = self._buckets.pop(sender, (float(self._burst), now))
        left = min(float(self._burst), left + (now - at) * self._rate)
        allowed = left >= 1
        self._buckets[sender] = (left - 1 if allowed else left, now)
        if len(self._buckets) > _MOST_KNOWN:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - left) / self._rate


class RequestSenders:
    """The sender of a request: a seat, by its token, or an address.

    Requests with an unknown token count for their address until the token turns out to be valid, so made-up tokens do
    not get around a limit.
    """

    def __init__(self) -> None:
        self._seats: OrderedDict[bytes, None] = OrderedDict()

    def of(self, request: HTTPConnection) -> bytes:
        seat = _digest(request)
        if seat in self._seats:
            self._seats.move_to_end(seat)
            return seat
        return request.client.host.encode() if request.client is not None else b""

    def seated(self, request: HTTPConnection) -> bytes | None:
        """The seat, if this is its first request."""
        seat = _digest(request)
        if seat in self._seats or getattr(request.state, "seat", None) is None:
            return None
        self._seats[seat] = None
        if len(self._seats) > _MOST_KNOWN:
            self._seats.popitem(last=False)
        return seat


def _digest(request: HTTPConnection) -> bytes:
    token = bearer_token(request) or request.cookies.get(COOKIE, "")
    return sha256(token.encode("utf-8", "replace")).digest()


class RequestLimits:
    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._rates = RateLimiter(settings.rate, settings.burst)
        self._senders = RequestSenders()
        self._at_work = 0
        self._arriving: Counter[bytes] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in _ALWAYS_OPEN:
            await self._app(scope, receive, send)
            return
        try:
            request = HTTPConnection(scope)
            sender = self._senders.of(request)
            self._check(sender)
            body = await self._body(sender, await self._largest(request), request.headers, receive)
        except Problem as problem:
            REFUSED.labels(problem.code.partition("/")[2]).inc()
            await answer(problem, scope.get("state", {}).get("request_id"))(scope, receive, send)
            return
        self._at_work += 1
        released = False

        def release() -> None:
            nonlocal released
            if not released:
                released = True
                self._at_work -= 1

        async def passing_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                release()  # a stream stays open for hours, but takes no work
            await send(message)

        try:
            await self._app(scope, _replayed(body, receive), passing_on)
        finally:
            release()
            if (seat := self._senders.seated(request)) is not None:
                self._rates.wait(seat, monotonic())  # this request was its first

    def _check(self, sender: bytes) -> None:
        if self._at_work >= self._settings.at_once:
            raise Refused("request/busy", "The service is busy; try again in a moment.", headers={"Retry-After": "1"})
        if (wait := self._rates.wait(sender, monotonic())) > 0:
            raise Refused(
                "request/too-many",
                "Too many requests; wait a moment.",
                headers={"Retry-After": str(ceil(wait))},
            )

    async def _largest(self, request: HTTPConnection) -> int:
        """Imported files may be larger, if the sender may import fights."""
        token = bearer_token(request)
        if not request.scope["path"].startswith(_IMPORTS) or not token:
            return self._settings.largest_body
        found = await request.app.state.hall.doorman.ask((token, NO_ENCOUNTER))
        is_host = found is not None and found[0].encounter is None and has(found[0].seat.role, Right.DIRECT)
        return self._settings.largest_import if is_host else self._settings.largest_body

    async def _body(self, sender: bytes, largest: int, headers: Headers, receive: Receive) -> bytes:
        """Read here, so that a body that is too large or too slow is refused before any work is done on it."""
        said = headers.get("content-length", "")
        if said.isdigit() and int(said[:20]) > largest:
            raise _too_large(largest)
        if said in ("", "0") and "transfer-encoding" not in headers:
            return b""
        if self._arriving[sender] >= self._settings.arriving:
            raise _closing("request/too-many", "Too many requests have not arrived yet.", {"Retry-After": "1"})
        self._arriving[sender] += 1
        try:
            return await self._arrived(largest, receive)
        finally:
            self._arriving -= Counter([sender])  # those at 0 are forgotten

    async def _arrived(self, largest: int, receive: Receive) -> bytes:
        body, more = bytearray(), True
        while more:
            try:
                async with timeout(self._settings.receive_within):
                    message = await receive()
            except TimeoutError as error:
                raise _closing("request/too-slow", "The body of the request did not arrive in time.") from error
            if message["type"] == "http.disconnect":
                break
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > largest:
                raise _too_large(largest)
        return bytes(body)


def _too_large(largest: int) -> Refused:
    return _closing("request/too-large", f"A request may have at most {largest} bytes.", needed=largest)


def _closing(code: str, sentence: str, headers: Mapping[str, str] | None = None, **facts: Any) -> Refused:
    """The rest of the request is not read, so the connection cannot be reused."""
    return Refused(code, sentence, {"Connection": "close", **(headers or {})}, **facts)


def _replayed(body: bytes, receive: Receive) -> Receive:
    told = False

    async def again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again

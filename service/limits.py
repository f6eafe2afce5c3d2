"""Limits: how large a request may be, how many somebody may make, and how many are worked on at once."""

from __future__ import annotations

from collections import OrderedDict
from hashlib import sha256
from math import ceil
from time import monotonic
from uuid import UUID

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.metrics import REFUSED
from service.problems import Refused, answer
from service.rights import Right, has
from service.settings import Settings

_MOST_KNOWN = 10_000
_IMPORTS = "/v1/imports"
_NO_FIGHT = UUID(int=0)
_ALWAYS_OPEN = ("/healthz", "/readyz")


class Rates:
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


class Limits:
    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._rates = Rates(settings.rate, settings.burst)
        self._at_work = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in _ALWAYS_OPEN:
            await self._app(scope, receive, send)
            return
        try:
            headers = Headers(scope=scope)
            self._check(scope, headers)
            body = await self._body(await self._largest(scope, headers), headers, receive)
        except Refused as refused:
            REFUSED.labels(refused.code.partition("/")[2]).inc()
            await answer(refused, scope.get("state", {}).get("request_id"))(scope, receive, send)
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
                release()  # a stream is open for hours, and nobody works on it
            await send(message)

        try:
            await self._app(scope, _replayed(body, receive), passing_on)
        finally:
            release()

    def _check(self, scope: Scope, headers: Headers) -> None:
        if self._at_work >= self._settings.at_once:
            raise Refused("request/busy", "The service is busy; try again in a moment.", headers={"Retry-After": "1"})
        token = headers.get("authorization") or headers.get("cookie")
        client = scope.get("client")
        sender = sha256((token or (client[0] if client else "")).encode("utf-8", "replace")).digest()
        if (wait := self._rates.wait(sender, monotonic())) > 0:
            raise Refused(
                "request/too-many",
                "Too many requests; wait a moment.",
                headers={"Retry-After": str(ceil(wait))},
            )

    async def _largest(self, scope: Scope, headers: Headers) -> int:
        """Files with fights may be larger, if they come from somebody who may import them: else nobody reads them."""
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if not scope["path"].startswith(_IMPORTS) or scheme.lower() != "bearer":
            return self._settings.largest_body
        found = await scope["app"].state.hall.doorman.ask((token.strip(), _NO_FIGHT))
        is_host = found is not None and found[0].encounter is None and has(found[0].seat.role, Right.DIRECT)
        return self._settings.largest_import if is_host else self._settings.largest_body

    async def _body(self, largest: int, headers: Headers, receive: Receive) -> bytes:
        """Read here, so that whatever is too large is refused before anybody parses it."""
        said = headers.get("content-length", "")
        if said.isdigit() and int(said[:20]) > largest:
            raise _too_large(largest)
        body, more = bytearray(), said != "" or "transfer-encoding" in headers
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                break
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > largest:
                raise _too_large(largest)
        return bytes(body)


def _too_large(largest: int) -> Refused:
    # The rest of the request is not read, so the connection cannot be used again.
    return Refused(
        "request/too-large",
        f"A request may have at most {largest} bytes.",
        headers={"Connection": "close"},
        needed=largest,
    )


def _replayed(body: bytes, receive: Receive) -> Receive:
    told = False

    async def again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again

"""Streams of server-sent events. What is sent comes encoded; a reader that falls behind is let go and can resume."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

KEEP_ALIVE = b": keep-alive\n\n"
RETRY = b"retry: 1000\n\n"
"""Browsers come back after so many milliseconds."""
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class Subscriber:
    """Somebody who watches: what waits to be sent. `end` may be called from any thread, `take` from the loop's."""

    def __init__(self, loop: asyncio.AbstractEventLoop, most_waiting: int) -> None:
        self.loop = loop
        self._most = most_waiting
        self._waiting: deque[bytes] = deque()
        self._size = 0
        self._news = asyncio.Event()
        self._ended = False
        self.too_slow = False

    def end(self) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody listens any more
            self.loop.call_soon_threadsafe(self._end)

    def take(self, chunk: bytes) -> None:
        self._waiting.append(chunk)
        self._size += len(chunk)
        if self._size > self._most:
            self.too_slow = True
            self._end()
        self._news.set()

    def _end(self) -> None:
        self._ended = True
        self._news.set()

    async def next(self) -> bytes | None:
        """What is to be sent next, or None at the end."""
        if not self._waiting and not self._ended:
            await self._news.wait()
        if self.too_slow or not self._waiting:
            return None
        chunk = b"".join(self._waiting)
        self._waiting.clear()
        self._size = 0
        if not self._ended:
            self._news.clear()
        return chunk


def push_to(subscribers: Collection[Subscriber], chunk: bytes) -> None:
    """The same to everybody, from any thread: their loop is woken once, and not for each of them."""
    for loop in {subscriber.loop for subscriber in subscribers}:
        with suppress(RuntimeError):  # the loop is closed: nobody listens any more
            loop.call_soon_threadsafe(_push_to_all, [one for one in subscribers if one.loop is loop], chunk)


def _push_to_all(subscribers: Iterable[Subscriber], chunk: bytes) -> None:
    for subscriber in subscribers:
        subscriber.take(chunk)


class EventStream(Response):
    """The response: what the seat has missed, then everything as it is recorded."""

    def __init__(
        self,
        subscriber: Subscriber,
        first: bytes,
        *,
        keep_alive: float,
        send_within: float,
        left: Callable[[], None],
    ) -> None:
        super().__init__()
        self._subscriber = subscriber
        self._first = first
        self._keep_alive = keep_alive
        self._send_within = send_within
        self._left = left
        self._is_sending, self._since = True, 0.0
        """What it does, and since when by the loop's clock."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._note(sending=True)
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        # A task of its own is woken at once for each event, and not through all that a request goes through.
        passing = asyncio.create_task(self._pass_on(send))
        others = [asyncio.create_task(self._until_gone(receive)), asyncio.create_task(self._watch_over(passing))]
        try:
            await asyncio.wait([passing])
            if not passing.cancelled():
                passing.result()
        finally:
            for task in (passing, *others):
                task.cancel()
            self._left()

    async def _pass_on(self, send: Send) -> None:
        chunk: bytes | None = RETRY + self._first
        while chunk is not None:
            self._note(sending=True)
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
            self._note(sending=False)
            chunk = await self._subscriber.next()
        self._note(sending=True)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _note(self, *, sending: bool) -> None:
        self._is_sending, self._since = sending, self._subscriber.loop.time()

    async def _watch_over(self, passing: asyncio.Task[None]) -> None:
        """Break the silence, and give up on a reader that does not read. One timer does, however much is sent."""
        while True:
            patience = self._send_within if self._is_sending else self._keep_alive
            left = self._since + patience - self._subscriber.loop.time()
            if left > 0:
                await asyncio.sleep(min(left, self._send_within))
            elif self._is_sending:
                self._subscriber.too_slow = True
                passing.cancel()
                return
            else:
                self._note(sending=False)
                self._subscriber.take(KEEP_ALIVE)

    async def _until_gone(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            continue
        self._subscriber.end()

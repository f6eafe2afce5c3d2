"""Streams of server-sent events. Messages arrive encoded; a reader that falls behind is dropped and can resume."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from itertools import islice

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from combatlog.service.direct_send import DirectSend

KEEP_ALIVE = b": keep-alive\n\n"
UNWRAPPED = "unwrapped_send"
"""The key in the state of a request for the connection's own `send`, without any middleware."""
RETRY = b"retry: 1000\n\n"
"""Browsers come back after so many milliseconds."""
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
_AT_A_TIME = 50
"""Streams that are written to before other work gets a turn."""
_log = logging.getLogger("combatlog.service")


class StreamDispatcher:
    """Sends new events to all subscribers, a few subscribers at a time, so that other requests, such as the command
    that recorded the events, need not wait until all subscribers have them."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._rounds: deque[tuple[Iterator[Subscriber], bytes]] = deque()

    def carry(self, subscribers: Iterable[Subscriber], chunk: bytes) -> None:
        """From any thread."""
        with suppress(RuntimeError):  # the loop is closed: all streams have ended
            self.loop.call_soon_threadsafe(self._begin, iter(subscribers), chunk)

    def _begin(self, subscribers: Iterator[Subscriber], chunk: bytes) -> None:
        self._rounds.append((subscribers, chunk))
        if len(self._rounds) == 1:
            self._go_on()

    def _go_on(self) -> None:
        subscribers, chunk = self._rounds[0]
        some = list(islice(subscribers, _AT_A_TIME))
        for subscriber in some:
            subscriber.take(chunk)
        if len(some) < _AT_A_TIME:
            self._rounds.popleft()
        if self._rounds:
            self.loop.call_soon(self._go_on)


class Subscriber:
    """One stream's queue of what waits to be sent. `end` may be called from any thread, the rest from the loop's."""

    def __init__(self, carrier: StreamDispatcher, most_waiting: int) -> None:
        self.carrier = carrier
        self.loop = carrier.loop
        self._most = most_waiting
        self._waiting: list[bytes] = []
        self._size = 0
        self._news = asyncio.Event()
        self._outlet: DirectSend | None = None
        self._ended = False
        self.too_slow = False

    def end(self) -> None:
        with suppress(RuntimeError):  # the loop is closed: all streams have ended
            self.loop.call_soon_threadsafe(self._end)

    def send_through(self, outlet: DirectSend) -> None:
        """From now on, send at once if nothing waits and the connection takes it."""
        self._outlet = outlet

    def take(self, chunk: bytes) -> None:
        if self._outlet is not None and not (self._ended or self._waiting or self._outlet.is_stuck):
            self._send(self._outlet, chunk)
        else:
            self._keep(chunk)

    def _send(self, outlet: DirectSend, chunk: bytes) -> None:
        try:
            if not outlet.begin(chunk):
                self._news.set()
        except Exception:  # whatever it is: the other streams go on
            _log.exception("a stream broke off")
            self._end()

    def _keep(self, chunk: bytes) -> None:
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
        """What to send next; None at the end; empty if the caller only has to wait for the connection."""
        if not self._waiting and not self._ended:
            await self._news.wait()
        if self.too_slow or (self._ended and not self._waiting):
            return None
        chunk = b"".join(self._waiting)
        self._waiting.clear()
        self._size = 0
        if not self._ended:
            self._news.clear()
        return chunk


def push_to(subscribers: Collection[Subscriber], chunk: bytes) -> None:
    """Send the same to all subscribers, from any thread. Their loop is woken once, not once for each of them."""
    for carrier in {subscriber.carrier for subscriber in subscribers}:
        carrier.carry([one for one in subscribers if one.carrier is carrier], chunk)


class EventStream(Response):
    """The response: the events that the seat has missed, then every event as it is recorded."""

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

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        outlet = DirectSend(scope.get("state", {}).get(UNWRAPPED, send), self._subscriber.loop)
        # Separate tasks, because waking them does not involve the middleware of the request.
        passing = asyncio.create_task(self._pass_on(outlet))
        others = [
            asyncio.create_task(self._until_gone(receive)),
            asyncio.create_task(self._watch_over(outlet, passing)),
        ]
        try:
            await asyncio.wait([passing])
            if not passing.cancelled():
                passing.result()
        finally:
            for task in (passing, *others):
                task.cancel()
            outlet.drop()
            self._left()

    async def _pass_on(self, outlet: DirectSend) -> None:
        await outlet.send(RETRY + self._first)
        self._subscriber.send_through(outlet)
        while (chunk := await self._subscriber.next()) is not None:
            await outlet.finish()
            if chunk:
                await outlet.send(chunk)
        await outlet.finish()
        await outlet.send(b"", more=False)

    async def _watch_over(self, outlet: DirectSend, passing: asyncio.Task[None]) -> None:
        """Send comments into a silent stream, and give up on a reader that does not read, with one timer for both."""
        while True:
            patience = self._send_within if outlet.is_stuck else self._keep_alive
            left = outlet.since + patience - self._subscriber.loop.time()
            if left > 0:
                await asyncio.sleep(min(left, self._send_within))
            elif outlet.is_stuck:
                self._subscriber.too_slow = True
                passing.cancel()
                return
            else:
                outlet.since = self._subscriber.loop.time()  # it may wait behind something else
                self._subscriber.take(KEEP_ALIVE)

    async def _until_gone(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            continue
        self._subscriber.end()

"""Follow a fight behind a service through server-sent events. A broken stream is resumed without gaps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import CancelledError
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx

from combatlog.follow import Following
from combatlog.remote.http_client import PASSING, RetryDelay, is_encrypted, problem_in, retry_after, unreachable
from projections.views.received_events import event_in

if TYPE_CHECKING:
    from combatlog.remote.http_client import HttpClient
    from ledger.events import Event

    _Task = asyncio.Task[Any]

SILENCE = httpx.Timeout(60.0, connect=5.0)
"""Seconds without any data after which a stream counts as broken; a service sends a comment every fifteen."""


class ServerSentEvent(NamedTuple):
    type: str
    data: str


class ServerSentEventReader:
    """The messages in the lines of a stream. Comments, which only keep it alive, are skipped."""

    def __init__(self) -> None:
        self._type, self._data = "message", list[str]()

    def take(self, line: str) -> ServerSentEvent | None:
        """The message that ends with this line, if one does."""
        name, _, value = line.partition(":")
        if name == "data":
            self._data.append(value.removeprefix(" "))
        elif name == "event":
            self._type = value.removeprefix(" ")
        elif not line:
            complete = ServerSentEvent(self._type, "\n".join(self._data)) if self._data else None
            self._type, self._data = "message", []
            return complete
        return None


async def stream(wire: HttpClient, path: str, after: int | None) -> AsyncIterator[Event]:
    """Every event after a given one, or from the first on, for as long as it is read; each is the next one."""
    last, retry, url = after or 0, RetryDelay(wire.patience), wire.url
    how = {"headers": wire.headers, "timeout": SILENCE, "verify": is_encrypted(url)}
    async with httpx.AsyncClient(base_url=f"{url}/v1", **how) as client:  # type: ignore[arg-type]
        while True:
            failed: Exception = httpx.RemoteProtocolError("the stream ended")
            resuming = {"Accept": "text/event-stream", "Last-Event-ID": str(last)}
            try:
                async with client.stream("GET", path, headers=resuming) as answer:
                    await _check(answer, url)
                    retry.worked()
                    async for event in _events(answer):
                        if event.seq > last + 1:
                            raise httpx.RemoteProtocolError(f"event {event.seq} came after event {last}")
                        if event.seq > last:
                            last = event.seq
                            yield event
            except httpx.TransportError as error:
                failed = error
            if (pause := retry.pause()) is None:
                raise unreachable(url, failed) from failed
            await asyncio.sleep(pause)


async def _check(answer: httpx.Response, url: str) -> None:
    """Raise a refusal. A passing one counts as an error of the network, so the stream is tried again."""
    if answer.status_code in PASSING:
        raise httpx.RemoteProtocolError(f"status {answer.status_code}, again after {retry_after(answer):g} s")
    if answer.status_code >= 400:
        await answer.aread()
        raise problem_in(answer, url)


async def _events(answer: httpx.Response) -> AsyncIterator[Event]:
    reader = ServerSentEventReader()
    async for line in answer.aiter_lines():
        message = reader.take(line)
        if message is not None and message.type == "message":
            yield event_in(message.data.encode())


class RemoteFollowing(Following):
    """The same stream for a thread that waits; it is read in an event loop of its own."""

    def __init__(self, wire: HttpClient, path: str, after: int) -> None:
        self.position, self.passed_over = None, []
        self._events = stream(wire, path, after)
        self._waiting: set[_Task] = set()
        self._loop = asyncio.new_event_loop()
        Thread(target=_run, args=(self._loop,), name="combatlog-follow", daemon=True).start()

    def __next__(self) -> Event:
        if not self._stopped:
            waiting = asyncio.run_coroutine_threadsafe(_next(self._events, self._waiting), self._loop)
            with suppress(CancelledError, StopAsyncIteration):
                if not self._stopped:  # otherwise the loop may have ended before this was asked
                    return waiting.result()
        raise StopIteration

    def stop(self) -> None:
        """A thread that waits for the next event gets none."""
        if not self._stopped and "_loop" in vars(self):
            self._stopped = True
            asyncio.run_coroutine_threadsafe(_end(self._events, self._waiting), self._loop)


def _run(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()


async def _next(events: AsyncIterator[Event], waiting: set[_Task]) -> Event:
    task = asyncio.current_task()
    assert task is not None
    waiting.add(task)
    try:
        return await anext(events)
    finally:
        waiting.discard(task)


async def _end(events: AsyncIterator[Event], waiting: set[_Task]) -> None:
    """Cancel what waits, close the connection, and end the loop."""
    cancelled = tuple(waiting)
    for task in cancelled:
        task.cancel()
    await asyncio.gather(*cancelled, return_exceptions=True)
    await events.aclose()  # type: ignore[attr-defined]
    asyncio.get_running_loop().stop()

"""Follow a fight behind a service through server-sent events. A broken stream is resumed without gaps."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx

from combatlog.follow import Following
from combatlog.remote.http_client import PASSING, SSE, RetryDelay, is_encrypted, problem_in, retry_after, unreachable
from projections.views.received_events import event_in

if TYPE_CHECKING:
    from combatlog.remote.http_client import HttpClient
    from ledger.events import Event

SILENCE = 60.0
"""Seconds without a sign of life after which a stream is taken to be broken; a service sends one every fifteen."""


class ServerSentEvent(NamedTuple):
    """One server-sent event."""

    type: str
    data: str


class ServerSentEventReader:
    """The messages in the lines of a stream; comments are signs of life and nothing else."""

    def __init__(self) -> None:
        self._type, self._data = "message", list[str]()

    def take(self, line: str) -> ServerSentEvent | None:
        """The message that this line ends, if it does."""
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


class StreamPosition:
    """How far a reader has got. Every event has to be the next one; whatever else comes is not taken."""

    def __init__(self, last: int) -> None:
        self.last = last

    @property
    def headers(self) -> dict[str, str]:
        return {"Accept": SSE, "Last-Event-ID": str(self.last)}

    def event_in(self, message: ServerSentEvent | None) -> Event | None:
        if message is None or message.type != "message":
            return None
        event = event_in(message.data.encode())
        if event.seq <= self.last:
            return None
        if event.seq != self.last + 1:
            raise httpx.RemoteProtocolError(f"event {event.seq} came after event {self.last}")
        self.last = event.seq
        return event


class RemoteFollowing(Following):
    """Events as they come; if the stream breaks, it is resumed for as long as the connection is patient."""

    def __init__(self, wire: HttpClient, path: str, after: int) -> None:
        self._wire = wire
        self._path = path
        self._place = StreamPosition(after)
        self._events = self._all()
        self._open: httpx.Response | None = None
        self._client = httpx.Client(base_url=f"{wire.url}/v1", **_settings(wire))
        self.position = None
        self.passed_over = []

    def __next__(self) -> Event:
        return next(self._events)

    def stop(self) -> None:
        """Whoever waits for the next event gets none."""
        self._stopped = True
        if self.__dict__.get("_client") is not None:
            with suppress(RuntimeError, OSError):
                self._shut()
            self._client.close()

    def _shut(self) -> None:
        """Wake up whoever waits for the network: closing alone does not."""
        stream = self._open.extensions.get("network_stream") if self._open is not None else None
        raw = stream.get_extra_info("socket") if stream is not None else None
        if raw is not None:
            raw.shutdown(socket.SHUT_RDWR)

    def _all(self) -> Iterator[Event]:
        trying = RetryDelay(self._wire.patience)
        while not self._stopped:
            failed: Exception = httpx.RemoteProtocolError("the stream ended")
            try:
                yield from self._once(trying)
            except (httpx.TransportError, httpx.StreamError, RuntimeError, OSError) as error:
                failed = error
            if self._stopped:
                return
            if (pause := trying.pause()) is None:
                raise unreachable(self._wire.url, failed) from failed
            time.sleep(pause)

    def _once(self, trying: RetryDelay) -> Iterator[Event]:
        """Until the stream ends."""
        with self._client.stream("GET", self._path, headers=self._place.headers) as answer:
            self._open = answer
            if self._stopped:  # whoever said so may have done it before there was anything to shut
                return
            if answer.status_code >= 400:
                answer.read()
            check(answer, self._wire.url)
            trying.worked()
            messages = ServerSentEventReader()
            for line in answer.iter_lines():
                if (event := self._place.event_in(messages.take(line))) is not None:
                    yield event


async def stream(wire: HttpClient, path: str, after: int | None) -> AsyncIterator[Event]:
    """The same without a thread: every event after one, from the first on without one, for as long as it is read."""
    place, trying = StreamPosition(after or 0), RetryDelay(wire.patience)
    async with httpx.AsyncClient(base_url=f"{wire.url}/v1", **_settings(wire)) as client:
        while True:
            failed: Exception = httpx.RemoteProtocolError("the stream ended")
            try:
                async for event in _read(client, path, place, trying, wire.url):
                    yield event
            except httpx.TransportError as error:
                failed = error
            if (pause := trying.pause()) is None:
                raise unreachable(wire.url, failed) from failed
            await asyncio.sleep(pause)


async def _read(
    client: httpx.AsyncClient, path: str, place: StreamPosition, trying: RetryDelay, url: str
) -> AsyncIterator[Event]:
    """Until the stream ends."""
    async with client.stream("GET", path, headers=place.headers) as answer:
        if answer.status_code >= 400:
            await answer.aread()
        check(answer, url)
        trying.worked()
        messages = ServerSentEventReader()
        async for line in answer.aiter_lines():
            if (event := place.event_in(messages.take(line))) is not None:
                yield event


def check(answer: httpx.Response, url: str) -> None:
    """Raise what was refused; what passes is an error of the network, and tried again."""
    if answer.status_code in PASSING:
        raise httpx.RemoteProtocolError(f"status {answer.status_code}, again after {retry_after(answer):g} s")
    if answer.status_code >= 400:
        raise problem_in(answer, url)


def _settings(wire: HttpClient) -> dict[str, Any]:
    timeout = httpx.Timeout(SILENCE, connect=5.0)
    return {"headers": wire.headers, "timeout": timeout, "verify": is_encrypted(wire.url)}

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
from combatlog.remote.http_client import PASSING, RetryDelay, is_encrypted, problem_in, retry_after, unreachable
from projections.views.received_events import event_in

if TYPE_CHECKING:
    from combatlog.remote.http_client import HttpClient
    from ledger.events import Event

SSE = "text/event-stream"
SILENCE = 60.0
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


class StreamPosition:
    """How far a reader has got: each event must be the next one. Both kinds of reader use it to read and to resume."""

    def __init__(self, wire: HttpClient, after: int) -> None:
        self.last, self.url = after, wire.url
        self._retry = RetryDelay(wire.patience)
        self._reader = ServerSentEventReader()

    @property
    def headers(self) -> dict[str, str]:
        return {"Accept": SSE, "Last-Event-ID": str(self.last)}

    def begin(self, answer: httpx.Response) -> None:
        """Read a new stream from its start. A refusal is raised; one that passes is an error of the network."""
        if answer.status_code in PASSING:
            raise httpx.RemoteProtocolError(f"status {answer.status_code}, again after {retry_after(answer):g} s")
        if answer.status_code >= 400:
            raise problem_in(answer, self.url)
        self._retry.worked()
        self._reader = ServerSentEventReader()

    def take(self, line: str) -> Event | None:
        """The event that ends with this line, if one does and it is new."""
        message = self._reader.take(line)
        if message is None or message.type != "message":
            return None
        event = event_in(message.data.encode())
        if event.seq <= self.last:
            return None
        if event.seq != self.last + 1:
            raise httpx.RemoteProtocolError(f"event {event.seq} came after event {self.last}")
        self.last = event.seq
        return event

    def pause(self, failed: Exception | None) -> float:
        """Seconds until the next attempt; if there were enough, it is raised that the service cannot be reached."""
        failed = failed or httpx.RemoteProtocolError("the stream ended")
        if (pause := self._retry.pause()) is None:
            raise unreachable(self.url, failed) from failed
        return pause


class RemoteFollowing(Following):
    """Events as they come. A stream that breaks is resumed for as long as the patience of the connection lasts."""

    def __init__(self, wire: HttpClient, path: str, after: int) -> None:
        self._path, self._place = path, StreamPosition(wire, after)
        self._client = httpx.Client(**_settings(wire))
        self._open: httpx.Response | None = None
        self._events = self._all()
        self.position = None
        self.passed_over = []

    def __next__(self) -> Event:
        return next(self._events)

    def stop(self) -> None:
        """A thread that waits for the next event gets none."""
        self._stopped = True
        if self.__dict__.get("_client") is not None:
            with suppress(RuntimeError, OSError):
                self._shut()
            self._client.close()

    def _shut(self) -> None:
        """Wake up the thread that waits for the network: closing the client does not."""
        stream = self._open.extensions.get("network_stream") if self._open is not None else None
        raw = stream.get_extra_info("socket") if stream is not None else None
        if raw is not None:
            raw.shutdown(socket.SHUT_RDWR)

    def _all(self) -> Iterator[Event]:
        while not self._stopped:
            failed: Exception | None = None
            try:
                with self._client.stream("GET", self._path, headers=self._place.headers) as self._open:
                    if self._stopped:  # `stop` came before there was anything to shut
                        return
                    if self._open.status_code >= 400:
                        self._open.read()
                    self._place.begin(self._open)
                    yield from filter(None, map(self._place.take, self._open.iter_lines()))
            except (httpx.TransportError, httpx.StreamError, RuntimeError, OSError) as error:
                failed = error
            if not self._stopped:
                time.sleep(self._place.pause(failed))


async def stream(wire: HttpClient, path: str, after: int | None) -> AsyncIterator[Event]:
    """The same without a thread: every event after a given one, or from the first on, for as long as it is read."""
    place = StreamPosition(wire, after or 0)
    async with httpx.AsyncClient(**_settings(wire)) as client:
        while True:
            failed: Exception | None = None
            try:
                async with client.stream("GET", path, headers=place.headers) as answer:
                    if answer.status_code >= 400:
                        await answer.aread()
                    place.begin(answer)
                    async for line in answer.aiter_lines():
                        if (event := place.take(line)) is not None:
                            yield event
            except httpx.TransportError as error:
                failed = error
            await asyncio.sleep(place.pause(failed))


def _settings(wire: HttpClient) -> dict[str, Any]:
    timeout = httpx.Timeout(SILENCE, connect=5.0)
    return {"base_url": f"{wire.url}/v1", "headers": wire.headers, "timeout": timeout, "verify": is_encrypted(wire.url)}

"""Send the parts of a response at once, without waking a task for each of them.

A stream is silent most of the time, and its connection takes a message without delay. So the sender writes to many
streams one after the other; only if a connection is full, a task of its stream waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from starlette.types import Send

_Sending = Coroutine[Any, Any, None]


class DirectSend:
    def __init__(self, send: Send, loop: asyncio.AbstractEventLoop) -> None:
        self._send = send
        self._loop = loop
        self._stuck: tuple[_Sending, Any] | None = None
        """The message that the connection does not take yet, and what it waits for."""
        self.since = loop.time()
        """When it last began to send something, or when that got stuck, by the loop's clock."""

    @property
    def is_stuck(self) -> bool:
        return self._stuck is not None

    def begin(self, chunk: bytes, *, more: bool = True) -> bool:
        """Send something; False if the connection does not take all of it yet, so that the caller has to wait."""
        self.since = self._loop.time()
        return self._go_on(self._send({"type": "http.response.body", "body": chunk, "more_body": more}))  # type: ignore[arg-type]

    def _go_on(self, sending: _Sending) -> bool:
        try:
            self._stuck = sending, sending.send(None)
        except StopIteration:
            self._stuck = None
            return True
        except BaseException:
            self._stuck = None
            raise
        return False

    async def finish(self) -> None:
        """Wait until everything that was begun is taken."""
        while self._stuck is not None:
            sending, awaited = self._stuck
            await (asyncio.wait([awaited]) if awaited is not None else asyncio.sleep(0))
            self._go_on(sending)

    async def send(self, chunk: bytes, *, more: bool = True) -> None:
        self.begin(chunk, more=more)
        await self.finish()

    def drop(self) -> None:
        """Give up the message that is stuck."""
        if self._stuck is not None:
            self._stuck[0].close()
            self._stuck = None

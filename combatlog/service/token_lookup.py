"""Look up the seat of a token and the last event of its fight. Requests that arrive together share one query."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from uuid import UUID

import combatlog
from combatlog.seats import HeldSeat
from ledger.errors import Problem
from ledger.store.connections import explain

Asked = tuple[str, UUID]
"""A token, and the encounter that it is shown at."""
Found = tuple[HeldSeat, int | None]
"""The seat, and the seq of the encounter's last event."""
_Waiting = tuple[Asked, "asyncio.Future[Found | None]"]
_log = logging.getLogger("combatlog.service")


class TokenLookup:
    """Nothing is cached: every lookup begins after its request came. So a revoked seat gets nothing from then on, and
    no answer is older than the last one.
    """

    def __init__(self, database: str | None) -> None:
        self._ledger = combatlog.open(database)
        self._waiting: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._thread = Thread(target=self._work, daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._thread.start()

    def close(self) -> None:
        self._waiting.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        self._ledger.close()

    async def ask(self, asked: Asked) -> Found | None:
        """None if the token is not valid."""
        answer: asyncio.Future[Found | None] = asyncio.get_running_loop().create_future()
        self._waiting.put((asked, answer))
        return await answer

    def _work(self) -> None:
        while together := self._together():
            found = self._find([*{asked for asked, _ in together}])
            assert self._loop is not None
            with suppress(RuntimeError):  # the loop is closed: no request is waiting
                self._loop.call_soon_threadsafe(_tell, together, found)

    def _together(self) -> list[_Waiting]:
        """All lookups that are waiting, at least one; none if this is to end."""
        waiting: list[_Waiting] = []
        while not waiting or not self._waiting.empty():
            if (one := self._waiting.get()) is None:
                return []
            waiting.append(one)
        return waiting

    def _find(self, asked: Sequence[Asked]) -> dict[Asked, Found] | Exception:
        try:
            return self._ledger.seats.find_all_at(asked)
        except Exception as error:  # all waiting requests have to get it
            _log.warning("tokens could not be looked up", extra={"reason": str(error)})
            return error if isinstance(error, Problem) else explain(error) or error


def _tell(together: Sequence[_Waiting], found: dict[Asked, Found] | Exception) -> None:
    for asked, answer in together:
        if answer.done():
            continue
        if isinstance(found, Exception):
            answer.set_exception(found)
        else:
            answer.set_result(found.get(asked))

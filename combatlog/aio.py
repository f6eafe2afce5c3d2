"""The same ledger for asyncio, with the same methods and messages, each of which is awaited.

    async with combatlog.open_async() as ledger:
        fight = await ledger.fight("Bridge ambush")
        await fight.send(Note("It begins to rain."))
        async for event in fight.stream():
            print(combatlog.say(event))

The work is done in a few threads of the ledger, since the rules take a processor and the database driver waits. Streams
need no threads: any number of them share one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from combatlog.recorded import RecordedFight
from combatlog.view import View

if TYPE_CHECKING:
    from combatlog.ledger import Ledger
    from ledger.events import Event

THREADS = 4
"""More would not record more: each of them keeps a connection and fights in memory."""
_NOT_AWAITED = ("follow", "watch", "keep", "close")
"""They wait for other people, so `stream` replaces them; or they are different here."""


class Awaited:
    """Has the methods of the wrapped object, and calls them in a thread of the ledger."""

    def __init__(self, inner: Any, pool: ThreadPoolExecutor) -> None:
        self._inner = inner
        self._pool = pool

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(type(self._inner), name, None)
        if name.startswith("_") or name in _NOT_AWAITED or not callable(method):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return partial(self._call, getattr(self._inner, name))

    def __dir__(self) -> list[str]:
        methods = [name for name in dir(type(self._inner)) if not name.startswith("_") and name not in _NOT_AWAITED]
        return sorted({*super().__dir__(), *(name for name in methods if callable(getattr(type(self._inner), name)))})

    async def _call(self, method: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        loop = asyncio.get_running_loop()
        result = await loop.run_in_executor(self._pool, partial(_whole, method, *arguments, **named))
        return _awaited(result, self._pool)


def _whole(method: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """A generator is run to its end in the thread."""
    result = method(*arguments, **named)
    return list(result) if isinstance(result, Iterator) else result


def _awaited(result: Any, pool: ThreadPoolExecutor) -> Any:
    if isinstance(result, RecordedFight):
        return AsyncFight(result, pool)
    return Awaited(result, pool) if isinstance(result, View) else result


class AsyncFight(Awaited):
    """A fight whose commands and questions are awaited. `await fight.seen_by(seat)` gives a view of the same kind."""

    _inner: RecordedFight

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AsyncFight) and self._inner == other._inner

    def __hash__(self) -> int:
        return hash(self._inner)

    def stream(self, after: int | None = None) -> AsyncIterator[Event]:
        """Every event after the event `after`, from the first one on without it, for as long as it is read."""
        return self._inner.stream(after)


class AsyncLedger(Awaited):
    """A ledger at hand or behind a service. Use it in an `async with` block, or `await ledger.aclose()`."""

    def __init__(self, ledger: Ledger, threads: int = THREADS) -> None:
        super().__init__(ledger, ThreadPoolExecutor(threads, "combatlog"))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Wait for running commands, then close every connection."""
        await self._call(self._inner.close)
        self._pool.shutdown()


def open_async(url: str | None = None, *, replica: str | None = None) -> AsyncLedger:
    """`combatlog.open` for asyncio."""
    import combatlog

    return AsyncLedger(combatlog.open(url, replica=replica))


def connect_async(url: str, token: str | None = None) -> AsyncLedger:
    """`combatlog.connect` for asyncio."""
    import combatlog

    return AsyncLedger(combatlog.connect(url, token))

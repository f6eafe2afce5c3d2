"""Divide work among processes and collect the results in order."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from ledger.errors import Problem

Item = TypeVar("Item")
Done = TypeVar("Done")
_AHEAD = 4
"""Items handed out per process: enough to keep it busy, but few, so that results do not pile up."""


def in_processes(
    work: Callable[[Item], Done], items: Iterable[Item], jobs: int, *, start: str | None = None
) -> Iterator[Done]:
    """The results, in the order of the items. The work, the items and the results must be picklable.

    Each process gets one item at a time, so an interrupt waits only for the items in progress. `start` is the start
    method for the processes; a caller with threads or connections of its own needs `spawn`.
    """
    context = multiprocessing.get_context(start)
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_follow_the_first_process)
    try:
        for done in _in_order(pool, partial(_attempt, work), iter(items), jobs):
            if isinstance(done, _Refused):
                raise Problem(done.data["code"], done.data["sentence"], **done.data["facts"])
            yield done
    finally:
        pool.shutdown(cancel_futures=True)


class _Refused(NamedTuple):
    """A problem on its way back to the caller; the exception itself cannot be pickled."""

    data: dict[str, Any]


def _in_order(
    pool: ProcessPoolExecutor, work: Callable[[Item], Done], items: Iterator[Item], jobs: int
) -> Iterator[Done]:
    given_out = deque(pool.submit(work, item) for item in islice(items, _AHEAD * jobs))
    while given_out:
        yield given_out.popleft().result()
        given_out.extend(pool.submit(work, item) for item in islice(items, 1))


def _attempt(work: Callable[[Item], Done], item: Item) -> Done | _Refused:
    try:
        return work(item)
    except Problem as problem:
        return _Refused(problem.to_json())


def _follow_the_first_process() -> None:
    """Ignore interrupts, which the first process handles, and exit if it is killed while this one waits for an item."""
    for asking in (signal.SIGINT, signal.SIGTERM):
        signal.signal(asking, signal.SIG_IGN)
    Thread(target=_end_with_the_first_process, daemon=True).start()


def _end_with_the_first_process() -> None:
    first = multiprocessing.parent_process()
    if first is not None:
        first.join()
        os._exit(1)

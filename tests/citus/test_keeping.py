"""Read models that several processes keep: node by node, in parallel, and never back to where they were."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, suppress
from itertools import pairwise
from threading import Event
from typing import Any

import psycopg
import pytest

import combatlog
from combatlog.rules.engine.commands import Opening
from combatlog.rules.engine.resolution.referee import Referee
from ledger.store.ledger import LedgerStore
from ledger.store.positions import LogPosition, has_reached
from projections.readmodels import row_projection
from projections.readmodels.rebuild import rebuild
from projections.readmodels.recorder import Busy, ReadModels
from tests.projections.readmodels.test_keeping import write_notes

PATIENCE = 0.2
"""Seconds; they hold on whichever node the lock is."""


def bring_in(url: str) -> None:
    """As far as that goes without waiting long for anybody."""
    with LedgerStore.open(url) as ledger, ReadModels.open(url) as models, suppress(Busy):
        models.catch_up(ledger, patience=PATIENCE)


def nodes_that_are_current(url: str) -> set[int]:
    with LedgerStore.open(url) as ledger, ReadModels.open(url) as models:
        position = models.position(ledger)
        return {node for node, last in ledger.recorder.head().items() if last and position.get(node, 0) == last}


@pytest.mark.parametrize("held", [1, 2])
def test_the_events_of_a_node_come_in_while_somebody_is_busy_with_those_of_another(
    ledger: LedgerStore, nodes: list[str], held: int
) -> None:
    other = 3 - held
    for name in "abcdefghijkl":
        Referee(ledger).open(Opening(name=name))  # there are some on each node
    with psycopg.connect(nodes[0]) as busy:
        busy.execute("SET idle_in_transaction_session_timeout TO '60s'")  # nobody may wait for it that long
        busy.execute("SELECT combatlog.lock_projecting(%s)", (held,))
        bring_in(nodes[held])
        assert nodes_that_are_current(nodes[0]) == set()
        bring_in(nodes[other])
        assert nodes_that_are_current(nodes[0]) == {other}
    bring_in(nodes[0])
    assert nodes_that_are_current(nodes[0]) == {1, 2}


class Reader:
    """Looks how far the read models are, through each node in turn, as long as there is anything to look at."""

    def __init__(self, nodes: list[str]) -> None:
        self._nodes = nodes
        self.enough = Event()

    def look(self) -> list[LogPosition]:
        seen: list[LogPosition] = []
        with ExitStack() as stack:
            ledgers = [stack.enter_context(LedgerStore.open(node)) for node in self._nodes]
            models = [stack.enter_context(ReadModels.open(node)) for node in self._nodes]
            while not self.enough.is_set():
                seen += [one.position(ledger) for one, ledger in zip(models, ledgers, strict=True)]
        return seen


def keep_bringing_in(url: str, enough: Event) -> None:
    """A little at a time, so that several are often at it together."""
    with LedgerStore.open(url) as ledger, ReadModels.open(url) as models:
        while not enough.is_set():
            with suppress(Busy):
                models.bring_in(ledger, limit=2, patience=PATIENCE)


def keep_asking(url: str, enough: Event) -> None:
    """Questions that are asked while tables are replaced are answered."""
    with combatlog.open(url) as ledger:
        while not enough.is_set():
            ledger.statistics("hits")


KEEPERS = (keep_bringing_in, keep_bringing_in, keep_asking)


def leave_them_alone(_: str) -> None:
    """Nothing but writers and those who bring events in."""


def rebuild_twice(coordinator: str) -> None:
    rebuild(coordinator)
    rebuild(coordinator, jobs=2)


@pytest.mark.parametrize("meanwhile", [leave_them_alone, rebuild_twice])
def test_the_position_that_readers_see_never_goes_back(
    ledger: LedgerStore, nodes: list[str], meanwhile: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_projection, "EVENTS_AT_ONCE", 1)
    readers = [Reader([node]) for node in nodes] + [Reader(nodes)]
    written = Event()
    with ThreadPoolExecutor(len(readers) + (len(KEEPERS) + 1) * len(nodes)) as pool, ExitStack() as stack:
        for event in (written, *(reader.enough for reader in readers)):
            stack.callback(event.set)
        looking = [pool.submit(reader.look) for reader in readers]
        keeping = [pool.submit(work, node, written) for node in nodes for work in KEEPERS]
        writing = [pool.submit(write_notes, node, f"fight {n}", 30) for n, node in enumerate(nodes)]
        meanwhile(nodes[0])
        for writer in writing:
            writer.result(timeout=300)
        written.set()
        wait(keeping, timeout=120)
        for reader in readers:
            reader.enough.set()
        seen = [one.result(timeout=60) for one in looking]
    for positions in seen:
        require_no_step_back(positions)
    for one in keeping:
        one.result()  # raises what stopped it


def require_no_step_back(positions: list[LogPosition]) -> None:
    """And it has moved often enough to show one."""
    steps = list(pairwise(positions))
    assert [(before, after) for before, after in steps if not has_reached(after, before)] == []
    assert sum(before != after for before, after in steps) > 5

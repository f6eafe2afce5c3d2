"""Verifying many fights, divided among processes: a fight needs nothing from another but what it was forked from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TypeVar
from uuid import UUID

from combatlog.rules.engine.copied import sealed_here
from combatlog.rules.engine.verify import Report, verify
from ledger.processes import in_processes
from ledger.seal import Seal
from ledger.store import Ledger, encounter_id

AT_ONCE = 50
"""Fights that a process is given at a time."""

Fight = TypeVar("Fight")
Sealed = Sequence[tuple[UUID, Seal]]


def verify_encounters(
    ledger: Ledger, references: Iterable[str], seals: Sequence[Seal] = (), jobs: int = 1
) -> Iterator[Report]:
    """Check encounters of a ledger in order. Other processes, if there are any, have connections of their own."""
    sealed = [(sealed_here(ledger, seal), seal) for seal in seals]
    if jobs < 2:
        return _verify_each(ledger, sealed, references)
    return verify_shares(partial(_verify_elsewhere, type(ledger), ledger.url, sealed), list(references), jobs)


def verify_shares(
    work: Callable[[Sequence[Fight]], Sequence[Report]], fights: Sequence[Fight], jobs: int
) -> Iterator[Report]:
    """What the work finds in each share of the fights, in order; in this process if there is one share only."""
    shares = [fights[first : first + AT_ONCE] for first in range(0, len(fights), AT_ONCE)]
    if jobs < 2 or len(shares) < 2:
        return chain.from_iterable(map(work, shares))
    return chain.from_iterable(in_processes(work, shares, min(jobs, len(shares)), start="spawn"))


def _verify_elsewhere(kind: type[Ledger], url: str, sealed: Sealed, references: Sequence[str]) -> list[Report]:
    with kind.open(url) as ledger:
        return list(_verify_each(ledger, sealed, references))


def _verify_each(ledger: Ledger, sealed: Sealed, references: Iterable[str]) -> Iterator[Report]:
    for reference in references:
        encounter = encounter_id(reference)
        yield verify(ledger, reference, [seal for about, seal in sealed if about == encounter])

"""Verifying a lake: the checks that a ledger gets, one encounter at a time, over several processes.

The facts are checked as well: they have to be what the events come to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from combatlog.rules.engine.many_fights import verify_shares
from combatlog.rules.engine.verify import Finding, Report, verify
from ledger.errors import Problem, unknown_encounter
from ledger.seal import Seal
from ledger.store import Stored, with_shared_past
from projections.lake.folding import facts_and_state
from projections.lake.places import Place
from projections.lake.reading import Lake
from projections.readmodels.catalogue import TABLES


def verify_lake(place: Place, seals: Sequence[Seal] = (), jobs: int = 1) -> Iterator[Report]:
    """Check every encounter of a lake, and those that are sealed even if no event of them is left."""
    with Lake.open(place) as lake:
        chosen = list(dict.fromkeys((*lake.ids(), *lake.listed(), *(seal.encounter for seal in seals))))
    yield from verify_shares(partial(verify_group, place, seals), chosen, jobs)


def verify_group(place: Place, seals: Sequence[Seal], encounters: Sequence[UUID]) -> list[Report]:
    with Lake.open(place) as lake:
        group = Group(lake.rows_of(encounters), lake.heads(encounters), lake.facts_of(encounters), lake.own_rows)
        return [group.verify(encounter, seals) for encounter in encounters]


@dataclass(frozen=True, slots=True)
class Group:
    """Some encounters of a lake, read together; what a fork comes from is read when it is needed."""

    rows: dict[UUID, list[Stored]]
    heads: dict[UUID, tuple[int, bytes]]
    facts: dict[str, dict[str, list[tuple[Any, ...]]]]
    """By table and encounter."""
    others: Callable[[UUID], list[Stored]]
    """The rows of an encounter that is not among them."""

    def history(self, encounter: UUID) -> list[Stored]:
        return with_shared_past(encounter, self.own_rows)

    def own_rows(self, encounter: UUID) -> list[Stored]:
        if encounter not in self.rows:
            self.rows[encounter] = self.others(encounter)
        return self.rows[encounter]

    def unknown(self, reference: str) -> Problem:
        return unknown_encounter(reference)

    def verify(self, encounter: UUID, seals: Sequence[Seal]) -> Report:
        own = [seal for seal in seals if seal.encounter == encounter]
        if not self.own_rows(encounter) and not own:
            gone = Finding(seq=1, problem="it and everything after it is missing: the lake says that it has this fight")
            return Report(name=str(encounter), events=0, declarations=0, findings=[gone])
        report = verify(self, str(encounter), own)
        findings = [*self._cut_off(encounter), *report.findings]
        return report.model_copy(update={"findings": findings or list(self._edited(encounter))})

    def _cut_off(self, encounter: UUID) -> Iterator[Finding]:
        """The chain may end too early, which no hash can show."""
        rows = self.own_rows(encounter)
        if not rows:
            return
        last = rows[-1][1]
        if self.heads.get(encounter) != (last.seq, last.hash):
            yield Finding(seq=last.seq, problem="it is not the last event that the lake says this fight has")

    def _edited(self, encounter: UUID) -> Iterator[Finding]:
        own = self.own_rows(encounter)
        past = [stored for stored in self.history(encounter) if stored[1].seq < own[0][1].seq]
        made: dict[str, Counter[Any]] = {name: Counter() for name in TABLES}
        for table, values in facts_and_state(encounter, past, [row for _, row in own]):
            made[table][comparable(values)] += 1
        for name in TABLES:
            stored = Counter(map(comparable, self.facts[name].get(str(encounter), ())))
            if stored != made[name]:
                yield Finding(seq=own[-1][1].seq, problem=f"the table {name} is not what the events up to it come to")


def comparable(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(
        str(value) if isinstance(value, UUID) else tuple(value) if isinstance(value, list | tuple) else value
        for value in values
    )

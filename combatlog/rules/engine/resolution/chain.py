"""Chains: modifiers that are collected by stage and recorded before the roll or value that they modify.

Collecting modifiers has no side effects. A modifier that costs its owner a reaction says so in `consumes`; the caller
records those reactions after the chain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ledger.events import Adjustment, ChainModified, Change, ChangeOp

if TYPE_CHECKING:
    from combatlog.rules.engine.resolution.table import Table


@dataclass(frozen=True, slots=True)
class Consumption:
    """A reaction that a modifier uses up."""

    reactor: str
    reaction: str
    reason: str


class Modifier(NamedTuple):
    """One contribution to a chain: its stage, source, owner, reason and change."""

    stage: str
    source: str
    owner: str
    reason: str
    change: Change
    consumes: Consumption | None = None


class ModifierChain:
    """An ordered collection of modifiers. Within a stage they keep the order in which they were added."""

    def __init__(
        self,
        name: str,
        stages: tuple[str, ...],
        modifiers: Iterable[Modifier] = (),
        *,
        of: str | None = None,
        stage_of: Callable[[Change], str] | None = None,
    ) -> None:
        """`of` is the combatant that the chain is about, if a declaration can have several chains of one name.
        `stage_of` gives the stage of a forgotten modifier; by default, it is the last stage."""
        self.name = name
        self.stages = stages
        self.of_whom = of
        self._stage_of = stage_of
        self._modifiers = list(modifiers)
        self._ordered: list[Modifier] | None = None
        """All modifiers by stage, sorted on demand."""
        self._by_op: dict[ChangeOp, list[Modifier]] = {}
        """The same modifiers by operation, filled together with `_ordered`."""

    def add(self, *modifiers: Modifier) -> None:
        if modifiers:
            self._modifiers.extend(modifiers)
            self._ordered = None

    def __len__(self) -> int:
        return len(self._modifiers)

    def __iter__(self) -> Iterator[Modifier]:
        return iter(self._ordered if self._ordered is not None else self._order())

    def _order(self) -> list[Modifier]:
        ordered = self._modifiers
        if len(ordered) > 1:
            at = self.stages.index
            ordered = sorted(ordered, key=lambda modifier: at(modifier.stage))
        by_op: dict[ChangeOp, list[Modifier]] = {}
        for modifier in ordered:
            by_op.setdefault(modifier.change.op, []).append(modifier)
        self._ordered, self._by_op = ordered, by_op
        return ordered

    def record(self, table: Table) -> list[ChainModified]:
        """Apply the adjustments of an amendment, then record every contribution in order."""
        for adjustment in table.take_adjustments(self.name, self.of_whom):
            self._adjust(adjustment)
        return [
            table.record(
                ChainModified,
                chain=self.name,
                stage=modifier.stage,
                source=modifier.source,
                owner=modifier.owner,
                reason=modifier.reason,
                change=modifier.change,
            )
            for modifier in self
        ]

    def _adjust(self, adjustment: Adjustment) -> None:
        if adjustment.change is None:
            self._modifiers = [m for m in self._modifiers if not _is_from(m, adjustment)]
            self._ordered = None
        else:
            change = adjustment.change
            stage = self._stage_of(change) if self._stage_of is not None else self.stages[-1]
            self.add(Modifier(stage, adjustment.source, adjustment.owner, adjustment.reason, change))

    def of(self, op: ChangeOp, label: str | None = None) -> list[Modifier]:
        """The modifiers with this operation and, if given, this label."""
        if self._ordered is None:
            self._order()
        found = self._by_op.get(op, [])
        return found if label is None else [modifier for modifier in found if modifier.change.label == label]

    def bonus(self) -> int:
        return sum([modifier.change.amount or 0 for modifier in self.of(ChangeOp.BONUS)])

    @property
    def reactions_consumed(self) -> list[Consumption]:
        return [modifier.consumes for modifier in self if modifier.consumes is not None]


def chain_of(name: str, whom: str | None) -> str:
    """How an adjustment names a chain of its declaration: the first of this name, or the one of a combatant."""
    return name if whom is None else f"{name}:{whom}"


def _is_from(modifier: Modifier, adjustment: Adjustment) -> bool:
    return modifier.source == adjustment.source and modifier.owner == adjustment.owner

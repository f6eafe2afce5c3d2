"""What became of conditions over a fight, so that the story tells when they begin and end, and nothing in between."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ledger.events import ConditionApplied, ConditionRemoved, Event


@dataclass(frozen=True)
class ConditionHistory:
    renewed: set[int] = field(default_factory=set)
    """Seqs of applications to somebody who has the condition already, at the same level."""
    began: dict[int, ConditionApplied] = field(default_factory=dict)
    """How each condition that ended had begun, by the seq of its end."""

    @classmethod
    def of(cls, events: Iterable[Event]) -> ConditionHistory:
        """From the events that count, in the order of the fight."""
        history = cls()
        held: dict[tuple[str, str], ConditionApplied] = {}
        for event in events:
            if isinstance(event, ConditionApplied):
                history._apply(held, event)
            elif isinstance(event, ConditionRemoved) and (event.target, event.condition) in held:
                history.began[event.seq] = held.pop((event.target, event.condition))
        return history

    def _apply(self, held: dict[tuple[str, str], ConditionApplied], event: ConditionApplied) -> None:
        before = held.get((event.target, event.condition))
        if before is not None and before.level == event.level:
            self.renewed.add(event.seq)
        held[event.target, event.condition] = event

"""One declaration with everything that followed from it, and who is in it: what a sentence is made from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

from ledger.events import AttackResolved, Commanded, Declared, Event
from projections.cast import Cast
from projections.story.conditions import ConditionHistory
from projections.views.seen import SeenAttack
from projections.words import in_words

E = TypeVar("E", bound=Event)


class Clause(NamedTuple):
    """What one combatant does or suffers: `Snig` `loses` `5 hp (2 left)`. Without a subject, a remark on its own."""

    subject: str | None
    verb: str
    what: str = ""


@dataclass(frozen=True)
class Scene:
    events: Sequence[Event]
    """The declaration, and what followed from it in order; without it, if not even that was seen."""
    cast: Cast
    conditions: ConditionHistory

    @property
    def root(self) -> Event:
        return self.events[0]

    @property
    def has_begun(self) -> bool:
        """Whether the declaration itself is among the events."""
        return self.root.seq == self.root.declaration and isinstance(self.root, Commanded)

    @cached_property
    def declared(self) -> Declared | None:
        return self.root if isinstance(self.root, Declared) else None

    @property
    def action(self) -> str:
        return self.declared.action if self.declared else ""

    @property
    def actor(self) -> str | None:
        return self.declared.actor if self.declared else None

    def name(self, combatant: str) -> str:
        return self.cast.name(combatant)

    def words(self, event: Event) -> str:
        return in_words(event, self.cast)

    def named(self, event: E) -> E:
        return self.cast.named(event)

    def all_of(self, kind: type[E]) -> Iterable[E]:
        return (event for event in self.events if isinstance(event, kind))

    @property
    def attacks(self) -> Iterable[AttackResolved | SeenAttack]:
        return (event for event in self.events if isinstance(event, AttackResolved | SeenAttack))

    def has(self, kind: type[Event]) -> bool:
        return any(True for _ in self.all_of(kind))

"""One declaration with everything that followed from it, and the clauses for attacks and partly seen events.

The history of conditions lets the story tell only when they begin and end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from ledger.events import AttackResolved, Commanded, ConditionApplied, ConditionRemoved, Declared, Event
from projections.story.event_words import in_words
from projections.story.names import CombatantNames
from projections.story.phrases import a, counted, name_of, with_weapon
from projections.views.redacted_events import (
    SOMEBODY,
    SeenAttack,
    SeenCards,
    SeenCheck,
    SeenHealed,
    SeenHurt,
    SeenInitiative,
    SeenJoined,
    SeenSave,
    numbers_of,
)


@dataclass(frozen=True)
class ConditionHistory:
    renewed: set[int] = field(default_factory=set)
    """Seqs of applications that change nothing: the combatant already has the condition at that level."""
    began: dict[int, ConditionApplied] = field(default_factory=dict)
    """How each ended condition had begun, by the seq of its end."""

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


E = TypeVar("E", bound=Event)


class Clause(NamedTuple):
    """What one combatant does or suffers: `Snig` `loses` `5 hp (2 left)`. Without a subject, it is a remark on its
    own."""

    subject: str | None
    verb: str
    what: str = ""


@dataclass(frozen=True)
class DeclarationContext:
    events: Sequence[Event]
    """The declaration and what followed from it, in order. The declaration is missing if it was not seen."""
    cast: CombatantNames
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
    def is_a_move(self) -> bool:
        words = self.cast.profile.action(self.action) if self.action else None
        return words is not None and words.move

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


Attack = AttackResolved | SeenAttack


def attack(e: Attack, scene: DeclarationContext) -> Iterator[Clause]:
    declared = scene.declared
    if e.attacker is None:
        yield Clause(None, f"{SOMEBODY} attacks {scene.name(e.target)} ({_outcome(e, scene)})")
    elif declared is None or e.attacker != declared.actor:
        yield Clause(
            e.attacker, verb_of(e, scene), f"{scene.name(e.target)}{with_weapon(e.weapon)} ({_outcome(e, scene)})"
        )
    elif declared.targets == (e.target,):
        yield Clause(None, _outcome(e, scene))
    else:
        numbers = _numbers(e, scene)
        yield Clause(e.target, "is", ("hit" if e.hit else "missed") + (f" ({numbers})" if numbers else ""))


def verb_of(e: Attack, scene: DeclarationContext) -> str:
    return "shoots" if e.weapon and e.attacker and scene.cast.shoots_with(e.attacker, e.weapon) else "attacks"


def _outcome(e: Attack, scene: DeclarationContext) -> str:
    how = "critical hit" if e.critical else "hit" if e.hit else "miss"
    return ", ".join(part for part in (_numbers(e, scene), how) if part)


def _numbers(e: Attack, scene: DeclarationContext) -> str:
    if isinstance(e, SeenAttack):
        return numbers_of(e)
    profile = scene.cast.profile
    wording = profile.attack
    if not e.against and profile.attack_without_number is not None:
        wording = profile.attack_without_number
    return wording.format(total=e.total, against=e.against)


_START = "core:time:start"


def _joined(e: SeenJoined, scene: DeclarationContext) -> Iterator[Clause]:
    yield Clause(None, scene.words(e))


def _initiative(e: SeenInitiative, scene: DeclarationContext) -> Iterator[Clause]:
    if scene.action == _START:
        values = ("" if entry.value is None else f" {entry.value}" for entry in e.order)
        order = [f"{scene.name(entry.combatant)}{value}" for entry, value in zip(e.order, values, strict=True)]
        yield Clause(None, f"initiative {', '.join(order)}")


def _save(e: SeenSave, scene: DeclarationContext) -> Iterator[Clause]:
    total = f" ({e.total})" if e.total is not None else ""
    yield Clause(e.saver, "makes" if e.success else "fails", f"{a(name_of(e.save))} save{total}")


def _check(e: SeenCheck, scene: DeclarationContext) -> Iterator[Clause]:
    if not any(made.cause == e.seq for made in scene.attacks):
        quality = f", {name_of(e.quality)}" if e.quality else ""
        yield Clause(e.checker, "makes" if e.success else "fails", f"{a(name_of(e.check))} check ({e.total}{quality})")


def _hurt(e: SeenHurt, scene: DeclarationContext) -> Iterator[Clause]:
    yield Clause(e.target, "takes", "damage")
    if e.health is not None:
        yield Clause(e.target, "is", e.health.value)


def _healed(e: SeenHealed, scene: DeclarationContext) -> Iterator[Clause]:
    yield Clause(e.target, "is", "healed")
    if e.health is not None:
        yield Clause(e.target, "is", e.health.value)


def _cards(e: SeenCards, scene: DeclarationContext) -> Iterator[Clause]:
    if scene.action == _START:
        return
    if (e.origin, e.to) == ("deck", "hand"):
        yield Clause(e.owner, "draws", counted(e.count, "card"))
    else:
        yield Clause(None, scene.words(e))


SEEN_PIECES: dict[type[Event], Callable[[Any, DeclarationContext], Iterable[Clause]]] = {
    SeenJoined: _joined,
    SeenInitiative: _initiative,
    SeenAttack: attack,
    SeenSave: _save,
    SeenCheck: _check,
    SeenHurt: _hurt,
    SeenHealed: _healed,
    SeenCards: _cards,
}

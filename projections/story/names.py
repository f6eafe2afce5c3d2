"""The names of combatants, which replace their ids in sentences, and the order in which they act."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, TypeVar, get_args, get_origin

from pydantic import BaseModel

from ledger.events import (
    ActionGranted,
    CombatantJoined,
    ConditionApplied,
    Data,
    EncounterOpened,
    Event,
    InitiativeSet,
    Who,
)
from projections.battle.clock_and_map import Clock
from projections.battle.fold import Battle
from projections.ruleset_profile import RulesetProfile, profile_of
from projections.story.phrases import who

Names = Mapping[str, str]
"""The display name of each combatant, by its id."""


def names_in(*battles: Battle) -> Names:
    """Display names in these states. If a name has changed, the last state counts."""
    return {combatant.id: combatant.name for battle in battles for combatant in battle.combatants.values()}


M = TypeVar("M", bound=BaseModel)

_ROLE = get_args(Who)[1]


def called(event: M, names: Names) -> M:
    """The event with names in place of ids. Use the result only for sentences."""
    differing = {field: _called(getattr(event, field), names) for field in _fields(type(event))}
    return event.model_copy(update=differing) if names else event


def _called(value: Any, names: Names) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple):
        return tuple(_called(item, names) for item in value)
    return called(value, names) if isinstance(value, BaseModel) else value


@cache
def _fields(model: type[BaseModel]) -> tuple[str, ...]:
    """The fields that hold ids of combatants, at any depth."""
    found = ((name, field.annotation, field.metadata) for name, field in model.model_fields.items())
    return tuple(name for name, annotation, metadata in found if _holds(annotation, metadata))


def _holds(annotation: Any, metadata: Iterable[Any] = ()) -> bool:
    if _ROLE in metadata:
        return True
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return bool(_fields(annotation))
    if get_origin(annotation) is Annotated:
        return _holds(get_args(annotation)[0], annotation.__metadata__)
    return any(_holds(argument) for argument in get_args(annotation))


E = TypeVar("E", bound=Event)

INTRODUCTIONS = (EncounterOpened, CombatantJoined, InitiativeSet)
"""The kinds of events that a cast is built from."""


@dataclass(frozen=True)
class CombatantNames:
    names: Names = field(default_factory=dict)
    sheets: Mapping[str, Data] = field(default_factory=dict)
    ruleset: str = ""
    orders: Sequence[InitiativeSet] = ()
    """Every order of turns, as it was recorded."""

    @classmethod
    def of(cls, events: Iterable[Event]) -> CombatantNames:
        known = [event for event in events if isinstance(event, INTRODUCTIONS)]
        joined = [event for event in known if isinstance(event, CombatantJoined)]
        return cls(
            names={event.combatant: event.name for event in joined},
            sheets={event.combatant: event.sheet for event in joined},
            ruleset=next((event.ruleset for event in known if isinstance(event, EncounterOpened)), ""),
            orders=[event for event in known if isinstance(event, InitiativeSet)],
        )

    def name(self, combatant: str) -> str:
        return self.names.get(combatant) or who(combatant)

    def named(self, event: E) -> E:
        """The event with names in place of ids, and with the round in which something ends. Use it only for
        sentences."""
        until = event.until if isinstance(event, ConditionApplied | ActionGranted) else None
        dated = {"until": self._clock(event).dated(until)} if until is not None else {}
        return called(event.model_copy(update=dated), self.names)

    def _clock(self, event: Event) -> Clock:
        at = bisect_right(self.orders, event.seq, key=lambda order: order.seq)
        return Clock(event.round, event.turn, list(self.orders[at - 1].order) if at else [])

    @property
    def profile(self) -> RulesetProfile:
        return profile_of(self.ruleset)

    def shoots_with(self, combatant: str, weapon: str) -> bool:
        """Whether the sheet says that the weapon is shot."""
        shooting = self.profile.shooting
        if shooting is None:
            return False
        held = self.sheets.get(combatant, {}).get(shooting.weapons)
        known = [entry for entry in held if isinstance(entry, dict)] if isinstance(held, list) else []
        return any(entry.get("name") == weapon and shooting.property in _properties(entry) for entry in known)


def _properties(weapon: Data) -> Sequence[object]:
    properties = weapon.get("properties")
    return properties if isinstance(properties, list | tuple) else ()

"""One entry of the ability library: what it says, which effects it has, and what it leaves to people."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from combatlog.rules.skirmish.registry import PROPERTIES, Effect, Manual, Price, Refinement
from combatlog.rules.skirmish.surges import SurgePart, parts_of
from combatlog.rules.skirmish.vocabulary import PROVIDED, Timing, ref
from ledger.events import Data


class AbilityType(StrEnum):
    SURGE = "surge"
    SPECIAL_ACTION = "specialAction"
    PASSIVE = "passive"
    TRIGGERED = "triggered"
    CC_EFFECT = "ccEffect"


_REF_TYPES: dict[AbilityType | None, str] = {AbilityType.SURGE: "surge", AbilityType.CC_EFFECT: "card"}

CHOOSE_ONE = "chooseOne"

ABOUT = ("type", "label", "timing", "cost", "trait", "surgeCost", "wiredStatus", "limit")
"""Fields that describe an entry."""

_LEFT_TO_PEOPLE = ("partial", "unwired")
"""What a file can say about an entry that is believed. That an entry is wired has to be derived."""
_SAYS_SO = re.compile(r"\b(manual|manually|honou?r|auto)\b", re.IGNORECASE)
"""How labels say that people carry out a part: `(recovery on defeat manual)`, `(2 MP honor)`, `(you Hidden auto)`."""


@dataclass(frozen=True)
class Ability:
    id: str
    type: AbilityType | None
    """None: a type that the engine does not know. People carry out everything about it."""
    label: str
    timing: Timing | None = None
    cost: int = 0
    limit: int = 1
    """How many copies of a card a deck may have."""
    trait: str | None = None
    surge_cost: int = 1
    properties: dict[str, Any] = field(default_factory=dict)
    type_name: str = ""
    """The type as the entry has it."""
    stated_status: str | None = None
    """How much of it the engine carries out, according to its file."""

    @cached_property
    def ref(self) -> str:
        return ref(_REF_TYPES.get(self.type, "ability"), self.id)

    @cached_property
    def surge_parts(self) -> list[SurgePart]:
        return parts_of(self.id) if self.type is AbilityType.SURGE else []

    # What the engine carries out

    def effects(self) -> list[Effect]:
        """Its effects in the order of the entry, with those that build on others last."""
        return self._effects

    @cached_property
    def _effects(self) -> list[Effect]:
        known = [PROPERTIES[name] for name in self.properties if self.is_known(name)]
        found = [entry for entry in known if isinstance(entry, Effect)]
        return sorted(found, key=lambda entry: entry.last)

    def refinements(self, effect: Effect) -> Iterator[Refinement]:
        for name in self.properties:
            entry = PROPERTIES.get(name)
            if isinstance(entry, Refinement) and (not entry.of or effect.name in entry.of):
                yield entry

    def is_known(self, name: str) -> bool:
        """Whether the engine carries out a property, or leaves it to people in so many words.

        A refinement counts only together with what it refines, and an effect only if all its refinements are
        understood: without its condition it would be another effect.
        """
        entry = PROPERTIES.get(name)
        if entry is None or self.type is None or name in self._odd:
            return False
        if isinstance(entry, Refinement):
            refined = entry.of or [other for other in self.properties if isinstance(PROPERTIES.get(other), Effect)]
            return any(effect in self.properties and self.is_known(effect) for effect in refined)
        return not isinstance(entry, Effect) or not any(one.name in self._odd for one in self.refinements(entry))

    @cached_property
    def _odd(self) -> frozenset[str]:
        """Properties whose value has a shape that the engine does not know."""
        return frozenset(name for name, value in self.properties.items() if has_unknown_shape(name, value))

    @cached_property
    def price(self) -> dict[str, int]:
        """What the figure pays besides actions, by resource."""
        known = ((PROPERTIES.get(name), value) for name, value in self.properties.items())
        return {entry.resource: value for entry, value in known if isinstance(entry, Price)}

    # Entries within it

    def inner(self, name: str) -> list[Ability]:
        """What a nested property holds, as abilities of the same card."""
        value = self.properties.get(name, ())
        return [self._inner(one) for one in ([value] if isinstance(value, dict) else value)]

    def _inner(self, entry: Data) -> Ability:
        properties = {key: value for key, value in entry.items() if key not in ABOUT}
        timing = entry.get("timing", self.timing if "label" in entry else None)
        return replace(
            self,
            label=entry.get("label", self.label),
            timing=Timing(timing) if timing in list(Timing) else None,
            trait=None,
            properties=properties,
            stated_status=None,
        )

    @cached_property
    def nested(self) -> list[Ability]:
        """Everything within it."""
        names = [name for name in self.properties if (entry := PROPERTIES.get(name)) is not None and entry.nested]
        return [inner for name in names if self.is_known(name) for inner in self.inner(name)]

    @cached_property
    def every_effect(self) -> list[Effect]:
        """Its effects, and those of what the player can choose when it is played."""
        chosen = [effect for inner in self.inner(CHOOSE_ONE) for effect in inner.effects()]
        return [*self.effects(), *chosen]

    # What is left to people

    def questions(self) -> Iterator[str]:
        """What the engine leaves to people, in words."""
        found = [*self._manual_questions(), *self._unknown_questions()]
        if not found and (self.is_partly_manual or not (self.effects() or self.surge_parts)):
            found = [self.label]
        yield from found

    def _manual_questions(self) -> Iterator[str]:
        for name, value in self.properties.items():
            entry = PROPERTIES.get(name)
            if isinstance(entry, Manual) and value:
                yield entry.question(value, self.label)

    def _unknown_questions(self) -> Iterator[str]:
        for name, value in self.properties.items():
            if not self.is_known(name) and not isinstance(PROPERTIES.get(name), Manual):
                yield f"{self.label} ({name}: {json.dumps(value)})"
        yield from (f"{self.label} ({part.text})" for part in self.surge_parts if not part.is_known)

    @property
    def is_partly_manual(self) -> bool:
        """Whether its label or its file says that people carry out a part of it."""
        return self.stated_status in _LEFT_TO_PEOPLE or _SAYS_SO.search(self.label) is not None

    # When it is used

    @cached_property
    def when(self) -> Timing:
        """When it is played: as the entry says, or else at a moment that fits all of its effects."""
        if self.timing is not None:
            return self.timing
        if self.type in (AbilityType.SPECIAL_ACTION, None):
            return Timing.SPECIAL_ACTION
        usual = [effect.timing for effect in self.every_effect if effect.name != CHOOSE_ONE]
        usual = usual or [Timing.DURING_ACTIVATION]
        return next((timing for timing in usual if self._fits(timing)), usual[0])

    def _fits(self, timing: Timing) -> bool:
        return all(effect.needs in PROVIDED[timing] for effect in self.every_effect)

    @property
    def is_before_roll(self) -> bool:
        return any(effect.before_roll for effect in self.every_effect)

    @property
    def is_after_roll(self) -> bool:
        return any(effect.after_roll for effect in self.every_effect)

    @property
    def is_for_surge_step(self) -> bool:
        """Whether it can still be played while surges are spent."""
        return not self.is_before_roll and any(effect.in_surge_step for effect in self.effects())

    @property
    def is_attack(self) -> bool:
        """Whether it is an action that includes an attack."""
        acts = self.when in (Timing.SPECIAL_ACTION, Timing.DOUBLE_ACTION)
        return acts and any(effect.with_attack for effect in self.effects())


def has_unknown_shape(name: str, value: Any) -> bool:
    """Whether this is an object with fields that the property does not have: `vpCondition: {selfHasAtMost: 3}`."""
    fields = PROPERTIES[name].fields if name in PROPERTIES else None
    return fields is not None and isinstance(value, dict) and not set(value) <= fields


def ability_from(name: str, entry: Data) -> Ability:
    """An ability from checked data."""
    timing = entry.get("timing")
    return Ability(
        id=name,
        type=AbilityType(entry["type"]) if entry["type"] in list(AbilityType) else None,
        label=entry.get("label", name),
        timing=Timing(timing) if timing is not None else None,
        cost=entry.get("cost", 0),
        limit=entry.get("limit", 1),
        trait=entry.get("trait"),
        surge_cost=entry.get("surgeCost", 1),
        properties={key: value for key, value in entry.items() if key not in ABOUT},
        type_name=entry["type"],
        stated_status=entry.get("wiredStatus"),
    )

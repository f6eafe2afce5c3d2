"""The ability library: what cards, surges and special actions do, as data.

The library of an encounter is the shipped one plus entries of your own, which replace shipped entries with the same
id. It is recorded when the encounter is opened, so the fight does not depend on later changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, cast

from ledger.events import Data
from projections.battle import Battle
from rules.engine.refusal import Refusal, suggest
from rules.skirmish.registry import PROPERTIES, Effect, Manual, Refinement
from rules.skirmish.surges import SurgePart, parts_of
from rules.skirmish.vocabulary import PROVIDED, Timing, name_in, ref, slug


class AbilityType(StrEnum):
    SURGE = "surge"
    SPECIAL_ACTION = "specialAction"
    PASSIVE = "passive"
    TRIGGERED = "triggered"
    CC_EFFECT = "ccEffect"


_REF_TYPES = {AbilityType.SURGE: "surge", AbilityType.CC_EFFECT: "card"}

ABOUT = ("type", "label", "timing", "cost", "trait", "surgeCost", "wiredStatus")
"""Fields that describe an entry. `wiredStatus` is accepted but never read, because the status is derived."""


@dataclass(frozen=True, slots=True)
class Ability:
    """One entry of the library."""

    id: str
    type: AbilityType
    label: str
    timing: Timing | None = None
    cost: int = 0
    trait: str | None = None
    surge_cost: int = 1
    properties: dict[str, Any] = field(default_factory=dict)

    @property
    def ref(self) -> str:
        return ref(_REF_TYPES.get(self.type, "ability"), self.id)

    @property
    def surge_parts(self) -> list[SurgePart]:
        return parts_of(self.id) if self.type is AbilityType.SURGE else []

    def effects(self) -> Iterator[Effect]:
        """Its effects in the order of the entry, with those that build on others last."""
        known = [PROPERTIES.get(name) for name in self.properties]
        found = [entry for entry in known if isinstance(entry, Effect)]
        yield from sorted(found, key=lambda entry: entry.last)

    def refinements(self, effect: Effect) -> Iterator[Refinement]:
        for name in self.properties:
            entry = PROPERTIES.get(name)
            if isinstance(entry, Refinement) and effect.name in entry.of:
                yield entry

    def questions(self) -> Iterator[str]:
        """What the engine leaves to people, in words."""
        for name, value in self.properties.items():
            entry = PROPERTIES.get(name)
            if isinstance(entry, Manual):
                yield from [entry.question(value, self.label)] if value else []
            elif not self.is_known(name):
                yield f"{self.label} ({name}: {json.dumps(value)})"
        yield from (f"{self.label} ({part.text})" for part in self.surge_parts if not part.is_known)
        if not self.properties and not self.surge_parts:
            yield self.label

    def is_known(self, name: str) -> bool:
        """Whether the engine knows a property. A refinement counts only together with what it refines."""
        entry = PROPERTIES.get(name)
        if isinstance(entry, Refinement):
            return any(effect in self.properties for effect in entry.of)
        return entry is not None

    @property
    def when(self) -> Timing:
        """When it is played: as the entry says, or else at a moment that fits all of its effects."""
        if self.timing is not None:
            return self.timing
        if self.type is AbilityType.SPECIAL_ACTION:
            return Timing.SPECIAL_ACTION
        usual = [effect.timing for effect in self.effects()] or [Timing.DURING_ACTIVATION]
        return next((timing for timing in usual if self._fits(timing)), usual[0])

    def _fits(self, timing: Timing) -> bool:
        return all(effect.needs in PROVIDED[timing] for effect in self.effects())

    @property
    def is_before_roll(self) -> bool:
        return any(effect.before_roll for effect in self.effects())

    @property
    def is_attack(self) -> bool:
        """Whether it is an action that includes an attack."""
        acts = self.when in (Timing.SPECIAL_ACTION, Timing.DOUBLE_ACTION)
        return acts and any(effect.with_attack for effect in self.effects())


@dataclass(frozen=True, slots=True)
class Library:
    source: str
    abilities: dict[str, Ability]
    by_ref: dict[str, Ability] = field(default_factory=dict)

    def card(self, name: str) -> Ability:
        """A Command card by its id, in any spelling."""
        found = self.by_ref.get(ref("card", name))
        if found is None:
            cards = [ability.id for ability in self.abilities.values() if ability.type is AbilityType.CC_EFFECT]
            raise Refusal(
                "card/unknown", f"The library has no card {name!r}.", card=name, suggestions=suggest(name, cards)
            )
        return found

    def special(self, name: str) -> Ability:
        """An ability of a deployment card. One that the library does not have is left to people."""
        return self.by_ref.get(ref("ability", name)) or Ability(name, AbilityType.SPECIAL_ACTION, name)

    def surge(self, key: str) -> Ability:
        """A surge ability. A key that the library does not have costs one surge and does what it says."""
        return self.by_ref.get(ref("surge", key)) or Ability(key, AbilityType.SURGE, key)


def library_from(data: Data) -> Library:
    """A library from checked data."""
    abilities = {name: _ability(name, entry) for name, entry in data["abilities"].items()}
    by_ref = {ability.ref: ability for ability in abilities.values()}
    return Library(data.get("source", ""), abilities, by_ref)


def _ability(name: str, entry: Data) -> Ability:
    timing = entry.get("timing")
    return Ability(
        id=name,
        type=AbilityType(entry["type"]),
        label=entry.get("label", name),
        timing=Timing(timing) if timing is not None else None,
        cost=entry.get("cost", 0),
        trait=entry.get("trait"),
        surge_cost=entry.get("surgeCost", 1),
        properties={key: value for key, value in entry.items() if key not in ABOUT},
    )


def library_of(battle: Battle) -> Library:
    """The library that an encounter was opened with, parsed once."""
    if battle.view is None:
        battle.view = library_from(battle.encounter.options["library"])
    return cast(Library, battle.view)


def name_of(battle: Battle, source: str) -> str:
    """What people call an ability, by its ref."""
    ability = library_of(battle).by_ref.get(source)
    return ability.id if ability is not None else name_in(source).replace("_", " ")


@cache
def shipped_library() -> Data:
    text = (files("rules.skirmish") / "data" / "ability-library.json").read_text("utf-8")
    return cast(Data, json.loads(text))


def with_own(own: Data | None) -> Data:
    """The shipped library with entries of your own, which replace shipped ones with the same id."""
    shipped = shipped_library()
    if own is None:
        return shipped
    source = own.get("source") or "one's own"
    return {"source": f"{shipped['source']} + {source}", "abilities": {**shipped["abilities"], **own["abilities"]}}


def find(library: Library, name: str) -> Ability:
    """An entry by its id, in any spelling."""
    wanted = slug(name)
    alike = [ability for ability in library.abilities.values() if slug(ability.id) == wanted]
    if name in library.abilities or alike:
        return library.abilities.get(name) or alike[0]
    raise Refusal(
        "ability/unknown",
        f"The library has no ability {name!r}.",
        ability=name,
        suggestions=suggest(name, library.abilities),
    )

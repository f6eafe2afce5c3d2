"""The ability library: cards, surges and special actions as data. Each entry is an ability.

The library of an encounter is the shipped one plus entries of your own, which replace shipped entries with the
same id. It is recorded when the encounter is opened, so the fight does not depend on later changes. The key of a surge
ability says what it does: `damage 4`, `+1 hit, stun`, `pierce 1, weaken`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, NoReturn, cast

from combatlog.rules.engine.refusal import Refusal, suggest
from combatlog.rules.skirmish.pieces import (
    PROPERTIES,
    EffectProperty,
    ManualProperty,
    PriceProperty,
    RefinementProperty,
)
from combatlog.rules.skirmish.vocabulary import (
    CONDITION_WORDS,
    PROVIDED,
    VICTORY_POINTS,
    Symbol,
    Timing,
    name_in,
    ref,
    slug,
)
from ledger.events import Data
from projections.battle.fold import Battle

SYMBOL_WORDS: dict[str, Symbol] = {
    "damage": Symbol.DAMAGE,
    "hit": Symbol.DAMAGE,
    "hits": Symbol.DAMAGE,
    "pierce": Symbol.PIERCE,
    "accuracy": Symbol.ACCURACY,
    "surge": Symbol.SURGE,
    "surges": Symbol.SURGE,
    "blast": Symbol.BLAST,
    "cleave": Symbol.CLEAVE,
    "recover": Symbol.RECOVER,
}

_PART = re.compile(r"(?:(?P<before>[+-]?[0-9]{1,4})\s+)?(?P<word>[a-z]+)(?:\s+(?P<after>[+-]?[0-9]{1,4}))?")


@dataclass(frozen=True, slots=True)
class SurgePart:
    """One part of a surge ability: it adds symbols or applies a condition."""

    text: str
    symbol: Symbol | None = None
    amount: int = 0
    condition: str | None = None
    points: int | None = None
    """Victory points that the player gains."""

    @property
    def is_known(self) -> bool:
        return self.symbol is not None or self.condition is not None or self.points is not None

    @property
    def adds_nothing(self) -> bool:
        """Whether its number is below 1."""
        return (self.symbol is not None and self.amount < 1) or (self.points is not None and self.points < 1)


def parts_of(key: str) -> list[SurgePart]:
    """The parts of a surge key. A part that the engine does not know stays text."""
    return [_part(text) for text in (piece.strip().lower() for piece in key.split(",")) if text]


def _part(text: str) -> SurgePart:
    match = _PART.fullmatch(text)
    if match is None or (match["before"] and match["after"]):
        return SurgePart(text)
    number = match["before"] or match["after"]
    word = match["word"]
    if number is not None and word in SYMBOL_WORDS:
        return SurgePart(text, symbol=SYMBOL_WORDS[word], amount=int(number))
    if number is not None and word == VICTORY_POINTS:
        return SurgePart(text, points=int(number))
    if number is None and word in CONDITION_WORDS:
        return SurgePart(text, condition=CONDITION_WORDS[word])
    return SurgePart(text)


class AbilityType(StrEnum):
    SURGE = "surge"
    SPECIAL_ACTION = "specialAction"
    PASSIVE = "passive"
    TRIGGERED = "triggered"
    CC_EFFECT = "ccEffect"


_REF_TYPES: dict[AbilityType | None, str] = {AbilityType.SURGE: "surge", AbilityType.CC_EFFECT: "card"}

CHOOSE_ONE = "chooseOne"

ABOUT = ("type", "label", "timing", "cost", "trait", "surgeCost", "wiredStatus", "limit")
"""Fields that describe an entry, rather than what it does."""

_LEFT_TO_PEOPLE = ("partial", "unwired")
"""The statuses in a file that are trusted. Whether an entry is wired is always derived."""
_SAYS_SO = re.compile(r"\b(manual|manually|honou?r|auto)\b", re.IGNORECASE)
"""Marks parts that people carry out in labels: `(recovery on defeat manual)`, `(2 MP honor)`, `(you Hidden auto)`."""


@dataclass(frozen=True)
class LibraryAbility:
    id: str
    type: AbilityType | None
    """None: the engine does not know the type, so people carry out the whole entry."""
    label: str
    timing: Timing | None = None
    cost: int = 0
    limit: int = 1
    """The most copies of the card that a deck may have."""
    trait: str | None = None
    surge_cost: int = 1
    properties: dict[str, Any] = field(default_factory=dict)
    type_name: str = ""
    """The type as written in the entry."""
    stated_status: str | None = None
    """How much of the entry the engine carries out, according to its file."""

    @cached_property
    def ref(self) -> str:
        return ref(_REF_TYPES.get(self.type, "ability"), self.id)

    @cached_property
    def surge_parts(self) -> list[SurgePart]:
        return parts_of(self.id) if self.type is AbilityType.SURGE else []

    # What the engine carries out

    def effects(self) -> list[EffectProperty]:
        """The effects in the order of the entry; effects that build on others come last."""
        return self._effects

    @cached_property
    def _effects(self) -> list[EffectProperty]:
        known = [PROPERTIES[name] for name in self.properties if self.is_known(name)]
        found = [entry for entry in known if isinstance(entry, EffectProperty)]
        return sorted(found, key=lambda entry: entry.last)

    def refinements(self, effect: EffectProperty) -> Iterator[RefinementProperty]:
        for name in self.properties:
            entry = PROPERTIES.get(name)
            if isinstance(entry, RefinementProperty) and (not entry.of or effect.name in entry.of):
                yield entry

    def is_known(self, name: str) -> bool:
        """Whether the engine carries out a property or explicitly leaves it to people.

        A refinement counts only together with what it refines, and an effect only if all its refinements are
        understood: without its condition, it would be a different effect.
        """
        entry = PROPERTIES.get(name)
        if entry is None or self.type is None or name in self._odd:
            return False
        if isinstance(entry, RefinementProperty):
            refined = entry.of or [
                other for other in self.properties if isinstance(PROPERTIES.get(other), EffectProperty)
            ]
            return any(effect in self.properties and self.is_known(effect) for effect in refined)
        return not isinstance(entry, EffectProperty) or not any(
            one.name in self._odd for one in self.refinements(entry)
        )

    @cached_property
    def _odd(self) -> frozenset[str]:
        """Properties with values of a shape that the engine does not know."""
        return frozenset(name for name, value in self.properties.items() if has_unknown_shape(name, value))

    @cached_property
    def price(self) -> dict[str, int]:
        """The cost of the ability besides actions, by resource."""
        known = ((PROPERTIES.get(name), value) for name, value in self.properties.items())
        return {entry.resource: value for entry, value in known if isinstance(entry, PriceProperty)}

    # Entries within it

    def inner(self, name: str) -> list[LibraryAbility]:
        """The contents of a nested property, as abilities of the same card."""
        value = self.properties.get(name, ())
        return [self._inner(one) for one in ([value] if isinstance(value, dict) else value)]

    def _inner(self, entry: Data) -> LibraryAbility:
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
    def nested(self) -> list[LibraryAbility]:
        """All abilities nested in this one."""
        names = [name for name in self.properties if (entry := PROPERTIES.get(name)) is not None and entry.nested]
        return [inner for name in names if self.is_known(name) for inner in self.inner(name)]

    @cached_property
    def every_effect(self) -> list[EffectProperty]:
        """The effects of the entry and of the choices that it offers when it is played."""
        chosen = [effect for inner in self.inner(CHOOSE_ONE) for effect in inner.effects()]
        return [*self.effects(), *chosen]

    # What is left to people

    def questions(self) -> Iterator[str]:
        """Descriptions of what the engine leaves to people."""
        found = [*self._manual_questions(), *self._unknown_questions()]
        if not found and (self.is_partly_manual or not (self.effects() or self.surge_parts)):
            found = [self.label]
        yield from found

    def _manual_questions(self) -> Iterator[str]:
        for name, value in self.properties.items():
            entry = PROPERTIES.get(name)
            if isinstance(entry, ManualProperty) and value:
                yield entry.question(value, self.label)

    def _unknown_questions(self) -> Iterator[str]:
        for name, value in self.properties.items():
            if not self.is_known(name) and not isinstance(PROPERTIES.get(name), ManualProperty):
                yield f"{self.label} ({name}: {json.dumps(value)})"
        yield from (f"{self.label} ({part.text})" for part in self.surge_parts if not part.is_known)

    @property
    def is_partly_manual(self) -> bool:
        """Whether the label or the file says that people carry out a part of the entry."""
        return self.stated_status in _LEFT_TO_PEOPLE or _SAYS_SO.search(self.label) is not None

    # When it is used

    @cached_property
    def when(self) -> Timing:
        """When it is played: as the entry says, or else at a time that fits all of its effects."""
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
    """Whether the value has fields that the property does not know: `vpCondition: {selfHasAtMost: 3}`."""
    fields = PROPERTIES[name].fields if name in PROPERTIES else None
    return fields is not None and isinstance(value, dict) and not set(value) <= fields


def ability_from(name: str, entry: Data) -> LibraryAbility:
    """An ability from checked data."""
    timing = entry.get("timing")
    return LibraryAbility(
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


LEFT_OUT = "left_out"
"""The key in a recorded library for the ids of entries that were invalid in its file."""


@dataclass(frozen=True, slots=True)
class AbilityCatalogue:
    source: str
    abilities: dict[str, LibraryAbility]
    by_ref: dict[str, LibraryAbility] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    """The ids of invalid entries in its file."""

    def card(self, name: str) -> LibraryAbility:
        """A Command card by its id, in any spelling."""
        found = self.by_ref.get(ref("card", name))
        return found if found is not None else self._refuse_card(name)

    def _refuse_card(self, name: str) -> NoReturn:
        if slug(name) in map(slug, self.left_out):
            raise Refusal(
                "card/left-out",
                f"The entry {name!r} of the library file is invalid, so it was left out; "
                "correct it and open the skirmish again.",
                card=name,
            )
        cards = [ability.id for ability in self.abilities.values() if ability.type is AbilityType.CC_EFFECT]
        raise Refusal("card/unknown", f"The library has no card {name!r}.", card=name, suggestions=suggest(name, cards))

    def special(self, name: str) -> LibraryAbility:
        """An ability of a deployment card. If the library does not have it, it is left to people."""
        return self.by_ref.get(ref("ability", name)) or LibraryAbility(name, AbilityType.SPECIAL_ACTION, name)

    def surge(self, key: str) -> LibraryAbility:
        """A surge ability. A key that the library does not have costs 1 surge and does what it says."""
        return self.by_ref.get(ref("surge", key)) or LibraryAbility(key, AbilityType.SURGE, key)


def library_from(data: Data) -> AbilityCatalogue:
    """A library from checked data."""
    abilities = {name: ability_from(name, entry) for name, entry in data["abilities"].items()}
    by_ref = {ability.ref: ability for ability in abilities.values()}
    return AbilityCatalogue(data.get("source", ""), abilities, by_ref, tuple(data.get(LEFT_OUT, ())))


def library_of(battle: Battle) -> AbilityCatalogue:
    """The library that an encounter was opened with, parsed once."""
    if battle.view is None:
        battle.view = library_from(battle.encounter.options["library"])
    return cast(AbilityCatalogue, battle.view)


def name_of(battle: Battle, source: str) -> str:
    """The name of an ability, by its ref."""
    ability = library_of(battle).by_ref.get(source)
    return ability.id if ability is not None else name_in(source).replace("_", " ")


@cache
def shipped_library() -> Data:
    text = (files("combatlog.rules.skirmish") / "data" / "ability-library.json").read_text("utf-8")
    return cast(Data, json.loads(text))


def with_own(own: Data | None) -> Data:
    """The shipped library with the user's own entries, which replace shipped ones with the same id."""
    shipped = shipped_library()
    if own is None:
        return shipped
    source = own.get("source") or "one's own"  # recorded with the fight, so it stays as it was first written
    merged = {"source": f"{shipped['source']} + {source}", "abilities": {**shipped["abilities"], **own["abilities"]}}
    return {**merged, LEFT_OUT: own[LEFT_OUT]} if own.get(LEFT_OUT) else merged


def find(library: AbilityCatalogue, name: str) -> LibraryAbility:
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

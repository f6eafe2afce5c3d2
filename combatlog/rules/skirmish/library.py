"""The ability library: what cards, surges and special actions do, as data.

The library of an encounter is the shipped one plus entries of your own, which replace shipped entries with the
same id. It is recorded when the encounter is opened, so the fight does not depend on later changes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import NoReturn, cast

from combatlog.rules.engine.refusal import Refusal, suggest
from combatlog.rules.skirmish.ability import Ability, AbilityType, ability_from
from combatlog.rules.skirmish.vocabulary import name_in, ref, slug
from ledger.events import Data
from projections.battle import Battle

LEFT_OUT = "left_out"
"""In a recorded library: the ids of entries that were broken in its file."""


@dataclass(frozen=True, slots=True)
class Library:
    source: str
    abilities: dict[str, Ability]
    by_ref: dict[str, Ability] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    """The ids of broken entries of its file."""

    def card(self, name: str) -> Ability:
        """A Command card by its id, in any spelling."""
        found = self.by_ref.get(ref("card", name))
        return found if found is not None else self._refuse_card(name)

    def _refuse_card(self, name: str) -> NoReturn:
        if slug(name) in map(slug, self.left_out):
            raise Refusal(
                "card/left-out",
                f"The entry {name!r} of the library file is broken, so it was left out; "
                "correct it and open the skirmish again.",
                card=name,
            )
        cards = [ability.id for ability in self.abilities.values() if ability.type is AbilityType.CC_EFFECT]
        raise Refusal("card/unknown", f"The library has no card {name!r}.", card=name, suggestions=suggest(name, cards))

    def special(self, name: str) -> Ability:
        """An ability of a deployment card. One that the library does not have is left to people."""
        return self.by_ref.get(ref("ability", name)) or Ability(name, AbilityType.SPECIAL_ACTION, name)

    def surge(self, key: str) -> Ability:
        """A surge ability. A key that the library does not have costs one surge and does what it says."""
        return self.by_ref.get(ref("surge", key)) or Ability(key, AbilityType.SURGE, key)


def library_from(data: Data) -> Library:
    """A library from checked data."""
    abilities = {name: ability_from(name, entry) for name, entry in data["abilities"].items()}
    by_ref = {ability.ref: ability for ability in abilities.values()}
    return Library(data.get("source", ""), abilities, by_ref, tuple(data.get(LEFT_OUT, ())))


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
    text = (files("combatlog.rules.skirmish") / "data" / "ability-library.json").read_text("utf-8")
    return cast(Data, json.loads(text))


def with_own(own: Data | None) -> Data:
    """The shipped library with entries of your own, which replace shipped ones with the same id."""
    shipped = shipped_library()
    if own is None:
        return shipped
    source = own.get("source") or "one's own"
    merged = {"source": f"{shipped['source']} + {source}", "abilities": {**shipped["abilities"], **own["abilities"]}}
    return {**merged, LEFT_OUT: own[LEFT_OUT]} if own.get(LEFT_OUT) else merged


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

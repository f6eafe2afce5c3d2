"""The numbers of an actor, and the formulas in which its items use them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from combatlog.rules.statblocks.block import ABILITIES
from combatlog.rules.statblocks.formulas import added_up, whole, whole_if_any

_REFERENCE = re.compile(r"@([A-Za-z][\w.-]*)")
_FLAVOR = re.compile(r"\[[^\]]*\]")


@dataclass(frozen=True)
class Numbers:
    """An actor's scores and what follows from them."""

    system: Mapping[str, Any]
    levels: int
    """Of a character; 0 for a monster."""

    def score(self, ability: str) -> int:
        return whole(self.at(f"abilities.{ability}.value"), 10)

    def modifier(self, ability: str | None) -> int:
        return (self.score(ability) - 10) // 2 if ability in ABILITIES else 0

    @cached_property
    def cr(self) -> float | None:
        rating = self.at("details.cr")
        return float(rating) if isinstance(rating, int | float) else None

    @cached_property
    def proficiency(self) -> int:
        return (max(self.levels or self.cr or 0, 1).__floor__() + 7) // 4

    @property
    def spell_ability(self) -> str | None:
        named = self.at("attributes.spellcasting")
        return str(named) if named in ABILITIES else None

    def difficulty(self, ability: str | None) -> int:
        """Of saves against what it does with an ability."""
        return 8 + self.proficiency + self.modifier(ability)

    def at(self, path: str) -> Any:
        found: Any = self.system
        for step in path.split("."):
            found = found.get(step) if isinstance(found, Mapping) else None
        return found

    def named(self, path: str, ability: str | None = None) -> int | None:
        """What a formula means by `@path`; None if the actor does not say."""
        if path == "mod":
            return self.modifier(ability)
        if path in ("prof", "attributes.prof"):
            return self.proficiency
        if path == "details.level":
            return self.levels
        if path in ("attributes.spell.dc", "attributes.spelldc"):
            return self.difficulty(self.spell_ability)
        if path in ("attributes.spell.mod", "attributes.spellmod"):
            return self.modifier(self.spell_ability)
        if found := re.fullmatch(r"abilities\.(\w+)\.(mod|dc)", path):
            return self.modifier(found[1]) if found[2] == "mod" else self.difficulty(found[1])
        return whole_if_any(self.at(path))

    def dice(self, formula: object, ability: str | None = None) -> str:
        """A formula as one notation, such as `2d6+5`; empty if it has no such form."""
        text = _FLAVOR.sub("", str(formula if formula is not None else ""))
        known = _REFERENCE.sub(lambda found: str(self.named(found[1], ability)), text)
        return added_up(known) if "None" not in known else ""

    def number(self, formula: object, ability: str | None = None) -> int | None:
        """The value of a formula without dice; None if it has none."""
        return whole_if_any(self.dice(formula, ability))

"""What species, classes, feats and worn items change about a character: D&D Beyond lists it as modifiers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from combatlog.rules.statblocks.block import ABILITIES
from combatlog.rules.statblocks.classes import proficiency
from combatlog.rules.statblocks.formulas import whole, whole_if_any

BY_ID = dict(enumerate(ABILITIES, start=1))
"""Abilities by the numbers that fields have for them."""
_ORIGINS = ("race", "class", "background", "feat", "item")


def entries(data: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    found = data.get(name)
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


@dataclass(frozen=True)
class Sheet:
    """A character with its modifiers, and the numbers that follow from them."""

    data: Mapping[str, Any]

    @cached_property
    def classes(self) -> dict[str, int]:
        return {str(one["definition"]["name"]): whole(one.get("level"), 1) for one in self.class_entries}

    @cached_property
    def class_entries(self) -> list[Mapping[str, Any]]:
        found = [one for one in entries(self.data, "classes") if isinstance(one.get("definition"), Mapping)]
        return [one for one in found if one["definition"].get("name")]

    @property
    def level(self) -> int:
        return max(1, sum(self.classes.values()))

    @property
    def proficiency(self) -> int:
        return proficiency(self.level)

    @cached_property
    def items(self) -> list[Mapping[str, Any]]:
        return [one for one in entries(self.data, "inventory") if isinstance(one.get("definition"), Mapping)]

    @cached_property
    def modifiers(self) -> list[Mapping[str, Any]]:
        """Those that always count: without a restriction, and of items only if they are in use.

        `isGranted` tells only whether a player chose them.
        """
        by_origin = self.data.get("modifiers")
        found: Mapping[str, Any] = by_origin if isinstance(by_origin, Mapping) else {}
        unused = {whole(item["definition"].get("id")) for item in self.items if not in_use(item)}
        listed = [(origin, one) for origin in _ORIGINS for one in entries(found, origin)]
        return [
            one
            for origin, one in listed
            if not one.get("restriction") and not (origin == "item" and whole(one.get("componentId")) in unused)
        ]

    def of(self, type: str, subtype: str) -> Iterator[Mapping[str, Any]]:
        return (one for one in self.modifiers if one.get("type") == type and one.get("subType") == subtype)

    def has(self, type: str, subtype: str) -> bool:
        return any(True for _ in self.of(type, subtype))

    def total(self, subtype: str) -> int:
        return sum(whole(one.get("value")) for one in self.of("bonus", subtype))

    def subtypes(self, type: str) -> list[str]:
        return list(dict.fromkeys(str(one.get("subType")) for one in self.modifiers if one.get("type") == type))

    @cached_property
    def abilities(self) -> dict[str, int]:
        return {
            short: self._score(id, long) for (id, short), long in zip(BY_ID.items(), ABILITIES.values(), strict=True)
        }

    def _score(self, id: int, long: str) -> int:
        given = {name: self._stat(name, id) for name in ("stats", "bonusStats", "overrideStats")}
        if given["overrideStats"]:
            return given["overrideStats"]
        added = (given["stats"] or 10) + given["bonusStats"] + self.total(f"{long}-score")
        fixed = [whole(one.get("value")) for one in self.of("set", f"{long}-score")]
        return max([added, *fixed])

    def _stat(self, name: str, id: int) -> int:
        return next((whole(one.get("value")) for one in entries(self.data, name) if one.get("id") == id), 0)

    def modifier(self, ability: str) -> int:
        return (self.abilities[ability] - 10) // 2

    def value_of(self, modifier: Mapping[str, Any]) -> int | None:
        return whole_if_any(modifier.get("value"))


def in_use(item: Mapping[str, Any]) -> bool:
    attuned = item.get("isAttuned") or not item["definition"].get("canAttune")
    return bool(item.get("equipped") and attuned)

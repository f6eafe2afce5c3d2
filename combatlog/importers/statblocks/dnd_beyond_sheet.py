"""The armour, weapons and spells of a D&D Beyond character, and all its modifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from combatlog.importers.statblocks.stat_block import (
    ABILITIES,
    BY_CLASS,
    AttackPhrase,
    DamageAmount,
    Paragraph,
    Progression,
    SpellBlock,
    StatBlockPart,
    pact_slots,
    paragraph,
    proficiency,
)
from combatlog.importers.statblocks.stat_block import slots as slots_of
from combatlog.importers.statblocks.stat_block_formats import added_up, shortened, text_of, whole, whole_if_any

BY_ID = dict(enumerate(ABILITIES, start=1))
"""Abilities by their numeric ids."""
_ORIGINS = ("race", "class", "background", "feat", "item")


def entries(data: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    found = data.get(name)
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


@dataclass(frozen=True)
class DndBeyondSheet:
    """A character with its modifiers and the values derived from them."""

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
        """The modifiers that always apply: those without a restriction, and those of items in use.

        `isGranted` only says whether a player chose them.
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


_LIGHT, _MEDIUM, _HEAVY, _SHIELD = 1, 2, 3, 4
_RANGED = 2
_GROUPS = {1: "simple-weapons", 2: "martial-weapons"}


# Armour


def worn_armor(sheet: DndBeyondSheet) -> tuple[str, ...]:
    return tuple(
        "shield"
        if kind == _SHIELD
        else str(item["definition"].get("baseArmorName") or item["definition"]["name"]).lower()
        for kind, item in _pieces(sheet)
    )


def _pieces(sheet: DndBeyondSheet) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for item in sheet.items:
        kind = whole(item["definition"].get("armorTypeId"))
        if item.get("equipped") and item["definition"].get("armorClass") and kind in (_LIGHT, _MEDIUM, _HEAVY, _SHIELD):
            yield kind, item


def armor_class(sheet: DndBeyondSheet) -> int:
    """The armor class as the site computes it, but without fighting styles, which are features here."""
    pieces = dict(_pieces(sheet))
    shield = _protection(pieces[_SHIELD]) if _SHIELD in pieces else 0
    armored = {whole(item["definition"].get("id")) for item in pieces.values()}
    others = sum(
        whole(one.get("value"))
        for one in sheet.of("bonus", "armor-class")
        if whole(one.get("componentId")) not in armored
    )
    return _body(sheet, pieces) + shield + others


def _body(sheet: DndBeyondSheet, pieces: Mapping[int, Mapping[str, Any]]) -> int:
    dexterity = sheet.modifier("dex")
    if _HEAVY in pieces:
        return _protection(pieces[_HEAVY])
    if _MEDIUM in pieces:
        return _protection(pieces[_MEDIUM]) + min(2, dexterity)
    if _LIGHT in pieces:
        return _protection(pieces[_LIGHT]) + dexterity
    bare = [10 + dexterity + _bare(sheet, one) for one in sheet.of("set", "unarmored-armor-class")]
    return max([10 + dexterity, *bare])


def _bare(sheet: DndBeyondSheet, modifier: Mapping[str, Any]) -> int:
    ability = BY_ID.get(whole(modifier.get("statId")))
    return (sheet.modifier(ability) if ability else 0) + whole(modifier.get("value"))


def _protection(item: Mapping[str, Any]) -> int:
    granted = entries(item["definition"], "grantedModifiers") if in_use(item) else []
    magic = [one for one in granted if (one.get("type"), one.get("subType")) == ("bonus", "armor-class")]
    return whole(item["definition"].get("armorClass")) + sum(whole(one.get("value")) for one in magic)


# Weapons


def weapons(sheet: DndBeyondSheet) -> Iterator[Paragraph]:
    for item in sheet.items:
        definition = item["definition"]
        if definition.get("filterType") == "Weapon" and isinstance(definition.get("damage"), Mapping):
            text = f"{_strike(sheet, definition).sentences} {_unusual(definition)}"
            yield paragraph(StatBlockPart.ACTION, str(definition["name"]), text, weapon=_base(definition))
        elif str(definition.get("name")).lower() == "potion of healing":
            yield paragraph(
                StatBlockPart.ACTION, str(definition["name"]), text_of(str(definition.get("description") or ""))
            )


def _base(definition: Mapping[str, Any]) -> str:
    """`Crossbow, Light` is a light crossbow."""
    said = str(definition.get("type") or "").lower()
    what, _, kind = said.partition(", ")
    return f"{kind} {what}" if kind else said


def _unusual(definition: Mapping[str, Any]) -> str:
    """The special text of a magic weapon. The rules understand some of its phrases; the GM reads the rest."""
    plain = re.search(r",? ?\+\d$", str(definition.get("name"))) or not definition.get("magic")
    return "" if plain else text_of(str(definition.get("description") or ""))


def _strike(sheet: DndBeyondSheet, definition: Mapping[str, Any]) -> AttackPhrase:
    properties = {str(one.get("name")).lower() for one in entries(definition, "properties")}
    ranged = whole(definition.get("attackType")) == _RANGED
    abilities = ["str", "dex"] if "finesse" in properties else ["dex"] if ranged else ["str"]
    modifier = max(sheet.modifier(ability) for ability in abilities)
    magic = _magic(definition)
    trained = sheet.proficiency if _is_trained(sheet, definition) else 0
    dice = added_up(f"{definition['damage'].get('diceString') or '1'}+{modifier + magic}")
    kind = str(definition.get("damageType") or "bludgeoning").lower()
    near, far = whole(definition.get("range"), 5), whole(definition.get("longRange"), 5)
    thrown = "thrown" in properties
    return AttackPhrase(
        modifier + trained + magic,
        (DamageAmount(dice, kind), *_extra(definition)),
        ("melee", "ranged") if thrown else ("ranged",) if ranged else ("melee",),
        reach=10 if "reach" in properties else 5,
        range=(near, far) if thrown or ranged else None,
    )


def _magic(definition: Mapping[str, Any]) -> int:
    granted = entries(definition, "grantedModifiers")
    return sum(
        whole(one.get("value")) for one in granted if (one.get("type"), one.get("subType")) == ("bonus", "magic")
    )


def _extra(definition: Mapping[str, Any]) -> Iterator[DamageAmount]:
    for one in entries(definition, "grantedModifiers"):
        dice = one.get("dice") or one.get("die")
        if one.get("type") == "damage" and isinstance(dice, Mapping) and not one.get("restriction"):
            yield DamageAmount(added_up(str(dice.get("diceString") or "")), str(one.get("subType")))


def _is_trained(sheet: DndBeyondSheet, definition: Mapping[str, Any]) -> bool:
    group = _GROUPS.get(whole(definition.get("categoryId")), "simple-weapons")
    own = str(definition.get("type") or "").lower().replace(", ", "-").replace(" ", "-")
    return any(sheet.has("proficiency", name) for name in (group, own))


_CASTINGS = {1: "action", 3: "bonus action", 4: "reaction"}
_THIRD = ("eldritch knight", "arcane trickster")
_TYPES = (
    "acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison", "psychic",
    "radiant", "slashing", "thunder",
)  # fmt: skip


def known_spells(sheet: DndBeyondSheet) -> Iterator[tuple[Mapping[str, Any], int | None]]:
    """The castable spells, each with its uses per day: 0 at will, None if it takes slots or is a cantrip."""
    learned = {whole(one.get("id")) for one in sheet.class_entries if not one["definition"].get("spellPrepareType")}
    for group in entries(sheet.data, "classSpells"):
        for one in entries(group, "spells"):
            if _is_ready(one, whole(group.get("characterClassId")) in learned):
                yield one, None
    by_origin = sheet.data.get("spells")
    for origin in ("class", "race", "feat", "item"):
        for one in entries(by_origin, origin) if isinstance(by_origin, Mapping) else []:
            if isinstance(one.get("definition"), Mapping):
                yield one, _how_often(one)


def _is_ready(entry: Mapping[str, Any], learned: bool) -> bool:
    if not isinstance(entry.get("definition"), Mapping):
        return False
    cantrip = not whole(entry["definition"].get("level"))
    return bool(cantrip or learned or entry.get("prepared") or entry.get("alwaysPrepared"))


def _how_often(entry: Mapping[str, Any]) -> int | None:
    if not whole(entry["definition"].get("level")) or entry.get("usesSpellSlot"):
        return None
    limited = entry.get("limitedUse")
    return max(1, whole(limited.get("maxUses"), 1)) if isinstance(limited, Mapping) else 0


def spell_ability(sheet: DndBeyondSheet) -> str | None:
    """The ability of the spellcasting class; without one, the ability of a spell that has its own."""
    for one in sheet.class_entries:
        for part in (one["definition"], one.get("subclassDefinition")):
            found = BY_ID.get(whole(part.get("spellCastingAbilityId"))) if isinstance(part, Mapping) else None
            if found is not None:
                return found
    own = [BY_ID.get(whole(entry.get("spellCastingAbilityId"))) for entry, _ in known_spells(sheet)]
    return next((found for found in own if found is not None), None)


def spell_slots(sheet: DndBeyondSheet) -> tuple[dict[int, int], bool]:
    levels = [(_progression(one), whole(one.get("level"), 1)) for one in sheet.class_entries]
    found = slots_of(levels)
    pact = pact_slots(sum(level for how, level in levels if how is Progression.PACT))
    return (found, False) if found else (pact, bool(pact))


def _progression(one: Mapping[str, Any]) -> Progression:
    subclass = one.get("subclassDefinition")
    if isinstance(subclass, Mapping) and str(subclass.get("name")).lower() in _THIRD:
        return Progression.THIRD
    return BY_CLASS.get(str(one["definition"]["name"]).lower(), Progression.NONE)


def spell_of(definition: Mapping[str, Any]) -> SpellBlock:
    level = whole(definition.get("level"))
    span, lasts = _part(definition, "range"), _part(definition, "duration")
    return SpellBlock(
        id=shortened(str(definition["name"])),
        name=str(definition["name"]),
        level=level,
        casting_time=_CASTINGS.get(whole(_part(definition, "activation").get("activationType")), "longer"),
        range=_range(span),
        text=text_of(str(definition.get("description") or "")),
        concentration=bool(definition.get("concentration")),
        duration=f"{lasts.get('durationInterval') or ''} {lasts.get('durationUnit') or 'instant'}".strip().lower(),
        attack={1: "melee", 2: "ranged"}.get(whole(definition.get("attackType"))),
        save=BY_ID.get(whole(definition.get("saveDcAbilityId"))),
        **_amounts(definition, level),
        shape=str(span["aoeType"]).lower() if span.get("aoeType") else None,
        size=whole(span.get("aoeValue")) or None,
    )


def _part(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = data.get(name)
    return found if isinstance(found, Mapping) else {}


def _range(span: Mapping[str, Any]) -> int | None:
    match str(span.get("origin")).lower():
        case "self":
            return 0
        case "touch":
            return 5
    return whole(span.get("rangeValue")) or None


def _amounts(definition: Mapping[str, Any], level: int) -> dict[str, Any]:
    for one in entries(definition, "modifiers"):
        dice = str((_part(one, "die") or _part(one, "dice")).get("diceString") or "")
        if dice and one.get("type") == "damage" and one.get("subType") in _TYPES:
            return {"damage": {level or 1: dice}, "damage_type": str(one["subType"])}
        if dice and (one.get("type"), one.get("subType")) == ("bonus", "hit-points"):
            return {"healing": {level or 1: dice}}
    return {}

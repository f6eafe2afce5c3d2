"""What a character of D&D Beyond wears and fights with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from combatlog.rules.statblocks.block import Paragraph, Part, paragraph
from combatlog.rules.statblocks.dnd_beyond.modifiers import BY_ID, Sheet, entries, in_use
from combatlog.rules.statblocks.formulas import added_up, whole
from combatlog.rules.statblocks.markup import text_of
from combatlog.rules.statblocks.phrases import Amount, Strike

_LIGHT, _MEDIUM, _HEAVY, _SHIELD = 1, 2, 3, 4
_RANGED = 2
_GROUPS = {1: "simple-weapons", 2: "martial-weapons"}


# Armour


def worn_armor(sheet: Sheet) -> tuple[str, ...]:
    return tuple(
        "shield"
        if kind == _SHIELD
        else str(item["definition"].get("baseArmorName") or item["definition"]["name"]).lower()
        for kind, item in _pieces(sheet)
    )


def _pieces(sheet: Sheet) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for item in sheet.items:
        kind = whole(item["definition"].get("armorTypeId"))
        if item.get("equipped") and item["definition"].get("armorClass") and kind in (_LIGHT, _MEDIUM, _HEAVY, _SHIELD):
            yield kind, item


def armor_class(sheet: Sheet) -> int:
    """As the site computes it, without what fighting styles add: features do that."""
    pieces = dict(_pieces(sheet))
    shield = _protection(pieces[_SHIELD]) if _SHIELD in pieces else 0
    armored = {whole(item["definition"].get("id")) for item in pieces.values()}
    others = sum(
        whole(one.get("value"))
        for one in sheet.of("bonus", "armor-class")
        if whole(one.get("componentId")) not in armored
    )
    return _body(sheet, pieces) + shield + others


def _body(sheet: Sheet, pieces: Mapping[int, Mapping[str, Any]]) -> int:
    dexterity = sheet.modifier("dex")
    if _HEAVY in pieces:
        return _protection(pieces[_HEAVY])
    if _MEDIUM in pieces:
        return _protection(pieces[_MEDIUM]) + min(2, dexterity)
    if _LIGHT in pieces:
        return _protection(pieces[_LIGHT]) + dexterity
    bare = [10 + dexterity + _bare(sheet, one) for one in sheet.of("set", "unarmored-armor-class")]
    return max([10 + dexterity, *bare])


def _bare(sheet: Sheet, modifier: Mapping[str, Any]) -> int:
    ability = BY_ID.get(whole(modifier.get("statId")))
    return (sheet.modifier(ability) if ability else 0) + whole(modifier.get("value"))


def _protection(item: Mapping[str, Any]) -> int:
    granted = entries(item["definition"], "grantedModifiers") if in_use(item) else []
    magic = [one for one in granted if (one.get("type"), one.get("subType")) == ("bonus", "armor-class")]
    return whole(item["definition"].get("armorClass")) + sum(whole(one.get("value")) for one in magic)


# Weapons


def weapons(sheet: Sheet) -> Iterator[Paragraph]:
    for item in sheet.items:
        definition = item["definition"]
        if definition.get("filterType") == "Weapon" and isinstance(definition.get("damage"), Mapping):
            text = f"{_strike(sheet, definition).sentences} {_unusual(definition)}"
            yield paragraph(Part.ACTION, str(definition["name"]), text, weapon=_base(definition))
        elif str(definition.get("name")).lower() == "potion of healing":
            yield paragraph(Part.ACTION, str(definition["name"]), text_of(str(definition.get("description") or "")))


def _base(definition: Mapping[str, Any]) -> str:
    """`Crossbow, Light` is a light crossbow."""
    said = str(definition.get("type") or "").lower()
    what, _, kind = said.partition(", ")
    return f"{kind} {what}" if kind else said


def _unusual(definition: Mapping[str, Any]) -> str:
    """What a magic weapon does besides being better; the rules read the phrases in it, and the GM the rest."""
    plain = re.search(r",? ?\+\d$", str(definition.get("name"))) or not definition.get("magic")
    return "" if plain else text_of(str(definition.get("description") or ""))


def _strike(sheet: Sheet, definition: Mapping[str, Any]) -> Strike:
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
    return Strike(
        modifier + trained + magic,
        (Amount(dice, kind), *_extra(definition)),
        ("melee", "ranged") if thrown else ("ranged",) if ranged else ("melee",),
        reach=10 if "reach" in properties else 5,
        range=(near, far) if thrown or ranged else None,
    )


def _magic(definition: Mapping[str, Any]) -> int:
    granted = entries(definition, "grantedModifiers")
    return sum(
        whole(one.get("value")) for one in granted if (one.get("type"), one.get("subType")) == ("bonus", "magic")
    )


def _extra(definition: Mapping[str, Any]) -> Iterator[Amount]:
    for one in entries(definition, "grantedModifiers"):
        dice = one.get("dice") or one.get("die")
        if one.get("type") == "damage" and isinstance(dice, Mapping) and not one.get("restriction"):
            yield Amount(added_up(str(dice.get("diceString") or "")), str(one.get("subType")))


def _is_trained(sheet: Sheet, definition: Mapping[str, Any]) -> bool:
    group = _GROUPS.get(whole(definition.get("categoryId")), "simple-weapons")
    own = str(definition.get("type") or "").lower().replace(", ", "-").replace(" ", "-")
    return any(sheet.has("proficiency", name) for name in (group, own))

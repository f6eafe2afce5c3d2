"""Spells of a character of D&D Beyond: which ones, how often, and what they say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from combatlog.rules.statblocks.block import Spell
from combatlog.rules.statblocks.casters import BY_CLASS, Progression, pact_slots
from combatlog.rules.statblocks.casters import slots as slots_of
from combatlog.rules.statblocks.dnd_beyond.modifiers import BY_ID, Sheet, entries
from combatlog.rules.statblocks.formulas import whole
from combatlog.rules.statblocks.markup import shortened, text_of

_CASTINGS = {1: "action", 3: "bonus action", 4: "reaction"}
_THIRD = ("eldritch knight", "arcane trickster")
_TYPES = (
    "acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison", "psychic",
    "radiant", "slashing", "thunder",
)  # fmt: skip


def known_spells(sheet: Sheet) -> Iterator[tuple[Mapping[str, Any], int | None]]:
    """The spells that can be cast, with how often a day: 0 at will, None if they take slots or are cantrips."""
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


def spell_ability(sheet: Sheet) -> str | None:
    """Of the class that casts; of a spell that brings its own, if there is no such class."""
    for one in sheet.class_entries:
        for part in (one["definition"], one.get("subclassDefinition")):
            found = BY_ID.get(whole(part.get("spellCastingAbilityId"))) if isinstance(part, Mapping) else None
            if found is not None:
                return found
    own = [BY_ID.get(whole(entry.get("spellCastingAbilityId"))) for entry, _ in known_spells(sheet)]
    return next((found for found in own if found is not None), None)


def spell_slots(sheet: Sheet) -> tuple[dict[int, int], bool]:
    levels = [(_progression(one), whole(one.get("level"), 1)) for one in sheet.class_entries]
    found = slots_of(levels)
    pact = pact_slots(sum(level for how, level in levels if how is Progression.PACT))
    return (found, False) if found else (pact, bool(pact))


def _progression(one: Mapping[str, Any]) -> Progression:
    subclass = one.get("subclassDefinition")
    if isinstance(subclass, Mapping) and str(subclass.get("name")).lower() in _THIRD:
        return Progression.THIRD
    return BY_CLASS.get(str(one["definition"]["name"]).lower(), Progression.NONE)


def spell_of(definition: Mapping[str, Any]) -> Spell:
    level = whole(definition.get("level"))
    span, lasts = _part(definition, "range"), _part(definition, "duration")
    return Spell(
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

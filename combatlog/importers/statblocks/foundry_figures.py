"""The values of a Foundry actor: armour class, hit points, speeds, training. Some are fields, others are computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from combatlog.importers.statblocks.foundry_activities import ActorNumbers
from combatlog.importers.statblocks.foundry_paragraphs import BASE_WEAPONS
from combatlog.importers.statblocks.stat_block import ABILITIES, Progression, Training, pact_slots
from combatlog.importers.statblocks.stat_block import slots as slots_of
from combatlog.importers.statblocks.stat_block_formats import whole

SKILLS = {
    "acr": "acrobatics", "ani": "animal handling", "arc": "arcana", "ath": "athletics", "dec": "deception",
    "his": "history", "ins": "insight", "itm": "intimidation", "inv": "investigation", "med": "medicine",
    "nat": "nature", "prc": "perception", "prf": "performance", "per": "persuasion", "rel": "religion",
    "slt": "sleight of hand", "ste": "stealth", "sur": "survival",
}  # fmt: skip
_SIZES = {"tiny": "tiny", "sm": "small", "med": "medium", "lg": "large", "huge": "huge", "grg": "gargantuan"}
_WAYS = ("walk", "fly", "swim", "climb", "burrow")
_SENSES = ("darkvision", "blindsight", "tremorsense", "truesight")
_ARMOR = ("light", "medium", "heavy")
_PHYSICAL = ("bludgeoning", "piercing", "slashing")
_UNARMORED = {"unarmoredMonk": "wis", "unarmoredBarb": "con", "unarmoredBard": "cha"}
_TRAINED_WEAPONS = {"sim": "simple", "mar": "martial", **BASE_WEAPONS}
_TRAINED_ARMOR = {"lgt": "light", "med": "medium", "hvy": "heavy", "shl": "shields"}
UNTRAINED = Training()


def with_defaults(actor: Mapping[str, Any]) -> Mapping[str, Any]:
    """The system data of an actor; a character without a spellcasting ability gets that of its class."""
    system = actor["system"]
    attributes = system.get("attributes") or {}
    own = class_ability(actor)
    if actor["type"] != "character" or own is None:
        return dict(system)
    return {**system, "attributes": {**attributes, "spellcasting": own}}


def of_type(actor: Mapping[str, Any], *types: str) -> Iterator[Mapping[str, Any]]:
    for item in actor["items"]:
        if isinstance(item, Mapping) and item.get("type") in types and isinstance(item.get("system"), Mapping):
            yield item["system"] | {"name": item.get("name")}


def classes(actor: Mapping[str, Any]) -> dict[str, int]:
    return {str(one["name"]): max(1, whole(one.get("levels"), 1)) for one in of_type(actor, "class")}


def class_ability(actor: Mapping[str, Any]) -> str | None:
    """The spellcasting ability of the first class that has one."""
    casting = [one.get("spellcasting") or {} for one in of_type(actor, "class", "subclass")]
    found = [str(one.get("ability")) for one in casting if one.get("progression") not in (None, "", "none")]
    return next((ability for ability in found if ability in ABILITIES), None)


def size(numbers: ActorNumbers) -> str:
    return _SIZES.get(str(numbers.at("traits.size")), "medium")


def creature_type(numbers: ActorNumbers) -> str:
    kind = numbers.at("details.type")
    return str((kind.get("value") or kind.get("custom")) if isinstance(kind, Mapping) else kind or "humanoid").lower()


# Armour and hit points


def _equipped(actor: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for item in of_type(actor, "equipment"):
        kind = item.get("type")
        category = str(kind.get("value") if isinstance(kind, Mapping) else (item.get("armor") or {}).get("type"))
        if item.get("equipped") and category in (*_ARMOR, "shield"):
            yield category, item


def worn(actor: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(str(item["name"]).lower() for _, item in _equipped(actor))


def armor_class(actor: Mapping[str, Any], numbers: ActorNumbers) -> int:
    """The armour class as the system computes it, without features that add to it, such as a fighting style."""
    flat, how = whole(numbers.at("attributes.ac.flat")), str(numbers.at("attributes.ac.calc") or "default")
    if how in ("flat", "natural") and flat:
        return int(flat)
    pieces = dict(_equipped(actor))
    shield = _protection(pieces["shield"]) if "shield" in pieces else 0
    return _without_shield(how, pieces, numbers) + shield


def _without_shield(how: str, pieces: Mapping[str, Mapping[str, Any]], numbers: ActorNumbers) -> int:
    dexterity = numbers.modifier("dex")
    if how == "custom":
        return numbers.number(numbers.at("attributes.ac.formula")) or 10 + dexterity
    if how in _UNARMORED:
        return 10 + dexterity + numbers.modifier(_UNARMORED[how])
    if how in ("mage", "draconic"):
        return 13 + dexterity
    suit = next((pieces[category] for category in _ARMOR if category in pieces), None)
    if suit is None:
        return 10 + dexterity
    if "heavy" in pieces:
        return _protection(suit)
    most = whole((suit.get("armor") or {}).get("dex"), 2 if "medium" in pieces else dexterity)
    return _protection(suit) + min(dexterity, most)


def _protection(item: Mapping[str, Any]) -> int:
    armor = item.get("armor") or {}
    return int(whole(armor.get("value")) + whole(armor.get("magicalBonus")))


def hit_points(actor: Mapping[str, Any], numbers: ActorNumbers) -> int:
    most = whole(numbers.at("attributes.hp.max"))
    return int(most or _rolled(actor, numbers) or whole(numbers.at("attributes.hp.value"), 1))


def _rolled(actor: Mapping[str, Any], numbers: ActorNumbers) -> int:
    """The hit points of a character, from the rolls or averages that each class recorded per level."""
    total = 0
    for one in of_type(actor, "class"):
        values = next((step.get("value") for step in _advancement(one) if step.get("type") == "HitPoints"), None)
        if not isinstance(values, Mapping):
            return 0
        die = _hit_die(one)
        total += sum({"max": die, "avg": die // 2 + 1}.get(value) or whole(value) for value in values.values())
    bonus = numbers.number(numbers.at("attributes.hp.bonuses.level")) or 0
    return total + (numbers.modifier("con") + bonus) * numbers.levels if total else 0


def _advancement(item: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The advancements of an item: a list, or a table by id since 5.0."""
    found = item.get("advancement") or ()
    steps = found.values() if isinstance(found, Mapping) else found
    return [step for step in steps if isinstance(step, Mapping)]


def _hit_die(item: Mapping[str, Any]) -> int:
    said = (item.get("hd") or {}).get("denomination") or item.get("hitDice")
    return int(whole(str(said).lstrip("d"), 8))


def hit_dice(actor: Mapping[str, Any], numbers: ActorNumbers) -> str:
    if actor["type"] != "character":
        return str(numbers.at("attributes.hp.formula") or "").replace(" ", "")
    dice = max((_hit_die(one) for one in of_type(actor, "class")), default=8)
    return f"{numbers.levels}d{dice}"


# Speeds and senses; characters have them from their species


def speeds(actor: Mapping[str, Any], numbers: ActorNumbers) -> dict[str, int]:
    own = numbers.at("attributes.movement") or {}
    given = next((one.get("movement") or {} for one in of_type(actor, "race")), {})
    found = {way: max(whole(own.get(way)), whole(given.get(way))) for way in _WAYS}
    return {way: feet for way, feet in found.items() if feet}


def senses(actor: Mapping[str, Any], numbers: ActorNumbers) -> dict[str, int]:
    own = numbers.at("attributes.senses") or {}
    given = next((one.get("senses") or {} for one in of_type(actor, "race")), {})
    found = {sense: max(_sense(own, sense), _sense(given, sense)) for sense in _SENSES}
    return {sense: feet for sense, feet in found.items() if feet}


def _sense(said: Mapping[str, Any], sense: str) -> int:
    """The range of a sense. Since 5.0, ranges have a table of their own."""
    return int(whole((said.get("ranges") or {}).get(sense)) or whole(said.get(sense)))


# Training


def saves(numbers: ActorNumbers) -> dict[str, int]:
    trained = [ability for ability in ABILITIES if numbers.at(f"abilities.{ability}.proficient")]
    return {ability: numbers.modifier(ability) + numbers.proficiency for ability in trained}


def skills(numbers: ActorNumbers) -> dict[str, int]:
    found: dict[str, int] = {}
    for code, name in SKILLS.items():
        said = numbers.at(f"skills.{code}") or {}
        times, bonus = said.get("value") or 0, numbers.number((said.get("bonuses") or {}).get("check")) or 0
        if times or bonus:
            found[name] = numbers.modifier(said.get("ability")) + int(times * numbers.proficiency) + bonus
    return found


def training(numbers: ActorNumbers) -> Training:
    times = {name: numbers.at(f"skills.{code}.value") or 0 for code, name in SKILLS.items()}
    weapons = numbers.at("traits.weaponProf.value") or ()
    armor = numbers.at("traits.armorProf.value") or ()
    return Training(
        saves=tuple(saves(numbers)),
        skills=tuple(name for name, value in times.items() if value == 1),
        expertise=tuple(name for name, value in times.items() if value == 2),
        weapons=tuple(_TRAINED_WEAPONS.get(name, str(name)) for name in weapons),
        armor=tuple(_TRAINED_ARMOR[name] for name in armor if name in _TRAINED_ARMOR),
    )


# Slots


def slots(actor: Mapping[str, Any], numbers: ActorNumbers) -> tuple[dict[int, int], bool]:
    """Spell slots by level, and whether they are pact magic."""
    own = {level: whole(numbers.at(f"spells.spell{level}.override")) for level in range(1, 10)}
    given = {level: count for level, count in own.items() if count}
    if actor["type"] != "character":
        level = whole(numbers.at("attributes.spell.level")) or whole(numbers.at("details.spellLevel"))
        return given or slots_of([(Progression.FULL, level)] if level else []), False
    levels = [(_progression(one), max(1, whole(one.get("levels"), 1))) for one in of_type(actor, "class")]
    found = slots_of(levels) | given
    pact = pact_slots(sum(level for how, level in levels if how is Progression.PACT))
    return (found, False) if found else (pact, bool(pact))


def _progression(one: Mapping[str, Any]) -> Progression:
    said = (one.get("spellcasting") or {}).get("progression")
    return Progression(said) if said in list(Progression) else Progression.NONE


# Defences


def phrases(numbers: ActorNumbers, name: str) -> tuple[str, ...]:
    """Damage types; those that magic or silver bypass are combined into the printed phrase."""
    said = numbers.at(f"traits.{name}") or {}
    kinds, bypassed = [str(kind) for kind in said.get("value") or ()], set(said.get("bypasses") or ())
    custom = tuple(part.strip().lower() for part in str(said.get("custom") or "").split(";") if part.strip())
    physical = [kind for kind in kinds if kind in _PHYSICAL]
    if not (bypassed and physical):
        return (*kinds, *custom)
    made_of = [word for code, word in (("sil", "silvered"), ("ada", "adamantine")) if code in bypassed]
    unless = f" not made with {' or '.join(made_of)} weapons" if made_of else ""
    limited = f"{', '.join(physical)} from nonmagical attacks{unless}"
    return (*(kind for kind in kinds if kind not in physical), limited, *custom)

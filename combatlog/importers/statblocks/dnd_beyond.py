"""Characters of D&D Beyond, from the JSON of its character service, version 5, with their features and actions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from combatlog.importers.statblocks.dnd_beyond_sheet import (
    BY_ID,
    DndBeyondSheet,
    armor_class,
    entries,
    known_spells,
    spell_ability,
    spell_of,
    spell_slots,
    weapons,
    worn_armor,
)
from combatlog.importers.statblocks.stat_block import (
    ABILITIES,
    BlockOrigin,
    DamageAmount,
    Paragraph,
    SavePhrase,
    SpellBlock,
    StatBlock,
    StatBlockPart,
    Training,
    hit_dice,
    paragraph,
)
from combatlog.importers.statblocks.stat_block_formats import (
    Compendium,
    StatBlockFormat,
    added_up,
    peek_json,
    read_json,
    shortened,
    text_of,
    whole,
)
from combatlog.rules.engine.refusal import Refusal

_ACTIVATIONS = {1: StatBlockPart.ACTION, 3: StatBlockPart.BONUS_ACTION, 4: StatBlockPart.REACTION}
_SHORT_REST = 1
_AREAS = {1: "cone", 2: "cube", 3: "cylinder", 4: "line", 5: "sphere", 9: "cube", 13: "cube", 14: "sphere"}
_DAMAGE_TYPES = dict(
    enumerate(
        (
            "bludgeoning", "piercing", "slashing", "necrotic", "acid", "cold", "fire", "lightning", "thunder", "poison",
            "psychic", "radiant", "force",
        ),
        start=1,
    )
)  # fmt: skip


def paragraphs(sheet: DndBeyondSheet) -> Iterator[Paragraph]:
    actions = {str(one["name"]): one for one in _actions(sheet) if one.get("name")}
    told: set[str] = set()
    for definition in _features(sheet):
        name = str(definition["name"])
        if name not in told:
            told.add(name)
            yield _paragraph(sheet, name, _text(definition), actions.get(name))
    for name, action in actions.items():
        if not any(name == one or name.startswith((f"{one}:", f"{one} (")) for one in told):
            yield _paragraph(sheet, name, _text(action), action)


def _actions(sheet: DndBeyondSheet) -> Iterator[Mapping[str, Any]]:
    found = sheet.data.get("actions")
    for origin in ("race", "class", "feat", "background"):
        yield from entries(found, origin) if isinstance(found, Mapping) else ()


def _features(sheet: DndBeyondSheet) -> Iterator[Mapping[str, Any]]:
    """Traits of the species, class features up to the character's level, feats, and chosen options."""
    species = sheet.data.get("race")
    yield from _defined(entries(species, "racialTraits") if isinstance(species, Mapping) else [])
    for one in sheet.class_entries:
        for definition in _defined(entries(one, "classFeatures")):
            if whole(definition.get("requiredLevel")) <= whole(one.get("level"), 1):
                yield definition
    yield from _defined(entries(sheet.data, "feats"))
    options = sheet.data.get("options")
    for origin in ("class", "race", "feat"):
        yield from _defined(entries(options, origin) if isinstance(options, Mapping) else [])


def _defined(found: list[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for one in found:
        definition = one.get("definition")
        if isinstance(definition, Mapping) and definition.get("name") and not definition.get("hideInSheet"):
            yield definition


def _text(definition: Mapping[str, Any]) -> str:
    return text_of(str(definition.get("description") or definition.get("snippet") or ""))


def _paragraph(sheet: DndBeyondSheet, name: str, text: str, action: Mapping[str, Any] | None) -> Paragraph:
    if action is None:
        return paragraph(StatBlockPart.TRAIT, name, text)
    activation = action.get("activation")
    how = whole(activation.get("activationType")) if isinstance(activation, Mapping) else 0
    saved = _ordeal(sheet, action)
    said = f"{text} {saved.sentence()}" if saved is not None else text
    return paragraph(_ACTIVATIONS.get(how, StatBlockPart.TRAIT), name, said, **_usage(sheet, action))


def _usage(sheet: DndBeyondSheet, action: Mapping[str, Any]) -> dict[str, Any]:
    limited = action.get("limitedUse")
    if not isinstance(limited, Mapping):
        return {}
    ability = BY_ID.get(whole(limited.get("statModifierUsesId")))
    uses = whole(limited.get("maxUses")) + (sheet.modifier(ability) if ability else 0)
    uses += sheet.proficiency if limited.get("useProficiencyBonus") else 0
    return {"uses": max(1, uses), "per_rest": limited.get("resetType") == _SHORT_REST}


def _ordeal(sheet: DndBeyondSheet, action: Mapping[str, Any]) -> SavePhrase | None:
    ability = BY_ID.get(whole(action.get("saveStatId")))
    if ability is None:
        return None
    own = BY_ID.get(whole(action.get("abilityModifierStatId")))
    dc = whole(action.get("fixedSaveDc")) or 8 + sheet.proficiency + (sheet.modifier(own) if own else 0)
    span = action.get("range") if isinstance(action.get("range"), Mapping) else {}
    assert isinstance(span, Mapping)
    shape, size = _AREAS.get(whole(span.get("aoeType"))), whole(span.get("aoeSize"))
    return SavePhrase(
        ability,
        dc,
        tuple(_damage(action)),
        area=f"{size}-foot {shape}" if shape and size else "",
        range=whole(span.get("range")) or None,
    )


def _damage(action: Mapping[str, Any]) -> Iterator[DamageAmount]:
    dice = action.get("dice")
    written = added_up(str(dice.get("diceString") or "")) if isinstance(dice, Mapping) else ""
    kind = _DAMAGE_TYPES.get(whole(action.get("damageTypeId")))
    if written and kind:
        yield DamageAmount(written, kind)


_SIZES = {2: "tiny", 3: "small", 4: "medium", 5: "large", 6: "huge", 7: "gargantuan"}
_WAYS = {"walk": "walking", "fly": "flying", "swim": "swimming", "climb": "climbing", "burrow": "burrowing"}
_SENSES = ("darkvision", "blindsight", "tremorsense", "truesight")
_SKILLS = (
    "acrobatics", "animal-handling", "arcana", "athletics", "deception", "history", "insight", "intimidation",
    "investigation", "medicine", "nature", "perception", "performance", "persuasion", "religion", "sleight-of-hand",
    "stealth", "survival",
)  # fmt: skip
_ARMOR = {"light-armor": "light", "medium-armor": "medium", "heavy-armor": "heavy", "shields": "shields"}
_WEAPONS = {"simple-weapons": "simple", "martial-weapons": "martial"}
_DEPTH = 4
"""How deep a character may be wrapped: in the service's response, and in that of a tool that fetched it."""


class DndBeyond(StatBlockFormat):
    name = "dnd-beyond"
    about = "characters of D&D Beyond: the JSON of its character service, version 5"

    def recognises(self, source: Path) -> bool:
        data = peek_json(source)
        return _is_failure(data) or any(True for _ in _characters(data))

    def open(self, source: Path) -> Compendium:
        return DndBeyondCharacters(source)


class DndBeyondCharacters(Compendium):
    def __init__(self, source: Path) -> None:
        data = read_json(source)
        _refuse_failure(data, source)
        self._sheets = {shortened(str(one["name"])): DndBeyondSheet(one) for one in _characters(data)}
        if not self._sheets:
            raise Refusal("pack-import/empty", f"{source} contains no D&D Beyond characters.", file=str(source))
        self.origin = BlockOrigin(f"D&D Beyond: {source.stem}")

    def creatures(self) -> Sequence[str]:
        return list(self._sheets)

    def creature(self, id: str) -> StatBlock:
        return _stat_block(id, self._sheets[id])

    @cached_property
    def _spells(self) -> dict[str, Mapping[str, Any]]:
        found = [entry["definition"] for sheet in self._sheets.values() for entry, _ in known_spells(sheet)]
        return {shortened(str(one["name"])): one for one in found if one.get("name")}

    def spells(self) -> Sequence[str]:
        return list(self._spells)

    def spell(self, id: str) -> SpellBlock:
        return spell_of(self._spells[id])


def _is_failure(data: Any) -> bool:
    return isinstance(data, Mapping) and data.get("success") is False and "message" in data


def _refuse_failure(data: Any, source: Path) -> None:
    """Refuse an error message, which the service returns instead of a character that is not public."""
    if _is_failure(data):
        said = str(data.get("message") or "")
        sentence = f"{source} is an error message; make the character public and download it again."
        raise Refusal("pack-import/not-public", sentence, file=str(source), found=said)


def _characters(data: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    if isinstance(data, list) and depth < _DEPTH:
        for one in data:
            yield from _characters(one, depth + 1)
    elif isinstance(data, Mapping):
        lists = all(isinstance(data.get(name), list) for name in ("stats", "classes", "inventory"))
        if lists and data.get("name") and isinstance(data.get("modifiers"), Mapping):
            yield data
        elif depth < _DEPTH:
            for name in ("data", "ddb", "character"):
                yield from _characters(data.get(name), depth + 1)


def _stat_block(id: str, sheet: DndBeyondSheet) -> StatBlock:
    slots, pact = spell_slots(sheet)
    species = sheet.data.get("race")
    return StatBlock(
        id=id,
        name=str(sheet.data["name"]),
        size=_SIZES.get(whole(species.get("sizeId")) if isinstance(species, Mapping) else 4, "medium"),
        type="humanoid",
        ac=armor_class(sheet),
        armor=worn_armor(sheet),
        hp=_hit_points(sheet),
        hit_dice=hit_dice(sheet.classes),
        abilities=sheet.abilities,
        speeds=_speeds(sheet),
        saves={short: _save(sheet, short, long) for short, long in ABILITIES.items()},
        skills={},
        senses={sense: feet for sense in _SENSES if (feet := _sense(sheet, sense))},
        vulnerabilities=tuple(sheet.subtypes("vulnerability")),
        resistances=tuple(sheet.subtypes("resistance")),
        immunities=tuple(sheet.subtypes("immunity")),
        condition_immunities=tuple(sheet.subtypes("immunity")),
        level=sheet.level,
        proficiency=sheet.proficiency,
        paragraphs=(*weapons(sheet), *paragraphs(sheet)),
        spells={str(entry["definition"]["name"]): how for entry, how in known_spells(sheet)},
        spell_ability=spell_ability(sheet),
        slots=slots,
        pact_magic=pact,
        is_character=True,
        training=_training(sheet),
        classes=sheet.classes,
    )


def _hit_points(sheet: DndBeyondSheet) -> int:
    data = sheet.data
    if whole(data.get("overrideHitPoints")):
        return whole(data["overrideHitPoints"])
    per_level = sheet.modifier("con") + sheet.total("hit-points-per-level")
    fixed = whole(data.get("baseHitPoints"), 1) + whole(data.get("bonusHitPoints")) + sheet.total("hit-points")
    return fixed + per_level * sheet.level


def _speeds(sheet: DndBeyondSheet) -> dict[str, int]:
    """Speeds of the species, or innate ones; an innate speed without a number equals the walking speed."""
    species = sheet.data.get("race")
    by_weight = species.get("weightSpeeds") if isinstance(species, Mapping) else None
    normal = by_weight.get("normal") if isinstance(by_weight, Mapping) else None
    given: Mapping[str, Any] = normal if isinstance(normal, Mapping) else {"walk": 30}
    walk = whole(given.get("walk"), 30) + sheet.total("speed")
    found = {"walk": walk}
    for way, innate in list(_WAYS.items())[1:]:
        own = [sheet.value_of(one) or walk for one in sheet.of("set", f"innate-speed-{innate}")]
        found[way] = max([whole(given.get(way)), *own])
    return {way: feet for way, feet in found.items() if feet}


def _sense(sheet: DndBeyondSheet, sense: str) -> int:
    fixed = [whole(one.get("value")) for type in ("set-base", "set") for one in sheet.of(type, sense)]
    return max([0, *fixed])


def _save(sheet: DndBeyondSheet, short: str, long: str) -> int:
    trained = sheet.proficiency if sheet.has("proficiency", f"{long}-saving-throws") else 0
    return sheet.modifier(short) + trained + sheet.total("saving-throws") + sheet.total(f"{long}-saving-throws")


def _training(sheet: DndBeyondSheet) -> Training:
    proficient, expert = sheet.subtypes("proficiency"), sheet.subtypes("expertise")
    return Training(
        saves=tuple(short for short, long in ABILITIES.items() if f"{long}-saving-throws" in proficient),
        skills=tuple(name.replace("-", " ") for name in _SKILLS if name in proficient and name not in expert),
        expertise=tuple(name.replace("-", " ") for name in _SKILLS if name in expert),
        weapons=tuple(_WEAPONS.get(name) or _weapon(name) for name in proficient),
        armor=tuple(_ARMOR[name] for name in proficient if name in _ARMOR),
    )


def _weapon(name: str) -> str:
    """`crossbow-light` is a light crossbow."""
    what, _, kind = name.partition("-")
    return f"{kind} {what}" if what == "crossbow" else name.replace("-", " ")

"""Characters of D&D Beyond: the JSON of its character service, version 5, or of tools that pass it on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.statblocks.block import ABILITIES, Origin, Spell, StatBlock, Training
from combatlog.rules.statblocks.classes import hit_dice
from combatlog.rules.statblocks.dnd_beyond.features import paragraphs
from combatlog.rules.statblocks.dnd_beyond.gear import armor_class, weapons, worn_armor
from combatlog.rules.statblocks.dnd_beyond.magic import known_spells, spell_ability, spell_of, spell_slots
from combatlog.rules.statblocks.dnd_beyond.modifiers import Sheet
from combatlog.rules.statblocks.formats import Compendium, StatBlockFormat, peek_json, read_json
from combatlog.rules.statblocks.formulas import whole
from combatlog.rules.statblocks.markup import shortened

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
"""How deep a character may be wrapped: in the answer of the service, and in that of a tool that asked for it."""


class DndBeyond(StatBlockFormat):
    name = "dnd-beyond"
    about = "characters of D&D Beyond: the JSON of its character service, version 5"

    def recognises(self, source: Path) -> bool:
        data = peek_json(source)
        return _is_failure(data) or any(True for _ in _characters(data))

    def open(self, source: Path) -> Compendium:
        return Characters(source)


class Characters(Compendium):
    def __init__(self, source: Path) -> None:
        data = read_json(source)
        _refuse_failure(data, source)
        self._sheets = {shortened(str(one["name"])): Sheet(one) for one in _characters(data)}
        if not self._sheets:
            raise Refusal("pack-import/empty", f"{source} has no characters of D&D Beyond.", file=str(source))
        self.origin = Origin(f"D&D Beyond: {source.stem}")

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

    def spell(self, id: str) -> Spell:
        return spell_of(self._spells[id])


def _is_failure(data: Any) -> bool:
    return isinstance(data, Mapping) and data.get("success") is False and "message" in data


def _refuse_failure(data: Any, source: Path) -> None:
    """The service answers with a message instead of a character if the character is not public."""
    if _is_failure(data):
        said = str(data.get("message") or "")
        sentence = f"{source} is not a character but an answer that there is none; is the character public?"
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


def _stat_block(id: str, sheet: Sheet) -> StatBlock:
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


def _hit_points(sheet: Sheet) -> int:
    data = sheet.data
    if whole(data.get("overrideHitPoints")):
        return whole(data["overrideHitPoints"])
    per_level = sheet.modifier("con") + sheet.total("hit-points-per-level")
    fixed = whole(data.get("baseHitPoints"), 1) + whole(data.get("bonusHitPoints")) + sheet.total("hit-points")
    return fixed + per_level * sheet.level


def _speeds(sheet: Sheet) -> dict[str, int]:
    """Those of the species, or innate ones; an innate speed without a number is the walking speed."""
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


def _sense(sheet: Sheet, sense: str) -> int:
    fixed = [whole(one.get("value")) for type in ("set-base", "set") for one in sheet.of(type, sense)]
    return max([0, *fixed])


def _save(sheet: Sheet, short: str, long: str) -> int:
    trained = sheet.proficiency if sheet.has("proficiency", f"{long}-saving-throws") else 0
    return sheet.modifier(short) + trained + sheet.total("saving-throws") + sheet.total(f"{long}-saving-throws")


def _training(sheet: Sheet) -> Training:
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

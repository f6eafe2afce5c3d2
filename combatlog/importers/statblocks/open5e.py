"""open5e v2: a folder with Creature.json, CreatureAction.json, CreatureTrait.json, Spell.json and others.

CreatureActionAttack.json is not read: its damage types and bonuses contradict the printed text in CreatureAction.json.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from combatlog.importers.statblocks.stat_block import (
    ABILITIES,
    BlockOrigin,
    Paragraph,
    SpellBlock,
    StatBlock,
    StatBlockPart,
    paragraph,
)
from combatlog.importers.statblocks.stat_block_formats import Compendium, StatBlockFormat, read_json
from combatlog.rules.engine.refusal import Refusal

_PARTS = {
    "ACTION": StatBlockPart.ACTION,
    "BONUS_ACTION": StatBlockPart.BONUS_ACTION,
    "REACTION": StatBlockPart.REACTION,
    "LEGENDARY_ACTION": StatBlockPart.LEGENDARY,
    "LAIR_ACTION": StatBlockPart.LAIR,
}
_SPEEDS = ("walk", "fly", "swim", "climb", "burrow")
_SENSES = ("darkvision", "blindsight", "tremorsense", "truesight")
_LICENCES = {"cc-by-40": "CC-BY-4.0", "ogl-10a": "OGL 1.0a"}
_CC_BY = "https://creativecommons.org/licenses/by/4.0/legalcode"


class Open5e(StatBlockFormat):
    name = "open5e"
    about = "a folder of open5e v2 files, such as Creature.json"

    def recognises(self, source: Path) -> bool:
        return source.is_dir() and ((source / "Creature.json").is_file() or (source / "Spell.json").is_file())

    def open(self, source: Path) -> Compendium:
        return Open5eFolder(source)


class Open5eFolder(Compendium):
    def __init__(self, folder: Path) -> None:
        self._creatures = {_short(pk): fields for pk, fields in _rows(folder, "Creature")}
        self._spells = {_short(pk): fields for pk, fields in _rows(folder, "Spell")}
        self._options = _by_parent(_rows(folder, "SpellCastingOption"))
        self._paragraphs = _by_parent([*_rows(folder, "CreatureTrait"), *_rows(folder, "CreatureAction")])
        if not self._creatures and not self._spells:
            raise Refusal("pack-import/empty", f"{folder} contains neither creatures nor spells.", file=str(folder))
        self.origin = _origin(folder)

    def creatures(self) -> Sequence[str]:
        return list(self._creatures)

    def creature(self, id: str) -> StatBlock:
        return _stat_block(id, self._creatures[id], self._paragraphs[id])

    def spells(self) -> Sequence[str]:
        return list(self._spells)

    def spell(self, id: str) -> SpellBlock:
        return _spell(id, self._spells[id], self._options[id])


def _rows(folder: Path, name: str) -> list[tuple[str, Mapping[str, Any]]]:
    path = folder / f"{name}.json"
    if not path.is_file():
        return []
    rows = read_json(path)
    if not isinstance(rows, list) or not all(map(_is_row, rows)):
        raise Refusal("pack-import/not-open5e", f"{path} is not a list of open5e entries.", file=str(path))
    return [(str(row.get("pk")), row["fields"]) for row in rows]


def _is_row(row: Any) -> bool:
    return isinstance(row, dict) and isinstance(row.get("fields"), dict)


def _short(pk: str) -> str:
    """`srd-2024_adult-red-dragon` is `adult-red-dragon`: a pack does not need the prefix for the document."""
    return pk.partition("_")[2] or pk


def _by_parent(rows: list[tuple[str, Mapping[str, Any]]]) -> dict[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for _, fields in rows:
        found[_short(str(fields.get("parent")))].append(fields)
    return found


def _origin(folder: Path) -> BlockOrigin:
    documents = _rows(folder, "Document")
    if not documents:
        return BlockOrigin(f"open5e: {folder.name}")
    fields = documents[0][1]
    said = fields.get("licenses")
    licences = [str(name) for name in said] if isinstance(said, list) else []
    title, link = fields.get("name", folder.name), fields.get("permalink", "")
    by = f"This work includes material taken from the {title} by Wizards of the Coast LLC, available at {link}"
    terms = f" and licensed under the Creative Commons Attribution 4.0 International License, {_CC_BY}."
    known = fields.get("publisher") == "wizards-of-the-coast" and "cc-by-40" in licences
    named = " or ".join(_LICENCES.get(name, name) for name in licences)
    return BlockOrigin(title, named, by + terms if known else str(fields.get("author") or ""))


# Creatures


def _stat_block(id: str, fields: Mapping[str, Any], paragraphs: list[Mapping[str, Any]]) -> StatBlock:
    return StatBlock(
        id=id,
        name=fields["name"],
        size=str(fields["size"]).lower(),
        type=str(fields["type"]).lower(),
        alignment=fields.get("alignment") or "",
        ac=int(fields["armor_class"]),
        armor=tuple(filter(None, [str(fields.get("armor_detail") or "").lower()])),
        hp=int(fields["hit_points"]),
        hit_dice=str(fields.get("hit_dice") or "").replace(" ", ""),
        abilities={short: int(fields[f"ability_score_{long}"]) for short, long in ABILITIES.items()},
        speeds={name: int(fields[name]) for name in _SPEEDS if fields.get(name)},
        hover=bool(fields.get("hover")),
        saves=_numbers(fields, "saving_throw_", {long: short for short, long in ABILITIES.items()}),
        skills=_numbers(fields, "skill_bonus_"),
        senses={name: int(fields[f"{name}_range"]) for name in _SENSES if fields.get(f"{name}_range")},
        languages=fields.get("languages_desc") or "",
        vulnerabilities=_phrases(fields, "damage_vulnerabilities"),
        resistances=_phrases(fields, "damage_resistances", "nonmagical_attack_resistance"),
        immunities=_phrases(fields, "damage_immunities", "nonmagical_attack_immunity"),
        condition_immunities=tuple(fields.get("condition_immunities") or ()),
        cr=float(fields["challenge_rating"]) if fields.get("challenge_rating") is not None else None,
        xp=fields.get("experience_points_integer"),
        proficiency=fields.get("proficiency_bonus"),
        paragraphs=tuple(_paragraph(entry) for entry in sorted(paragraphs, key=_order)),
    )


def _numbers(fields: Mapping[str, Any], begin: str, names: Mapping[str, str] | None = None) -> dict[str, int]:
    found = {key.removeprefix(begin): value for key, value in fields.items() if key.startswith(begin)}
    return {(names or {}).get(name, name): int(value) for name, value in found.items() if value is not None}


def _phrases(fields: Mapping[str, Any], name: str, nonmagical: str | None = None) -> tuple[str, ...]:
    """The damage types in the fields; types for nonmagical attacks only are taken from the printed text."""
    listed = tuple(str(kind) for kind in fields.get(name) or ())
    printed = str(fields.get(f"{name}_display") or "")
    if nonmagical is None or not (fields.get(nonmagical) or "nonmagical" in printed.lower()):
        return listed
    limited = printed if "nonmagical" in printed.lower() else _NONMAGICAL
    outright = tuple(kind for kind in listed if kind not in _PHYSICAL)
    return (*outright, limited.rpartition(";")[2].strip())


_PHYSICAL = ("bludgeoning", "piercing", "slashing")
_NONMAGICAL = "bludgeoning, piercing, and slashing from nonmagical attacks"


def _order(entry: Mapping[str, Any]) -> int:
    return entry.get("order_in_statblock") or 0


def _paragraph(entry: Mapping[str, Any]) -> Paragraph:
    part = _PARTS.get(entry.get("action_type", ""), StatBlockPart.TRAIT)
    return paragraph(part, entry["name"], entry["desc"], **_usage(entry), **_cost(entry, part))


def _usage(entry: Mapping[str, Any]) -> dict[str, Any]:
    match entry.get("uses_type"):
        case "RECHARGE_ON_ROLL":
            return {"recharge": entry["uses_param"], "uses": 1}
        case "PER_DAY":
            return {"uses": entry["uses_param"]}
        case "RECHARGE_AFTER_REST":
            return {"uses": 1, "per_rest": True}
    return {}


def _cost(entry: Mapping[str, Any], part: StatBlockPart) -> dict[str, Any]:
    return {"cost": entry.get("legendary_action_cost") or 1} if part is StatBlockPart.LEGENDARY else {}


# Spells


def _spell(id: str, fields: Mapping[str, Any], options: list[Mapping[str, Any]]) -> SpellBlock:
    level, damage = int(fields["level"]), str(fields.get("damage_roll") or "").replace(" ", "")
    text = fields["desc"]
    return SpellBlock(
        id=id,
        name=fields["name"],
        level=level,
        casting_time=str(fields["casting_time"]).replace("-", " "),
        range=_range(fields),
        text=text,
        higher=fields.get("higher_level") or "",
        concentration=bool(fields.get("concentration")),
        duration=str(fields.get("duration") or ""),
        attack=("melee" if "melee spell attack" in text.lower() else "ranged") if fields.get("attack_roll") else None,
        save=str(fields.get("saving_throw_ability") or "")[:3].lower() or None,
        damage={level or 1: damage, **dict(_grown(options))} if damage else {},
        damage_type=next(iter(fields.get("damage_types") or ()), None),
        shape=fields.get("shape_type"),
        size=int(fields["shape_size"]) if fields.get("shape_size") else None,
    )


def _range(fields: Mapping[str, Any]) -> int | None:
    text = str(fields.get("range_text") or "").lower()
    if text.startswith("self"):
        return 0
    if text.startswith("touch"):
        return 5
    return int(fields["range"]) if fields.get("range") and fields.get("range_unit") in (None, "feet") else None


def _grown(options: list[Mapping[str, Any]]) -> Iterator[tuple[int, str]]:
    for option in options:
        kind, _, level = str(option["type"]).rpartition("_")
        if kind in ("slot_level", "player_level") and option.get("damage_roll"):
            yield int(level), str(option["damage_roll"]).replace(" ", "")

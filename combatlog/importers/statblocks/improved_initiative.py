"""Improved Initiative: its exported stat blocks, one or many in a JSON file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from combatlog.importers.statblocks.stat_block import BlockOrigin, Paragraph, StatBlock, StatBlockPart, paragraph
from combatlog.importers.statblocks.stat_block_formats import Compendium, StatBlockFormat, peek_json, read_json
from combatlog.rules.engine.refusal import Refusal

_PARTS = {
    "Traits": StatBlockPart.TRAIT,
    "Actions": StatBlockPart.ACTION,
    "BonusActions": StatBlockPart.BONUS_ACTION,
    "Reactions": StatBlockPart.REACTION,
    "LegendaryActions": StatBlockPart.LEGENDARY,
    "MythicActions": StatBlockPart.LEGENDARY,
}
"""The keys of its type `StatBlock`."""
_CHALLENGES = {"1/8": 0.125, "1/4": 0.25, "1/2": 0.5}
_SPEEDS = ("fly", "swim", "climb", "burrow")


class ImprovedInitiative(StatBlockFormat):
    name = "improved-initiative"
    about = "the stat blocks that Improved Initiative exports, in a JSON file"

    def recognises(self, source: Path) -> bool:
        return any(True for _ in _blocks(peek_json(source)))

    def open(self, source: Path) -> Compendium:
        return ImprovedInitiativeExport(source)


class ImprovedInitiativeExport(Compendium):
    def __init__(self, source: Path) -> None:
        self._blocks = {_id(data): data for data in _blocks(read_json(source))}
        if not self._blocks:
            raise Refusal("pack-import/empty", f"{source} contains no stat blocks.", file=str(source))
        written = sorted({str(data["Source"]) for data in self._blocks.values() if data.get("Source")})
        self.origin = BlockOrigin(", ".join(written) or f"Improved Initiative: {source.stem}")

    def creatures(self) -> Sequence[str]:
        return list(self._blocks)

    def creature(self, id: str) -> StatBlock:
        return _stat_block(id, self._blocks[id])


def _blocks(data: Any) -> Iterator[Mapping[str, Any]]:
    """The stat blocks in an export: a single one, a list, or by key."""
    if isinstance(data, list):
        for one in data:
            yield from _blocks(one)
    elif isinstance(data, dict):
        if {"Name", "HP", "AC", "Abilities"} <= data.keys():
            yield data
        else:
            for key, one in data.items():
                if any(word in key.lower() for word in ("creature", "statblock", "persistentcharacter")):
                    yield from _blocks(one)


def _id(data: Mapping[str, Any]) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", str(data["Name"]).lower())) or "unnamed"


def _stat_block(id: str, data: Mapping[str, Any]) -> StatBlock:
    size, _, kind = str(data.get("Type") or "").lower().partition(" ")
    return StatBlock(
        id=id,
        name=data["Name"],
        size=size,
        type=kind.partition(",")[0],
        ac=_number(data["AC"].get("Value")),
        armor=tuple(filter(None, [str(data["AC"].get("Notes") or "").strip("()").lower()])),
        hp=_number(data["HP"].get("Value")),
        hit_dice=str(data["HP"].get("Notes") or "").strip("()").replace(" ", ""),
        abilities={name.lower()[:3]: _number(score) for name, score in data["Abilities"].items()},
        speeds=_speeds(data.get("Speed") or ()),
        hover="hover" in " ".join(data.get("Speed") or ()),
        saves={one["Name"].lower()[:3]: _number(one["Modifier"]) for one in data.get("Saves") or ()},
        skills={one["Name"].lower(): _number(one["Modifier"]) for one in data.get("Skills") or ()},
        senses=_measured(data.get("Senses") or ()),
        languages=", ".join(data.get("Languages") or ()),
        vulnerabilities=_lower(data, "DamageVulnerabilities"),
        resistances=_lower(data, "DamageResistances"),
        immunities=_lower(data, "DamageImmunities"),
        condition_immunities=_lower(data, "ConditionImmunities"),
        cr=None if data.get("Player") else _challenge(str(data.get("Challenge") or "")),
        paragraphs=tuple(_paragraphs(data)),
        is_character=bool(data.get("Player")),
        level=_level(data) if data.get("Player") else None,
    )


def _number(value: Any) -> int:
    found = re.search(r"[+-]?\d+", str(value))
    return int(found[0]) if found else 0


def _level(data: Mapping[str, Any]) -> int | None:
    """The level of a character, from its challenge, such as `5` or `Fighter 3, Rogue 2`."""
    return sum(map(int, re.findall(r"\d+", str(data.get("Challenge") or "")))) or None


def _challenge(text: str) -> float | None:
    if text in _CHALLENGES:
        return _CHALLENGES[text]
    found = re.match(r"\d+", text)
    return float(found[0]) if found else None


def _measured(texts: Sequence[str]) -> dict[str, int]:
    """Distances such as `darkvision 60 ft.`, by their first word."""
    read = [re.match(r"([a-z]+)\D*(\d+)", text.strip().lower()) for text in texts]
    return {found[1]: int(found[2]) for found in read if found}


def _speeds(texts: Sequence[str]) -> dict[str, int]:
    speeds = {name: feet for name, feet in _measured(texts).items() if name in _SPEEDS}
    walking = next((text for text in texts if re.match(r"\s*(?:walk )?\d", text.lower())), None)
    return speeds | ({"walk": _number(walking)} if walking is not None else {})


def _lower(data: Mapping[str, Any], name: str) -> tuple[str, ...]:
    return tuple(str(one).lower() for one in data.get(name) or ())


def _paragraphs(data: Mapping[str, Any]) -> Iterator[Paragraph]:
    for key, part in _PARTS.items():
        for one in data.get(key) or ():
            usage = f" ({one['Usage']})" if one.get("Usage") else ""
            yield paragraph(part, f"{one['Name']}{usage}", one.get("Content") or "")

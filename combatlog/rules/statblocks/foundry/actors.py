"""Actors of Foundry's dnd5e system: monsters and characters with their spells, as `Export Data` writes them.

Each is a JSON file. Read are actors of the system from 2.0 on (Foundry 10 and later), with or without
activities.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.statblocks.block import ABILITIES, Origin, Spell, StatBlock
from combatlog.rules.statblocks.formats import Compendium, StatBlockFormat, peek_json, read_json
from combatlog.rules.statblocks.foundry import bodies as statistics
from combatlog.rules.statblocks.foundry.numbers import Numbers
from combatlog.rules.statblocks.foundry.paragraphs import paragraphs_of
from combatlog.rules.statblocks.foundry.spells import is_spell, listed, spell_of
from combatlog.rules.statblocks.markup import shortened

_KINDS = ("npc", "character")
_SEEN_BY_NAME = "fvtt-Actor-*.json"


class Foundry(StatBlockFormat):
    name = "foundry"
    about = "actors of Foundry's dnd5e system, exported as JSON: a file, or a folder of files"

    def recognises(self, source: Path) -> bool:
        if source.is_dir():
            files = sorted(source.glob(_SEEN_BY_NAME)) or sorted(source.glob("*.json"))
            return any(True for path in files[:3] for _ in _actors(peek_json(path)))
        return any(True for _ in _actors(peek_json(source)))

    def open(self, source: Path) -> Compendium:
        return Actors(source)


class Actors(Compendium):
    def __init__(self, source: Path) -> None:
        paths = sorted(source.glob("*.json")) if source.is_dir() else [source]
        found = [actor for path in paths for actor in _actors(read_json(path))]
        if not found:
            raise Refusal("pack-import/empty", f"{source} has no actors.", file=str(source))
        old = next((actor for actor in found if "system" not in actor), None)
        if old is not None:
            raise Refusal(
                "pack-import/too-old",
                f"{old['name']} was exported by a version of Foundry before 10; export it again from a newer one.",
                file=str(source),
                name=str(old["name"]),
            )
        self._actors = {shortened(str(actor["name"])): actor for actor in found}
        self.origin = _origin(found, source)

    def creatures(self) -> Sequence[str]:
        return list(self._actors)

    def creature(self, id: str) -> StatBlock:
        return _stat_block(id, self._actors[id])

    @cached_property
    def _spells(self) -> dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]]:
        """Each spell once, with the first actor that has it."""
        found: dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {}
        for actor in self._actors.values():
            for item in filter(is_spell, actor["items"]):
                found.setdefault(shortened(str(item.get("name"))), (item, actor))
        return found

    def spells(self) -> Sequence[str]:
        return list(self._spells)

    def spell(self, id: str) -> Spell:
        item, actor = self._spells[id]
        return spell_of(item, _numbers(actor))


def _actors(data: Any) -> Iterator[Mapping[str, Any]]:
    for one in data if isinstance(data, list) else [data]:
        if isinstance(one, Mapping) and one.get("type") in _KINDS and isinstance(one.get("items"), list):
            system = one.get("system", one.get("data"))
            if isinstance(system, Mapping) and isinstance(system.get("abilities"), Mapping) and one.get("name"):
                yield one


def _origin(actors: list[Mapping[str, Any]], source: Path) -> Origin:
    said = [_source(actor["system"]) for actor in actors]
    known = [one for one in said if isinstance(one, Mapping)]
    books = sorted({str(one.get("book") or one.get("custom")) for one in known if one.get("book") or one.get("custom")})
    terms = sorted({str(one["license"]) for one in known if one.get("license")})
    return Origin(", ".join(books)[:200] or f"Foundry: {source.stem}", " or ".join(terms))


def _source(system: Mapping[str, Any]) -> Any:
    details = system.get("details")
    return system.get("source") or (details.get("source") if isinstance(details, Mapping) else None)


def _numbers(actor: Mapping[str, Any]) -> Numbers:
    levels = sum(statistics.classes(actor).values()) if actor["type"] == "character" else 0
    return Numbers(statistics.with_defaults(actor), max(1, levels) if actor["type"] == "character" else 0)


def _stat_block(id: str, actor: Mapping[str, Any]) -> StatBlock:
    numbers = _numbers(actor)
    is_character = actor["type"] == "character"
    slots, pact = statistics.slots(actor, numbers)
    return StatBlock(
        id=id,
        name=str(actor["name"]),
        size=statistics.size(numbers),
        type=statistics.creature_type(numbers),
        alignment=str(numbers.at("details.alignment") or ""),
        ac=statistics.armor_class(actor, numbers),
        armor=statistics.worn(actor),
        hp=statistics.hit_points(actor, numbers),
        hit_dice=statistics.hit_dice(actor, numbers),
        abilities={ability: numbers.score(ability) for ability in ABILITIES},
        speeds=statistics.speeds(actor, numbers),
        hover=bool(numbers.at("attributes.movement.hover")),
        saves=statistics.saves(numbers),
        skills=statistics.skills(numbers),
        senses=statistics.senses(actor, numbers),
        languages=", ".join(numbers.at("traits.languages.value") or ()),
        vulnerabilities=statistics.phrases(numbers, "dv"),
        resistances=statistics.phrases(numbers, "dr"),
        immunities=statistics.phrases(numbers, "di"),
        condition_immunities=tuple(numbers.at("traits.ci.value") or ()),
        cr=None if is_character else numbers.cr,
        level=numbers.levels or None,
        proficiency=numbers.proficiency,
        paragraphs=tuple(paragraphs_of(actor, numbers)),
        spells=listed(actor["items"], numbers),
        spell_ability=numbers.spell_ability or statistics.class_ability(actor),
        slots=slots,
        pact_magic=pact,
        is_character=is_character,
        training=statistics.training(numbers) if is_character else statistics.UNTRAINED,
        classes=statistics.classes(actor) if is_character else {},
    )

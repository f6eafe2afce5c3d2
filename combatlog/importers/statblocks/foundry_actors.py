"""Actors of Foundry's dnd5e system: monsters and characters with their spells, as `Export Data` writes them.

Each is a JSON file. Actors of system 2.0 and later (Foundry 10) are read, with or without activities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from combatlog.importers.statblocks import foundry_figures as statistics
from combatlog.importers.statblocks.foundry_activities import ActorNumbers, ItemActivity, item_activities, properties
from combatlog.importers.statblocks.foundry_paragraphs import ItemDescription, paragraphs_of
from combatlog.importers.statblocks.stat_block import ABILITIES, BlockOrigin, SpellBlock, StatBlock
from combatlog.importers.statblocks.stat_block_formats import (
    Compendium,
    StatBlockFormat,
    peek_json,
    read_json,
    shortened,
    whole,
    whole_if_any,
)
from combatlog.rules.engine.refusal import Refusal

_CASTINGS = {"action": "action", "bonus": "bonus action", "reaction": "reaction"}
_ENDED = re.compile(r"(?:Using a Higher-Level Spell Slot|At Higher Levels|Cantrip Upgrade)\.?\s*", re.IGNORECASE)
_SHAPES = {"radius": "sphere", "square": "cube"}


def is_spell(item: Any) -> bool:
    return isinstance(item, Mapping) and item.get("type") == "spell" and isinstance(item.get("system"), Mapping)


def spell_of(item: Mapping[str, Any], numbers: ActorNumbers) -> SpellBlock:
    system, deeds = item["system"], item_activities(item, numbers)
    text, _, higher = _split(ItemDescription(item, "the caster", numbers, deeds, {}).text)
    deed = next((deed for deed in deeds if deed.kind in ("attack", "save", "heal", "damage")), None)
    duration = _part(system, "duration")
    template = _template(system, deed)
    return SpellBlock(
        id=shortened(str(item["name"])),
        name=str(item["name"]),
        level=whole(system.get("level")),
        casting_time=_CASTINGS.get(str(_part(system, "activation").get("type")), "longer"),
        range=_range(_part(system, "range")),
        text=text,
        higher=higher,
        concentration="concentration" in properties(item) or bool(_part(system, "components").get("concentration")),
        duration=f"{duration.get('value') or ''} {duration.get('units') or ''}".strip().replace(
            "inst", "instantaneous"
        ),
        **_effect(deed, whole(system.get("level"))),
        shape=template[0],
        size=template[1],
    )


def _part(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = data.get(name)
    return found if isinstance(found, Mapping) else {}


def _split(text: str) -> tuple[str, str, str]:
    found = _ENDED.search(text)
    return (text[: found.start()].strip(), found[0], text[found.end() :].strip()) if found else (text, "", "")


def _effect(deed: ItemActivity | None, level: int) -> dict[str, Any]:
    if deed is None:
        return {}
    known: dict[str, Any] = {}
    if deed.kind == "attack":
        known["attack"] = deed.ways[0]
    if deed.kind == "save":
        known |= {"save": deed.ability, "saved": "half" if deed.halved and deed.damage else "nothing"}
    if deed.healing:
        known["healing"] = {level or 1: deed.healing}
    if deed.damage:
        known |= {"damage": {level or 1: deed.damage[0].dice}, "damage_type": deed.damage[0].type or None}
    return known


def _template(system: Mapping[str, Any], deed: ItemActivity | None) -> tuple[str | None, int | None]:
    """The shape and size of the spell's area, or of its activity's; older items have them in the target itself."""
    target = _part(system, "target")
    template = _part(target, "template")
    shape = template.get("type") or target.get("type") or (deed.shape if deed is not None else "")
    size = whole(template.get("size") or target.get("value")) or (deed.size if deed is not None else 0)
    known = str(shape) in ("cone", "line", "cube", "sphere", "cylinder", *_SHAPES)
    return (_SHAPES.get(str(shape), str(shape)), size) if known and size else (None, None)


def _range(spans: Mapping[str, Any]) -> int | None:
    match spans.get("units"):
        case "self":
            return 0
        case "touch":
            return 5
        case "ft":
            return whole_if_any(spans.get("value"))
    return None


# An actor's spells and their uses


def listed(items: list[Any], numbers: ActorNumbers) -> dict[str, int | None]:
    """The castable spells of an actor, each with its uses per day: 0 at will, None for slots or a cantrip."""
    spells = [item for item in items if is_spell(item)]
    prepared = [one["system"] for one in spells if _is_prepared(one["system"])]
    prepares = numbers.levels > 0 and any(whole(system.get("level")) for system in prepared)
    return {str(item["name"]): how for item in spells for how in _how_often(item, numbers, prepares)}


def _how_often(item: Mapping[str, Any], numbers: ActorNumbers, prepares: bool) -> Iterator[int | None]:
    """Yield the uses of a spell if it can be cast. Casters who prepare spells can only cast prepared ones."""
    system = item["system"]
    method = str(_part(system, "preparation").get("mode") or system.get("method") or "prepared")
    uses = numbers.number(_part(system, "uses").get("max"))
    if method == "atwill":
        yield 0
    elif method == "innate":
        yield uses or 0
    elif whole(system.get("level")) == 0 or method in ("pact", "always") or not prepares or _is_prepared(system):
        yield uses or None


def _is_prepared(system: Mapping[str, Any]) -> bool:
    return bool(_part(system, "preparation").get("prepared") or system.get("prepared"))


_KINDS = ("npc", "character")
_SEEN_BY_NAME = "fvtt-Actor-*.json"


class FoundryStatBlocks(StatBlockFormat):
    name = "foundry"
    about = "actors of Foundry's dnd5e system, exported as JSON: a file, or a folder of files"

    def recognises(self, source: Path) -> bool:
        if source.is_dir():
            files = sorted(source.glob(_SEEN_BY_NAME)) or sorted(source.glob("*.json"))
            return any(True for path in files[:3] for _ in _actors(peek_json(path)))
        return any(True for _ in _actors(peek_json(source)))

    def open(self, source: Path) -> Compendium:
        return FoundryActors(source)


class FoundryActors(Compendium):
    def __init__(self, source: Path) -> None:
        paths = sorted(source.glob("*.json")) if source.is_dir() else [source]
        found = [actor for path in paths for actor in _actors(read_json(path))]
        if not found:
            raise Refusal("pack-import/empty", f"{source} contains no actors.", file=str(source))
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
        """Every spell once, with the first actor that has it."""
        found: dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {}
        for actor in self._actors.values():
            for item in filter(is_spell, actor["items"]):
                found.setdefault(shortened(str(item.get("name"))), (item, actor))
        return found

    def spells(self) -> Sequence[str]:
        return list(self._spells)

    def spell(self, id: str) -> SpellBlock:
        item, actor = self._spells[id]
        return spell_of(item, _numbers(actor))


def _actors(data: Any) -> Iterator[Mapping[str, Any]]:
    for one in data if isinstance(data, list) else [data]:
        if isinstance(one, Mapping) and one.get("type") in _KINDS and isinstance(one.get("items"), list):
            system = one.get("system", one.get("data"))
            if isinstance(system, Mapping) and isinstance(system.get("abilities"), Mapping) and one.get("name"):
                yield one


def _origin(actors: list[Mapping[str, Any]], source: Path) -> BlockOrigin:
    said = [_source(actor["system"]) for actor in actors]
    known = [one for one in said if isinstance(one, Mapping)]
    books = sorted({str(one.get("book") or one.get("custom")) for one in known if one.get("book") or one.get("custom")})
    terms = sorted({str(one["license"]) for one in known if one.get("license")})
    return BlockOrigin(", ".join(books)[:200] or f"Foundry: {source.stem}", " or ".join(terms))


def _source(system: Mapping[str, Any]) -> Any:
    details = system.get("details")
    return system.get("source") or (details.get("source") if isinstance(details, Mapping) else None)


def _numbers(actor: Mapping[str, Any]) -> ActorNumbers:
    levels = sum(statistics.classes(actor).values()) if actor["type"] == "character" else 0
    return ActorNumbers(statistics.with_defaults(actor), max(1, levels) if actor["type"] == "character" else 0)


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

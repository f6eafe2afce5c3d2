"""Spells among the items of an actor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from combatlog.rules.statblocks.block import Spell
from combatlog.rules.statblocks.formulas import whole, whole_if_any
from combatlog.rules.statblocks.foundry.deeds import Deed, deeds_of, properties
from combatlog.rules.statblocks.foundry.numbers import Numbers
from combatlog.rules.statblocks.foundry.prose import Described
from combatlog.rules.statblocks.markup import shortened

_CASTINGS = {"action": "action", "bonus": "bonus action", "reaction": "reaction"}
_ENDED = re.compile(r"(?:Using a Higher-Level Spell Slot|At Higher Levels|Cantrip Upgrade)\.?\s*", re.IGNORECASE)
_SHAPES = {"radius": "sphere", "square": "cube"}


def is_spell(item: Any) -> bool:
    return isinstance(item, Mapping) and item.get("type") == "spell" and isinstance(item.get("system"), Mapping)


def spell_of(item: Mapping[str, Any], numbers: Numbers) -> Spell:
    system, deeds = item["system"], deeds_of(item, numbers)
    text, _, higher = _split(Described(item, "the caster", numbers, deeds, {}).text)
    deed = next((deed for deed in deeds if deed.kind in ("attack", "save", "heal", "damage")), None)
    duration = _part(system, "duration")
    template = _template(system, deed)
    return Spell(
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


def _effect(deed: Deed | None, level: int) -> dict[str, Any]:
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


def _template(system: Mapping[str, Any], deed: Deed | None) -> tuple[str | None, int | None]:
    """Of the spell, or of what it does; older items have both in the target itself."""
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


# Which of them an actor has, and how often


def listed(items: list[Any], numbers: Numbers) -> dict[str, int | None]:
    """The spells that an actor can cast, with how often a day: 0 at will, None if they take slots or are cantrips."""
    spells = [item for item in items if is_spell(item)]
    prepared = [one["system"] for one in spells if _is_prepared(one["system"])]
    prepares = numbers.levels > 0 and any(whole(system.get("level")) for system in prepared)
    return {str(item["name"]): how for item in spells for how in _how_often(item, numbers, prepares)}


def _how_often(item: Mapping[str, Any], numbers: Numbers, prepares: bool) -> Iterator[int | None]:
    """Whoever prepares spells can cast only those; others cast all that they know."""
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

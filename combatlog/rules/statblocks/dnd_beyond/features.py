"""Features and actions of a character of D&D Beyond as paragraphs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from combatlog.rules.statblocks.block import Paragraph, Part, paragraph
from combatlog.rules.statblocks.dnd_beyond.modifiers import BY_ID, Sheet, entries
from combatlog.rules.statblocks.formulas import added_up, whole
from combatlog.rules.statblocks.markup import text_of
from combatlog.rules.statblocks.phrases import Amount, Ordeal

_ACTIVATIONS = {1: Part.ACTION, 3: Part.BONUS_ACTION, 4: Part.REACTION}
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


def paragraphs(sheet: Sheet) -> Iterator[Paragraph]:
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


def _actions(sheet: Sheet) -> Iterator[Mapping[str, Any]]:
    found = sheet.data.get("actions")
    for origin in ("race", "class", "feat", "background"):
        yield from entries(found, origin) if isinstance(found, Mapping) else ()


def _features(sheet: Sheet) -> Iterator[Mapping[str, Any]]:
    """Traits of the species, features of classes that its level has, feats, and what was chosen among options."""
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


def _paragraph(sheet: Sheet, name: str, text: str, action: Mapping[str, Any] | None) -> Paragraph:
    if action is None:
        return paragraph(Part.TRAIT, name, text)
    activation = action.get("activation")
    how = whole(activation.get("activationType")) if isinstance(activation, Mapping) else 0
    saved = _ordeal(sheet, action)
    said = f"{text} {saved.sentence()}" if saved is not None else text
    return paragraph(_ACTIVATIONS.get(how, Part.TRAIT), name, said, **_usage(sheet, action))


def _usage(sheet: Sheet, action: Mapping[str, Any]) -> dict[str, Any]:
    limited = action.get("limitedUse")
    if not isinstance(limited, Mapping):
        return {}
    ability = BY_ID.get(whole(limited.get("statModifierUsesId")))
    uses = whole(limited.get("maxUses")) + (sheet.modifier(ability) if ability else 0)
    uses += sheet.proficiency if limited.get("useProficiencyBonus") else 0
    return {"uses": max(1, uses), "per_rest": limited.get("resetType") == _SHORT_REST}


def _ordeal(sheet: Sheet, action: Mapping[str, Any]) -> Ordeal | None:
    ability = BY_ID.get(whole(action.get("saveStatId")))
    if ability is None:
        return None
    own = BY_ID.get(whole(action.get("abilityModifierStatId")))
    dc = whole(action.get("fixedSaveDc")) or 8 + sheet.proficiency + (sheet.modifier(own) if own else 0)
    span = action.get("range") if isinstance(action.get("range"), Mapping) else {}
    assert isinstance(span, Mapping)
    shape, size = _AREAS.get(whole(span.get("aoeType"))), whole(span.get("aoeSize"))
    return Ordeal(
        ability,
        dc,
        tuple(_damage(action)),
        area=f"{size}-foot {shape}" if shape and size else "",
        range=whole(span.get("range")) or None,
    )


def _damage(action: Mapping[str, Any]) -> Iterator[Amount]:
    dice = action.get("dice")
    written = added_up(str(dice.get("diceString") or "")) if isinstance(dice, Mapping) else ""
    kind = _DAMAGE_TYPES.get(whole(action.get("damageTypeId")))
    if written and kind:
        yield Amount(written, kind)

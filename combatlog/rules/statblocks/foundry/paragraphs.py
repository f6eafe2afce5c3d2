"""Items of an actor as paragraphs of a stat block."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from combatlog.rules.statblocks.block import Paragraph, Part, paragraph
from combatlog.rules.statblocks.formulas import whole, whole_if_any
from combatlog.rules.statblocks.foundry.deeds import Deed, deeds_of, properties
from combatlog.rules.statblocks.foundry.numbers import Numbers
from combatlog.rules.statblocks.foundry.prose import Described

_PARTS = {
    "action": Part.ACTION,
    "bonus": Part.BONUS_ACTION,
    "reaction": Part.REACTION,
    "legendary": Part.LEGENDARY,
    "lair": Part.LAIR,
}
_TYPES = ("feat", "weapon")
_PERIODS = ("day", "lr", "dawn", "dusk")
BASE_WEAPONS = {
    "handcrossbow": "hand crossbow", "heavycrossbow": "heavy crossbow", "lightcrossbow": "light crossbow",
    "lighthammer": "light hammer", "warpick": "war pick", "unarmed": "unarmed strike",
}  # fmt: skip


def paragraphs_of(actor: Mapping[str, Any], numbers: Numbers) -> Iterator[Paragraph]:
    items = [item for item in actor["items"] if isinstance(item, Mapping) and isinstance(item.get("system"), Mapping)]
    names = {str(item.get("_id")): str(item.get("name")) for item in items}
    for item in items:
        if _is_shown(item):
            made = Described(item, str(actor["name"]), numbers, deeds_of(item, numbers), names)
            yield _paragraph(made)


def _is_shown(item: Mapping[str, Any]) -> bool:
    """Gear is none of a stat block's paragraphs, except what one fights with, or drinks in a fight."""
    name = str(item.get("name") or "")
    if item.get("type") == "consumable":
        return name.lower().startswith("potion of healing") and not re.search(r"greater|superior|supreme", name.lower())
    return item.get("type") in _TYPES and name != "Legendary Actions"


def _paragraph(made: Described) -> Paragraph:
    part, deed = _part(made)
    known: dict[str, Any] = {"cost": deed.cost if deed is not None and part is Part.LEGENDARY else 1}
    name = str(made.item["name"])
    if name.lower().startswith("legendary resistance"):
        known["uses"] = whole_if_any(made.numbers.at("resources.legres.max")) or None
    return paragraph(part, name, _text(made), **{**_usage(made), **known}, weapon=_base_weapon(made.item))


def _part(made: Described) -> tuple[Part, Deed | None]:
    deed = next((deed for deed in made.deeds if deed.activation in _PARTS), None)
    if "trait" in properties(made.item):
        return Part.TRAIT, deed
    if deed is not None:
        return _PARTS[deed.activation], deed
    fights = made.item.get("type") == "weapon" and any(deed.kind == "attack" for deed in made.deeds)
    return Part.ACTION if fights else Part.TRAIT, None


def _base_weapon(item: Mapping[str, Any]) -> str | None:
    kind = item["system"].get("type")
    base = str(kind.get("baseItem") or "") if isinstance(kind, Mapping) else str(item["system"].get("baseItem") or "")
    return BASE_WEAPONS.get(base, base) or None if item.get("type") == "weapon" else None


# How often


def _usage(made: Described) -> dict[str, Any]:
    system = made.item["system"]
    recharge, uses = system.get("recharge"), system.get("uses")
    if isinstance(recharge, Mapping) and whole(recharge.get("value")):
        return {"recharge": whole(recharge["value"]), "uses": 1}
    return _uses(uses, made.numbers) if isinstance(uses, Mapping) else {}


def _uses(uses: Mapping[str, Any], numbers: Numbers) -> dict[str, Any]:
    most = numbers.number(uses.get("max"))
    if not most:
        return {}
    recovery = uses.get("recovery")
    ways = [one for one in recovery if isinstance(one, Mapping)] if isinstance(recovery, list) else []
    periods = [(one.get("period"), one.get("formula")) for one in ways]
    for period, formula in [*periods, (uses.get("per"), None)]:
        if period == "recharge":
            return {"recharge": whole(formula, 6), "uses": most}
        if period == "sr":
            return {"uses": most, "per_rest": True}
        if period in _PERIODS:
            return {"uses": most}
    return {"uses": most} if not periods else {}


# What it says


def _is_plain_weapon(item: Mapping[str, Any]) -> bool:
    """An ordinary weapon, whose description tells what it looks like unless it has the phrases of a stat block."""
    description = str((item["system"].get("description") or {}).get("value") or "")
    has_phrases = re.search(r"\[\[/|to hit|DC \d|Hit:", description)
    return bool(_base_weapon(item)) and "mgc" not in properties(item) and not has_phrases


def _text(made: Described) -> str:
    """Its description. What only its fields say is said in the phrases of stat blocks."""
    text = "" if _is_plain_weapon(made.item) else made.text
    attack = next((deed for deed in made.deeds if deed.kind == "attack"), None)
    save = next((deed for deed in made.deeds if deed.kind == "save" and deed.ability), None)
    heal = next((deed for deed in made.deeds if deed.kind == "heal" and deed.healing), None)
    if attack is not None and not re.search(r"attack(?: roll)?: ?[+-]?\d", text, re.IGNORECASE):
        text = f"{attack.strike.sentences} {text}"
    if save is not None and not re.search(r"DC \d+ \w+|Saving Throw: DC", text):
        text = f"{text} {save.ordeal.sentence(follows_a_hit=attack is not None)}"
    if heal is not None and "hit points" not in text.lower():
        text = f"{text} It regains {heal.healing} hit points."
    return text.strip()

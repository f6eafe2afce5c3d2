"""The items of a Foundry actor as stat block paragraphs, in the phrases of printed ones.

References that Foundry inserts into descriptions are replaced by their values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from combatlog.importers.statblocks.foundry_activities import ActorNumbers, ItemActivity, item_activities, properties
from combatlog.importers.statblocks.stat_block import (
    ABILITIES,
    DamageAmount,
    Paragraph,
    StatBlockPart,
    averaged,
    damage_phrase,
    paragraph,
)
from combatlog.importers.statblocks.stat_block_formats import text_of, whole, whole_if_any

_INSERTED = re.compile(r"\[\[\s*/?(?P<what>\w+)(?P<rest>[^\[\]]*)\]\](?:\{(?P<label>[^{}]*)\})?")
_LINKED = re.compile(r"(?:@(?P<kind>\w+)|&Reference)\[(?P<rest>[^\[\]]*)\](?:\{(?P<label>[^{}]*)\})?")
_UNSAID = re.compile(r"(?P<way>melee|ranged) (?:weapon|spell) attack: ?\+\d+ to hit,[ ,]*(?=\d+ ?ft)", re.IGNORECASE)
"""Older descriptions give a distance without saying whether it is a reach or a range."""
_SPANS = {"melee": "reach", "ranged": "range"}
_DAMAGE_TYPES = (
    "acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison", "psychic",
    "radiant", "slashing", "thunder",
)  # fmt: skip


@dataclass(frozen=True)
class ItemDescription:
    """An item and everything that its description can refer to."""

    item: Mapping[str, Any]
    owner: str
    numbers: ActorNumbers
    deeds: Sequence[ItemActivity]
    names: Mapping[str, str]
    """The names of all the actor's items, by id."""

    @property
    def text(self) -> str:
        description = self.item["system"].get("description")
        written = description.get("value") if isinstance(description, Mapping) else description
        return self.expanded(text_of(str(written or "")))

    def expanded(self, text: str) -> str:
        inserted = _INSERTED.sub(self._insert, text)
        linked = _LINKED.sub(_link, inserted)
        repaired = _UNSAID.sub(lambda found: f"{found[0]}{_SPANS[found['way'].lower()]} ", linked)
        return re.sub(r" +([.,])", r"\1", re.sub(r"[ \t]+", " ", repaired)).strip()

    def _insert(self, found: re.Match[str]) -> str:
        make = _INSERTS.get(found["what"].lower())
        if make is None:
            return found["label"] or f"{found['what']}{found['rest']}".strip()
        return make(self, _Request.read(found["rest"]), found["label"] or "")

    def deed(self, request: _Request, *kinds: str) -> ItemActivity | None:
        """The requested activity, or the first of these kinds."""
        named = request.options.get("activity")
        if named is not None:
            return next((deed for deed in self.deeds if deed.id == named), None)
        return next((deed for deed in self.deeds if deed.kind in kinds), None)


@dataclass(frozen=True)
class _Request:
    """The arguments in the brackets after the name of an insertion."""

    words: tuple[str, ...]
    options: Mapping[str, str]

    @classmethod
    def read(cls, text: str) -> _Request:
        parts = text.strip().split()
        options = dict(part.split("=", 1) for part in parts if "=" in part)
        return cls(tuple(part for part in parts if "=" not in part), options)

    def asks(self, word: str) -> bool:
        return word in self.words or self.options.get("format") == word or self.options.get(word) == "true"


# Insertions


def _attack(text: ItemDescription, request: _Request, label: str) -> str:
    deed = text.deed(request, "attack")
    if deed is None:
        return " ".join(request.words)
    return deed.strike.phrase if request.asks("extended") else f"{deed.to_hit:+d} to hit"


def _damage(text: ItemDescription, request: _Request, label: str) -> str:
    written = _written_damage(text, request)
    if written:
        return label or damage_phrase(written)
    deed = text.deed(request, "attack", "damage", "save")
    amounts = deed.damage if deed is not None else ()
    if deed is not None and ("twoHanded" in request.words or request.options.get("attackMode") == "twoHanded"):
        amounts = deed.two_handed or amounts
    if not amounts:
        return label
    return f"Hit: {damage_phrase(amounts)} damage" if request.asks("extended") else damage_phrase(amounts)


def _written_damage(text: ItemDescription, request: _Request) -> list[DamageAmount]:
    """Dice and types given in the brackets themselves; several amounts are separated by `&`."""
    found: list[DamageAmount] = []
    for part in " ".join(request.words).split("&"):
        words = part.split()
        dice = text.numbers.dice("".join(word for word in words if re.search(r"[\d@+-]", word)))
        kind = request.options.get("type") or next((word for word in words if word.lower() in _DAMAGE_TYPES), "")
        if dice:
            found.append(DamageAmount(dice, kind.lower()))
    return found


def _heal(text: ItemDescription, request: _Request, label: str) -> str:
    written = _written_damage(text, request)
    deed = text.deed(request, "heal")
    dice = written[0].dice if written else deed.healing if deed is not None else ""
    return label or averaged(dice)


def _save(text: ItemDescription, request: _Request, label: str) -> str:
    ability = next((word for word in request.words if word.lower()[:3] in ABILITIES), request.options.get("ability"))
    dc = request.options.get("dc") or next((word for word in request.words if word.isdigit()), None)
    long = " saving throw" if request.asks("long") else ""
    if ability is not None and dc is not None:
        return f"DC {text.numbers.number(dc) or dc} {ABILITIES[ability.lower()[:3]].capitalize()}{long}"
    deed = text.deed(request, "save")
    return f"{deed.ordeal.phrase}{long}" if deed is not None else label


def _check(text: ItemDescription, request: _Request, label: str) -> str:
    deed = text.deed(request, "check")
    words = [ABILITIES.get(word.lower(), word).capitalize() for word in request.words if not word.isdigit()]
    dc = request.options.get("dc") or next((word for word in request.words if word.isdigit()), None)
    if deed is not None and not words:
        return f"DC {deed.dc} {ABILITIES.get(deed.ability or '', '').capitalize()}"
    return label or " ".join([*([f"DC {dc}"] if dc else []), *words])


def _item(text: ItemDescription, request: _Request, label: str) -> str:
    named = " ".join(request.words)
    return label or text.names.get(named.lstrip("."), named)


def _lookup(text: ItemDescription, request: _Request, label: str) -> str:
    path = next((word for word in request.words if word.startswith("@")), "@")[1:]
    lower = "lowercase" in request.words
    if path == "name":
        return text.owner.lower() if lower else text.owner
    deed = text.deed(request, "attack", "save")
    if path == "save.dc.value" and deed is not None:
        return str(deed.dc)
    if deed is not None and "activity" in request.options and (found := _at(deed.fields, path)) is not None:
        return str(found)
    value = text.numbers.named(path)
    return str(value) if value else label


def _at(fields: Mapping[str, Any], path: str) -> Any:
    found: Any = fields
    for step in path.split("."):
        found = found.get(step) if isinstance(found, Mapping) else None
    return None if isinstance(found, Mapping) else found


def _roll(text: ItemDescription, request: _Request, label: str) -> str:
    return label or text.numbers.dice("".join(request.words)) or " ".join(request.words)


_INSERTS: dict[str, Callable[[ItemDescription, _Request, str], str]] = {
    "attack": _attack,
    "damage": _damage,
    "heal": _heal,
    "healing": _heal,
    "save": _save,
    "concentration": _save,
    "check": _check,
    "skill": _check,
    "item": _item,
    "lookup": _lookup,
    "r": _roll,
    "roll": _roll,
}


def _link(found: re.Match[str]) -> str:
    if found["kind"] == "Embed":
        return ""
    if found["label"]:
        return found["label"]
    words = [part for part in found["rest"].split() if not part.startswith("apply=")]
    return "" if found["kind"] else " ".join(word.rpartition("=")[2] for word in words)


_PARTS = {
    "action": StatBlockPart.ACTION,
    "bonus": StatBlockPart.BONUS_ACTION,
    "reaction": StatBlockPart.REACTION,
    "legendary": StatBlockPart.LEGENDARY,
    "lair": StatBlockPart.LAIR,
}
_TYPES = ("feat", "weapon")
_PERIODS = ("day", "lr", "dawn", "dusk")
BASE_WEAPONS = {
    "handcrossbow": "hand crossbow", "heavycrossbow": "heavy crossbow", "lightcrossbow": "light crossbow",
    "lighthammer": "light hammer", "warpick": "war pick", "unarmed": "unarmed strike",
}  # fmt: skip


def paragraphs_of(actor: Mapping[str, Any], numbers: ActorNumbers) -> Iterator[Paragraph]:
    items = [item for item in actor["items"] if isinstance(item, Mapping) and isinstance(item.get("system"), Mapping)]
    names = {str(item.get("_id")): str(item.get("name")) for item in items}
    for item in items:
        if _is_shown(item):
            made = ItemDescription(item, str(actor["name"]), numbers, item_activities(item, numbers), names)
            yield _paragraph(made)


def _is_shown(item: Mapping[str, Any]) -> bool:
    """Whether an item becomes a paragraph. Gear does not, except weapons and healing potions."""
    name = str(item.get("name") or "")
    if item.get("type") == "consumable":
        return name.lower().startswith("potion of healing") and not re.search(r"greater|superior|supreme", name.lower())
    return item.get("type") in _TYPES and name != "Legendary Actions"


def _paragraph(made: ItemDescription) -> Paragraph:
    part, deed = _part(made)
    known: dict[str, Any] = {"cost": deed.cost if deed is not None and part is StatBlockPart.LEGENDARY else 1}
    name = str(made.item["name"])
    if name.lower().startswith("legendary resistance"):
        known["uses"] = whole_if_any(made.numbers.at("resources.legres.max")) or None
    return paragraph(part, name, _text(made), **{**_usage(made), **known}, weapon=_base_weapon(made.item))


def _part(made: ItemDescription) -> tuple[StatBlockPart, ItemActivity | None]:
    deed = next((deed for deed in made.deeds if deed.activation in _PARTS), None)
    if "trait" in properties(made.item):
        return StatBlockPart.TRAIT, deed
    if deed is not None:
        return _PARTS[deed.activation], deed
    fights = made.item.get("type") == "weapon" and any(deed.kind == "attack" for deed in made.deeds)
    return StatBlockPart.ACTION if fights else StatBlockPart.TRAIT, None


def _base_weapon(item: Mapping[str, Any]) -> str | None:
    kind = item["system"].get("type")
    base = str(kind.get("baseItem") or "") if isinstance(kind, Mapping) else str(item["system"].get("baseItem") or "")
    return BASE_WEAPONS.get(base, base) or None if item.get("type") == "weapon" else None


# Uses


def _usage(made: ItemDescription) -> dict[str, Any]:
    system = made.item["system"]
    recharge, uses = system.get("recharge"), system.get("uses")
    if isinstance(recharge, Mapping) and whole(recharge.get("value")):
        return {"recharge": whole(recharge["value"]), "uses": 1}
    return _uses(uses, made.numbers) if isinstance(uses, Mapping) else {}


def _uses(uses: Mapping[str, Any], numbers: ActorNumbers) -> dict[str, Any]:
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


# Text


def _is_plain_weapon(item: Mapping[str, Any]) -> bool:
    """Whether it is an ordinary weapon with a description that does not have the phrases of a stat block."""
    description = str((item["system"].get("description") or {}).get("value") or "")
    has_phrases = re.search(r"\[\[/|to hit|DC \d|Hit:", description)
    return bool(_base_weapon(item)) and "mgc" not in properties(item) and not has_phrases


def _text(made: ItemDescription) -> str:
    """The item's description. Information from fields alone is added in the phrases of stat blocks."""
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

"""The descriptions of items in the phrases of printed stat blocks: what Foundry inserts into them is worked out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from combatlog.rules.statblocks.block import ABILITIES
from combatlog.rules.statblocks.foundry.deeds import Deed
from combatlog.rules.statblocks.foundry.numbers import Numbers
from combatlog.rules.statblocks.markup import text_of
from combatlog.rules.statblocks.phrases import Amount, averaged, damage_phrase

_INSERTED = re.compile(r"\[\[\s*/?(?P<what>\w+)(?P<rest>[^\[\]]*)\]\](?:\{(?P<label>[^{}]*)\})?")
_LINKED = re.compile(r"(?:@(?P<kind>\w+)|&Reference)\[(?P<rest>[^\[\]]*)\](?:\{(?P<label>[^{}]*)\})?")
_UNSAID = re.compile(r"(?P<way>melee|ranged) (?:weapon|spell) attack: ?\+\d+ to hit,[ ,]*(?=\d+ ?ft)", re.IGNORECASE)
"""Older descriptions give a distance without saying what it is."""
_SPANS = {"melee": "reach", "ranged": "range"}
_DAMAGE_TYPES = (
    "acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison", "psychic",
    "radiant", "slashing", "thunder",
)  # fmt: skip


@dataclass(frozen=True)
class Described:
    """An item and everything that its description may refer to."""

    item: Mapping[str, Any]
    owner: str
    numbers: Numbers
    deeds: Sequence[Deed]
    names: Mapping[str, str]
    """The names of all items of the actor by id."""

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

    def deed(self, request: _Request, *kinds: str) -> Deed | None:
        """The activity that is asked for, or the first of these kinds."""
        named = request.options.get("activity")
        if named is not None:
            return next((deed for deed in self.deeds if deed.id == named), None)
        return next((deed for deed in self.deeds if deed.kind in kinds), None)


@dataclass(frozen=True)
class _Request:
    """What stands in the brackets after the name of an insertion."""

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


def _attack(text: Described, request: _Request, label: str) -> str:
    deed = text.deed(request, "attack")
    if deed is None:
        return " ".join(request.words)
    return deed.strike.phrase if request.asks("extended") else f"{deed.to_hit:+d} to hit"


def _damage(text: Described, request: _Request, label: str) -> str:
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


def _written_damage(text: Described, request: _Request) -> list[Amount]:
    """Dice and types that stand in the brackets themselves; several amounts are separated by `&`."""
    found: list[Amount] = []
    for part in " ".join(request.words).split("&"):
        words = part.split()
        dice = text.numbers.dice("".join(word for word in words if re.search(r"[\d@+-]", word)))
        kind = request.options.get("type") or next((word for word in words if word.lower() in _DAMAGE_TYPES), "")
        if dice:
            found.append(Amount(dice, kind.lower()))
    return found


def _heal(text: Described, request: _Request, label: str) -> str:
    written = _written_damage(text, request)
    deed = text.deed(request, "heal")
    dice = written[0].dice if written else deed.healing if deed is not None else ""
    return label or averaged(dice)


def _save(text: Described, request: _Request, label: str) -> str:
    ability = next((word for word in request.words if word.lower()[:3] in ABILITIES), request.options.get("ability"))
    dc = request.options.get("dc") or next((word for word in request.words if word.isdigit()), None)
    long = " saving throw" if request.asks("long") else ""
    if ability is not None and dc is not None:
        return f"DC {text.numbers.number(dc) or dc} {ABILITIES[ability.lower()[:3]].capitalize()}{long}"
    deed = text.deed(request, "save")
    return f"{deed.ordeal.phrase}{long}" if deed is not None else label


def _check(text: Described, request: _Request, label: str) -> str:
    deed = text.deed(request, "check")
    words = [ABILITIES.get(word.lower(), word).capitalize() for word in request.words if not word.isdigit()]
    dc = request.options.get("dc") or next((word for word in request.words if word.isdigit()), None)
    if deed is not None and not words:
        return f"DC {deed.dc} {ABILITIES.get(deed.ability or '', '').capitalize()}"
    return label or " ".join([*([f"DC {dc}"] if dc else []), *words])


def _item(text: Described, request: _Request, label: str) -> str:
    named = " ".join(request.words)
    return label or text.names.get(named.lstrip("."), named)


def _lookup(text: Described, request: _Request, label: str) -> str:
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


def _roll(text: Described, request: _Request, label: str) -> str:
    return label or text.numbers.dice("".join(request.words)) or " ".join(request.words)


_INSERTS: dict[str, Callable[[Described, _Request, str], str]] = {
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

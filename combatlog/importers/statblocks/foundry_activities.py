"""The activities of a Foundry item, with the numbers of its owner worked out.

The dnd5e system has had activities since 4.0; older items have fields instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from combatlog.importers.statblocks.stat_block import ABILITIES, AttackPhrase, DamageAmount, SavePhrase
from combatlog.importers.statblocks.stat_block_formats import added_up, whole, whole_if_any

_REFERENCE = re.compile(r"@([A-Za-z][\w.-]*)")
_FLAVOR = re.compile(r"\[[^\]]*\]")


@dataclass(frozen=True)
class ActorNumbers:
    """An actor's scores and the values derived from them."""

    system: Mapping[str, Any]
    levels: int
    """The level of a character; 0 for a monster."""

    def score(self, ability: str) -> int:
        return whole(self.at(f"abilities.{ability}.value"), 10)

    def modifier(self, ability: str | None) -> int:
        return (self.score(ability) - 10) // 2 if ability in ABILITIES else 0

    @cached_property
    def cr(self) -> float | None:
        rating = self.at("details.cr")
        return float(rating) if isinstance(rating, int | float) else None

    @cached_property
    def proficiency(self) -> int:
        return (max(self.levels or self.cr or 0, 1).__floor__() + 7) // 4

    @property
    def spell_ability(self) -> str | None:
        named = self.at("attributes.spellcasting")
        return str(named) if named in ABILITIES else None

    def difficulty(self, ability: str | None) -> int:
        """The DC of saves against effects that use an ability."""
        return 8 + self.proficiency + self.modifier(ability)

    def at(self, path: str) -> Any:
        found: Any = self.system
        for step in path.split("."):
            found = found.get(step) if isinstance(found, Mapping) else None
        return found

    def named(self, path: str, ability: str | None = None) -> int | None:
        """The value of `@path` in a formula; None if the actor does not have it."""
        if path == "mod":
            return self.modifier(ability)
        if path in ("prof", "attributes.prof"):
            return self.proficiency
        if path == "details.level":
            return self.levels
        if path in ("attributes.spell.dc", "attributes.spelldc"):
            return self.difficulty(self.spell_ability)
        if path in ("attributes.spell.mod", "attributes.spellmod"):
            return self.modifier(self.spell_ability)
        if found := re.fullmatch(r"abilities\.(\w+)\.(mod|dc)", path):
            return self.modifier(found[1]) if found[2] == "mod" else self.difficulty(found[1])
        return whole_if_any(self.at(path))

    def dice(self, formula: object, ability: str | None = None) -> str:
        """A formula in simple notation, such as `2d6+5`; empty if that is impossible."""
        text = _FLAVOR.sub("", str(formula if formula is not None else ""))
        known = _REFERENCE.sub(lambda found: str(self.named(found[1], ability)), text)
        return added_up(known) if "None" not in known else ""

    def number(self, formula: object, ability: str | None = None) -> int | None:
        """The value of a formula without dice; None for any other."""
        return whole_if_any(self.dice(formula, ability))


_RANGED = ("simpleR", "martialR")
_KINDS = {
    "mwak": "attack", "rwak": "attack", "msak": "attack", "rsak": "attack", "save": "save", "heal": "heal",
    "util": "utility", "other": "damage", "abil": "check", "ench": "utility", "summ": "utility",
}  # fmt: skip
_SHAPES = {
    "cone": "cone", "line": "line", "cube": "cube", "square": "cube", "sphere": "sphere", "radius": "sphere",
    "cylinder": "cylinder",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ItemActivity:
    """One activity of an item, with its owner's values filled in."""

    id: str
    kind: str
    """`attack`, `save`, `damage`, `heal`, `check`, `cast`, `utility` and others."""
    activation: str = ""
    """`action`, `bonus`, `reaction`, `legendary`, `lair`, `special`, or nothing."""
    cost: int = 1
    ways: tuple[str, ...] = ()
    """For attacks: `melee`, `ranged` or both."""
    by_spell: bool = False
    to_hit: int = 0
    reach: int = 5
    range: tuple[int, int] | None = None
    damage: tuple[DamageAmount, ...] = ()
    two_handed: tuple[DamageAmount, ...] = ()
    """The damage of a versatile weapon used with two hands."""
    healing: str = ""
    ability: str | None = None
    """The ability of the save or check."""
    dc: int = 0
    halved: bool = False
    shape: str = ""
    size: int = 0
    conditions: tuple[str, ...] = ()
    """The conditions that its effects give to a target."""
    fields: Mapping[str, Any] = field(default_factory=dict)

    @property
    def strike(self) -> AttackPhrase:
        return AttackPhrase(self.to_hit, self.damage, self.ways, self.by_spell, self.reach, self.range)

    @property
    def ordeal(self) -> SavePhrase:
        shape = _SHAPES.get(self.shape)
        area = f"{self.size}-foot {shape}" if shape and self.size else ""
        far = self.range[0] if self.range is not None else None
        return SavePhrase(self.ability or "", self.dc, self.damage, self.halved, area, far, self.conditions)


def item_activities(item: Mapping[str, Any], numbers: ActorNumbers) -> list[ItemActivity]:
    system = item.get("system") or {}
    activities = system.get("activities")
    if isinstance(activities, Mapping) and activities:
        return [_activity(id, one, item, numbers) for id, one in activities.items() if isinstance(one, Mapping)]
    if system.get("actionType") in _KINDS or _part(system, "activation").get("type"):
        return [_activity("", older(item), item, numbers)]
    return []


def older(item: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an item of 3.x in the form of an activity."""
    system = item["system"]
    action, save = str(system.get("actionType") or "util"), _part(system, "save")
    target, activation = _part(system, "target"), _part(system, "activation")
    parts = [_written(part) for part in _part(system, "damage").get("parts") or ()]
    dc_from = {"flat": "", "spell": "spellcasting"}.get(str(save.get("scaling")), save.get("scaling"))
    kind = _KINDS.get(action, "utility")
    return {
        "type": kind,
        "activation": {"type": activation.get("type"), "value": activation.get("cost")},
        "attack": {
            "ability": system.get("ability"),
            "bonus": _part(system, "attack").get("bonus") or system.get("attackBonus"),
            "flat": _part(system, "attack").get("flat"),
            "type": {
                "value": "ranged" if action.startswith("r") else "melee",
                "classification": "spell" if action.endswith("sak") else "weapon",
            },
        },
        "save": {
            "ability": [save.get("ability")],
            "dc": {"calculation": dc_from, "formula": str(save.get("dc") or "")},
        },
        "damage": {"parts": parts, "onSave": "half", "includeBase": False},
        "healing": parts[0] if parts and kind == "heal" else {},
        "range": _part(system, "range"),
        "target": {"template": {"type": target.get("type"), "size": target.get("value")}},
    }


def _written(part: Any) -> dict[str, Any]:
    """`["2d6 + @mod", "fire"]`."""
    formula, kind = [*part, "", ""][:2] if isinstance(part, list | tuple) else ("", "")
    return {"custom": {"enabled": True, "formula": formula}, "types": [kind] if kind else []}


def _part(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = data.get(name)
    return found if isinstance(found, Mapping) else {}


def _activity(id: str, activity: Mapping[str, Any], item: Mapping[str, Any], numbers: ActorNumbers) -> ItemActivity:
    kind = str(activity.get("type") or "utility")
    activation = _part(activity, "activation")
    template = _part(_part(activity, "target"), "template")
    known: dict[str, Any] = {}
    if kind == "attack":
        known = _attack(activity, item, numbers)
    elif kind in ("save", "damage"):
        known = _save(activity, item, numbers)
    elif kind == "heal":
        known = {"healing": _amount(_part(activity, "healing"), numbers, _default_ability(item, numbers)).dice}
    elif kind == "check":
        check = _part(activity, "check")
        known = {
            "ability": check.get("ability"),
            "dc": numbers.number(_part(check, "dc").get("formula")) or 0,
        }
    return ItemActivity(
        id=id,
        kind=kind,
        activation=str(activation.get("type") or ""),
        cost=whole(activation.get("value"), 1) or 1,
        shape=str(template.get("type") or ""),
        size=numbers.number(template.get("size")) or 0,
        conditions=tuple(_conditions(activity, item)),
        fields=activity,
        **known,
    )


# Attacks


def _attack(activity: Mapping[str, Any], item: Mapping[str, Any], numbers: ActorNumbers) -> dict[str, Any]:
    system, attack = item["system"], _part(activity, "attack")
    kind = _part(attack, "type")
    ways, by_spell = _ways(str(kind.get("value") or ""), item), kind.get("classification") == "spell"
    ability = _attack_ability(attack, item, numbers, ways, by_spell)
    bonus = numbers.number(attack.get("bonus"), ability) or 0
    magic = whole(system.get("magicalBonus")) if "mgc" in properties(item) else 0
    to_hit = bonus if attack.get("flat") else numbers.modifier(ability) + _proficiency(item, numbers) + bonus + magic
    spans = _part(system, "range") if item.get("type") == "weapon" else _part(activity, "range")
    return {
        "ways": ways,
        "by_spell": by_spell,
        "to_hit": to_hit,
        "damage": tuple(_attack_damage(activity, item, numbers, ability, magic)),
        "two_handed": tuple(_in_two_hands(item, numbers, ability, magic)),
        **_distances(activity, spans, ways, item),
    }


def _ways(said: str, item: Mapping[str, Any]) -> tuple[str, ...]:
    if item.get("type") != "weapon" or said == "ranged":
        return (said or "melee",)
    kind = _part(item["system"], "type").get("value")
    thrown = "thr" in properties(item) and whole(_part(item["system"], "range").get("value")) > 5
    if kind in _RANGED:
        return ("ranged",)
    return ("melee", "ranged") if thrown else ("melee",)


def _attack_ability(
    attack: Mapping[str, Any], item: Mapping[str, Any], numbers: ActorNumbers, ways: tuple[str, ...], by_spell: bool
) -> str | None:
    named = attack.get("ability") or item["system"].get("ability")
    if named == "none":
        return None
    if named in ABILITIES:
        return str(named)
    if by_spell or named == "spellcasting":
        return numbers.spell_ability
    return _default_ability(item, numbers, ways)


def _default_ability(item: Mapping[str, Any], numbers: ActorNumbers, ways: tuple[str, ...] = ("melee",)) -> str | None:
    if item.get("type") == "spell":
        return numbers.spell_ability
    natural = _part(item["system"], "type").get("value") == "natural"
    if "fin" in properties(item) or (natural and item.get("type") == "weapon"):
        return max("str", "dex", key=numbers.modifier)
    return "dex" if ways[0] == "ranged" else "str"


def properties(item: Mapping[str, Any]) -> set[str]:
    """The properties of an item: a list since 3.0, a table of booleans before."""
    found = item["system"].get("properties") or ()
    return {name for name, is_so in found.items() if is_so} if isinstance(found, Mapping) else set(found)


def _proficiency(item: Mapping[str, Any], numbers: ActorNumbers) -> int:
    if item.get("type") != "weapon" or not numbers.levels:
        return numbers.proficiency
    said = item["system"].get("proficient")
    if said is not None:
        return numbers.proficiency if said else 0
    trained = _part(_part(numbers.system, "traits"), "weaponProf").get("value") or ()
    kind = _part(item["system"], "type")
    group = {"simpleM": "sim", "simpleR": "sim", "martialM": "mar", "martialR": "mar"}.get(str(kind.get("value")))
    knows = group is None or group in trained or kind.get("baseItem") in trained
    return numbers.proficiency if knows else 0


def _attack_damage(
    activity: Mapping[str, Any], item: Mapping[str, Any], numbers: ActorNumbers, ability: str | None, magic: int
) -> Iterator[DamageAmount]:
    damage, base = _part(activity, "damage"), _part(_part(item["system"], "damage"), "base")
    if damage.get("includeBase", True) and base:
        natural = _part(item["system"], "type").get("value") == "natural"
        by_spell = _part(_part(activity, "attack"), "type").get("classification") == "spell"
        yield from _known([_base(base, numbers, ability, magic, with_ability=not (by_spell and natural))])
    yield from _known([_amount(part, numbers, ability) for part in damage.get("parts") or ()])


def _base(
    part: Mapping[str, Any], numbers: ActorNumbers, ability: str | None, magic: int, *, with_ability: bool
) -> DamageAmount:
    """A weapon's own damage. The ability modifier is added unless the formula includes it or there are no dice."""
    amount, formula = _amount(part, numbers, ability), _formula(part)
    added = numbers.modifier(ability) if with_ability and "@mod" not in formula and "d" in amount.dice else 0
    return DamageAmount(numbers.dice(f"{amount.dice}+{added + magic}") if amount.dice else "", amount.type)


def _in_two_hands(
    item: Mapping[str, Any], numbers: ActorNumbers, ability: str | None, magic: int
) -> Iterator[DamageAmount]:
    damage = _part(item["system"], "damage")
    written = damage.get("versatile")
    if "ver" not in properties(item) or not written:
        return
    kind = _amount(_part(damage, "base"), numbers, ability).type
    if isinstance(written, Mapping):
        made = _base({**written, "types": [kind]}, numbers, ability, magic, with_ability=True)
    else:
        made = DamageAmount(numbers.dice(written, ability), kind)
    yield from _known([made])


def _known(amounts: list[DamageAmount]) -> Iterator[DamageAmount]:
    yield from (amount for amount in amounts if amount.dice)


def _formula(part: Mapping[str, Any]) -> str:
    custom = _part(part, "custom")
    if custom.get("enabled") and custom.get("formula"):
        return str(custom["formula"])
    dice = f"{part['number']}d{part['denomination']}" if part.get("number") and part.get("denomination") else ""
    bonus = str(part.get("bonus") or "").strip()
    return f"{dice}+{bonus.lstrip('+')}" if dice and bonus else dice or bonus


def _amount(part: Mapping[str, Any], numbers: ActorNumbers, ability: str | None) -> DamageAmount:
    kinds = part.get("types") or ()
    return DamageAmount(numbers.dice(_formula(part), ability), str(next(iter(kinds), "")))


def _distances(
    activity: Mapping[str, Any], spans: Mapping[str, Any], ways: tuple[str, ...], item: Mapping[str, Any]
) -> dict[str, Any]:
    near = whole(spans.get("value"))
    known: dict[str, Any] = {}
    if "melee" in ways:
        reach = whole(spans.get("reach")) or (near if ways == ("melee",) else 0)
        known["reach"] = reach or (10 if "rch" in properties(item) and item.get("type") == "weapon" else 5)
    if "ranged" in ways and (near or whole(_part(activity, "range").get("value"))):
        near = near or whole(_part(activity, "range").get("value"))
        known["range"] = (near, whole(spans.get("long")) or near)
    return known


# Saves


def _save(activity: Mapping[str, Any], item: Mapping[str, Any], numbers: ActorNumbers) -> dict[str, Any]:
    save, damage = _part(activity, "save"), _part(activity, "damage")
    dc, said = _part(save, "dc"), save.get("ability")
    ability = next(iter(said), None) if isinstance(said, list) else said
    using = str(dc.get("calculation") or "")
    using = "spellcasting" if using == "initial" and item.get("type") == "spell" else using
    owner = numbers.spell_ability if using == "spellcasting" else using if using in ABILITIES else None
    fixed = numbers.number(dc.get("formula")) if owner is None else None
    named = item["system"].get("ability")
    far = whole(_part(activity, "range").get("value"))
    return {
        "range": (far, far) if far else None,
        "ability": ability if ability in ABILITIES else None,
        "dc": fixed or numbers.difficulty(owner),
        "damage": tuple(
            _known([_amount(part, numbers, owner or named or ability) for part in damage.get("parts") or ()])
        ),
        "halved": damage.get("onSave", "half") == "half",
    }


def _conditions(activity: Mapping[str, Any], item: Mapping[str, Any]) -> Iterator[str]:
    linked = {_part({"one": one}, "one").get("_id") for one in activity.get("effects") or ()}
    for effect in item.get("effects") or ():
        if isinstance(effect, Mapping) and effect.get("_id") in linked:
            yield from (str(status) for status in effect.get("statuses") or ())

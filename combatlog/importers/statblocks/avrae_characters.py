"""Characters of Avrae, one or many in a JSON file, with their attacks.

Attacks are written in the phrases of stat blocks, from their automation or, for older ones, from their fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from combatlog.importers.statblocks.stat_block import (
    ABILITIES,
    SPELL_ABILITIES,
    AttackPhrase,
    BlockOrigin,
    DamageAmount,
    Paragraph,
    SavePhrase,
    StatBlock,
    StatBlockPart,
    Training,
    hit_dice,
    paragraph,
    proficiency,
)
from combatlog.importers.statblocks.stat_block_formats import (
    Compendium,
    StatBlockFormat,
    added_up,
    peek_json,
    read_json,
    shortened,
    whole,
    whole_if_any,
)
from combatlog.rules.engine.refusal import Refusal

_TYPES = (
    "acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison", "psychic",
    "radiant", "slashing", "thunder",
)  # fmt: skip
_ANNOTATED = re.compile(r"([^\[\]]+)\[([^\]]*)\]")
_ROLLED_AGAIN = re.compile(r"(?<=\d)(?:rr|ro|ra|mi|ma|kh|kl|ph|pl|e)[hl<>]?\d+")
_RANGE = re.compile(r"(\d+) ?/ ?(\d+)")
_REACH = re.compile(r"reach[^\d]{0,3}(\d+)|(\d+) ?ft\.? reach", re.IGNORECASE)
_PROPERTIES = re.compile(
    r"finesse|light|heavy|thrown|versatile|two-handed|ammunition|loading|reach|range|special|monk|silvered|magical|ft|"
    r"[\d/().,;:\s+d-]|feet|melee|ranged|weapon|simple|martial|\bor\b|\band\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class AutomationScope:
    """The names that a character's formulas can use."""

    abilities: Mapping[str, int]
    proficiency: int
    level: int
    classes: Mapping[str, int]
    book: Mapping[str, Any]

    def modifier(self, ability: str) -> int:
        return (self.abilities.get(ability, 10) - 10) // 2

    @property
    def spell_modifier(self) -> int | None:
        said, bonus = whole_if_any(self.book.get("spell_mod")), whole_if_any(self.book.get("sab"))
        return said if said is not None else bonus - self.proficiency if bonus is not None else None

    def dice(self, formula: object) -> str:
        names = {f"{long}Mod": self.modifier(short) for short, long in ABILITIES.items()}
        names |= {long: self.abilities.get(short, 10) for short, long in ABILITIES.items()}
        names |= {f"{name.replace(' ', '')}Level": level for name, level in self.classes.items()}
        names |= {"proficiencyBonus": self.proficiency, "level": self.level, "spell": self.spell_modifier or 0}
        text = str(formula if formula is not None else "").replace("{", "").replace("}", "")
        return added_up(re.sub(r"[A-Za-z]{3,}", lambda found: str(names.get(found[0], found[0])), text))


def attack_text(attack: Mapping[str, Any], scope: AutomationScope) -> str:
    if isinstance(attack.get("automation"), list):
        return " ".join(_from_automation(attack["automation"], scope)).strip()
    bonus = attack.get("bonus_calc") or attack.get("bonus") or attack.get("attackBonus")
    damage = attack.get("damage_calc") or attack.get("damage")
    return _made(scope.dice(bonus), str(damage or ""), str(attack.get("details") or ""), scope)


def _from_automation(effects: list[Any], scope: AutomationScope) -> Iterator[str]:
    told = " ".join(str(one.get("text")) for one in _all(effects) if one.get("type") == "text" and one.get("text"))
    strike = next((one for one in _all(effects) if one.get("type") == "attack"), None)
    if strike is not None:
        own = strike.get("attackBonus")
        bonus = scope.dice(own) if own is not None else str((scope.spell_modifier or 0) + scope.proficiency)
        dealt = [one for one in _all(strike.get("hit") or []) if one.get("type") == "damage"]
        yield _made(bonus, " + ".join(str(one.get("damage")) for one in dealt[:2]), told, scope)
        after = strike.get("hit") or []
    else:
        after = effects
        yield "" if _is_about_properties(told) else told
    for save in (one for one in _all(after) if one.get("type") == "save"):
        yield _ordeal(save, scope).sentence(follows_a_hit=strike is not None)


def _all(effects: list[Any]) -> Iterator[Mapping[str, Any]]:
    """Effects, including those nested in targets; attacks and saves keep their own consequences."""
    for one in effects:
        if isinstance(one, Mapping):
            yield one
            if one.get("type") == "target":
                yield from _all(one.get("effects") or [])


def _made(bonus: str, damage: str, details: str, scope: AutomationScope) -> str:
    to_hit = whole_if_any(bonus)
    if to_hit is None:
        return details
    amounts = tuple(_amounts(damage, scope))
    span, reach = _RANGE.search(details), _REACH.search(details)
    thrown = "thrown" in details.lower()
    strike = AttackPhrase(
        to_hit,
        amounts,
        ("melee", "ranged") if span and thrown else ("ranged",) if span else ("melee",),
        reach=int(reach[1] or reach[2]) if reach else 5,
        range=(int(span[1]), int(span[2])) if span else None,
    )
    again = " Some of its dice are rolled again." if _ROLLED_AGAIN.search(damage) else ""
    return f"{strike.sentences}{again} {'' if _is_about_properties(details) else details}".strip()


def _is_about_properties(details: str) -> bool:
    """Whether a text only lists the weapon's properties, which follow from its name."""
    return not _PROPERTIES.sub("", details)


def _amounts(damage: str, scope: AutomationScope) -> Iterator[DamageAmount]:
    """`1d8 + 3 [piercing] + 1d6 [fire]`."""
    plain = _ROLLED_AGAIN.sub("", damage)
    for written, said in _ANNOTATED.findall(plain):
        kind = next((kind for kind in _TYPES if kind in said.lower()), None)
        dice = scope.dice(written.strip().lstrip("+").strip())
        if kind and dice:
            yield DamageAmount(dice, kind)


def _ordeal(save: Mapping[str, Any], scope: AutomationScope) -> SavePhrase:
    dealt = [one for one in _all(save.get("fail") or []) if one.get("type") == "damage"]
    spared = [one for one in _all(save.get("success") or []) if one.get("type") == "damage"]
    own = whole_if_any(scope.dice(save.get("dc"))) if save.get("dc") is not None else whole_if_any(scope.book.get("dc"))
    amounts = tuple(amount for one in dealt[:1] for amount in _amounts(str(one.get("damage")), scope))
    dc = own if own is not None else 8 + scope.proficiency + (scope.spell_modifier or 0)
    return SavePhrase(str(save.get("stat") or "dex")[:3].lower(), dc, amounts, halved=bool(spared))


_ACTIVATIONS = {1: StatBlockPart.ACTION, 3: StatBlockPart.BONUS_ACTION, 4: StatBlockPart.REACTION}
_IN_BRACKETS = re.compile(r"\(([^()]+)\)")
UNLISTED = (
    "Avrae lists features of classes only if they have a counter or an action. Add others, such as Extra Attack, to "
    "the sheet. Speed is taken to be 30 feet."
)


class Avrae(StatBlockFormat):
    name = "avrae"
    about = "characters of Avrae, as its character model has them, in a JSON file"

    def recognises(self, source: Path) -> bool:
        return any(True for _ in _characters(peek_json(source)))

    def open(self, source: Path) -> Compendium:
        return AvraeCharacters(source)


class AvraeCharacters(Compendium):
    def __init__(self, source: Path) -> None:
        self._characters = {shortened(str(one["name"])): one for one in _characters(read_json(source))}
        if not self._characters:
            raise Refusal("pack-import/empty", f"{source} contains no Avrae characters.", file=str(source))
        self.origin = BlockOrigin(f"Avrae: {source.stem}")

    def creatures(self) -> Sequence[str]:
        return list(self._characters)

    def creature(self, id: str) -> StatBlock:
        return _stat_block(id, self._characters[id])


def _characters(data: Any) -> Iterator[Mapping[str, Any]]:
    for one in data if isinstance(data, list) else [data]:
        if isinstance(one, Mapping) and one.get("name") and isinstance(one.get("attacks"), list) and "max_hp" in one:
            stats, levels = one.get("stats"), one.get("levels")
            if isinstance(stats, Mapping) and "prof_bonus" in stats and isinstance(levels, Mapping):
                yield one


def _stat_block(id: str, data: Mapping[str, Any]) -> StatBlock:
    classes = {str(name): whole(level, 1) for name, level in (data["levels"].get("classes") or {}).items()}
    level = whole(data["levels"].get("total_level")) or sum(classes.values()) or 1
    abilities = {short: whole(data["stats"].get(long), 10) for short, long in ABILITIES.items()}
    bonus = whole(data["stats"].get("prof_bonus")) or proficiency(level)
    book = data.get("spellbook") or {}
    slots, pact = _slots(book)
    scope = AutomationScope(abilities, bonus, level, classes, book)
    skills = {_skill(name): one for name, one in (data.get("skills") or {}).items() if isinstance(one, Mapping)}
    return StatBlock(
        id=id,
        name=str(data["name"]),
        size="medium",
        type=str(data.get("creature_type") or "humanoid").lower(),
        ac=whole(data.get("ac"), 10),
        hp=whole(data.get("max_hp"), 1),
        hit_dice=hit_dice(classes),
        abilities=abilities,
        speeds={"walk": 30},
        saves={name[:3]: whole(one.get("value")) for name, one in _saves(data).items()},
        skills={name: whole(one.get("value")) for name, one in skills.items()},
        vulnerabilities=tuple(_defences(data, "vuln")),
        resistances=tuple(_defences(data, "resist")),
        immunities=tuple(_defences(data, "immune")),
        level=level,
        proficiency=bonus,
        paragraphs=tuple(_paragraphs(data, scope)),
        spells={str(spell["name"]): None for spell in _spells(data)},
        spell_ability=_spell_ability(scope),
        slots=slots,
        pact_magic=pact,
        is_character=True,
        training=Training(
            saves=tuple(name[:3] for name, one in _saves(data).items() if one.get("prof") == 1),
            skills=tuple(name for name, one in skills.items() if one.get("prof") == 1),
            expertise=tuple(name for name, one in skills.items() if one.get("prof") == 2),
        ),
        classes=classes,
    )


def _saves(data: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """`strengthSave` by its ability."""
    found = data.get("saves") or {}
    return {name: found[f"{name}Save"] for name in ABILITIES.values() if isinstance(found.get(f"{name}Save"), Mapping)}


def _skill(name: str) -> str:
    """`sleightOfHand` is `sleight of hand`."""
    return re.sub(r"([A-Z])", lambda found: f" {found[1].lower()}", name)


def _defences(data: Mapping[str, Any], name: str) -> Iterator[str]:
    for one in (data.get("resistances") or {}).get(name) or ():
        if isinstance(one, str):
            yield one.lower()
        elif isinstance(one, Mapping) and one.get("dtype"):
            unless = one.get("unless") or ()
            yield f"{one['dtype']} from nonmagical attacks" if "magical" in unless else str(one["dtype"])


# Spells


def _spells(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    own = (data.get("spellbook") or {}).get("spells") or ()
    added = (data.get("overrides") or {}).get("spells") or ()
    for spell in (*own, *added):
        if isinstance(spell, Mapping) and spell.get("name") and spell.get("prepared", True):
            yield spell


def _slots(book: Mapping[str, Any]) -> tuple[dict[int, int], bool]:
    """Slots by level, including pact magic. If all slots are pact magic, a short rest restores them."""
    most = {whole(level): whole(count) for level, count in (book.get("max_slots") or {}).items() if whole(count)}
    pact = whole(book.get("max_pact_slots"))
    return most, bool(pact) and most == {whole(book.get("pact_slot_level")): pact}


def _spell_ability(scope: AutomationScope) -> str | None:
    """The ability of the highest-level class with spells; without one, the ability that fits the attack bonus."""
    casters = {name: level for name, level in scope.classes.items() if name.lower() in SPELL_ABILITIES}
    if casters:
        return SPELL_ABILITIES[max(casters, key=lambda name: casters[name]).lower()]
    modifier = scope.spell_modifier
    suits = [name for name in ("int", "wis", "cha") if modifier is not None and scope.modifier(name) == modifier]
    return suits[0] if suits else None


# Attacks and features


def _paragraphs(data: Mapping[str, Any], scope: AutomationScope) -> Iterator[Paragraph]:
    added = (data.get("overrides") or {}).get("attacks") or ()
    for attack in (*data["attacks"], *added):
        if isinstance(attack, Mapping) and attack.get("name"):
            part = _ACTIVATIONS.get(attack.get("activation_type") or 1, StatBlockPart.ACTION)
            yield paragraph(part, str(attack["name"]), attack_text(attack, scope), weapon=_weapon(str(attack["name"])))
    yield from _features(data)
    yield Paragraph(StatBlockPart.TRAIT, "Class features", UNLISTED)


def _weapon(name: str) -> str:
    """`Shard (Greatsword)` is a greatsword, and so is a `2-Handed Longsword` a longsword."""
    found = _IN_BRACKETS.search(name)
    plain = re.sub(r"^(?:[12]-handed|two-handed|one-handed|off-?hand|thrown)\s+", "", name.lower())
    return found[1].lower() if found else re.sub(r",? ?\+\d$", "", plain)


def _features(data: Mapping[str, Any]) -> Iterator[Paragraph]:
    """Actions, and the counters of features without an action."""
    told: set[str] = set()
    for action in data.get("actions") or ():
        if isinstance(action, Mapping) and action.get("name") and action["name"] not in told:
            told.add(str(action["name"]))
            part = _ACTIVATIONS.get(action.get("activation_type") or 0, StatBlockPart.TRAIT)
            yield paragraph(part, str(action["name"]), str(action.get("snippet") or ""))
    for counter in data.get("consumables") or ():
        if isinstance(counter, Mapping) and counter.get("name") and counter["name"] not in told:
            uses = whole(counter.get("maxv")) or None
            text = str(counter.get("desc") or "")
            yield paragraph(
                StatBlockPart.TRAIT, str(counter["name"]), text, uses=uses, per_rest=counter.get("reset") == "short"
            )

"""Attacks of Avrae in the phrases of stat blocks: from their automation, or from the fields of older ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from combatlog.rules.statblocks.block import ABILITIES
from combatlog.rules.statblocks.formulas import added_up, whole_if_any
from combatlog.rules.statblocks.phrases import Amount, Ordeal, Strike

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
class Scope:
    """The names that formulas of a character can use."""

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


def attack_text(attack: Mapping[str, Any], scope: Scope) -> str:
    if isinstance(attack.get("automation"), list):
        return " ".join(_from_automation(attack["automation"], scope)).strip()
    bonus = attack.get("bonus_calc") or attack.get("bonus") or attack.get("attackBonus")
    damage = attack.get("damage_calc") or attack.get("damage")
    return _made(scope.dice(bonus), str(damage or ""), str(attack.get("details") or ""), scope)


def _from_automation(effects: list[Any], scope: Scope) -> Iterator[str]:
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
    """Effects and those inside their targets; what follows from attacks and saves is theirs."""
    for one in effects:
        if isinstance(one, Mapping):
            yield one
            if one.get("type") == "target":
                yield from _all(one.get("effects") or [])


def _made(bonus: str, damage: str, details: str, scope: Scope) -> str:
    to_hit = whole_if_any(bonus)
    if to_hit is None:
        return details
    amounts = tuple(_amounts(damage, scope))
    span, reach = _RANGE.search(details), _REACH.search(details)
    thrown = "thrown" in details.lower()
    strike = Strike(
        to_hit,
        amounts,
        ("melee", "ranged") if span and thrown else ("ranged",) if span else ("melee",),
        reach=int(reach[1] or reach[2]) if reach else 5,
        range=(int(span[1]), int(span[2])) if span else None,
    )
    again = " Some of its dice are rolled again." if _ROLLED_AGAIN.search(damage) else ""
    return f"{strike.sentences}{again} {'' if _is_about_properties(details) else details}".strip()


def _is_about_properties(details: str) -> bool:
    """Whether a text only lists what kind of weapon it is, which its name says as well."""
    return not _PROPERTIES.sub("", details)


def _amounts(damage: str, scope: Scope) -> Iterator[Amount]:
    """`1d8 + 3 [piercing] + 1d6 [fire]`."""
    plain = _ROLLED_AGAIN.sub("", damage)
    for written, said in _ANNOTATED.findall(plain):
        kind = next((kind for kind in _TYPES if kind in said.lower()), None)
        dice = scope.dice(written.strip().lstrip("+").strip())
        if kind and dice:
            yield Amount(dice, kind)


def _ordeal(save: Mapping[str, Any], scope: Scope) -> Ordeal:
    dealt = [one for one in _all(save.get("fail") or []) if one.get("type") == "damage"]
    spared = [one for one in _all(save.get("success") or []) if one.get("type") == "damage"]
    own = whole_if_any(scope.dice(save.get("dc"))) if save.get("dc") is not None else whole_if_any(scope.book.get("dc"))
    amounts = tuple(amount for one in dealt[:1] for amount in _amounts(str(one.get("damage")), scope))
    dc = own if own is not None else 8 + scope.proficiency + (scope.spell_modifier or 0)
    return Ordeal(str(save.get("stat") or "dex")[:3].lower(), dc, amounts, halved=bool(spared))

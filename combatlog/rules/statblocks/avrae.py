"""Avrae: characters as its character model has them, one or many in a JSON file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.statblocks.avrae_attacks import Scope, attack_text
from combatlog.rules.statblocks.block import ABILITIES, Origin, Paragraph, Part, StatBlock, Training, paragraph
from combatlog.rules.statblocks.classes import SPELL_ABILITIES, hit_dice, proficiency
from combatlog.rules.statblocks.formats import Compendium, StatBlockFormat, peek_json, read_json
from combatlog.rules.statblocks.formulas import whole
from combatlog.rules.statblocks.markup import shortened

_ACTIVATIONS = {1: Part.ACTION, 3: Part.BONUS_ACTION, 4: Part.REACTION}
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
        return Characters(source)


class Characters(Compendium):
    def __init__(self, source: Path) -> None:
        self._characters = {shortened(str(one["name"])): one for one in _characters(read_json(source))}
        if not self._characters:
            raise Refusal("pack-import/empty", f"{source} has no characters of Avrae.", file=str(source))
        self.origin = Origin(f"Avrae: {source.stem}")

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
    scope = Scope(abilities, bonus, level, classes, book)
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
    """Slots by level. Those of pact magic are among them, and restored by a short rest if they are all there is."""
    most = {whole(level): whole(count) for level, count in (book.get("max_slots") or {}).items() if whole(count)}
    pact = whole(book.get("max_pact_slots"))
    return most, bool(pact) and most == {whole(book.get("pact_slot_level")): pact}


def _spell_ability(scope: Scope) -> str | None:
    """Of the class with the most levels that has one; the attack bonus decides if it has none."""
    casters = {name: level for name, level in scope.classes.items() if name.lower() in SPELL_ABILITIES}
    if casters:
        return SPELL_ABILITIES[max(casters, key=lambda name: casters[name]).lower()]
    modifier = scope.spell_modifier
    suits = [name for name in ("int", "wis", "cha") if modifier is not None and scope.modifier(name) == modifier]
    return suits[0] if suits else None


# Attacks and features


def _paragraphs(data: Mapping[str, Any], scope: Scope) -> Iterator[Paragraph]:
    added = (data.get("overrides") or {}).get("attacks") or ()
    for attack in (*data["attacks"], *added):
        if isinstance(attack, Mapping) and attack.get("name"):
            part = _ACTIVATIONS.get(attack.get("activation_type") or 1, Part.ACTION)
            yield paragraph(part, str(attack["name"]), attack_text(attack, scope), weapon=_weapon(str(attack["name"])))
    yield from _features(data)
    yield Paragraph(Part.TRAIT, "Class features", UNLISTED)


def _weapon(name: str) -> str:
    """`Shard (Greatsword)` is a greatsword, and so is a `2-Handed Longsword` a longsword."""
    found = _IN_BRACKETS.search(name)
    plain = re.sub(r"^(?:[12]-handed|two-handed|one-handed|off-?hand|thrown)\s+", "", name.lower())
    return found[1].lower() if found else re.sub(r",? ?\+\d$", "", plain)


def _features(data: Mapping[str, Any]) -> Iterator[Paragraph]:
    """Actions, and counters of features that have no action."""
    told: set[str] = set()
    for action in data.get("actions") or ():
        if isinstance(action, Mapping) and action.get("name") and action["name"] not in told:
            told.add(str(action["name"]))
            part = _ACTIVATIONS.get(action.get("activation_type") or 0, Part.TRAIT)
            yield paragraph(part, str(action["name"]), str(action.get("snippet") or ""))
    for counter in data.get("consumables") or ():
        if isinstance(counter, Mapping) and counter.get("name") and counter["name"] not in told:
            uses = whole(counter.get("maxv")) or None
            text = str(counter.get("desc") or "")
            yield paragraph(Part.TRAIT, str(counter["name"]), text, uses=uses, per_rest=counter.get("reset") == "short")

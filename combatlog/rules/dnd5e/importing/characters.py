"""Import of characters: their proficiencies, equipment and features."""

from __future__ import annotations

import re
from typing import Any

from combatlog.importers.statblocks.stat_block import Paragraph, StatBlock
from combatlog.rules.content.files import shipped_file
from combatlog.rules.dnd5e.creatures.sheet import PACKAGE
from combatlog.rules.dnd5e.enums import ArmorTraining, Skill
from combatlog.rules.dnd5e.importing.sheet_draft import SKILLS, MappingResult, SheetDraft, slug
from combatlog.rules.dnd5e.importing.trait_table import against, already_printed, own_feature
from combatlog.rules.dnd5e.pieces import PIECES, Feature
from ledger.events import Data

NO_BEARING = frozenset(shipped_file(PACKAGE, "hero_features")["no bearing"])
"""Features that matter only outside fights, or that are already contained in other figures of the sheet."""
FEATURES: dict[str, str] = shipped_file(PACKAGE, "hero_features")["known as"]
"""Other names of features of the ruleset."""
PRINTED = frozenset(shipped_file(PACKAGE, "hero_features")["in the figures"])
"""Features that only affect figures which are printed anyway: armour class, speed, hit points."""
GROUPS: dict[str, list[str]] = shipped_file(PACKAGE, "hero_features")["several"]
"""Features that correspond to several features of the ruleset."""
OF_CREATURES = frozenset(shipped_file(PACKAGE, "hero_features")["of creatures only"])
"""Features of the ruleset whose names mean something else on a character sheet."""
_PREFIXES = ("fighting_style_", "channel_divinity_", "eldritch_invocations_", "metamagic_")
_MORE_THAN_ONCE = re.compile(r"_(?:\d+|[ivx]+|\d+_uses)$")


# Figures


def hero_figures(block: StatBlock) -> Data:
    """Proficiencies instead of printed bonuses; only bonuses that they do not explain stay printed."""
    figures: Data = {
        "saves": list(block.training.saves),
        "skills": [name for name in block.training.skills if name in SKILLS],
        "expertise": [name for name in block.training.expertise if name in SKILLS],
        "save_bonuses": {name: value for name, value in block.saves.items() if value != _save(block, name)},
        "skill_bonuses": {
            name: value for name, value in block.skills.items() if name in SKILLS and value != _skill(block, name)
        },
        "pact_magic": block.pact_magic or None,
    }
    if block.proficiency is not None:
        figures["proficiency"] = max(2, min(9, block.proficiency))
    return figures | _trained(block) | _dressed(block)


def _proficiency(block: StatBlock) -> int:
    return block.proficiency or 2 + ((block.level or 1) - 1) // 4


def _modifier(block: StatBlock, ability: str) -> int:
    return (block.abilities.get(ability, 10) - 10) // 2


def _save(block: StatBlock, ability: str) -> int:
    return _modifier(block, ability) + (_proficiency(block) if ability in block.training.saves else 0)


def _skill(block: StatBlock, name: str) -> int:
    times = 2 if name in block.training.expertise else 1 if name in block.training.skills else 0
    return _modifier(block, Skill(name).ability.value) + times * _proficiency(block)


def _trained(block: StatBlock) -> Data:
    known = {"simple", "martial", *shipped_file(PACKAGE, "weapons")}
    weapons = [name for name in block.training.weapons if name in known]
    armor = [name for name in block.training.armor if name in list(ArmorTraining)]
    return {"weapon_proficiencies": weapons or None, "armor_proficiencies": armor or None}


def _dressed(block: StatBlock) -> Data:
    """The suit of armour by name. The armour class stays as printed, because it may include more than the suit."""
    suits: dict[str, Data] = shipped_file(PACKAGE, "armor")
    text = ", ".join(block.armor)
    found = [name for name in suits if re.search(rf"\b{name}\b", text)]
    return {"armor": max(found, key=len)} if found else {}


# Weapons


def as_carried(draft: SheetDraft, paragraph: Paragraph, weapon: Data) -> Data | str:
    """A weapon known by name to the rules, if its printed numbers follow from the sheet; otherwise as printed.
    Features that depend on the kind of weapon then work with it. Since the numbers show that the character is
    proficient, a weapon with a name of its own has no category.
    """
    known: dict[str, Data] = shipped_file(PACKAGE, "weapons")
    base = next((name for name in (paragraph.weapon.lower(), weapon["name"]) if name in known), None)
    if base is None:
        return weapon
    bonus = _magic_bonus(draft, known[base], weapon)
    if bonus is None or "extra" in weapon:
        spans = {key: value for key, value in known[base].items() if key in ("range", "reach")}
        properties = known[base].get("properties")
        return {**spans, **weapon, **({"properties": properties} if properties else {})}
    if not bonus and base == weapon["name"]:
        return base
    own = {key: value for key, value in known[base].items() if key != "category"}
    return {"name": weapon["name"], **own, **({"bonus": bonus} if bonus else {})}


def _magic_bonus(draft: SheetDraft, known: Data, weapon: Data) -> int | None:
    """The magic bonus that explains both its bonus to hit and its damage; None if none does."""
    found = re.fullmatch(r"(\d+d\d+|\d+)([+-]\d+)?", weapon["damage"])
    if found is None or found[1] != known["damage"] or weapon["damage_type"] != known["damage_type"]:
        return None
    properties = known.get("properties", ())
    ranged = "range" in known and "thrown" not in properties
    scores = ("str", "dex") if "finesse" in properties else ("dex",) if ranged else ("str",)
    modifier = max(_modifier(draft.block, ability) for ability in scores)
    to_hit = weapon["to_hit"] - modifier - _proficiency(draft.block)
    damage = int(found[2] or 0) - modifier
    return to_hit if to_hit == damage and 0 <= to_hit <= 3 else None


# Features


def add_hero_feature(draft: SheetDraft, paragraph: Paragraph) -> MappingResult | None:
    """Map a feature of a class or species, if it is known; None otherwise."""
    name = _plain_name(paragraph.name)
    if name in NO_BEARING:
        draft.note(paragraph)
        return MappingResult.NO_BEARING
    if name in PRINTED or any(name.startswith(f"{printed}_") for printed in PRINTED):
        return already_printed(draft, paragraph)
    if name in GROUPS:
        for one in GROUPS[name]:
            own_feature(one)(draft, paragraph)
        return MappingResult.MAPPED
    if name == "dwarven_resilience":
        return against("poisoned")(draft, paragraph)
    known = FEATURES.get(name, name)
    if known in OF_CREATURES or (known == "lucky" and "roll a 1" in paragraph.text):
        return None  # the halfling trait, not the feat
    if isinstance(PIECES.get(f"dnd5e:feature:{known}"), Feature):
        return own_feature(known)(draft, paragraph)
    return None


def _plain_name(printed: str) -> str:
    name = slug(printed)
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix) or name
    return _MORE_THAN_ONCE.sub("", name)


def note_classes(draft: SheetDraft) -> None:
    """Note for a multiclass character that its features use its total level."""
    if len(draft.block.classes) > 1:
        said = ", ".join(f"{name} {level}" for name, level in draft.block.classes.items())
        text = f"{said}. Features that grow with the level in one class use the total level here."
        note: dict[str, Any] = {"name": "Several classes", "text": text}
        draft.add("notes", note)

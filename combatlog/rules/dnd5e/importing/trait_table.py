"""Import of traits and actions that are known by name."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from combatlog.importers.statblocks.stat_block import Paragraph, StatBlockPart
from combatlog.rules.content.files import shipped_file
from combatlog.rules.dnd5e.creatures.sheet import PACKAGE
from combatlog.rules.dnd5e.importing.sheet_draft import (
    HALVED,
    MappingResult,
    SheetDraft,
    as_throw,
    condition_in,
    first_save,
    lasts,
    plain,
    printed_damages,
    usage,
)
from ledger.events import Data

Add = Callable[[SheetDraft, Paragraph], MappingResult | None]
"""A function that adds a trait to a sheet. Returns None if its text does not have the usual form."""

NO_BEARING = frozenset(name for names in shipped_file(PACKAGE, "no_bearing").values() for name in names)
"""Traits that cannot matter in a fight under these rules."""


SAVE_ADVANTAGE: Data = {"to": "save", "advantage": True}


def own_feature(name: str) -> Add:
    """A feature of the ruleset under another name."""

    def add(draft: SheetDraft, paragraph: Paragraph) -> MappingResult:
        if name not in draft.taken:
            draft.add("features", name)
        return MappingResult.MAPPED

    return add


def _trait(contributes: list[Data], **more: Any) -> Add:
    def add(draft: SheetDraft, paragraph: Paragraph) -> MappingResult | None:
        piece = {"name": draft.named(paragraph.name), "archetype": "trait", "reason": paragraph.name[:80]}
        made = draft.add_piece("features", {**piece, "contributes": contributes, **more})
        return MappingResult.MAPPED if made else None

    return add


def _legendary_resistance(draft: SheetDraft, paragraph: Paragraph) -> MappingResult:
    draft.sheet["legendary_resistances"] = min(9, paragraph.uses or 3)
    return MappingResult.MAPPED


def _magic_weapons(draft: SheetDraft, paragraph: Paragraph) -> MappingResult:
    """Mark the sheet, so that its weapons are made magical at the end."""
    draft.sheet["magic_weapons"] = True
    return MappingResult.MAPPED


def _spider_climb(draft: SheetDraft, paragraph: Paragraph) -> MappingResult:
    draft.sheet.setdefault("speeds", {})
    draft.sheet["speeds"].setdefault("climb", draft.block.speeds.get("walk", 30))
    return MappingResult.MAPPED


_CHARGE = re.compile(r"(?:moves?|moved) (?:at least )?(\d+) ft")
_WITH = re.compile(r"hits? [\w' ]+? with (?:an?|its|the) ([\w' ]+?)(?: attack)?(?: on| as|,| in)")


def _charge(draft: SheetDraft, paragraph: Paragraph) -> MappingResult | None:
    """Map extra damage, knocking prone, or both, with a hit after a charge."""
    from combatlog.rules.dnd5e.importing.attacks import consequence

    text = plain(paragraph.text)
    moved, weapon, dealt = _CHARGE.search(text), _WITH.search(text), printed_damages(text)
    if moved is None or int(moved[1]) % 5:
        return None
    when: Data = {"moved": int(moved[1])} | ({"weapon": weapon[1]} if weapon else {})
    piece: Data = {"name": draft.named(paragraph.name), "archetype": "on_hit", "when": when}
    if dealt and (dice := as_throw(dealt[0].dice)) is not None:
        piece |= {"damage": dice, "damage_type": dealt[0].type.value}
    save_text = text[dealt[0].end :] if dealt else text
    if then := consequence(save_text, save_text):
        piece["then"] = then
    followed = _FOLLOWED.search(text)
    own = followed_with(draft, followed["weapon"]) if followed is not None else None
    if own is not None and "then" in piece:
        piece["then"]["grants"] = own
    if not draft.add_piece("features", piece):
        return None
    if "bonus action" in text and own is None:
        draft.note(paragraph)
        return MappingResult.IN_PART
    return MappingResult.MAPPED


_FOLLOWED = re.compile(
    r"if the target is prone, the [\w' ]+ can make (?:one|another) (?:attack with its )?(?P<weapon>[\w' ]+?)"
    r"(?: attack)? against it as a bonus action"
)


def followed_with(draft: SheetDraft, name: str) -> str | None:
    """The weapon of the sheet that a stat block means, also in the plural."""
    found = next((one["name"] for one in draft.weapons if name in (one["name"], f"{one['name']}s")), None)
    return str(found) if found is not None else None


_REGAINS = re.compile(r"regains (\d+) hit points at the start of (?:its|each of its) turns?")


def _regeneration(draft: SheetDraft, paragraph: Paragraph) -> MappingResult | None:
    text = plain(paragraph.text)
    regained = _REGAINS.search(text)
    if regained is None:
        return None
    stopped = re.findall(r"\b(acid|fire|cold|lightning|radiant|necrotic|thunder)\b", text.partition("takes")[2])
    piece = {"name": "regeneration", "archetype": "regeneration", "amount": int(regained[1])}
    piece |= {"stopped_by": list(dict.fromkeys(stopped))} if stopped else {}
    piece |= {"undying": True} if "dies only if it starts its turn with 0 hit points" in text else {}
    piece |= {"not_while": "sunlit"} if "isn't in sunlight" in text else {}
    if not draft.add_piece("features", piece):
        return None
    if re.search(r"running water", text):
        draft.note(paragraph)
        return MappingResult.IN_PART
    return MappingResult.MAPPED


_LIGHT = re.compile(r"sheds bright light in a (\d+)-ft[ -]radius and dim light (?:for|in) an additional (\d+) ft")


def _glow(draft: SheetDraft, paragraph: Paragraph) -> MappingResult | None:
    found = _LIGHT.search(plain(paragraph.text))
    if found is None or re.search(r"as a bonus action|sets itself", plain(paragraph.text)):
        return None
    piece = {"name": draft.named(paragraph.name), "archetype": "glow", "bright": int(found[1]), "dim": int(found[2])}
    return MappingResult.MAPPED if draft.add_piece("features", piece) else None


_ABSORBED = re.compile(r"subjected to (\w+) damage, it (?:takes no damage and instead )?regains")


def _absorption(draft: SheetDraft, paragraph: Paragraph) -> MappingResult | None:
    found = _ABSORBED.search(plain(paragraph.text))
    if found is None:
        return None
    piece = {"name": draft.named(paragraph.name), "archetype": "absorption", "damage_type": found[1]}
    return MappingResult.MAPPED if draft.add_piece("features", piece) else None


def _all(*adds: Add) -> Add:
    """Map a trait as several features."""

    def add(draft: SheetDraft, paragraph: Paragraph) -> MappingResult | None:
        fates = [one(draft, paragraph) for one in adds]
        return MappingResult.MAPPED if all(fate is MappingResult.MAPPED for fate in fates) else None

    return add


def _relentless(draft: SheetDraft, paragraph: Paragraph) -> MappingResult | None:
    most = re.search(r"takes (\d+) damage or less", plain(paragraph.text))
    piece = {"name": draft.named(paragraph.name), "archetype": "relentless", "most": int(most[1]) if most else 0}
    return MappingResult.MAPPED if draft.add_piece("features", piece) else None


def _retort(draft: SheetDraft, paragraph: Paragraph) -> MappingResult | None:
    """Map damage to creatures that touch it or hit it in melee."""
    text = plain(paragraph.text)
    dealt = printed_damages(text[text.find("hits it") :]) if "hits it" in text else printed_damages(text)
    if not dealt:
        return None
    piece = {"name": draft.named(paragraph.name), "archetype": "retort", "damage": as_throw(dealt[0].dice)}
    return MappingResult.MAPPED if draft.add_piece("features", {**piece, "damage_type": dealt[0].type.value}) else None


def _around(archetype: str) -> Add:
    """Map auras and bursts: damage or a condition for creatures around it."""

    def add(draft: SheetDraft, paragraph: Paragraph) -> MappingResult | None:
        text = plain(paragraph.text)
        size = re.search(r"within (\d+) ft|(\d+)-ft[ -](?:emanation|radius)", text)
        if size is None:
            return None
        made = _effect(text)
        piece = {"name": draft.named(paragraph.name), "archetype": archetype, "size": int(size[1] or size[2]), **made}
        if archetype == "aura":
            own = re.search(r"at the (start|end) of each of the", text)
            piece |= {"at": f"own_{own[1]}"} if own else {}
        if not made or not draft.add_piece("features", piece):
            return None
        if "hits it" in text:
            _retort(draft, paragraph)
        return MappingResult.MAPPED

    return add


def _effect(text: str) -> Data:
    save, dealt = first_save(text), printed_damages(text)
    made: Data = {"save": save.ability.value, "dc": save.dc} if save is not None else {}
    if dealt and (dice := as_throw(dealt[0].dice)) is not None:
        made |= {"damage": dice, "damage_type": dealt[0].type.value}
        made |= {"saved": "nothing"} if save is not None and not HALVED.search(text) else {}
    condition = condition_in(text[save.start :]) if save is not None else None
    if condition is not None:
        made["then"] = {"condition": condition, "lasts": lasts(text)}
    return made if "damage" in made or "then" in made else {}


def _teleport(draft: SheetDraft, paragraph: Paragraph) -> MappingResult | None:
    reach = re.search(r"up to (\d+) ft", plain(paragraph.text))
    if reach is None:
        return None
    piece = {"name": draft.named(paragraph.name), "archetype": "teleport", "range": int(reach[1]), **usage(paragraph)}
    return MappingResult.MAPPED if draft.add_piece("actions", piece) else None


def _healing_touch(draft: SheetDraft, paragraph: Paragraph) -> MappingResult | None:
    found = re.search(r"regains \d+ \((\d+d\d+(?: ?[+-] ?\d+)?)\) hit points", plain(paragraph.text))
    if found is None:
        return None
    piece = {
        "name": draft.named(paragraph.name),
        "archetype": "healing",
        "range": 5,
        "healing": found[1].replace(" ", ""),
    }
    return MappingResult.MAPPED if draft.add_piece("actions", {**piece, **usage(paragraph)}) else None


def _invisibility(draft: SheetDraft, paragraph: Paragraph) -> MappingResult | None:
    """Map invisibility that lasts until it attacks or casts a spell, with concentration if the stat block says so."""
    text = plain(paragraph.text)
    if "invisible until" not in text and "casts invisibility" not in text:
        return None
    piece: Data = {
        "name": draft.named(paragraph.name),
        "archetype": "stance",
        "condition": "invisible",
        "lasts": "hour" if "casts invisibility" in text else "until_ended",
        "fleeting": True,
    }
    piece |= {"concentration": True} if re.search(r"concentrat|casts invisibility", text) else {}
    if paragraph.part is StatBlockPart.TRAIT or not draft.add_piece("actions", {**piece, **usage(paragraph)}):
        return None
    if _MORE_THAN_INVISIBLE.search(text):
        draft.note(paragraph)
        return MappingResult.IN_PART
    return MappingResult.MAPPED


_MORE_THAN_INVISIBLE = re.compile(r"uses its enlarge|consume life|wakes|while the ring")


_SPIKES = re.compile(r"\bhas (?P<count>[\w-]+) (?P<what>[\w ]+?)s\b")
_COUNTS = {"twenty-four": 24}


def _counted_spikes(draft: SheetDraft, paragraph: Paragraph) -> MappingResult | None:
    """Map the number of spikes to shoot, which grow back by the next day."""
    found = _SPIKES.search(plain(paragraph.text))
    count = _COUNTS.get(found["count"], 0) if found else 0
    weapon = draft.weapon(found["what"]) if found else None
    if weapon is None or not count:
        return None
    weapon["ammunition"] = count
    return MappingResult.MAPPED


def _sneak_attack(draft: SheetDraft, paragraph: Paragraph) -> MappingResult | None:
    """Map a sneak attack with its printed number of dice."""
    dice = re.search(r"(\d+d6)", plain(paragraph.text))
    piece: Data = {"name": "sneak_attack", "archetype": "sneak_attack"}
    made = dice is not None and draft.add_piece("features", {**piece, "damage": dice[1]})
    return MappingResult.MAPPED if made else None


def _surprise(draft: SheetDraft, paragraph: Paragraph) -> MappingResult | None:
    dealt = re.search(r"extra \d+ \((\d+d\d+)\) damage", plain(paragraph.text))
    when = {"target_is": "surprised"}
    piece = {"name": draft.named(paragraph.name), "archetype": "on_hit", "when": when}
    made = dealt is not None and draft.add_piece("features", {**piece, "damage": dealt[1]})
    return MappingResult.MAPPED if made else None


def against(*threat: str) -> Add:
    """Map advantage on saves against certain conditions."""
    return _trait([{**SAVE_ADVANTAGE, "when": {"threat": list(threat)}}])


def _partly(add: Add) -> Add:
    """Map a trait in part; the rest is noted."""

    def add_part(draft: SheetDraft, paragraph: Paragraph) -> MappingResult | None:
        fate = add(draft, paragraph)
        if fate is None:
            return None
        draft.note(paragraph)
        return MappingResult.IN_PART

    return add_part


def already_printed(draft: SheetDraft, paragraph: Paragraph) -> MappingResult:
    """Map a trait whose numbers are already included in the printed attacks."""
    return MappingResult.MAPPED


def _angelic(draft: SheetDraft, paragraph: Paragraph) -> MappingResult:
    return _magic_weapons(draft, paragraph)


def _blending() -> Add:
    return _trait([{"to": "check", "advantage": True, "when": {"skill": "stealth", "owner_is": "blending_in"}}])


_KEEN = own_feature("keen_senses")
_FORM = _all(own_feature("formless"), own_feature("amorphous"))

TRAITS: dict[str, Add] = {
    "brave": against("frightened"),
    "dark_devotion": against("charmed", "frightened"),
    "fey_ancestry": against("charmed"),
    "steadfast": against("frightened"),
    "sure_footed": against("prone"),
    "two_heads": against("blinded", "charmed", "deafened", "frightened", "stunned", "unconscious"),
    "multiple_heads": against("blinded", "charmed", "deafened", "frightened", "stunned", "unconscious"),
    "duergar_resilience": _trait(
        [
            {**SAVE_ADVANTAGE, "when": {"spell": True}},
            {**SAVE_ADVANTAGE, "when": {"threat": ["poisoned", "paralyzed"], "spell": False}},
        ]
    ),
    "gnome_cunning": _trait(
        [{**SAVE_ADVANTAGE, "when": {"spell": True, "ability": ability}} for ability in ("int", "wis", "cha")]
    ),
    "surprise_attack": _surprise,
    "ambusher": _trait([{"to": "attack", "advantage": True, "when": {"target_is": "surprised"}}]),
    "swarm": _all(own_feature("swarm"), own_feature("amorphous")),
    "air_form": _FORM,
    "water_form": _FORM,
    "incorporeal_movement": own_feature("incorporeal_movement"),
    "stone_camouflage": _blending(),
    "snow_camouflage": _blending(),
    "underwater_camouflage": _blending(),
    "swamp_camouflage": _blending(),
    "forest_camouflage": _blending(),
    "mud_camouflage": _blending(),
    "illumination": _glow,
    "lightning_absorption": _absorption,
    "fire_absorption": _absorption,
    "acid_absorption": _absorption,
    "light_sensitivity": _trait(
        [
            {"to": "attack", "disadvantage": True, "when": {"in_light": "bright"}},
            {"to": "check", "disadvantage": True, "when": {"skill": "perception", "in_light": "bright"}},
        ]
    ),
    "sunlight_weakness": _trait(
        [{"to": to, "disadvantage": True, "when": {"owner_is": "sunlit"}} for to in ("attack", "check", "save")]
    ),
    "blurred_form": _trait([{"to": "attacks_on", "disadvantage": True, "when": {"alert": True}}]),
    "cunning_action": own_feature("cunning_action"),
    "grappler": _trait([{"to": "attack", "advantage": True, "when": {"held": True}}]),
    "invisible_passage": _invisibility,
    "petrifying_gaze": _partly(_around("aura")),
    "fire_form": _partly(_retort),
    "corrosive_form": _partly(_retort),
    "legendary_resistance": _legendary_resistance,
    "magic_weapons": _magic_weapons,
    "angelic_weapons": _angelic,
    "hellish_weapons": _angelic,
    "brute": already_printed,
    "heated_weapons": already_printed,
    "innate_fire": already_printed,
    "keen_smell": _KEEN,
    "keen_hearing": _KEEN,
    "keen_sight": _KEEN,
    "keen_hearing_and_smell": _KEEN,
    "keen_hearing_and_sight": _KEEN,
    "keen_sight_and_smell": _KEEN,
    "keen_senses": _KEEN,
    "greater_magic_resistance": own_feature("magic_resistance"),
    "reckless": own_feature("reckless_attack"),
    "two_headed": own_feature("keen_senses"),
    "spider_climb": _spider_climb,
    "charge": _charge,
    "pounce": _charge,
    "trampling_charge": _charge,
    "regeneration": _regeneration,
    "relentless": _relentless,
    "heated_body": _retort,
    "barbed_hide": _retort,
    "fire_aura": _around("aura"),
    "heat_aura": _around("aura"),
    "stench": _around("aura"),
    "fear_aura": _around("aura"),
    "horrific_appearance": _around("aura"),
    "unsettling_aura": _around("aura"),
    "gibbering": _around("aura"),
    "death_burst": _around("death_burst"),
    "death_throes": _around("death_burst"),
    "teleport": _teleport,
    "healing_touch": _healing_touch,
    "heal_self": _healing_touch,
    "invisibility": _invisibility,
    "superior_invisibility": _invisibility,
    "devils_sight": own_feature("devils_sight"),
    "echolocation": own_feature("echolocation"),
    "amorphous": own_feature("amorphous"),
    "compression": own_feature("amorphous"),
    "agile": own_feature("flyby"),
    "turn_resistance": against("turned"),
    "turn_defiance": _partly(against("turned")),
    "tail_spike_regrowth": _counted_spikes,
    "sunlight_sensitivity": _trait(
        [
            {"to": "attack", "disadvantage": True, "when": {"owner_is": "sunlit"}},
            {"to": "check", "disadvantage": True, "when": {"skill": "perception", "owner_is": "sunlit"}},
        ]
    ),
    "blood_frenzy": _trait([{"to": "attack", "advantage": True, "when": {"by": "melee", "wounded": True}}]),
    "bloodied_fury": _trait([{"to": "attack", "advantage": True, "when": {"bloodied": True}}]),
    "bloodied_frenzy": _trait([{"to": "attack", "advantage": True, "when": {"bloodied": True}}]),
    "sneak_attack": _sneak_attack,
}

"""Traits and actions that are known by name: what each becomes, and which have no bearing on a fight."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ledger.events import Data
from rules.content.shipped import shipped_file
from rules.dnd5e.importing.draft import Draft, Fate
from rules.dnd5e.importing.grammar import as_throw, harms, plain
from rules.dnd5e.sheet import PACKAGE
from rules.statblocks.block import Paragraph

Add = Callable[[Draft, Paragraph], Fate | None]
"""Adds a trait to a sheet; None if its text is not of the usual form."""

NO_BEARING = frozenset(name for names in shipped_file(PACKAGE, "no_bearing").values() for name in names)
"""Nothing of these could happen in a fight under these rules."""


def _feature(name: str) -> Add:
    """A feature of the ruleset under another name."""

    def add(draft: Draft, paragraph: Paragraph) -> Fate:
        if name not in draft.taken:
            draft.add("features", name)
        return Fate.MAPPED

    return add


def _trait(contributes: list[Data], **more: Any) -> Add:
    def add(draft: Draft, paragraph: Paragraph) -> Fate | None:
        piece = {"name": draft.named(paragraph.name), "archetype": "trait", "reason": paragraph.name[:80]}
        made = draft.add_piece("features", {**piece, "contributes": contributes, **more})
        return Fate.MAPPED if made else None

    return add


def _legendary_resistance(draft: Draft, paragraph: Paragraph) -> Fate:
    draft.sheet["legendary_resistances"] = min(9, paragraph.uses or 3)
    return Fate.MAPPED


def _magic_weapons(draft: Draft, paragraph: Paragraph) -> Fate:
    """The weapons come after the traits, so they are made magical in the end."""
    draft.sheet["magic_weapons"] = True
    return Fate.MAPPED


def _spider_climb(draft: Draft, paragraph: Paragraph) -> Fate:
    draft.sheet.setdefault("speeds", {})
    draft.sheet["speeds"].setdefault("climb", draft.block.speeds.get("walk", 30))
    return Fate.MAPPED


_CHARGE = re.compile(r"(?:moves?|moved) (?:at least )?(\d+) ft")
_WITH = re.compile(r"hits? [\w' ]+? with (?:an?|its|the) ([\w' ]+?)(?: attack)?(?: on| as|,| in)")


def _charge(draft: Draft, paragraph: Paragraph) -> Fate | None:
    """More damage, a fall, or both, for whoever is hit after a run-up."""
    from rules.dnd5e.importing.riders import consequence

    text = plain(paragraph.text)
    moved, weapon, dealt = _CHARGE.search(text), _WITH.search(text), harms(text)
    if moved is None or int(moved[1]) % 5:
        return None
    when: Data = {"moved": int(moved[1])} | ({"weapon": weapon[1]} if weapon else {})
    piece: Data = {"name": draft.named(paragraph.name), "archetype": "on_hit", "when": when}
    if dealt and (dice := as_throw(dealt[0].dice)) is not None:
        piece |= {"damage": dice, "damage_type": dealt[0].type.value}
    save_text = text[dealt[0].end :] if dealt else text
    if then := consequence(save_text, save_text):
        piece["then"] = then
    if not draft.add_piece("features", piece):
        return None
    if "bonus action" in text:
        draft.note(paragraph)
        return Fate.IN_PART
    return Fate.MAPPED


_REGAINS = re.compile(r"regains (\d+) hit points at the start of (?:its|each of its) turns?")


def _regeneration(draft: Draft, paragraph: Paragraph) -> Fate | None:
    text = plain(paragraph.text)
    regained = _REGAINS.search(text)
    if regained is None:
        return None
    stopped = re.findall(r"\b(acid|fire|cold|lightning|radiant|necrotic|thunder)\b", text.partition("takes")[2])
    piece = {"name": "regeneration", "archetype": "regeneration", "amount": int(regained[1])}
    piece |= {"stopped_by": list(dict.fromkeys(stopped))} if stopped else {}
    piece |= {"from_zero": True} if re.search(r"dies only if|starts its turn with 0 hit points", text) else {}
    return Fate.MAPPED if draft.add_piece("features", piece) else None


def _sneak_attack(draft: Draft, paragraph: Paragraph) -> Fate | None:
    """Once a turn with advantage or an ally beside the target; the number of dice is printed."""
    dice = re.search(r"(\d+d6)", plain(paragraph.text))
    piece: Data = {"name": "sneak_attack", "archetype": "on_hit", "once_a_turn": True, "when": {"ally_beside": True}}
    made = dice is not None and draft.add_piece("features", {**piece, "damage": dice[1]})
    if made:
        draft.note(paragraph)
    return Fate.IN_PART if made else None


def _already_printed(draft: Draft, paragraph: Paragraph) -> Fate:
    """Its numbers are part of the attacks as they are printed."""
    return Fate.MAPPED


def _angelic(draft: Draft, paragraph: Paragraph) -> Fate:
    return _magic_weapons(draft, paragraph)


_KEEN = _feature("keen_senses")
SAVE_ADVANTAGE: Data = {"to": "save", "advantage": True}

TRAITS: dict[str, Add] = {
    "legendary_resistance": _legendary_resistance,
    "magic_weapons": _magic_weapons,
    "angelic_weapons": _angelic,
    "hellish_weapons": _angelic,
    "brute": _already_printed,
    "heated_weapons": _already_printed,
    "innate_fire": _already_printed,
    "keen_smell": _KEEN,
    "keen_hearing": _KEEN,
    "keen_sight": _KEEN,
    "keen_hearing_and_smell": _KEEN,
    "keen_hearing_and_sight": _KEEN,
    "keen_sight_and_smell": _KEEN,
    "keen_senses": _KEEN,
    "greater_magic_resistance": _feature("magic_resistance"),
    "reckless": _feature("reckless_attack"),
    "two_headed": _feature("keen_senses"),
    "spider_climb": _spider_climb,
    "charge": _charge,
    "pounce": _charge,
    "trampling_charge": _charge,
    "regeneration": _regeneration,
    "sneak_attack": _sneak_attack,
}

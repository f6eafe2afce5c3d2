"""Legendary actions: attacks and actions that the sheet has, or ones of their own."""

from __future__ import annotations

import re

from ledger.events import Data
from rules.dnd5e.importing.attacks import is_attack, read_attack
from rules.dnd5e.importing.draft import Draft, Fate, Kind
from rules.dnd5e.importing.grammar import plain, sentences, slug
from rules.dnd5e.importing.saves import read_save
from rules.dnd5e.importing.trait_table import NO_BEARING
from rules.statblocks.block import Paragraph

EACH_ROUND = 3
"""Legendary actions between two turns, unless a stat block says otherwise; none of the SRD does."""
SEARCH = "search"
"""What everybody can do to find those who hide."""
_IS_SEARCH = re.compile(r"makes a wisdom \(perception\) check\.?$")
_MAKES = re.compile(
    r"makes (?:one|a|an) (?P<name>[\w' -]+?)(?: attack|\.|$)|uses (?:its|the|his|her) (?P<use>[\w' -]+?)(?:\.|$| \()"
)


def add_legendary(draft: Draft, paragraph: Paragraph) -> None:
    draft.sheet["legendary_actions"] = EACH_ROUND
    fate = _add(draft, paragraph)
    draft.count(Kind.ABILITY, paragraph.name, fate)


def _add(draft: Draft, paragraph: Paragraph) -> Fate:
    if slug(paragraph.name) in NO_BEARING:
        draft.note(paragraph)
        return Fate.NO_BEARING
    if _IS_SEARCH.search(plain(paragraph.text)):
        draft.add("legendary", {"name": SEARCH})
        return Fate.MAPPED
    entry = _entry(draft, paragraph)
    if entry is None:
        draft.note(paragraph)
        return Fate.LEFT
    moving = " ".join(said for said in sentences(paragraph.text) if _MOVING.search(plain(said)))
    if moving and "archetype" in entry:
        entry["ask"] = moving[:4000]
    draft.add("legendary", entry | ({"cost": paragraph.cost} if paragraph.cost > 1 else {}))
    if moving:
        draft.note(paragraph)
        return Fate.IN_PART
    return Fate.MAPPED


_MOVING = re.compile(r"\bmoves?\b|\bfly")


def _entry(draft: Draft, paragraph: Paragraph) -> Data | None:
    if is_attack(paragraph):
        read = read_attack(paragraph)
        if read is not None and draft.weapon(read.weapon["name"]) is None:
            draft.add("weapons", read.weapon)
            return {"name": read.weapon["name"]}
    text = plain(paragraph.text)
    for found in _MAKES.finditer(text):
        own = _own(draft, (found["name"] or found["use"]).strip())
        if own is not None:
            return {"name": own}
    if cast := _CASTS.search(paragraph.text):
        return _spell(draft, cast[1])
    if far := re.search(r"teleports,? (?:[\w ,]+,? )?up to (\d+) ft", text):
        return {"name": draft.named(paragraph.name), "archetype": "teleport", "range": int(far[1])}
    if healed := re.search(r"regains \d+ \((\d+d\d+(?: ?[+-] ?\d+)?)\) hit points", text):
        return {"name": draft.named(paragraph.name), "archetype": "healing", "healing": healed[1].replace(" ", "")}
    made = read_save(paragraph.text)
    if made is None:
        return None
    entry = {"name": draft.named(paragraph.name), **made}
    return entry if draft.is_sound("actions", entry) else None


_CASTS = re.compile(r"casts? ([A-Z][\w']+(?: (?:of|[A-Z][\w']+))*)")


def _spell(draft: Draft, name: str) -> Data | None:
    """A spell that the sheet has and that can be cast as an action."""
    if slug(name) not in draft.taken or name.lower() in ("spellcasting",):
        return None
    return {"name": slug(name)}


def _own(draft: Draft, name: str) -> str | None:
    """A weapon or an action of the sheet; `attack` alone means the first weapon."""
    for weapon in draft.weapons:
        if name in (weapon["name"], f"{weapon['name']}s") or weapon["name"] in name:
            return str(weapon["name"])
    actions = [action if isinstance(action, str) else action["name"] for action in draft.sheet.get("actions", ())]
    return slug(name) if slug(name) in actions else None

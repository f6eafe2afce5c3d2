"""Legendary actions: attacks and actions that the sheet has, or ones of their own."""

from __future__ import annotations

import re

from combatlog.rules.dnd5e.importing.abilities import unsaid
from combatlog.rules.dnd5e.importing.attacks import is_attack, read_attack
from combatlog.rules.dnd5e.importing.draft import Draft, Fate, Kind
from combatlog.rules.dnd5e.importing.grammar import plain, sentences, slug
from combatlog.rules.dnd5e.importing.saves import read_save
from combatlog.rules.dnd5e.importing.trait_table import NO_BEARING
from combatlog.rules.statblocks.block import Paragraph
from ledger.events import Data

EACH_ROUND = 3
"""Legendary actions between two turns, unless a stat block says otherwise; none of the SRD does."""
SEARCH = "search"
"""What everybody can do to find those who hide."""
_IS_SEARCH = re.compile(r"makes a wisdom \(perception\) check\.?$")
_MAKES = re.compile(
    r"makes (?:one|a|an) (?P<name>[\w' -]+?)(?: attack|\.|$)"
    r"|uses (?:its |the |his |her )?(?P<use>[\w' -]+?)(?:\.|$| \()"
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
    stride = read_stride(plain(paragraph.text)) if entry.get("archetype") != "stride" else None
    left = _left(paragraph, entry, strides=stride is not None or entry.get("archetype") == "stride")
    if left and "archetype" in entry:
        entry["ask"] = " ".join(left)[:4000]
    entry |= {"stride": stride} if stride is not None else {}
    entry |= {"once": True} if _ONCE_A_ROUND.search(plain(paragraph.text)) else {}
    draft.add("legendary", entry | ({"cost": paragraph.cost} if paragraph.cost > 1 else {}))
    if left:
        draft.note(paragraph)
        return Fate.IN_PART
    return Fate.MAPPED


def _left(paragraph: Paragraph, entry: Data, *, strides: bool) -> list[str]:
    """The sentences that the entry does not carry out."""
    is_saved = entry.get("archetype") in ("area", "blast", "affliction")
    said = sentences(unsaid(paragraph.text) if is_saved else paragraph.text)
    moving = [one for one in said if _MOVING.search(plain(one))]
    others = [one for one in said if is_saved and one not in moving and not _ONCE_A_ROUND.search(plain(one))]
    return others + ([] if strides else moving)


_MOVING = re.compile(r"\bmoves?\b|\bfly")
_ONCE_A_ROUND = re.compile(r"can't take this action again until the start of its next turn")
_STRIDE = re.compile(
    r"(?P<how>moves?|fly|flies|swims?) up to (?P<half>half )?its (?:fly |flying |swim )?speed"
    r"(?P<slips> without provoking opportunity attacks)?"
)


def read_stride(text: str) -> Data | None:
    """Movement that is part of something else: `it can then fly up to half its flying speed`."""
    found = _STRIDE.search(text)
    if found is None:
        return None
    gait = {"f": {"gait": "fly"}, "s": {"gait": "swim"}}.get(found["how"][0], {})
    share = {} if found["half"] else {"share": "full"}
    before = {"when": "before"} if re.search(r"\bmakes?\b|\buses?\b", text[found.end() :]) else {}
    return {**share, **gait, **({"slips": True} if found["slips"] else {}), **before}


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
        alone = read_stride(text) if len(sentences(text)) == 1 else None
        if alone is not None:
            alone.pop("when", None)
            return {"name": draft.named(paragraph.name), "archetype": "stride", "share": "half", **alone}
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

"""Import of traits, special actions, reactions and legendary actions other than attacks."""

from __future__ import annotations

import re

from combatlog.importers.statblocks.stat_block import Paragraph, StatBlockPart
from combatlog.rules.dnd5e.importing.attacks import is_attack, read_attack
from combatlog.rules.dnd5e.importing.characters import add_hero_feature
from combatlog.rules.dnd5e.importing.multiattack import add_multiattack
from combatlog.rules.dnd5e.importing.saves_and_effects import read_save
from combatlog.rules.dnd5e.importing.sheet_draft import (
    TAKES,
    MappingKind,
    MappingResult,
    SheetDraft,
    plain,
    sentences,
    slug,
    usage,
)
from combatlog.rules.dnd5e.importing.spellcasting import add_cast
from combatlog.rules.dnd5e.importing.trait_table import NO_BEARING, TRAITS
from combatlog.rules.dnd5e.pieces import PIECES, Feature
from ledger.events import Data

_ONE_OF = re.compile(r"(?:^|\n)\W*(?P<name>[A-Z][\w' ]+ Breath)\W*\. ?\W*", re.MULTILINE)


def add_ability(draft: SheetDraft, paragraph: Paragraph) -> None:
    """Map a paragraph to the sheet as far as the rules support it; the rest becomes a note for the GM."""
    if paragraph.name.lower().startswith("multiattack"):
        add_multiattack(draft, paragraph)
        return
    parts = _one_of_several(paragraph)
    fates = [_add(draft, part) for part in parts]
    draft.count(MappingKind.ABILITY, paragraph.name, fates[0] if len(set(fates)) == 1 else MappingResult.IN_PART)


def _one_of_several(paragraph: Paragraph) -> list[Paragraph]:
    """Split a paragraph with several actions, such as `Breath Weapons`, into one paragraph for each."""
    begins = list(_ONE_OF.finditer(paragraph.text))
    if len(begins) < 2:
        return [paragraph]
    ends = [*(begin.start() for begin in begins[1:]), len(paragraph.text)]
    shared = {"recharge": paragraph.recharge, "uses": paragraph.uses, "per_rest": paragraph.per_rest}
    return [
        Paragraph(paragraph.part, begin["name"], paragraph.text[begin.end() : end].strip(), **shared)  # type: ignore[arg-type]
        for begin, end in zip(begins, ends, strict=True)
    ]


def _add(draft: SheetDraft, paragraph: Paragraph) -> MappingResult:
    fate = _map(draft, paragraph)
    is_passive = paragraph.part in (StatBlockPart.TRAIT, StatBlockPart.REACTION) and not draft.block.is_character
    if is_passive and fate in (MappingResult.LEFT, MappingResult.IN_PART):
        _remind(draft, paragraph)
    return fate


_STRUCK = re.compile(
    r"\btouches|hits (?:the|it)\b|is hit\b|(?:it|if the [\w ]+|while [\w ]+, the [\w ]+) takes [\w ]*damage"
    r"|is subjected to|is targeted|(?:attacks?|rolls?) against (?:the|it)\b|to 0 hit points, it"
)
_HITS = re.compile(r"\bit hits|hits? (?:with|a creature|a target|an object)|on a hit|(?:its|whose) [\w ]*attacks?\b")


def _remind(draft: SheetDraft, paragraph: Paragraph) -> None:
    """Add a reminder that asks the GM the first time in a fight when an unmapped trait could matter."""
    said = plain(paragraph.text)
    at = "struck" if _STRUCK.search(said) else "hit" if _HITS.search(said) else "turn_start"
    asks = {"archetype": "question", "at": at, "once": True, "text": f"{paragraph.name}: {paragraph.text}"[:4000]}
    draft.add_piece("features", {"name": draft.named(f"{paragraph.name[:30]} reminder"), **asks})


def _map(draft: SheetDraft, paragraph: Paragraph) -> MappingResult:
    if draft.block.is_character and (fate := add_hero_feature(draft, paragraph)) is not None:
        return fate
    name = slug(paragraph.name)
    if name in NO_BEARING:
        draft.note(paragraph)
        return MappingResult.NO_BEARING
    if name in TRAITS and (fate := TRAITS[name](draft, paragraph)) is not None:
        return fate
    own = PIECES.get(f"dnd5e:feature:{name}")
    if isinstance(own, Feature) and name not in draft.taken and not draft.block.is_character:
        draft.add("features", name)
        return MappingResult.MAPPED
    if paragraph.part in TAKES and (fate := _add_action(draft, paragraph)) is not None:
        return fate
    if (
        paragraph.part in (*TAKES, StatBlockPart.TRAIT, StatBlockPart.REACTION)
        and (fate := add_cast(draft, paragraph)) is not None
    ):
        return fate
    return _leave(draft, paragraph)


def _add_action(draft: SheetDraft, paragraph: Paragraph) -> MappingResult | None:
    made = read_save(paragraph.text)
    if made is None:
        return None
    more = unsaid(paragraph.text)
    ask = {"ask": more[:4000]} if more else {}
    piece = {"name": draft.named(paragraph.name), **made, **usage(paragraph), **ask}
    if not draft.add_piece("actions", piece):
        return None
    if more:
        draft.note(paragraph)
        return MappingResult.IN_PART
    return MappingResult.MAPPED


_PLAIN_SENTENCE = re.compile(
    r"saving throw|on a failed save|half as much|failure:|success:|repeats? the sav|exhales"
    r"|immune to (?:this|the) [\w' -]+ for (?:the next )?24 hours|if a creature's saving throw is successful"
    r"|-ft (?:cone|line|cube|radius)|ends? for it"
    r"|effect ends|beats its wings|can then fly up to half|in that area|ending the effect"
    r"|must repeat the saving throw at the end of its next turn|^on a failure, the (?:target|creature) is petrified"
    r"|second failure|after 1 minute, it succeeds automatically|begins to turn to stone"
    r"|fails (?:the saving throw|its save|the save) by 5 or more, [\w ]* also (?:paralyzed|unconscious)"
    r"|being underwater doesn't grant resistance|ages? \d|(?:at|on) a point (?:it|the [\w ]+) can see within \d+ ft"
    r"|fixes its gaze on one creature (?:it|that)[\w ]* can see within \d+ ft"
    r"|targets? one (?:or more )?creatures? (?:it|that|she|he)[\w ]* can see within \d+ ft"
    r"|^in addition, the (?:target|creature) can (?:take|use) either an action or a bonus action on its turn,? "
    r"(?:but )?not both|years older"
    r"|^these effects last for 1 minute|^(?:this|the) effect lasts? (?:until|for)|grappled condition \(escape dc"
    r"|^while poisoned in this way, a target takes|uses one of the following breath weapons"
)


_OF_RULES = re.compile(
    r"\d|\b(?:can|can't|must|may|damage|sav\w*|hit|speed|mov\w+|fl(?:y|ies)|attack\w*|advantage|disadvantage|turns?"
    r"|action|reaction|target|effect|lasts?|ends?|until|while|if|when\w*|any|teleport\w*|grapple\w*|swallow\w*"
    r"|immune|only|summon\w*|heals?|regains?|dies?|obscured|terrain)\b"
)
"""Words that mark a sentence as about rules. Others are only flavour: `It utters a terrible word.`"""


def unsaid(text: str) -> str:
    """The sentences except flavour and the usual ones about the save, its area and how it ends."""
    said = [(one, plain(one)) for one in sentences(text)]
    return " ".join(one for one, read in said if not _PLAIN_SENTENCE.search(read) and _OF_RULES.search(read))


def _leave(draft: SheetDraft, paragraph: Paragraph) -> MappingResult:
    """Note a paragraph. If it takes an action, it can be declared, and the GM decides the effect."""
    draft.note(paragraph)
    if paragraph.part in TAKES and paragraph.text:
        text = {"archetype": "by_hand", "text": paragraph.text[:4000]}
        draft.add_piece("actions", {"name": draft.named(paragraph.name), **text, **usage(paragraph)})
    return MappingResult.LEFT


EACH_ROUND = 3
"""The number of legendary actions between two turns. All stat blocks of the SRD have this many."""
SEARCH = "search"
"""The common action to find hidden enemies."""
_IS_SEARCH = re.compile(r"makes a wisdom \(perception\) check\.?$")
_MAKES = re.compile(
    r"makes (?:one|a|an) (?P<name>[\w' -]+?)(?: attack|\.|$)"
    r"|uses (?:its |the |his |her )?(?P<use>[\w' -]+?)(?:\.|$| \()"
)


def add_legendary(draft: SheetDraft, paragraph: Paragraph) -> None:
    draft.sheet["legendary_actions"] = EACH_ROUND
    fate = _add_legendary_entry(draft, paragraph)
    draft.count(MappingKind.ABILITY, paragraph.name, fate)


def _add_legendary_entry(draft: SheetDraft, paragraph: Paragraph) -> MappingResult:
    if slug(paragraph.name) in NO_BEARING:
        draft.note(paragraph)
        return MappingResult.NO_BEARING
    if _IS_SEARCH.search(plain(paragraph.text)):
        draft.add("legendary", {"name": SEARCH})
        return MappingResult.MAPPED
    entry = _entry(draft, paragraph)
    if entry is None:
        draft.note(paragraph)
        return MappingResult.LEFT
    stride = read_extra_movement(plain(paragraph.text)) if entry.get("archetype") != "stride" else None
    left = _left(paragraph, entry, strides=stride is not None or entry.get("archetype") == "stride")
    if left and "archetype" in entry:
        entry["ask"] = " ".join(left)[:4000]
    entry |= {"stride": stride} if stride is not None else {}
    entry |= {"once": True} if _ONCE_A_ROUND.search(plain(paragraph.text)) else {}
    draft.add("legendary", entry | ({"cost": paragraph.cost} if paragraph.cost > 1 else {}))
    if left:
        draft.note(paragraph)
        return MappingResult.IN_PART
    return MappingResult.MAPPED


def _left(paragraph: Paragraph, entry: Data, *, strides: bool) -> list[str]:
    """The sentences that the entry does not cover."""
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


def read_extra_movement(text: str) -> Data | None:
    """Movement that is part of another action: `it can then fly up to half its flying speed`."""
    found = _STRIDE.search(text)
    if found is None:
        return None
    gait = {"f": {"gait": "fly"}, "s": {"gait": "swim"}}.get(found["how"][0], {})
    share = {} if found["half"] else {"share": "full"}
    before = {"when": "before"} if re.search(r"\bmakes?\b|\buses?\b", text[found.end() :]) else {}
    return {**share, **gait, **({"slips": True} if found["slips"] else {}), **before}


def _entry(draft: SheetDraft, paragraph: Paragraph) -> Data | None:
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
        alone = read_extra_movement(text) if len(sentences(text)) == 1 else None
        if alone is not None:
            alone.pop("when", None)
            return {"name": draft.named(paragraph.name), "archetype": "stride", "share": "half", **alone}
        return None
    entry = {"name": draft.named(paragraph.name), **made}
    return entry if draft.is_sound("actions", entry) else None


_CASTS = re.compile(r"casts? ([A-Z][\w']+(?: (?:of|[A-Z][\w']+))*)")


def _spell(draft: SheetDraft, name: str) -> Data | None:
    """A spell of the sheet that can be cast as an action."""
    if slug(name) not in draft.taken or name.lower() in ("spellcasting",):
        return None
    return {"name": slug(name)}


def _own(draft: SheetDraft, name: str) -> str | None:
    """A weapon or an action of the sheet; `attack` alone means the first weapon."""
    for weapon in draft.weapons:
        if name in (weapon["name"], f"{weapon['name']}s") or weapon["name"] in name:
            return str(weapon["name"])
    actions = [action if isinstance(action, str) else action["name"] for action in draft.sheet.get("actions", ())]
    return slug(name) if slug(name) in actions else None

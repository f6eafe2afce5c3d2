"""Traits, special actions, reactions and legendary actions that are no attacks."""

from __future__ import annotations

import re

from combatlog.rules.dnd5e.importing.casting import add_cast
from combatlog.rules.dnd5e.importing.draft import Draft, Fate, Kind
from combatlog.rules.dnd5e.importing.grammar import plain, sentences, slug
from combatlog.rules.dnd5e.importing.heroes import add_hero_feature
from combatlog.rules.dnd5e.importing.multiattack import add_multiattack
from combatlog.rules.dnd5e.importing.saves import read_save
from combatlog.rules.dnd5e.importing.trait_table import NO_BEARING, TRAITS
from combatlog.rules.dnd5e.importing.usage import TAKES, usage
from combatlog.rules.dnd5e.pieces import PIECES, Feature
from combatlog.rules.statblocks.block import Paragraph, Part

_ONE_OF = re.compile(r"(?:^|\n)\W*(?P<name>[A-Z][\w' ]+ Breath)\W*\. ?\W*", re.MULTILINE)


def add_ability(draft: Draft, paragraph: Paragraph) -> None:
    """Give the sheet what a paragraph says, if the rules can do it; otherwise the GM is told."""
    if paragraph.name.lower().startswith("multiattack"):
        add_multiattack(draft, paragraph)
        return
    parts = _one_of_several(paragraph)
    fates = [_add(draft, part) for part in parts]
    draft.count(Kind.ABILITY, paragraph.name, fates[0] if len(set(fates)) == 1 else Fate.IN_PART)


def _one_of_several(paragraph: Paragraph) -> list[Paragraph]:
    """`Breath Weapons` describes several, each with its own name."""
    begins = list(_ONE_OF.finditer(paragraph.text))
    if len(begins) < 2:
        return [paragraph]
    ends = [*(begin.start() for begin in begins[1:]), len(paragraph.text)]
    shared = {"recharge": paragraph.recharge, "uses": paragraph.uses, "per_rest": paragraph.per_rest}
    return [
        Paragraph(paragraph.part, begin["name"], paragraph.text[begin.end() : end].strip(), **shared)  # type: ignore[arg-type]
        for begin, end in zip(begins, ends, strict=True)
    ]


def _add(draft: Draft, paragraph: Paragraph) -> Fate:
    fate = _map(draft, paragraph)
    is_passive = paragraph.part in (Part.TRAIT, Part.REACTION) and not draft.block.is_character
    if is_passive and fate in (Fate.LEFT, Fate.IN_PART):
        _remind(draft, paragraph)
    return fate


_STRUCK = re.compile(
    r"\btouches|hits (?:the|it)\b|is hit\b|(?:it|if the [\w ]+|while [\w ]+, the [\w ]+) takes [\w ]*damage"
    r"|is subjected to|is targeted|(?:attacks?|rolls?) against (?:the|it)\b|to 0 hit points, it"
)
_HITS = re.compile(r"\bit hits|hits? (?:with|a creature|a target|an object)|on a hit|(?:its|whose) [\w ]*attacks?\b")


def _remind(draft: Draft, paragraph: Paragraph) -> None:
    """Put what is not carried out to the GM the first time in a fight that it would matter."""
    said = plain(paragraph.text)
    at = "struck" if _STRUCK.search(said) else "hit" if _HITS.search(said) else "turn_start"
    asks = {"archetype": "question", "at": at, "once": True, "text": f"{paragraph.name}: {paragraph.text}"[:4000]}
    draft.add_piece("features", {"name": draft.named(f"{paragraph.name[:30]} reminder"), **asks})


def _map(draft: Draft, paragraph: Paragraph) -> Fate:
    if draft.block.is_character and (fate := add_hero_feature(draft, paragraph)) is not None:
        return fate
    name = slug(paragraph.name)
    if name in NO_BEARING:
        draft.note(paragraph)
        return Fate.NO_BEARING
    if name in TRAITS and (fate := TRAITS[name](draft, paragraph)) is not None:
        return fate
    own = PIECES.get(f"dnd5e:feature:{name}")
    if isinstance(own, Feature) and name not in draft.taken and not draft.block.is_character:
        draft.add("features", name)
        return Fate.MAPPED
    if paragraph.part in TAKES and (fate := _add_action(draft, paragraph)) is not None:
        return fate
    if paragraph.part in (*TAKES, Part.TRAIT, Part.REACTION) and (fate := add_cast(draft, paragraph)) is not None:
        return fate
    return _leave(draft, paragraph)


def _add_action(draft: Draft, paragraph: Paragraph) -> Fate | None:
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
        return Fate.IN_PART
    return Fate.MAPPED


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
"""What a sentence about rules contains. Those without only set the scene: `It utters a terrible word.`"""


def unsaid(text: str) -> str:
    """The sentences besides the usual ones about the save, its area and how it ends, and those that set the scene."""
    said = [(one, plain(one)) for one in sentences(text)]
    return " ".join(one for one, read in said if not _PLAIN_SENTENCE.search(read) and _OF_RULES.search(read))


def _leave(draft: Draft, paragraph: Paragraph) -> Fate:
    """Note it. What takes an action can be declared, and is put to the GM then."""
    draft.note(paragraph)
    if paragraph.part in TAKES and paragraph.text:
        text = {"archetype": "by_hand", "text": paragraph.text[:4000]}
        draft.add_piece("actions", {"name": draft.named(paragraph.name), **text, **usage(paragraph)})
    return Fate.LEFT

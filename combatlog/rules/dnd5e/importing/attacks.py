"""Attacks: from a printed attack to a weapon, and what follows a hit to features."""

from __future__ import annotations

import re
from dataclasses import dataclass

from combatlog.rules.dnd5e.importing.draft import Draft, Fate, Kind
from combatlog.rules.dnd5e.importing.grammar import DAMAGE, Harm, as_throw, harms, plain
from combatlog.rules.dnd5e.importing.heroes import as_carried
from combatlog.rules.dnd5e.importing.riders import follow_up
from combatlog.rules.dnd5e.weapons import UNARMED
from combatlog.rules.statblocks.block import Paragraph, Part
from ledger.events import Data

_HEAD = re.compile(
    r"(?P<way>melee or ranged|melee|ranged)(?: (?P<means>weapon|spell))? attack(?: roll)?: ?"
    r"(?P<bonus>[+-]? ?\d+)(?: to hit)?"
)
_REACH = re.compile(r"reach (\d+) ?ft")
_RANGE = re.compile(r"range (\d+)(?: ?/ ?(\d+))? ?ft")
_PLUS = re.compile(r",? (?:plus|and) $")
_IF_ADVANTAGE = re.compile(r" if (?:the attack roll|the [\w ]+?) had advantage(?: on the attack roll)?(?=\.|,|$)")
_INSTEAD = re.compile(r",? (?:or|and) (?!.*saving throw)(?:[\w ]+ )?$")
FARTHEST_REACH = 60


@dataclass(frozen=True, slots=True)
class Read:
    """An attack as its paragraph describes it."""

    weapon: Data
    rest: str
    """What else follows a hit, in the words of the paragraph."""


def is_attack(paragraph: Paragraph) -> bool:
    return _HEAD.search(plain(paragraph.text)) is not None


def read_attack(paragraph: Paragraph) -> Read | None:
    text = plain(paragraph.text)
    head = _HEAD.search(text)
    if head is None:
        return None
    dealt = [harm for harm in harms(text) if harm.start >= head.end()]
    if not dealt or "saving throw" in text[head.end() : dealt[0].start]:
        return _harmless(paragraph, head, text)
    weapon: Data = {
        "name": paragraph.name.lower()[:40],
        "to_hit": int(head["bonus"].replace(" ", "")),
        "damage": dealt[0].dice,
        "damage_type": dealt[0].type.value,
        **_distances(head["way"], text[head.end() : dealt[0].start]),
    }
    weaker, after = _once_bloodied(text, dealt)
    weapon |= {"bloodied": weaker} if weaker is not None else {}
    extra, end = _extra(text, dealt) if weaker is None else ([], after)
    if extra:
        weapon["extra"] = [{"damage": harm.dice, "damage_type": harm.type.value} for harm in extra[:4]]
    if head["means"] == "spell":
        weapon["magical"] = True
    return Read(weapon, text[end:].strip(" .,;"))


_AFTER_DISTANCE = re.compile(r"\bhit: |(?:reach|range) [\d/]+ ft (?=the target)")


def _harmless(paragraph: Paragraph, head: re.Match[str], text: str) -> Read | None:
    """An attack that deals no damage of its own: something else follows its hit."""
    begins = _AFTER_DISTANCE.search(text, head.end())
    if begins is None:
        return None
    weapon: Data = {
        "name": paragraph.name.lower()[:40],
        "to_hit": int(head["bonus"].replace(" ", "")),
        "damage": "0",
        "damage_type": "bludgeoning",
        **_distances(head["way"], text[head.end() : begins.end()]),
    }
    return Read(weapon | ({"magical": True} if head["means"] == "spell" else {}), text[begins.end() :].strip(" .,;"))


_BLOODIED = re.compile(
    r",? or (?P<damage>.*?) damage if the swarm (?:has half of its hit points or fewer|is bloodied)(?=\.|,|$)"
)


def _once_bloodied(text: str, dealt: list[Harm]) -> tuple[str | None, int]:
    """The lower damage of a swarm that has lost half of its hit points, and where the text goes on."""
    found = _BLOODIED.match(text, dealt[0].end)
    if found is None or len(dealt) < 2 or dealt[1].type is not dealt[0].type:
        return None, dealt[0].end
    return dealt[1].dice, found.end()


def _distances(way: str, text: str) -> Data:
    reach, shot = _REACH.search(text), _RANGE.search(text)
    found: Data = {}
    if reach and int(reach[1]) > 5:
        found["reach"] = min(FARTHEST_REACH, int(reach[1]) - int(reach[1]) % 5)
    if shot:
        found["range"] = [int(shot[1]), int(shot[2] or shot[1])]
        if way != "ranged":
            found["properties"] = ["thrown"]
    return found


def _extra(text: str, dealt: list[Harm]) -> tuple[list[Harm], int]:
    """Damage of other types on every hit, and where the text goes on after the damage.

    The damage with two hands, or to a grappled target instead, is another choice and no extra.
    """
    extra: list[Harm] = []
    end = dealt[0].end
    for harm in dealt[1:]:
        between = text[end : harm.start]
        if _IF_ADVANTAGE.match(text, harm.end):
            break
        if _PLUS.fullmatch(between):
            extra.append(harm)
        elif not _INSTEAD.fullmatch(between):
            break
        end = harm.end
        if versatile := re.match(r" if [^.]*?two hands[^.,]*?(?= plus|\.|,|$)", text[end:]):
            end += versatile.end()
    return extra, end


def add_attack(draft: Draft, paragraph: Paragraph) -> None:
    """Give the sheet a weapon and what follows its hits; what the rules cannot do is asked of the GM."""
    read = read_attack(paragraph)
    if draft.block.is_character and (
        paragraph.name.lower() == UNARMED or (read and _add_another(draft, paragraph, read))
    ):
        draft.count(Kind.ATTACK, paragraph.name, Fate.MAPPED)  # everybody has unarmed strikes, and a monk better ones
        return
    if read is None:
        draft.note(paragraph)
        draft.count(Kind.ATTACK, paragraph.name, Fate.LEFT)
        return
    weapon = {**read.weapon, "name": _free(draft, read.weapon["name"])}
    draft.add("weapons", as_carried(draft, paragraph, weapon) if draft.block.is_character else weapon)
    fate = follow_up(draft, paragraph, weapon["name"], _with_advantage(draft, weapon["name"], read.rest))
    if paragraph.part is Part.ACTION and paragraph.uses is not None:
        draft.note(paragraph, f"{paragraph.name} can be used only now and then. {paragraph.text}")
        fate = Fate.IN_PART
    draft.count(Kind.ATTACK, paragraph.name, fate)


_MORE_WITH_ADVANTAGE = re.compile(rf"^(?:plus )?{DAMAGE} if the attack roll had advantage\.?\s*")


def _with_advantage(draft: Draft, weapon: str, rest: str) -> str:
    """Add the damage that only an attack with advantage deals. Returns what else follows a hit."""
    found = _MORE_WITH_ADVANTAGE.match(rest)
    dice = as_throw((found["dice"] or found["bare"] or found["flat"]).replace(" ", "")) if found else None
    if found is None or dice is None:
        return rest
    more = {"to": "damage", "dice": dice, "damage_type": found["type"], "when": {"weapon": weapon, "advantage": True}}
    reason = f"{weapon} with advantage"[:80]
    piece = {"name": draft.named(f"{weapon} advantage"), "archetype": "trait", "reason": reason, "contributes": [more]}
    return rest[found.end() :] if draft.add_piece("features", piece) else rest


def _add_another(draft: Draft, paragraph: Paragraph, read: Read) -> bool:
    """Add a weapon that the sheet has already, to throw or for the other hand."""
    carried = as_carried(draft, paragraph, read.weapon)
    if carried not in draft.sheet.get("weapons", ()):
        return False
    draft.add("weapons", carried)
    return True


def _free(draft: Draft, name: str) -> str:
    number, free = 1, name
    while draft.weapon(free) is not None:
        number += 1
        free = f"{name[:36]} {number}"
    return free

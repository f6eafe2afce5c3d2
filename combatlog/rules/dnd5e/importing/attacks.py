"""Import of attacks: a printed attack becomes a weapon, and the further effects of a hit become features."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from combatlog.importers.statblocks.stat_block import Paragraph, StatBlockPart
from combatlog.rules.dnd5e.creatures.weapons_and_armor import UNARMED
from combatlog.rules.dnd5e.enums import CreatureType, Size
from combatlog.rules.dnd5e.importing.characters import as_carried
from combatlog.rules.dnd5e.importing.saves_and_effects import AFTER_THE_FIGHT, added, additions, merged
from combatlog.rules.dnd5e.importing.sheet_draft import (
    BOTH,
    DAMAGE,
    HALVED,
    SAVED_AGAIN,
    MappingKind,
    MappingResult,
    PrintedDamage,
    SheetDraft,
    as_throw,
    condition_in,
    first_save,
    lasts,
    plain,
    printed_damages,
    sentences,
)
from ledger.events import Data

_OTHER_THAN = re.compile(
    r"other than an? (?P<others>[\w ]+?),| isn't an? (?P<others2>[\w ]+?),|\bnon-(?P<others3>\w+) creature"
)
_ESCAPE = re.compile(r"escape dc (\d+)")
_LARGEST = re.compile(rf"({'|'.join(size.value for size in Size)}) (?:creature )?or smaller")
_PUSHED = re.compile(r"pushed (?:up to )?(\d+) ft|pushes? [\w ]+ (?:up to )?(\d+) ft")
_SAID_ALREADY = re.compile(
    r"repeats? the sav|another (?:\w+ )?sav\w+ (?:throw )?at the end"
    r"|immune to (?:this|the) [\w' -]+ for (?:the next )?24 hours"
    r"|^(?:and )?until (?:this|the) grapple ends, (?:the|a) (?:target|creature) is restrained[^.]*$"
    r"|^(?:and )?(?:the|a) [\w ]+ (?:can't|can only|can have only|has \w+) [\w' ,]*"
    r"(?:grappl|another target|until the grapple)"
    r"|^if the target is a [\w ]+$"
    r"|^(?:and )?until (?:this|the) grapple ends, the [\w ]+ can't use [\w' ]+ on another target$"
    r"|^(?:and )?while grappled, the target has the restrained condition$"
    r"|^if the target is a flammable object"  # about objects, which these rules do not burn
    r"|^(?:hitom ?)?the [\w ]+ magically returns to"  # the thrown weapons of creatures are not counted
)
_CHARGED = re.compile(
    rf"^if (?:the )?target is (?:an? )?(?P<size>{'|'.join(size.value for size in Size)}) or smaller(?: creature)? and "
    r"the [\w ]+ moved (?P<feet>\d+)\+ ft straight toward it immediately before the hit, the target takes an extra "
    rf"{DAMAGE} and has the prone condition$"
)
_LYCANTHROPY = re.compile(
    r"or be cursed with [\w ]+ lycanthropy|cursed with mummy rot|failure: the target is cursed$"
    r"|the target is (?:magically )?cursed\b|^if the target is a creature, it is cursed\b"
)


_EVERY_DAY = re.compile(r"[^.]*24 hours[^.]*")
_AT_ZERO = re.compile(r"reduces the target to 0 hit points|reduced to 0 hit points")


def follow_up(draft: SheetDraft, paragraph: Paragraph, weapon: str, rest: str) -> MappingResult:
    """Add the further effects of a hit. Returns whether all of them could be mapped."""
    if not rest:
        return MappingResult.MAPPED
    rest = _in_one_sentence(rest)
    then, used = _effects(rest) if _is_in_set_phrases(draft, rest) else (None, [])
    if then is not None:
        effect = {"name": draft.named(f"{weapon} hit"), "archetype": "on_hit", "when": {"weapon": weapon}, "then": then}
        used = used if draft.add_piece("features", effect) else []
    used += [said for said in sentences(rest) if said not in used and _add_charge(draft, weapon, said)]
    is_told = _is_told_with(used)
    left = [said for said in sentences(rest) if said not in used and not is_told(said)]
    if not left:
        return MappingResult.MAPPED
    text = f"After a hit with {weapon}: {_original(paragraph, left)}"[:4000]
    question = {"archetype": "question", "at": "hit", "when": {"weapon": weapon}, "text": text}
    draft.add_piece("features", {"name": draft.named(f"{weapon} question"), **question})
    draft.note(paragraph, text)
    return MappingResult.IN_PART


def _in_one_sentence(rest: str) -> str:
    """Join the three sentences of a newer stat block (target, save, effect) into one, as in older ones."""
    rest = re.sub(r", it (?:is subjected to the following effect|must make the following saving throw)\. ", ", ", rest)
    rest = re.sub(r"saving throw against being magically petrified\. on a failed save,", "saving throw or", rest)
    return re.sub(r"(saving throw: dc \d+[^.]*)\. (?:first )?failure:? ", r"\1, failure: ", rest)


def _add_charge(draft: SheetDraft, weapon: str, said: str) -> bool:
    """Map extra damage and knocking prone with a hit after a charge."""
    found = _CHARGED.match(said.rstrip("."))
    dice = as_throw((found["dice"] or found["bare"] or found["flat"]).replace(" ", "")) if found else None
    if found is None or dice is None or int(found["feet"]) % 5:
        return False
    piece: Data = {
        "name": draft.named(f"{weapon} charge"),
        "archetype": "on_hit",
        "when": {"weapon": weapon, "moved": int(found["feet"]), "largest": found["size"]},
        "damage": dice,
        "damage_type": found["type"],
        "then": {"condition": "prone", "lasts": "until_ended"},
    }
    return draft.add_piece("features", piece)


def _is_in_set_phrases(draft: SheetDraft, rest: str) -> bool:
    """Whether an effect is written in set phrases. In a character's weapon description, only if it begins like one.
    Effects that can be chosen instead of damage are left to the players.
    """
    if "instead of dealing damage" in rest:
        return False
    return not draft.block.is_character or rest.startswith("the target must")


def _original(paragraph: Paragraph, left: list[str]) -> str:
    """The sentences in the original wording of the stat block."""
    wanted = [said for said in sentences(paragraph.text) if any(one[:24] in plain(said) for one in left)]
    return " ".join(wanted) or ". ".join(left)


def _is_told_with(used: list[str]) -> Callable[[str], bool]:
    """A test for sentences that add nothing. Sentences about a later stage of an effect count only with an effect."""
    return lambda said: bool(_SAID_ALREADY.search(said) or (used and AFTER_THE_FIGHT.search(said)))


def _effects(rest: str) -> tuple[Data | None, list[str]]:
    """The first effect, with the additions of the other sentences."""
    first, used = _first_effect(rest)
    then = first or {}
    for said, more in additions(rest, used):
        then, used = merged(then, more), [*used, said]
    if not first and "also" in then:
        condition, *others = then.pop("also")
        then = {"condition": condition, **_LASTS_A_TURN, **then, **({"also": others} if others else {})}
    return then or None, used


_LASTS_A_TURN = {"lasts": "next_turn"}


def _first_effect(rest: str) -> tuple[Data | None, list[str]]:
    """The first effect after a hit that the rules support, and its sentences."""
    for said in sentences(rest):
        then = consequence(said, rest)
        if then is not None:
            return then, [said]
    return None, []


def consequence(said: str, rest: str) -> Data | None:
    """The options for the effect of a hit that a sentence describes. `rest` has the sentences around it."""
    then: Data = {}
    save, found = first_save(said), printed_damages(said)
    if save is not None:
        then |= {"save": save.ability.value, "dc": save.dc}
        if found and found[0].start > save.start and (dice := as_throw(found[0].dice)) is not None:
            then |= {"damage": dice, "damage_type": found[0].type.value}
            then |= {} if HALVED.search(said) else {"saved": "nothing"}
    elif found and added(said) is None:
        return None
    then |= _conditions(said, rest)
    if pushed := _PUSHED.search(said):
        then["push"] = int(pushed[1] or pushed[2])
    if more := added(said):
        then = merged(then, more)
        if "condition" not in then and "also" in then:
            condition, *others = then.pop("also")
            then |= {"condition": condition, "lasts": "next_turn"} | ({"also": others} if others else {})
    if not then.keys() & {"condition", "damage", "push", "pull", "drain", "ongoing", "downed"}:
        return None
    return then | _only_on(said)


def _conditions(said: str, rest: str) -> Data:
    condition = "cursed" if _LYCANTHROPY.search(said) else condition_in(said)
    if condition is None or _AT_ZERO.search(said):
        return {}
    if condition == "cursed":
        return {"condition": condition, "lasts": "until_ended"}
    then: Data = {"condition": condition}
    if condition == "grappled":
        restrained = re.search(
            r"until (?:this|the) grapple ends, [\w ]+ (?:is|has the) restrained"
            r"|while grappled, the target has the restrained condition(?:\.|$)",
            rest,
        )
        also = ["restrained"] if restrained or "and restrained" in said else []
        also += ["weakened"] if "disadvantage on strength checks and strength saving throws" in rest else []
        then |= {"also": also} if also else {}
        then |= {"escape_dc": int(dc[1])} if (dc := _ESCAPE.search(rest)) else {}
        return then | {"lasts": "until_ended"}
    then["lasts"] = (
        "until_ended" if condition == "prone" else lasts(said if re.search(r"\bfor\b|until", said) else rest)
    )
    if SAVED_AGAIN.search(_EVERY_DAY.sub("", rest)) and first_save(said) is not None and condition != "prone":
        then["save_again"] = True
    if both := BOTH.search(said):
        then["also"] = [both["second"]]
    elif condition != "prone" and re.search(r"knocked prone|and prone", said):
        then["also"] = ["prone"]
    return then


def _only_on(said: str) -> Data:
    only: Data = {}
    if re.search(r"if the target is a humanoid", said):
        only["not_on"] = [kind.value for kind in CreatureType if kind is not CreatureType.HUMANOID]
    if largest := _LARGEST.search(said):
        only["largest"] = largest[1]
    if others := _OTHER_THAN.search(said):
        named = others["others"] or others["others2"] or others["others3"]
        spared = [kind.value for kind in CreatureType if kind.value in named]
        only |= {"not_on": spared} if spared else {}
    return only


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
class PrintedAttack:
    """An attack as described by its paragraph."""

    weapon: Data
    rest: str
    """The further effects of a hit, in the words of the paragraph."""


def is_attack(paragraph: Paragraph) -> bool:
    return _HEAD.search(plain(paragraph.text)) is not None


def read_attack(paragraph: Paragraph) -> PrintedAttack | None:
    text = plain(paragraph.text)
    head = _HEAD.search(text)
    if head is None:
        return None
    dealt = [harm for harm in printed_damages(text) if harm.start >= head.end()]
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
    return PrintedAttack(weapon, text[end:].strip(" .,;"))


_AFTER_DISTANCE = re.compile(r"\bhit: |(?:reach|range) [\d/]+ ft (?=the target)")


def _harmless(paragraph: Paragraph, head: re.Match[str], text: str) -> PrintedAttack | None:
    """An attack without damage; its hit has other effects."""
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
    return PrintedAttack(
        weapon | ({"magical": True} if head["means"] == "spell" else {}), text[begins.end() :].strip(" .,;")
    )


_BLOODIED = re.compile(
    r",? or (?P<damage>.*?) damage if the swarm (?:has half of its hit points or fewer|is bloodied)(?=\.|,|$)"
)


def _once_bloodied(text: str, dealt: list[PrintedDamage]) -> tuple[str | None, int]:
    """The lower damage of a swarm that has lost half of its hit points, and the end of that text."""
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


def _extra(text: str, dealt: list[PrintedDamage]) -> tuple[list[PrintedDamage], int]:
    """Damage of other types on every hit, and the end of the text about damage.
    Damage with two hands, or to a grappled target instead, is an alternative and not extra damage.
    """
    extra: list[PrintedDamage] = []
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


def add_attack(draft: SheetDraft, paragraph: Paragraph) -> None:
    """Add a weapon and the effects of its hits to the sheet. Unsupported effects become questions to the GM."""
    read = read_attack(paragraph)
    if draft.block.is_character and (
        paragraph.name.lower() == UNARMED or (read and _add_another(draft, paragraph, read))
    ):
        # Every combatant has unarmed strikes, and monks have better ones.
        draft.count(MappingKind.ATTACK, paragraph.name, MappingResult.MAPPED)
        return
    if read is None:
        draft.note(paragraph)
        draft.count(MappingKind.ATTACK, paragraph.name, MappingResult.LEFT)
        return
    weapon = {**read.weapon, "name": _free(draft, read.weapon["name"])}
    draft.add("weapons", as_carried(draft, paragraph, weapon) if draft.block.is_character else weapon)
    fate = follow_up(draft, paragraph, weapon["name"], _with_advantage(draft, weapon["name"], read.rest))
    if paragraph.part is StatBlockPart.ACTION and paragraph.uses is not None:
        draft.note(paragraph, f"{paragraph.name} has limited uses. {paragraph.text}")
        fate = MappingResult.IN_PART
    draft.count(MappingKind.ATTACK, paragraph.name, fate)


_MORE_WITH_ADVANTAGE = re.compile(rf"^(?:plus )?{DAMAGE} if the attack roll had advantage\.?\s*")


def _with_advantage(draft: SheetDraft, weapon: str, rest: str) -> str:
    """Add the extra damage of attacks with advantage. Returns the rest of the text."""
    found = _MORE_WITH_ADVANTAGE.match(rest)
    dice = as_throw((found["dice"] or found["bare"] or found["flat"]).replace(" ", "")) if found else None
    if found is None or dice is None:
        return rest
    more = {"to": "damage", "dice": dice, "damage_type": found["type"], "when": {"weapon": weapon, "advantage": True}}
    reason = f"{weapon} with advantage"[:80]
    piece = {"name": draft.named(f"{weapon} advantage"), "archetype": "trait", "reason": reason, "contributes": [more]}
    return rest[found.end() :] if draft.add_piece("features", piece) else rest


def _add_another(draft: SheetDraft, paragraph: Paragraph, read: PrintedAttack) -> bool:
    """Add another copy of a weapon on the sheet, to throw or for the other hand."""
    carried = as_carried(draft, paragraph, read.weapon)
    if carried not in draft.sheet.get("weapons", ()):
        return False
    draft.add("weapons", carried)
    return True


def _free(draft: SheetDraft, name: str) -> str:
    number, free = 1, name
    while draft.weapon(free) is not None:
        number += 1
        free = f"{name[:36]} {number}"
    return free

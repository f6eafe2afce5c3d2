"""What follows a hit: saves, conditions and more damage, as features of the archetype `on_hit`."""

from __future__ import annotations

import re
from collections.abc import Callable

from combatlog.rules.dnd5e.importing.aftermaths import AFTER_THE_FIGHT, added, additions, merged
from combatlog.rules.dnd5e.importing.draft import Draft, Fate
from combatlog.rules.dnd5e.importing.grammar import (
    BOTH,
    DAMAGE,
    HALVED,
    SAVED_AGAIN,
    as_throw,
    condition_in,
    first_save,
    harms,
    lasts,
    plain,
    sentences,
)
from combatlog.rules.dnd5e.words import CreatureType, Size
from combatlog.rules.statblocks.block import Paragraph
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
    r"|^if the target is a flammable object"  # it is about objects, and these rules burn none
    r"|^(?:hitom ?)?the [\w ]+ magically returns to"  # creatures never run out of what they throw
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


def follow_up(draft: Draft, paragraph: Paragraph, weapon: str, rest: str) -> Fate:
    """Add what follows a hit. Says whether all of it is carried out."""
    if not rest:
        return Fate.MAPPED
    rest = _in_one_sentence(rest)
    then, used = _effects(rest) if _is_in_set_phrases(draft, rest) else (None, [])
    if then is not None:
        effect = {"name": draft.named(f"{weapon} hit"), "archetype": "on_hit", "when": {"weapon": weapon}, "then": then}
        used = used if draft.add_piece("features", effect) else []
    used += [said for said in sentences(rest) if said not in used and _add_charge(draft, weapon, said)]
    is_told = _is_told_with(used)
    left = [said for said in sentences(rest) if said not in used and not is_told(said)]
    if not left:
        return Fate.MAPPED
    text = f"After a hit with {weapon}: {_original(paragraph, left)}"[:4000]
    question = {"archetype": "question", "at": "hit", "when": {"weapon": weapon}, "text": text}
    draft.add_piece("features", {"name": draft.named(f"{weapon} question"), **question})
    draft.note(paragraph, text)
    return Fate.IN_PART


def _in_one_sentence(rest: str) -> str:
    """The second edition says in three sentences what the first said in one: on whom, the save, and what follows."""
    rest = re.sub(r", it (?:is subjected to the following effect|must make the following saving throw)\. ", ", ", rest)
    rest = re.sub(r"saving throw against being magically petrified\. on a failed save,", "saving throw or", rest)
    return re.sub(r"(saving throw: dc \d+[^.]*)\. (?:first )?failure:? ", r"\1, failure: ", rest)


def _add_charge(draft: Draft, weapon: str, said: str) -> bool:
    """More damage and a fall for whoever is hit after a run-up."""
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


def _is_in_set_phrases(draft: Draft, rest: str) -> bool:
    """Stat blocks are; what the description of a character's weapon says is not, unless it begins like one.

    What somebody can choose to do instead of damage is left to people.
    """
    if "instead of dealing damage" in rest:
        return False
    return not draft.block.is_character or rest.startswith("the target must")


def _original(paragraph: Paragraph, left: list[str]) -> str:
    """The sentences in the words and letters of the stat block."""
    wanted = [said for said in sentences(paragraph.text) if any(one[:24] in plain(said) for one in left)]
    return " ".join(wanted) or ". ".join(left)


def _is_told_with(used: list[str]) -> Callable[[str], bool]:
    """Whether a sentence says nothing new. What becomes of an effect later does so only if there is an effect."""
    return lambda said: bool(_SAID_ALREADY.search(said) or (used and AFTER_THE_FIGHT.search(said)))


def _effects(rest: str) -> tuple[Data | None, list[str]]:
    """The first effect with everything that other sentences add to it."""
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
    """What the rules can do after a hit, and the sentences that say so."""
    for said in sentences(rest):
        then = consequence(said, rest)
        if then is not None:
            return then, [said]
    return None, []


def consequence(said: str, rest: str) -> Data | None:
    """The options of what a sentence says happens to whoever is hit; what the sentences around it add is in `rest`."""
    then: Data = {}
    save, found = first_save(said), harms(said)
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

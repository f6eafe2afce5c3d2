"""Import of spellcasting: a creature's spells, their uses, and its numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from combatlog.importers.statblocks.stat_block import Paragraph, StatBlockPart
from combatlog.rules.dnd5e.importing.sheet_draft import (
    ABILITIES,
    MappingKind,
    MappingResult,
    SheetDraft,
    plain,
    sentences,
    slug,
)
from ledger.events import Data

FindSpell = Callable[[str], Data | str | None]
"""The entry of a spell by its name: a piece of the ruleset by name, a definition, or None."""
NEVER_IN_A_FIGHT: Data = {}
"""The entry of a spell that takes longer to cast than a turn."""

_ABILITY = re.compile(rf"spellcasting ability is (?P<a>{'|'.join(ABILITIES)})|using (?P<b>{'|'.join(ABILITIES)}) as")
_DC = re.compile(r"spell save dc (\d+)")
_ATTACK = re.compile(r"([+-]\d+) to hit with spell attacks")
_LEVEL = re.compile(r"(\d+)(?:st|nd|rd|th)-level spellcaster")
_LIST = re.compile(
    r"(?P<often>cantrips?(?: \(at will\))?|at will|(?P<level>\d)(?:st|nd|rd|th)[ -]level"
    r"|(?P<day>\d+) ?/ ?day(?: each)?)"
    r"(?P<slots>[^:\n]*?):\W*(?P<names>[^\n]+)",
    re.IGNORECASE,
)
_SLOTS = re.compile(r"(\d+) (?:\w+-level )?slots?")


@dataclass(slots=True)
class PrintedSpellList:
    """The spells that a paragraph lists."""

    prepared: list[str] = field(default_factory=list)
    innate: dict[str, int | None] = field(default_factory=dict)
    """The uses per day; None for at will."""
    slots: dict[int, int] = field(default_factory=dict)


def is_spellcasting(paragraph: Paragraph) -> bool:
    return "spellcasting" in paragraph.name.lower() and bool(_LIST.search(paragraph.text))


def add_spellcasting(draft: SheetDraft, paragraph: Paragraph, find: FindSpell) -> None:
    known, text = _known(draft, paragraph), plain(paragraph.text)
    found = _ABILITY.search(text)
    ability = ABILITIES[found["a"] or found["b"]].value if found else draft.block.spell_ability
    if ability is None or not (known.prepared or known.innate):
        draft.note(paragraph)
        draft.count(MappingKind.ABILITY, paragraph.name, MappingResult.LEFT)
        return
    _add_numbers(draft, text, ability, known)
    missing = [*_add_prepared(draft, known, find), *_add_innate(draft, known, find)]
    if missing:
        draft.note(paragraph, f"Spells left to the GM: {', '.join(missing)}.")
    draft.count(MappingKind.ABILITY, paragraph.name, MappingResult.IN_PART if missing else MappingResult.MAPPED)


def add_listed_spells(draft: SheetDraft, find: FindSpell) -> None:
    """Add the spells listed in fields of the format, unless a paragraph listed them."""
    block = draft.block
    if not block.spells or block.spell_ability is None or {"spells", "innate"} & draft.sheet.keys():
        return
    known = PrintedSpellList(
        [name for name, uses in block.spells.items() if uses is None],
        {name: uses or None for name, uses in block.spells.items() if uses is not None},
        dict(block.slots),
    )
    _add_numbers(draft, "", block.spell_ability, known)
    missing = [*_add_prepared(draft, known, find), *_add_innate(draft, known, find)]
    if missing:
        text = f"Spells left to the GM: {', '.join(missing)}."
        draft.note(Paragraph(StatBlockPart.TRAIT, "Spellcasting", text))
    draft.count(MappingKind.ABILITY, "Spellcasting", MappingResult.IN_PART if missing else MappingResult.MAPPED)


def _known(draft: SheetDraft, paragraph: Paragraph) -> PrintedSpellList:
    known = PrintedSpellList()
    lines = re.sub(r"(?<=\S) +(?=\d+ ?/ ?day)", "\n", paragraph.text.replace("*", ""), flags=re.IGNORECASE)
    for found in _LIST.finditer(lines):
        often = found["often"].lower()
        names = list(_names(found["names"]))
        if found["day"]:
            known.innate |= {name: int(found["day"]) for name in names}
        elif often == "at will":
            known.innate |= dict.fromkeys(names)
        else:
            known.prepared += names
            if found["level"] and (slots := _SLOTS.search(found["slots"])):
                known.slots[int(found["level"])] = int(slots[1])
    return known


def _names(listed: str) -> Iterator[str]:
    unlabelled = re.sub(r"^.*:", "", listed)  # one source has `Cantrips (at will): Cantrips: light`
    for name in re.split(r",|;", re.sub(r"\([^)]*\)", "", unlabelled)):
        plain_name = re.sub(r"\b(?:level \d+ version|self only)\b", "", name.strip(" .*_\n")).strip()
        if plain_name:
            yield plain_name


def _add_numbers(draft: SheetDraft, text: str, ability: str, known: PrintedSpellList) -> None:
    dc, attack, level = _DC.search(text), _ATTACK.search(text), _LEVEL.search(text)
    if known.prepared or "spellcasting" not in draft.sheet:
        draft.sheet["spellcasting"] = ability
        draft.sheet |= {"spell_dc": int(dc[1])} if dc else {}
        draft.sheet |= {"spell_attack": int(attack[1])} if attack else {}
    if level:
        draft.sheet["level"] = min(20, int(level[1]))
    if known.innate:
        draft.sheet["innate_ability"] = ability
        draft.sheet |= {"innate_dc": int(dc[1])} if dc else {}
    if known.slots:
        draft.sheet["slots"] = {str(level): min(9, count) for level, count in sorted(known.slots.items())}


def _add_prepared(draft: SheetDraft, known: PrintedSpellList, find: FindSpell) -> Iterator[str]:
    for name in known.prepared:
        entry = find(name)
        if entry is None:
            yield name
        elif entry != NEVER_IN_A_FIGHT and _name(entry) not in draft.taken:
            draft.add("spells", entry)


def _add_innate(draft: SheetDraft, known: PrintedSpellList, find: FindSpell) -> Iterator[str]:
    for name, uses in known.innate.items():
        entry = find(name)
        if entry is None:
            yield name
        elif entry != NEVER_IN_A_FIGHT and _name(entry) not in draft.taken:
            draft.taken.add(_name(entry))
            draft.add("innate", {"spell": entry} | ({"uses": uses} if uses else {}))


def _name(entry: str | Data) -> str:
    return entry if isinstance(entry, str) else entry["name"]


def finder(entries: Mapping[str, Data | str]) -> FindSpell:
    """A function that looks up spells by name in entries keyed by slug."""
    return lambda name: entries.get(slug(name))


_CASTS = re.compile(r"\bcasts? (?P<names>[\w', ]+?)(?:\.|\(|;| in response| on itself|,? (?:requiring|using|without))")


def add_cast(draft: SheetDraft, paragraph: Paragraph) -> MappingResult | None:
    """Map a paragraph about casting one of a few spells, without a list."""
    text = plain(paragraph.text)
    found, named = _CASTS.search(text), _ABILITY.search(text)
    if found is None:
        return None
    ability = ABILITIES[named["a"] or named["b"]].value if named else draft.sheet.get("innate_ability")
    names = [name.strip() for name in re.split(r",|\bor\b", found["names"]) if name.strip()]
    known = {name: draft.find(name) for name in names}
    added = [entry for entry in known.values() if entry and _name(entry) not in draft.taken]
    if ability is None or not any(known.values()):
        return None
    for entry in added:
        draft.taken.add(_name(entry))
        draft.add("innate", {"spell": entry} | ({"uses": min(20, paragraph.uses)} if paragraph.uses else {}))
    draft.sheet.setdefault("innate_ability", ability)
    if dc := _DC.search(text):
        draft.sheet.setdefault("innate_dc", int(dc[1]))
    if None not in known.values() and len(sentences(text)) <= 2:
        return MappingResult.MAPPED
    draft.note(paragraph)
    return MappingResult.IN_PART

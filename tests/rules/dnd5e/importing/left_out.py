"""What an import carries out only in part or not at all, most frequent first: what to build next.

`python -m tests.rules.dnd5e.importing.left_out [FOLDER ...]` reads the installed SRD and folders of other formats.
Attacks are grouped by what is left of their text, everything else by name.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from combatlog.importers.statblocks.fivee_bits import installed
from combatlog.importers.statblocks.stat_block_formats import open_source
from combatlog.rules.dnd5e.importing.compendium import CompendiumSource
from combatlog.rules.dnd5e.importing.sheet_draft import MappingEntry, MappingKind, MappingResult, SheetDraft, plain

Group = tuple[MappingKind, str]
"""A kind of entry, and what its members have in common."""


def _libraries(folders: list[str]) -> Iterator[CompendiumSource]:
    srd = installed()
    if srd is not None:
        yield CompendiumSource(srd)
    for folder in folders:
        yield CompendiumSource(open_source(Path(folder)))


def _is_left(fate: MappingResult) -> bool:
    return fate in (MappingResult.IN_PART, MappingResult.LEFT)


def _text(draft: SheetDraft, entry: MappingEntry) -> str:
    notes = {note["name"]: note["text"] for note in draft.sheet.get("notes", ())}
    printed = {paragraph.name: paragraph.text for paragraph in draft.block.paragraphs}
    return str(notes.get(entry.name) or printed.get(entry.name, ""))


def _pattern(text: str, owner: str) -> str:
    """A text without its numbers and names, so that the same rule of two creatures reads the same."""
    said = plain(text).replace(plain(owner), "X")
    return re.sub(r"\d+", "N", re.sub(r"^after a hit with [\w' ]+: ", "", said))


def of_creatures(library: CompendiumSource) -> Iterator[tuple[Group, str, MappingResult, str]]:
    for id in library.compendium.creatures():
        draft = library.draft(id)
        for entry in filter(lambda entry: _is_left(entry.fate), draft.entries):
            text = _text(draft, entry)
            name = _pattern(text, draft.block.name)[:70] if entry.kind is MappingKind.ATTACK else entry.name.lower()
            yield (entry.kind, name), draft.block.name, entry.fate, text


def of_spells(library: CompendiumSource) -> Iterator[tuple[Group, str, MappingResult, str]]:
    for id in library.compendium.spells():
        made = library.spell(id)
        if made is not None and _is_left(made.fate):
            spell = library.compendium.spell(id)
            rest = made.entry.get("ask", "") if isinstance(made.entry, dict) else ""
            yield (MappingKind.SPELL, spell.name.lower()), spell.name, made.fate, rest or spell.text


def main(folders: list[str]) -> None:
    groups: dict[Group, list[tuple[str, MappingResult, str]]] = defaultdict(list)
    for library in _libraries(folders):
        for group, owner, fate, text in (*of_creatures(library), *of_spells(library)):
            groups[group].append((owner, fate, text))
    for (kind, name), members in sorted(groups.items(), key=lambda item: (item[0][0], -len(item[1]), item[0][1])):
        owners = ", ".join(dict.fromkeys(owner for owner, _, _ in members))
        print(f"{len(members):3} {kind}: {name} [{members[0][1]}] {owners[:80]}\n      {members[0][2][:600]!r}")


if __name__ == "__main__":
    main(sys.argv[1:])

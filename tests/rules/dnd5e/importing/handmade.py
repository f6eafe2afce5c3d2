"""Stat blocks of our own, to see what becomes of one paragraph at a time."""

from __future__ import annotations

from typing import Any

from combatlog.importers.statblocks.stat_block import (
    BlockOrigin,
    Paragraph,
    SpellBlock,
    StatBlock,
    StatBlockPart,
    paragraph,
)
from combatlog.rules.dnd5e.importing.printed_spells import ConvertedSpell, make_spell
from combatlog.rules.dnd5e.importing.sheet_draft import MappingResult, SheetDraft
from combatlog.rules.dnd5e.importing.stat_blocks import convert
from combatlog.testing import Drill
from ledger.events import Data

SCORES = {"str": 16, "dex": 12, "con": 14, "int": 8, "wis": 10, "cha": 10}
BITE = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 7 (1d8 + 3) piercing damage."


def drafted(*paragraphs: Paragraph, **more: Any) -> SheetDraft:
    """A medium beast with 40 hit points, armour class 12, speed 40, and these paragraphs."""
    figures: dict[str, Any] = {"size": "medium", "type": "beast", "speeds": {"walk": 40}, "cr": 2.0, "proficiency": 2}
    block = StatBlock(
        id="thing",
        name="Thing",
        ac=12,
        hp=40,
        abilities=SCORES,
        hit_dice="6d8+12",
        paragraphs=paragraphs,
        **{**figures, **more},
    )
    return convert(block, BlockOrigin("Ours"), lambda name: None)


def attack(text: str, name: str = "Bite") -> Paragraph:
    return paragraph(StatBlockPart.ACTION, name, text)


def trait(name: str, text: str) -> Paragraph:
    return paragraph(StatBlockPart.TRAIT, name, text)


def fate_of(draft: SheetDraft, name: str) -> MappingResult:
    return next(entry.fate for entry in draft.entries if entry.name == name)


def piece(draft: SheetDraft, section: str, name: str) -> dict[str, Any]:
    return next(one for one in draft.sheet[section] if isinstance(one, dict) and one["name"] == name)


def against_rurik(draft: SheetDraft, *, thing: tuple[int, int] = (1, 1), rurik: tuple[int, int] = (2, 1)) -> Drill:
    """The thing against a fighter: armour class 16, 12 hit points, +4 on Constitution saves. The thing begins."""
    drill = Drill()
    drill.join(draft.sheet, "Thing", thing, side="foes")
    drill.join("fighter", "Rurik", rurik)
    drill.start(dice=[20, 1])
    return drill


def spell(name: str, text: str, **more: Any) -> ConvertedSpell:
    figures: dict[str, Any] = {"level": 2, "casting_time": "action", "range": 60, "duration": "1 minute"}
    return make_spell(SpellBlock(id=name, name=name, text=text, **{**figures, **more}))


def entry_of(made: ConvertedSpell) -> Data:
    assert isinstance(made.entry, dict)
    return made.entry

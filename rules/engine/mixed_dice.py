"""Dice of several sources: some roll at the table, others do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ledger.events import Face, FaceOrigin
from projections.battle import Battle
from rules.engine.dice import CommittedDice, DiceSource, Die, TableDice, source_of
from rules.engine.dice_settings import COMMITTED, TABLE, DiceSetting


@dataclass(slots=True)
class MixedDice:
    """Each rolls with their own source. Faces that were given are for those who roll at the table, in order."""

    setting: DiceSetting
    battle: Battle
    table: TableDice
    committed: CommittedDice | None = None

    def of(self, roller: str) -> DiceSource:
        source = self.setting.of(self.battle.combatants.get(roller))
        if source == TABLE or (source == COMMITTED and self._is_rolled_by_hand):
            return self.table.of(roller)
        return self.committed if source == COMMITTED and self.committed is not None else source_of(source)

    @property
    def _is_rolled_by_hand(self) -> bool:
        """Without the secret, or once it is public, only real dice count; they have to be given."""
        committed = self.committed
        return bool(self.table.given) and (committed is None or committed.is_revealed or committed.seed is None)

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

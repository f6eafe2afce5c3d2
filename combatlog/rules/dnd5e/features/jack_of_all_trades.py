from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.contexts import Check
from combatlog.rules.dnd5e.modifiers import bonus
from combatlog.rules.dnd5e.pieces import Feature, piece
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.engine.chain import Modifier
from projections.combatant import Combatant


@piece
class JackOfAllTrades(Feature):
    """Half the proficiency bonus counts for checks that one is not proficient in, initiative excepted."""

    name = "jack_of_all_trades"

    def on_check(self, check: Check, owner: Combatant) -> Iterator[Modifier]:
        sheet = sheet_of(owner)
        if check.name is None or not sheet.training(check.name):
            half = sheet.proficiency_bonus // 2
            yield bonus("features", self.ref, owner.id, "Jack of All Trades", half)

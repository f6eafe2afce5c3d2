from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from ledger.events import Declared
from projections.combatant import Combatant
from rules.dnd5e.abilities.disengage import disengage
from rules.dnd5e.abilities.hide import check_unseen, hide
from rules.dnd5e.economy import BONUS_ACTION
from rules.dnd5e.pieces import ActiveFeature, piece
from rules.engine.options import Options
from rules.engine.table import Table


class Manner(StrEnum):
    """The action that Nimble Escape stands for."""

    DISENGAGE = "disengage"
    HIDE = "hide"


class NimbleEscapeOptions(Options):
    manner: Manner = Field(default=Manner.DISENGAGE, alias="as", description="which of the two to take")


@piece
class NimbleEscape(ActiveFeature):
    """Spend the bonus action to Disengage or Hide."""

    name = "nimble_escape"
    cost = {BONUS_ACTION: 1}
    tags = ("movement", "defense")
    options = NimbleEscapeOptions

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if _manner(declared) is Manner.HIDE:
            check_unseen(table.battle, actor)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if _manner(declared) is Manner.HIDE:
            hide(table, actor, self.ref)
        else:
            disengage(table, actor, self.ref)


def _manner(declared: Declared) -> Manner:
    return NimbleEscapeOptions.read(declared.options).manner

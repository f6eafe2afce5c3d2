from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from ledger.events import Declared
from projections.combatant import Combatant
from rules.dnd5e.abilities.disengage import disengage
from rules.dnd5e.abilities.hide import check_unseen, hide
from rules.dnd5e.economy import BONUS_ACTION
from rules.dnd5e.pieces import ActiveFeature, piece
from rules.dnd5e.speed import dash
from rules.engine.options import Options
from rules.engine.table import Table


class Manner(StrEnum):
    """The action that Cunning Action stands for."""

    DASH = "dash"
    DISENGAGE = "disengage"
    HIDE = "hide"


class CunningActionOptions(Options):
    manner: Manner = Field(default=Manner.DASH, alias="as", description="which of the three to take")


@piece
class CunningAction(ActiveFeature):
    """Spend the bonus action to Dash, Disengage or Hide."""

    name = "cunning_action"
    cost = {BONUS_ACTION: 1}
    tags = ("movement", "defense")
    options = CunningActionOptions

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        if _manner(declared) is Manner.HIDE:
            check_unseen(table.battle, actor)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        manner = _manner(declared)
        if manner is Manner.DASH:
            dash(table, actor)
        elif manner is Manner.DISENGAGE:
            disengage(table, actor, self.ref)
        else:
            hide(table, actor, self.ref)


def _manner(declared: Declared) -> Manner:
    return CunningActionOptions.read(declared.options).manner

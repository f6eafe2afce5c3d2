"""Defences that are actions: they are paid for, and may need a Focus check."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from ledger.events import Change, ChangeOp, Data, ReactionUsed
from projections.combatant import Combatant
from rules.action_points.assault import BLOCKED, DODGE, Assault, Stand, stand_passively
from rules.action_points.base_action import require_action, undertake
from rules.action_points.checks import Attempt, check, roll
from rules.action_points.economy import Effort
from rules.action_points.pieces import Reaction, piece
from rules.action_points.sheet import sheet_of
from rules.action_points.tables import SHIELD_BLOCK_TV
from rules.engine.chain import Modifier
from rules.engine.options import Options
from rules.engine.refusal import Refusal
from rules.engine.table import Table


class ActiveDefence(Reaction):
    options: ClassVar[type[Options]] = Effort
    purpose: ClassVar[str]
    """What it is used for, in words."""

    def require(self, reactor: Combatant, assault: Assault | None) -> None:
        require_action(reactor)

    def answer(self, table: Table, assault: Assault, options: Data) -> Stand:
        """If the Focus check fails, the defence does not happen and the passive value counts."""
        defender, effort = assault.defender, Effort.read(options)
        if not undertake(table, defender, effort, self.name, self.ref):
            return stand_passively(table, assault)
        used = table.record(ReactionUsed, reactor=defender.id, reaction=self.ref, reason=self.purpose)
        with table.because_of(used):
            return self.defend(table, assault, effort)

    @abstractmethod
    def defend(self, table: Table, assault: Assault, effort: Effort) -> Stand:
        """Roll the defence, which has been paid for."""


@piece
class Dodge(ActiveDefence):
    """Dodge the attack: it has to beat a Dodge roll."""

    name = "dodge"
    purpose = "to dodge the attack"
    preference = 2

    def defend(self, table: Table, assault: Assault, effort: Effort) -> Stand:
        return Stand(roll(table, Attempt(assault.defender, DODGE, "defence", effort)).total)


@piece
class ShieldBlock(ActiveDefence):
    """Block the attack with a shield; if that fails, it has to beat the passive defence."""

    name = "shield_block"
    purpose = "to block the attack"
    preference = 3

    def require(self, reactor: Combatant, assault: Assault | None) -> None:
        super().require(reactor, assault)
        if not sheet_of(reactor).shield:
            raise Refusal("reaction/no-shield", f"{reactor.id} has no shield to block with.", who=reactor.id)

    def defend(self, table: Table, assault: Assault, effort: Effort) -> Stand:
        block = check(table, Attempt(assault.defender, "shield", "block", effort), SHIELD_BLOCK_TV)
        return stand_passively(table, assault, *([self._caught(assault)] if block.success else []))

    def _caught(self, assault: Assault) -> Modifier:
        defender = assault.defender.id
        stopped = Change(op=ChangeOp.FLAG, label=BLOCKED)
        return Modifier("situation", self.ref, defender, f"{defender}'s shield blocks it", stopped)

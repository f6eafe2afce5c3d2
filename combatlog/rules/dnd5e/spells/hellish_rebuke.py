from __future__ import annotations

from combatlog.rules.dnd5e.contexts import Harm, feet_between
from combatlog.rules.dnd5e.damage import DAMAGED
from combatlog.rules.dnd5e.magic import ReactionSpell
from combatlog.rules.dnd5e.pieces import piece
from combatlog.rules.dnd5e.powers import damage_of, harm_one
from combatlog.rules.dnd5e.saves import resolve_save
from combatlog.rules.dnd5e.sight import can_see
from combatlog.rules.dnd5e.state import is_dead
from combatlog.rules.dnd5e.words import AbilityScore, DamageType
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant


@piece
class HellishRebuke(ReactionSpell[Harm]):
    """Burn whoever has just dealt damage: 2d10, 1d10 more per higher slot level, half on a dexterity save."""

    name = "hellish_rebuke"
    level = 1
    range = 60
    moments = (DAMAGED,)
    tags = ("spell", "harm")

    def obstacle(self, context: Harm, reactor: Combatant) -> str | None:
        dealer = context.dealer
        if context.target is not reactor or context.amount == 0:
            return f"{reactor.name} took no damage"
        if dealer is None or dealer is reactor or is_dead(dealer):
            return f"{reactor.name} has nobody to rebuke"
        if feet_between(reactor, dealer) > self.range or not can_see(context.battle, reactor, dealer):
            return f"{reactor.name} cannot see {dealer.name} within {self.range} feet"
        return None

    def respond(self, table: Table, context: Harm, reactor: Combatant, level: int) -> None:
        assert context.dealer is not None
        against, origin = self.difficulty(reactor), reactor.position
        saved = resolve_save(table, context.dealer, AbilityScore.DEX, against, self.ref, origin=origin)
        harm = Harm(table.battle, context.dealer, reactor, self.ref, (DamageType.FIRE,), saved=saved)
        harm_one(table, harm, damage_of(self, reactor, f"{1 + level}d10", DamageType.FIRE), "hellish rebuke")

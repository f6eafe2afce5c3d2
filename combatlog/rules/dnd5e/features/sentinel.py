from __future__ import annotations

from combatlog.rules.dnd5e.attack import DECLARED, make_attack, resolve_attack
from combatlog.rules.dnd5e.contexts import Attack, feet_between
from combatlog.rules.dnd5e.pieces import Feature, Reaction, piece
from combatlog.rules.dnd5e.state import afflict, can_act, is_hostile
from combatlog.rules.dnd5e.targeting import can_aim, melee_weapon
from combatlog.rules.engine.table import Table
from ledger.events import Until, UntilMoment
from projections.combatant import Combatant
from projections.views.viewer import is_unseen_by

HALTED = "dnd5e:condition:halted"


@piece
class Sentinel(Feature, Reaction[Attack]):
    """Attack an enemy within 5 feet that attacks somebody else; disengaging does not help, and a hit stops movement."""

    name = "sentinel"
    moments = (DECLARED,)

    def obstacle(self, context: Attack, reactor: Combatant) -> str | None:
        attacker, target = context.attacker, context.target
        if target is reactor or not is_hostile(reactor, attacker) or not can_act(attacker):
            return "no enemy is attacking somebody else"
        if self.is_held(target):
            return f"{target.name} is a sentinel as well"
        weapon = melee_weapon(reactor)
        if weapon is None or feet_between(reactor, attacker) > 5:
            return f"{attacker.name} is not within 5 feet"
        if is_unseen_by(context.battle, reactor.side, attacker) or not can_aim(
            context.battle, reactor, attacker, weapon
        ):
            return f"{reactor.name} cannot see or strike {attacker.name}"
        return None

    def react(self, table: Table, context: Attack, reactor: Combatant, paid: dict[str, int]) -> None:
        weapon = melee_weapon(reactor)
        assert weapon is not None
        resolve_attack(table, make_attack(table.battle, reactor, context.attacker, weapon))

    def holds_fast(self, owner: Combatant) -> bool:
        return True

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        if attack.attacker is owner and attack.opportunity and attack.hit:
            until = Until(moment=UntilMoment.TURN_END, whose=table.battle.clock.turn)
            afflict(table, attack.target, HALTED, source=self.ref, owner=owner.id, until=until)

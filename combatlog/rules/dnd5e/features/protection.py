"""The fighting style Protection: disadvantage on an attack against an ally."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.attack.phases import DECLARED
from combatlog.rules.dnd5e.attack.wielding import has_shield
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import can_see
from combatlog.rules.dnd5e.combatant_state import is_hostile
from combatlog.rules.dnd5e.contexts import Attack, feet_between
from combatlog.rules.dnd5e.modifiers import disadvantage
from combatlog.rules.dnd5e.pieces import Feature, Reaction, piece
from combatlog.rules.engine.resolution.chain import Consumption, Modifier
from projections.battle.combatant import Combatant


@piece
class Protection(Feature, Reaction[Attack]):
    """With a shield, impose disadvantage on a melee attack against an ally within 5 feet."""

    name = "protection"
    moments = (DECLARED,)
    in_chain = True

    def obstacle(self, context: Attack, reactor: Combatant) -> str | None:
        target = context.target
        if target is reactor:
            return f"{reactor.name} is the target"
        if is_hostile(reactor, target) or not is_hostile(reactor, context.attacker):
            return f"{target.name} is not an ally under attack by an enemy"
        if not context.melee:
            return "the attack is not a melee attack"
        if feet_between(reactor, target) > 5:
            return f"{target.name} is more than 5 feet from {reactor.name}"
        if not has_shield(reactor):
            return f"{reactor.name} has no shield"
        if not can_see(context.battle, reactor, context.attacker):
            return f"{reactor.name} cannot see {context.attacker.name}"
        return None

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterator[Modifier]:
        if attack.chosen.get(owner.id) == self.ref:
            yield disadvantage(
                owner.id,
                self.ref,
                "Protection fighting style reaction",
                stage="features",
                consumes=Consumption(owner.id, self.ref, "imposed disadvantage on the attack"),
            )

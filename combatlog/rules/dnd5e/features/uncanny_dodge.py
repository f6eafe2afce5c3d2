from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.contexts import Attack, Harm
from combatlog.rules.dnd5e.damage import HIT
from combatlog.rules.dnd5e.modifiers import halved
from combatlog.rules.dnd5e.pieces import Feature, Reaction, piece
from combatlog.rules.dnd5e.sight import can_see
from combatlog.rules.engine.chain import Consumption, Modifier
from projections.combatant import Combatant


@piece
class UncannyDodge(Feature, Reaction[Attack]):
    """Halve the damage of an attack that hits, if one can see the attacker."""

    name = "uncanny_dodge"
    moments = (HIT,)
    in_chain = True

    def obstacle(self, context: Attack, reactor: Combatant) -> str | None:
        if context.target is not reactor:
            return f"{reactor.name} is not the target"
        if not can_see(context.battle, reactor, context.attacker):
            return f"{reactor.name} cannot see {context.attacker.name}"
        return None

    def on_harm(self, harm: Harm, owner: Combatant) -> Iterator[Modifier]:
        if harm.attack is not None and harm.attack.chosen.get(owner.id) == self.ref:
            spent = Consumption(owner.id, self.ref, "halved the damage")
            yield halved("halving", self.ref, owner.id, "Uncanny Dodge", consumes=spent)

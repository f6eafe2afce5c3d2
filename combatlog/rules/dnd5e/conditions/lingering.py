"""Conditions that wear somebody down: damage turn after turn, drained life, wounds that do not heal."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.archetypes.aftermath import Ongoing
from combatlog.rules.dnd5e.contexts import Harm
from combatlog.rules.dnd5e.damage import inflict, roll_damage, taken_chain
from combatlog.rules.dnd5e.draining import drained
from combatlog.rules.dnd5e.instances import Instance, instances_of
from combatlog.rules.dnd5e.modifiers import STAGES, bonus, dice
from combatlog.rules.dnd5e.pieces import Condition, piece
from combatlog.rules.dnd5e.state import end_instance, is_dead
from combatlog.rules.dnd5e.vitality import HP, maximum_hp
from combatlog.rules.engine.chain import Chain, Modifier
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant


@piece
class Suffering(Condition):
    """Takes damage at the start or end of each turn: it burns, or a wound bleeds."""

    name = "suffering"

    def at_turn_start(self, table: Table, owner: Combatant) -> None:
        self._hurt(table, owner, "turn_start")

    def at_turn_end(self, table: Table, owner: Combatant) -> None:
        self._hurt(table, owner, "turn_end")

    def at_failed_save(self, table: Table, owner: Combatant, instance: Instance) -> None:
        ongoing = ongoing_of(instance)
        if ongoing is not None and not is_dead(owner):
            self._hurt_once(table, owner, instance, ongoing)

    def _hurt(self, table: Table, owner: Combatant, moment: str) -> None:
        for instance in instances_of(owner.conditions[self.ref]):
            ongoing = ongoing_of(instance)
            if ongoing is None or ongoing.at != moment or is_dead(owner):
                continue
            self._hurt_once(table, owner, instance, ongoing)
            if ongoing.once:
                end_instance(table, owner, self.ref, instance, "over")

    def _hurt_once(self, table: Table, owner: Combatant, instance: Instance, ongoing: Ongoing) -> None:
        dealer = table.battle.combatants.get(instance.owner)
        kind = ongoing.damage_type
        chain = Chain(
            "damage", STAGES, [dice("base", instance.source, instance.owner, self.title, ongoing.damage, kind)]
        )
        chain.record(table)
        harm = Harm(table.battle, owner, dealer, instance.source, (kind,))
        taken = taken_chain(harm)
        taken.record(table)
        inflict(table, harm, roll_damage(table, harm.dealt_by, chain, f"{self.name} of {owner.id}"), taken)


def ongoing_of(instance: Instance) -> Ongoing | None:
    """The damage that one cause of suffering deals; None if a ruling began it and did not say."""
    if "damage" not in instance.data:
        return None
    return Ongoing.model_validate({name: instance.data[name] for name in Ongoing.model_fields if name in instance.data})


@piece
class Drained(Condition):
    """Its maximum of hit points is lower until it finishes a long rest."""

    name = "drained"
    is_single = True
    lasts = True

    def on_maximum_hp(self, owner: Combatant) -> Iterator[Modifier]:
        yield bonus("conditions", self.ref, owner.id, f"{owner.name} is drained", -drained(owner))

    def at_begin(self, table: Table, owner: Combatant) -> None:
        if (excess := owner.vitals[HP].current - maximum_hp(owner)) > 0:
            table.spend_vital(owner, HP, excess, f"{owner.name} is drained", self.ref)


@piece
class Unhealing(Condition):
    """Cannot regain hit points."""

    name = "unhealing"
    lasts = True
    forbids_healing = True

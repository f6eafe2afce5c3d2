"""Dying (with death saves), stable and dead; ongoing damage, a lowered maximum, and wounds that do not heal."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.archetypes.consequences import Ongoing
from combatlog.rules.dnd5e.attack.damage import inflict, roll_damage, taken_chain
from combatlog.rules.dnd5e.combatant_state import afflict, end_condition, end_instance, is_dead
from combatlog.rules.dnd5e.conditions.instances import Instance, instances_of
from combatlog.rules.dnd5e.contexts import Harm
from combatlog.rules.dnd5e.hit_points import (
    DYING,
    HP,
    STABLE,
    ZERO_HIT_POINTS,
    become_stable,
    die,
    drained,
    heal,
    maximum_hp,
)
from combatlog.rules.dnd5e.modifiers import STAGES, bonus, dice
from combatlog.rules.dnd5e.pieces import Dnd5eCondition, piece
from combatlog.rules.dnd5e.saves_and_checks import resolve_death_save, rolled_in
from combatlog.rules.engine.resolution.chain import Modifier, ModifierChain
from combatlog.rules.engine.resolution.table import Table
from projections.battle.combatant import Combatant

DEATH_SAVE_DC = 10
ENOUGH = 3


@piece
class Dead(Dnd5eCondition):
    """Dead: takes no further part in the fight."""

    name = "dead"
    knocks_out = True
    is_single = True
    incapacitates = True
    immobilizes = True


@piece
class Stable(Dnd5eCondition):
    """At 0 hit points but no longer dying, until it takes damage."""

    name = "stable"
    lasts = True
    is_single = True
    incapacitates = True
    immobilizes = True

    def after_harm(self, table: Table, harm: Harm, owner: Combatant) -> None:
        if harm.amount > 0:
            end_condition(table, owner, STABLE, "took damage")
            afflict(table, owner, DYING, source=ZERO_HIT_POINTS, owner=harm.dealt_by)
            _suffer_at_zero(table, harm, owner)


@piece
class Dying(Dnd5eCondition):
    """Makes a death save at the start of each turn: three successes make it stable, three failures kill it."""

    name = "dying"
    lasts = True
    is_single = True
    incapacitates = True
    immobilizes = True

    def at_turn_start(self, table: Table, owner: Combatant) -> None:
        save = resolve_death_save(table, owner, DEATH_SAVE_DC, self.ref)
        with table.because_of(rolled_in(save)):
            if save.natural == 20:
                heal(table, owner, 1, "natural 20 on the death save", self.ref)
            elif save.total >= DEATH_SAVE_DC:
                _count(table, owner, successes=1)
            else:
                _count(table, owner, failures=2 if save.natural == 1 else 1)

    def after_harm(self, table: Table, harm: Harm, owner: Combatant) -> None:
        if harm.amount > 0:
            _suffer_at_zero(table, harm, owner)


def _suffer_at_zero(table: Table, harm: Harm, owner: Combatant) -> None:
    """Count one failed death save, or two for a critical hit. Damage of at least the maximum kills."""
    if harm.amount >= maximum_hp(owner):
        die(table, owner, harm.dealt_by)
    else:
        _count(table, owner, failures=2 if harm.critical else 1)


def _count(table: Table, owner: Combatant, successes: int = 0, failures: int = 0) -> None:
    held = owner.conditions[DYING]
    tally = {
        "successes": held.data.get("successes", 0) + successes,
        "failures": held.data.get("failures", 0) + failures,
    }
    if tally["failures"] >= ENOUGH:
        die(table, owner, held.owner)
    elif tally["successes"] >= ENOUGH:
        become_stable(table, owner, "three death saves succeeded", owner.id)
    else:
        afflict(table, owner, DYING, source=held.source, owner=held.owner, data=tally)


@piece
class Suffering(Dnd5eCondition):
    """Takes damage at the start or end of each turn: burning, bleeding and the like."""

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
        chain = ModifierChain(
            "damage", STAGES, [dice("base", instance.source, instance.owner, self.title, ongoing.damage, kind)]
        )
        chain.record(table)
        harm = Harm(table.battle, owner, dealer, instance.source, (kind,))
        taken = taken_chain(harm)
        taken.record(table)
        inflict(table, harm, roll_damage(table, harm.dealt_by, chain, f"{self.name} of {owner.id}"), taken)


def ongoing_of(instance: Instance) -> Ongoing | None:
    """The damage that one cause of suffering deals; None if it began by a ruling, which does not say."""
    if "damage" not in instance.data:
        return None
    return Ongoing.model_validate({name: instance.data[name] for name in Ongoing.model_fields if name in instance.data})


@piece
class Drained(Dnd5eCondition):
    """Its hit point maximum is lowered until it finishes a long rest."""

    name = "drained"
    is_single = True
    lasts = True

    def on_maximum_hp(self, owner: Combatant) -> Iterator[Modifier]:
        yield bonus("conditions", self.ref, owner.id, f"{owner.name} is drained", -drained(owner))

    def at_begin(self, table: Table, owner: Combatant) -> None:
        if (excess := owner.vitals[HP].current - maximum_hp(owner)) > 0:
            table.spend_vital(owner, HP, excess, f"{owner.name} is drained", self.ref)


@piece
class Unhealing(Dnd5eCondition):
    """Cannot regain hit points."""

    name = "unhealing"
    lasts = True
    forbids_healing = True

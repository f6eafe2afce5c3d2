"""Conditions at 0 hit points."""

from __future__ import annotations

from combatlog.rules.dnd5e.contexts import Harm
from combatlog.rules.dnd5e.pieces import Condition, piece
from combatlog.rules.dnd5e.rolling import rolled_in
from combatlog.rules.dnd5e.saves import resolve_death_save
from combatlog.rules.dnd5e.state import afflict, end_condition
from combatlog.rules.dnd5e.vitality import DYING, STABLE, ZERO_HIT_POINTS, become_stable, die, heal, maximum_hp
from combatlog.rules.engine.table import Table
from projections.combatant import Combatant

DEATH_SAVE_DC = 10
ENOUGH = 3


@piece
class Dead(Condition):
    """Dead: it takes no further part in the fight."""

    name = "dead"
    knocks_out = True
    is_single = True
    incapacitates = True
    immobilizes = True


@piece
class Stable(Condition):
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
class Dying(Condition):
    """A death save at the start of each turn: three successes make it stable, three failures kill it."""

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
    """Damage at 0 hit points is one failed death save, or two for a critical hit; damage of a full maximum kills."""
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
